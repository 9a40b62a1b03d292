-- SPDX-License-Identifier: BSD-3-Clause
-- Copyright (c) 2026 the doic-agent authors
-- Schema 3, as it was written before acts of people had rows. Kept for tests: old evidence stays readable.
-- One evidence segment: a self-contained SQLite file that an auditor reads with nothing but sqlite3.
--
-- Rows are only ever added, and every row of every table but batch and checkpoint is a leaf of a batch's tree (table batch;
-- docs/evidence-format.md). mono_ns: monotonic clock of the node, for order and durations. wall_us: UTC microseconds
-- since 1970, for people. at_ns: monotonic nanoseconds since meta base_ns, which keeps the busy tables small; the views give
-- both clocks. Names (hosts, realms, peers) are numbers of table name; 0 is none. Shares are parts per million of the
-- requests compared (300000 = 30 %). 64-bit unsigned sequence numbers are decimal text, since SQLite integers are signed.
--
-- A life of the agent (meta run) may fill several segments, one part after the other (meta part). Each begins with what the
-- life had told before that still matters, so that it can be read alone; table carried says how many rows of each table those
-- are. Numbers of decisions, reports, versions, flows, ways and endings go on through all parts of a life.

CREATE TABLE meta (          -- one row per fact about this segment: schema, schema_sha256 (of the texts in sqlite_schema, in order
                             -- of rowid, each ended by a newline), product, version, kind (agent, capture), node, realm, host, pid,
                             -- run, part, base_ns, started_us, journal_records; of the log before it: previous (segment, '' none),
                             -- log_size (batches), log_rows, log_chain and log_frontier; log_broken: why it does not go on with an
                             -- earlier one; flow_from, way_from, ending_from: first numbers of this part; lost_before: events that
                             -- gap rows of earlier parts tell of as lost in the journal; core.* is what a replay needs; closed_us and
                             -- closed_how (stopped, rotated, recovered) only when it was finished, with a row in recovery when that
                             -- was done by a later life
	key   TEXT NOT NULL UNIQUE,
	value TEXT NOT NULL
) STRICT;

CREATE TABLE carried (       -- rows at the beginning of each table that repeat what an earlier part holds
	tbl       TEXT NOT NULL,
	rows      INTEGER NOT NULL
) STRICT;

CREATE TABLE carried_version ( -- what earlier parts counted under a version that this part goes on with
	version   INTEGER NOT NULL,
	matched   INTEGER NOT NULL,
	selected  INTEGER NOT NULL,
	expected_ppm INTEGER NOT NULL,
	remembered INTEGER NOT NULL
) STRICT;

CREATE TABLE policy (        -- every policy this segment's decisions were made under, word for word
	version   INTEGER NOT NULL UNIQUE,
	mono_ns   INTEGER NOT NULL,
	wall_us   INTEGER NOT NULL,
	sha256    TEXT NOT NULL,
	text      TEXT NOT NULL
) STRICT;

CREATE TABLE clock (         -- pairs read together, once a second or so: how wall time follows monotonic time
	mono_ns   INTEGER PRIMARY KEY,
	wall_us   INTEGER NOT NULL
) STRICT;

CREATE TABLE code (          -- words for small numbers: verdict, why, scope, maker
	kind      TEXT NOT NULL,
	value     INTEGER NOT NULL,
	text      TEXT NOT NULL
) STRICT;

CREATE TABLE name (
	id        INTEGER PRIMARY KEY,
	text      TEXT NOT NULL
) STRICT;

CREATE TABLE peer (          -- connections opening and closing
	mono_ns   INTEGER NOT NULL,
	wall_us   INTEGER NOT NULL,
	peer      INTEGER NOT NULL,
	up        INTEGER NOT NULL -- 1 open, 0 closed
) STRICT;

CREATE TABLE capability (    -- OC-Supported-Features seen from a peer: first time and every change (RFC 7683 5.1)
	mono_ns   INTEGER NOT NULL,
	wall_us   INTEGER NOT NULL,
	peer      INTEGER NOT NULL,
	origin_host INTEGER NOT NULL,
	direction TEXT NOT NULL, -- request, answer
	app_id    INTEGER NOT NULL,
	present   INTEGER NOT NULL, -- 1 announced, 0 no OC-Supported-Features
	vector    TEXT,          -- OC-Feature-Vector (622), hexadecimal "0x1"; NULL absent
	peer_algo TEXT,          -- OC-Peer-Algo (648)
	source    INTEGER        -- SourceID (649)
) STRICT;

