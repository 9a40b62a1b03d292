/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The import as one JSON object, "doic.import/1": the same keys on every outcome.
 */
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../app/oev_app.h"
#include "../oev_time.h"
#include "cli_import.h"

static json_t *number(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static json_t *text(const char *value)
{
	json_t *made = value != NULL ? json_string(value) : json_null();

	return made != NULL ? made : json_string("(not UTF-8)");
}

static json_t *time_value(uint64_t time_ns)
{
	char at[OEV_TIME_TEXT_MAX];

	if (time_ns == 0)
		return json_null();
	oev_time_text(time_ns / 1000, at);
	return json_string(at);
}

static json_t *name(const struct oev_capture *capture, uint32_t id)
{
	return id != OC_NAME_NONE ? text(oc_names_text(capture->names, id)) : json_null();
}

/* Unsigned 64 bits as text: JSON numbers of this size are not exact everywhere. */
static json_t *wide(uint64_t value, bool is_hex)
{
	char digits[32];

	if (is_hex)
		snprintf(digits, sizeof(digits), "0x%" PRIx64, value);
	else
		snprintf(digits, sizeof(digits), "%" PRIu64, value);
	return json_string(digits);
}

static json_t *results_json(const struct oev_count_row *row)
{
	static const char *const keys[] = { "none", "1xxx", "2xxx", "3xxx", "4xxx",
					    "5xxx", "6xxx", "7xxx", "8xxx", "9xxx" };
	json_t *object = json_object();

	for (unsigned i = 0; i < 10; i++)
		if (row->result[i] > 0 || i == 2)
			json_object_set_new(object, keys[i], number(row->result[i]));
	return object;
}

static json_t *rows_json(const struct oev_capture_count *count)
{
	json_t *list = json_array();
	char app[16];

	for (uint32_t i = 0; i < count->row_count; i++) {
		const struct oev_count_row *row = &count->row[i];
		json_array_append_new(
			list, json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
					"application_id", number(row->app_id), "application",
					row->app_id == 0 ? "base" : oev_app_text(row->app_id, app), "command",
					number(row->command), "requests", number(row->requests), "answers",
					number(row->answers), "unanswered", number(row->unanswered),
					"unpaired", number(row->unpaired), "sent_again", number(row->again),
					"with_features", number(row->with_doic), "with_report",
					number(row->with_report), "results", results_json(row)));
	}
	return list;
}

static json_t *nodes_json(const struct oev_capture *capture)
{
	json_t *list = json_array();
	uint32_t count = 0;
	const struct oev_node *nodes =
		capture->model != NULL ? oev_capture_model_nodes(capture->model, &count) : NULL;

	for (uint32_t i = 0; i < count; i++) {
		const struct oev_node *node = &nodes[i];
		json_array_append_new(list,
				      json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o, "
						"s:o, s:o, s:o}, s:o}",
						"node", name(capture, node->name), "requests",
						number(node->requests), "sent_again", number(node->again),
						"answers", number(node->answers), "unanswered",
						number(node->unanswered), "unpaired", number(node->unpaired),
						"with_features", number(node->with_doic), "vector",
						node->with_doic > 0 ? wide(node->vectors, true) : json_null(),
						"receptions", number(node->receptions), "reports", "new",
						number(node->reports[OC_INTAKE_NEW]), "updated",
						number(node->reports[OC_INTAKE_UPDATED]), "stale",
						number(node->reports[OC_INTAKE_STALE]), "repeated",
						number(node->reports[OC_INTAKE_REPEATED]), "refused",
						number(node->reports[OC_INTAKE_REFUSED]), "versions",
						number(node->versions)));
	}
	return list;
}

static json_t *state_json(const struct oev_capture *capture, const struct oev_state *state)
{
	const struct oc_event_ocs_version *version = &state->version;
	bool is_rate = version->algorithm == OC_ALGO_RATE;
	uint32_t count;
	const struct oev_node *nodes = oev_capture_model_nodes(capture->model, &count);
	json_t *object = json_pack(
		"{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o}", "node",
		name(capture, nodes[state->node].name), "version", number(version->version), "type",
		oc_report_type_text(version->type), "subject", name(capture, version->subject), "origin",
		name(capture, version->origin), "application_id", number(version->app_id), "sequence",
		wide(version->sequence, false), "algorithm", oc_algo_text(version->algorithm),
		"reduction_pct", is_rate ? json_null() : number(version->reduction_pct), "rate_rps",
		is_rate ? number(version->rate_rps) : json_null(), "validity_s", number(version->validity_s));

	json_object_set_new(object, "frame", number(state->frame));
	json_object_set_new(object, "from", time_value(state->from_ns));
	json_object_set_new(object, "until", time_value(state->until_ns));
	json_object_set_new(object, "how",
			    text(state->how == OC_END_SHUTDOWN ? "open" : oc_ocs_end_text(state->how)));
	json_object_set_new(object, "requests_before", number(state->before));
	json_object_set_new(object, "before_seconds", number(state->before_s));
	json_object_set_new(object, "requests_during", number(state->during));
	json_object_set_new(object, "during_seconds",
			    json_real((double)(state->until_ns - state->from_ns) / 1e9));
	json_object_set_new(object, "requests_after", number(state->after));
	json_object_set_new(object, "after_seconds", json_real((double)state->after_ns / 1e9));
	json_object_set_new(object, "answers",
			    json_pack("{s:o, s:o, s:o, s:o}", "success", number(state->success), "busy",
				      number(state->busy), "other", number(state->other), "none",
				      number(state->unanswered)));
	return object;
}

