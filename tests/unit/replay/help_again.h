/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A life that is kept in a folder of its own and then replayed from there.
 */
#pragma once

#include "evidence/replay/oev_replay.h"
#include "help_traffic.h"

#define START_NS 1000000000000ull
#define SECOND 1000000000ull

struct help_again {
	char folder[HELP_FOLDER_MAX];
	const char *inputs[1]; /* the result speaks of them */
	struct help_traffic traffic;
	struct oev_replay result;
};

/* With an empty folder, which goes with it. Aborts when that fails. */
struct help_again *help_again_new(void);
void help_again_free(struct help_again *h);

/* A life begins with a host report of 30 % and its end: 30,000 requests. The caller ends it. */
void help_again_loss(struct help_again *h);

/* Replays the folder; @more may be NULL. */
void help_again_run(struct help_again *h, const struct oev_replay_options *more);

/* All @decisions came out the same, and nothing of the record was without its place. */
void help_again_assert_identical(const struct help_again *h, uint64_t decisions);

/* Number of the first decision of help_again_loss() that was drawn for a host and came out as @verdict: "0" sent, "2" refused. */
uint64_t help_again_drawn(const char *verdict);