CREATE TABLE report (        -- every OC-OLR received, except word-for-word repeats (table report_repeat)
	id        INTEGER PRIMARY KEY,
	mono_ns   INTEGER NOT NULL,
	wall_us   INTEGER NOT NULL,
	peer      INTEGER NOT NULL, -- adjacent peer it came from
	app_id    INTEGER NOT NULL,
	type      INTEGER,       -- OC-Report-Type as on the wire: 0 host, 1 realm, 2 peer; NULL absent
	subject   INTEGER NOT NULL, -- host, realm or peer it speaks of
	origin_host INTEGER NOT NULL,
	origin_realm INTEGER NOT NULL,
	sequence  TEXT,          -- OC-Sequence-Number; NULL absent, likewise below
	reduction_pct INTEGER,   -- OC-Reduction-Percentage as on the wire
	validity_s INTEGER,      -- OC-Validity-Duration as on the wire
	rate_rps  INTEGER,       -- OC-Maximum-Rate
	algorithm TEXT NOT NULL, -- selected in the same answer
	verdict   TEXT NOT NULL, -- new, updated, stale, repeated, refused
	reason    TEXT NOT NULL, -- why refused, '' else
	version   INTEGER,       -- OCS version made or compared with
	raw       BLOB NOT NULL, -- the AVP octet for octet, header included
	raw_total INTEGER NOT NULL -- its octets on the wire; more than length(raw): not all was kept
) STRICT;

CREATE TABLE report_raw (    -- more octets of a long report.raw, in order of at
	report    INTEGER NOT NULL,
	at        INTEGER NOT NULL,
	raw       BLOB NOT NULL
) STRICT;

CREATE TABLE report_repeat ( -- further receptions of report.id with the same content
	report    INTEGER NOT NULL,
	first_ns  INTEGER NOT NULL,
	last_ns   INTEGER NOT NULL,
	count     INTEGER NOT NULL
) STRICT;

CREATE TABLE ocs_version (   -- what this node believed, from when (RFC 7683 5.2.1.1)
	version   INTEGER PRIMARY KEY,
	report    INTEGER NOT NULL,
	replaces  INTEGER,
	type      TEXT NOT NULL, -- host, realm, peer
	app_id    INTEGER NOT NULL,
	subject   INTEGER NOT NULL,
	sequence  TEXT NOT NULL,
	algorithm TEXT NOT NULL,
	reduction_pct INTEGER,
	rate_rps  INTEGER,
	validity_s INTEGER NOT NULL, -- after defaulting
	from_ns   INTEGER NOT NULL,
	from_us   INTEGER NOT NULL,
	expires_ns INTEGER NOT NULL,
	origin    INTEGER        -- client a host rate was allotted to, realm of a realm rate; NULL for all (RFC 8582 6.1)
) STRICT;

CREATE TABLE ocs_change (    -- how it went on: expired, ended, replaced, recovered, forgotten, shutdown
	version   INTEGER NOT NULL,
	mono_ns   INTEGER NOT NULL,
	wall_us   INTEGER NOT NULL,
	how       TEXT NOT NULL,
	matched   INTEGER NOT NULL, -- the node's own counts so far, to hold against table decision
	selected  INTEGER NOT NULL,
	expected_ppm INTEGER NOT NULL,
	remembered INTEGER NOT NULL
) STRICT;

CREATE TABLE profile (       -- what a message says of itself and decisions depend on, beside its parties: few messages differ
	id        INTEGER PRIMARY KEY,
	hints     INTEGER NOT NULL, -- enum oc_hint
	caps      INTEGER NOT NULL, -- enum oc_caps_has; 0 no OC-Supported-Features
	vector    TEXT,          -- OC-Feature-Vector, hexadecimal; NULL absent, likewise below
	peer_algo TEXT,
	source    INTEGER,
	reservation_priority INTEGER NOT NULL,
	rating_groups TEXT,      -- numbers with commas between; "..." at the end: there were more
	apn       BLOB
) STRICT;

CREATE TABLE candidates (    -- the peers a request could go to, as the host gave them
	id        INTEGER PRIMARY KEY,
	peers     TEXT NOT NULL  -- "peer:score peer:score": name numbers and routing scores
) STRICT;

