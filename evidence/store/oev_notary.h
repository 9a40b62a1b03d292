/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The notary: a thread of low priority for what has to leave the folder or takes long, so that the recorder never waits for it.
 *
 * It appends checkpoints to a file outside the folder, and to syslog when that is wanted, and seals finished segments: a
 * gigabyte takes a second to hash. It also finds out which sealed segments retention has come to; these are removed when the
 * recorder has stored the rows that say so. Jobs are done in the order they were given. What fails is told through log(), at most once a
 * minute of a sort; nothing is lost by it, since checkpoints stand in the segments; a seal that fails is tried again, and by the next start.
 */
#pragma once

#include "../proof/oev_seal.h"
#include "oev_ledger.h"
#include "oev_retain.h"
#include "oev_say.h"

struct oev_notary;

/* What is left to do until the rows of a segment are on the disk. */
enum oev_push { OEV_PUSH_NONE = 0, OEV_PUSH_WAL = 1, OEV_PUSH_ALL = 2 };

struct oev_notary_conf {
	const char *checkpoint_path; /* copied; made (mode 0640) when absent */
	bool syslog;
	const char *folder; /* borrowed until the stop, as signer */
	struct oev_public self;
	struct oev_retain_limits limits;
	enum oev_push push; /* before a checkpoint is told outside, and before segments are removed */
	struct oev_signer signer;
	struct oev_voice voice;
	uint64_t (*mono_ns)(void);
	uint64_t (*wall_us)(void);
};

/* OC_OK, OC_ENOMEM (also: no thread). */
int oev_notary_start(struct oev_notary **out, const struct oev_notary_conf *conf);

/* Does what is left, joins, frees. NULL is fine. */
void oev_notary_stop(struct oev_notary *notary);

/* @note, a checkpoint of the segment @path, is to be told outside. Copies. OC_OK or OC_ENOMEM. Any thread. */
int oev_notary_note(struct oev_notary *notary, const char *path, const char *note);

/* The finished segment @path, which nobody writes any more, is to be sealed: folded, made read-only, hashed, and its seal put beside
 * it. While a reader keeps it from being folded, or the disk does not take the seal, it is tried again. @seal says what batches it holds, and in
 * wall_us since when its seal is due (0: now); the rest is filled in. OC_OK or OC_ENOMEM. Any thread. */
int oev_notary_seal(struct oev_notary *notary, const char *path, const struct oev_seal *seal);

/* Segments that are to be removed, each of which gets a row first; NULL: none. They stay until oev_notary_remove(). */
const struct oev_removal *oev_notary_removals(struct oev_notary *notary, size_t *count);

/* Their rows are stored, in the segment @path: they are removed now. Recorder thread. */
void oev_notary_remove(struct oev_notary *notary, const char *path);

/* How many segments were sealed so far. Any thread. */
uint64_t oev_notary_sealed(const struct oev_notary *notary);
