#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The recorder kept from writing for 5 s under load, by another process that locks the segment: by default the relay waits and
# nothing is lost; with when_full: gap it goes on, and gap rows say exactly how many events are missing. The whole daemon stopped as long loses
# nothing either.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh
# shellcheck source=tests/integration/witness.sh
. tests/integration/witness.sh

scene_begin 120
lab_need jq jq
lab_need sqlite3 sqlite3

# A relay at full load for 8 s; 5 of them the segment is locked. Everything is counted afterwards.
run() { # NAME KEY=VALUE...
	local name=$1
	shift
	witness_fresh relay.deadline_ms=0 "$@"
	witness_client c1 --window 100 --duration 8s --timeout 30s --drain 30s
	sleep 1
	witness_hold "$(witness_newest)" 5
	scene_wait c1
	ok "$name: the lock was had" grep -q '^locked' "$LAB_DIR/holder.log"
	lab_reap holder 50 || lab_fail "the lock was not held to its end: $(lab_words holder)."
	scene_stop
	witness_load
	ok "$name: the log says that nothing could be written" grep -q 'evidence cannot be written .*database is locked' "$LAB_DIR/dra.log"
	ok "$name: and that it went on" grep -q 'evidence is written again' "$LAB_DIR/dra.log"
	is "$name: each of $(result c1 .requests) requests was answered" "$(result c1 .requests)" "$(result c1 '.by_result["2001"]')"
}

longest_ms() { result c1 '.latency_us.max / 1000 | floor'; }

# As it is configured by default; a smaller ring makes the wait longer.
run block evidence.journal_records=16384
ok "block: the relay waited ($(longest_ms) ms)" test "$(longest_ms)" -gt 2000
witness_nothing_lost block
is "block: no request without an end" 0 "$(witness decisions_open)"
is "block: one decision for each request" "$(result c1 .requests)" "$(witness decisions)"
is "block: and one outcome" "$(result c1 .requests)" "$(witness outcomes)"
witness_verify block

# The witnesses themselves: two rows less leave three receipts alone, since an outcome without its decision tells too little.
sqlite3 "$(witness_newest)" "DELETE FROM decision WHERE rowid = (SELECT max(rowid) - 1 FROM decision);
	DELETE FROM outcome WHERE rowid = (SELECT min(rowid) + 1 FROM outcome)"
witness_load
is "block: a decision and an outcome taken out are missed" "1 2 1" \
	"$(witness requests_lost) $(witness answers_lost) $(witness outcomes_alone)"

# Nobody in the daemon runs; what was sent to it waits in its sockets.
witness_fresh relay.deadline_ms=0
witness_client c1 --window 100 --duration 8s --timeout 30s --drain 30s
sleep 1
kill -STOP "${LAB_PID[dra]}"
sleep 5
kill -CONT "${LAB_PID[dra]}"
scene_wait c1
scene_stop
witness_load
ok "stopped: the relay stood still ($(longest_ms) ms)" test "$(longest_ms)" -gt 4500
is "stopped: each of $(result c1 .requests) requests was answered" "$(result c1 .requests)" "$(result c1 '.by_result["2001"]')"
witness_nothing_lost stopped
is "stopped: one decision for each request" "$(result c1 .requests)" "$(witness decisions)"
is "stopped: and one outcome" "$(result c1 .requests)" "$(witness outcomes)"
witness_verify stopped

run gap evidence.when_full=gap evidence.journal_records=1024
missing=$(witness_missing c1)
ok "gap: the relay did not wait ($(longest_ms) ms)" test "$(longest_ms)" -lt 2000
ok "gap: events were lost ($missing)" test "$missing" -gt 1000
is "gap: gap rows say exactly how many" "$missing" "$(witness gap_events)"
is "gap: the receipts miss the same, and answers whose request is missing" "$((missing + $(witness outcomes_alone)))" "$(($(witness requests_lost) + $(witness answers_lost)))"
is "gap: nothing is there twice" "0 0" "$(witness decisions_twice) $(witness outcomes_twice)"
is "gap: the audit names the gap" "$missing" "$(timeout 60 "$LAB_BUILD/bin/doic" audit --json "$SCENE/evidence" | jq '[.gaps[].events] | add')"
witness_verify gap
scene_end
