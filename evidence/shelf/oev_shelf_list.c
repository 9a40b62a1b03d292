/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Pages of any list: life after life, segment after segment, along the rowids.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_shelf_inner.h"
#include "oev_shelf_list_inner.h"

#define SCHEMA_OF_ACTS 4u

struct listing {
	struct oev_shelf *shelf;
	enum oev_shelf_list list;
	const struct oev_shelf_list_shape *shape;
	const struct oev_shelf_list_filter *filter;
	const char *name; /* of the filter, "" any */
	struct oev_shelf_at at;
	uint32_t limit;
	oev_shelf_list_fn take;
	void *ctx;
	struct oev_shelf_page *page;
	char *error;
	bool is_full;
};

static uint64_t key_of(const struct listing *l)
{
	const struct oev_shelf_list_filter *f = l->filter;
	const uint64_t values[] = { 2, l->list, f->has_number, f->number, f->oldest_first };
	uint64_t hash = oev_shelf_hash(OEV_SHELF_HASH_FIRST, values, sizeof(values));

	for (const char *c = l->name; *c != '\0'; c++) {
		char lower = (char)tolower((unsigned char)*c);
		hash = oev_shelf_hash(hash, &lower, 1);
	}
	return f->run != NULL ? oev_shelf_hash(hash, f->run, strlen(f->run)) : hash;
}

static void drop_cells(struct oev_shelf_cell *cells, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (cells[i].kind > OEV_SHELF_NUMBER)
			free((char *)cells[i].text);
}

/* The columns behind rowid and time. */
static int take_cells(sqlite3_stmt *stmt, const struct oev_shelf_list_shape *shape,
		      struct oev_shelf_cell *cells)
{
	for (size_t i = 0; i < shape->count; i++) {
		int column = (int)i + 2;
		cells[i] = (struct oev_shelf_cell){ .text = "" };
		if (sqlite3_column_type(stmt, column) == SQLITE_NULL)
			continue;
		if (shape->columns[i].kind == OEV_SHELF_NUMBER) {
			cells[i].number = oev_shelf_number(stmt, column);
			cells[i].kind = OEV_SHELF_NUMBER;
			continue;
		}
		char *text = strdup(oev_query_word(stmt, column));
		if (text == NULL)
			return OC_ENOMEM;
		oev_shelf_clean(text, true);
		cells[i].text = text;
		cells[i].kind = shape->columns[i].kind;
	}
	return OC_OK;
}

static int take_row(struct listing *l, const struct oev_shelf_part *part, sqlite3_stmt *stmt)
{
	struct oev_shelf_cell cells[OEV_SHELF_COLUMNS_MAX] = { 0 };
	const struct oev_shelf_list_row row = { .run = part->facts.run,
						.segment = part->facts.name,
						.row = oev_shelf_number(stmt, 0),
						.wall_us = oev_shelf_number(stmt, 1),
						.cells = cells };
	int rc = take_cells(stmt, l->shape, cells);

	if (rc == OC_OK) {
		l->at.number = row.row;
		l->page->rows++;
		l->page->examined++;
		l->page->reached_us = row.wall_us;
		l->is_full = !l->take(l->ctx, &row) || l->page->rows == l->limit;
	}
	drop_cells(cells, l->shape->count);
	return rc == OC_OK ? rc : oev_shelf_say(l->error, rc, "out of memory");
}

