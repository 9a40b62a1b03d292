/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The lists: their tables, their columns, their SQL.
 */
#include "oev_shelf_inner.h"
#include "oev_shelf_list_inner.h"

/* ?1 behind this rowid, ?2 and ?3 wall time, ?4 number or -1, ?5 name or '', ?6 rows that are carried end with this rowid.
 * Columns: rowid, wall time, then those of the list. */
/* Pieces of SQL are put side by side: parentheses would be octets of it.
 * NOLINTBEGIN(bugprone-macro-parentheses) */
#define BOUNDS(table, time, number, name)                                                                    \
	table ".rowid > ?6 AND " time " >= ?2 AND " time " < ?3 AND (?4 = -1 OR " number                     \
	      " = ?4) AND (?5 = '' OR " name " = ?5 COLLATE NOCASE)"
#define DOWN(table, time, number, name, what, from)                                                          \
	"SELECT " table ".rowid, " time ", " what " FROM " from " WHERE " table                              \
	".rowid < ?1 AND " BOUNDS(table, time, number, name) " ORDER BY " table ".rowid DESC"
#define UP(table, time, number, name, what, from)                                                            \
	"SELECT " table ".rowid, " time ", " what " FROM " from " WHERE " table                              \
	".rowid > ?1 AND " BOUNDS(table, time, number, name) " ORDER BY " table ".rowid"
#define CARRIED(table) "SELECT rowid FROM " table " ORDER BY rowid LIMIT 1 OFFSET ?1 - 1"
#define LIST(name_, table, time, number, name, what, from, list_columns)                                     \
	{                                                                                                    \
		.text = name_, .of = table,                                                                  \
		.sql = { DOWN(table, time, number, name, what, from),                                        \
			 UP(table, time, number, name, what, from), CARRIED(table) },                        \
		.columns = list_columns, .count = sizeof(list_columns) / sizeof(list_columns[0])             \
	}
#define NAME(alias, column) " LEFT JOIN name " alias " ON " alias ".id = " column

/* NOLINTEND(bugprone-macro-parentheses) */

#define N(name)                                                                                              \
	{                                                                                                    \
		name, OEV_SHELF_NUMBER                                                                       \
	}
#define T(name)                                                                                              \
	{                                                                                                    \
		name, OEV_SHELF_TEXT                                                                         \
	}
#define X(name)                                                                                              \
	{                                                                                                    \
		name, OEV_SHELF_OCTETS                                                                       \
	}

/* All octets of a report: most have no more than their row holds. */
#define RAW                                                                                                  \
	"hex(report.raw) || CASE WHEN length(report.raw) < report.raw_total THEN coalesce((SELECT"           \
	" group_concat(hex(m.raw), '') FROM (SELECT raw FROM report_raw WHERE report = report.id ORDER BY"   \
	" at) m), '') ELSE '' END"
#define REPORT_COLUMNS                                                                                       \
	"report.id, peer.text, report.app_id, CASE report.type WHEN 0 THEN 'host' WHEN 1 THEN 'realm' WHEN"  \
	" 2 THEN 'peer' ELSE CAST(report.type AS TEXT) END, subject.text, oh.text, orr.text,"                \
	" report.sequence, report.reduction_pct, report.validity_s, report.rate_rps, report.algorithm,"      \
	" report.verdict, report.reason, report.version, " RAW ", report.raw_total"
static const struct oev_shelf_column report_columns[] = {
	N("id"),	  T("peer"),	     N("app_id"),   T("type"),		T("subject"),
	T("origin_host"), T("origin_realm"), T("sequence"), N("reduction_pct"), N("validity_s"),
	N("rate_rps"),	  T("algorithm"),    T("verdict"),  T("reason"),	N("version"),
	X("raw"),	  N("raw_total")
};

#define REPEAT_TIME                                                                                          \
	"(report_repeat.last_ns / 1000 + coalesce((SELECT c.wall_us - c.mono_ns / 1000 FROM clock c WHERE"   \
	" c.mono_ns <= report_repeat.last_ns ORDER BY c.mono_ns DESC LIMIT 1), 0))"
static const struct oev_shelf_column repeat_columns[] = { N("report"), N("first_ns"), N("last_ns"),
							  N("count") };

