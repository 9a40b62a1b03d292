/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Private to oev_notary*.c: its jobs.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "oev_notary.h"

#define OEV_NOTARY_LINE_MAX ((size_t)2 * OEV_NOTE_MAX)

enum oev_notary_kind { OEV_NOTARY_NOTE, OEV_NOTARY_SEAL, OEV_NOTARY_REMOVE };

struct oev_notary_job {
	struct oev_notary_job *next;
	uint64_t again_ns;  /* not before, by the monotonic clock; of one that is kept for later */
	uint64_t closed_us; /* when its segment ended, by the wall clock */
	unsigned failures;
	unsigned waits; /* for a reader to go */
	enum oev_notary_kind kind;
	struct oev_seal seal;
	char path[OEV_PLACE_PATH_MAX]; /* of the segment */
	char note[];		       /* a checkpoint */
};

struct oev_notary {
	struct oev_notary_conf conf;
	char checkpoint_path[OEV_PLACE_PATH_MAX];
	pthread_t thread;
	pthread_mutex_t lock; /* over what follows, up to the thread's own */
	pthread_cond_t work;
	struct oev_notary_job *first;
	struct oev_notary_job **end;
	struct oev_notary_job *later; /* seals that failed, or that a reader is in the way of */
	bool is_stopping;
	struct oev_removal *removals; /* planned; nobody changes them until they are removed */
	size_t removal_count;
	bool removals_told; /* their rows are stored */
	_Atomic uint64_t sealed;
	/* The thread's own. */
	struct oev_limiter note_log;
	struct oev_limiter seal_log;
	struct oev_limiter removal_log;
	struct oev_limiter doubt_log;
	uint64_t next_look_ns; /* when retention is looked at again */
	char note[OEV_NOTE_MAX];
	char line[OEV_NOTARY_LINE_MAX];
};

/* Does the job, and frees it or keeps it for later. Looks at retention when it is time. The notary's thread. */
void oev_notary_do(struct oev_notary *notary, struct oev_notary_job *job);

/* Which segments retention has come to. */
void oev_notary_look(struct oev_notary *notary);