/* The rowid the carried rows end with; 0: none are left out. */
static uint64_t carried_until(const struct listing *l, struct oev_shelf_conn *conn,
			      const struct oev_shelf_part *part)
{
	uint64_t rows = part->is_first ? 0 : oev_shelf_carried(part, l->shape->of), last = 0;
	sqlite3_stmt *stmt =
		rows != 0 ? oev_shelf_stmt(conn, OEV_SHELF_S_LISTS + 3 * (unsigned)l->list + 2) : NULL;

	if (stmt != NULL && sqlite3_bind_int64(stmt, 1, (sqlite3_int64)rows) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		last = oev_shelf_number(stmt, 0);
	if (stmt != NULL)
		sqlite3_reset(stmt);
	return last;
}

static int bind(const struct listing *l, sqlite3_stmt *stmt, uint64_t behind, uint64_t carried)
{
	const struct oev_shelf_list_filter *f = l->filter;
	int64_t until = f->until_us != 0 && f->until_us < INT64_MAX ? (int64_t)f->until_us : INT64_MAX;
	int64_t from = f->from_us < INT64_MAX ? (int64_t)f->from_us : INT64_MAX;
	int64_t number = !f->has_number ? -1 : f->number < INT64_MAX ? (int64_t)f->number : INT64_MAX;

	/* without a beginning of the window, what a hostile row says of its time leaves it out of nothing */
	return sqlite3_bind_int64(stmt, 1, (sqlite3_int64)behind) == SQLITE_OK &&
			       sqlite3_bind_int64(stmt, 2, from != 0 ? from : INT64_MIN) == SQLITE_OK &&
			       sqlite3_bind_int64(stmt, 3, until) == SQLITE_OK &&
			       sqlite3_bind_int64(stmt, 4, number) == SQLITE_OK &&
			       sqlite3_bind_text(stmt, 5, l->name, -1, SQLITE_STATIC) == SQLITE_OK &&
			       sqlite3_bind_int64(stmt, 6, (sqlite3_int64)carried) == SQLITE_OK
		       ? OC_OK
		       : OC_EIO;
}

static int scan(struct listing *l, struct oev_shelf_conn *conn, const struct oev_shelf_part *part,
		uint64_t behind)
{
	unsigned which = OEV_SHELF_S_LISTS + 3 * (unsigned)l->list + (l->filter->oldest_first ? 1 : 0);
	sqlite3_stmt *stmt = oev_shelf_stmt(conn, which);
	int rc = OC_OK, step = SQLITE_ROW;

	if (stmt == NULL || bind(l, stmt, behind, carried_until(l, conn, part)) != OC_OK)
		return oev_shelf_fail(conn, l->error);
	while (rc == OC_OK && !l->is_full && (step = sqlite3_step(stmt)) == SQLITE_ROW)
		rc = take_row(l, part, stmt);
	if (rc == OC_OK && step != SQLITE_ROW && step != SQLITE_DONE)
		rc = oev_shelf_fail(conn, l->error);
	sqlite3_reset(stmt);
	sqlite3_clear_bindings(stmt);
	return rc;
}

static int list_part(struct listing *l, const struct oev_shelf_part *part, uint64_t behind)
{
	struct oev_shelf_conn *conn = NULL;
	const char *run = l->filter->run != NULL ? l->filter->run : "";

	if (oev_shelf_leave_out(l->page, part) || (run[0] != '\0' && strcmp(run, part->facts.run) != 0) ||
	    (l->list == OEV_SHELF_ACTS && part->schema < SCHEMA_OF_ACTS))
		return OC_OK;
	int rc = oev_shelf_conn_take(l->shelf, part, &conn, l->error);
	if (rc != OC_OK)
		return rc;
	l->at.run_key = part->run_key;
	l->at.more = part->facts.part;
	rc = scan(l, conn, part, behind);
	oev_shelf_conn_give(l->shelf, conn);
	return rc;
}

static int list_parts(struct listing *l, const struct oev_shelf_catalog *catalog)
{
	const struct oev_shelf_at after = l->at;
	bool is_reached = !after.is_set;
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && !l->is_full && i < catalog->count; i++) {
		const struct oev_shelf_part *part =
			&catalog->parts[l->filter->oldest_first ? i : catalog->count - 1 - i];
		bool is_here =
			after.is_set && part->run_key == after.run_key && part->facts.part == after.more;
		is_reached |= is_here;
		if (is_reached)
			rc = list_part(l, part,
				       is_here			 ? after.number
				       : l->filter->oldest_first ? 0
								 : INT64_MAX);
	}
	if (rc == OC_OK && !is_reached)
		return oev_shelf_say(l->error, OC_ENOENT,
				     "the segment where this page begins is not in the folder any more");
	return rc;
}

int oev_shelf_list(struct oev_shelf *shelf, enum oev_shelf_list list,
		   const struct oev_shelf_list_filter *filter, const char *cursor, uint32_t limit,
		   oev_shelf_list_fn take, void *ctx, struct oev_shelf_page *page, char *error)
{
	struct listing l = { .shelf = shelf,
			     .list = list,
			     .shape = oev_shelf_list_shape(list),
			     .filter = filter,
			     .name = filter->name != NULL ? filter->name : "",
			     .limit = limit,
			     .take = take,
			     .ctx = ctx,
			     .page = page,
			     .error = error };

	*page = (struct oev_shelf_page){ 0 };
	error[0] = '\0';
	if (list >= OEV_SHELF_LIST_COUNT || limit == 0 || limit > OEV_SHELF_LIMIT_MAX)
		return oev_shelf_say(error, OC_EINVAL, "a page of a list has 1 to %u rows",
				     OEV_SHELF_LIMIT_MAX);
	int rc = oev_shelf_cursor_parse(cursor, key_of(&l), &l.at, error);
	if (rc != OC_OK)
		return rc;
	struct oev_shelf_catalog *catalog = oev_shelf_catalog_get(shelf);
	if (catalog == NULL)
		return oev_shelf_say(error, OC_EIO, "the folder cannot be read");
	rc = list_parts(&l, catalog);
	oev_shelf_catalog_put(catalog);
	if (rc == OC_OK && l.is_full)
		oev_shelf_cursor_text(page->next, key_of(&l), &l.at);
	page->is_end = rc == OC_OK && !l.is_full;
	return rc;
}
