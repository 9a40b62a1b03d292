#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Makes docs/benchmarks.md from build/bench/*.json. Called by ./run bench --page after the benchmarks themselves.
set -euo pipefail
cd "$(dirname "$0")/../.."
page=docs/benchmarks.md
{
	cat <<'TEXT'
# Benchmarks

Made by `./run bench --page` from the figures `./run bench` writes to `build/bench/*.json`; do not edit. The machines are small and shared: a gate is
therefore a count (callgrind user instructions, allocations, octets), which repeats within half a per cent, or a ratio from interleaved
runs. Absolute times are there for orientation. *stock* is a freeDiameter relay without any hook, *quiet* the same with hooks that do nothing.
TEXT
	for file in build/bench/{core,journal,recorder,audit,replay,verify,killed,relay,protocol}.json; do
		[ -e "$file" ] || continue
		printf '\n## %s (commit %s)\n\n| figure | value | unit | bound | | how |\n|---|---:|---|---|---|---|\n' \
			"$(jq -r .bench "$file")" "$(jq -r .commit "$file")"
		jq -r '.figures[] | "| `\(.id)` | \(if .value >= 1000 then (.value | round) else ((.value * 100 | round) / 100) end) | \(.unit) | \(.bound) | \(if .holds == null then "" elif .holds then "holds" else "**missed**" end) | \(.how) |"' "$file"
	done
} >"$page"
echo "wrote $page"
