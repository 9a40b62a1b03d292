#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Checks docs/conformance.tsv against the tests that exist and, with the record of a run, those that ran; makes docs/conformance.md.
#
#   tests/conformance.sh check [BUILD [RECORD]]      BUILD: build/release; RECORD: what tests/all.sh wrote in build/test-ran.log
#   tests/conformance.sh write [BUILD]               makes the table name the tests that speak of each row, and the page anew
#   tests/conformance.sh figures JSON COMMIT [BUILD [RECORD]]
#
# A row is: row, section, rule, strength, tests, note. Tests are separated by "; ":
#   scenario NAME, lab NAME   tests/scenario/NAME.scn, tests/lab/NAME.lab, whose "# rows:" line has the row
#   unit-BIN SUITE NAME       that program lists such a test, with the row's id in front of the name ("unit-agent list")
#   integration NAME          tests/integration/NAME_test.sh checks something whose title begins with the row's id
# A row without tests ("-") has a note that starts with "not applicable: REASON". The record has a line for each test that ran
# and passed, in the same words; of an integration script one per row it spoke of ("integration NAME ROW"), and
# "skipped integration NAME" when it left something out on this machine.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
mode=${1:-check}
json="" commit=""
if [ "$mode" = figures ]; then
	json=$2 commit=$3
	shift 2
fi
build=${2:-build/release} record=${3:-}
table=docs/conformance.tsv page=docs/conformance.md
passed=0 failed=0 skipped=0

good() { passed=$((passed + 1)); }
bad() {
	failed=$((failed + 1))
	echo "not ok $*"
}

title_of() {
	case $1 in
	A) echo "Roles and scope" ;;
	B) echo "Capability announcement in requests" ;;
	C) echo "Capability announcement in answers" ;;
	D) echo "Agents acting for others" ;;
	E) echo "Overload control state" ;;
	F) echo "Receiving reports" ;;
	G) echo "Validity and expiry" ;;
	H) echo "Reporting node: its state" ;;
	I) echo "Reporting node: sending reports" ;;
	J) echo "Matching a request" ;;
	K) echo "Abatement" ;;
	L) echo "Loss algorithm" ;;
	M) echo "Error codes" ;;
	N) echo "Peer reports: capability" ;;
	O) echo "Peer reports: receiving" ;;
	P) echo "Peer reports: sending" ;;
	Q) echo "Peer reports: abatement" ;;
	R) echo "End of overload" ;;
	V) echo "Odd values" ;;
	S) echo "Priorities" ;;
	T) echo "Security and trust" ;;
	"RFC 8582") echo "Rate algorithm" ;;
	"RFC 8583") echo "Load" ;;
	"RFC 7068") echo "Requirements on overload control" ;;
	"RFC 7944") echo "Message priority" ;;
	3GPP) echo "Classes of requests, Gy" ;;
	*) echo "?" ;;
	esac
}

rows() { grep -aE '^[DRLQPC]-[0-9]+'$'\t' "$table"; }
count_of() { rows | awk -F '\t' "$1" | wc -l; }

head_of_page() {
	cat <<-'END'
		# Conformance

		One line for each row of the requirement on RFC 7683 and RFC 8581 (D), RFC 8582 (R), RFC 8583 (L), RFC 7068 (Q), RFC 7944 (P) and
		the use 3GPP makes of them (C). *Strength* is the RFC's own word; *text*, *note* and *derived* rows
		have no capitalised word behind them, and where the RFC is silent (*open*, *own*) the note names the decision taken. A row is held by
		the tests named: `scenario` is a file of `tests/scenario/`, one agent on a virtual clock; `lab` one of `tests/lab/`, several agents;
		`unit-…` a suite and test of that program (`unit-traffic`: of the clients and servers doic-traffic plays, for rows of the other side),
		`integration` a script of `tests/integration/`, with real daemons.
		`tests/conformance.sh` makes this page from `docs/conformance.tsv` and checks that every test named exists, speaks of the row
		and, in a whole `./run test`, ran and passed.

	END
	printf '%s rows: %s tested by name, %s not applicable' "$(rows | wc -l)" "$(count_of '$5 != "-"')" \
		"$(count_of '$5 == "-" && $6 ~ /^not applicable: /')"
	local open
	open=$(count_of '$5 == "-" && $6 !~ /^not applicable: /')
	[ "$open" -eq 0 ] && echo . || echo ", $open neither."
}

make_page() {
	local section last="" row rule strength tests note
	head_of_page
	while IFS=$'\t' read -r row section rule strength tests note; do
		if [ "$section" != "$last" ]; then
			printf '\n## %s. %s\n\n| row | rule | strength | tests | note |\n|---|---|---|---|---|\n' "$section" "$(title_of "$section")"
			last=$section
		fi
		[ "$tests" != - ] || tests=""
		printf '| %s | %s | %s | %s | %s |\n' "$row" "$rule" "$strength" "${tests//; /<br>}" "$note"
	done < <(rows | sed 's/|/\\|/g')
	printf '\n## Rows we read differently\n\n'
	grep -a '^reading'$'\t' "$table" | awk -F '\t' '{ print "- **" $3 "** " $6 }'
}

