/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One decision out of its row and the rows that it names.
 */
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_shelf_inner.h"

static void fill_look(struct oc_look *look, sqlite3_stmt *stmt, int column)
{
	look->version = oev_query_up_to(stmt, column, UINT32_MAX);
	look->share_ppm = oev_query_up_to(stmt, column + 1, UINT32_MAX);
	look->nth = oev_query_up_to(stmt, column + 2, UINT32_MAX);
}

/* The columns of OEV_SHELF_S_ONE; the numbers of flow and way into *@flow, *@way. */
static void fill_row(struct oc_decision *d, sqlite3_stmt *stmt, uint64_t base_ns, uint64_t *flow,
		     uint64_t *way)
{
	uint64_t out_ns = oev_shelf_number(stmt, 2);

	d->id = oev_shelf_number(stmt, 0);
	d->at_ns = base_ns + (uint64_t)sqlite3_column_int64(stmt, 1);
	d->out_ns = out_ns != 0 ? d->at_ns + out_ns : 0;
	*flow = oev_shelf_number(stmt, 3);
	*way = oev_shelf_number(stmt, 4);
	d->end_to_end = oev_query_up_to(stmt, 5, UINT32_MAX);
	d->session_hash = oev_shelf_number(stmt, 6);
	d->subscriber_hash = oev_shelf_number(stmt, 7);
	d->random = (uint64_t)sqlite3_column_int64(stmt, 8);
	fill_look(&d->realm, stmt, 9);
	fill_look(&d->host, stmt, 12);
	fill_look(&d->peer, stmt, 15);
}

static void fill_flow(struct oev_shelf_conn *conn, const struct oev_shelf_flow *flow,
		      struct oev_shelf_decision *out)
{
	struct oc_decision *d = &out->d;

	d->app_id = flow->app_id;
	d->command = flow->command;
	d->client_peer = flow->client;
	d->origin_host = flow->origin_host;
	d->origin_realm = flow->origin_realm;
	d->dest_host = flow->dest_host;
	d->dest_realm = flow->dest_realm;
	d->drmp = flow->drmp;
	d->cc_request_type = flow->cc_request_type;
	d->profile = flow->profile;
	oev_shelf_name(conn, d->client_peer, out->client);
	oev_shelf_name(conn, d->origin_host, out->origin_host);
	oev_shelf_name(conn, d->origin_realm, out->origin_realm);
	oev_shelf_name(conn, d->dest_host, out->dest_host);
	oev_shelf_name(conn, d->dest_realm, out->dest_realm);
}

static void fill_way(struct oev_shelf_conn *conn, const struct oev_shelf_way *way,
		     struct oev_shelf_decision *out)
{
	struct oc_decision *d = &out->d;

	d->verdict = way->verdict;
	d->why = way->why;
	d->selected_by = way->selected_by;
	d->klass = way->klass;
	d->flags = way->flags;
	d->candidates = way->candidates;
	d->first_choice = way->first_choice;
	d->next_hop = way->next_hop;
	d->result_code = way->result_code;
	oev_shelf_name(conn, d->first_choice, out->first_choice);
	oev_shelf_name(conn, d->next_hop, out->next_hop);
}

int oev_shelf_row(struct oev_shelf_conn *conn, const struct oev_shelf_part *part, uint64_t id,
		  struct oev_shelf_decision *out)
{
	sqlite3_stmt *stmt = oev_shelf_stmt(conn, OEV_SHELF_S_ONE);
	uint64_t flow_id, way_id;
	int step = SQLITE_ERROR;

	if (stmt != NULL && sqlite3_bind_int64(stmt, 1, (sqlite3_int64)id) == SQLITE_OK)
		step = sqlite3_step(stmt);
	if (step != SQLITE_ROW)
		return step == SQLITE_DONE ? OC_ENOENT : OC_EIO;
	memset(out, 0, sizeof(*out));
	memcpy(out->run, part->facts.run, sizeof(out->run));
	fill_row(&out->d, stmt, conn->base_ns, &flow_id, &way_id);
	sqlite3_reset(stmt);
	out->id = out->d.id;
	out->wall_us = oev_shelf_wall(conn, out->d.at_ns);
	const struct oev_shelf_flow *flow = oev_shelf_flow(conn, flow_id);
	const struct oev_shelf_way *way = oev_shelf_way(conn, way_id);
	out->is_broken = flow == NULL || way == NULL;
	if (flow != NULL)
		fill_flow(conn, flow, out);
	if (way != NULL)
		fill_way(conn, way, out);
	return OC_OK;
}

void oev_shelf_outcome_fill(struct oev_shelf_conn *conn, uint64_t took_ns, uint64_t ending_id,
			    struct oev_shelf_decision *row)
{
	const struct oev_shelf_ending *ending = oev_shelf_ending(conn, ending_id);

	row->has_outcome = true;
	row->took_ns = took_ns;
	row->is_broken |= ending == NULL;
	if (ending == NULL)
		return;
	row->result_code = ending->result_code;
	row->maker = ending->maker;
	row->attempts = ending->attempts;
	row->hints = ending->hints;
	oev_shelf_name(conn, ending->answered_by, row->answered_by);
	oev_shelf_name(conn, ending->answered_realm, row->answered_realm);
	oev_shelf_name(conn, ending->from_peer, row->from_peer);
}
