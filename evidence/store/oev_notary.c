/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The notary's thread and its queue.
 */
#include "oev_notary_inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "../../agent/oc_err.h"
#include "../oev_clock.h"

#define NICE 10
#define SECOND_NS UINT64_C(1000000000)

static void add_job(struct oev_notary *notary, struct oev_notary_job *job)
{
	job->next = NULL;
	*notary->end = job;
	notary->end = &job->next;
}

/* What was kept for later and is due is among the next jobs again; when it stops everything is. */
static void take_up(struct oev_notary *notary)
{
	uint64_t now_ns = notary->later ? oev_clock_mono_ns() : 0;
	struct oev_notary_job **at = &notary->later;

	while (*at) {
		struct oev_notary_job *job = *at;
		if (!notary->is_stopping && now_ns < job->again_ns) {
			at = &job->next;
			continue;
		}
		*at = job->next;
		add_job(notary, job);
	}
}

static void wait_for_work(struct oev_notary *notary)
{
	uint64_t until_ns = UINT64_MAX;

	for (const struct oev_notary_job *job = notary->later; job; job = job->next)
		if (job->again_ns < until_ns)
			until_ns = job->again_ns;
	if (until_ns == UINT64_MAX) {
		pthread_cond_wait(&notary->work, &notary->lock);
		return;
	}
	const struct timespec until = { .tv_sec = (time_t)(until_ns / SECOND_NS),
					.tv_nsec = (long)(until_ns % SECOND_NS) };
	(void)pthread_cond_timedwait(&notary->work, &notary->lock, &until);
}

/* The next job; NULL when all is done and no more will come. */
static struct oev_notary_job *take_job(struct oev_notary *notary)
{
	pthread_mutex_lock(&notary->lock);
	take_up(notary);
	while (!notary->first && !notary->is_stopping) {
		wait_for_work(notary);
		take_up(notary);
	}
	struct oev_notary_job *job = notary->first;
	if (job) {
		notary->first = job->next;
		if (!notary->first)
			notary->end = &notary->first;
	}
	pthread_mutex_unlock(&notary->lock);
	return job;
}

static void *run(void *ctx)
{
	struct oev_notary *notary = ctx;
	struct oev_notary_job *job;

	/* On Linux this is the thread's own priority; without the privilege it stays as it is. */
	(void)setpriority(PRIO_PROCESS, 0, NICE);
	oev_notary_look(notary);
	while ((job = take_job(notary)) != NULL)
		oev_notary_do(notary, job);
	return NULL;
}

static void notary_free(struct oev_notary *notary)
{
	pthread_cond_destroy(&notary->work);
	pthread_mutex_destroy(&notary->lock);
	free(notary->removals);
	free(notary);
}

/* Waits by the clock that nobody sets. */
static void cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(cond, &attributes);
	pthread_condattr_destroy(&attributes);
}

int oev_notary_start(struct oev_notary **out, const struct oev_notary_conf *conf)
{
	struct oev_notary *notary = calloc(1, sizeof(*notary));

	if (!notary)
		return OC_ENOMEM;
	notary->conf = *conf;
	snprintf(notary->checkpoint_path, sizeof(notary->checkpoint_path), "%s", conf->checkpoint_path);
	notary->end = &notary->first;
	pthread_mutex_init(&notary->lock, NULL);
	cond_init(&notary->work);
	if (pthread_create(&notary->thread, NULL, run, notary) == 0) {
		*out = notary;
		return OC_OK;
	}
	notary_free(notary);
	return OC_ENOMEM;
}

void oev_notary_stop(struct oev_notary *notary)
{
	if (!notary)
		return;
	pthread_mutex_lock(&notary->lock);
	notary->is_stopping = true;
	pthread_cond_signal(&notary->work);
	pthread_mutex_unlock(&notary->lock);
	pthread_join(notary->thread, NULL);
	notary_free(notary);
}

static int give_job(struct oev_notary *notary, struct oev_notary_job *job)
{
	pthread_mutex_lock(&notary->lock);
	add_job(notary, job);
	pthread_cond_signal(&notary->work);
	pthread_mutex_unlock(&notary->lock);
	return OC_OK;
}

static struct oev_notary_job *job_new(const char *path, size_t note_octets)
{
	struct oev_notary_job *job = calloc(1, sizeof(*job) + note_octets);

	if (job)
		snprintf(job->path, sizeof(job->path), "%s", path);
	return job;
}

int oev_notary_note(struct oev_notary *notary, const char *path, const char *note)
{
	size_t octets = strlen(note) + 1;
	struct oev_notary_job *job = job_new(path, octets);

	if (!job)
		return OC_ENOMEM;
	memcpy(job->note, note, octets);
	return give_job(notary, job);
}

/* A segment that ended long ago, and whose seal a kill prevented, has its place in retention from then. */
static uint64_t due_us(const struct oev_seal *seal, uint64_t now_us)
{
	return seal->wall_us != 0 && seal->wall_us < now_us ? seal->wall_us : now_us;
}

int oev_notary_seal(struct oev_notary *notary, const char *path, const struct oev_seal *seal_of)
{
	struct oev_notary_job *job = job_new(path, 0);

	if (!job)
		return OC_ENOMEM;
	job->kind = OEV_NOTARY_SEAL;
	job->seal = *seal_of;
	job->closed_us = due_us(seal_of, notary->conf.wall_us());
	return give_job(notary, job);
}

const struct oev_removal *oev_notary_removals(struct oev_notary *notary, size_t *count)
{
	pthread_mutex_lock(&notary->lock);
	const struct oev_removal *removals = notary->removals_told ? NULL : notary->removals;
	*count = notary->removal_count;
	pthread_mutex_unlock(&notary->lock);
	return removals;
}

void oev_notary_remove(struct oev_notary *notary, const char *path)
{
	struct oev_notary_job *job = job_new(path, 0);

	if (!job)
		return; /* they wait for the next life, which will tell of them again */
	job->kind = OEV_NOTARY_REMOVE;
	pthread_mutex_lock(&notary->lock);
	notary->removals_told = true;
	pthread_mutex_unlock(&notary->lock);
	give_job(notary, job);
}

uint64_t oev_notary_sealed(const struct oev_notary *notary)
{
	return atomic_load(&notary->sealed);
}
