/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Work that takes longer than an answer may: verification, audit, what-if. One thread does one job after the other, at low priority; the last
 * OWEB_JOBS_KEPT are remembered with what came of them. They read the folder through connections of their own.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../evidence/audit/oev_audit_types.h"
#include "oweb_node.h"
#include "oweb_request.h"

#define OWEB_JOBS_KEPT 32u
#define OWEB_JOBS_WAITING 8u
#define OWEB_JOB_LINE_MAX 2048u

enum oweb_job_kind { OWEB_JOB_VERIFY = 0, OWEB_JOB_AUDIT = 1, OWEB_JOB_WHATIF = 2, OWEB_JOB_KIND_COUNT };
enum oweb_job_state {
	OWEB_JOB_WAITS = 0,
	OWEB_JOB_RUNS = 1,
	OWEB_JOB_DONE = 2,
	OWEB_JOB_STOPPED = 3,
	OWEB_JOB_STATE_COUNT
};

/* What is to be done. */
struct oweb_task {
	enum oweb_job_kind kind;
	char who[OWEB_WHO_MAX];
	const char *folder; /* borrowed, lives as long as the server; likewise key */
	const char *key;    /* public key file; "" the folder's own */
	uint64_t since_us;  /* 0: from the beginning */
	uint64_t until_us;  /* UINT64_MAX: to the end */
	uint64_t last_us;   /* what-if: this long, up to the end of the evidence; 0 not said */
	char host[OC_IDENT_MAX + 1], realm[OC_IDENT_MAX + 1];
	bool has_app;
	uint32_t app_id;
	enum oev_step required;
	bool strict;
	struct oc_policy *policy; /* what-if: taken over, malloc()ed; likewise its document, word for word */
	char *policy_text;
	uint64_t number; /* of the job; set when it is added */
};

/* Frees what @task has taken over. */
void oweb_task_drop(struct oweb_task *task);

/* What came of it. Texts are malloc()ed or NULL. */
struct oweb_result {
	int exit;		      /* of the command line for the same */
	char line[OWEB_JOB_LINE_MAX]; /* verdict, or what went wrong */
	char *json;		      /* the object the command line gives */
	char *html;		      /* the audit's page */
};

struct oweb_jobs;

/* Starts the thread. OC_OK or OC_ENOMEM. */
int oweb_jobs_start(struct oweb_jobs **out);
/* Stops what runs, joins, frees. NULL is fine. */
void oweb_jobs_stop(struct oweb_jobs *jobs);

/* Takes *@task over in every case; the job's number from 1, or 0 when too many wait. Any thread, as are all below. */
uint64_t oweb_jobs_add(struct oweb_jobs *jobs, struct oweb_task *task);

/* Asks a job to stop: an administrator any, others those they began. */
enum oweb_job_end { OWEB_JOB_END_ASKED = 0, OWEB_JOB_END_UNKNOWN = 1, OWEB_JOB_END_OF_ANOTHER = 2 };
enum oweb_job_end oweb_jobs_end(struct oweb_jobs *jobs, uint64_t number, const struct oweb_who *who);

/* "doic.job/1" objects; NULL: no such job, or out of memory. @whole: with the result's own object. */
json_t *oweb_jobs_view(struct oweb_jobs *jobs, uint64_t number, bool whole);
json_t *oweb_jobs_list(struct oweb_jobs *jobs);

/* The page of an audit that is done, to be freed; NULL: none. */
char *oweb_jobs_page(struct oweb_jobs *jobs, uint64_t number, size_t *len);

/* The candidate of a what-if, to be freed; NULL: no such job, or of another kind. */
char *oweb_jobs_policy(struct oweb_jobs *jobs, uint64_t number, size_t *len);

#define OWEB_JOB_FILE_MAX 48u
/* "candidate-7.yaml": how the command line of job @number calls its candidate, and how it is downloaded. */
const char *oweb_job_file(uint64_t number, char buf[static OWEB_JOB_FILE_MAX]);

const char *oweb_job_kind_text(enum oweb_job_kind kind);    /* "verify" */
const char *oweb_job_state_text(enum oweb_job_state state); /* "done" */

/* oweb_job_run.c: does @task; calls back with how far it is, and asks whether to stop. */
struct oweb_job_watch {
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	bool (*stop)(void *ctx);
	void *ctx;
};
void oweb_job_run(const struct oweb_task *task, const struct oweb_job_watch *watch, struct oweb_result *out);

/* The command line that does the same; @size at least OWEB_JOB_LINE_MAX. */
void oweb_job_command(const struct oweb_task *task, char *out, size_t size);
