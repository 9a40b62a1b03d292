#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Makes docs/benchmarks.md from build/bench/*.json. Called by ./run bench --page after the benchmarks themselves.
set -euo pipefail
cd "$(dirname "$0")/../.."
page=docs/benchmarks.md

section() { # FILE
	printf '\n## %s (commit %s)\n\n| figure | value | unit | bound | | how |\n|---|---:|---|---|---|---|\n' \
		"$(jq -r .bench "$1")" "$(jq -r .commit "$1")"
	jq -r '.figures[] | "| `\(.id)` | \(if .value >= 1000 then (.value | round) else ((.value * 100 | round) / 100) end) | \(.unit) | \(.bound) | \(if .holds == null then "" elif .holds then "holds" else "**missed**" end) | \(.how) |"' "$1"
}

# What was not measured again stays as it was, with its commit.
former() { # NAME
	awk -v head="## $1 (" '/^## / { kept = index($0, head) == 1; if (kept) print "" } kept' "$page" | cat -s | sed -e '${/^$/d}'
}

{
	cat <<'TEXT'
# Benchmarks

Made by `./run bench --page` from the figures `./run bench` writes to `build/bench/*.json`; do not edit. The machines are small and shared: a gate is
therefore a count (callgrind user instructions, allocations, octets), which repeats within half a per cent, or a ratio from interleaved
runs. Absolute times are there for orientation. *stock* is a freeDiameter relay without any hook, *quiet* the same with hooks that do nothing.

The journal's append is measured three ways. *As a relay appends* (`journal.append_ns`, the bound is on this one): two producers, 50,000 events/s each, other
memory in use in between, and the shared line asked for 500 ns ahead by `oev_journal_expect()`. The agent calls it when it takes up a message that leaves; the 500 ns are the
benchmark's own and have not been measured in the agent, and what the call costs is in the relay's figures, not here. *Not told ahead* (`journal.append_unexpected_ns`): the same without that call. *Flat out* (`journal.append_flat_ns`): both producers
append and do nothing else. A producer that loses its processor, to the consumer or to another program, has that in its sample: on a machine in use p999 is the
scheduler's figure, and `bench-journal` prints how often it happened.

The recorder's rows per second are per second of processor time: what one core does that does nothing else. The figure by the wall clock stands beside it.
TEXT
	for name in core journal recorder audit replay verify shelf killed relay api protocol page; do
		if [ -e "build/bench/$name.json" ]; then
			section "build/bench/$name.json"
		else
			former "$name"
		fi
	done
} >"$page.new"
mv "$page.new" "$page"
echo "wrote $page"
