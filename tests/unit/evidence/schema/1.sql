-- SPDX-License-Identifier: BSD-3-Clause
-- Copyright (c) 2026 the doic-agent authors
-- Schema 1, as it was written by the first releases. Kept for tests: old evidence stays readable.
-- One evidence segment: a self-contained SQLite file that an auditor reads with nothing but sqlite3.
--
-- Rows are only ever added. mono_ns: monotonic clock of the node, for order and durations. wall_us: UTC
-- microseconds since 1970, for people. Names (hosts, realms, peers) are numbers of table name; 0 is none.
-- Shares are parts per million of the requests compared (300000 = 30 %). 64-bit unsigned sequence numbers
-- are decimal text, since SQLite integers are signed.

CREATE TABLE meta (          -- one row per fact about this segment: schema, product, version, node, realm, host, pid,
                             -- journal_records, started_us; closed_us only after a clean stop
	key   TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT;

CREATE TABLE policy (        -- every policy this segment's decisions were made under, word for word
	version   INTEGER PRIMARY KEY,
	mono_ns   INTEGER NOT NULL,
	wall_us   INTEGER NOT NULL,
	sha256    TEXT NOT NULL,
	text      TEXT NOT NULL
) STRICT;

CREATE TABLE clock (         -- pairs read together, once a second or so: how wall time follows monotonic time
	mono_ns   INTEGER NOT NULL,
	wall_us   INTEGER NOT NULL
) STRICT;

CREATE TABLE code (          -- words for the small numbers in decision and outcome
	kind      TEXT NOT NULL, -- verdict, why, scope, maker
	value     INTEGER NOT NULL,
	text      TEXT NOT NULL,
	PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;

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
	expires_ns INTEGER NOT NULL
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

CREATE TABLE decision (      -- one row per request
	id        INTEGER PRIMARY KEY,
	mono_ns   INTEGER NOT NULL,
	wall_us   INTEGER NOT NULL,
	app_id    INTEGER NOT NULL,
	command   INTEGER NOT NULL,
	client    INTEGER NOT NULL, -- adjacent peer it came from
	origin_host INTEGER NOT NULL,
	dest_host INTEGER,       -- as on arrival; NULL: realm-routed
	dest_realm INTEGER,
	realm_version INTEGER,   -- OCS versions it was compared with, and the share applied then
	realm_share INTEGER,
	host_version INTEGER,
	host_share INTEGER,
	peer_version INTEGER,
	peer_share INTEGER,
	verdict   INTEGER NOT NULL, -- code 'verdict': 0 forwarded, 1 diverted, 2 refused
	why       INTEGER NOT NULL, -- code 'why'
	selected_by INTEGER NOT NULL, -- code 'scope': whose draw selected it, 0 none
	class     INTEGER NOT NULL,
	flags     INTEGER NOT NULL, -- enum oc_decision_flag
	first_choice INTEGER,    -- peer it would have gone to
	next_hop  INTEGER,       -- peer it was sent to; NULL not sent
	result_code INTEGER,     -- of the refusal
	end_to_end INTEGER NOT NULL,
	session   INTEGER NOT NULL, -- keyed hash of Session-Id
	random    INTEGER NOT NULL, -- the chance given to the decision
	drmp      INTEGER,
	cc_request_type INTEGER,
	realm_nth INTEGER,       -- which draw of that version this was, counted from 1 without a hole; NULL: not drawn
	host_nth  INTEGER,       -- (a probe or a remembered verdict)
	peer_nth  INTEGER
) STRICT;

CREATE TABLE outcome (       -- one row per request: how it was answered
	id        INTEGER PRIMARY KEY, -- decision.id
	mono_ns   INTEGER NOT NULL,
	took_ns   INTEGER NOT NULL,
	result_code INTEGER,     -- NULL: no answer left this node
	maker     INTEGER NOT NULL, -- code 'maker': 0 upstream, 1 agent, 2 deadline, 3 daemon, 4 lost
	answered_by INTEGER,     -- Origin-Host of the answer
	from_peer INTEGER,
	attempts  INTEGER NOT NULL
) STRICT;

CREATE TABLE gap (           -- events that were made but could not be kept; absence of rows means none
	mono_ns   INTEGER NOT NULL,
	wall_us   INTEGER NOT NULL,
	events    INTEGER NOT NULL,
	reason    TEXT NOT NULL
) STRICT;
