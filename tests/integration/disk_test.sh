#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The disk of the evidence fills up under load, then has room again, and the log says what is the matter. By default the relay waits
# and nothing is lost; with when_full: gap, or a wait that is too short, it goes on, and gap rows say exactly how many events are missing.
# On a disk that cannot be written at all the daemon does not start.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# A mount nobody else sees, and which ends with this test; an ordinary user may have it too, where the system lets him.
if [ -z "${DISK_TEST_INSIDE:-}" ] && unshare --map-root-user --mount true 2>/dev/null; then
	exec unshare --map-root-user --mount env DISK_TEST_INSIDE=1 "$0" "$@"
fi
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh
# shellcheck source=tests/integration/witness.sh
. tests/integration/witness.sh

scene_begin 180
lab_need jq jq
lab_need sqlite3 sqlite3
if ! mount -t tmpfs -o size=128m,mode=0750 tmpfs "$SCENE/evidence" 2>/dev/null; then
	skip "the disk fills up" "this user cannot mount a small disk"
	scene_end
fi
lab_on_end() { umount "$SCENE/evidence"; }

# Load for some seconds; for the middle ones no octet is free. Everything is counted afterwards.
fill() { # NAME SECONDS LOAD KEY=VALUE...
	local name=$1 seconds=$2 ballast=$SCENE/evidence/ballast
	local -a load
	read -ra load <<<"$3"
	shift 3
	witness_fresh relay.deadline_ms=0 evidence.batch_max_ms=100 "$@"
	witness_client c1 "${load[@]}" --timeout 30s --seed 1
	sleep 1.5
	cat /dev/zero >"$ballast" 2>/dev/null
	ok "$name: the disk is full" test "$(stat -f -c %f "$SCENE/evidence")" -eq 0
	sleep "$seconds"
	rm "$ballast"
	scene_wait c1
	scene_stop
	witness_load
	is "$name: each of $(result c1 .requests) requests was answered" "$(result c1 .requests)" "$(result c1 '.by_result["2001"]')"
	ok "$name: the log says that the disk is full" grep -q 'evidence cannot be written .*full' "$LAB_DIR/dra.log"
	ok "$name: not once per event" test "$(grep -c 'evidence cannot be written' "$LAB_DIR/dra.log")" -lt 10
	ok "$name: and that it is written again" grep -q 'evidence is written again' "$LAB_DIR/dra.log"
	is "$name: nothing is there twice" "0 0" "$(witness decisions_twice) $(witness outcomes_twice)"
	is "$name: what came at the end is there" "$(witness last_received_s)" "$(witness last_recorded_s)"
	witness_verify "$name"
}

longest_ms() { result c1 '.latency_us.max / 1000 | floor'; }

told_as_gaps() { # NAME
	local missing
	missing=$(witness_missing c1)
	ok "$1: events were lost ($missing)" test "$missing" -gt 100
	is "$1: gap rows say exactly how many" "$missing" "$(witness gap_events)"
	is "$1: so does the audit" "$missing" "$(timeout 60 "$LAB_BUILD/bin/doic" audit --json "$SCENE/evidence" | jq '[.gaps[].events] | add')"
}

FULL_LOAD="--window 100 --duration 8s --drain 30s" STEADY_LOAD="--rate 1500 --duration 6s"

# As it is configured by default; a smaller ring makes the wait longer.
fill block 5 "$FULL_LOAD" evidence.journal_records=16384
ok "block: the relay waited ($(longest_ms) ms)" test "$(longest_ms)" -gt 2000
witness_nothing_lost block
is "block: one decision for each request" "$(result c1 .requests)" "$(witness decisions)"
is "block: and one outcome" "$(result c1 .requests)" "$(witness outcomes)"

fill gap 2.5 "$STEADY_LOAD" evidence.when_full=gap evidence.journal_records=1024
ok "gap: nobody waited ($(longest_ms) ms)" test "$(longest_ms)" -lt 1000
told_as_gaps gap

fill short 2.5 "$STEADY_LOAD" evidence.when_full=block evidence.journal_records=1024 evidence.block_max_ms=500
ok "short: the relay waited once ($(longest_ms) ms), not for each message" test "$(longest_ms)" -ge 400 -a "$(longest_ms)" -lt 3000
told_as_gaps short

# A disk that is read-only from the start.
rm -rf "$SCENE"/evidence/*
mount -o remount,ro "$SCENE/evidence"
scene_conf
LAB_REALM=example.net lab_conf dra "$DRA" "doic.fdx=$SCENE/doic.yaml" --
timeout 10 freeDiameterd -c "$LAB_DIR/dra.conf" >"$LAB_DIR/dra.log" 2>&1
code=$?
ok "read-only: the daemon does not start (code $code)" test "$code" -ne 0 -a "$code" -ne 124
ok "read-only: and says why" grep -q "doic:.*$SCENE/evidence.*Read-only file system" "$LAB_DIR/dra.log"
scene_end
