-- SPDX-License-Identifier: BSD-3-Clause
-- Copyright (c) 2026 the doic-agent authors
-- The receipts of servers and clients held against the evidence, message by message: every question of witness.sh in one place.
-- Only columns that the views of a segment promise are used.

-- ## begin
CREATE TABLE receipt (       -- one line of doic-traffic receipts
	node TEXT, kind TEXT, end_to_end INTEGER, origin TEXT, result INTEGER, app_id INTEGER, flags INTEGER, at_us INTEGER);
CREATE TABLE decision (run TEXT, id INTEGER, end_to_end INTEGER, origin TEXT, next_hop TEXT);
CREATE TABLE outcome (run TEXT, id INTEGER, result INTEGER);
CREATE TABLE gap (run TEXT, events INTEGER);
CREATE TABLE figure (name TEXT PRIMARY KEY, value INTEGER);

-- ## segment: attached as s. A life of the agent may fill several files, and ids go on through them.
CREATE TEMP TABLE life AS SELECT coalesce((SELECT value FROM s.meta WHERE key = 'run'), :segment) AS run;
INSERT INTO decision SELECT run, id, end_to_end, origin_host, next_hop FROM s.v_decision, life;
INSERT INTO outcome SELECT run, id, result_code FROM s.v_outcome, life;
INSERT INTO gap SELECT run, events FROM s.gap, life;
DROP TABLE temp.life;

-- ## figures
CREATE UNIQUE INDEX decision_key ON decision (run, id);
CREATE INDEX outcome_key ON outcome (run, id);

-- What servers received, less what was decided to go there: more than 0 is lost, less than 0 never arrived.
CREATE TEMP TABLE request_balance AS SELECT sum(n) AS n FROM (
	SELECT node, origin, end_to_end, 1 AS n FROM receipt WHERE kind = 'request_in'
	UNION ALL SELECT next_hop, origin, end_to_end, -1 FROM decision WHERE next_hop IS NOT NULL)
	GROUP BY node, origin, end_to_end HAVING sum(n) <> 0;

-- What clients received, less what was answered so. A client is known by the Origin-Host of its requests.
CREATE TEMP TABLE answer_balance AS SELECT sum(n) AS n FROM (
	SELECT node, end_to_end, result, 1 AS n FROM receipt WHERE kind = 'answer_in'
	UNION ALL SELECT d.origin, d.end_to_end, o.result, -1 FROM outcome o JOIN decision d USING (run, id)
		WHERE o.result IS NOT NULL)
	GROUP BY node, end_to_end, result HAVING sum(n) <> 0;

INSERT INTO figure
SELECT 'requests_received', count(*) FROM receipt WHERE kind = 'request_in'
UNION ALL SELECT 'answers_received', count(*) FROM receipt WHERE kind = 'answer_in'
UNION ALL SELECT 'requests_sent', count(*) FROM receipt WHERE kind = 'request_out'
UNION ALL SELECT 'decisions', count(*) FROM decision
UNION ALL SELECT 'outcomes', count(*) FROM outcome
UNION ALL SELECT 'requests_lost', coalesce(sum(n), 0) FROM request_balance WHERE n > 0
UNION ALL SELECT 'requests_not_arrived', -coalesce(sum(n), 0) FROM request_balance WHERE n < 0
UNION ALL SELECT 'answers_lost', coalesce(sum(n), 0) FROM answer_balance WHERE n > 0
UNION ALL SELECT 'answers_not_arrived', -coalesce(sum(n), 0) FROM answer_balance WHERE n < 0
-- A client of these tests never uses an identifier twice.
UNION ALL SELECT 'decisions_twice', coalesce(sum(n - 1), 0) FROM (SELECT count(*) AS n FROM decision GROUP BY origin, end_to_end)
UNION ALL SELECT 'outcomes_twice', coalesce(sum(n - 1), 0) FROM (SELECT count(*) AS n FROM outcome GROUP BY run, id)
UNION ALL SELECT 'decisions_open', count(*) FROM decision d
	WHERE NOT EXISTS (SELECT 1 FROM outcome o WHERE o.run = d.run AND o.id = d.id)
UNION ALL SELECT 'outcomes_alone', count(*) FROM outcome o
	WHERE NOT EXISTS (SELECT 1 FROM decision d WHERE d.run = o.run AND d.id = o.id)
-- When servers received their last request, and the last one that has its decision, by the same clock.
UNION ALL SELECT 'last_received_s', max(at_us) / 1000000 FROM receipt WHERE kind = 'request_in'
UNION ALL SELECT 'last_recorded_s', max(at_us) / 1000000 FROM receipt JOIN decision USING (origin, end_to_end) WHERE kind = 'request_in'
UNION ALL SELECT 'gap_rows', count(*) FROM gap
UNION ALL SELECT 'gap_events', coalesce(sum(events), 0) FROM gap;
