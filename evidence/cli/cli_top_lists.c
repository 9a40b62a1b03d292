/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Screens that are lists of the API: what changed, the last decisions, the segments of the evidence, the policies that were in force.
 */
#include <stdlib.h>
#include <string.h>

#include "cli_board_cells.h"
#include "cli_top.h"

enum how { TEXT, CODE, CLOCK, SHORT, MEGABYTES };

struct column {
	const char *key;
	enum how how;
};

static const struct list {
	const char *path, *key; /* of the array in the reply */
	const char *empty;
	const char *titles[CLI_BOARD_COLUMNS];
	struct column column[CLI_BOARD_COLUMNS];
} lists[CLI_TOP_SCREENS + 1] = {
	[CLI_TOP_CHANGED] = { "/api/v1/changes?limit=50",
			      "changes",
			      "nothing changed in the last minutes",
			      { "TIME", "KIND", "WHAT", NULL },
			      { { "time", CLOCK }, { "kind", TEXT }, { "text", TEXT } } },
	[CLI_TOP_DECISIONS] = { "/api/v1/decisions?limit=50",
				"decisions",
				"no decision is recorded yet",
				{ "TIME", "COMMAND", "VERDICT", "WHY", "CLIENT", "NEXT HOP", ">RESULT", "ID",
				  NULL },
				{ { "time", CLOCK },
				  { "command_text", TEXT },
				  { "verdict", TEXT },
				  { "why", TEXT },
				  { "client", TEXT },
				  { "next_hop", TEXT },
				  { "answer_code", CODE },
				  { "id", TEXT } } },
	[CLI_TOP_EVIDENCE] = { "/api/v1/evidence/segments",
			       "segments",
			       "no segment is there yet",
			       { "SEGMENT", "FROM", "UNTIL", ">MB", "SEALED", "SHA-256", "TROUBLE", NULL },
			       { { "name", TEXT },
				 { "from", CLOCK },
				 { "until", CLOCK },
				 { "octets", MEGABYTES },
				 { "sealed", CLOCK },
				 { "sha256", SHORT },
				 { "trouble", TEXT } } },
	[CLI_TOP_POLICY] = { "/api/v1/policy/versions",
			     "versions",
			     "no policy is in the evidence yet",
			     { ">VERSION", "SINCE", "BY", "REASON", "SHA-256", NULL },
			     { { "version", CODE },
			       { "since", CLOCK },
			       { "by", TEXT },
			       { "reason", TEXT },
			       { "sha256", SHORT } } },
};

const char *cli_top_empty(unsigned screen)
{
	return screen == CLI_TOP_NODES	  ? "no node was seen yet"
	       : screen == CLI_TOP_STATES ? "nobody asks for less"
					  : lists[screen].empty;
}

json_t *cli_top_ask(struct cli_http *http, unsigned screen, char error[static CLI_HTTP_ERROR_MAX])
{
	struct cli_http_reply reply = { 0 };
	json_t *list = NULL;

	if (lists[screen].path == NULL)
		return NULL;
	if (cli_http_ask(http, "GET", lists[screen].path, NULL, NULL, &reply, error) == CLI_OK)
		list = json_incref(json_object_get(reply.json, lists[screen].key));
	cli_http_drop(&reply);
	return list;
}

/* "14:03:27Z" of today, with the day before it of another. */
static void put_clock(char *cell, const char *time, const char *now)
{
	if (strlen(time) < 20)
		return;
	if (now == NULL || strncmp(time, now, 10) == 0)
		snprintf(cell, CLI_BOARD_CELL, "%.8sZ", time + 11);
	else
		snprintf(cell, CLI_BOARD_CELL, "%.10s %.8sZ", time, time + 11);
}

static void put_cell(char *cell, const json_t *object, const struct column *column, const char *now)
{
	const char *text = json_string_value(json_object_get(object, column->key));

	if (column->how == CODE && json_is_integer(json_object_get(object, column->key)))
		snprintf(cell, CLI_BOARD_CELL, "%.0f", cli_number(object, column->key, 0));
	else if (column->how == MEGABYTES)
		snprintf(cell, CLI_BOARD_CELL, "%.1f", cli_number(object, column->key, 0) / 1e6);
	else if (text != NULL && column->how == CLOCK)
		put_clock(cell, text, now);
	else if (text != NULL && column->how == SHORT)
		snprintf(cell, CLI_BOARD_CELL, "%.12s..", text);
	else
		cli_cell_text(cell, text);
}

struct cli_board cli_top_list(const json_t *list, unsigned screen, const char *now)
{
	const struct list *of = &lists[screen];
	struct cli_board board = { .titles = of->titles };
	size_t count = json_array_size(list);

	board.row = calloc(count + 1, sizeof(*board.row));
	while (of->titles[board.columns] != NULL)
		board.columns++;
	for (size_t i = 0; board.row != NULL && i < count; i++) {
		struct cli_board_row *row = &board.row[board.count++];
		for (size_t c = 0; c < board.columns; c++) {
			snprintf(row->cell[c], CLI_BOARD_CELL, "-");
			put_cell(row->cell[c], json_array_get(list, i), &of->column[c], now);
		}
		row->object = json_array_get(list, i);
		row->weight = (double)(count - i); /* as told: the newest first */
		row->is_bad = cli_is(row->object, "verdict", "refused") ||
			      json_object_get(row->object, "trouble") != NULL;
	}
	return board;
}

/* What stands above the list; "" nothing. */
void cli_top_note(const json_t *status, unsigned screen, char *out, size_t size)
{
	const json_t *recording = json_object_get(status, "recording"),
		     *node = json_object_get(status, "node");
	const char *error = json_string_value(json_object_get(recording, "error"));
	const char *full = json_string_value(json_object_get(recording, "when_full"));
	const char *key = json_string_value(json_object_get(recording, "key"));

	out[0] = '\0';
	if (screen == CLI_TOP_POLICY && node != NULL)
		snprintf(out, size, "version %.0f is in force, mode %s",
			 cli_number(node, "policy_version", 0),
			 cli_is(node, "mode", "observe") ? "observe: nothing is enforced" : "enforce");
	if (screen == CLI_TOP_EVIDENCE && recording != NULL)
		snprintf(out, size,
			 "recording%s%.80s: lag %.1f s, journal %.0f %% full (%s when full), disk %.0f %% "
			 "free, checkpoint %.0f s ago, key %.100s",
			 error != NULL ? " STOPPED: " : "", error != NULL ? error : "",
			 cli_number(recording, "lag_seconds", 0),
			 100 * cli_number(recording, "journal_fill_ratio", 0), full != NULL ? full : "-",
			 100 * cli_number(recording, "disk_free_ratio", 0),
			 cli_number(recording, "checkpoint_age_seconds", -1), key != NULL ? key : "-");
}
