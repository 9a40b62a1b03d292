/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Making the sorted arrays out of rows: read in slices, sort, group.
 */
#include "oev_shelf_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

#define SLICE 16384u /* rows of one read: a live segment is held for no longer */
#define SESSION_MAX (1ull << 47)

/* One decision with a session. */
struct hit {
	uint64_t session, subscriber, wall_us;
	uint32_t off; /* its number minus that of the first */
	uint32_t refused;
};

struct making {
	struct hit *hits;
	size_t count, room;
	struct oev_shelf_run_head head;
};

/* What sorts entries, and which. */
struct key {
	uint64_t subscriber, last_us;
	uint32_t entry;
};

static int add(struct making *m, const struct hit *hit)
{
	if (m->count == m->room) {
		size_t room = m->room != 0 ? 2 * m->room : 4096;
		struct hit *more = realloc(m->hits, room * sizeof(*more));
		if (more == NULL)
			return OC_ENOMEM;
		m->hits = more;
		m->room = room;
	}
	m->hits[m->count++] = *hit;
	return OC_OK;
}

static int take_row(struct making *m, struct oev_shelf_conn *conn, sqlite3_stmt *stmt)
{
	uint64_t id = oev_shelf_number(stmt, 0), session = oev_shelf_number(stmt, 3);
	uint64_t subscriber = oev_shelf_number(stmt, 4);
	uint64_t wall_us = oev_shelf_wall(conn, oev_shelf_at_ns(conn, stmt, 1));
	const struct oev_shelf_way *way = oev_shelf_way(conn, oev_shelf_number(stmt, 2));

	if (m->head.rows++ == 0) {
		m->head.first = id;
		m->head.from_us = wall_us;
	}
	m->head.last = id;
	if (session == 0 || session >= SESSION_MAX)
		return OC_OK;
	return add(m, &(struct hit){ .session = session,
				     .subscriber = subscriber < SESSION_MAX ? subscriber : 0,
				     .wall_us = wall_us,
				     .off = (uint32_t)(id - m->head.first),
				     .refused = way != NULL && way->verdict == OC_REFUSE });
}

/* A few rows from @from on; *@is_over: that was the end. */
static int read_slice(struct making *m, struct oev_shelf *shelf, const struct oev_shelf_part *part,
		      uint64_t from, uint64_t rows, bool *is_over, char *error)
{
	struct oev_shelf_conn *conn = NULL;
	int rc = oev_shelf_conn_take(shelf, part, &conn, error), step = SQLITE_ERROR;

	if (rc != OC_OK)
		return rc;
	sqlite3_stmt *stmt = oev_shelf_stmt(conn, OEV_SHELF_S_SESSIONS);
	if (stmt != NULL && sqlite3_bind_int64(stmt, 1, (sqlite3_int64)from) == SQLITE_OK &&
	    sqlite3_bind_int64(stmt, 2, INT64_MAX) == SQLITE_OK)
		step = SQLITE_ROW;
	for (; step == SQLITE_ROW && rc == OC_OK && rows > 0; rows--) {
		step = sqlite3_step(stmt);
		bool is_far = step == SQLITE_ROW && m->head.rows != 0 &&
			      oev_shelf_number(stmt, 0) - m->head.first > UINT32_MAX;
		*is_over = step == SQLITE_DONE || is_far;
		if (is_far)
			break;
		if (step == SQLITE_ROW)
			rc = take_row(m, conn, stmt);
	}
	if (rc == OC_ENOMEM)
		oev_shelf_say(error, rc, "out of memory");
	else if (step != SQLITE_ROW && step != SQLITE_DONE)
		rc = oev_shelf_fail(conn, error);
	oev_shelf_conn_give(shelf, conn);
	return rc;
}

static int read_rows(struct making *m, struct oev_shelf *shelf, const struct oev_shelf_part *part,
		     uint64_t first, uint64_t rows, const _Atomic bool *stop, char *error)
{
	bool is_over = false;
	int rc = OC_OK;

	while (rc == OC_OK && !is_over && m->head.rows < rows) {
		uint64_t from = m->head.rows != 0 ? m->head.last + 1 : first;
		uint64_t left = rows - m->head.rows;
		if (atomic_load(stop))
			return oev_shelf_say(error, OC_EINTERRUPTED, "stopped");
		rc = read_slice(m, shelf, part, from, left < SLICE ? left : SLICE, &is_over, error);
	}
	return rc;
}

static int by_session(const void *a, const void *b)
{
	const struct hit *left = a, *right = b;

	if (left->session != right->session)
		return left->session < right->session ? -1 : 1;
	return left->off < right->off ? -1 : left->off > right->off;
}

static int by_key(const void *a, const void *b)
{
	const struct key *left = a, *right = b;

	if (left->subscriber != right->subscriber)
		return left->subscriber < right->subscriber ? -1 : 1;
	if (left->last_us != right->last_us)
		return left->last_us > right->last_us ? -1 : 1;
	return left->entry > right->entry ? -1 : left->entry < right->entry;
}

