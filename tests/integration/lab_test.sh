#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The laboratory itself: one sentence per failure, and nothing left running whatever happens to the script.
#
#   tests/integration/lab_test.sh [--build build/release]
set -u
HERE=$(dirname "$(realpath "$0")")
BUILD=build/release
[ "${1:-}" != --build ] || BUILD=$2
export HERE BUILD
PASSED=0
FAILED=0
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# check NAME EXPECTED-TEXT SCRIPT: the script must say the text, on one line, and leave no process behind.
check() {
	local said left
	TMPDIR=$WORK timeout -k 5 60 bash -c ". $HERE/lib.sh; $3" >"$WORK/out" 2>&1
	said=$(grep -c -- "$2" "$WORK/out")
	sleep 0.3 # a process that is being killed needs a moment to go
	left=$(pgrep -f "$WORK/doic-lab" | wc -l)
	if [ "$said" -eq 1 ] && [ "$left" -eq 0 ]; then
		PASSED=$((PASSED + 1))
		echo "ok      $1"
	else
		FAILED=$((FAILED + 1))
		echo "FAILED  $1: wanted '$2' once, left $left processes; got: $(cat "$WORK/out")" >&2
	fi
}

RELAY='lab_port port; lab_relay dra $port lab_quiet.fdx --'

check "a relay starts, stops and leaves nothing" "all well" \
	"lab_begin $BUILD 30; $RELAY; lab_stop dra; echo all well"
check "a forgotten relay is stopped at exit" "forgotten" "lab_begin $BUILD 30; $RELAY; echo forgotten"
check "a port in use is one sentence" "lab: two found its port in use." \
	"lab_begin $BUILD 30; $RELAY; lab_relay two \$port --"
check "a missing program is one sentence" "lab: nosuchprogram is missing: install it with 'apt-get install nosuchpackage'." \
	"lab_begin $BUILD 30; lab_need nosuchprogram nosuchpackage"
check "a missing build is one sentence" "lab: build folder /nonexistent/build does not exist: build first." \
	"lab_begin /nonexistent/build 30"
check "a killed child is one sentence" "lab: dra was killed by SIGKILL" \
	"lab_begin $BUILD 30; $RELAY; kill -KILL \${LAB_PID[dra]}; sleep 0.2; lab_stop dra"
check "a child that ends early is one sentence" "lab: dra ended with code" \
	"lab_begin $BUILD 30; lab_port port; lab_relay dra \$port nosuch.fdx --"
check "a peer that never comes is one sentence" "lab: dra did not come that far in 1 s" \
	"lab_begin $BUILD 30; $RELAY; LAB_PATIENCE_S=1; lab_open dra s1.a.lab"
check "the time limit is one sentence" "lab: the time limit of 2 s is over." "lab_begin $BUILD 2; $RELAY; sleep 4"
check "a script killed hard leaves nothing" "about to die" \
	"lab_begin $BUILD 30; $RELAY; echo about to die; kill -KILL \$\$"
check "another address can be bound" "127.0.0.9:" \
	"lab_begin $BUILD 30; LAB_ADDRESS=127.0.0.9; $RELAY; ss -ltn | grep -o \"127.0.0.9:\$port\""
check "a wrong address is one sentence" "lab: dra ended with code .*neither an IPv4 nor an IPv6 address" \
	"lab_begin $BUILD 30; LAB_ADDRESS=nowhere; $RELAY"

echo "$PASSED passed, $FAILED failed"
[ "$FAILED" -eq 0 ] && [ "$PASSED" -gt 0 ]
