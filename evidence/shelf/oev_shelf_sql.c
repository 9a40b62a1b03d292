/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The short questions of the shelf. Each is answered along a primary key.
 */
#include "oev_shelf_inner.h"

#define SCAN(more)                                                                                           \
	"SELECT id, at_ns, flow, way" more " FROM decision WHERE id <= ?1 AND id >= ?2 ORDER BY id "
#define MORE ", session, subscriber, realm_version, host_version, peer_version"

static const char *const questions[OEV_SHELF_S_LISTS] = {
	[OEV_SHELF_S_DOWN] = SCAN("") "DESC",
	[OEV_SHELF_S_UP] = SCAN("") "ASC",
	[OEV_SHELF_S_DOWN_MORE] = SCAN(MORE) "DESC",
	[OEV_SHELF_S_UP_MORE] = SCAN(MORE) "ASC",
	[OEV_SHELF_S_ONE] = "SELECT id, at_ns, out_ns, flow, way, end_to_end, session, subscriber, random,"
			    " realm_version, realm_share, realm_nth, host_version, host_share, host_nth,"
			    " peer_version, peer_share, peer_nth FROM decision WHERE id = ?1",
	[OEV_SHELF_S_AFTER] = "SELECT id, at_ns FROM decision WHERE id >= ?1 ORDER BY id LIMIT 1",
	[OEV_SHELF_S_SESSIONS] = "SELECT id, at_ns, way, session, subscriber FROM decision"
				 " WHERE id >= ?1 AND id <= ?2 ORDER BY id",
	[OEV_SHELF_S_FLOW] = "SELECT app_id, command, client, origin_host, origin_realm, dest_host,"
			     " dest_realm, drmp, cc_request_type, profile FROM flow WHERE id = ?1",
	[OEV_SHELF_S_WAY] = "SELECT verdict, why, selected_by, class, flags, candidates, first_choice,"
			    " next_hop, result_code FROM way WHERE id = ?1",
	[OEV_SHELF_S_ENDING] = "SELECT result_code, maker, answered_by, answered_realm, from_peer, attempts,"
			       " (SELECT hints FROM profile p WHERE p.id = e.profile)"
			       " FROM ending e WHERE id = ?1",
	[OEV_SHELF_S_NAME] = "SELECT text FROM name WHERE id = ?1",
	[OEV_SHELF_S_NAME_ID] = "SELECT id FROM name WHERE text = ?1 COLLATE NOCASE LIMIT 1",
	[OEV_SHELF_S_CLOCK] = "SELECT c.mono_ns, c.wall_us, (SELECT n.mono_ns FROM clock n WHERE n.mono_ns >"
			      " c.mono_ns ORDER BY n.mono_ns LIMIT 1) FROM clock c WHERE c.mono_ns <= ?1"
			      " ORDER BY c.mono_ns DESC LIMIT 1",
	[OEV_SHELF_S_CLOCK_FIRST] = "SELECT mono_ns, wall_us, mono_ns FROM clock ORDER BY mono_ns LIMIT 1",
	[OEV_SHELF_S_OUTCOME_AT] = "SELECT decision FROM outcome WHERE rowid = ?1",
	[OEV_SHELF_S_OUTCOME_WHEN] = "SELECT d.at_ns + o.took_ns FROM outcome o JOIN decision d"
				     " ON d.id = o.decision WHERE o.rowid = ?1",
	[OEV_SHELF_S_OUTCOMES] =
		"SELECT decision, took_ns, ending, rowid FROM outcome WHERE rowid >= ?1 AND rowid <="
		" ?2 ORDER BY rowid",
	[OEV_SHELF_S_OUTCOME_LAST] = "SELECT coalesce(max(rowid), 0) FROM outcome",
	[OEV_SHELF_S_VERSION] = "SELECT o.report, o.type, o.app_id, o.subject, o.sequence, o.algorithm,"
				" o.reduction_pct, o.rate_rps, o.validity_s, o.from_us FROM ocs_version o"
				" WHERE o.version = ?1",
	[OEV_SHELF_S_REPORT] = "SELECT wall_us, peer, raw_total FROM report WHERE id = ?1",
	[OEV_SHELF_S_RAW] = "SELECT raw, -1 AS at FROM report WHERE id = ?1 UNION ALL SELECT raw, at FROM"
			    " report_raw WHERE report = ?1 ORDER BY at",
	[OEV_SHELF_S_PROFILE] = "SELECT hints, caps, vector, peer_algo, source, reservation_priority,"
				" rating_groups, apn FROM profile WHERE id = ?1",
	[OEV_SHELF_S_CANDIDATES] = "SELECT peers FROM candidates WHERE id = ?1",
	[OEV_SHELF_S_POLICY] = "SELECT version, wall_us, sha256 FROM policy WHERE mono_ns <= ?1 ORDER BY"
			       " mono_ns DESC, version DESC LIMIT 1",
	[OEV_SHELF_S_META] = "SELECT key, value FROM meta",
	[OEV_SHELF_S_LAST] =
		"SELECT (SELECT coalesce(min(id), 0) FROM decision), (SELECT coalesce(max(id), 0) FROM "
		"decision),"
		" (SELECT coalesce(min(number), 0) FROM batch), (SELECT coalesce(max(number), 0) FROM batch),"
		" coalesce((SELECT wall_us FROM batch ORDER BY number DESC LIMIT 1),"
		" (SELECT wall_us FROM clock ORDER BY mono_ns DESC LIMIT 1), 0)",
	[OEV_SHELF_S_CARRIED] = "SELECT tbl, rows FROM carried",
};

const char *oev_shelf_sql(unsigned which)
{
	return which < OEV_SHELF_S_LISTS ? questions[which] : oev_shelf_list_sql(which - OEV_SHELF_S_LISTS);
}
