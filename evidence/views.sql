-- SPDX-License-Identifier: BSD-3-Clause
-- Copyright (c) 2026 the doic-agent authors
-- Views over one segment: the populations and joins an auditor asks for, in plain words.

-- Both clocks of a decision. Wall time follows the last clock pair before it.
CREATE VIEW v_decision_time AS
SELECT d.id, d.at_ns + base.value AS mono_ns,
	(d.at_ns + base.value) / 1000 + coalesce(
		(SELECT c.wall_us - c.mono_ns / 1000 FROM clock c WHERE c.mono_ns <= d.at_ns + base.value ORDER BY c.mono_ns DESC LIMIT 1),
		(SELECT c.wall_us - c.mono_ns / 1000 FROM clock c ORDER BY c.mono_ns LIMIT 1)) AS wall_us
FROM decision d, (SELECT CAST(value AS INTEGER) AS value FROM meta WHERE key = 'base_ns') base;

-- One row per request: codes as words, names as text, times as ISO 8601 UTC, shares in percent.
CREATE VIEW v_decision AS
SELECT d.id,
	strftime('%Y-%m-%dT%H:%M:%S', t.wall_us / 1000000, 'unixepoch')
		|| printf('.%06dZ', t.wall_us % 1000000) AS time,
	f.app_id, f.command,
	client.text AS client, origin.text AS origin_host, orealm.text AS origin_realm, host.text AS dest_host, realm.text AS dest_realm,
	d.realm_version, d.realm_share / 10000.0 AS realm_share_pct, d.realm_nth,
	d.host_version, d.host_share / 10000.0 AS host_share_pct, d.host_nth,
	d.peer_version, d.peer_share / 10000.0 AS peer_share_pct, d.peer_nth,
	coalesce(verdict.text, w.verdict) AS verdict, coalesce(why.text, w.why) AS why,
	coalesce(scope.text, w.selected_by) AS selected_by, w.class,
	(w.flags & 4) <> 0 AS remembered, (w.flags & 8) <> 0 AS probe, (w.flags & 16) <> 0 AS observed,
	(w.flags & 32) <> 0 AS retransmitted,
	(w.flags & 64) <> 0 AS recovering, (w.flags & 128) <> 0 AS reacting_for_client,
	(w.flags & 512) <> 0 AS class_inherited, (w.flags & 1024) <> 0 AS drmp_stripped,
	first.text AS first_choice, hop.text AS next_hop, w.result_code,
	d.end_to_end, d.session, d.subscriber, f.drmp, f.cc_request_type, t.mono_ns, t.wall_us, d.out_ns
FROM decision d
JOIN v_decision_time t ON t.id = d.id
JOIN flow f ON f.id = d.flow
JOIN way w ON w.id = d.way
LEFT JOIN name client ON client.id = f.client
LEFT JOIN name origin ON origin.id = f.origin_host
LEFT JOIN name orealm ON orealm.id = f.origin_realm
LEFT JOIN name host ON host.id = f.dest_host
LEFT JOIN name realm ON realm.id = f.dest_realm
LEFT JOIN name first ON first.id = w.first_choice
LEFT JOIN name hop ON hop.id = w.next_hop
LEFT JOIN code verdict ON verdict.kind = 'verdict' AND verdict.value = w.verdict
LEFT JOIN code why ON why.kind = 'why' AND why.value = w.why
LEFT JOIN code scope ON scope.kind = 'scope' AND scope.value = w.selected_by;

-- One row per distinct report; receptions counts its word-for-word repeats too.
CREATE VIEW v_report AS
SELECT r.id,
	strftime('%Y-%m-%dT%H:%M:%S', r.wall_us / 1000000, 'unixepoch')
		|| printf('.%06dZ', r.wall_us % 1000000) AS time,
	peer.text AS peer, r.app_id,
	CASE r.type WHEN 0 THEN 'host' WHEN 1 THEN 'realm' WHEN 2 THEN 'peer' ELSE r.type END AS type,
	subject.text AS subject, oh.text AS origin_host, orr.text AS origin_realm,
	r.sequence, r.reduction_pct, r.validity_s, r.rate_rps, r.algorithm, r.verdict, r.reason, r.version,
	1 + coalesce((SELECT sum(count) FROM report_repeat WHERE report = r.id), 0) AS receptions,
	hex(r.raw) || coalesce((SELECT group_concat(hex(m.raw), '') FROM (SELECT raw FROM report_raw WHERE report = r.id ORDER BY at) m), '')
		AS raw_hex,
	length(r.raw) + coalesce((SELECT sum(length(m.raw)) FROM report_raw m WHERE m.report = r.id), 0) AS raw_kept, r.raw_total
