/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Replies of the HTTP server for people.
 */
#include <inttypes.h>
#include <libsmartcols.h>
#include <string.h>

#include "cli_board.h"
#include "cli_ctl_web.h"

#define COLUMNS_MAX 12u

static void print_status(const struct cli_ctl_web *web, FILE *out)
{
	const json_t *status = web->reply.json;
	char head[512];

	cli_board_story(json_object_get(status, "story"), out);
	cli_board_head(status, 0, head, sizeof(head));
	fprintf(out, "%s\n", head);
	struct cli_board nodes = cli_board_nodes(status, web->pools), states = cli_board_states(status);
	struct cli_board reports = cli_board_reports(status);
	cli_board_print(&nodes, "no node was seen yet", out);
	cli_board_notes(&nodes, web->pools != NULL, out);
	if (states.count > 0)
		cli_board_print(&states, "", out);
	if (reports.count > 0)
		cli_board_print(&reports, "", out);
	cli_board_free(&nodes);
	cli_board_free(&states);
	cli_board_free(&reports);
}

/* A scalar as text. */
static const char *scalar(const json_t *value, char out[static 256])
{
	switch (value != NULL ? json_typeof(value) : JSON_NULL) {
	case JSON_STRING:
		snprintf(out, 256, "%s", json_string_value(value));
		break;
	case JSON_INTEGER:
		snprintf(out, 256, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		break;
	case JSON_REAL:
		snprintf(out, 256, "%.6g", json_real_value(value));
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		snprintf(out, 256, "%s", json_is_true(value) ? "yes" : "no");
		break;
	default:
		snprintf(out, 256, "-");
	}
	return cli_safe(out);
}

static bool is_scalar(const json_t *value)
{
	return !json_is_object(value) && !json_is_array(value);
}

/* The keys of all rows that hold plain values, in the order in which they come. */
static void columns_of(const json_t *list, const char *titles[static COLUMNS_MAX + 1])
{
	size_t count = 0, i, c;
	json_t *row, *value;
	const char *key;

	json_array_foreach(list, i, row) json_object_foreach(row, key, value)
	{
		for (c = 0; c < count && strcmp(titles[c], key) != 0; c++)
			;
		if (c == count && count < COLUMNS_MAX && is_scalar(value))
			titles[count++] = key;
	}
	titles[count] = NULL;
}

void cli_ctl_print_columns(const json_t *list, const char *const *titles, FILE *out)
{
	size_t count = 0, i;
	struct libscols_table *table = cli_table_new(false, titles);
	char text[256];
	json_t *row;

	while (titles[count] != NULL)
		count++;
	json_array_foreach(list, i, row)
	{
		struct libscols_line *line = table != NULL ? scols_table_new_line(table, NULL) : NULL;
		for (size_t c = 0; line != NULL && c < count; c++)
			scols_line_set_data(line, c, scalar(json_object_get(row, titles[c]), text));
	}
	cli_table_print(table, out);
}

static void print_list(const json_t *list, FILE *out)
{
	const char *titles[COLUMNS_MAX + 1];

	columns_of(list, titles);
	cli_ctl_print_columns(list, titles, out);
}

void cli_ctl_print_object(const json_t *object, unsigned depth, FILE *out)
{
	const char *key;
	json_t *value;
	char text[256];

	json_object_foreach((json_t *)(uintptr_t)object, key, value)
	{
		fprintf(out, "%*s%-22s", (int)(2 + 2 * depth), "", key);
		if (is_scalar(value)) {
			fprintf(out, "  %s\n", scalar(value, text));
		} else {
			fputc('\n', out);
			if (json_is_object(value) && depth < 6)
				cli_ctl_print_object(value, depth + 1, out);
			else if (json_is_array(value))
				print_list(value, out);
		}
	}
}

static void print_sessions(const json_t *reply, FILE *out)
{
	static const char *const titles[] = { "session", "subscriber", "decisions", "refused",
					      "first",	 "last",       NULL };
	const json_t *list = json_object_get(reply, "sessions");

	if (list == NULL) {
		cli_ctl_print_object(reply, 0, out);
		return;
	}
	if (json_array_size(list) == 0)
		fprintf(out, "none\n");
	else
		cli_ctl_print_columns(list, titles, out);
	if (json_object_get(reply, "next") != NULL)
		fprintf(out, "there are more\n");
}

/* What came, newest first. */
static void print_reports(const json_t *reply, FILE *out)
{
	static const char *const titles[] = { "time",
					      "disposition",
					      "reason",
					      "peer",
					      "type",
					      "subject",
					      "application",
					      "reduction_ratio",
					      "rate_per_second",
					      "validity_seconds",
					      "sequence",
					      "version",
					      NULL };
	const json_t *list = json_object_get(reply, "reports");

	if (json_array_size(list) == 0)
		fprintf(out, "no report was received yet\n");
	else
		cli_ctl_print_columns(list, titles, out);
}

/* Documents that were in force, or the lines in which a candidate differs from the one that is. */
static void print_policy(const json_t *reply, FILE *out)
{
	static const char *const titles[] = { "version", "since", "by", "reason", "sha256", "id", NULL };
	const json_t *versions = json_object_get(reply, "versions");
	json_t *line;
	size_t i;

	if (versions != NULL) {
		cli_ctl_print_columns(versions, titles, out);
		return;
	}
	json_array_foreach(json_object_get(reply, "diff"), i, line)
	{
		const json_t *old = json_object_get(line, "old"), *new = json_object_get(line, "new");
		const char *text = json_string_value(json_object_get(line, "text"));
		char shown[1024];
		snprintf(shown, sizeof(shown), "%s", text != NULL ? text : "");
		fprintf(out, "%c %4" JSON_INTEGER_FORMAT "  %s\n", json_is_integer(old) ? '-' : '+',
			json_integer_value(json_is_integer(old) ? old : new), cli_safe(shown));
	}
}

static void print_found(const json_t *reply, const char *what, FILE *out)
{
	bool has_list = false;
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)reply, key,
			    value) if (json_is_array(value) && strcmp(key, what) == 0)
	{
		has_list = true;
		if (json_array_size(value) == 0)
			fprintf(out, "none\n");
		else
			print_list(value, out);
	}
	if (!has_list)
		cli_ctl_print_object(reply, 0, out);
}

