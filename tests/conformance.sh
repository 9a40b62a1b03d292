#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Checks docs/conformance.tsv against the tests that exist, and docs/conformance.md against the table it is made from.
#
#   tests/conformance.sh [check|write] [BUILD-FOLDER]     write makes docs/conformance.md anew and then checks
#
# A row is: row, section, rule, strength, tests, note. Tests are separated by "; ":
#   scenario NAME          tests/scenario/NAME.scn exists and its "# rows:" line has the row
#   unit-BIN SUITE NAME    the program lists that test ("unit-agent list"); row ids in front of the name are left out here
#   integration NAME       an "ok" or "is" line of tests/integration/NAME_test.sh begins its title with the row's id or ids
# A row without tests ("-") has a note that starts with "open: TOPIC (later release)" or "not applicable: REASON".
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
mode=${1:-check} build=${2:-build/release}
table=docs/conformance.tsv page=docs/conformance.md
passed=0 failed=0

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
	*) echo "?" ;;
	esac
}

rows() { grep -aE '^D-[0-9]{3}'$'\t' "$table"; }
count_of() { rows | awk -F '\t' "$1" | wc -l; }

head_of_page() {
	cat <<-'END'
		# Conformance

		One line for each row of the requirement on RFC 7683 and RFC 8581. *Strength* is the RFC's own word; *text*, *note* and *derived* rows
		have no capitalised word behind them, and where the RFC is silent (*open*) the note names the decision taken. A row is held by
		the tests named: `scenario` is a file of `tests/scenario/`, `unit-…` a suite and test of that program, `integration` a script of
		`tests/integration/`, with real daemons. `tests/conformance.sh` makes this page from `docs/conformance.tsv` and checks that
		every test named exists and speaks of the row.

	END
	printf '%s rows: %s tested by name, %s open, %s not applicable.\n' "$(rows | wc -l)" "$(count_of '$5 != "-"')" \
		"$(count_of '$5 == "-" && $6 ~ /^open: /')" "$(count_of '$5 == "-" && $6 ~ /^not applicable: /')"
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

# Names of tests without the row ids in front, one list per program.
declare -A listed=()
lists_test() { # PROGRAM "SUITE NAME"
	local program=$build/bin/$1
	[ -x "$program" ] || return 1
	[ -n "${listed[$1]:-}" ] || listed[$1]=$("$program" list | sed -E 's/ (D-[0-9]{3} )+/ /')
	grep -qxF -- "$2" <<<"${listed[$1]}"
}

holds() { # ROW TEST
	local row=$1 kind=${2%% *} name=${2#* }
	case $kind in
	scenario) grep -qsE "^# rows:.* $row( |$)" "tests/scenario/$name.scn" ;;
	unit-*) lists_test "$kind" "$name" ;;
	integration) grep -qsE "^[[:space:]]*(is|ok) \"([^\"]* )?${row}[ :]" "tests/integration/${name}_test.sh" ;;
	*) return 1 ;;
	esac
}

check_row() { # ROW TESTS NOTE
	local row=$1 tests=$2 note=$3 test
	if [ "$tests" = - ]; then
		case $note in
		"open: "*"(later release)"* | "not applicable: "*) good ;;
		*) bad "$row has neither a test nor a reason" ;;
		esac
		return
	fi
	while read -r test; do
		if holds "$row" "$test"; then
			good
		else
			bad "$row: no such test, or it does not speak of the row: $test"
		fi
	done <<<"${tests//; /$'\n'}"
}

case $mode in
write) make_page >"$page" ;;
check) ;;
*)
	echo "usage: tests/conformance.sh [check|write] [BUILD-FOLDER]" >&2
	exit 2
	;;
esac
while IFS=$'\t' read -r row _ _ _ tests note; do
	check_row "$row" "$tests" "$note"
done < <(rows)
if [ "$(rows | cut -f 1)" = "$(rows | cut -f 1 | sort -u)" ]; then good; else bad "rows are out of order or twice there"; fi
if make_page | cmp -s - "$page"; then
	good
else
	bad "$page is out of date: run tests/conformance.sh write"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