#define VERSION_COLUMNS                                                                                      \
	"ocs_version.version, ocs_version.report, ocs_version.replaces, ocs_version.type,"                   \
	" ocs_version.app_id, subject.text, origin.text, ocs_version.sequence, ocs_version.algorithm,"       \
	" ocs_version.reduction_pct, ocs_version.rate_rps, ocs_version.validity_s, ocs_version.from_ns,"     \
	" ocs_version.expires_ns"
static const struct oev_shelf_column version_columns[] = {
	N("version"),  N("report"),	N("replaces"), T("type"),      N("app_id"),
	T("subject"),  T("origin"),	T("sequence"), T("algorithm"), N("reduction_pct"),
	N("rate_rps"), N("validity_s"), N("from_ns"),  N("expires_ns")
};

static const struct oev_shelf_column change_columns[] = { N("version"),	  N("mono_ns"),	 T("how"),
							  N("matched"),	  N("selected"), N("expected_ppm"),
							  N("remembered") };

#define ORDER_COLUMNS                                                                                        \
	"order_change.mono_ns, order_change.how, order_change.type, order_change.app_id, subject.text,"      \
	" order_change.reduction_pct, order_change.rate_rps, order_change.validity_s,"                       \
	" order_change.until_ns, order_change.by, order_change.actor, order_change.calculation,"             \
	" order_change.reason, order_change.inputs"
static const struct oev_shelf_column order_columns[] = { N("mono_ns"),	T("how"),	 T("type"),
							 N("app_id"),	T("subject"),	 N("reduction_pct"),
							 N("rate_rps"), N("validity_s"), N("until_ns"),
							 T("by"),	N("actor"),	 N("calculation"),
							 T("reason"),	T("inputs") };

#define OWN_COLUMNS                                                                                          \
	"own_report.sequence, own_report.mono_ns, own_report.step, own_report.type, own_report.app_id,"      \
	" subject.text, target.text, own_report.algorithm, own_report.reduction_pct, own_report.rate_rps,"   \
	" own_report.validity_s, hex(own_report.raw)"
static const struct oev_shelf_column own_columns[] = { T("sequence"), N("mono_ns"),    T("step"),
						       T("type"),     N("app_id"),     T("subject"),
						       T("target"),   T("algorithm"),  N("reduction_pct"),
						       N("rate_rps"), N("validity_s"), X("raw") };

static const struct oev_shelf_column peer_columns[] = { N("mono_ns"), T("peer"), N("up") };

#define CAPABILITY_COLUMNS                                                                                   \
	"capability.mono_ns, peer.text, oh.text, capability.direction, capability.app_id,"                   \
	" capability.present, capability.vector, capability.peer_algo, source.text"
static const struct oev_shelf_column capability_columns[] = {
	N("mono_ns"), T("peer"),   T("origin_host"), T("direction"), N("app_id"),
	N("present"), T("vector"), T("peer_algo"),   T("source")
};

static const struct oev_shelf_column load_columns[] = { N("mono_ns"), T("node"), T("peer"), T("type"),
							N("value") };
/* What a row counts was lost since the recorder was last seen at work, which a clock row tells. */
#define GAP_COLUMNS                                                                                          \
	"mono_ns, events, reason, (SELECT c.wall_us FROM clock c WHERE c.mono_ns < gap.mono_ns ORDER BY"     \
	" c.mono_ns DESC LIMIT 1)"
static const struct oev_shelf_column gap_columns[] = { N("mono_ns"), N("events"), T("reason"),
						       N("since_us") };
static const struct oev_shelf_column checkpoint_columns[] = { N("batch"), T("note") };
static const struct oev_shelf_column removal_columns[] = { T("segment"), N("first_batch"), N("last_batch"),
							   T("sha256"), T("reason") };
static const struct oev_shelf_column recovery_columns[] = { N("by_pid"), N("events"), N("torn") };
static const struct oev_shelf_column policy_columns[] = { N("version"), N("mono_ns"), T("sha256"),
							  T("text") };

#define ACT_COLUMNS "act.mono_ns, act.who, act.what, act.object, act.\"before\", act.\"after\", act.reason"
static const struct oev_shelf_column act_columns[] = { N("mono_ns"), T("who"),	 T("what"),  T("object"),
						       T("before"),  T("after"), T("reason") };

