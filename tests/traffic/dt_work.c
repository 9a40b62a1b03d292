/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Workers and queue in calculated time.
 */
#include "dt_work.h"

#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"

struct dt_work {
	struct dt_work_plan plan;
	struct dt_rng rng;
	uint64_t free_at_ns[DT_WORKERS_MAX];
	uint64_t start_ns[DT_JOBS_MAX]; /* ring of the starts of jobs that waited, never decreasing */
	uint32_t start_head;
	uint32_t start_count;
	struct dt_job *heap[DT_JOBS_MAX]; /* by due_ns; beyond heap_len: spare jobs */
	uint32_t heap_len;
	uint32_t allocated;
};

struct dt_work *dt_work_new(const struct dt_work_plan *plan, uint64_t seed)
{
	struct dt_work *work = calloc(1, sizeof(*work));
	if (!work)
		return NULL;
	work->rng.state = seed;
	dt_work_replan(work, plan);
	return work;
}

void dt_work_free(struct dt_work *work)
{
	if (!work)
		return;
	for (uint32_t i = 0; i < work->allocated; i++) {
		free(work->heap[i]->msg);
		free(work->heap[i]);
	}
	free(work);
}

void dt_work_replan(struct dt_work *work, const struct dt_work_plan *plan)
{
	work->plan = *plan;
	if (work->plan.workers > DT_WORKERS_MAX)
		work->plan.workers = DT_WORKERS_MAX;
	if (work->plan.queue_max >= DT_JOBS_MAX)
		work->plan.queue_max = DT_JOBS_MAX - 1;
}

static void forget_started(struct dt_work *work, uint64_t now_ns)
{
	while (work->start_count && work->start_ns[work->start_head] <= now_ns) {
		work->start_head = (work->start_head + 1) % DT_JOBS_MAX;
		work->start_count--;
	}
}

static uint64_t drawn(struct dt_work *work, uint64_t mean_ns)
{
	return work->plan.exponential && mean_ns ? dt_rng_exponential(&work->rng, mean_ns) : mean_ns;
}

/* When a job arriving now is done, or 0 when the queue is full. */
static uint64_t schedule(struct dt_work *work, uint64_t now_ns)
{
	const struct dt_work_plan *plan = &work->plan;
	uint32_t first = 0;

	if (plan->workers == 0)
		return now_ns + drawn(work, plan->delay_ns);
	for (uint32_t i = 1; i < plan->workers; i++) {
		if (work->free_at_ns[i] < work->free_at_ns[first])
			first = i;
	}
	uint64_t start_ns = work->free_at_ns[first] > now_ns ? work->free_at_ns[first] : now_ns;
	forget_started(work, now_ns);
	if (start_ns > now_ns) {
		if (work->start_count >= plan->queue_max)
			return 0;
		work->start_ns[(work->start_head + work->start_count++) % DT_JOBS_MAX] = start_ns;
	}
	work->free_at_ns[first] = start_ns + drawn(work, plan->busy_ns);
	return work->free_at_ns[first] + plan->delay_ns;
}

static struct dt_job *spare_job(struct dt_work *work, size_t len)
{
	if (work->heap_len == DT_JOBS_MAX)
		return NULL;
	if (work->heap_len == work->allocated) {
		struct dt_job *fresh = calloc(1, sizeof(*fresh));
		if (!fresh)
			return NULL;
		work->heap[work->allocated++] = fresh;
	}
	struct dt_job *job = work->heap[work->heap_len];
	if (job->size < len) {
		uint8_t *larger = realloc(job->msg, len * 2);
		if (!larger)
			return NULL;
		job->msg = larger;
		job->size = len * 2;
	}
	return job;
}

static void sift_up(struct dt_job **heap, uint32_t at)
{
	struct dt_job *job = heap[at];
	while (at > 0 && heap[(at - 1) / 2]->due_ns > job->due_ns) {
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = job;
}

static void sift_down(struct dt_job **heap, uint32_t len, struct dt_job *job)
{
	uint32_t at = 0;
	for (uint32_t child = 1; child < len; child = 2 * at + 1) {
		if (child + 1 < len && heap[child + 1]->due_ns < heap[child]->due_ns)
			child++;
		if (heap[child]->due_ns >= job->due_ns)
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = job;
}

int dt_work_arrive(struct dt_work *work, const uint8_t *msg, size_t len, uint64_t now_ns, struct dt_job **job)
{
	struct dt_job *spare = spare_job(work, len);
	uint64_t due_ns = spare ? schedule(work, now_ns) : 0;
	if (due_ns == 0)
		return OC_EBUSY;
	spare->due_ns = due_ns;
	memcpy(spare->msg, msg, len);
	spare->len = len;
	*job = spare;
	sift_up(work->heap, work->heap_len++);
	return OC_OK;
}

struct dt_job *dt_work_take(struct dt_work *work, uint64_t now_ns)
{
	if (work->heap_len == 0 || work->heap[0]->due_ns > now_ns)
		return NULL;
	struct dt_job *job = work->heap[0];
	struct dt_job *last = work->heap[--work->heap_len];
	if (work->heap_len > 0)
		sift_down(work->heap, work->heap_len, last);
	work->heap[work->heap_len] = job; /* spare again */
	return job;
}

uint64_t dt_work_next_ns(const struct dt_work *work)
{
	return work->heap_len ? work->heap[0]->due_ns : UINT64_MAX;
}

uint32_t dt_work_waiting(const struct dt_work *work, uint64_t now_ns)
{
	uint32_t waiting = 0;
	for (uint32_t i = 0; i < work->start_count; i++)
		waiting += work->start_ns[(work->start_head + i) % DT_JOBS_MAX] > now_ns;
	return waiting;
}
