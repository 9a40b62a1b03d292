# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Figures of a benchmark written in shell: collected one by one, then told as a table and as a file. Needs lib.sh.
#
# shellcheck shell=bash

# figures_begin NAME: no figure yet.
figures_begin() {
	BENCH=$1
	FIGURES=$LAB_DIR/figures.jsonl
	: >"$FIGURES"
}

bench_say() {
	echo "$BENCH: $*" >&2
}

# figure ID VALUE UNIT BOUND HOW: BOUND is "<= 64000", ">= 1.4" or "".
figure() {
	jq -cn --arg id "$1" --argjson value "$2" --arg unit "$3" --arg bound "$4" --arg how "$5" '
		($bound | split(" ")) as $b |
		{id: $id, value: $value, unit: $unit, bound: $bound,
		 holds: (if $bound == "" then null
			 elif $b[0] == "<=" then $value <= ($b[1] | tonumber)
			 else $value >= ($b[1] | tonumber) end), how: $how}' >>"$FIGURES" ||
		lab_fail "no value for $1: got '$2'."
}

# bench_report JSON COMMIT: the table, the file, and 0 when every bound holds.
bench_report() {
	[ -s "$FIGURES" ] || lab_fail "nothing was measured."
	jq -rs '.[] | [.id, (.value * 100 | round / 100 | tostring), .unit, .bound,
		(if .holds == null then "" elif .holds then "holds" else "MISSED" end)] | @tsv' "$FIGURES" |
		while IFS=$'\t' read -r id value unit bound holds; do
			printf '%-48s %14s %-14s %-12s %s\n' "$id" "$value" "$unit" "$bound" "$holds"
		done
	if [ -n "$1" ]; then
		mkdir -p "$(dirname "$1")"
		jq -s --arg bench "$BENCH" --arg commit "$2" '{bench: $bench, commit: $commit, figures: .}' "$FIGURES" >"$1" ||
			lab_fail "$1 could not be written."
	fi
	jq -es 'all(.holds != false)' "$FIGURES" >/dev/null
}

# median NUMBERS...
median() {
	printf '%s\n' "$@" | sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# calc EXPRESSION: decimal arithmetic.
calc() {
	awk "BEGIN { printf \"%.6g\", $1 }"
}
