/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A world for random lives of one agent: names, a clock and a record that all threads share, and the proof at its end.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "agent/oc_agent.h"
#include "agent/oc_batch.h"
#include "help_life.h"

#define SERVERS 5u
#define CLIENTS 4u

/* All threads share one agent, one clock and one record. */
struct help_world {
	struct oc_names *names;
	struct oc_agent *agent;
	struct oc_policy policy;
	struct help_life *life;
	pthread_mutex_t lock; /* of life */
	atomic_uint_fast64_t clock_ns;
	uint32_t servers[SERVERS];
	uint32_t clients[CLIENTS];
	uint32_t realm;
	uint32_t rounds;
	uint64_t pace_ns; /* the clock goes on by less than this at each look */
	bool is_mixed;	  /* contents of one step are told around those of another, as threads may */
	uint64_t content_ns;
	struct oc_event held[OC_BATCH_MAX]; /* contents that wait for one of another step */
	uint32_t held_count;
	uint32_t mixed;
};

/* The clock goes on by less than @pace_ns at each look; every thread does @rounds. */
struct help_world *help_world_new(uint64_t pace_ns, uint32_t rounds);

/* Its end, and that it goes as it went when it is lived again. How many decisions that were. */
uint64_t help_world_end(struct help_world *w);
