/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /api/v1/policy/versions and rollback: the documents that were in force, out of the evidence, and the way back to one of them, which is a new
 * version itself.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../oweb_evidence.h"
#include "../oweb_json.h"
#include "../oweb_resources.h"

#define ACT_US 60000000ull /* an act and the version it made are told at nearly the same time */

struct taking {
	json_t *rows;
	bool with_text;
	uint64_t from_us, until_us; /* of the rows */
};

static bool take(void *ctx, const struct oev_shelf_list_row *row)
{
	struct taking *taking = ctx;

	if (taking->from_us == 0 || row->wall_us < taking->from_us)
		taking->from_us = row->wall_us;
	if (row->wall_us > taking->until_us)
		taking->until_us = row->wall_us;
	json_t *object = oweb_view_row(OEV_SHELF_POLICIES, row);

	if (!taking->with_text)
		json_object_del(object, "text");
	json_object_set(object, "since", json_object_get(object, "time"));
	json_array_append_new(taking->rows, object);
	return true;
}

/* Who put a version in force, and why: the act that ends with it. */
static bool take_act(void *ctx, const struct oev_shelf_list_row *row)
{
	json_t *act = oweb_view_row(OEV_SHELF_ACTS, row), *policy;
	const char *after = json_string_value(json_object_get(act, "after"));
	size_t i;

	if (after != NULL && strncmp(after, "version ", 8) == 0)
		json_array_foreach(ctx, i, policy)
		{
			if (json_integer_value(json_object_get(policy, "version")) !=
				    strtoll(after + 8, NULL, 10) ||
			    strcmp(json_string_value(json_object_get(policy, "segment")), row->segment) != 0)
				continue;
			json_object_set(policy, "by", json_object_get(act, "who"));
			json_object_set(policy, "reason", json_object_get(act, "reason"));
		}
	json_decref(act);
	return true;
}

/* A page of them, newest first. */
static int read_versions(struct oweb_request *request, const struct oev_shelf_list_filter *filter,
			 struct taking *taking, struct oev_shelf_page *page,
			 char error[static OEV_SHELF_TEXT_MAX])
{
	const char *cursor = oweb_query_text(&request->query, "cursor");
	uint32_t limit = (uint32_t)oweb_query_number(&request->query, "limit", OWEB_PAGE_MAX);
	struct oev_shelf_page acts_page;

	int rc = oev_shelf_list(request->server->shelf, OEV_SHELF_POLICIES, filter,
				cursor != NULL ? cursor : "", limit, take, taking, page, error);
	const struct oev_shelf_list_filter acts = {
		.from_us = taking->from_us > ACT_US ? taking->from_us - ACT_US : 0,
		.until_us = taking->until_us + ACT_US,
	};
	if (rc == OC_OK && taking->until_us != 0)
		(void)oev_shelf_list(request->server->shelf, OEV_SHELF_ACTS, &acts, "", OEV_SHELF_LIMIT_MAX,
				     take_act, taking->rows, &acts_page, error);
	return rc;
}

void oweb_policy_versions_get(struct oweb_request *request)
{
	const struct oev_shelf_list_filter all = { 0 };
	struct taking taking = { .rows = json_array() };
	char error[OEV_SHELF_TEXT_MAX] = "";
	struct oev_shelf_page page = { 0 };

	if (oweb_has_shelf(request)) {
		int rc = read_versions(request, &all, &taking, &page, error);
		json_t *object = json_pack("{s:O}", "versions", taking.rows);
		oweb_put_page(object, &page);
		if (rc == OC_OK)
			oweb_reply_json(request, 200, json_incref(object));
		else
			oweb_shelf_problem(request, rc, error);
		json_decref(object);
	}
	json_decref(taking.rows);
}

/* Version @version with its text, the newest of that number; NULL: the reply says why not. */
static json_t *find(struct oweb_request *request, uint64_t version)
{
	const struct oev_shelf_list_filter one = { .has_number = true, .number = version };
	struct taking taking = { .rows = json_array(), .with_text = true };
	char error[OEV_SHELF_TEXT_MAX] = "";
	struct oev_shelf_page page = { 0 };

	int rc = read_versions(request, &one, &taking, &page, error);
	json_t *found = rc == OC_OK ? json_incref(json_array_get(taking.rows, 0)) : NULL;
	json_decref(taking.rows);
	if (rc != OC_OK)
		oweb_shelf_problem(request, rc, error);
	else if (found == NULL)
		oweb_problem(request, OWEB_P_NOT_FOUND, "the evidence here has no policy of that version");
	return found;
}

void oweb_policy_version_get(struct oweb_request *request)
{
	uint64_t version = oweb_decimal(oweb_request_part(request, "version"));

	if (!oweb_has_shelf(request))
		return;
	json_t *found = find(request, version);
	if (found != NULL)
		oweb_reply_json(request, 200, found);
}

void oweb_policy_rollback(struct oweb_request *request)
{
	json_int_t version = json_integer_value(json_object_get(request->json, "version"));

	if (request->node == NULL) {
		oweb_problem(request, OWEB_P_NOT_SERVED,
			     "this server shows a finished folder; no policy is in force");
		return;
	}
	if (!oweb_has_shelf(request))
		return;
	if (version < 1) {
		oweb_problem(request, OWEB_P_BAD_BODY, "the body is {\"version\": N, \"reason\": \"...\"}");
		oweb_problem_at(request, "pointer", "/version", "is missing, or no version");
		return;
	}
	json_t *found = find(request, (uint64_t)version);
	if (found == NULL)
		return;
	json_object_set(request->json, "text", json_object_get(found, "text"));
	json_decref(found);
	oweb_policy_put(request);
}
