/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Outcomes of decisions. Of sealed segments the index knows where they are. Else they lie in the order of the answers, which is nearly
 * that of the decisions: a few rows around the place where an answer without delay would lie are looked at, then more.
 */
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_shelf_index.h"
#include "oev_shelf_inner.h"

#define WINDOW_FIRST 64u
#define WINDOW_FACTOR 2u
#define BEHIND_MAX                                                                                           \
	16384u /* no answer comes before its request: it lies behind by what was under way at most */
#define GUESSES 6
#define SLACK_NS                                                                                             \
	100000000ull /* threads tell what they do in the order of their times, but for so much at most */

struct search {
	struct oev_shelf_conn *conn;
	struct oev_shelf_decision *rows; /* by number */
	uint32_t count;
	bool falls;
	uint64_t last;	   /* rowid of the last outcome */
	uint64_t left;	   /* rows that may still be looked at */
	uint64_t from, to; /* looked at last */
	uint64_t from_ns;  /* when the answer at @from came; UINT64_MAX: not known */
	bool failed;
};

static struct oev_shelf_decision *row_of(const struct search *s, uint64_t id)
{
	uint32_t low = 0, high = s->count;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		uint64_t at = s->rows[mid].id;
		if (at == id)
			return &s->rows[mid];
		if ((at < id) != s->falls)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

/* What statement @which says of outcome @place, at that row; NULL: nothing. To be reset. */
static sqlite3_stmt *say_of(struct search *s, unsigned which, uint64_t place)
{
	sqlite3_stmt *stmt = oev_shelf_stmt(s->conn, which);

	if (stmt == NULL)
		return NULL;
	if (sqlite3_bind_int64(stmt, 1, (sqlite3_int64)place) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		return stmt;
	sqlite3_reset(stmt);
	return NULL;
}

/* Decision of outcome @place; 0: none. */
static uint64_t decision_at(struct search *s, uint64_t place)
{
	sqlite3_stmt *stmt = say_of(s, OEV_SHELF_S_OUTCOME_AT, place);
	uint64_t id = stmt != NULL ? oev_shelf_number(stmt, 0) : 0;

	sqlite3_reset(stmt);
	return id;
}

/* When the answer at @place came; UINT64_MAX: its request lies in another segment. */
static uint64_t told_ns(struct search *s, uint64_t place)
{
	sqlite3_stmt *stmt = say_of(s, OEV_SHELF_S_OUTCOME_WHEN, place);
	uint64_t at_ns = stmt != NULL ? oev_shelf_at_ns(s->conn, stmt, 0) : UINT64_MAX;

	sqlite3_reset(stmt);
	return at_ns;
}

/* Where the outcome of @id would lie, when @first is the first decision here. */
static uint64_t guess(struct search *s, uint64_t first, uint64_t id)
{
	uint64_t place = id >= first ? id - first + 1 : 1;

	for (int i = 0; i < GUESSES; i++) {
		place = place < 1 ? 1 : place > s->last ? s->last : place;
		uint64_t at = decision_at(s, place);
		uint64_t off = at > id ? at - id : id - at;
		if (at == 0 || off <= WINDOW_FIRST / 2)
			break;
		if (at > id)
			place = place > off ? place - off : 1;
		else
			place += off;
	}
	return place < 1 ? 1 : place > s->last ? s->last : place;
}

/* Fills rows from outcomes @from to @to. */
static void read_range(struct search *s, uint64_t from, uint64_t to)
{
	sqlite3_stmt *stmt = oev_shelf_stmt(s->conn, OEV_SHELF_S_OUTCOMES);
	int step = SQLITE_ERROR;

	if (from > to)
		return;
	if (stmt != NULL && sqlite3_bind_int64(stmt, 1, (sqlite3_int64)from) == SQLITE_OK &&
	    sqlite3_bind_int64(stmt, 2, (sqlite3_int64)to) == SQLITE_OK)
		while (s->left > 0 && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
			struct oev_shelf_decision *row = row_of(s, oev_shelf_number(stmt, 0));
			s->left--;
			if (row != NULL && !row->has_outcome)
				oev_shelf_outcome_fill(s->conn, oev_shelf_number(stmt, 1),
						       oev_shelf_number(stmt, 2), row);
		}
	s->failed |= step != SQLITE_ROW && step != SQLITE_DONE && s->left > 0;
	if (stmt != NULL)
		sqlite3_reset(stmt);
}

/* All places were looked at where the answer to @row could be: no answer comes before its request. */
static bool is_nowhere_else(const struct search *s, const struct oev_shelf_decision *row)
{
	return s->to == s->last && s->from_ns != UINT64_MAX && s->from_ns + SLACK_NS < row->d.at_ns;
}

/* Wider and wider around @place until @row has its outcome. */
static void look_around(struct search *s, struct oev_shelf_decision *row, uint64_t place)
{
	if (place < s->from || place > s->to + 1) {
		s->from = place;
		s->to = place - 1;
		s->from_ns = UINT64_MAX;
	}
	for (uint64_t window = WINDOW_FIRST;
	     !row->has_outcome && s->left > 0 && !s->failed && !is_nowhere_else(s, row);
	     window *= WINDOW_FACTOR) {
		uint64_t behind = window < BEHIND_MAX ? window : BEHIND_MAX;
		uint64_t low = place > behind ? place - behind : 1;
		uint64_t high = s->last - place > window ? place + window : s->last;
		uint64_t from = s->from, to = s->to;
		if (high > to)
			read_range(s, to + 1, high);
		if (low < from)
			read_range(s, low, from - 1);
		if (low < from)
			s->from_ns = told_ns(s, low);
		s->from = low < from ? low : from;
		s->to = high > to ? high : to;
		if (high == s->last && behind == BEHIND_MAX)
			return;
	}
}

/* The run of the index that knows the places of outcomes of @part around @id; NULL: none. */
static struct oev_shelf_run *run_of(const struct oev_shelf_runs *runs, const struct oev_shelf_part *part,
				    uint64_t id)
{
	for (size_t i = 0; runs != NULL && i < runs->count; i++) {
		const struct oev_shelf_run_head *head = runs->runs[i]->head;
		if (head->places != 0 && head->first <= id && id <= head->last &&
		    head->run_key == part->run_key && strcmp(head->segment, part->facts.name) == 0)
			return runs->runs[i];
	}
	return NULL;
}

/* Fills rows by the index. Returns how many of all it knows nothing about. */
static uint32_t look_up(struct search *s, const struct oev_shelf_runs *runs,
			const struct oev_shelf_part *part)
{
	struct oev_shelf_run *run = NULL;
	uint32_t unknown = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		uint64_t id = s->rows[i].id;
		if (run == NULL || id < run->head->first || id > run->head->last)
			run = run_of(runs, part, id);
		unsigned misses = run != NULL ? atomic_load(&run->misses) : 0;
		uint32_t place = run != NULL ? oev_shelf_run_place(run, id) : 0;
		if (place != 0)
			read_range(s, place, place);
		unknown += run == NULL || run->is_broken || atomic_load(&run->misses) != misses;
	}
	return unknown;
}

static void search_here(struct search *s, uint64_t first_decision)
{
	sqlite3_stmt *stmt = oev_shelf_stmt(s->conn, OEV_SHELF_S_OUTCOME_LAST);

	if (stmt == NULL || sqlite3_step(stmt) != SQLITE_ROW) {
		s->failed = true;
		return;
	}
	s->last = oev_shelf_number(stmt, 0);
	s->from = 1;
	s->to = 0;
	s->from_ns = UINT64_MAX;
	sqlite3_reset(stmt);
	for (uint32_t i = 0; s->last > 0 && i < s->count && s->left > 0 && !s->failed; i++)
		if (!s->rows[i].has_outcome)
			look_around(s, &s->rows[i], guess(s, first_decision, s->rows[i].id));
}

static uint32_t without(const struct search *s)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < s->count; i++)
		count += !s->rows[i].has_outcome;
	return count;
}

