/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * From the segments of one life to oc_replay, in memory of fixed size.
 *
 * Decisions are read in the order of their numbers, which is that of their times; outcomes and rare events as they were written,
 * which is nearly the order of theirs. So everything is read some thousand decisions further than it is done: what stands that far
 * from its place in time comes in time all the same, and what stands further away is counted as late. Two threads read, this one
 * does again.
 */
#pragma once

#include "oev_replay_group.h"
#include "oev_replay_life.h"

#define OEV_PUMP_BLOCK 1024u /* decisions between two looks at the rest */
#define OEV_PUMP_NEAR                                                                                        \
	8u /* blocks to read ahead: what a processor's cache holds, and a busy node's rows need */
#define OEV_PUMP_FAR 128u /* the most: what memory holds */

struct oev_pump_conf {
	const struct oev_replay_life *life;
	struct oev_replay_group group;
	uint32_t ahead;				    /* blocks to read ahead, 1..OEV_PUMP_FAR */
	bool other_policy;			    /* the recorded policies are left out, for a what-if */
	bool (*stop)(void *ctx);		    /* ends the work early; may be NULL, likewise below */
	void (*progress)(void *ctx, uint64_t done); /* decisions read of this life */
	void *ctx;
	char *error; /* OEV_REPLAY_ERROR_MAX */
};

struct oev_pump_counts {
	uint64_t decisions; /* given */
	uint64_t outcomes;
	uint64_t last_id;
	uint64_t hole_id;	 /* first number that was not there when its turn came; 0 none */
	uint64_t missing;	 /* numbers that never came, below the last one */
	uint32_t policy_version; /* of the last policy given, 0 none */
	bool is_cut;		 /* ended early at the end of the window */
};

/* Does the whole life again, up to the end of its window. Returns OC_OK, OC_EINTERRUPTED (stop said so), OC_EIO, OC_ENOMEM,
 * OC_EMALFORMED with conf->error; *@counts is right in every case. */
int oev_pump_run(const struct oev_pump_conf *conf, struct oev_pump_counts *counts);
