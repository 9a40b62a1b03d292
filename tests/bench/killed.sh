#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The relay killed at full load 100 times: how many receipts of servers and clients have no row in the evidence.
#
#   tests/bench/killed.sh [--build build/release] [--json FILE] [--commit SHA] [--quick] [--times N]
#
# Ends with 0 when every bound holds, 1 when one is missed. LAB_KEEP=1 keeps the folder with receipts, evidence and witness.db.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh
# shellcheck source=tests/integration/witness.sh
. tests/integration/witness.sh
# shellcheck source=tests/integration/killed_scene.sh
. tests/integration/killed_scene.sh
# shellcheck source=tests/bench/figures.sh
. tests/bench/figures.sh

DOIC_BUILD=build/release JSON='' COMMIT='' TIMES=100
while [ $# -gt 0 ]; do
	case $1 in
	--build) DOIC_BUILD=$2 && shift ;;
	--json) JSON=$2 && shift ;;
	--commit) COMMIT=$2 && shift ;;
	--times) TIMES=$2 && shift ;;
	--quick) TIMES=10 ;;
	*) lab_fail "unknown argument $1; usage: killed.sh [--build DIR] [--json FILE] [--commit SHA] [--quick] [--times N]" ;;
	esac
	shift
done

total=0
progress() { # ROUND
	local answers
	answers=$(killed_answers)
	total=$((total + answers))
	bench_say "killed $1 of $TIMES times, $answers answers this time, $total in all"
}

scene_begin $((TIMES * 20 + 300))
lab_need jq jq
lab_need sqlite3 sqlite3
figures_begin killed
killed_rounds "$TIMES" progress
killed_end
bench_say "$(witness requests_received) requests received, $(witness answers_received) answers received, $(witness decisions) decisions," \
	"$(witness outcomes) outcomes"
how="$TIMES kills at random moments, $KILLED_CLIENTS clients of window $KILLED_WINDOW; receipts of doic-traffic against rows of the evidence"
figure journal.kill9_lost "$(($(witness requests_lost) + $(witness answers_lost)))" receipts "<= 0" \
	"requests that servers and answers that clients received without their row; $how"
figure journal.kill9_twice "$(($(witness decisions_twice) + $(witness outcomes_twice)))" rows "<= 0" "rows that tell the same again"
figure journal.kill9_gap_events "$(witness gap_events)" events "<= 0" "events of gap rows"
figure journal.kill9_receipts "$(($(witness requests_received) + $(witness answers_received)))" receipts "" \
	"requests that servers and answers that clients received"
figure journal.kill9_on_their_way "$(($(witness requests_not_arrived) + $(witness answers_not_arrived)))" rows "<= $((2 * KILLED_ON_ITS_WAY))" \
	"decided or answered, but on the way at a kill; bound: the clients' windows"
killed_tests "killed $TIMES times" >&2
bench_report "$JSON" "$COMMIT" && [ "$FAILED" -eq 0 ]
