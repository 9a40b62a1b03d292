/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Rows of the board: nodes, states, reports.
 */
#include "cli_board.h"

#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli_board_cells.h"

#define NODE_P99 7 /* column of the board of nodes */

static struct cli_board_row *add_row(struct cli_board *board)
{
	struct cli_board_row *more = realloc(board->row, (board->count + 1) * sizeof(*more));

	if (more == NULL)
		return NULL;
	board->row = more;
	struct cli_board_row *row = &board->row[board->count++];
	memset(row, 0, sizeof(*row));
	for (size_t i = 0; i < CLI_BOARD_COLUMNS; i++)
		snprintf(row->cell[i], CLI_BOARD_CELL, "-");
	return row;
}

static struct cli_board begin(const char *const *titles)
{
	struct cli_board board = { .titles = titles };

	while (titles[board.columns] != NULL)
		board.columns++;
	return board;
}

void cli_board_free(struct cli_board *board)
{
	free(board->row);
	*board = (struct cli_board){ 0 };
}

/* The state in force that asks @node for most. */
static const json_t *state_of(const json_t *states, const char *node)
{
	const json_t *worst = NULL;
	double most = -1;
	const char *key;
	json_t *state;

	json_object_foreach((json_t *)(uintptr_t)states, key, state)
	{
		const char *subject = json_string_value(json_object_get(state, "subject"));
		double share = cli_number(state, "share_ratio", 0);
		if (subject == NULL || strcasecmp(subject, node) != 0 || !cli_is(state, "state", "active") ||
		    share <= most)
			continue;
		most = share;
		worst = state;
	}
	return worst;
}

/* The entry of @node in the pools; NULL. */
static const json_t *member_of(const json_t *pools, const char *node)
{
	size_t i, j;
	json_t *pool, *member;

	json_array_foreach(json_object_get(pools, "pools"), i, pool) json_array_foreach(
		json_object_get(pool, "nodes"), j, member) if (cli_is(member, "node", node)) return member;
	return NULL;
}

static void fill_node(struct cli_board_row *row, const char *name, const json_t *status, const json_t *pools)
{
	const json_t *peer = json_object_get(json_object_get(status, "peers"), name);
	const json_t *seen = json_object_get(json_object_get(status, "nodes"), name);
	const json_t *server = json_object_get(seen, "server"), *client = json_object_get(seen, "client");
	const json_t *side = server != NULL ? server : client;
	const json_t *state = state_of(json_object_get(status, "states"), name);
	double refused = cli_ratio(side, "refused", "requests");

	cli_cell_name(row->cell[0], name);
	cli_cell_text(row->cell[1], server != NULL && client != NULL ? "both"
				    : server != NULL		     ? "server"
				    : client != NULL		     ? "client"
								     : NULL);
	cli_cell_text(row->cell[2], json_string_value(json_object_get(peer, "wanted")));
	cli_cell_text(row->cell[3], json_string_value(json_object_get(peer, "is")));
	cli_cell_count(row->cell[4], peer, "outstanding", "");
	cli_cell_count(row->cell[5], side, "requests", "");
	cli_cell_percent(row->cell[6], refused, 1);
	cli_cell_seconds(row->cell[NODE_P99], member_of(pools, name), "took_p99_seconds");
	if (state != NULL) {
		cli_cell_asked(row->cell[8], state);
		snprintf(row->cell[9], CLI_BOARD_CELL, "#%.0f", cli_number(state, "version", 0));
		cli_cell_count(row->cell[10], state, "left_seconds", " s");
	}
	row->is_bad = cli_is(peer, "is", "down");
	row->weight = (row->is_bad ? 4 : 0) + (cli_is(peer, "wanted", "out") ? 2 : 0) +
		      (state != NULL ? 1 : 0) + (refused > 0 ? refused : 0);
}

struct cli_board cli_board_nodes(const json_t *status, const json_t *pools)
{
	static const char *const titles[] = { "NODE",	  "ROLE", "WANTED", "IS",    ">WAITING", ">REQ/S",
					      ">REFUSED", ">P99", ">ASKED", ">HELD", ">LEFT",	 NULL };
	struct cli_board board = begin(titles);
	json_t *names = json_object(), *value;
	const char *key;

	json_object_update(names, json_object_get(status, "peers"));
	json_object_update_missing(names, json_object_get(status, "nodes"));
	json_object_foreach(names, key, value)
	{
		struct cli_board_row *row = add_row(&board);
		if (row != NULL)
			fill_node(row, key, status, pools);
	}
	json_decref(names);
	cli_board_sort(&board, board.columns);
	return board;
}

static void fill_state(struct cli_board_row *row, const json_t *state)
{
	double drawn = cli_number(state, "matched", 0), taken = cli_number(state, "selected", 0);

	snprintf(row->cell[0], CLI_BOARD_CELL, "#%.0f", cli_number(state, "version", 0));
	cli_cell_text(row->cell[1], json_string_value(json_object_get(state, "type")));
	cli_cell_text(row->cell[2], json_string_value(json_object_get(state, "subject")));
	cli_cell_text(row->cell[3], json_string_value(json_object_get(state, "application")));
	cli_cell_text(row->cell[4], json_string_value(json_object_get(state, "state")));
	cli_cell_asked(row->cell[5], state);
	if (cli_is(state, "algorithm", "loss") && drawn > 0)
		cli_cell_percent(row->cell[6], taken / drawn, 2);
	cli_cell_count(row->cell[7], state, "matched", "");
	cli_cell_count(row->cell[8], state, "selected", "");
	cli_cell_count(row->cell[9], state,
		       json_object_get(state, "condition_seconds") != NULL ? "condition_seconds"
									   : "held_seconds",
		       " s");
	cli_cell_count(row->cell[10], state, "left_seconds", " s");
	row->is_bad = cli_is(state, "state", "active");
	row->weight = row->is_bad ? 1 + cli_number(state, "share_ratio", 0) : 0;
}

