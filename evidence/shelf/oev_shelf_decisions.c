/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Pages of decisions: life after life, segment after segment, along the numbers.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_shelf_index.h"
#include "oev_shelf_inner.h"

#define BATCH 128u
#define PATIENCE 40000u	      /* rows of table outcome looked at for one page */
#define PATIENCE_MORE 400000u /* ... for a few rows, when what passes depends on it */

struct paging {
	struct oev_shelf *shelf;
	struct oev_shelf_catalog *catalog;
	struct oev_shelf_runs *runs; /* when a session or a subscriber is asked for; NULL else */
	const struct oev_shelf_filter *filter;
	struct oev_shelf_pass pass;
	struct oev_shelf_at at; /* behind the last row that is done */
	uint32_t limit;
	uint64_t examine_max;
	oev_shelf_take_fn take;
	void *ctx;
	struct oev_shelf_page *page;
	char *error;
	bool is_full; /* the page ends here */
	struct oev_shelf_decision *batch;
	uint32_t held;
};

static uint32_t batch_size(const struct paging *p)
{
	uint32_t left = p->limit - p->page->rows;

	return p->pass.of_outcome || left > BATCH ? BATCH : left;
}

/* Gives what is held to whoever asked. */
static int flush(struct paging *p, struct oev_shelf_conn *conn, const struct oev_shelf_part *part)
{
	uint64_t patience = p->pass.of_outcome ? PATIENCE_MORE : PATIENCE;
	int rc = oev_shelf_outcomes(p->shelf, p->catalog, conn, part, p->batch, p->held, patience, p->error);

	for (uint32_t i = 0; rc == OC_OK && i < p->held && !p->is_full; i++) {
		const struct oev_shelf_decision *row = &p->batch[i];
		p->at.number = row->id;
		p->page->reached_us = row->wall_us;
		if (!oev_shelf_pass_outcome(&p->pass, row))
			continue;
		p->page->rows++;
		p->is_full = !p->take(p->ctx, row) || p->page->rows == p->limit;
	}
	p->held = 0;
	return rc;
}

/* What the scan stands at is looked at; OC_OK also when it does not pass. */
static int examine(struct paging *p, struct oev_shelf_conn *conn, const struct oev_shelf_part *part,
		   sqlite3_stmt *stmt)
{
	uint64_t id = oev_shelf_number(stmt, 0);
	bool passes = oev_shelf_pass_row(&p->pass, conn, stmt);
	int rc = OC_OK;

	p->page->examined++;
	if (passes)
		rc = oev_shelf_row(conn, part, id, &p->batch[p->held++]);
	if (rc != OC_OK)
		return oev_shelf_fail(conn, p->error);
	bool is_spent = p->page->examined >= p->examine_max;
	if (p->held > 0 && (p->held >= batch_size(p) || is_spent))
		rc = flush(p, conn, part);
	if (rc == OC_OK && !p->is_full && (p->held == 0 || is_spent)) {
		p->at.number = id;
		if (is_spent)
			p->page->reached_us = oev_shelf_wall(conn, oev_shelf_at_ns(conn, stmt, 1));
	}
	p->is_full |= is_spent;
	return rc;
}

static int scan(struct paging *p, struct oev_shelf_conn *conn, const struct oev_shelf_part *part,
		uint64_t low, uint64_t high)
{
	sqlite3_stmt *stmt = oev_shelf_stmt(conn, oev_shelf_pass_scan(&p->pass));
	int rc = OC_OK, step = SQLITE_DONE;

	if (low > high)
		return OC_OK;
	if (stmt == NULL || sqlite3_bind_int64(stmt, 1, (sqlite3_int64)high) != SQLITE_OK ||
	    sqlite3_bind_int64(stmt, 2, (sqlite3_int64)low) != SQLITE_OK)
		return oev_shelf_fail(conn, p->error);
	while (rc == OC_OK && !p->is_full && (step = sqlite3_step(stmt)) == SQLITE_ROW)
		rc = examine(p, conn, part, stmt);
	if (rc == OC_OK && step != SQLITE_ROW && step != SQLITE_DONE)
		rc = oev_shelf_fail(conn, p->error);
	sqlite3_reset(stmt);
	return rc == OC_OK && !p->is_full && p->held > 0 ? flush(p, conn, part) : rc;
}

