# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# shellcheck shell=bash
# Independent witnesses of a scene: the receipts of doic-traffic held against the evidence. Sourced after scene.sh.
#
#   witness_fresh KEY=VALUE...          servers and relay as in scene.sh (KEYs of scene_conf) on empty evidence
#   witness_servers                     the servers alone, with new receipts
#   witness_client NAME OPTIONS...      a client; each party leaves its receipts in $SCENE/NAME.rct
#   witness_load                        once all have ended: counts, into $SCENE/witness.db
#   witness FIGURE                      one figure of witness.sql: requests_received, requests_lost, gap_events...
#   witness_missing CLIENT              events that the one client's requests, all answered, should have made and that have no row
#   witness_nothing_lost NAME           the tests that hold for every run: nothing lost, nothing twice, no gap
#   witness_verify NAME                 doic verify finds the folder intact, with the relay's key and checkpoints outside the folder
#   witness_hold SEGMENT SECONDS        locks the segment against writers that long, as lab program "holder"

# The part of witness.sql that begins with "-- ## NAME".
witness_sql() {
	awk -v part="$1" '/^-- ## / { on = index($3, part) == 1 } on' tests/integration/witness.sql
}

witness_servers() {
	local name
	rm -f "$LAB_DIR"/*.control "$SCENE"/*.rct
	for name in s1 s2; do
		scene_server "$name" --receipts "$SCENE/$name.rct" --counters "$SCENE/$name.counters"
	done
}

# Empty evidence, of which nothing was told outside: a folder that was emptied behind its checkpoints is one that was cut.
witness_fresh() {
	rm -rf "$SCENE"/evidence/* "$SCENE"/evidence.checkpoints
	scene_conf "$@"
	witness_servers
	scene_relay
}

witness_client() {
	local name=$1
	shift
	scene_client "$name" --receipts "$SCENE/$name.rct" --counters "$SCENE/$name.counters" "$@"
}

# The segment written last.
witness_newest() {
	find "$SCENE/evidence" -name 'seg-*.db' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d ' ' -f 2
}

# One segment, from a copy: the last reader of a file with a -wal would write to it.
witness_segment() {
	local copy=$LAB_DIR/witness-segment.db suffix
	rm -f "$copy"*
	for suffix in "" -wal; do
		[ ! -e "$1$suffix" ] || cp "$1$suffix" "$copy$suffix" || lab_fail "no copy of $1 could be made."
	done
	{
		echo ".parameter set :segment '$(basename "$1")'"
		echo "ATTACH '$copy' AS s; BEGIN;"
		witness_sql segment
		echo "COMMIT; DETACH s;"
	} | sqlite3 -bail "$SCENE/witness.db" || lab_fail "segment $1 could not be read."
	rm -f "$copy"*
}

witness_load() {
	local file
	rm -f "$SCENE/witness.db"
	{
		echo "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
		witness_sql begin
	} | sqlite3 -bail "$SCENE/witness.db" >/dev/null || lab_fail "no witness.db could be made."
	"$LAB_BUILD/bin/doic-traffic" receipts "$SCENE"/*.rct >"$LAB_DIR/receipts.tsv" || lab_fail "receipts could not be read."
	sqlite3 -bail "$SCENE/witness.db" '.mode tabs' ".import '$LAB_DIR/receipts.tsv' receipt" || lab_fail "receipts were not taken."
	for file in "$SCENE"/evidence/seg-*.db; do
		[ ! -e "$file" ] || witness_segment "$file"
	done
	witness_sql figures | sqlite3 -bail "$SCENE/witness.db" || lab_fail "the evidence could not be counted."
}

witness() {
	sqlite3 -readonly "$SCENE/witness.db" "SELECT value FROM figure WHERE name = '$1'"
}

witness_missing() {
	echo $((2 * $(result "$1" '.by_result["2001"]') - $(witness decisions) - $(witness outcomes)))
}

witness_nothing_lost() {
	is "$1: each of $(witness requests_received) requests received has its decision" 0 "$(witness requests_lost)"
	is "$1: each of $(witness answers_received) answers received has its outcome" 0 "$(witness answers_lost)"
	is "$1: nothing is there twice" "0 0" "$(witness decisions_twice) $(witness outcomes_twice)"
	is "$1: no outcome stands alone" 0 "$(witness outcomes_alone)"
	is "$1: no gap" 0 "$(witness gap_events)"
}

# Against the key of the relay and its checkpoints beside the folder.
witness_verify() {
	local doic=$LAB_BUILD/bin/doic code=0
	cp "$SCENE/evidence/public-key.txt" "$LAB_DIR/relay.key.txt" # as somebody outside has it
	timeout 300 "$doic" verify --key "$LAB_DIR/relay.key.txt" --checkpoint "$SCENE/evidence.checkpoints" "$SCENE/evidence" \
		>"$LAB_DIR/verify.log" 2>&1 || code=$?
	is "$1: doic verify finds the folder intact" 0 "$code"
	[ "$code" -eq 0 ] || head -5 "$LAB_DIR/verify.log"
}

# Returns once the lock is had, or not to be had: the first line of holder.log says "locked" or why not.
witness_hold() {
	lab_start holder sqlite3 -bail "$1" ".timeout 3000" "BEGIN EXCLUSIVE" ".shell echo locked; sleep $2" "COMMIT"
	lab_wait holder 5 test -s "$LAB_DIR/holder.log"
}
