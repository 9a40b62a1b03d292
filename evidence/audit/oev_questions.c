/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * All SQL of the offline side, for every schema.
 *
 * Schema 1 had no reports of our own and no ocs_version.origin. Schema 2 had wide rows of decisions and outcomes, no parts,
 * no orders, and lost the rest of long raw octets.
 */
#include "oev_query.h"

/* An answer without rows, for what a schema did not know. */
#define NOTHING(columns) "SELECT " columns " WHERE 0 AND ?1 = 0"

#define LOOKS                                                                                                \
	"realm_version, realm_share, realm_nth, host_version, host_share, host_nth, peer_version,"           \
	" peer_share, peer_nth"
#define DECISION_3 "id, at_ns, out_ns, flow, way, end_to_end, session, " LOOKS
#define DECISION_2                                                                                           \
	"id, mono_ns, wall_us, app_id, client, end_to_end, session, " LOOKS                                  \
	", origin_host, dest_host, dest_realm, verdict, why, selected_by, class, flags, first_choice,"       \
	" next_hop, result_code"
#define VERSION_2                                                                                            \
	"SELECT o.version, o.report, o.replaces, o.type, o.app_id, o.subject, s.text, o.sequence,"           \
	" o.algorithm, o.reduction_pct, o.rate_rps, o.validity_s, o.from_ns, o.from_us, o.expires_ns,"
#define WHOLE_FLOW                                                                                           \
	"SELECT id, app_id, command, client, origin_host, origin_realm, dest_host, dest_realm, drmp,"        \
	" cc_request_type, profile FROM flow"
#define WHOLE_WAY                                                                                            \
	"SELECT id, verdict, why, selected_by, class, flags, candidates, first_choice, next_hop,"            \
	" result_code FROM way"
#define WHOLE_ENDING                                                                                         \
	"SELECT id, result_code, maker, answered_by, answered_realm, from_peer, attempts, profile FROM "     \
	"ending"
#define PROFILE                                                                                              \
	"SELECT id, hints, caps, vector, peer_algo, source, reservation_priority, rating_groups, apn"        \
	" FROM profile"
#define CANDIDATES "SELECT id, peers FROM candidates"
#define FLOW "SELECT id, app_id, client, origin_host, dest_host, dest_realm FROM flow"
#define WAY "SELECT id, verdict, why, selected_by, class, flags, first_choice, next_hop, result_code FROM way"
#define ENDING                                                                                               \
	"SELECT id, result_code, maker, answered_by, answered_realm, from_peer, attempts,"                   \
	" (SELECT p.hints FROM profile p WHERE p.id = ending.profile) FROM ending"
#define BASE "coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'base_ns'), 0)"

/* Wall time of monotonic @ns, by the last clock pair before it, or the first one. */
#define WALL(ns)                                                                                             \
	"(" ns ") / 1000 + coalesce((SELECT c.wall_us - c.mono_ns / 1000 FROM clock c"                       \
	" WHERE c.mono_ns <= (" ns ") ORDER BY c.mono_ns DESC LIMIT 1),"                                     \
	" (SELECT c.wall_us - c.mono_ns / 1000 FROM clock c ORDER BY c.mono_ns LIMIT 1), 0)"

#define LAST_OF(decision)                                                                                    \
	"SELECT max(wall_us), max(mono_ns), (SELECT coalesce(max(id), 0) FROM decision),"                    \
	" (SELECT coalesce(min(id), 0) FROM decision), (SELECT coalesce(max(rowid), 0) FROM outcome)"        \
	" FROM (SELECT wall_us, mono_ns FROM (" decision ")"                                                 \
	" UNION ALL SELECT max(wall_us), max(mono_ns) FROM clock"                                            \
	" UNION ALL SELECT max(wall_us), max(mono_ns) FROM report"                                           \
	" UNION ALL SELECT max(wall_us), max(mono_ns) FROM ocs_change)"

/* @two NULL: as now; @one NULL: as @two. */
struct sql {
	const char *now, *two, *one;
};