# What the tests of this tree say they hold: "ROW<TAB>TEST", in the order in which a row names them.
claims() {
	local file program
	for file in tests/scenario/*.scn tests/lab/*.lab; do
		[ -e "$file" ] || continue
		awk -v test="$(basename "$(dirname "$file")") $(basename "${file%.*}")" \
			'/^# rows:/ { for (i = 3; i <= NF; i++) print $i "\t" test }' "$file"
	done
	for program in "$build"/bin/unit-*; do
		[ -x "$program" ] || continue
		"$program" list | awk -v program="$(basename "$program")" '{
			for (i = 2; $i ~ /^[DRLQPC]-[0-9]+$/; i++) row[i] = $i
			name = $i
			for (k = i + 1; k <= NF; k++) name = name " " $k
			for (k = 2; k < i; k++) print row[k] "\t" program " " $1 " " name
		}'
	done
	for file in tests/integration/*_test.sh; do
		awk -v test="integration $(basename "$file" _test.sh)" '/^[ \t]*[a-z_]+ "[DRLQPC]-[0-9]/ && $1 != "skip" {
			sub(/^"/, "", $2)
			for (i = 2; $i ~ /^[DRLQPC]-[0-9]+$/; i++) print $i "\t" test
		}' "$file"
	done
}

# Adds the claims a row does not name yet, and drops names no test bears any more, which is said.
fill() {
	local filled
	filled=$(mktemp)
	awk -F '\t' -v OFS='\t' 'NR == FNR { claims[$1] = claims[$1] "; " $2; next }
		/^[DRLQPC]-[0-9]/ {
			n = split($5, named, "; ")
			$5 = ""
			for (i = 1; i <= n; i++)
				if (index(claims[$1] "; ", "; " named[i] "; ") != 0)
					$5 = $5 "; " named[i]
				else if (named[i] != "-")
					print "dropped from " $1 ": " named[i] >"/dev/stderr"
			n = split(claims[$1], claim, "; ")
			for (i = 2; i <= n; i++)
				if (index($5 "; ", "; " claim[i] "; ") == 0)
					$5 = $5 "; " claim[i]
			$5 = $5 == "" ? "-" : substr($5, 3)
		}
		{ print }' <(claims) "$table" >"$filled" && cat "$filled" >"$table"
	rm -f "$filled"
}

declare -A claimed=() ran=() named=()
read_claims() {
	local row test
	while IFS=$'\t' read -r row test; do
		claimed[$row $test]=1
	done < <(claims)
	[ -z "$record" ] || while read -r test; do
		ran[$test]=1
	done <"$record"
}

did_run() { # ROW TEST
	case $2 in
	integration*) [ -n "${ran[$2 $1]:-}" ] ;;
	*) [ -n "${ran[$2]:-}" ] ;;
	esac
}

check_test() { # ROW TEST
	named[$1 $2]=1
	if [ -z "${claimed[$1 $2]:-}" ]; then
		bad "$1: no such test, or it does not speak of the row: $2"
	elif [ -z "$record" ] || did_run "$1" "$2"; then
		good
	elif [ -n "${ran[skipped $2]:-}" ]; then
		skipped=$((skipped + 1))
		echo "skip $1: $2 was left out on this machine"
	else
		bad "$1: did not run and pass: $2"
	fi
}

check_row() { # ROW TESTS NOTE
	local row=$1 tests=$2 note=$3 test
	if [ "$tests" = - ]; then
		case $note in
		"not applicable: "*) good ;;
		*) bad "$row has neither a test nor a reason" ;;
		esac
		return
	fi
	while read -r test; do
		check_test "$row" "$test"
	done <<<"${tests//; /$'\n'}"
}

# Nothing that a test says of a row is missing in the table.
check_claims() {
	local claim
	for claim in "${!claimed[@]}"; do
		[ -n "${named[$claim]:-}" ] || bad "not in the table (tests/conformance.sh write adds it): $claim"
	done
}

is_in_order() {
	rows | awk '{ at = index("DRLQPC", substr($1, 1, 1)) * 1000 + substr($1, 3); if (at <= last) exit 1; last = at }'
}

write_figures() {
	local total tested reasons how holds=false
	total=$(rows | wc -l) tested=$(count_of '$5 != "-"') reasons=$(count_of '$5 == "-" && $6 ~ /^not applicable: /')
	how="rows of docs/conformance.tsv with tests that exist and speak of the row"
	[ -z "$record" ] || how="$how, and ran and passed in the last whole ./run test"
	[ $((tested + reasons)) -ne "$total" ] || [ "$failed" -ne 0 ] || holds=true
	printf '%-44s %16s %-14s %-16s\n' protocol value unit bound protocol.rows_tested "$tested" rows "= $((total - reasons))" \
		protocol.rows_total "$total" rows ""
	jq -n --arg commit "$commit" --argjson tested "$tested" --argjson total "$total" --argjson reasons "$reasons" --arg how "$how" \
		--argjson holds "$holds" '{bench: "protocol", commit: $commit, figures: [
		{id: "protocol.rows_tested", value: $tested, unit: "rows", bound: "= \($total - $reasons)", holds: $holds, how: $how},
		{id: "protocol.rows_total", value: $total, unit: "rows", bound: "", holds: null,
			how: "rows of both specifications; \($reasons) are not applicable, each with its reason"}]}' >"$json"
}

case $mode in
write)
	fill
	make_page >"$page"
	;;
check | figures) ;;
*)
	echo "usage: tests/conformance.sh [check|write|figures JSON COMMIT] [BUILD [RECORD]]" >&2
	exit 2
	;;
esac
read_claims
while IFS=$'\t' read -r row _ _ _ tests note; do
	check_row "$row" "$tests" "$note"
done < <(rows)
check_claims
if is_in_order; then good; else bad "rows are out of order or twice there"; fi
if make_page | cmp -s - "$page"; then
	good
else
	bad "$page is out of date: run tests/conformance.sh write"
fi
[ "$mode" != figures ] || write_figures
echo "protocol.rows_tested $(count_of '$5 != "-"') of protocol.rows_total $(rows | wc -l)"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
