/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Rows of the evidence as JSON.
 */
#include "oweb_evidence.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../agent/oc_err.h"
#include "../evidence/app/oev_app.h"
#include "oweb_json.h"

const char *const oweb_decision_columns[] = { "id",	     "time",	       "command_text", "command",
					      "application", "application_id", "verdict",      "why",
					      "selected_by", "version",	       "result_code",  "client",
					      "origin_host", "dest_host",      "dest_realm",   "next_hop",
					      "class",	     "session",	       "subscriber",   "took_seconds",
					      "answer_code", "is_remembered",  "is_observed",  NULL };

bool oweb_has_shelf(struct oweb_request *request)
{
	if (request->server->shelf != NULL)
		return true;
	oweb_problem(request, OWEB_P_NOT_SERVED, "nothing is recorded here: there is no evidence folder");
	return false;
}

static const struct {
	uint32_t app_id, command; /* app_id 0: any */
	const char *text;
} commands[] = {
	{ 0, 265, "AAR" },	    { 0, 271, "ACR" },		{ 0, 272, "CCR" },
	{ 0, 274, "ASR" },	    { 0, 275, "STR" },		{ OC_APP_CX, 300, "UAR" },
	{ OC_APP_CX, 301, "SAR" },  { OC_APP_CX, 302, "LIR" },	{ OC_APP_CX, 303, "MAR" },
	{ OC_APP_CX, 304, "RTR" },  { OC_APP_CX, 305, "PPR" },	{ OC_APP_S6A, 316, "ULR" },
	{ OC_APP_S6A, 317, "CLR" }, { OC_APP_S6A, 318, "AIR" }, { OC_APP_S6A, 319, "IDR" },
	{ OC_APP_S6A, 321, "PUR" }, { OC_APP_S6A, 323, "NOR" }, { 0, 258, "RAR" },
};

const char *oweb_command_text(uint32_t app_id, uint32_t command, uint8_t cc_request_type, char *buf)
{
	static const char *const types[] = { "", "-I", "-U", "-T", "-E" };

	buf[0] = '\0';
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (commands[i].command == command &&
		    (commands[i].app_id == 0 || commands[i].app_id == app_id))
			snprintf(buf, 16, "%s%s", commands[i].text,
				 command == 272 && cc_request_type < 5 ? types[cc_request_type] : "");
	return buf;
}

static void put_app(json_t *object, uint64_t app_id)
{
	char text[16];

	oweb_json_number(object, "application_id", app_id);
	json_object_set_new(object, "application", json_string(oev_app_text((uint32_t)app_id, text)));
}

static uint32_t version_of(const struct oc_decision *d)
{
	const struct oc_look *looks[OC_SCOPE_COUNT] = {
		[OC_SCOPE_REALM] = &d->realm, [OC_SCOPE_HOST] = &d->host, [OC_SCOPE_PEER] = &d->peer
	};

	return d->selected_by < OC_SCOPE_COUNT && looks[d->selected_by] != NULL
		       ? looks[d->selected_by]->version
		       : 0;
}

static void put_fate(json_t *object, const struct oc_decision *d)
{
	oweb_json_text(object, "verdict", oc_verdict_text(d->verdict));
	if (d->why != OC_WHY_NONE)
		oweb_json_text(object, "why", oc_why_text(d->why));
	if (d->selected_by != OC_SCOPE_NONE)
		oweb_json_text(object, "selected_by", oc_scope_text(d->selected_by));
	if (version_of(d) != 0)
		oweb_json_number(object, "version", version_of(d));
	if (d->result_code != 0)
		oweb_json_number(object, "result_code", d->result_code);
	oweb_json_number(object, "class", d->klass);
	json_object_set_new(object, "is_remembered", json_boolean(d->flags & OC_DEC_REMEMBERED));
	json_object_set_new(object, "is_observed", json_boolean(d->flags & OC_DEC_OBSERVED));
}