CREATE TABLE identity (      -- texts behind pseudonyms; only when the agent was told to keep identities clear
	pseudonym INTEGER NOT NULL,
	kind      TEXT NOT NULL, -- session, subscriber
	text      TEXT NOT NULL
) STRICT;

CREATE TABLE flow (          -- what requests have in common when they arrive; the same content may have several numbers
	id        INTEGER PRIMARY KEY,
	app_id    INTEGER NOT NULL,
	command   INTEGER NOT NULL,
	client    INTEGER NOT NULL, -- adjacent peer it came from
	origin_host INTEGER NOT NULL,
	origin_realm INTEGER NOT NULL,
	dest_host INTEGER,       -- as on arrival; NULL: realm-routed
	dest_realm INTEGER,
	drmp      INTEGER,
	cc_request_type INTEGER,
	profile   INTEGER        -- NULL: nothing out of the ordinary
) STRICT;

CREATE TABLE way (           -- what became of requests, without the draws; likewise
	id        INTEGER PRIMARY KEY,
	verdict   INTEGER NOT NULL, -- code 'verdict': 0 forwarded, 1 diverted, 2 refused
	why       INTEGER NOT NULL, -- code 'why'
	selected_by INTEGER NOT NULL, -- code 'scope': whose draw selected it, 0 none
	class     INTEGER NOT NULL, -- of priority: 4 is given up first, 0 last
	flags     INTEGER NOT NULL, -- enum oc_decision_flag
	candidates INTEGER,      -- NULL: not asked, or too many to keep
	first_choice INTEGER,    -- peer it would have gone to
	next_hop  INTEGER,       -- peer it was sent to; NULL not sent
	result_code INTEGER      -- of the refusal
) STRICT;

CREATE TABLE ending (        -- how requests were answered; likewise
	id        INTEGER PRIMARY KEY,
	result_code INTEGER,     -- NULL: there was no answer
	maker     INTEGER NOT NULL, -- code 'maker': 0 upstream, 1 agent, 2 deadline, 3 daemon, 4 lost: no answer left this
				 -- node, though one may have come (from_peer)
	answered_by INTEGER,     -- Origin-Host of the answer
	answered_realm INTEGER,
	from_peer INTEGER,
	attempts  INTEGER NOT NULL,
	profile   INTEGER
) STRICT;

CREATE TABLE decision (      -- one row per request; see v_decision
	id        INTEGER PRIMARY KEY,
	at_ns     INTEGER NOT NULL, -- when it was held against the reports of arrival; rises with id
	out_ns    INTEGER,       -- from then to the choice of a peer; NULL it did not come that far
	flow      INTEGER NOT NULL,
	way       INTEGER NOT NULL,
	realm_version INTEGER,   -- OCS versions it was compared with, and the share it was drawn at: the report's, moved by
				 -- priorities; under a rate 0 (admitted) or 1000000 (not)
	realm_share INTEGER,
	realm_nth INTEGER,       -- which draw of that version this was, counted from 1 without a hole; NULL: not drawn
	host_version INTEGER,    -- (a probe or a remembered verdict)
	host_share INTEGER,
	host_nth  INTEGER,
	peer_version INTEGER,
	peer_share INTEGER,
	peer_nth  INTEGER,
	end_to_end INTEGER NOT NULL,
	session   INTEGER,       -- pseudonym of Session-Id; NULL none
	subscriber INTEGER,      -- pseudonym of the subscriber; NULL not known
	random    INTEGER        -- the chance given to the decision; NULL: nothing was left to chance
) STRICT;

CREATE TABLE outcome (       -- one row per request: how it was answered; see v_outcome
	decision  INTEGER NOT NULL, -- decision.id
	took_ns   INTEGER NOT NULL, -- from decision.at_ns to the answer
	ending    INTEGER NOT NULL
) STRICT;

CREATE TABLE order_change (  -- reports of our own ordered and withdrawn: by whom, why, how worked out
	mono_ns   INTEGER NOT NULL,
	wall_us   INTEGER NOT NULL,
	how       TEXT NOT NULL, -- ordered, withdrawn
	type      TEXT NOT NULL, -- host, realm, peer
	app_id    INTEGER,       -- NULL: every application
	subject   INTEGER,
	reduction_pct INTEGER,
	rate_rps  INTEGER,
	validity_s INTEGER NOT NULL,
	until_ns  INTEGER,       -- withdrawn by itself then
	by        TEXT NOT NULL, -- policy, control, law
	actor     INTEGER NOT NULL, -- version of the policy or the law, number of the user
	calculation INTEGER NOT NULL, -- version of the calculation; 0 given by hand
	reason    TEXT NOT NULL,
	inputs    TEXT NOT NULL  -- "name=value name=value"
) STRICT;

