/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which decisions pass a filter. Names are looked up once per segment, so that rows are tested by numbers alone.
 */
#include <string.h>
#include <strings.h>

#include "../../agent/oc_err.h"
#include "oev_shelf_inner.h"

/* Columns of the scans. */
enum { AT_ID, AT_NS, AT_FLOW, AT_WAY, AT_SESSION, AT_SUBSCRIBER, AT_REALM, AT_HOST, AT_PEER };

int oev_shelf_pass_init(struct oev_shelf_pass *pass, const struct oev_shelf_filter *filter, char *error)
{
	*pass = (struct oev_shelf_pass){ .filter = filter, .verdict = OC_VERDICT_COUNT };
	if (filter->until_us != 0 && filter->until_us <= filter->from_us)
		return oev_shelf_say(error, OC_EINVAL, "the window ends before it begins");
	if (filter->has_version && filter->run[0] == '\0')
		return oev_shelf_say(error, OC_EINVAL,
				     "a version is one of a life of the agent: the run is needed too");
	for (uint8_t i = 0; filter->verdict[0] != '\0' && i < OC_VERDICT_COUNT; i++)
		if (strcasecmp(filter->verdict, oc_verdict_text(i)) == 0)
			pass->verdict = i;
	if (filter->verdict[0] != '\0' && pass->verdict == OC_VERDICT_COUNT)
		return oev_shelf_say(error, OC_EINVAL, "there is no verdict \"%.15s\"", filter->verdict);
	return OC_OK;
}

/* Number of @text in *@out; a name that does not occur lets nothing pass. */
static bool resolve(struct oev_shelf_pass *pass, struct oev_shelf_conn *conn, const char *text, uint32_t *out)
{
	*out = 0;
	if (text[0] == '\0')
		return false;
	*out = oev_shelf_name_id(conn, text);
	pass->is_none |= *out == 0;
	return true;
}

void oev_shelf_pass_enter(struct oev_shelf_pass *pass, struct oev_shelf_conn *conn,
			  const struct oev_shelf_part *part)
{
	const struct oev_shelf_filter *f = pass->filter;

	pass->is_none = f->run[0] != '\0' && strcmp(f->run, part->facts.run) != 0;
	if (pass->is_none)
		return;
	pass->of_flow = f->has_app || f->has_command;
	pass->of_flow |= resolve(pass, conn, f->client, &pass->client);
	pass->of_flow |= resolve(pass, conn, f->origin_host, &pass->origin_host);
	pass->of_flow |= resolve(pass, conn, f->origin_realm, &pass->origin_realm);
	pass->of_flow |= resolve(pass, conn, f->dest_host, &pass->dest_host);
	pass->of_flow |= resolve(pass, conn, f->dest_realm, &pass->dest_realm);
	pass->of_way = f->has_class || f->only_observed || pass->verdict != OC_VERDICT_COUNT;
	pass->of_way |= resolve(pass, conn, f->next_hop, &pass->next_hop);
	pass->of_looks = f->has_version;
	pass->of_identity = f->session != 0 || f->subscriber != 0;
	pass->of_outcome = f->has_result || f->has_maker;
	pass->of_time = f->from_us != 0 || f->until_us != 0;
}

static bool is_name(uint32_t wanted, uint32_t name)
{
	return wanted == 0 || wanted == name;
}

static bool flow_passes(const struct oev_shelf_pass *pass, const struct oev_shelf_flow *flow)
{
	const struct oev_shelf_filter *f = pass->filter;

	return flow != NULL && (!f->has_app || f->app_id == flow->app_id) &&
	       (!f->has_command || f->command == flow->command) && is_name(pass->client, flow->client) &&
	       is_name(pass->origin_host, flow->origin_host) &&
	       is_name(pass->origin_realm, flow->origin_realm) && is_name(pass->dest_host, flow->dest_host) &&
	       is_name(pass->dest_realm, flow->dest_realm);
}

static bool way_passes(const struct oev_shelf_pass *pass, const struct oev_shelf_way *way)
{
	const struct oev_shelf_filter *f = pass->filter;

	return way != NULL && (!f->has_class || f->klass == way->klass) &&
	       (!f->only_observed || (way->flags & OC_DEC_OBSERVED) != 0) &&
	       (pass->verdict == OC_VERDICT_COUNT || pass->verdict == way->verdict) &&
	       is_name(pass->next_hop, way->next_hop);
}

static bool looks_pass(const struct oev_shelf_filter *f, sqlite3_stmt *stmt)
{
	return oev_shelf_number(stmt, AT_REALM) == f->version ||
	       oev_shelf_number(stmt, AT_HOST) == f->version || oev_shelf_number(stmt, AT_PEER) == f->version;
}

static bool time_passes(const struct oev_shelf_filter *f, struct oev_shelf_conn *conn, sqlite3_stmt *stmt)
{
	uint64_t wall_us = oev_shelf_wall(conn, oev_shelf_at_ns(conn, stmt, AT_NS));

	return wall_us >= f->from_us && (f->until_us == 0 || wall_us < f->until_us);
}

enum oev_shelf_stmt oev_shelf_pass_scan(const struct oev_shelf_pass *pass)
{
	if (pass->of_identity || pass->of_looks)
		return pass->filter->oldest_first ? OEV_SHELF_S_UP_MORE : OEV_SHELF_S_DOWN_MORE;
	return pass->filter->oldest_first ? OEV_SHELF_S_UP : OEV_SHELF_S_DOWN;
}

bool oev_shelf_pass_row(const struct oev_shelf_pass *pass, struct oev_shelf_conn *conn, sqlite3_stmt *stmt)
{
	const struct oev_shelf_filter *f = pass->filter;

	if (pass->of_way && !way_passes(pass, oev_shelf_way(conn, oev_shelf_number(stmt, AT_WAY))))
		return false;
	if (pass->of_flow && !flow_passes(pass, oev_shelf_flow(conn, oev_shelf_number(stmt, AT_FLOW))))
		return false;
	if (pass->of_identity &&
	    ((f->session != 0 && f->session != oev_shelf_number(stmt, AT_SESSION)) ||
	     (f->subscriber != 0 && f->subscriber != oev_shelf_number(stmt, AT_SUBSCRIBER))))
		return false;
	if (pass->of_looks && !looks_pass(f, stmt))
		return false;
	return !pass->of_time || time_passes(f, conn, stmt);
}

bool oev_shelf_pass_outcome(const struct oev_shelf_pass *pass, const struct oev_shelf_decision *row)
{
	const struct oev_shelf_filter *f = pass->filter;

	return !pass->of_outcome ||
	       (row->has_outcome && (!f->has_result || f->result_code == row->result_code) &&
		(!f->has_maker || f->maker == row->maker));
}
