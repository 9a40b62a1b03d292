/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /api/v1/policy/check and whatif: a candidate held against the rules, against the document in force, and against the traffic of the last
 * hour. Nothing changes.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../evidence/conf/oev_conf_errors.h"
#include "../oweb_diff.h"
#include "../oweb_inner.h"
#include "../oweb_resources.h"

#define WINDOW_DEFAULT_S 3600u
#define WINDOW_MAX_S 86400u

/* The candidate of the body; NULL: the reply says what is wrong. */
static json_t *candidate(struct oweb_request *request)
{
	json_t *text = json_object_get(request->json, "text");

	if (json_is_string(text))
		return text;
	oweb_problem(request, OWEB_P_BAD_BODY, "the body is {\"text\": \"...\"}");
	oweb_problem_at(request, "pointer", "/text", "is missing, or no text");
	return NULL;
}

/* What differs from the document in force; null when there is none. */
static json_t *diff_of(struct oweb_request *request, const char *text)
{
	uint32_t version;
	uint64_t since_us;
	char *now = request->node != NULL
			    ? request->node->policy_text(request->node->ctx, &version, &since_us)
			    : NULL;
	json_t *diff = now != NULL ? oweb_diff(now, text) : NULL;

	free(now);
	return diff != NULL ? diff : json_null();
}

void oweb_policy_check(struct oweb_request *request)
{
	json_t *text = candidate(request);

	if (text == NULL)
		return;
	struct oev_conf_errors *errors =
		oev_conf_policy_mistakes(json_string_value(text), json_string_length(text), "policy.yaml");
	if (errors == NULL) {
		oweb_problem(request, OWEB_P_INTERNAL, "out of memory");
		return;
	}
	json_t *found = oev_conf_errors_json(errors);
	json_object_set_new(found, "diff", diff_of(request, json_string_value(text)));
	oweb_reply_json(request, 200, found);
	free(errors);
}

static bool take_window(struct oweb_request *request, struct oweb_task *task)
{
	json_t *window = json_object_get(request->json, "window_seconds");
	json_int_t seconds = window != NULL ? json_integer_value(window) : WINDOW_DEFAULT_S;

	if (seconds < 1 || seconds > WINDOW_MAX_S) {
		oweb_problem(request, OWEB_P_BAD_BODY, "the window cannot be used");
		oweb_problem_at(request, "pointer", "/window_seconds", "is no number from 1 to 86400");
		return false;
	}
	task->last_us = (uint64_t)seconds * 1000000u;
	return true;
}

void oweb_policy_whatif(struct oweb_request *request)
{
	json_t *text = candidate(request);
	struct oweb_task task = { .kind = OWEB_JOB_WHATIF, .until_us = UINT64_MAX };
	char error[OEV_CONF_ERROR_MAX] = "";

	if (text == NULL || !take_window(request, &task))
		return;
	task.policy = calloc(1, sizeof(*task.policy));
	task.policy_text = strdup(json_string_value(text));
	if (task.policy == NULL || task.policy_text == NULL) {
		oweb_task_drop(&task);
		oweb_problem(request, OWEB_P_INTERNAL, "out of memory");
	} else if (oev_conf_policy_parse(json_string_value(text), json_string_length(text), "policy.yaml",
					 task.policy, error) != OC_OK) {
		oweb_task_drop(&task);
		oweb_problem(request, OWEB_P_REFUSED, "%s", error);
		oweb_problem_at(request, "pointer", "/text", error);
	} else
		(void)oweb_job_begin(request, &task);
}
