/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Rows that decisions and outcomes name by number, kept in a direct-mapped cache of the connection. They never change.
 */
#include <string.h>

#include "oev_shelf_inner.h"

#define SLOT(id) ((id) & ((1u << OEV_SHELF_MEMO_BITS) - 1))

/* The item of @id, or with *@stmt its place to be filled from the row where that stands; NULL when there is none. */
static void *find(struct oev_shelf_conn *conn, struct oev_shelf_memo *memo, unsigned which, uint64_t id,
		  sqlite3_stmt **stmt)
{
	size_t slot = SLOT(id);
	void *item = memo->items + slot * memo->item_size;

	*stmt = NULL;
	if (id == 0)
		return NULL;
	if (memo->ids[slot] == id)
		return item;
	*stmt = oev_shelf_stmt(conn, which);
	if (*stmt == NULL || sqlite3_bind_int64(*stmt, 1, (sqlite3_int64)id) != SQLITE_OK ||
	    sqlite3_step(*stmt) != SQLITE_ROW)
		return NULL;
	memo->ids[slot] = id;
	return item;
}

const struct oev_shelf_flow *oev_shelf_flow(struct oev_shelf_conn *conn, uint64_t id)
{
	sqlite3_stmt *stmt;
	struct oev_shelf_flow *flow = find(conn, &conn->flows, OEV_SHELF_S_FLOW, id, &stmt);

	if (flow == NULL || stmt == NULL)
		return flow;
	*flow = (struct oev_shelf_flow){ .app_id = oev_query_up_to(stmt, 0, UINT32_MAX),
					 .command = oev_query_up_to(stmt, 1, UINT32_MAX),
					 .client = oev_query_up_to(stmt, 2, UINT32_MAX),
					 .origin_host = oev_query_up_to(stmt, 3, UINT32_MAX),
					 .origin_realm = oev_query_up_to(stmt, 4, UINT32_MAX),
					 .dest_host = oev_query_up_to(stmt, 5, UINT32_MAX),
					 .dest_realm = oev_query_up_to(stmt, 6, UINT32_MAX),
					 .drmp = sqlite3_column_type(stmt, 7) == SQLITE_NULL
							 ? OC_DRMP_NONE
							 : (uint8_t)oev_query_up_to(stmt, 7, UINT8_MAX),
					 .cc_request_type = (uint8_t)oev_query_up_to(stmt, 8, UINT8_MAX),
					 .profile = oev_query_up_to(stmt, 9, UINT32_MAX) };
	sqlite3_reset(stmt);
	return flow;
}

const struct oev_shelf_way *oev_shelf_way(struct oev_shelf_conn *conn, uint64_t id)
{
	sqlite3_stmt *stmt;
	struct oev_shelf_way *way = find(conn, &conn->ways, OEV_SHELF_S_WAY, id, &stmt);

	if (way == NULL || stmt == NULL)
		return way;
	*way = (struct oev_shelf_way){ .verdict = (uint8_t)oev_query_up_to(stmt, 0, UINT8_MAX),
				       .why = (uint8_t)oev_query_up_to(stmt, 1, UINT8_MAX),
				       .selected_by = (uint8_t)oev_query_up_to(stmt, 2, UINT8_MAX),
				       .klass = (uint8_t)oev_query_up_to(stmt, 3, UINT8_MAX),
				       .flags = (uint16_t)oev_query_up_to(stmt, 4, UINT16_MAX),
				       .candidates = oev_query_up_to(stmt, 5, UINT32_MAX),
				       .first_choice = oev_query_up_to(stmt, 6, UINT32_MAX),
				       .next_hop = oev_query_up_to(stmt, 7, UINT32_MAX),
				       .result_code = oev_query_up_to(stmt, 8, UINT32_MAX) };
	sqlite3_reset(stmt);
	return way;
}

const struct oev_shelf_ending *oev_shelf_ending(struct oev_shelf_conn *conn, uint64_t id)
{
	sqlite3_stmt *stmt;
	struct oev_shelf_ending *ending = find(conn, &conn->endings, OEV_SHELF_S_ENDING, id, &stmt);

	if (ending == NULL || stmt == NULL)
		return ending;
	*ending = (struct oev_shelf_ending){ .result_code = oev_query_up_to(stmt, 0, UINT32_MAX),
					     .maker = (uint8_t)oev_query_up_to(stmt, 1, UINT8_MAX),
					     .answered_by = oev_query_up_to(stmt, 2, UINT32_MAX),
					     .answered_realm = oev_query_up_to(stmt, 3, UINT32_MAX),
					     .from_peer = oev_query_up_to(stmt, 4, UINT32_MAX),
					     .attempts = (uint8_t)oev_query_up_to(stmt, 5, UINT8_MAX),
					     .hints = (uint16_t)oev_query_up_to(stmt, 6, UINT16_MAX) };
	sqlite3_reset(stmt);
	return ending;
}

void oev_shelf_name(struct oev_shelf_conn *conn, uint32_t id, char out[static OEV_SHELF_NAME_MAX])
{
	sqlite3_stmt *stmt;
	char *name = find(conn, &conn->names, OEV_SHELF_S_NAME, id, &stmt);

	if (name != NULL && stmt != NULL) {
		oev_shelf_word(stmt, 0, name, OEV_SHELF_NAME_MAX);
		sqlite3_reset(stmt);
	}
	if (name != NULL)
		memcpy(out, name, OEV_SHELF_NAME_MAX);
	else
		out[0] = '\0';
}

uint32_t oev_shelf_name_id(struct oev_shelf_conn *conn, const char *text)
{
	sqlite3_stmt *stmt = oev_shelf_stmt(conn, OEV_SHELF_S_NAME_ID);
	uint32_t id = 0;

	if (stmt != NULL && sqlite3_bind_text(stmt, 1, text, -1, SQLITE_STATIC) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		id = oev_query_up_to(stmt, 0, UINT32_MAX);
	if (stmt != NULL) {
		sqlite3_reset(stmt);
		sqlite3_clear_bindings(stmt);
	}
	return id;
}
