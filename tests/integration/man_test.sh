#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Manual pages: each can be made and passes mandoc's lint, has the sections people look for, points at pages that exist, and tells the
# options its verb has, no more and no fewer. The documents that pages about files show are documents the program takes.
# usage: man_test.sh [--build FOLDER]
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
build=build/release
[ "${1:-}" != --build ] || build=$2
doic=$(realpath "$build/bin/doic") || exit 1
for tool in scdoc mandoc jq; do
	command -v $tool >/dev/null || {
		echo "$tool is missing: install it with 'apt-get install $tool'" >&2
		exit 1
	}
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
skipped=0

is() { # NAME EXPECTED GOT
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok $1: wanted '$2', got '$3'"
	fi
}

# What mandoc warns of, one line each. scdoc writes empty paragraphs everywhere; those are no news.
lint() { mandoc -Tlint -W warning "$1" | grep -v 'skipping paragraph macro'; }
# Long options of a text, one per line.
options() { grep -oE -- '--[a-z][a-z-]+' | sort -u; }
unescaped() { sed 's/\\\(.\)/\1/g' "$1"; }

# Each document under EXAMPLES, as its own file, has nothing that cannot be read. What this machine lacks (folders, keys) is no mistake of it.
examples_hold() { # PAGE SOURCE NAME
	local example count=0
	rm -rf "$work/examples" && mkdir "$work/examples"
	awk -v to="$work/examples/" '/^# / { on = $2 == "EXAMPLES" } !on { next }
		/^```/ { inside = !inside; n += inside; next } inside { print >(to n ".yaml") }' "$2"
	for example in "$work"/examples/*.yaml; do
		count=$((count + 1))
		mkdir "${example%.yaml}"
		mv "$example" "${example%.yaml}/$3"
		is "$1: document $count under EXAMPLES has no mistake" "" \
			"$("$doic" check --offline --json "${example%.yaml}/$3" | jq -r '.checks[].text | select(test("yaml:[0-9]+:[0-9]+:"))')"
	done
	is "$1 shows several documents" 1 $((count > 1))
}

for source in docs/man/*.scd; do
	page=$(basename "$source" .scd) # doic-audit.1
	name=${page%.*} section=${page##*.}
	is "$page can be made" "" "$(scdoc <"$source" 2>&1 >"$work/$page")"
	is "$page passes lint" "" "$(lint "$work/$page")"
	is "$page is called so" "$name($section)" "$(head -1 "$source" | cut -d' ' -f1)"
	is "$page has a line for whatis" 1 "$(grep -cE "^$name - [a-z]" "$source")"
	for heading in NAME DESCRIPTION EXAMPLES "SEE ALSO"; do
		is "$page has $heading" 1 "$(grep -cx "# $heading" "$source")"
	done
	[ "$section" = 1 ] || examples_hold "$page" "$source" "$name"
	[ "$section" = 1 ] && is "$page has EXIT STATUS" 1 "$(grep -cx '# EXIT STATUS' "$source")"
	while read -r other; do
		[ -e "docs/man/$other.scd" ] || is "$page points at pages that exist" "" "$other"
	done < <(unescaped "$source" | grep -oE '\*(doic[a-z.-]*|policy\.yaml)\*\([1-8]\)' | sed -E 's/\*(.*)\*\((.)\)/\1.\2/' | sort -u)

	verb=${name#doic-}
	[ "$verb" != "$name" ] || continue
	if ! "$doic" help "$verb" >"$work/help" 2>/dev/null; then
		echo "skip options of $page: this program has no verb $verb"
		skipped=$((skipped + 1))
		continue
	fi
	# --help is said once for all in doic(1); a synonym need not stand in the short help.
	is "$page tells every option of $verb --help" "" \
		"$(comm -23 <(options <"$work/help") <(unescaped "$source" | options) | grep -vx -- --help)"
	is "$page tells no option that $verb does not have" "" \
		"$(unescaped "$source" | grep -oE '\*--[a-z][a-z-]+\*' | tr -d '*' | sort -u | while read -r option; do
			"$doic" "$verb" "$option" 2>&1 </dev/null | grep -F "no option \"$option\""
		done)"
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