json_t *oweb_view_decision(const struct oev_shelf_decision *row)
{
	const struct oc_decision *d = &row->d;
	json_t *object = json_object();
	char command[16];

	oweb_json_id(object, row->run, row->id);
	oweb_json_time(object, "time", row->wall_us);
	oweb_json_number(object, "command", d->command);
	oweb_json_text(object, "command_text",
		       oweb_command_text(d->app_id, d->command, d->cc_request_type, command));
	put_app(object, d->app_id);
	put_fate(object, d);
	oweb_json_text(object, "client", row->client);
	oweb_json_text(object, "origin_host", row->origin_host);
	oweb_json_text(object, "origin_realm", row->origin_realm);
	oweb_json_text(object, "dest_host", row->dest_host);
	oweb_json_text(object, "dest_realm", row->dest_realm);
	oweb_json_text(object, "next_hop", row->next_hop);
	oweb_json_pseudonym(object, "session", d->session_hash);
	oweb_json_pseudonym(object, "subscriber", d->subscriber_hash);
	if (row->has_outcome) {
		json_object_set_new(object, "took_seconds", json_real((double)row->took_ns / 1e9));
		oweb_json_text(object, "answer_by", oc_maker_text(row->maker));
		if (row->result_code != 0)
			oweb_json_number(object, "answer_code", row->result_code);
	}
	return object;
}

/* How a column of the tables is called here. Monotonic times stay in the evidence. */
static const struct {
	const char *column, *key;
	enum { AS_IS, RATIO, APP, TIME, HIDDEN } how;
} renamed[] = {
	{ "id", "number", AS_IS },
	{ "app_id", NULL, APP },
	{ "reduction_pct", "reduction_ratio", RATIO },
	{ "rate_rps", "rate_per_second", AS_IS },
	{ "validity_s", "validity_seconds", AS_IS },
	{ "since_us", "since", TIME },
	{ "mono_ns", NULL, HIDDEN },
	{ "from_ns", NULL, HIDDEN },
	{ "expires_ns", NULL, HIDDEN },
	{ "until_ns", NULL, HIDDEN },
	{ "first_ns", NULL, HIDDEN },
	{ "last_ns", NULL, HIDDEN },
	{ "verdict", "disposition", AS_IS },
};

static void put_cell(json_t *object, const struct oev_shelf_column *column, const struct oev_shelf_cell *cell)
{
	const char *key = column->name;

	if (cell->kind == OEV_SHELF_NOTHING)
		return;
	for (size_t i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++) {
		if (strcmp(renamed[i].column, column->name) != 0)
			continue;
		if (renamed[i].how == HIDDEN)
			return;
		if (renamed[i].how == APP) {
			put_app(object, cell->number);
			return;
		}
		key = renamed[i].key;
		if (renamed[i].how == TIME) {
			oweb_json_time(object, key, cell->number);
			return;
		}
		if (renamed[i].how == RATIO) {
			json_object_set_new(object, key, json_real((double)cell->number / 100));
			return;
		}
	}
	if (cell->kind == OEV_SHELF_NUMBER)
		oweb_json_number(object, key, cell->number);
	else
		json_object_set_new(object, key, json_string(cell->text));
}

json_t *oweb_view_row(enum oev_shelf_list list, const struct oev_shelf_list_row *row)
{
	json_t *object = json_object();
	size_t count;
	const struct oev_shelf_column *columns = oev_shelf_list_columns(list, &count);

	oweb_json_id(object, row->run, row->row);
	oweb_json_time(object, "time", row->wall_us);
	oweb_json_text(object, "segment", row->segment);
	for (size_t i = 0; i < count; i++)
		put_cell(object, &columns[i], &row->cells[i]);
	return object;
}

void oweb_put_page(json_t *object, const struct oev_shelf_page *page)
{
	if (!page->is_end)
		oweb_json_text(object, "next", page->next);
	if (page->reached_us != 0)
		oweb_json_time(object, "reached", page->reached_us);
	oweb_json_text(object, "left_out", page->left_out);
}

void oweb_shelf_problem(struct oweb_request *request, int rc, const char *error)
{
	if (rc == OC_EINVAL)
		oweb_problem(request, OWEB_P_BAD_PARAMETER, "%s", error);
	else if (rc == OC_ENOENT)
		oweb_problem(request, OWEB_P_NOT_FOUND, "%s", error);
	else
		oweb_problem(request, OWEB_P_UNAVAILABLE, "%s",
			     error[0] != '\0' ? error : "the evidence cannot be read");
}

enum oweb_format oweb_wanted_format(const struct oweb_request *request)
{
	const char *format = oweb_query_text(&request->query, "format");

	if (format != NULL)
		return strcmp(format, "csv") == 0      ? OWEB_FORMAT_CSV
		       : strcmp(format, "ndjson") == 0 ? OWEB_FORMAT_NDJSON
						       : OWEB_FORMAT_JSON;
	if (oweb_request_accepts(request, "application/x-ndjson"))
		return OWEB_FORMAT_NDJSON;
	return oweb_request_accepts(request, "text/csv") ? OWEB_FORMAT_CSV : OWEB_FORMAT_JSON;
}
