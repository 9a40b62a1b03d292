/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Lives recorded for tests of revelations: requests with known identities, told to the real recorder.
 */
#pragma once

#include <CUnit/CUnit.h>
#include <stdbool.h>

#include "evidence/proof/oev_key.h"
#include "evidence/reveal/oev_reveal.h"
#include "evidence/store/oev_recorder.h"

#define HELP_PATH_MAX 320
#define HELP_WALL_US 1796047200000000ull /* 2026-11-30T14:00:00Z, when a life begins */

#define HELP_SESSION_1 "c1.visited.example;1;1"
#define HELP_SESSION_2 "c1.visited.example;1;2"
extern const char *const help_imsis[]; /* two, and NULL */

struct help_life {
	char base[128];
	char folder[160]; /* the evidence */
	char key_path[192];
	char other_path[192]; /* a key that is not the one of the folder */
	struct oev_key *key;
	struct oev_journal *journal;
	struct oev_recorder *recorder;
	uint64_t next_id;
	bool is_clear; /* identities are told too */
};

/* A folder of its own under TMPDIR or /tmp, with a key and no evidence; remove it with help_life_remove(). */
void help_life_make(struct help_life *life);
void help_life_remove(struct help_life *life);

/* A life of the agent that begins @after_s seconds after HELP_WALL_US. */
void help_life_begin(struct help_life *life, uint64_t after_s);
void help_life_end(struct help_life *life);

/* A request one second after the one before. @session, @subscriber NULL: none. Returns the number of its decision. */
uint64_t help_life_request(struct help_life *life, const char *session, const char *subscriber,
			   enum oc_verdict verdict);

/* Two lives: the first of HELP_IMSIS in both, in sessions 1 and 2; the second in neither; and traffic of others. */
void help_life_record(struct help_life *life);

/* What is revealed of @words (NULL-terminated); @change may alter the options before. Free the result with oev_reveal_fini(). */
void help_reveal(const struct help_life *life, const char *const *words,
		 void (*change)(struct oev_reveal_options *options), struct oev_reveal *out);

void help_with_other_key(
	struct oev_reveal_options *options); /* such a change, with the key of the life made last */

/* The trace of kind @kind of identity @word; NULL when it has none. */
const struct oev_trace *help_trace(const struct oev_reveal *reveal, const char *word, unsigned kind);

/* One statement on every segment, whose seals are removed. */
void help_life_sql(const struct help_life *life, const char *sql);

/* Everything in a folder, and the folder. */
void help_remove(const char *path);