/* The same for a session or a subscriber: what the index knows is not scanned for. */
static int scan_hits(struct paging *p, struct oev_shelf_conn *conn, const struct oev_shelf_part *part,
		     uint64_t low, uint64_t high)
{
	const struct oev_shelf_filter *f = p->filter;
	struct oev_shelf_hits hits;
	int rc = oev_shelf_hits(&hits, p->runs, part, f->session, f->subscriber, low, high);
	uint64_t tail = hits.covered + 1 > low ? hits.covered + 1 : low;

	if (rc == OC_EIO) {
		free(hits.ids);
		return scan(p, conn, part, low, high);
	}
	if (rc != OC_OK)
		oev_shelf_say(p->error, rc, "out of memory");
	else if (!f->oldest_first)
		rc = scan(p, conn, part, tail, high);
	for (size_t i = 0; rc == OC_OK && !p->is_full && i < hits.count; i++) {
		uint64_t id = hits.ids[f->oldest_first ? i : hits.count - 1 - i];
		rc = scan(p, conn, part, id, id);
	}
	if (rc == OC_OK && !p->is_full && f->oldest_first)
		rc = scan(p, conn, part, tail, high);
	free(hits.ids);
	return rc;
}

/* Whether the window lies elsewhere. Times of segments are those of the wall clock, which may have been set: an hour is left, and one that
 * is not closed, or ends before it begins, may reach back behind its beginning. */
static bool is_outside(const struct oev_shelf_filter *f, const struct oev_shelf_segment *facts)
{
	const uint64_t slack_us = 3600000000ull;
	bool is_closed = facts->closed_how[0] != '\0';
	uint64_t last_us = facts->until_us > facts->from_us ? facts->until_us : facts->from_us;
	uint64_t first_us = facts->until_us < facts->from_us ? facts->until_us : facts->from_us;

	return (f->until_us != 0 && is_closed && first_us > f->until_us + slack_us) ||
	       (f->from_us != 0 && is_closed && last_us + slack_us < f->from_us);
}

/* One segment, from behind @after on when it is of the same life. */
static int page_part(struct paging *p, const struct oev_shelf_part *part, const struct oev_shelf_at *after)
{
	struct oev_shelf_conn *conn = NULL;
	uint64_t low = 1, high = INT64_MAX;
	bool is_same = after->is_set && after->run_key == part->run_key;

	if (is_same && p->filter->oldest_first)
		low = after->number < INT64_MAX ? after->number + 1 : INT64_MAX;
	else if (is_same)
		high = after->number > 0 ? after->number - 1 : 0;
	if (oev_shelf_leave_out(p->page, part) || is_outside(p->filter, &part->facts) || low > high ||
	    (part->facts.closed_how[0] != '\0' &&
	     (part->facts.last_decision < low || part->facts.first_decision > high)))
		return OC_OK;
	int rc = oev_shelf_conn_take(p->shelf, part, &conn, p->error);
	if (rc == OC_ENOENT || rc == OC_EIO) /* removed a moment ago? */
		return oev_shelf_say(p->error, OC_EIO, "segment %s cannot be opened", part->facts.name);
	if (rc != OC_OK)
		return rc;
	oev_shelf_pass_enter(&p->pass, conn, part);
	if (!p->pass.is_none && p->pass.of_time)
		rc = oev_shelf_between(conn, p->filter->from_us, p->filter->until_us, &low, &high);
	if (rc != OC_OK)
		oev_shelf_fail(conn, p->error);
	if (rc == OC_OK && !p->pass.is_none) {
		p->at.run_key = part->run_key;
		rc = p->runs != NULL ? scan_hits(p, conn, part, low, high) : scan(p, conn, part, low, high);
	}
	oev_shelf_conn_give(p->shelf, conn);
	return rc;
}

