#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Runs every fuzz target of BUILD for SECONDS, starting from the committed seeds; findings go to BUILD/findings. Called by ./run fuzz.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
build=$1 seconds=$2 failed=0
mkdir -p "$build/findings"
for program in "$build"/bin/fuzz-*; do
	name=$(basename "$program")
	mkdir -p "$build/grown/${name#fuzz-}"
	log=$build/$name.log
	echo "fuzzing $name for $seconds s" >&2
	if "$program" -max_total_time="$seconds" -max_len=4096 -timeout=10 -print_final_stats=1 -artifact_prefix="$build/findings/$name-" \
		"$build/grown/${name#fuzz-}" "tests/fuzz/corpus/${name#fuzz-}" >"$log" 2>&1; then
		echo "ok      $name: $(sed -nE 's/^stat::number_of_executed_units: *//p' "$log") runs, no finding"
	else
		echo "FAILED  $name: see $log and $build/findings"
		failed=$((failed + 1))
	fi
done
exit $((failed != 0))