CREATE TABLE own_report (    -- reports of our own: every content that answers carry (RFC 7683 5.2.3, RFC 8582 6.3)
	sequence  TEXT NOT NULL, -- OC-Sequence-Number, one row of numbers for all of them
	mono_ns   INTEGER NOT NULL,
	wall_us   INTEGER NOT NULL,
	type      TEXT NOT NULL, -- host, realm, peer
	app_id    INTEGER,       -- NULL: every application
	subject   INTEGER,       -- host or realm; of a peer report the neighbour it is for, NULL every one
	target    INTEGER,       -- reacting node a rate was allotted to; NULL all
	algorithm TEXT NOT NULL,
	reduction_pct INTEGER,
	rate_rps  INTEGER,
	validity_s INTEGER NOT NULL, -- 0: the end
	step      TEXT NOT NULL, -- begun, changed, renewed, ended, gone
	raw       BLOB NOT NULL  -- the AVP octet for octet as it is sent
) STRICT;

CREATE TABLE own_sent (      -- answers that carried such a content to one neighbour; several rows add up
	sequence  TEXT NOT NULL, -- own_report.sequence
	peer      INTEGER NOT NULL,
	type      TEXT NOT NULL,
	first_ns  INTEGER NOT NULL,
	last_ns   INTEGER NOT NULL,
	count     INTEGER NOT NULL
) STRICT;

CREATE TABLE load (          -- a node's load, whenever it changed (RFC 8583)
	mono_ns   INTEGER NOT NULL,
	wall_us   INTEGER NOT NULL,
	node      INTEGER NOT NULL, -- who speaks (SourceID); ourselves for our own
	peer      INTEGER,       -- neighbour it came through; NULL our own value
	type      TEXT NOT NULL, -- host, peer
	value     INTEGER NOT NULL -- free capacity: 65535 idle, 0 full
) STRICT;

CREATE TABLE gap (           -- events that were made but could not be kept; absence of rows means none
	mono_ns   INTEGER NOT NULL,
	wall_us   INTEGER NOT NULL,
	events    INTEGER NOT NULL,
	reason    TEXT NOT NULL
) STRICT;

CREATE TABLE recovery (      -- this segment's life was cut off and a later one finished it from the journal
	wall_us   INTEGER NOT NULL,
	by_pid    INTEGER NOT NULL,
	events    INTEGER NOT NULL, -- taken from the journal
	torn      INTEGER NOT NULL  -- cut off half-written: what they were to tell had not happened yet
) STRICT;

CREATE TABLE removal (       -- older segments that retention removed, so that their absence is no gap
	wall_us   INTEGER NOT NULL,
	segment   TEXT NOT NULL,
	first_batch INTEGER NOT NULL,
	last_batch INTEGER NOT NULL,
	sha256    TEXT NOT NULL, -- of the file
	reason    TEXT NOT NULL  -- age, size
) STRICT;

CREATE TABLE batch (         -- one row per transaction of the recorder: the root of its rows' tree, chained to the batch before
	number    INTEGER PRIMARY KEY, -- place in the log of this node, from 1, through all segments and lives
	first_ns  INTEGER NOT NULL, -- earliest and latest mono_ns of its events; 0 none
	last_ns   INTEGER NOT NULL,
	wall_us   INTEGER NOT NULL, -- when it was written
	journal   INTEGER NOT NULL, -- events of this life's journal up to which this and all earlier batches reach
	leaves    INTEGER NOT NULL,
	rows      TEXT NOT NULL, -- which: "name 1-12 decision 1-4096,4099"
	root      BLOB NOT NULL,
	chain     BLOB NOT NULL,
	marks     BLOB NOT NULL  -- first two octets of each leaf, in the order of rows: they name the bad row of a bad batch
) STRICT;

CREATE TABLE checkpoint (    -- signed statements about the log so far
	batch     INTEGER NOT NULL,
	wall_us   INTEGER NOT NULL,
	note      TEXT NOT NULL
) STRICT;

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