/* Answers that came after the segment was changed for the next one. */
static int search_next(struct oev_shelf *shelf, const struct oev_shelf_part *next, struct search *s,
		       char *error)
{
	int rc = oev_shelf_conn_take(shelf, next, &s->conn, error);

	if (rc != OC_OK)
		return rc;
	search_here(s, next->facts.first_decision);
	rc = s->failed ? oev_shelf_fail(s->conn, error) : OC_OK;
	oev_shelf_conn_give(shelf, s->conn);
	return rc;
}

int oev_shelf_outcomes(struct oev_shelf *shelf, const struct oev_shelf_catalog *catalog,
		       struct oev_shelf_conn *conn, const struct oev_shelf_part *part,
		       struct oev_shelf_decision *rows, uint32_t count, uint64_t patience, char *error)
{
	struct search s = { .conn = conn, .rows = rows, .count = count, .left = patience };
	const struct oev_shelf_part *next = oev_shelf_part_after(catalog, part);
	struct oev_shelf_runs *runs = oev_shelf_runs_get(shelf->index);
	int rc = OC_OK;

	s.falls = count > 1 && rows[0].id > rows[count - 1].id;
	if (look_up(&s, runs, part) > 0)
		search_here(&s, part->facts.first_decision);
	oev_shelf_runs_put(runs);
	if (s.failed)
		return oev_shelf_fail(conn, error);
	if (without(&s) > 0 && s.left > 0 && next != NULL && next->facts.trouble[0] == '\0')
		rc = search_next(shelf, next, &s, error);
	for (uint32_t i = 0; i < count; i++)
		rows[i].is_outcome_far = !rows[i].has_outcome && s.left == 0;
	return rc;
}