static void count(struct making *m)
{
	const struct hit *hits = m->hits;
	bool is_known = false;

	for (size_t i = 0; i < m->count; i++) {
		is_known |= hits[i].subscriber != 0;
		if (i + 1 < m->count && hits[i + 1].session == hits[i].session)
			continue;
		m->head.entries++;
		m->head.known += is_known;
		is_known = false;
	}
	m->head.hits = m->count;
}

static void fill_entries(const struct making *m, struct oev_shelf_entry *entry, uint32_t *hits)
{
	for (size_t i = 0; i < m->count; i++) {
		const struct hit *hit = &m->hits[i];
		bool is_new = i == 0 || hit->session != hit[-1].session;
		if (is_new && i != 0)
			entry++;
		if (is_new)
			*entry = (struct oev_shelf_entry){ .session = hit->session,
							   .first_us = hit->wall_us,
							   .at = (uint32_t)i };
		entry->subscriber = entry->subscriber != 0 ? entry->subscriber : hit->subscriber;
		entry->last_us = hit->wall_us > entry->last_us ? hit->wall_us : entry->last_us;
		entry->count++;
		entry->refused += hit->refused;
		hits[i] = hit->off;
	}
}

/* The orders of the entries: newest first, and by subscriber. */
static int fill_orders(const struct oev_shelf_arrays *arrays, size_t entries)
{
	size_t known = 0;
	struct key *keys = malloc((entries + 1) * sizeof(*keys));

	if (keys == NULL)
		return OC_ENOMEM;
	for (size_t i = 0; i < entries; i++)
		keys[i] = (struct key){ .last_us = arrays->entries[i].last_us, .entry = (uint32_t)i };
	qsort(keys, entries, sizeof(*keys), by_key);
	for (size_t i = 0; i < entries; i++)
		arrays->by_last[i] = keys[i].entry;
	for (size_t i = 0; i < entries; i++)
		if (arrays->entries[i].subscriber != 0)
			keys[known++] = (struct key){ .subscriber = arrays->entries[i].subscriber,
						      .last_us = arrays->entries[i].last_us,
						      .entry = (uint32_t)i };
	qsort(keys, known, sizeof(*keys), by_key);
	for (size_t i = 0; i < known; i++)
		arrays->by_subscriber[i] = keys[i].entry;
	free(keys);
	return OC_OK;
}

static int put_together(struct oev_shelf_run **out, struct making *m, struct oev_shelf *shelf,
			const struct oev_shelf_part *part, const char *path, const _Atomic bool *stop,
			char *error)
{
	uint64_t span = m->head.last - m->head.first + 1;

	/* numbers have no holes unless somebody altered them */
	m->head.places = part->facts.is_sealed && span <= 2 * m->head.rows ? span : 0;
	if (m->count > 1)
		qsort(m->hits, m->count, sizeof(*m->hits), by_session);
	count(m);
	int rc = oev_shelf_run_new(out, &m->head);
	if (rc != OC_OK)
		return rc;
	struct oev_shelf_run *run = *out;
	const struct oev_shelf_arrays arrays = oev_shelf_run_arrays(run);
	fill_entries(m, arrays.entries, arrays.hits);
	rc = fill_orders(&arrays, run->head->entries);
	if (rc == OC_OK && run->head->places != 0)
		rc = oev_shelf_run_places(arrays.places, run->head, shelf, part, stop, error);
	if (rc != OC_OK) {
		oev_shelf_run_put(run);
		*out = NULL;
	} else if (oev_shelf_run_seal(run, path) != OC_OK) {
		oev_shelf_say(error, OC_EIO, "the index of segment %s cannot be written: %s",
			      part->facts.name, strerror(errno));
	}
	return rc;
}

int oev_shelf_run_make(struct oev_shelf_run **out, struct oev_shelf *shelf, const struct oev_shelf_part *part,
		       uint64_t first, uint64_t rows, const char *path, const _Atomic bool *stop, char *error)
{
	struct making m = { 0 };
	int rc = read_rows(&m, shelf, part, first, rows, stop, error);

	*out = NULL;
	memcpy(m.head.segment, part->facts.name, sizeof(m.head.segment));
	memcpy(m.head.sha256, part->facts.sha256, sizeof(part->facts.sha256));
	m.head.run_key = part->run_key;
	if (rc == OC_OK && m.head.rows != 0) {
		rc = put_together(out, &m, shelf, part, path, stop, error);
		if (rc != OC_OK && error[0] == '\0')
			oev_shelf_say(error, rc, "the index of segment %s cannot be made%s", part->facts.name,
				      rc == OC_ENOMEM ? ": out of memory" : "");
	}
	free(m.hits);
	return rc;
}