typedef void (*fill_fn)(struct cli_board_row *row, const json_t *object);

/* A row for each object below @member of @status. */
static struct cli_board board_of(const json_t *status, const char *member, const char *const *titles,
				 fill_fn fill)
{
	struct cli_board board = begin(titles);
	const char *key;
	json_t *object;

	json_object_foreach(json_object_get(status, member), key, object)
	{
		struct cli_board_row *row = add_row(&board);
		if (row != NULL)
			fill(row, object);
	}
	cli_board_sort(&board, board.columns);
	return board;
}

struct cli_board cli_board_states(const json_t *status)
{
	static const char *const titles[] = { ">VERSION",  "TYPE",   "SUBJECT",	  "APP",
					      "STATE",	   ">ASKED", ">SELECTED", ">MATCHED",
					      ">OF THESE", ">HELD",  ">LEFT",	  NULL };

	return board_of(status, "states", titles, fill_state);
}

static void fill_report(struct cli_board_row *row, const json_t *report)
{
	const char *app = json_string_value(json_object_get(report, "application"));

	cli_cell_text(row->cell[0], json_string_value(json_object_get(report, "type")));
	cli_cell_text(row->cell[1], json_string_value(json_object_get(report, "subject")));
	cli_cell_text(row->cell[2], app != NULL ? app : "all");
	cli_cell_text(row->cell[3], json_string_value(json_object_get(report, "state")));
	if (json_object_get(report, "ordered_reduction_ratio") != NULL)
		cli_cell_percent(row->cell[4], cli_number(report, "ordered_reduction_ratio", 0), 0);
	cli_cell_count(row->cell[5], report, "ordered_rate_per_second", "/s");
	cli_cell_percent(row->cell[6], cli_number(report, "reduction_ratio", -1), 0);
	cli_cell_count(row->cell[7], report, "sent", "");
	if (json_is_integer(json_object_get(report, "sequence"))) /* names a report: no separators */
		snprintf(row->cell[8], CLI_BOARD_CELL, "%" JSON_INTEGER_FORMAT,
			 json_integer_value(json_object_get(report, "sequence")));
	row->is_bad = cli_is(report, "state", "active");
	row->weight = row->is_bad;
}

struct cli_board cli_board_reports(const json_t *status)
{
	static const char *const titles[] = { "TYPE",  "SUBJECT", "APP",   "STATE",	">ASKED",
					      ">RATE", ">TOLD",	  ">SENT", ">SEQUENCE", NULL };

	return board_of(status, "reports", titles, fill_report);
}

static bool is_before(const struct cli_board *board, const struct cli_board_row *a,
		      const struct cli_board_row *b, size_t column)
{
	if (column >= board->columns && a->weight != b->weight)
		return a->weight > b->weight;
	size_t at = column < board->columns ? column : 0;
	const char *x = a->cell[at], *y = b->cell[at];
	if (board->titles[at][0] != '>')
		return strcmp(x, y) < 0;
	double m = cli_cell_value(x), n = cli_cell_value(y); /* numbers: most first, unknown last */
	return m != n ? m > n : strcmp(a->cell[0], b->cell[0]) < 0;
}

/* Rows are few, and mostly in order already. */
void cli_board_sort(struct cli_board *board, size_t column)
{
	for (size_t i = 1; i < board->count; i++) {
		struct cli_board_row row = board->row[i];
		size_t at = i;
		for (; at > 0 && is_before(board, &row, &board->row[at - 1], column); at--)
			board->row[at] = board->row[at - 1];
		board->row[at] = row;
	}
}

void cli_board_print(const struct cli_board *board, const char *empty, FILE *out)
{
	if (board->count == 0) {
		fprintf(out, "%s\n", empty);
		return;
	}
	struct libscols_table *table = cli_table_new(false, board->titles);
	for (size_t i = 0; table != NULL && i < board->count; i++) {
		struct libscols_line *line = scols_table_new_line(table, NULL);
		for (size_t c = 0; line != NULL && c < board->columns; c++)
			scols_line_set_data(line, c, board->row[i].cell[c]);
	}
	cli_table_print(table, out);
}

void cli_board_story(const json_t *story, FILE *out)
{
	json_t *sentence;
	size_t i;

	json_array_foreach(story, i, sentence)
	{
		char text[1024];
		snprintf(text, sizeof(text), "%s", json_string_value(sentence));
		cli_print_wrapped("", cli_safe(text), out);
	}
}

void cli_board_notes(const struct cli_board *nodes, bool has_pools, FILE *out)
{
	bool is_lacking = false;

	for (size_t i = 0; i < nodes->count; i++)
		is_lacking = is_lacking || strcmp(nodes->row[i].cell[NODE_P99], "-") == 0;
	if (is_lacking && !has_pools)
		fputs("P99 \"-\": the agent did not tell its pools, where answer times are\n", out);
	else if (is_lacking)
		fputs("P99 \"-\": it answered nothing in the last minute; what a client waits is counted at "
		      "the server\n",
		      out);
}
