/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Replies of the control socket as tables.
 */
#include <inttypes.h>
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "../app/oev_app.h"
#include "cli_ctl.h"

/* One column: the key it shows, and how. */
struct column {
	const char *title; /* '>' before it: to the right */
	const char *key;
	const char *unit; /* after a number */
};

#define COLUMNS_MAX 14u

/* @value as a person reads it; "-" for null. @buf of 128 octets. */
static const char *value_text(const json_t *value, const char *unit, char *buf)
{
	switch (json_typeof(value)) {
	case JSON_STRING:
		snprintf(buf, 128, "%s", json_string_value(value));
		return cli_safe(buf);
	case JSON_INTEGER:
		snprintf(buf, 128, "%" JSON_INTEGER_FORMAT "%s", json_integer_value(value), unit);
		return buf;
	case JSON_REAL:
		snprintf(buf, 128, "%.1f%s", json_real_value(value), unit);
		return buf;
	case JSON_TRUE:
		return "yes";
	case JSON_FALSE:
		return "no";
	default:
		return "-";
	}
}

/* Numbers that mean nothing in this row: clients of an order without rate, an order that is being withdrawn already. */
static bool is_idle(const json_t *row, const char *key)
{
	const char *state = json_string_value(json_object_get(row, "state"));

	if (strcmp(key, "targets") == 0)
		return json_is_null(json_object_get(row, "rate_rps"));
	return strcmp(key, "withdrawn_in_s") == 0 && state != NULL && strcmp(state, "in_force") != 0;
}

static const char *cell_text(const json_t *row, const struct column *column, char *buf)
{
	const json_t *value = json_object_get(row, column->key);
	char app[16];

	if (value == NULL || is_idle(row, column->key))
		return "-";
	if (strcmp(column->key, "application") == 0 && json_is_integer(value)) {
		snprintf(buf, 128, "%s", oev_app_text((uint32_t)json_integer_value(value), app));
		return buf;
	}
	return value_text(value, column->unit, buf);
}

/* @empty: what to say when there is no row. */
static void print_list(const json_t *list, const struct column *columns, const char *empty, FILE *out)
{
	const char *titles[COLUMNS_MAX + 1] = { NULL };
	char buf[128];
	size_t count = 0;

	if (json_array_size(list) == 0) {
		fprintf(out, "%s\n", empty);
		return;
	}
	for (; count < COLUMNS_MAX && columns[count].title != NULL; count++)
		titles[count] = columns[count].title;
	struct libscols_table *table = cli_table_new(false, titles);
	for (size_t i = 0; table != NULL && i < json_array_size(list); i++) {
		struct libscols_line *line = scols_table_new_line(table, NULL);
		for (size_t c = 0; line != NULL && c < count; c++)
			scols_line_set_data(line, c, cell_text(json_array_get(list, i), &columns[c], buf));
	}
	cli_table_print(table, out);
}

static void print_reports(const json_t *list, FILE *out)
{
	static const struct column columns[] = {
		{ "type", "type", "" },
		{ "subject", "subject", "" },
		{ "app", "application", "" },
		{ ">asked", "reduction_pct", " %" },
		{ ">rate", "rate_rps", "/s" },
		{ "state", "state", "" },
		{ ">told", "told_reduction_pct", " %" },
		{ ">clients", "targets", "" },
		{ ">sequence", "sequence", "" },
		{ ">sent", "sent", "" },
		{ ">told until", "told_until_s", " s" },
		{ ">withdrawn in", "withdrawn_in_s", " s" },
		{ NULL, NULL, NULL },
	};

	print_list(list, columns, "no report is made", out);
}

static void print_states(const json_t *list, FILE *out)
{
	static const struct column columns[] = {
		{ ">version", "version", "" },
		{ "type", "type", "" },
		{ "subject", "subject", "" },
		{ "app", "application", "" },
		{ ">asked", "reduction_pct", " %" },
		{ ">rate", "rate_rps", "/s" },
		{ "for", "origin", "" },
		{ "active", "active", "" },
		{ ">held", "held_s", " s" },
		{ ">left", "left_s", " s" },
		{ ">sequence", "sequence", "" },
		{ ">matched", "matched", "" },
		{ ">selected", "selected", "" },
		{ NULL, NULL, NULL },
	};

	print_list(list, columns, "no overload report is held", out);
}

static const char *node_of(const json_t *list, size_t i)
{
	const char *name = json_string_value(json_object_get(json_array_get(list, i), "node"));

	return name != NULL ? name : "";
}

/* The rows of @list in the order of their names; for the caller to free. */
static json_t *sorted(const json_t *list)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(list); i++) {
		size_t at = json_array_size(rows);
		while (at > 0 && strcmp(node_of(rows, at - 1), node_of(list, i)) > 0)
			at--;
		json_array_insert(rows, at, json_array_get(list, i));
	}
	return rows;
}

static void print_loads(const json_t *root, const json_t *list, FILE *out)
{
	static const struct column columns[] = {
		{ "node", "node", "" },
		{ ">as server", "host_value", "" },
		{ ">as next hop", "peer_value", "" },
		{ ">weight", "weight", "" },
		{ NULL, NULL, NULL },
	};
	char buf[128];
	json_t *rows = sorted(list);

	fprintf(out, "own load %s%s (65535 = idle, 0 = full)\n",
		value_text(json_object_get(root, "own_value"), "", buf),
		json_is_true(json_object_get(root, "own_is_set")) ? ", set by hand" : "");
	print_list(rows, columns, "no node told its load", out);
	json_decref(rows);
}

static void print_stats(json_t *stats, FILE *out)
{
	static const char *const titles[] = { "counter", ">value", NULL };
	struct libscols_table *table = cli_table_new(false, titles);
	char buf[128];

	for (void *at = json_object_iter(stats); table != NULL && at != NULL;
	     at = json_object_iter_next(stats, at)) {
		struct libscols_line *line = scols_table_new_line(table, NULL);
		if (line == NULL)
			continue;
		scols_line_set_data(line, 0, json_object_iter_key(at));
		scols_line_set_data(line, 1, value_text(json_object_iter_value(at), "", buf));
	}
	cli_table_print(table, out);
}

void cli_ctl_print(const json_t *root, FILE *out)
{
	const json_t *reports = json_object_get(root, "reports"), *states = json_object_get(root, "states");
	const json_t *loads = json_object_get(root, "loads"), *identity = json_object_get(root, "identity");
	json_t *stats = json_object_get(root, "stats");
	char buf[128];

	if (reports != NULL)
		print_reports(reports, out);
	else if (states != NULL)
		print_states(states, out);
	else if (loads != NULL)
		print_loads(root, loads, out);
	else if (stats != NULL)
		print_stats(stats, out);
	else if (identity != NULL)
		fprintf(out, "%s answers", value_text(identity, "", buf));
	else
		fprintf(out, "done");
	if (json_object_get(root, "policy_version") != NULL)
		fprintf(out, ", policy version %s",
			value_text(json_object_get(root, "policy_version"), "", buf));
	if (json_object_get(root, "note") != NULL)
		fprintf(out, ", %s", value_text(json_object_get(root, "note"), "", buf));
	if (reports == NULL && states == NULL && loads == NULL && stats == NULL)
		fputc('\n', out);
}
