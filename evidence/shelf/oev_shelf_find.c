/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Questions about one session, and how far the index came.
 */
#include "oev_shelf_find.h"

#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_shelf_index.h"

void oev_shelf_find_state(struct oev_shelf *shelf, struct oev_shelf_find_state *out)
{
	struct oev_shelf_catalog *catalog = oev_shelf_catalog_seen(shelf);
	struct oev_shelf_runs *runs = oev_shelf_runs_get(shelf->index);

	*out = (struct oev_shelf_find_state){ .indexed = runs != NULL ? runs->indexed : 0,
					      .is_whole = runs != NULL && runs->is_whole };
	for (size_t i = 0; catalog != NULL && i < catalog->count; i++) {
		const struct oev_shelf_segment *facts = &catalog->parts[i].facts;
		if (facts->last_decision != 0)
			out->decisions += facts->last_decision - facts->first_decision + 1;
	}
	oev_shelf_index_trouble(shelf->index, out->trouble);
	oev_shelf_runs_put(runs);
	oev_shelf_catalog_put(catalog);
}

/* Adds what @entry knows of the session. */
static void add(struct oev_shelf_session *to, const struct oev_shelf_entry *entry)
{
	to->first_us = to->decisions == 0 || entry->first_us < to->first_us ? entry->first_us : to->first_us;
	to->last_us = entry->last_us > to->last_us ? entry->last_us : to->last_us;
	to->subscriber = to->subscriber != 0 ? to->subscriber : entry->subscriber;
	to->decisions += entry->count;
	to->refused += entry->refused;
}

static void sum_up(const struct oev_shelf_runs *runs, uint64_t session, struct oev_shelf_session *out)
{
	*out = (struct oev_shelf_session){ .session = session };
	for (size_t i = 0; i < runs->count; i++) {
		struct oev_shelf_entry entry;
		if (oev_shelf_run_find(runs->runs[i], session, &entry))
			add(out, &entry);
	}
}

int oev_shelf_session(struct oev_shelf *shelf, uint64_t session, struct oev_shelf_session *out,
		      char error[static OEV_SHELF_TEXT_MAX])
{
	struct oev_shelf_runs *runs = oev_shelf_runs_get(shelf->index);
	int rc = OC_OK;

	*out = (struct oev_shelf_session){ 0 };
	error[0] = '\0';
	if (runs != NULL) {
		unsigned misses = oev_shelf_runs_misses(runs);
		sum_up(runs, session, out);
		rc = oev_shelf_runs_sound(runs, misses, error);
	}
	oev_shelf_runs_put(runs);
	return rc != OC_OK || out->decisions != 0 ? rc : OC_ENOENT;
}

/* When decision @id was, and how it ended. False: it is not there. */
static bool fill(struct oev_shelf_conn *conn, const struct oev_shelf_part *part, uint64_t id,
		 uint64_t session, struct oev_shelf_retry *out)
{
	sqlite3_stmt *stmt = oev_shelf_stmt(conn, OEV_SHELF_S_UP_MORE);
	bool is_there = stmt != NULL && sqlite3_bind_int64(stmt, 1, (sqlite3_int64)id) == SQLITE_OK &&
			sqlite3_bind_int64(stmt, 2, (sqlite3_int64)id) == SQLITE_OK &&
			sqlite3_step(stmt) == SQLITE_ROW && oev_shelf_number(stmt, 4) == session;

	if (is_there) {
		const struct oev_shelf_way *way = oev_shelf_way(conn, oev_shelf_number(stmt, 3));
		*out = (struct oev_shelf_retry){ .id = id,
						 .verdict = way != NULL ? way->verdict : OC_VERDICT_COUNT };
		memcpy(out->run, part->facts.run, sizeof(out->run));
		out->wall_us = oev_shelf_wall(conn, oev_shelf_at_ns(conn, stmt, 1));
	}
	if (stmt != NULL)
		sqlite3_reset(stmt);
	return is_there;
}

/* The decisions of one run; *@goes_on: the asker wants more. */
static int tell(struct oev_shelf *shelf, const struct oev_shelf_catalog *catalog, struct oev_shelf_run *run,
		const struct oev_shelf_entry *entry, oev_shelf_retry_fn take, void *ctx, bool *goes_on,
		char *error)
{
	const struct oev_shelf_part *part = oev_shelf_part_of(catalog, run->head->run_key, run->head->first);
	struct oev_shelf_conn *conn = NULL;
	struct oev_shelf_retry retry;
	uint64_t id;

	if (part == NULL) /* removed a moment ago */
		return OC_OK;
	int rc = oev_shelf_conn_take(shelf, part, &conn, error);
	for (uint32_t i = 0; rc == OC_OK && *goes_on && oev_shelf_run_hits(run, entry, i, 1, &id) == 1; i++)
		if (fill(conn, part, id, entry->session, &retry))
			*goes_on = take(ctx, &retry);
	oev_shelf_conn_give(shelf, conn);
	return rc;
}

int oev_shelf_of_session(struct oev_shelf *shelf, uint64_t session, oev_shelf_retry_fn take, void *ctx,
			 bool *is_whole, char *error)
{
	struct oev_shelf_catalog *catalog = oev_shelf_catalog_get(shelf);
	struct oev_shelf_runs *runs = oev_shelf_runs_get(shelf->index);
	unsigned misses = runs != NULL ? oev_shelf_runs_misses(runs) : 0;
	bool goes_on = true;
	int rc = OC_OK;

	*is_whole = runs != NULL && runs->is_whole;
	for (size_t i = 0; catalog != NULL && runs != NULL && rc == OC_OK && goes_on && i < runs->count;
	     i++) {
		struct oev_shelf_entry entry;
		if (oev_shelf_run_find(runs->runs[i], session, &entry))
			rc = tell(shelf, catalog, runs->runs[i], &entry, take, ctx, &goes_on, error);
	}
	if (rc == OC_OK && runs != NULL)
		rc = oev_shelf_runs_sound(runs, misses, error);
	oev_shelf_runs_put(runs);
	oev_shelf_catalog_put(catalog);
	return rc;
}
