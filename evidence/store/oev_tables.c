/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Names and columns of all tables, in the order of schema.sql.
 */
#include "oev_tables.h"

#include <assert.h>
#include <stdio.h>

static const struct oev_shape shapes[] = {
	[0] = { .name = "" },
	[OEV_TABLE_META] = { "meta", NULL, { "key", "value" } },
	[OEV_TABLE_CARRIED] = { "carried", NULL, { "tbl", "rows" } },
	[OEV_TABLE_CARRIED_VERSION] = { "carried_version",
					NULL,
					{ "version", "matched", "selected", "expected_ppm", "remembered" } },
	[OEV_TABLE_POLICY] = { "policy", NULL, { "version", "mono_ns", "wall_us", "sha256", "text" } },
	[OEV_TABLE_CLOCK] = { "clock", "mono_ns", { "wall_us" } },
	[OEV_TABLE_CODE] = { "code", NULL, { "kind", "value", "text" } },
	[OEV_TABLE_NAME] = { "name", "id", { "text" } },
	[OEV_TABLE_PEER] = { "peer", NULL, { "mono_ns", "wall_us", "peer", "up" } },
	[OEV_TABLE_CAPABILITY] = { "capability",
				   NULL,
				   { "mono_ns", "wall_us", "peer", "origin_host", "direction", "app_id",
				     "present", "vector", "peer_algo", "source" } },
	[OEV_TABLE_REPORT] = { "report",
			       "id",
			       { "mono_ns", "wall_us", "peer", "app_id", "type", "subject", "origin_host",
				 "origin_realm", "sequence", "reduction_pct", "validity_s", "rate_rps",
				 "algorithm", "verdict", "reason", "version", "raw", "raw_total" } },
	[OEV_TABLE_REPORT_RAW] = { "report_raw", NULL, { "report", "at", "raw" } },
	[OEV_TABLE_REPORT_REPEAT] = { "report_repeat", NULL, { "report", "first_ns", "last_ns", "count" } },
	[OEV_TABLE_OCS_VERSION] = { "ocs_version",
				    "version",
				    { "report", "replaces", "type", "app_id", "subject", "sequence",
				      "algorithm", "reduction_pct", "rate_rps", "validity_s", "from_ns",
				      "from_us", "expires_ns", "origin" } },
	[OEV_TABLE_OCS_CHANGE] = { "ocs_change",
				   NULL,
				   { "version", "mono_ns", "wall_us", "how", "matched", "selected",
				     "expected_ppm", "remembered" } },
	[OEV_TABLE_PROFILE] = { "profile",
				"id",
				{ "hints", "caps", "vector", "peer_algo", "source", "reservation_priority",
				  "rating_groups", "apn" } },
	[OEV_TABLE_CANDIDATES] = { "candidates", "id", { "peers" } },
	[OEV_TABLE_IDENTITY] = { "identity", NULL, { "pseudonym", "kind", "text" } },
	[OEV_TABLE_FLOW] = { "flow",
			     "id",
			     { "app_id", "command", "client", "origin_host", "origin_realm", "dest_host",
			       "dest_realm", "drmp", "cc_request_type", "profile" } },
	[OEV_TABLE_WAY] = { "way",
			    "id",
			    { "verdict", "why", "selected_by", "class", "flags", "candidates", "first_choice",
			      "next_hop", "result_code" } },
	[OEV_TABLE_ENDING] = { "ending",
			       "id",
			       { "result_code", "maker", "answered_by", "answered_realm", "from_peer",
				 "attempts", "profile" } },
	[OEV_TABLE_DECISION] = { "decision",
				 "id",
				 { "at_ns", "out_ns", "flow", "way", "realm_version", "realm_share",
				   "realm_nth", "host_version", "host_share", "host_nth", "peer_version",
				   "peer_share", "peer_nth", "end_to_end", "session", "subscriber",
				   "random" } },
	[OEV_TABLE_OUTCOME] = { "outcome", NULL, { "decision", "took_ns", "ending" } },
	[OEV_TABLE_ORDER_CHANGE] = { "order_change",
				     NULL,
				     { "mono_ns", "wall_us", "how", "type", "app_id", "subject",
				       "reduction_pct", "rate_rps", "validity_s", "until_ns", "by", "actor",
				       "calculation", "reason", "inputs" } },
	[OEV_TABLE_OWN_REPORT] = { "own_report",
				   NULL,
				   { "sequence", "mono_ns", "wall_us", "type", "app_id", "subject", "target",
				     "algorithm", "reduction_pct", "rate_rps", "validity_s", "step",
				     "raw" } },
	[OEV_TABLE_OWN_SENT] = { "own_sent",
				 NULL,
				 { "sequence", "peer", "type", "first_ns", "last_ns", "count" } },
	[OEV_TABLE_LOAD] = { "load", NULL, { "mono_ns", "wall_us", "node", "peer", "type", "value" } },
	[OEV_TABLE_GAP] = { "gap", NULL, { "mono_ns", "wall_us", "events", "reason" } },
	[OEV_TABLE_RECOVERY] = { "recovery", NULL, { "wall_us", "by_pid", "events", "torn" } },
	[OEV_TABLE_REMOVAL] = { "removal",
				NULL,
				{ "wall_us", "segment", "first_batch", "last_batch", "sha256", "reason" } },
	[OEV_TABLE_ACT] = { "act",
			    NULL,
			    { "mono_ns", "wall_us", "who", "what", "object", "before", "after", "reason" } },
	[OEV_TABLE_BATCH] = { "batch",
			      "number",
			      { "first_ns", "last_ns", "wall_us", "journal", "leaves", "rows", "root",
				"chain", "marks" } },
	[OEV_TABLE_CHECKPOINT] = { "checkpoint", NULL, { "batch", "wall_us", "note" } },
};
_Static_assert(sizeof(shapes) / sizeof(shapes[0]) == OEV_TABLE_COUNT, "one shape per table");

const struct oev_shape *oev_table_shape(enum oev_table table)
{
	assert((unsigned)table < OEV_TABLE_COUNT);
	return &shapes[table];
}

unsigned oev_table_columns(enum oev_table table)
{
	const struct oev_shape *shape = oev_table_shape(table);
	unsigned count = 0;

	while (shape->columns[count])
		count++;
	return count;
}

size_t oev_table_insert(enum oev_table table, char out[static OEV_TABLE_SQL_MAX])
{
	const struct oev_shape *shape = oev_table_shape(table);
	size_t at = (size_t)snprintf(out, OEV_TABLE_SQL_MAX, "INSERT OR FAIL INTO %s (%s", shape->name,
				     shape->key ? shape->key : "rowid");

	for (unsigned i = 0; shape->columns[i]; i++)
		at += (size_t)snprintf(out + at, OEV_TABLE_SQL_MAX - at, ", %s", shape->columns[i]);
	at += (size_t)snprintf(out + at, OEV_TABLE_SQL_MAX - at, ") ");
	assert(at < OEV_TABLE_SQL_MAX);
	return at;
}