static void print_pools(const json_t *reply, FILE *out)
{
	json_t *pool;
	size_t i;

	if (json_array_size(json_object_get(reply, "pools")) == 0)
		fprintf(out, "there is no pool\n");
	json_array_foreach(json_object_get(reply, "pools"), i, pool)
	{
		const char *name = json_string_value(json_object_get(pool, "pool"));
		fprintf(out, "pool %s\n", name != NULL ? name : "-");
		if (json_array_size(json_object_get(pool, "nodes")) == 0)
			fprintf(out, "  no node\n");
		else
			print_list(json_object_get(pool, "nodes"), out);
	}
}

void cli_ctl_web_print(const struct cli_ctl_web *web, FILE *out)
{
	const char *word = web->ask->words[0];
	const json_t *reply = web->reply.json;
	const char *text = json_string_value(json_object_get(reply, "text"));

	if (web->done[0] != '\0') {
		char done[sizeof(web->done)];
		snprintf(done, sizeof(done), "%s", web->done);
		fprintf(out, "%s\n", cli_safe(done));
	} else if (strcmp(word, "metrics") == 0) {
		fwrite(web->reply.body, 1, web->reply.len, out);
	} else if (strcmp(word, "policy") == 0 && text != NULL) {
		fputs(text, out);
	} else if (strcmp(word, "policy") == 0) {
		print_policy(reply, out);
	} else if (strcmp(word, "reports") == 0) {
		print_reports(reply, out);
	} else if (strcmp(word, "status") == 0) {
		print_status(web, out);
	} else if (strcmp(word, "pools") == 0) {
		print_pools(reply, out);
	} else if (strcmp(word, "why") == 0) {
		cli_ctl_why_print(reply, out);
	} else if (strcmp(word, "sessions") == 0) {
		print_sessions(reply, out);
	} else {
		print_found(reply, word, out);
	}
}
