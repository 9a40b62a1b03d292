/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Connections to segments: a few are kept, the one used longest ago goes first.
 *
 * A sealed segment is opened immutable. One that is being written is read in a transaction of the question's length, so that the
 * recorder can fold its WAL. One that is finished but not sealed is closed after each question: it cannot be sealed while readers
 * have it open.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../audit/oev_query_open.h"
#include "../oev_clock.h"
#include "oev_shelf_inner.h"

#define STATEMENT_NS 10000000000ull /* longest question */
#define PROGRESS_STEPS 20000
#define VALUE_MAX (64 << 20) /* octets of one value */

static int on_progress(void *ctx)
{
	const struct oev_shelf_conn *conn = ctx;

	return oev_clock_mono_ns() > conn->until_ns;
}

/* Every table asked must be one: a view in its place could do anything. */
static bool is_plain(sqlite3 *db)
{
	static const char sql[] = "SELECT count(*) FROM sqlite_schema WHERE (type = 'view' AND name NOT LIKE"
				  " 'v\\_%' ESCAPE '\\') OR (type = 'table' AND sql LIKE 'CREATE VIRTUAL%')";
	sqlite3_stmt *stmt = NULL;
	bool is_good = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
		       sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_int64(stmt, 0) == 0;

	sqlite3_finalize(stmt);
	return is_good;
}

static bool memo_init(struct oev_shelf_memo *memo, size_t item_size)
{
	memo->item_size = item_size;
	memo->ids = calloc((size_t)1 << OEV_SHELF_MEMO_BITS, sizeof(*memo->ids));
	memo->items = calloc((size_t)1 << OEV_SHELF_MEMO_BITS, item_size);
	return memo->ids != NULL && memo->items != NULL;
}

static void memo_fini(struct oev_shelf_memo *memo)
{
	free(memo->ids);
	free(memo->items);
}

/* Somebody wants to seal it. */
static bool is_passing(const struct oev_shelf_part *part)
{
	return !part->facts.is_sealed && part->facts.closed_how[0] != '\0';
}

/* Of the file as it is opened: @part may be of a moment before. */
void oev_shelf_conn_describe(struct oev_shelf_conn *conn, const struct oev_shelf_part *part)
{
	const char *file = sqlite3_db_filename(conn->db, "main");

	memcpy(conn->name, part->facts.name, sizeof(conn->name));
	conn->inode = part->inode;
	conn->changed_ns = part->changed_ns;
	conn->base_ns = part->base_ns;
	conn->schema = part->schema;
	conn->is_sealed = part->facts.is_sealed;
	conn->is_passing = is_passing(part);
	const char *slash = file != NULL ? strrchr(file, '/') : NULL;
	conn->is_copy = slash != NULL && strcmp(slash + 1, conn->name) != 0;
}

int oev_shelf_conn_new(struct oev_shelf_conn **out, const struct oev_shelf_part *part, char *error)
{
	struct oev_shelf_conn *conn = calloc(1, sizeof(*conn));
	int rc = conn != NULL ? OC_OK : OC_ENOMEM;

	if (rc == OC_OK && (!memo_init(&conn->flows, sizeof(struct oev_shelf_flow)) ||
			    !memo_init(&conn->ways, sizeof(struct oev_shelf_way)) ||
			    !memo_init(&conn->endings, sizeof(struct oev_shelf_ending)) ||
			    !memo_init(&conn->names, OEV_SHELF_NAME_MAX)))
		rc = OC_ENOMEM;
	if (rc != OC_OK)
		oev_shelf_say(error, rc, "out of memory");
	if (rc == OC_OK)
		rc = oev_query_open(part->path, &conn->db, error, OEV_SHELF_TEXT_MAX);
	if (rc == OC_OK) {
		oev_shelf_conn_describe(conn, part);
		conn->until_ns = oev_clock_mono_ns() + STATEMENT_NS;
		sqlite3_limit(conn->db, SQLITE_LIMIT_LENGTH, VALUE_MAX);
		sqlite3_progress_handler(conn->db, PROGRESS_STEPS, on_progress, conn);
		if (!is_plain(conn->db))
			rc = oev_shelf_say(error, OC_EMALFORMED, "segment %s is not an evidence segment",
					   part->facts.name);
	}
	if (rc == OC_OK)
		sqlite3_exec(conn->db, "COMMIT", NULL, NULL, NULL);
	if (rc != OC_OK) {
		oev_shelf_conn_free(conn);
		conn = NULL;
	}
	*out = conn;
	return rc;
}

void oev_shelf_conn_free(struct oev_shelf_conn *conn)
{
	if (conn == NULL)
		return;
	for (unsigned i = 0; i < OEV_SHELF_S_COUNT; i++)
		sqlite3_finalize(conn->stmts[i]);
	sqlite3_close(conn->db);
	oev_times_fini(&conn->times);
	memo_fini(&conn->flows);
	memo_fini(&conn->ways);
	memo_fini(&conn->endings);
	memo_fini(&conn->names);
	free(conn);
}

