/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What one segment says of itself, and its seal of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_seal.h"
#include "oev_shelf_inner.h"

#define SCHEMA_OLDEST 3u /* rows of its kind: flows, ways, endings */
#define SCHEMA_NEWEST 4u

static void take_meta(struct oev_shelf_part *part, const char *key, const char *value)
{
	struct oev_shelf_segment *facts = &part->facts;
	const struct {
		const char *key;
		char *text;
		size_t size;
		uint64_t *number;
	} known[] = {
		{ "run", facts->run, sizeof(facts->run), NULL },
		{ "node", facts->node, sizeof(facts->node), NULL },
		{ "closed_how", facts->closed_how, sizeof(facts->closed_how), NULL },
		{ "part", NULL, 0, &facts->part },
		{ "base_ns", NULL, 0, &part->base_ns },
		{ "started_us", NULL, 0, &facts->from_us },
		{ "closed_us", NULL, 0, &facts->until_us },
	};

	if (strcmp(key, "schema") == 0)
		part->schema = (uint32_t)strtoul(value, NULL, 10);
	if (strcmp(key, "kind") == 0)
		facts->is_capture = strcmp(value, "capture") == 0;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(key, known[i].key) != 0)
			continue;
		if (known[i].number != NULL)
			*known[i].number = strtoull(value, NULL, 10) & INT64_MAX;
		else
			snprintf(known[i].text, known[i].size, "%s", value);
		if (known[i].text != NULL)
			oev_shelf_clean(known[i].text, false);
	}
}

static bool read_meta(struct oev_shelf_part *part, struct oev_shelf_conn *conn)
{
	sqlite3_stmt *stmt = oev_shelf_stmt(conn, OEV_SHELF_S_META);
	int step = SQLITE_ERROR;

	while (stmt != NULL && (step = sqlite3_step(stmt)) == SQLITE_ROW)
		take_meta(part, oev_query_word(stmt, 0), oev_query_word(stmt, 1));
	return step == SQLITE_DONE;
}

static bool read_last(struct oev_shelf_part *part, struct oev_shelf_conn *conn)
{
	struct oev_shelf_segment *facts = &part->facts;
	sqlite3_stmt *stmt = oev_shelf_stmt(conn, OEV_SHELF_S_LAST);

	if (stmt == NULL || sqlite3_step(stmt) != SQLITE_ROW)
		return false;
	facts->first_decision = oev_shelf_number(stmt, 0);
	facts->last_decision = oev_shelf_number(stmt, 1);
	facts->batches_first = oev_shelf_number(stmt, 2);
	facts->batches_last = oev_shelf_number(stmt, 3);
	if (facts->until_us == 0 || strcmp(facts->closed_how, "recovered") == 0)
		facts->until_us = oev_shelf_number(stmt, 4);
	return true;
}

static bool read_carried(struct oev_shelf_part *part, struct oev_shelf_conn *conn)
{
	sqlite3_stmt *stmt = oev_shelf_stmt(conn, OEV_SHELF_S_CARRIED);
	int step = SQLITE_ERROR;

	part->carried_count = 0;
	while (stmt != NULL && (step = sqlite3_step(stmt)) == SQLITE_ROW &&
	       part->carried_count < OEV_SHELF_TABLES_MAX) {
		oev_query_copy(stmt, 0, part->carried[part->carried_count].table,
			       sizeof(part->carried[0].table));
		part->carried[part->carried_count++].rows = oev_shelf_number(stmt, 1);
	}
	return step == SQLITE_DONE || step == SQLITE_ROW;
}

void oev_shelf_facts_seal(struct oev_shelf_part *part)
{
	char path[OEV_SHELF_PATH_MAX + 8];
	struct oev_seal seal;
	struct oev_why why;

	snprintf(path, sizeof(path), "%s" OEV_SEAL_SUFFIX, part->path);
	if (oev_seal_read(path, NULL, &seal, &why) != OC_OK || strcmp(seal.segment, part->facts.name) != 0 ||
	    seal.bytes != part->octets)
		return;
	oev_hash_hex(&seal.sha256, part->facts.sha256);
	part->facts.sealed_us = seal.wall_us;
}

/* Whether its rows are of a kind that can be asked for. */
static bool check(struct oev_shelf_part *part)
{
	struct oev_shelf_segment *facts = &part->facts;
	const char *what = NULL;

	if (part->schema == 0)
		what = "not an evidence segment";
	else if (part->schema < SCHEMA_OLDEST)
		what = "written by an older version: doic audit reads it";
	else if (part->schema > SCHEMA_NEWEST)
		what = "written by a newer version; use a newer doic";
	if (what != NULL)
		snprintf(facts->trouble, sizeof(facts->trouble), "%s", what);
	return what == NULL;
}

void oev_shelf_facts(struct oev_shelf *shelf, struct oev_shelf_part *part)
{
	struct oev_shelf_conn *conn = NULL;
	char error[OEV_SHELF_TEXT_MAX] = "";

	part->facts.trouble[0] = '\0';
	int rc = oev_shelf_conn_take(shelf, part, &conn, error);
	part->may_pass = rc == OC_EIO || rc == OC_ENOMEM;
	if (rc != OC_OK) {
		snprintf(part->facts.trouble, sizeof(part->facts.trouble), "%.150s", error);
		oev_shelf_clean(part->facts.trouble, false);
		return;
	}
	part->facts.until_us = 0;
	part->facts.closed_how[0] = '\0';
	bool is_read =
		read_meta(part, conn) && check(part) && read_last(part, conn) && read_carried(part, conn);
	if (!is_read && part->facts.trouble[0] == '\0')
		snprintf(part->facts.trouble, sizeof(part->facts.trouble), "not an evidence segment (%.100s)",
			 sqlite3_errmsg(conn->db));
	part->run_key = oev_shelf_run_key(part->facts.run);
	oev_shelf_conn_describe(conn, part);
	if (is_read && !part->facts.is_sealed)
		oev_shelf_conn_give(shelf, conn); /* it is asked again and again */
	else
		oev_shelf_conn_free(conn);
}
