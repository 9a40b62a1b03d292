/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The list of jobs, and the thread that does them.
 */
#include "oweb_jobs.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../agent/oc_err.h"
#include "../evidence/oev_clock.h"
#include "oweb_json.h"
#include "oweb_reply.h"

#define NICE 10
#define STOPPED_EXIT 130 /* of the command line, when it is interrupted */

struct job {
	uint64_t number; /* 0: free */
	enum oweb_job_state state;
	struct oweb_task task;
	struct oweb_result result;
	uint64_t added_us, began_us, ended_us;
	uint64_t began_ns; /* monotonic */
	atomic_ullong done, total;
	atomic_bool is_to_stop;
};

struct oweb_jobs {
	pthread_mutex_t lock;
	pthread_cond_t news;
	pthread_t thread;
	bool is_ending;
	uint64_t last; /* number given out last */
	struct job list[OWEB_JOBS_KEPT];
};

const char *oweb_job_kind_text(enum oweb_job_kind kind)
{
	static const char *const words[OWEB_JOB_KIND_COUNT] = { "verify", "audit", "whatif" };
	return words[kind];
}

const char *oweb_job_state_text(enum oweb_job_state state)
{
	static const char *const words[OWEB_JOB_STATE_COUNT] = { "waiting", "running", "done", "stopped" };
	return words[state];
}

void oweb_task_drop(struct oweb_task *task)
{
	free(task->policy);
	free(task->policy_text);
	task->policy = NULL;
	task->policy_text = NULL;
}

static void forget(struct job *job)
{
	oweb_task_drop(&job->task);
	free(job->result.json);
	free(job->result.html);
	memset(job, 0, sizeof(*job));
}

static struct job *find(struct oweb_jobs *jobs, uint64_t number)
{
	for (unsigned i = 0; number != 0 && i < OWEB_JOBS_KEPT; i++)
		if (jobs->list[i].number == number)
			return &jobs->list[i];
	return NULL;
}

/* The oldest one that waits. */
static struct job *next(struct oweb_jobs *jobs)
{
	struct job *found = NULL;

	for (unsigned i = 0; i < OWEB_JOBS_KEPT; i++) {
		struct job *job = &jobs->list[i];
		if (job->number != 0 && job->state == OWEB_JOB_WAITS &&
		    (!found || job->number < found->number))
			found = job;
	}
	return found;
}

/* A free place, or that of the oldest one that is over; NULL. */
static struct job *room(struct oweb_jobs *jobs)
{
	struct job *found = NULL;

	for (unsigned i = 0; i < OWEB_JOBS_KEPT; i++) {
		struct job *job = &jobs->list[i];
		if (job->number == 0)
			return job;
		if (job->state >= OWEB_JOB_DONE && (!found || job->number < found->number))
			found = job;
	}
	if (found != NULL)
		forget(found);
	return found;
}

static void on_progress(void *ctx, uint64_t done, uint64_t total)
{
	struct job *job = ctx;

	atomic_store(&job->done, done);
	atomic_store(&job->total, total);
}

static bool on_stop(void *ctx)
{
	return atomic_load(&((struct job *)ctx)->is_to_stop);
}

/* With the lock held at the beginning and the end, but not while it works. */
static void work(struct oweb_jobs *jobs, struct job *job)
{
	const struct oweb_job_watch watch = { .progress = on_progress, .stop = on_stop, .ctx = job };
	struct oweb_result result;

	job->state = OWEB_JOB_RUNS;
	job->began_us = oev_clock_wall_us();
	job->began_ns = oev_clock_mono_ns();
	pthread_mutex_unlock(&jobs->lock);
	oweb_job_run(&job->task, &watch, &result);
	pthread_mutex_lock(&jobs->lock);
	job->result = result;
	job->ended_us = oev_clock_wall_us();
	job->state = atomic_load(&job->is_to_stop) ? OWEB_JOB_STOPPED : OWEB_JOB_DONE;
}

