/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The work of a server: N workers, a bounded queue before them, an answer delayed until its work is done.
 *
 * Time is a parameter. A first-come first-served queue lets every job's start and end be known when it arrives, so the
 * simulation is exact: the rate of work does not depend on how late the event loop wakes up.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "dt_rng.h"

#define DT_WORKERS_MAX 1024u
#define DT_JOBS_MAX 65536u

struct dt_work_plan {
	uint32_t workers;   /* 0: no limit, every job starts at once */
	uint64_t busy_ns;   /* a worker's time per job; mean when exponential */
	uint64_t delay_ns;  /* added after the work, not occupying a worker */
	bool exponential;   /* busy time; without workers, the delay */
	uint32_t queue_max; /* jobs waiting for a worker */
};

struct dt_job {
	uint64_t due_ns;
	uint32_t conn; /* for the caller */
	uint32_t conn_serial;
	void *origin;
	uint8_t *msg; /* copy of the request */
	size_t len;
	size_t size;
};

struct dt_work;

/* NULL when out of memory. */
struct dt_work *dt_work_new(const struct dt_work_plan *plan, uint64_t seed);
void dt_work_free(struct dt_work *work);
/* Changes the plan for jobs that arrive later. */
void dt_work_replan(struct dt_work *work, const struct dt_work_plan *plan);

/* A job for the request @msg arriving at @now_ns, copied. OC_OK with *@job (fill conn and origin), or OC_EBUSY. */
int dt_work_arrive(struct dt_work *work, const uint8_t *msg, size_t len, uint64_t now_ns,
		   struct dt_job **job);
/* The next job due by @now_ns, or NULL; valid until the next arrival. */
struct dt_job *dt_work_take(struct dt_work *work, uint64_t now_ns);
/* When the next job is due; UINT64_MAX when there is none. */
uint64_t dt_work_next_ns(const struct dt_work *work);
uint32_t dt_work_waiting(const struct dt_work *work, uint64_t now_ns);