static json_t *states_json(const struct oev_capture *capture)
{
	json_t *list = json_array();
	uint32_t count = 0;
	const struct oev_state *states =
		capture->model != NULL ? oev_capture_model_states(capture->model, &count) : NULL;

	for (uint32_t i = 0; i < count; i++)
		json_array_append_new(list, state_json(capture, &states[i]));
	return list;
}

static json_t *contacts_json(const struct oev_capture *capture)
{
	static const char *const words[] = { [OEV_KNOWN_BY_ADDRESS] = "address",
					     [OEV_KNOWN_BY_ANSWERS] = "answers",
					     [OEV_KNOWN_BY_REQUESTS] = "requests",
					     [OEV_KNOWN_BY_BASE] = "watchdog",
					     [OEV_KNOWN_BY_EXCHANGE] = "capabilities_exchange" };
	const struct oev_contacts *contacts =
		capture->walk != NULL ? oev_capture_walk_contacts(capture->walk) : NULL;
	json_t *list = json_array();

	for (uint32_t i = 1; contacts != NULL && i <= oev_contacts_count(contacts); i++) {
		const struct oev_contact *contact = oev_contacts_get(contacts, i);
		struct oev_end ends[2];
		char address[OEV_END_TEXT_MAX];
		json_t *sides = json_array();
		oev_connections_ends(capture->connections, contact->connection, &ends[0], &ends[1]);
		for (unsigned side = 0; side < 2; side++)
			json_array_append_new(sides, json_pack("{s:o, s:s, s:s, s:o}", "node",
							       name(capture, contact->name[side]), "known_by",
							       words[contact->known_by[side]], "address",
							       oev_end_text(&ends[side], address), "messages",
							       number(contact->messages[side])));
		json_array_append_new(list, json_pack("{s:o, s:o}", "first_frame",
						      number(contact->first_frame), "sides", sides));
	}
	return list;
}

static json_t *missed_json(const struct oev_missed *missed)
{
	json_t *list = json_array();

	for (unsigned kind = 0; kind < OEV_MISSED_COUNT; kind++) {
		const struct oev_missed_sum *sum = &missed->sum[kind];
		json_t *frames = json_array();
		for (uint32_t i = 0; i < sum->listed; i++)
			json_array_append_new(frames, number(sum->frame[i]));
		json_t *entry = json_pack(
			"{s:s, s:s, s:o, s:s, s:o, s:o}", "kind", oev_missed_word((enum oev_missed_kind)kind),
			"text", oev_missed_text((enum oev_missed_kind)kind), "amount", number(sum->amount),
			"unit", oev_missed_unit((enum oev_missed_kind)kind), "frames", number(sum->frames),
			"first_frames", frames);
		if (sum->amount > 0)
			json_array_append_new(list, entry);
		else
			json_decref(entry);
	}
	return list;
}

static json_t *files_json(const struct cli_import_view *view)
{
	json_t *list = json_array();

	for (size_t i = 0; i < view->file_count; i++)
		json_array_append_new(list, json_pack("{s:o}", "path", text(view->files[i])));
	return list;
}

static json_t *folders_json(const struct cli_import_view *view)
{
	json_t *list = json_array();
	const char *folder;

	for (uint32_t i = 0;
	     view->store != NULL && (folder = oev_capture_store_folder(view->store, i)) != NULL; i++)
		json_array_append_new(list, text(folder));
	return list;
}

/* What each receipt of the audit can be from a capture. */
static json_t *receipts_json(void)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s}", "asked", "raw octets of reports", "held",
			 "inferred: what should be held", "selected", "not in a capture", "arrived",
			 "requests seen at the point of capture, not the server's count", "useful",
			 "result codes seen at the point of capture");
}

int cli_import_json(const struct oev_capture *capture, const struct cli_import_view *view)
{
	const struct oev_capture_count *count = &capture->count;
	json_t *root =
		json_pack("{s:s, s:s, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "schema",
			  "doic.import/1", "tool", CLI_TOOL, "outcome", cli_import_word(view->outcome),
			  "exit", cli_import_exit(view->outcome), "messages", number(count->messages),
			  "requests", number(count->requests), "answers", number(count->answers), "sessions",
			  number(count->sessions), "since", time_value(count->first_ns), "until",
			  time_value(count->last_ns), "sorted_segments", capture->sorts_segments);

	if (root == NULL)
		return OC_ENOMEM;
	json_object_set_new(root, "files", files_json(view));
	json_object_set_new(root, "folders", folders_json(view));
	json_object_set_new(root, "commands", rows_json(count));
	json_object_set_new(root, "connections", contacts_json(capture));
	json_object_set_new(root, "nodes", nodes_json(capture));
	json_object_set_new(root, "states", states_json(capture));
	json_object_set_new(root, "not_decoded", missed_json(&capture->missed));
	json_object_set_new(root, "tshark_said", text(capture->said[0] != '\0' ? capture->said : NULL));
	json_object_set_new(root, "receipts", receipts_json());
	json_object_set_new(root, "error", text(view->error));
	int rc = json_dumpf(root, view->out, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0 &&
				 fputc('\n', view->out) != EOF
			 ? OC_OK
			 : OC_EIO;
	json_decref(root);
	return rc;
}