static void *run(void *ctx)
{
	struct oweb_jobs *jobs = ctx;
	struct job *job;

	(void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE); /* of this thread */
	pthread_mutex_lock(&jobs->lock);
	while (!jobs->is_ending) {
		job = next(jobs);
		if (job != NULL)
			work(jobs, job);
		else
			pthread_cond_wait(&jobs->news, &jobs->lock);
	}
	pthread_mutex_unlock(&jobs->lock);
	return NULL;
}

int oweb_jobs_start(struct oweb_jobs **out)
{
	struct oweb_jobs *jobs = calloc(1, sizeof(*jobs));
	sigset_t all, before;

	if (jobs == NULL)
		return OC_ENOMEM;
	pthread_mutex_init(&jobs->lock, NULL);
	pthread_cond_init(&jobs->news, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int rc = pthread_create(&jobs->thread, NULL, run, jobs);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc != 0) {
		free(jobs);
		return OC_ENOMEM;
	}
	*out = jobs;
	return OC_OK;
}

void oweb_jobs_stop(struct oweb_jobs *jobs)
{
	if (jobs == NULL)
		return;
	pthread_mutex_lock(&jobs->lock);
	jobs->is_ending = true;
	for (unsigned i = 0; i < OWEB_JOBS_KEPT; i++)
		atomic_store(&jobs->list[i].is_to_stop, true);
	pthread_cond_signal(&jobs->news);
	pthread_mutex_unlock(&jobs->lock);
	pthread_join(jobs->thread, NULL);
	for (unsigned i = 0; i < OWEB_JOBS_KEPT; i++)
		forget(&jobs->list[i]);
	pthread_cond_destroy(&jobs->news);
	pthread_mutex_destroy(&jobs->lock);
	free(jobs);
}

static unsigned waiting(const struct oweb_jobs *jobs)
{
	unsigned count = 0;

	for (unsigned i = 0; i < OWEB_JOBS_KEPT; i++)
		count += jobs->list[i].number != 0 && jobs->list[i].state == OWEB_JOB_WAITS;
	return count;
}

uint64_t oweb_jobs_add(struct oweb_jobs *jobs, struct oweb_task *task)
{
	uint64_t number = 0;

	pthread_mutex_lock(&jobs->lock);
	struct job *job = waiting(jobs) < OWEB_JOBS_WAITING ? room(jobs) : NULL;
	if (job != NULL) {
		number = job->number = ++jobs->last;
		job->task = *task;
		job->task.number = number;
		task->policy = NULL; /* it is the job's now */
		task->policy_text = NULL;
		job->added_us = oev_clock_wall_us();
		pthread_cond_signal(&jobs->news);
	}
	pthread_mutex_unlock(&jobs->lock);
	oweb_task_drop(task);
	return number;
}

enum oweb_job_end oweb_jobs_end(struct oweb_jobs *jobs, uint64_t number, const struct oweb_who *who)
{
	pthread_mutex_lock(&jobs->lock);
	struct job *job = find(jobs, number);
	bool is_allowed = who->role >= OWEB_ROLE_ADMINISTRATOR ||
			  (job != NULL && strcmp(job->task.who, who->name) == 0);
	if (job != NULL && is_allowed) {
		atomic_store(&job->is_to_stop, true);
		if (job->state == OWEB_JOB_WAITS) {
			job->state = OWEB_JOB_STOPPED;
			job->result.exit = STOPPED_EXIT;
			snprintf(job->result.line, sizeof(job->result.line), "stopped before it began");
		}
	}
	pthread_mutex_unlock(&jobs->lock);
	if (job == NULL)
		return OWEB_JOB_END_UNKNOWN;
	return is_allowed ? OWEB_JOB_END_ASKED : OWEB_JOB_END_OF_ANOTHER;
}

static json_t *progress_of(const struct job *job)
{
	uint64_t total = atomic_load(&job->total), done = atomic_load(&job->done);

	if (job->state == OWEB_JOB_DONE)
		return json_real(1);
	if (total == 0)
		return json_null();
	return json_real(done < total ? (double)done / (double)total : 1);
}

