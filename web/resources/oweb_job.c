/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /api/v1/jobs, and what begins them: verification and audit of the evidence.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../evidence/app/oev_app.h"
#include "../../evidence/audit/oev_audit.h"
#include "../../evidence/oev_time.h"
#include "../oweb_inner.h"
#include "../oweb_json.h"
#include "../oweb_resources.h"

/* The texts a body may have; others are refused. */
static bool has_only(struct oweb_request *request, const char *const *names)
{
	const char *key;
	json_t *value;

	json_object_foreach(request->json, key, value)
	{
		const char *const *name = names;
		char where[80];
		while (*name != NULL && strcmp(*name, key) != 0)
			name++;
		if (*name != NULL)
			continue;
		snprintf(where, sizeof(where), "/%.60s", key);
		oweb_problem(request, OWEB_P_BAD_BODY, "the body has a key that is not known here");
		oweb_problem_at(request, "pointer", where, "is not known here");
		return false;
	}
	return true;
}

/* NULL: absent, or (then the reply says so) no text of at most @max octets. */
static const char *text_of(struct oweb_request *request, const char *name, size_t max)
{
	json_t *value = json_object_get(request->json, name);
	char where[40];

	if (value == NULL || (json_is_string(value) && json_string_length(value) <= max))
		return value != NULL ? json_string_value(value) : NULL;
	snprintf(where, sizeof(where), "/%s", name);
	oweb_problem(request, OWEB_P_BAD_BODY, "a value of the body cannot be used");
	oweb_problem_at(request, "pointer", where, "is not a text, or too long");
	return NULL;
}

static bool is_filled(const struct oweb_request *request)
{
	return request->reply.status != 0;
}

static void take_time(struct oweb_request *request, const char *name, uint64_t *out)
{
	const char *text = text_of(request, name, 64);
	char where[40];

	if (text == NULL || oev_time_parse(text, oweb_request_wall_us(request), out) == OC_OK)
		return;
	snprintf(where, sizeof(where), "/%s", name);
	oweb_problem(request, OWEB_P_BAD_BODY, "a time of the body cannot be read");
	oweb_problem_at(request, "pointer", where, "is not a time: RFC 3339, \"14:00\", \"-10m\" or \"now\"");
}

static void take_app(struct oweb_request *request, struct oweb_task *task)
{
	const char *text = text_of(request, "app", 16);

	if (text == NULL)
		return;
	task->has_app = oev_app_parse(text, &task->app_id) == OC_OK;
	if (task->has_app)
		return;
	oweb_problem(request, OWEB_P_BAD_BODY, "the application is not known");
	oweb_problem_at(request, "pointer", "/app",
			"is no Application-ID, nor one of gx, rx, gy, s6a, cx, swx, gxx, s9");
}

static void take_step(struct oweb_request *request, struct oweb_task *task)
{
	const char *text = text_of(request, "require", 16);

	task->required = OEV_STEP_ARRIVED;
	for (int step = 0; text != NULL && step < OEV_STEP_COUNT; step++)
		if (strcmp(text, oev_step_text((enum oev_step)step)) == 0) {
			task->required = (enum oev_step)step;
			return;
		}
	if (text == NULL)
		return;
	oweb_problem(request, OWEB_P_BAD_BODY, "the step is not known");
	oweb_problem_at(request, "pointer", "/require", "is none of asked, held, selected, arrived, useful");
}

bool oweb_job_begin(struct oweb_request *request, struct oweb_task *task)
{
	char location[64];

	if (request->server->conf.folder[0] == '\0') {
		oweb_task_drop(task);
		oweb_problem(request, OWEB_P_NOT_SERVED,
			     "nothing is recorded here: there is no evidence folder");
		return false;
	}
	task->folder = request->server->conf.folder;
	task->key = request->server->conf.public_key;
	snprintf(task->who, sizeof(task->who), "%s", request->who.name);
	uint64_t number = oweb_jobs_add(request->server->jobs, task);
	json_t *view = number != 0 ? oweb_jobs_view(request->server->jobs, number, false) : NULL;
	if (view == NULL) {
		oweb_problem(request, OWEB_P_TOO_MANY, "too many jobs wait already");
		oweb_reply_header(request, "Retry-After", "30");
		return false;
	}
	oweb_reply_json(request, 202, view);
	snprintf(location, sizeof(location), "/api/v1/jobs/%" PRIu64, number);
	oweb_reply_header(request, "Location", location);
	return true;
}

