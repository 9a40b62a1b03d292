/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The lives in folders and segments, one after the other: what replay and what-if walk through.
 */
#pragma once

#include "oev_replay_life.h"

/* Which lives, and which part of them. */
struct oev_lives_options {
	const char *const *inputs; /* folders, segments; borrowed */
	size_t input_count;
	const char *node; /* lives of this one only; NULL: all */
	uint64_t since_us, until_us;
	uint64_t last_us; /* not 0: the window is this long, up to the end of the evidence */
	void (*progress)(void *ctx, uint64_t done, uint64_t total); /* may be NULL, likewise below */
	bool (*stop)(void *ctx);
	void *ctx;
};

struct oev_lives { /* zeroed, then the first four filled */
	const struct oev_lives_options *options;
	char *error;						    /* OEV_REPLAY_ERROR_MAX */
	int (*life)(void *ctx, const struct oev_replay_life *life); /* not OC_OK ends the walk */
	void *ctx;
	struct oev_replay_window window; /* as it was settled */
	uint64_t all;			 /* decisions in all lives, about */
	uint64_t done;			 /* in the lives before this one */
};

/* Calls lives->life for each that touches the window, in the order of their beginnings. Returns OC_OK, what a call returned, or
 * OC_ENOENT, OC_EIO, OC_EMALFORMED, OC_EVERSION, OC_ENOMEM with lives->error. */
int oev_lives_walk(struct oev_lives *lives);

/* For the pump: @done decisions of the life at hand. */
void oev_lives_progress(const struct oev_lives *lives, uint64_t done);
bool oev_lives_stop(const struct oev_lives *lives);
