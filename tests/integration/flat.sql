-- SPDX-License-Identifier: BSD-3-Clause
-- Copyright (c) 2026 the doic-agent authors
-- Decisions and outcomes with everything of theirs in one row each, as numbers: for questions of the tests. They stand before the
-- tables of the same names.
CREATE TEMP VIEW decision AS
SELECT d.id, t.mono_ns, t.wall_us, f.app_id, f.command, f.client, f.origin_host, f.dest_host, f.dest_realm,
	d.realm_version, d.realm_share, d.realm_nth, d.host_version, d.host_share, d.host_nth, d.peer_version, d.peer_share, d.peer_nth,
	w.verdict, w.why, w.selected_by, w.class, w.flags, w.first_choice, w.next_hop, w.result_code,
	d.end_to_end, d.session, d.subscriber, d.random, f.drmp, f.cc_request_type
FROM main.decision d
JOIN main.v_decision_time t ON t.id = d.id
JOIN main.flow f ON f.id = d.flow
JOIN main.way w ON w.id = d.way;
CREATE TEMP VIEW outcome AS
SELECT o.rowid, o.decision AS id, o.took_ns, t.mono_ns + o.took_ns AS mono_ns, e.result_code, e.maker, e.answered_by, e.from_peer, e.attempts
FROM main.outcome o
JOIN main.ending e ON e.id = o.ending
LEFT JOIN main.v_decision_time t ON t.id = o.decision;