FROM report r
LEFT JOIN name peer ON peer.id = r.peer
LEFT JOIN name subject ON subject.id = r.subject
LEFT JOIN name oh ON oh.id = r.origin_host
LEFT JOIN name orr ON orr.id = r.origin_realm;

-- One row per state this node held: its active interval [from, until), and how that ended.
-- until is the earliest of expiry and any change; NULL in how: still held when the segment ends.
CREATE VIEW v_ocs AS
SELECT o.version, o.report, o.replaces, o.type, o.app_id, subject.text AS subject, o.sequence,
	o.algorithm, o.reduction_pct, o.rate_rps, o.validity_s,
	strftime('%Y-%m-%dT%H:%M:%S', o.from_us / 1000000, 'unixepoch')
		|| printf('.%06dZ', o.from_us % 1000000) AS active_from,
	(min(o.expires_ns, coalesce(first.mono_ns, o.expires_ns)) - o.from_ns) / 1e9 AS active_s,
	first.how AS how_ended,
	last.how AS last_change, last.matched, last.selected, last.expected_ppm / 1e6 AS expected,
	last.remembered, origin.text AS origin
FROM ocs_version o
LEFT JOIN name subject ON subject.id = o.subject
LEFT JOIN name origin ON origin.id = o.origin
LEFT JOIN ocs_change first ON first.rowid = (SELECT rowid FROM ocs_change
	WHERE version = o.version ORDER BY mono_ns, rowid LIMIT 1)
LEFT JOIN ocs_change last ON last.rowid = (SELECT rowid FROM ocs_change
	WHERE version = o.version ORDER BY mono_ns DESC, rowid DESC LIMIT 1);

-- One row per (version, class): who was compared with it, and who was selected. Only the sum over the classes of a version
-- is bound to its report: important classes are spared at the cost of the others. Matched counts the drawn ones
-- (they have a number under that version); remembered verdicts and probes were not drawn and stand apart.
-- Percentages of two rows are never to be added up.
CREATE VIEW v_population AS
WITH look AS (
	SELECT realm_version AS version, realm_share AS share, realm_nth AS nth, 1 AS scope, w.class, w.flags,
		w.selected_by = 1 AS hit, w.verdict FROM decision JOIN way w ON w.id = way WHERE realm_version IS NOT NULL
	UNION ALL
	SELECT host_version, host_share, host_nth, 2, w.class, w.flags, w.selected_by = 2, w.verdict
		FROM decision JOIN way w ON w.id = way WHERE host_version IS NOT NULL
	UNION ALL
	SELECT peer_version, peer_share, peer_nth, 3, w.class, w.flags, w.selected_by = 3, w.verdict
		FROM decision JOIN way w ON w.id = way WHERE peer_version IS NOT NULL
)
SELECT version, coalesce(code.text, scope) AS scope, class,
	sum(nth IS NOT NULL) AS matched,
	sum(nth IS NOT NULL AND hit) AS selected,
	sum(CASE WHEN nth IS NOT NULL THEN share ELSE 0 END) / 1e6 AS expected,
	sum(nth IS NOT NULL AND NOT hit) AS survivors,
	sum(hit AND verdict = 2) AS refused,
	sum(hit AND verdict = 1) AS diverted,
	sum(nth IS NULL AND hit AND (flags & 4) <> 0) AS remembered,
	sum(nth IS NULL AND hit AND (flags & 8) <> 0) AS probes,
	sum(nth IS NOT NULL AND (flags & 64) <> 0) AS on_ramp
FROM look LEFT JOIN code ON code.kind = 'scope' AND code.value = scope
GROUP BY version, scope, class;

-- One row per request that was answered, or lost.
CREATE VIEW v_outcome AS
SELECT o.decision AS id, f.app_id, o.took_ns / 1e6 AS took_ms, e.result_code, coalesce(maker.text, e.maker) AS maker,
	answered.text AS answered_by, peer.text AS from_peer, e.attempts, d.end_to_end