static const struct oev_shelf_list_shape shapes[OEV_SHELF_LIST_COUNT] = {
	[OEV_SHELF_REPORTS] =
		LIST("reports", "report", "report.wall_us", "report.id", "subject.text", REPORT_COLUMNS,
		     "report" NAME("peer", "report.peer") NAME("subject", "report.subject")
			     NAME("oh", "report.origin_host") NAME("orr", "report.origin_realm"),
		     report_columns),
	[OEV_SHELF_REPEATS] =
		LIST("repeats", "report_repeat", REPEAT_TIME, "report_repeat.report", "''",
		     "report_repeat.report, first_ns, last_ns, count", "report_repeat", repeat_columns),
	[OEV_SHELF_VERSIONS] = LIST("versions", "ocs_version", "ocs_version.from_us", "ocs_version.version",
				    "subject.text", VERSION_COLUMNS,
				    "ocs_version" NAME("subject", "ocs_version.subject")
					    NAME("origin", "ocs_version.origin"),
				    version_columns),
	[OEV_SHELF_CHANGES] = LIST("changes", "ocs_change", "ocs_change.wall_us", "ocs_change.version", "''",
				   "version, mono_ns, how, matched, selected, expected_ppm, remembered",
				   "ocs_change", change_columns),
	[OEV_SHELF_ORDERS] =
		LIST("orders", "order_change", "order_change.wall_us", "-1", "subject.text", ORDER_COLUMNS,
		     "order_change" NAME("subject", "order_change.subject"), order_columns),
	[OEV_SHELF_OWN_REPORTS] =
		LIST("own_reports", "own_report", "own_report.wall_us", "-1", "subject.text", OWN_COLUMNS,
		     "own_report" NAME("subject", "own_report.subject") NAME("target", "own_report.target"),
		     own_columns),
	[OEV_SHELF_PEERS] =
		LIST("peers", "peer", "peer.wall_us", "-1", "n.text", "peer.mono_ns, n.text, peer.up",
		     "peer" NAME("n", "peer.peer"), peer_columns),
	[OEV_SHELF_CAPABILITIES] = LIST(
		"capabilities", "capability", "capability.wall_us", "-1", "peer.text", CAPABILITY_COLUMNS,
		"capability" NAME("peer", "capability.peer") NAME("oh", "capability.origin_host")
			NAME("source", "capability.source"),
		capability_columns),
	[OEV_SHELF_LOADS] = LIST("loads", "load", "load.wall_us", "-1", "node.text",
				 "load.mono_ns, node.text, peer.text, load.type, load.value",
				 "load" NAME("node", "load.node") NAME("peer", "load.peer"), load_columns),
	[OEV_SHELF_GAPS] = LIST("gaps", "gap", "gap.wall_us", "-1", "''", GAP_COLUMNS, "gap", gap_columns),
	[OEV_SHELF_CHECKPOINTS] = LIST("checkpoints", "checkpoint", "checkpoint.wall_us", "checkpoint.batch",
				       "''", "batch, note", "checkpoint", checkpoint_columns),
	[OEV_SHELF_REMOVALS] =
		LIST("removals", "removal", "removal.wall_us", "-1", "segment",
		     "segment, first_batch, last_batch, sha256, reason", "removal", removal_columns),
	[OEV_SHELF_RECOVERIES] = LIST("recoveries", "recovery", "recovery.wall_us", "-1", "''",
				      "by_pid, events, torn", "recovery", recovery_columns),
	[OEV_SHELF_POLICIES] = LIST("policies", "policy", "policy.wall_us", "policy.version", "''",
				    "version, mono_ns, sha256, text", "policy", policy_columns),
	[OEV_SHELF_ACTS] =
		LIST("acts", "act", "act.wall_us", "-1", "act.object", ACT_COLUMNS, "act", act_columns),
};

const struct oev_shelf_list_shape *oev_shelf_list_shape(enum oev_shelf_list list)
{
	return &shapes[list < OEV_SHELF_LIST_COUNT ? list : 0];
}

const char *oev_shelf_list_sql(unsigned at)
{
	return shapes[at / 3].sql[at % 3];
}

const char *oev_shelf_list_text(enum oev_shelf_list list)
{
	return list < OEV_SHELF_LIST_COUNT ? shapes[list].text : "?";
}

const struct oev_shelf_column *oev_shelf_list_columns(enum oev_shelf_list list, size_t *count)
{
	*count = oev_shelf_list_shape(list)->count;
	return oev_shelf_list_shape(list)->columns;
}