void oweb_verify_post(struct oweb_request *request)
{
	static const char *const names[] = { NULL };
	struct oweb_task task = { .kind = OWEB_JOB_VERIFY, .until_us = UINT64_MAX };

	if (has_only(request, names))
		(void)oweb_job_begin(request, &task);
}

void oweb_audit_post(struct oweb_request *request)
{
	static const char *const names[] = { "since", "until",	 "host",   "realm",
					     "app",   "require", "strict", NULL };
	struct oweb_task task = { .kind = OWEB_JOB_AUDIT, .until_us = UINT64_MAX };

	if (!has_only(request, names))
		return;
	const char *host = text_of(request, "host", OC_IDENT_MAX),
		   *realm = text_of(request, "realm", OC_IDENT_MAX);
	take_time(request, "since", &task.since_us);
	take_time(request, "until", &task.until_us);
	take_app(request, &task);
	take_step(request, &task);
	task.strict = json_is_true(json_object_get(request->json, "strict"));
	if (is_filled(request))
		return;
	snprintf(task.host, sizeof(task.host), "%s", host != NULL ? host : "");
	snprintf(task.realm, sizeof(task.realm), "%s", realm != NULL ? realm : "");
	(void)oweb_job_begin(request, &task);
}

static uint64_t number_of(struct oweb_request *request)
{
	return oweb_decimal(oweb_request_part(request, "job"));
}

static void no_such_job(struct oweb_request *request)
{
	oweb_problem(request, OWEB_P_NOT_FOUND, "there is no such job; the last %u are kept", OWEB_JOBS_KEPT);
}

void oweb_jobs_get(struct oweb_request *request)
{
	oweb_reply_json(request, 200, json_pack("{s:o}", "jobs", oweb_jobs_list(request->server->jobs)));
}

void oweb_job_get(struct oweb_request *request)
{
	json_t *view = oweb_jobs_view(request->server->jobs, number_of(request), true);

	if (view != NULL)
		oweb_reply_json(request, 200, view);
	else
		no_such_job(request);
}

void oweb_job_delete(struct oweb_request *request)
{
	uint64_t number = number_of(request);

	switch (oweb_jobs_end(request->server->jobs, number, &request->who)) {
	case OWEB_JOB_END_ASKED:
		oweb_reply_json(request, 200, oweb_jobs_view(request->server->jobs, number, false));
		return;
	case OWEB_JOB_END_OF_ANOTHER:
		oweb_problem(request, OWEB_P_NEEDS_ROLE,
			     "somebody else began this job: stopping it needs role administrator");
		return;
	case OWEB_JOB_END_UNKNOWN:
		no_such_job(request);
	}
}

void oweb_job_policy_get(struct oweb_request *request)
{
	uint64_t number = number_of(request);
	char file[OWEB_JOB_FILE_MAX], disposition[OWEB_JOB_FILE_MAX + 32];
	size_t len = 0;
	char *text = oweb_jobs_policy(request->server->jobs, number, &len);

	if (text == NULL) {
		oweb_problem(request, OWEB_P_NOT_FOUND,
			     "there is no candidate: no such job, or it tries no policy");
		return;
	}
	oweb_reply_text(request, 200, "application/yaml", text, len);
	snprintf(disposition, sizeof(disposition), "attachment; filename=\"%s\"",
		 oweb_job_file(number, file));
	oweb_reply_header(request, "Content-Disposition", disposition);
}

void oweb_job_page_get(struct oweb_request *request)
{
	size_t len = 0;
	char *page = oweb_jobs_page(request->server->jobs, number_of(request), &len);

	if (page == NULL) {
		oweb_problem(request, OWEB_P_NOT_FOUND,
			     "there is no page: no such job, no audit, or not done");
		return;
	}
	oweb_reply_text(request, 200, "text/html; charset=utf-8", page, len);
	request->reply.is_report = true;
}
