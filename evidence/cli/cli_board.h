/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The state of a running agent as lines and cells, for tables and for the full screen: what is not known is "-", never 0.
 */
#pragma once

#include <jansson.h>

#include "cli.h"

#define CLI_BOARD_COLUMNS 13u
#define CLI_BOARD_CELL 160u
#define CLI_BOARD_STALE_S 3.0 /* figures older than that are said to be */

struct cli_board_row {
	char cell[CLI_BOARD_COLUMNS][CLI_BOARD_CELL];
	double weight;	      /* more is worse */
	const json_t *object; /* what it is made of, borrowed; NULL when it is of several */
	bool is_bad;
};

struct cli_board {
	const char *const *titles; /* as of cli_table_new() */
	size_t columns, count;
	struct cli_board_row *row;
};

/* One line: who, requests a second, refused, useful, evidence, time. @status: of GET /api/v1/status; @heard_s: how long ago it came. */
void cli_board_head(const json_t *status, double heard_s, char *out, size_t size);

/* Tables of nodes (@pools: of GET /api/v1/pools and each pool, may be NULL), of overload states held, of reports of our own. An empty
 * table (row NULL) when out of memory. */
struct cli_board cli_board_nodes(const json_t *status, const json_t *pools);
struct cli_board cli_board_states(const json_t *status);
struct cli_board cli_board_reports(const json_t *status);
void cli_board_free(struct cli_board *board);

/* Sorts by column @column (numbers by value, texts by letters), or with @column at the count of columns by weight, worst first. */
void cli_board_sort(struct cli_board *board, size_t column);

/* Prints it; @empty when it has no row. */
void cli_board_print(const struct cli_board *board, const char *empty, FILE *out);

/* Prints the sentences of cli_story(), each wrapped. */
void cli_board_story(const json_t *story, FILE *out);

/* Why an answer time of the board of nodes is "-", where one is. @has_pools: the pools were told. */
void cli_board_notes(const struct cli_board *nodes, bool has_pools, FILE *out);
