/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /api/v1/policy: the document in force, another in its place, reading its file again. Its ETag is version and hash, so nobody
 * overwrites what they have not seen.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../evidence/conf/oev_conf_errors.h"
#include "../oweb_inner.h"
#include "../oweb_resources.h"

struct document {
	char *text;
	uint32_t version;
	uint64_t since_us;
	char sha256[OEV_HASH_HEX];
	char etag[OWEB_ETAG_MAX];
};

static void name_document(struct document *document)
{
	struct oev_hash hash;

	oev_hash_of(document->text, strlen(document->text), &hash);
	oev_hash_hex(&hash, document->sha256);
	snprintf(document->etag, sizeof(document->etag), "\"%" PRIu32 "-%.16s\"", document->version,
		 document->sha256);
}

/* False: the reply is filled. The text is for the caller to free(). */
static bool read_document(struct oweb_request *request, struct document *out)
{
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
	name_document(out);
	return true;
}

/* What a document may be in force with, and hardly is meant to be. */
static json_t *warnings_of(const char *text)
{
	struct oev_conf_errors *errors = oev_conf_policy_mistakes(text, strlen(text), "policy.yaml");
	json_t *found = errors != NULL ? oev_conf_errors_json(errors) : NULL;
	json_t *warnings = json_incref(json_object_get(found, "warnings"));

	json_decref(found);
	free(errors);
	return warnings != NULL ? warnings : json_array();
}

/* Whether a restart keeps @document, and what else there is to say of it. */
static void add_note(struct oweb_request *request, const struct document *document, json_t *object)
{
	char note[128] =
		"the policy's file still has the document before: a reload or a restart of the agent "
		"returns to that";
	struct oweb_facts facts;

	request->node->facts(request->node->ctx, &facts);
	bool is_replaced = facts.policy_version != document->version;
	json_object_set_new(object, "is_in_file", json_boolean(!is_replaced && !facts.policy_file_is_older));
	if (is_replaced)
		snprintf(note, sizeof(note), "version %" PRIu32 " took its place meanwhile",
			 facts.policy_version);
	if (is_replaced || facts.policy_file_is_older)
		json_object_set_new(object, "note", json_string(note));
}

static void reply_document(struct oweb_request *request, const struct document *document)
{
	json_t *object =
		json_pack("{s:I, s:s, s:s, s:o}", "version", (json_int_t)document->version, "sha256",
			  document->sha256, "text", document->text, "warnings", warnings_of(document->text));

	oweb_json_time(object, "since", document->since_us);
	add_note(request, document, object);
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

/* The document that was put in force as @version, which need not be in force any more: somebody else may have put another in its place. */
static void reply_written(struct oweb_request *request, const char *text, uint32_t version)
{
	struct document now, written = { .text = (char *)(uintptr_t)text, .version = version };

	if (!read_document(request, &now))
		return;
	written.since_us = now.version == version ? now.since_us : oweb_request_wall_us(request);
	name_document(&written);
	reply_document(request, &written);
	free(now.text);
}

/* Why an order about the document was not done. */
static void refuse(struct oweb_request *request, enum oweb_done done, const char *error)
{
	switch (done) {
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
	if (done == OWEB_DONE)
		reply_written(request, json_string_value(text), now->version + 1);
	else
		refuse(request, done, error);
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
	struct document document;
	char error[OWEB_ERROR_MAX] = "";
	struct oweb_actor by;

	if (request->node == NULL) {
		oweb_problem(request, OWEB_P_NOT_SERVED,
			     "this server shows a finished folder; no policy is in force");
		return;
	}
	if (!oweb_request_actor(request, true, &by))
		return;
	enum oweb_done done = request->node->policy_reload(request->node->ctx, &by, error);
	if (done != OWEB_DONE)
		refuse(request, done, error);
	else if (read_document(request, &document)) {
		reply_document(request, &document);
		free(document.text);
	}
}