sqlite3_stmt *oev_shelf_stmt(struct oev_shelf_conn *conn, unsigned which)
{
	sqlite3_stmt **stmt = &conn->stmts[which];

	if (*stmt == NULL && sqlite3_prepare_v3(conn->db, oev_shelf_sql(which), -1, SQLITE_PREPARE_PERSISTENT,
						stmt, NULL) != SQLITE_OK)
		return NULL;
	sqlite3_reset(*stmt);
	return *stmt;
}

static bool fits(const struct oev_shelf_conn *conn, const struct oev_shelf_part *part)
{
	return conn->inode == part->inode && conn->is_sealed == part->facts.is_sealed &&
	       strcmp(conn->name, part->facts.name) == 0 &&
	       (!conn->is_copy || conn->changed_ns == part->changed_ns);
}

/* An idle one for @part, taken out of the kept ones. */
static struct oev_shelf_conn *find(struct oev_shelf *shelf, const struct oev_shelf_part *part)
{
	struct oev_shelf_conn *found = NULL;

	pthread_mutex_lock(&shelf->lock);
	for (unsigned i = 0; found == NULL && i < OEV_SHELF_CONNS; i++)
		if (shelf->conns[i] != NULL && fits(shelf->conns[i], part)) {
			found = shelf->conns[i];
			shelf->conns[i] = NULL;
		}
	pthread_mutex_unlock(&shelf->lock);
	return found;
}

int oev_shelf_conn_take(struct oev_shelf *shelf, const struct oev_shelf_part *part,
			struct oev_shelf_conn **out, char *error)
{
	struct oev_shelf_conn *conn;
	int rc = OC_OK;

	*out = NULL;
	if (part->facts.trouble[0] != '\0')
		return oev_shelf_say(error, OC_EIO, "segment %s: %s", part->facts.name, part->facts.trouble);
	conn = find(shelf, part);
	if (conn == NULL)
		rc = oev_shelf_conn_new(&conn, part, error);
	if (rc != OC_OK)
		return rc;
	conn->is_passing = is_passing(part);
	conn->until_ns = oev_clock_mono_ns() + STATEMENT_NS;
	if (conn->clock.until_ns == UINT64_MAX)
		conn->clock.from_ns = conn->clock.until_ns = 0; /* another pair may follow by now */
	if (sqlite3_exec(conn->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK) {
		rc = oev_shelf_fail(conn, error);
		oev_shelf_conn_free(conn);
		return rc;
	}
	*out = conn;
	return OC_OK;
}

/* Where it can be kept: a free place, or that of the one used longest ago, which is returned in *@old. */
static struct oev_shelf_conn **place(struct oev_shelf *shelf)
{
	struct oev_shelf_conn **oldest = &shelf->conns[0];

	for (unsigned i = 0; i < OEV_SHELF_CONNS; i++) {
		if (shelf->conns[i] == NULL)
			return &shelf->conns[i];
		if (shelf->conns[i]->used < (*oldest)->used)
			oldest = &shelf->conns[i];
	}
	return oldest;
}

void oev_shelf_conn_give(struct oev_shelf *shelf, struct oev_shelf_conn *conn)
{
	struct oev_shelf_conn *old = conn;

	if (conn == NULL)
		return;
	for (unsigned i = 0; i < OEV_SHELF_S_COUNT; i++)
		if (conn->stmts[i] != NULL)
			sqlite3_reset(conn->stmts[i]);
	bool is_good = sqlite3_exec(conn->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
	if (is_good && !conn->is_passing) {
		pthread_mutex_lock(&shelf->lock);
		struct oev_shelf_conn **at = place(shelf);
		conn->used = ++shelf->uses;
		old = *at;
		*at = conn;
		pthread_mutex_unlock(&shelf->lock);
	}
	oev_shelf_conn_free(old);
}

/* Whether @conn is of no more use: its segment is gone, or another one, or waits for its readers to leave. */
static bool is_over(const struct oev_shelf_conn *conn, const struct oev_shelf_catalog *catalog)
{
	for (size_t i = 0; i < catalog->count; i++)
		if (fits(conn, &catalog->parts[i]))
			return is_passing(&catalog->parts[i]);
	return true;
}

void oev_shelf_conns_sweep(struct oev_shelf *shelf, const struct oev_shelf_catalog *catalog)
{
	struct oev_shelf_conn *over[OEV_SHELF_CONNS];
	unsigned count = 0;

	pthread_mutex_lock(&shelf->lock);
	for (unsigned i = 0; i < OEV_SHELF_CONNS; i++)
		if (shelf->conns[i] != NULL && is_over(shelf->conns[i], catalog)) {
			over[count++] = shelf->conns[i];
			shelf->conns[i] = NULL;
		}
	pthread_mutex_unlock(&shelf->lock);
	while (count > 0)
		oev_shelf_conn_free(over[--count]);
}

void oev_shelf_conns_close(struct oev_shelf *shelf)
{
	for (unsigned i = 0; i < OEV_SHELF_CONNS; i++) {
		oev_shelf_conn_free(shelf->conns[i]);
		shelf->conns[i] = NULL;
	}
}
