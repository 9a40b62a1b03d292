/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Lists of the rarer rows of an evidence folder, page by page: reports, states and what became of them, orders, gaps ...
 *
 * Every list has columns with a name and a kind, so that whoever shows rows needs to know no list.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oev_shelf;
struct oev_shelf_page;

enum oev_shelf_list {
	OEV_SHELF_REPORTS,	/* received, with their octets complete; filter.number: report */
	OEV_SHELF_REPEATS,	/* their further receptions; filter.number: report */
	OEV_SHELF_VERSIONS,	/* overload control states; filter.number: version */
	OEV_SHELF_CHANGES,	/* what became of them; filter.number: version */
	OEV_SHELF_ORDERS,	/* reports of our own ordered and withdrawn */
	OEV_SHELF_OWN_REPORTS,	/* contents of reports of our own */
	OEV_SHELF_PEERS,	/* connections opening and closing */
	OEV_SHELF_CAPABILITIES, /* announced features */
	OEV_SHELF_LOADS,
	OEV_SHELF_GAPS,
	OEV_SHELF_CHECKPOINTS, /* filter.number: batch */
	OEV_SHELF_REMOVALS,
	OEV_SHELF_RECOVERIES,
	OEV_SHELF_POLICIES, /* filter.number: version */
	OEV_SHELF_ACTS, /* what people did by the control interfaces; segments before schema 4 have none */
	OEV_SHELF_LIST_COUNT
};

/* "reports", "versions" ... */
const char *oev_shelf_list_text(enum oev_shelf_list list);

enum oev_shelf_kind {
	OEV_SHELF_NOTHING = 0, /* of a cell alone: the row says nothing there */
	OEV_SHELF_NUMBER,
	OEV_SHELF_TEXT,	 /* UTF-8, lines kept, no other control characters */
	OEV_SHELF_OCTETS /* hexadecimal */
};

struct oev_shelf_column {
	const char *name;
	enum oev_shelf_kind kind;
};

#define OEV_SHELF_COLUMNS_MAX 20u

/* Those behind run, row and time, which every row has; *@count of them. Constant. */
const struct oev_shelf_column *oev_shelf_list_columns(enum oev_shelf_list list, size_t *count);

struct oev_shelf_cell {
	enum oev_shelf_kind kind;
	uint64_t number;
	const char *text; /* NUL-terminated; "" unless a text */
};

struct oev_shelf_list_row {
	const char *run;
	const char *segment;
	uint64_t row; /* rowid in the segment's table, for a proof */
	uint64_t wall_us;
	const struct oev_shelf_cell *cells; /* as many as the list has columns */
};

struct oev_shelf_list_filter {
	uint64_t from_us, until_us; /* until 0: no end */
	const char *run;	    /* "" or NULL any; likewise below */
	const char *name;	    /* of the subject, node, peer the row is about; without regard to case */
	bool has_number;
	uint64_t number; /* see enum oev_shelf_list */
	bool oldest_first;
};

/* The row is valid during the call; false stops the page there. It must not ask the shelf itself. */
typedef bool (*oev_shelf_list_fn)(void *ctx, const struct oev_shelf_list_row *row);

/* As oev_shelf_decisions(). Rows that a segment repeats from an earlier one are left out unless that one is gone. */
int oev_shelf_list(struct oev_shelf *shelf, enum oev_shelf_list list,
		   const struct oev_shelf_list_filter *filter, const char *cursor, uint32_t limit,
		   oev_shelf_list_fn take, void *ctx, struct oev_shelf_page *page, char *error);

/* SQL number @at of the lists, three for each (oev_shelf_inner.h). */
const char *oev_shelf_list_sql(unsigned at);
