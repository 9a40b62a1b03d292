/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A revelation as one JSON object, or as one line for each identity; the same keys for every outcome.
 */
#include <jansson.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../oev_time.h"
#include "oev_reveal.h"

/* What is no UTF-8 becomes '?': identities come from networks. */
static json_t *text_or_null(const char *text)
{
	char safe[OEV_REVEAL_ERROR_MAX];
	size_t len = 0;

	if (text == NULL || text[0] == '\0')
		return json_null();
	json_t *value = json_string(text);
	if (value != NULL)
		return value;
	for (; text[len] != '\0' && len + 1 < sizeof(safe); len++)
		safe[len] = text[len] >= ' ' && text[len] <= '~' ? text[len] : '?';
	safe[len] = '\0';
	return json_string(safe);
}

static json_t *integer(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static json_t *spot_json(const struct oev_reveal *reveal, const struct oev_trace *trace,
			 const struct oev_spot *spot)
{
	char at[OEV_TIME_TEXT_MAX];

	if (trace->decisions == 0)
		return json_null();
	oev_time_text(spot->wall_us, at);
	return json_pack("{s:s, s:o, s:o}", "time", at, "segment",
			 text_or_null(reveal->segments[spot->segment].name), "decision",
			 integer(spot->decision));
}

/* What decisions of a subscriber or session there are. */
static json_t *trace_json(const struct oev_reveal *reveal, const struct oev_trace *trace)
{
	return json_pack("{s:s, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "kind",
			 oc_identity_kind_text(trace->kind), "pseudonym", integer(trace->pseudonym),
			 "in_table", trace->in_table, "decisions", integer(trace->decisions), "forwarded",
			 integer(trace->decisions - trace->diverted - trace->refused), "diverted",
			 integer(trace->diverted), "refused", integer(trace->refused), "first",
			 spot_json(reveal, trace, &trace->first), "last",
			 spot_json(reveal, trace, &trace->last));
}

static json_t *sessions_json(const struct oev_reveal *reveal, const struct oev_trace *trace)
{
	json_t *list = json_array();

	for (uint32_t at = trace->sessions; at != OEV_TRACE_NONE; at = reveal->sessions.items[at].next) {
		const struct oev_trace *session = &reveal->sessions.items[at];
		json_t *one = trace_json(reveal, session);
		json_object_set_new(one, "identity", text_or_null(session->text));
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *found_json(const struct oev_reveal *reveal, const struct oev_identity *identity)
{
	json_t *list = json_array();

	for (uint32_t at = identity->traces; at != OEV_TRACE_NONE; at = reveal->traces.items[at].next) {
		const struct oev_trace *trace = &reveal->traces.items[at];
		json_t *one = trace_json(reveal, trace);
		json_object_set_new(one, "session_count", integer(trace->session_count));
		json_object_set_new(one, "more_sessions", json_boolean(trace->has_more));
		json_object_set_new(one, "sessions", sessions_json(reveal, trace));
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *identity_json(const struct oev_reveal *reveal, const struct oev_identity *identity)
{
	return json_pack("{s:o, s:s, s:o}", "identity", text_or_null(identity->text), "outcome",
			 oev_reveal_text(oev_reveal_of(reveal, identity)), "traces",
			 found_json(reveal, identity));
}

static json_t *answer_json(const struct oev_reveal *reveal, const struct oev_reveal_answer *answer)
{
	bool is_known = answer->text != NULL;

	return json_pack("{s:o, s:s, s:o, s:o, s:b}", "pseudonym", integer(answer->pseudonym), "outcome",
			 oev_reveal_text(oev_reveal_of_answer(reveal, answer)), "identity",
			 text_or_null(answer->text), "kind",
			 is_known ? json_string(oc_identity_kind_text(answer->kind)) : json_null(),
			 "in_table", answer->in_table);
}

static json_t *key_json(const struct oev_reveal *reveal)
{
	static const char *const words[] = { [OEV_REVEAL_KEY_NONE] = "none",
					     [OEV_REVEAL_KEY_UNKNOWN] = "unknown",
					     [OEV_REVEAL_KEY_SAME] = "same",
					     [OEV_REVEAL_KEY_FOREIGN] = "foreign" };

	return json_pack("{s:o, s:s, s:o, s:o}", "path", text_or_null(reveal->key_path), "is",
			 words[reveal->key], "fingerprint", text_or_null(reveal->key_print),
			 "folder_fingerprint", text_or_null(reveal->folder_print));
}

static json_t *segments_json(const struct oev_reveal *reveal)
{
	json_t *list = json_array();

	for (size_t i = 0; i < reveal->segment_count; i++) {
		const struct oev_reveal_segment *segment = &reveal->segments[i];
		json_array_append_new(list,
				      json_pack("{s:o, s:o, s:o, s:o}", "name", text_or_null(segment->name),
						"decisions", integer(segment->decisions), "identities",
						integer(segment->identities), "not_read",
						text_or_null(segment->why)));
	}
	return list;
}

/* Everything but the identities. */
static json_t *head_json(const struct oev_reveal *reveal, const char *tool)
{
	return json_pack("{s:s, s:s, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "schema", "doic.reveal/1",
			 "tool", tool, "outcome", oev_reveal_text(reveal->outcome), "exit",
			 oev_reveal_exit(reveal->outcome), "error", text_or_null(reveal->error), "path",
			 text_or_null(reveal->options.path), "key", key_json(reveal), "segments",
			 segments_json(reveal), "decisions_read", integer(reveal->decisions), "candidates",
			 integer(reveal->candidates), "lost_events", integer(reveal->gap_events));
}

/* Writes and frees @root. */
static int put(json_t *root, size_t flags, FILE *out)
{
	int rc = root != NULL ? OC_OK : OC_ENOMEM;

	if (rc == OC_OK && (json_dumpf(root, out, flags) != 0 || fputc('\n', out) == EOF))
		rc = OC_EIO;
	json_decref(root);
	return rc;
}

/* One item of a list in the middle of an object that is written piece by piece: lists may be long. */
static int put_item(json_t *item, size_t place, FILE *out)
{
	int rc = item != NULL ? OC_OK : OC_ENOMEM;

	if (rc == OC_OK &&
	    (fputs(place > 0 ? ",\n  " : "\n  ", out) == EOF || json_dumpf(item, out, JSON_COMPACT) != 0))
		rc = OC_EIO;
	json_decref(item);
	return rc;
}

int oev_reveal_json(const struct oev_reveal *reveal, const char *tool, FILE *out)
{
	json_t *head = head_json(reveal, tool);
	int rc = head != NULL ? OC_OK : OC_ENOMEM;

	fputc('{', out);
	if (rc == OC_OK && json_dumpf(head, out, JSON_INDENT(1) | JSON_EMBED) != 0)
		rc = OC_EIO;
	json_decref(head);
	fputs(",\n \"identities\": [", out);
	for (uint32_t i = 0; rc == OC_OK && i < reveal->asked.count; i++)
		rc = put_item(identity_json(reveal, &reveal->asked.items[i]), i, out);
	fputs("],\n \"pseudonyms\": [", out);
	for (size_t i = 0; rc == OC_OK && i < reveal->answer_count; i++)
		rc = put_item(answer_json(reveal, &reveal->answers[i]), i, out);
	fputs("]\n}\n", out);
	return rc == OC_OK && ferror(out) ? OC_EIO : rc;
}

int oev_reveal_ndjson(const struct oev_reveal *reveal, const char *tool, FILE *out)
{
	json_t *end = head_json(reveal, tool);
	int rc = OC_OK;

	for (uint32_t i = 0; rc == OC_OK && i < reveal->asked.count; i++)
		rc = put(identity_json(reveal, &reveal->asked.items[i]), JSON_COMPACT, out);
	for (size_t i = 0; rc == OC_OK && i < reveal->answer_count; i++)
		rc = put(answer_json(reveal, &reveal->answers[i]), JSON_COMPACT, out);
	if (rc != OC_OK) {
		json_decref(end);
		return rc;
	}
	json_object_set_new(end, "end", json_true());
	json_object_set_new(end, "rows", integer(reveal->asked.count + reveal->answer_count));
	return put(end, JSON_COMPACT, out);
}