FROM outcome o
JOIN ending e ON e.id = o.ending
LEFT JOIN decision d ON d.id = o.decision
LEFT JOIN flow f ON f.id = d.flow
LEFT JOIN name answered ON answered.id = e.answered_by
LEFT JOIN name peer ON peer.id = e.from_peer
LEFT JOIN code maker ON maker.kind = 'maker' AND maker.value = e.maker;

-- One row per (next hop, application): what was sent there and what came back.
CREATE VIEW v_by_server AS
SELECT hop.text AS server, f.app_id, count(*) AS requests,
	sum(w.verdict = 1) AS diverted_here,
	sum(e.maker = 0) AS answered, sum(e.result_code BETWEEN 2000 AND 2999 AND e.maker = 0) AS success,
	sum(o.decision IS NULL) AS without_outcome
FROM decision d
JOIN flow f ON f.id = d.flow
JOIN way w ON w.id = d.way
JOIN name hop ON hop.id = w.next_hop
LEFT JOIN outcome o ON o.decision = d.id
LEFT JOIN ending e ON e.id = o.ending
GROUP BY w.next_hop, f.app_id;

-- One row per (client, application): what it sent and what it was told.
CREATE VIEW v_by_client AS
SELECT client.text AS client, f.app_id, count(*) AS requests,
	sum(w.verdict = 0) AS forwarded, sum(w.verdict = 1) AS diverted, sum(w.verdict = 2) AS refused,
	sum(e.result_code IS NOT NULL AND e.maker <> 4) AS answered, sum(o.decision IS NULL) AS without_outcome
FROM decision d
JOIN flow f ON f.id = d.flow
JOIN way w ON w.id = d.way
JOIN name client ON client.id = f.client
LEFT JOIN outcome o ON o.decision = d.id
LEFT JOIN ending e ON e.id = o.ending
GROUP BY f.client, f.app_id;

-- One row per kind of refusal.
CREATE VIEW v_refusals_by_reason AS
SELECT coalesce(why.text, w.why) AS why, coalesce(scope.text, w.selected_by) AS selected_by, f.app_id,
	w.result_code, count(*) AS requests, sum((w.flags & 4) <> 0) AS remembered
FROM decision d
JOIN flow f ON f.id = d.flow
JOIN way w ON w.id = d.way
LEFT JOIN code why ON why.kind = 'why' AND why.value = w.why
LEFT JOIN code scope ON scope.kind = 'scope' AND scope.value = w.selected_by
WHERE w.verdict = 2
GROUP BY w.why, w.selected_by, f.app_id, w.result_code;

-- One row per content of a report of our own and neighbour it went to; peer is NULL when no answer carried it.
CREATE VIEW v_own_report AS
SELECT o.sequence,
	strftime('%Y-%m-%dT%H:%M:%S', o.wall_us / 1000000, 'unixepoch')
		|| printf('.%06dZ', o.wall_us % 1000000) AS time,
	o.step, o.type, o.app_id, subject.text AS subject, target.text AS target, o.algorithm, o.reduction_pct,
	o.rate_rps, o.validity_s, peer.text AS peer, coalesce(sent.answers, 0) AS answers,
	(sent.first_ns - o.mono_ns) / 1e9 AS first_s, (sent.last_ns - o.mono_ns) / 1e9 AS last_s, hex(o.raw) AS raw_hex
FROM own_report o
LEFT JOIN (SELECT sequence, peer, sum(count) AS answers, min(first_ns) AS first_ns, max(last_ns) AS last_ns
	FROM own_sent GROUP BY sequence, peer) sent ON sent.sequence = o.sequence AND o.step <> 'gone'
LEFT JOIN name subject ON subject.id = o.subject
LEFT JOIN name target ON target.id = o.target
LEFT JOIN name peer ON peer.id = sent.peer;

-- One row per change of a load value; peer NULL: our own. free_pct is what the value says is free.
CREATE VIEW v_load AS
SELECT strftime('%Y-%m-%dT%H:%M:%S', l.wall_us / 1000000, 'unixepoch')
		|| printf('.%06dZ', l.wall_us % 1000000) AS time,
	node.text AS node, peer.text AS peer, l.type, l.value, round(l.value / 655.35, 1) AS free_pct
FROM load l
LEFT JOIN name node ON node.id = l.node
LEFT JOIN name peer ON peer.id = l.peer;
