/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /api/v1/sessions: sessions in evidence, by pseudonym; and the way from a Session-Id or a subscriber's identity to one, for those who may.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../evidence/shelf/oev_shelf_find.h"
#include "../oweb_evidence.h"
#include "../oweb_json.h"
#include "../oweb_resources.h"

static json_t *view(const struct oev_shelf_session *at)
{
	json_t *object = json_pack("{s:I, s:I}", "decisions", (json_int_t)at->decisions, "refused",
				   (json_int_t)at->refused);

	oweb_json_pseudonym(object, "session", at->session);
	oweb_json_pseudonym(object, "subscriber", at->subscriber);
	oweb_json_time(object, "first", at->first_us);
	oweb_json_time(object, "last", at->last_us);
	return object;
}

static bool take(void *ctx, const struct oev_shelf_session *row)
{
	json_array_append_new(ctx, view(row));
	return true;
}

/* 0: none, or no pseudonym (then the reply says so). */
static uint64_t pseudonym_of(struct oweb_request *request, const char *text)
{
	if (text == NULL)
		return 0;
	uint64_t number = oweb_decimal(text);
	if (number == 0)
		oweb_problem(request, OWEB_P_BAD_PARAMETER, "a pseudonym is a decimal number");
	return number;
}

static json_t *index_of(struct oweb_request *request)
{
	struct oev_shelf_find_state state;

	oev_shelf_find_state(request->server->shelf, &state);
	json_t *object = json_pack("{s:b, s:I, s:I}", "is_whole", state.is_whole, "decisions",
				   (json_int_t)state.decisions, "indexed", (json_int_t)state.indexed);
	if (state.trouble[0] != '\0')
		json_object_set_new(object, "trouble", json_string(state.trouble));
	return object;
}

void oweb_sessions_get(struct oweb_request *request)
{
	if (!oweb_has_shelf(request))
		return;
	const char *cursor = oweb_query_text(&request->query, "cursor");
	const struct oev_shelf_session_filter filter = {
		.subscriber = pseudonym_of(request, oweb_query_text(&request->query, "subscriber")),
		.from_us = oweb_query_number(&request->query, "from", 0),
		.until_us = oweb_query_number(&request->query, "until", 0),
	};
	if (request->reply.status != 0)
		return;
	char error[OEV_SHELF_TEXT_MAX] = "";
	struct oev_shelf_page page = { 0 };
	json_t *rows = json_array();
	int rc = oev_shelf_sessions(request->server->shelf, &filter, cursor != NULL ? cursor : "",
				    (uint32_t)oweb_query_number(&request->query, "limit", OWEB_PAGE_DEFAULT),
				    take, rows, &page, error);
	if (rc != OC_OK) {
		json_decref(rows);
		oweb_shelf_problem(request, rc, error);
		return;
	}
	json_t *object = json_pack("{s:o, s:o}", "sessions", rows, "index", index_of(request));
	oweb_put_page(object, &page);
	oweb_reply_json(request, 200, object);
}

static bool take_decision(void *ctx, const struct oev_shelf_retry *row)
{
	json_t *entry = json_pack("{s:s}", "verdict", oc_verdict_text(row->verdict));
	oweb_json_id(entry, row->run, row->id);
	oweb_json_time(entry, "time", row->wall_us);
	json_array_append_new(ctx, entry);
	return json_array_size(ctx) < OWEB_PAGE_MAX;
}

void oweb_session_one_get(struct oweb_request *request)
{
	if (!oweb_has_shelf(request))
		return;
	uint64_t session = pseudonym_of(request, oweb_request_part(request, "session"));
	struct oev_shelf_session found;
	char error[OEV_SHELF_TEXT_MAX] = "";
	bool is_whole = false;

	if (session == 0)
		return;
	int rc = oev_shelf_session(request->server->shelf, session, &found, error);
	if (rc == OC_ENOENT)
		oweb_problem(request, OWEB_P_NOT_FOUND, "no decision of such a session is indexed");
	else if (rc != OC_OK)
		oweb_shelf_problem(request, rc, error);
	if (rc != OC_OK)
		return;
	json_t *rows = json_array();
	rc = oev_shelf_of_session(request->server->shelf, session, take_decision, rows, &is_whole, error);
	if (rc != OC_OK) {
		json_decref(rows);
		oweb_shelf_problem(request, rc, error);
		return;
	}
	json_t *object = view(&found);
	json_object_set_new(object, "decisions_listed", rows);
	json_object_set_new(object, "is_whole", json_boolean(is_whole));
	json_object_set_new(object, "index", index_of(request));
	oweb_reply_json(request, 200, object);
}

/* Beside the folder, where the agent keeps it. */
static void key_path(const struct oweb_request *request, char *out, size_t size)
{
	const struct oweb_conf *conf = &request->server->conf;

	if (conf->key_path[0] != '\0')
		snprintf(out, size, "%s", conf->key_path);
	else
		snprintf(out, size, "%s.key", conf->folder);
}

void oweb_session_find(struct oweb_request *request)
{
	const char *kind = json_string_value(json_object_get(request->json, "kind"));
	const char *text = json_string_value(json_object_get(request->json, "text"));
	char path[OWEB_PATH_MAX + 8], error[OEV_SHELF_TEXT_MAX] = "";
	struct oweb_actor by = { .reason = "" };
	uint64_t pseudonym = 0;

	if (!oweb_has_shelf(request))
		return;
	if (kind == NULL || text == NULL || text[0] == '\0' ||
	    (strcmp(kind, "session_id") != 0 && strcmp(kind, "subscriber_text") != 0)) {
		oweb_problem(
			request, OWEB_P_BAD_BODY,
			"the body is {\"kind\": \"session_id\" or \"subscriber_text\", \"text\": \"...\"}");
		return;
	}
	key_path(request, path, sizeof(path));
	int rc = oev_shelf_pseudonym(path, text, &pseudonym, error);
	if (rc != OC_OK) {
		oweb_problem(request, OWEB_P_UNAVAILABLE, "%s", error);
		oweb_problem_try(request,
				 "Pseudonyms need the node's key; `doic reveal` with --key does the same.");
		return;
	}
	/* Who looked somebody up is a row; whom is not, for that would undo the pseudonym. */
	snprintf(by.who, sizeof(by.who), "%s", request->who.name);
	if (request->node != NULL)
		request->node->act(request->node->ctx, "unlock", kind, &by);
	json_t *object = json_object();
	oweb_json_pseudonym(object, strcmp(kind, "session_id") == 0 ? "session" : "subscriber", pseudonym);
	oweb_reply_json(request, 200, object);
}