/* @part is the first one left of the life in which @after stands: what was to come in front of it is not read any more. */
static void tell_removed(struct oev_shelf_page *page, const struct oev_shelf_part *part,
			 const struct oev_shelf_at *after)
{
	if (part->run_key == after->run_key && part->facts.first_decision > after->number + 1)
		snprintf(page->left_out, sizeof(page->left_out),
			 "decisions %" PRIu64 " to %" PRIu64 " of run %s: not in the folder any more",
			 after->number + 1, part->facts.first_decision - 1, part->facts.run);
}

/* From the life the cursor stands in on, in either direction. */
static int page_parts(struct paging *p)
{
	const struct oev_shelf_at after = p->at;
	bool is_reached = !after.is_set;
	size_t count = p->catalog->count;
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && !p->is_full && i < count; i++) {
		const struct oev_shelf_part *part =
			&p->catalog->parts[p->filter->oldest_first ? i : count - 1 - i];
		if (!is_reached && part->run_key == after.run_key) {
			is_reached = true;
			if (p->filter->oldest_first)
				tell_removed(p->page, part, &after);
		}
		if (is_reached)
			rc = page_part(p, part, &after);
	}
	if (rc == OC_OK && !is_reached)
		return oev_shelf_say(p->error, OC_ENOENT,
				     "the segment where this page begins is not in the folder any more");
	return rc;
}

static int run(struct paging *p, const char *cursor)
{
	uint64_t key = oev_shelf_filter_key(p->filter);
	int rc = oev_shelf_pass_init(&p->pass, p->filter, p->error);

	if (rc == OC_OK)
		rc = oev_shelf_cursor_parse(cursor, key, &p->at, p->error);
	if (rc != OC_OK)
		return rc;
	p->batch = calloc(BATCH, sizeof(*p->batch));
	p->catalog = oev_shelf_catalog_get(p->shelf);
	if (p->filter->session != 0 || p->filter->subscriber != 0)
		p->runs = oev_shelf_runs_get(p->shelf->index);
	if (p->batch == NULL)
		rc = oev_shelf_say(p->error, OC_ENOMEM, "out of memory");
	else if (p->catalog == NULL)
		rc = oev_shelf_say(p->error, OC_EIO, "the folder cannot be read");
	else
		rc = page_parts(p);
	if (rc == OC_OK && p->is_full)
		oev_shelf_cursor_text(p->page->next, key, &p->at);
	p->page->is_end = rc == OC_OK && !p->is_full;
	free(p->batch);
	oev_shelf_runs_put(p->runs);
	oev_shelf_catalog_put(p->catalog);
	return rc;
}

int oev_shelf_decisions(struct oev_shelf *shelf, const struct oev_shelf_filter *filter, const char *cursor,
			uint32_t limit, uint64_t examine_max, oev_shelf_take_fn take, void *ctx,
			struct oev_shelf_page *page, char error[static OEV_SHELF_TEXT_MAX])
{
	struct paging p = { .shelf = shelf,
			    .filter = filter,
			    .limit = limit,
			    .examine_max = examine_max != 0 ? examine_max : OEV_SHELF_EXAMINE,
			    .take = take,
			    .ctx = ctx,
			    .page = page,
			    .error = error };

	*page = (struct oev_shelf_page){ 0 };
	error[0] = '\0';
	if (limit == 0 || limit > OEV_SHELF_LIMIT_MAX)
		return oev_shelf_say(error, OC_EINVAL, "a page has 1 to %u rows", OEV_SHELF_LIMIT_MAX);
	return run(&p, cursor);
}