static json_t *left_of(const struct job *job)
{
	uint64_t total = atomic_load(&job->total), done = atomic_load(&job->done);
	uint64_t spent_ns = oev_clock_mono_ns() - job->began_ns;

	if (job->state != OWEB_JOB_RUNS || done == 0 || done > total)
		return json_null();
	return json_real((double)spent_ns / 1e9 * (double)(total - done) / (double)done);
}

static void put_result(json_t *object, const struct job *job, bool whole)
{
	char report[64];

	if (job->state < OWEB_JOB_DONE)
		return;
	json_object_set_new(object, "exit", json_integer(job->result.exit));
	json_object_set_new(object, "verdict", oweb_json_shown(job->result.line));
	if (job->result.html != NULL) {
		snprintf(report, sizeof(report), "/api/v1/jobs/%" PRIu64 "/page", job->number);
		json_object_set_new(object, "report", json_string(report));
	}
	char *whole_text = whole && job->result.json != NULL ? oweb_utf8(job->result.json) : NULL;
	if (whole_text != NULL)
		json_object_set_new(object, "object", json_loads(whole_text, JSON_ALLOW_NUL, NULL));
	free(whole_text);
}

static json_t *view(const struct job *job, bool whole)
{
	char command[OWEB_JOB_LINE_MAX], policy[64];

	oweb_job_command(&job->task, command, sizeof(command));
	json_t *object = json_pack("{s:s, s:I, s:s, s:s, s:s, s:o, s:o, s:o}", "schema", "doic.job/1", "id",
				   (json_int_t)job->number, "verb", oweb_job_kind_text(job->task.kind),
				   "state", oweb_job_state_text(job->state), "who", job->task.who, "command",
				   oweb_json_shown(command), "progress_ratio", progress_of(job),
				   "left_seconds", left_of(job));
	if (object == NULL)
		return NULL;
	oweb_json_time(object, "added", job->added_us);
	oweb_json_time(object, "started", job->began_us);
	oweb_json_time(object, "ended", job->ended_us);
	if (job->task.policy_text != NULL) {
		snprintf(policy, sizeof(policy), "/api/v1/jobs/%" PRIu64 "/policy", job->number);
		json_object_set_new(object, "policy", json_string(policy));
	}
	put_result(object, job, whole);
	return object;
}

json_t *oweb_jobs_view(struct oweb_jobs *jobs, uint64_t number, bool whole)
{
	pthread_mutex_lock(&jobs->lock);
	const struct job *job = find(jobs, number);
	json_t *object = job != NULL ? view(job, whole) : NULL;
	pthread_mutex_unlock(&jobs->lock);
	return object;
}

json_t *oweb_jobs_list(struct oweb_jobs *jobs)
{
	json_t *list = json_array();

	pthread_mutex_lock(&jobs->lock);
	for (uint64_t number = jobs->last; number > 0 && number + (uint64_t)4 * OWEB_JOBS_KEPT > jobs->last;
	     number--) {
		const struct job *job = find(jobs, number);
		if (job != NULL)
			json_array_append_new(list, view(job, false));
	}
	pthread_mutex_unlock(&jobs->lock);
	return list;
}

static char *copy_of(const char *text, size_t *len)
{
	char *copy = text != NULL ? strdup(text) : NULL;

	*len = copy != NULL ? strlen(copy) : 0;
	return copy;
}

char *oweb_jobs_page(struct oweb_jobs *jobs, uint64_t number, size_t *len)
{
	pthread_mutex_lock(&jobs->lock);
	const struct job *job = find(jobs, number);
	char *copy = copy_of(job != NULL ? job->result.html : NULL, len);
	pthread_mutex_unlock(&jobs->lock);
	return copy;
}

char *oweb_jobs_policy(struct oweb_jobs *jobs, uint64_t number, size_t *len)
{
	pthread_mutex_lock(&jobs->lock);
	const struct job *job = find(jobs, number);
	char *copy = copy_of(job != NULL ? job->task.policy_text : NULL, len);
	pthread_mutex_unlock(&jobs->lock);
	return copy;
}
