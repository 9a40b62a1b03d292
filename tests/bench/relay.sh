#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# What the agent costs a relay, and what it is worth to it: stock, quiet and ours by turns, in one call.
#
#   tests/bench/relay.sh [--build build/release] [--json FILE] [--commit SHA] [--quick] [--only PART]...
#
# stock: lab_loopback, acl_wl and rt_default, which any laboratory relay needs. quiet: the same with hooks that do
# nothing. ours: the same with doic.fdx, evidence on. PART is one of instructions, rounds, stalled, unanswered, refusal.
# Ends with 0 when every bound holds, 1 when one is missed, 2 when the machine cannot measure.
set -u
HERE=$(dirname "$(realpath "$0")")
# shellcheck source=../integration/lib.sh
. "$HERE/../integration/lib.sh"
# shellcheck source=figures.sh
. "$HERE/figures.sh"
# shellcheck source=relay_lib.sh
. "$HERE/relay_lib.sh"
# shellcheck source=relay_counts.sh
. "$HERE/relay_counts.sh"
# shellcheck source=relay_times.sh
. "$HERE/relay_times.sh"

BUILD=build/release
JSON=
COMMIT=
QUICK=0
PARTS=()
while [ $# -gt 0 ]; do
	case $1 in
	--build) BUILD=$2 && shift ;;
	--json) JSON=$2 && shift ;;
	--commit) COMMIT=$2 && shift ;;
	--only) PARTS+=("$2") && shift ;;
	--quick) QUICK=1 ;;
	*) lab_fail "unknown argument $1; usage: relay.sh [--build DIR] [--json FILE] [--commit SHA] [--quick] [--only PART]" ;;
	esac
	shift
done
[ ${#PARTS[@]} -gt 0 ] || PARTS=(instructions rounds stalled unanswered refusal)

for tool in "valgrind valgrind" "callgrind_control valgrind" "jq jq"; do
	# shellcheck disable=SC2086 # two words: program and package
	lab_need $tool
done
[ -x "$BUILD/bin/doic-traffic" ] || lab_fail "$BUILD/bin/doic-traffic does not exist: build first."
lab_begin "$BUILD" $((QUICK ? 600 : 1800))
bench_begin
lab_on_fail() {
	bench_say "stopped early; these figures were complete:"
	bench_report "$JSON" "$COMMIT"
	exit 2
}
for part in "${PARTS[@]}"; do
	bench_say "$part"
	"measure_$part"
done
bench_report "$JSON" "$COMMIT"
