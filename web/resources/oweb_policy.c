/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /api/v1/policy: the document in force, another in its place, reading its file again. Its ETag is version and hash, so nobody
 * overwrites what they have not seen.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../oweb_inner.h"
#include "../oweb_resources.h"

struct document {
	char *text;
	uint32_t version;
	uint64_t since_us;
	char sha256[OEV_HASH_HEX];
	char etag[OWEB_ETAG_MAX];
};

/* False: the reply is filled. The text is for the caller to free(). */
static bool read_document(struct oweb_request *request, struct document *out)
{
	struct oev_hash hash;

	*out = (struct document){ 0 };
	if (request->node == NULL) {
		oweb_problem(request, OWEB_P_NOT_SERVED,
			     "this server shows a finished folder; no policy is in force");
		return false;
	}
	out->text = request->node->policy_text(request->node->ctx, &out->version, &out->since_us);
	if (out->text == NULL) {
		oweb_problem(request, OWEB_P_INTERNAL, "out of memory");
		return false;
	}
	oev_hash_of(out->text, strlen(out->text), &hash);
	oev_hash_hex(&hash, out->sha256);
	snprintf(out->etag, sizeof(out->etag), "\"%" PRIu32 "-%.16s\"", out->version, out->sha256);
	return true;
}

static void reply_document(struct oweb_request *request, const struct document *document)
{
	struct oweb_facts facts;
	json_t *object = json_pack("{s:I, s:s, s:s}", "version", (json_int_t)document->version, "sha256",
				   document->sha256, "text", document->text);

	oweb_json_time(object, "since", document->since_us);
	request->node->facts(request->node->ctx, &facts);
	json_object_set_new(object, "is_in_file", json_boolean(!facts.policy_file_is_older));
	if (facts.policy_file_is_older)
		json_object_set_new(
			object, "note",
			json_string("the policy's file still has the document before: a reload or a "
				    "restart of the agent returns to that"));
	oweb_reply_json(request, 200, object);
	oweb_reply_etag(request, document->etag);
}

void oweb_policy_get(struct oweb_request *request)
{
	struct document document;

	if (!read_document(request, &document))
		return;
	if (oweb_request_accepts(request, "application/yaml")) {
		oweb_reply_text(request, 200, "application/yaml", document.text, strlen(document.text));
		oweb_reply_etag(request, document.etag);
		document.text = NULL;
	} else
		reply_document(request, &document);
	free(document.text);
}

/* Line and column of "policy.yaml:41:11: ..." beside the sentence, for an editor. */
static void add_place(struct oweb_request *request, const char *error)
{
	json_t *entry = json_array_get(json_object_get(request->reply.problem, "errors"), 0);

	for (const char *at = strchr(error, ':'); at != NULL; at = strchr(at + 1, ':')) {
		char *middle = NULL, *end = NULL;
		unsigned long line = strtoul(at + 1, &middle, 10);
		if (line == 0 || middle == NULL || *middle != ':')
			continue;
		unsigned long column = strtoul(middle + 1, &end, 10);
		if (end == middle + 1)
			continue;
		json_object_set_new(entry, "line", json_integer((json_int_t)line));
		json_object_set_new(entry, "column", json_integer((json_int_t)column));
		return;
	}
}

/* What came of an order about the document; when it was done, the document as it is now. */
static void conclude(struct oweb_request *request, enum oweb_done done, const char *error)
{
	struct document document;

	switch (done) {
	case OWEB_DONE:
		if (read_document(request, &document))
			reply_document(request, &document);
		free(document.text);
		return;
	case OWEB_REFUSED:
		oweb_problem(request, OWEB_P_REFUSED, "%s; the old policy is still in force", error);
		oweb_problem_at(request, "pointer", "/text", error);
		add_place(request, error);
		return;
	case OWEB_CONFLICT:
		oweb_problem(request, OWEB_P_CHANGED, "%s", error);
		return;
	case OWEB_NOT_FOUND:
		oweb_problem(request, OWEB_P_NOT_FOUND, "%s", error);
		return;
	default:
		oweb_problem(request, OWEB_P_INTERNAL, "%s; the old policy is still in force", error);
	}
}

static void apply(struct oweb_request *request, const struct document *now)
{
	json_t *text = json_object_get(request->json, "text");
	char error[OWEB_ERROR_MAX] = "";
	struct oweb_actor by;

	if (!oweb_request_matches(request, now->etag) || !oweb_request_actor(request, true, &by))
		return;
	if (!json_is_string(text)) {
		oweb_problem(request, OWEB_P_BAD_BODY,
			     "the body is {\"text\": \"...\", \"reason\": \"...\"}");
		oweb_problem_at(request, "pointer", "/text", "is missing, or no text");
		return;
	}
	enum oweb_done done = request->node->policy_apply(request->node->ctx, json_string_value(text),
							  json_string_length(text), now->version, &by, error);
	conclude(request, done, error);
}

void oweb_policy_put(struct oweb_request *request)
{
	struct document now;

	if (read_document(request, &now))
		apply(request, &now);
	free(now.text);
}

void oweb_policy_reload(struct oweb_request *request)
{
	char error[OWEB_ERROR_MAX] = "";
	struct oweb_actor by;

	if (request->node == NULL) {
		oweb_problem(request, OWEB_P_NOT_SERVED,
			     "this server shows a finished folder; no policy is in force");
		return;
	}
	if (oweb_request_actor(request, false, &by))
		conclude(request, request->node->policy_reload(request->node->ctx, &by, error), error);
}