static const struct sql questions[OEV_Q_COUNT] = {
	[OEV_Q_META] = { .now = "SELECT key, value FROM meta" },
	[OEV_Q_CARRIED] = { .now = "SELECT tbl, rows FROM carried", .two = "SELECT '', 0 WHERE 0" },
	[OEV_Q_LAST] = { .now = LAST_OF(
				 "SELECT " WALL("ns") " AS wall_us, ns AS mono_ns FROM"
						      " (SELECT at_ns + " BASE
						      " AS ns FROM decision ORDER BY id DESC LIMIT 1)"),
			 .two = LAST_OF("SELECT wall_us, mono_ns FROM decision ORDER BY id DESC LIMIT 1") },
	[OEV_Q_STAMP] = { .now = "SELECT coalesce((SELECT max(number) FROM batch), 0) || '.' || (SELECT "
				 "count(*) FROM meta)"
				 " || '.' || coalesce((SELECT max(rowid) FROM outcome), 0)",
			  .two = "SELECT (SELECT count(*) FROM clock) || '.' || (SELECT count(*) FROM meta)"
				 " || '.' || coalesce((SELECT max(id) FROM decision), 0)"
				 " || '.' || coalesce((SELECT max(id) FROM outcome), 0)" },
	[OEV_Q_POLICY] = { .now = "SELECT text FROM policy" },
	[OEV_Q_NAME_TEXT] = { .now = "SELECT text FROM name WHERE id = ?1" },
	[OEV_Q_NAME_ID] = { .now = "SELECT id FROM name WHERE text = ?1 COLLATE NOCASE LIMIT 1" },
	[OEV_Q_CLOCK] = { .now = "SELECT mono_ns, wall_us FROM clock ORDER BY mono_ns" },
	[OEV_Q_REPORT] = { .now = "SELECT r.id, r.mono_ns, r.wall_us, p.text, r.app_id, r.type, s.text, "
				  "r.sequence,"
				  " r.reduction_pct, r.validity_s, r.rate_rps, r.algorithm, r.verdict, "
				  "r.reason,"
				  " r.version, r.raw, r.raw_total"
				  " FROM report r LEFT JOIN name p ON p.id = r.peer"
				  " LEFT JOIN name s ON s.id = r.subject ORDER BY r.id" },
	[OEV_Q_RAW] = { .now = "SELECT raw FROM report_raw WHERE report = ?1 ORDER BY at",
			.two = NOTHING("x''") },
	[OEV_Q_RAW_ALL] = { .now = "SELECT raw, -1 AS at FROM report WHERE id = ?1 UNION ALL SELECT raw, at "
				   "FROM report_raw"
				   " WHERE report = ?1 ORDER BY at",
			    .two = "SELECT raw, -1 FROM report WHERE id = ?1" },
	[OEV_Q_REPEAT] = { .now = "SELECT report, sum(count) FROM report_repeat WHERE rowid > ?1"
				  " GROUP BY report ORDER BY report" },
	[OEV_Q_VERSION] = { .now = VERSION_2 " o.origin, c.text FROM ocs_version o"
					     " LEFT JOIN name s ON s.id = o.subject"
					     " LEFT JOIN name c ON c.id = o.origin ORDER BY o.version",
			    .one = VERSION_2 " NULL, NULL FROM ocs_version o"
					     " LEFT JOIN name s ON s.id = o.subject ORDER BY o.version" },
	[OEV_Q_CHANGE] = { .now = "SELECT version, mono_ns, how, matched, selected, expected_ppm, remembered"
				  " FROM ocs_change WHERE rowid > ?1 ORDER BY mono_ns, rowid" },
	[OEV_Q_CARRIED_VERSION] = { .now = "SELECT version, matched, selected, expected_ppm, remembered"
					   " FROM carried_version",
				    .two = "SELECT 0, 0, 0, 0, 0 WHERE 0" },
	/* A gap row is written when the database works again; what it counts was lost since the recorder was last seen at
	 * work, which a clock row tells. */
	[OEV_Q_GAP] = { .now = "SELECT wall_us, events, reason, (SELECT c.wall_us FROM clock c"
			       " WHERE c.mono_ns < gap.mono_ns ORDER BY c.mono_ns DESC LIMIT 1)"
			       " FROM gap WHERE rowid > ?1 ORDER BY mono_ns" },
	[OEV_Q_RECOVERY] = { .now = "SELECT wall_us, by_pid, events, torn FROM recovery WHERE rowid > ?1",
			     .two = NOTHING("0, 0, 0, 0") },
	[OEV_Q_REMOVAL] = { .now = "SELECT wall_us, segment, first_batch, last_batch, sha256, reason FROM "
				   "removal"
				   " WHERE rowid > ?1",
			    .two = NOTHING("0, '', 0, 0, '', ''") },
	[OEV_Q_ORDER] = { .now = "SELECT o.mono_ns, o.wall_us, o.how, o.type, o.app_id, s.text, "
				 "o.reduction_pct,"
				 " o.rate_rps, o.validity_s, o.until_ns, o.by, o.actor, o.calculation, "
				 "o.reason,"
				 " o.inputs FROM order_change o LEFT JOIN name s ON s.id = o.subject"
				 " WHERE o.rowid > ?1 ORDER BY o.mono_ns, o.rowid",
			  .two = NOTHING("0, 0, '', '', 0, '', 0, 0, 0, 0, '', 0, 0, '', ''") },
	[OEV_Q_OWN_REPORT] = { .now = "SELECT o.sequence, o.mono_ns, o.wall_us, o.type, o.app_id, s.text, "
				      "t.text,"
				      " o.algorithm, o.reduction_pct, o.rate_rps, o.validity_s, o.step, o.raw"
				      " FROM own_report o LEFT JOIN name s ON s.id = o.subject"
				      " LEFT JOIN name t ON t.id = o.target WHERE o.rowid > ?1 ORDER BY "
				      "o.mono_ns,"
				      " o.rowid",
			       .one = NOTHING("'', 0, 0, '', 0, '', '', '', 0, 0, 0, '', x''") },
	[OEV_Q_OWN_SENT] = { .now = "SELECT o.sequence, p.text, o.type, min(o.first_ns), max(o.last_ns), "
				    "sum(o.count)"
				    " FROM own_sent o LEFT JOIN name p ON p.id = o.peer WHERE o.rowid > ?1"
				    " GROUP BY o.sequence, o.peer, o.type ORDER BY min(o.first_ns), p.text",
			     .one = NOTHING("'', '', '', 0, 0, 0") },
	[OEV_Q_FLOW] = { .now = FLOW " ORDER BY id", .two = "SELECT 0 WHERE 0" },
	[OEV_Q_FLOW_ONE] = { .now = FLOW " WHERE id = ?1", .two = NOTHING("0") },
	[OEV_Q_WAY] = { .now = WAY " ORDER BY id", .two = "SELECT 0 WHERE 0" },
	[OEV_Q_WAY_ONE] = { .now = WAY " WHERE id = ?1", .two = NOTHING("0") },
	[OEV_Q_ENDING] = { .now = ENDING " ORDER BY id", .two = "SELECT 0 WHERE 0" },
	[OEV_Q_ENDING_ONE] = { .now = ENDING " WHERE id = ?1", .two = NOTHING("0") },
	[OEV_Q_DECISION] = { .now = "SELECT oev_take(" DECISION_3 ") FROM decision WHERE id <= ?1 ORDER BY id"
				    " LIMIT -1 OFFSET ?2",
			     .two = "SELECT oev_take(" DECISION_2 ") FROM decision WHERE id <= ?1 ORDER BY id"
				    " LIMIT -1 OFFSET ?2" },
	[OEV_Q_DECISION_ONE] = { .now = "SELECT oev_take(" DECISION_3 ") FROM decision WHERE id = ?1",
				 .two = "SELECT oev_take(" DECISION_2 ") FROM decision WHERE id = ?1" },
	[OEV_Q_OUTCOME] = { .now = "SELECT oev_take(decision, took_ns, ending) FROM outcome"
				   " WHERE rowid <= ?1 AND rowid > ?2 ORDER BY rowid",
			    .two = "SELECT oev_take(id, took_ns, result_code, maker, answered_by, from_peer,"
				   " attempts) FROM outcome WHERE id <= ?1 AND id > ?2 ORDER BY id" },
	[OEV_Q_ALL_NAMES] = { .now = "SELECT id, text FROM name ORDER BY id" },
	[OEV_Q_ALL_POLICIES] = { .now = "SELECT version, mono_ns, text FROM policy WHERE rowid > ?1"
					" ORDER BY rowid",
				 .two = NOTHING("0, 0, ''") },
	[OEV_Q_PROFILE] = { .now = PROFILE " ORDER BY id", .two = "SELECT 0 WHERE 0" },
	[OEV_Q_PROFILE_ONE] = { .now = PROFILE " WHERE id = ?1", .two = NOTHING("0") },
	[OEV_Q_CANDIDATES] = { .now = CANDIDATES " ORDER BY id", .two = "SELECT 0 WHERE 0" },
	[OEV_Q_CANDIDATES_ONE] = { .now = CANDIDATES " WHERE id = ?1", .two = NOTHING("0") },
	[OEV_Q_WHOLE_FLOW] = { .now = WHOLE_FLOW " ORDER BY id", .two = "SELECT 0 WHERE 0" },
	[OEV_Q_WHOLE_FLOW_ONE] = { .now = WHOLE_FLOW " WHERE id = ?1", .two = NOTHING("0") },
	[OEV_Q_WHOLE_WAY] = { .now = WHOLE_WAY " ORDER BY id", .two = "SELECT 0 WHERE 0" },
	[OEV_Q_WHOLE_WAY_ONE] = { .now = WHOLE_WAY " WHERE id = ?1", .two = NOTHING("0") },
	[OEV_Q_WHOLE_ENDING] = { .now = WHOLE_ENDING " ORDER BY id", .two = "SELECT 0 WHERE 0" },
	[OEV_Q_WHOLE_ENDING_ONE] = { .now = WHOLE_ENDING " WHERE id = ?1", .two = NOTHING("0") },
	[OEV_Q_WHOLE_DECISION] = { .now = "SELECT oev_take(" DECISION_3 ", subscriber, random) FROM decision"
					  " WHERE id <= ?1 ORDER BY id LIMIT -1 OFFSET ?2",
				   .two = NOTHING("0") },
	/* Long reports are few: SQLite indexes report_raw for the join by itself, and keeps its order. */
	[OEV_Q_EVENT_REPORT] = { .now = "SELECT r.id, r.mono_ns, r.peer, r.app_id, r.type, r.subject,"
					" r.origin_host, r.origin_realm, r.sequence, r.reduction_pct,"
					" r.validity_s, r.rate_rps, r.algorithm, r.verdict, r.reason,"
					" r.version, r.raw, r.raw_total, w.at, w.raw FROM (SELECT * FROM "
					"report"
					" ORDER BY id LIMIT -1 OFFSET ?1) r"
					" LEFT JOIN report_raw w ON w.report = r.id",
				 .two = NOTHING("0") },
	[OEV_Q_EVENT_LOAD] = { .now = "SELECT mono_ns, node, peer, type, value FROM load WHERE rowid > ?1"
				      " ORDER BY rowid",
			       .two = NOTHING("0") },
	[OEV_Q_EVENT_PEER] = { .now = "SELECT mono_ns, peer, up FROM peer WHERE rowid > ?1 ORDER BY rowid",
			       .two = NOTHING("0") },
	[OEV_Q_EVENT_ORDER] = { .now = "SELECT mono_ns, how, type, app_id, subject, reduction_pct, rate_rps,"
				       " validity_s, until_ns, by, actor, calculation, reason, inputs"
				       " FROM order_change WHERE rowid > ?1 ORDER BY rowid",
				.two = NOTHING("0") },
	[OEV_Q_EVENT_OWN_REPORT] = { .now = "SELECT mono_ns, sequence, type, app_id, subject, target, "
					    "algorithm,"
					    " reduction_pct, rate_rps, validity_s, step, raw FROM own_report"
					    " WHERE rowid > ?1 ORDER BY rowid",
				     .two = NOTHING("0") },
	[OEV_Q_VERSION_ONE] = { .now = "SELECT type, app_id, subject, origin, algorithm, reduction_pct,"
				       " rate_rps, validity_s, sequence, from_ns, expires_ns FROM ocs_version"
				       " WHERE version = ?1",
				.two = NOTHING("0") },
	[OEV_Q_ALL_VERSIONS] = { .now = "SELECT version, type, app_id, subject, algorithm FROM ocs_version",
				 .two = "SELECT 0 WHERE 0" },
};

const char *oev_question_sql(enum oev_question question, uint32_t schema)
{
	const struct sql *sql = &questions[question];

	if (schema == 1 && sql->one != NULL)
		return sql->one;
	return schema < 3 && sql->two != NULL ? sql->two : sql->now;
}
