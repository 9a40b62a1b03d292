#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The command lines of `doic verify`, `prove` and `check-proof`: exit codes, one JSON object for every outcome, manners; on a folder that
# the recorder wrote in three lives.
# usage: verify_test.sh [--build FOLDER]
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/release
[ "${1:-}" = --build ] && build=$(realpath "$2")
doic=$build/bin/doic
maker=$build/bin/bench-verify
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
passed=0
failed=0

for tool in jq sqlite3; do
	command -v $tool >/dev/null || {
		echo "skipped: $tool is missing (apt-get install $tool)"
		exit 0
	}
done

check() { # NAME EXPECTED GOT
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED $1: expected \"$2\", got \"$3\""
	fi
}

exit_of() { # COMMAND...: its exit code, output into $work/out and $work/err
	timeout 60 "$@" >"$work/out" 2>"$work/err"
	echo $?
}

# verify_case NAME OUTCOME EXIT ARGS...: words and JSON agree, and both with what is expected.
verify_case() {
	local name=$1 outcome=$2 code=$3
	shift 3
	check "$name: exit code" "$code" "$(exit_of "$doic" verify "$@")"
	check "$name: exit code with --json" "$code" "$(exit_of "$doic" verify "$@" --json)"
	check "$name: outcome" "$outcome" "$(jq -r .outcome "$work/out" 2>&1)"
	check "$name: exit in JSON" "$code" "$(jq -r .exit "$work/out" 2>&1)"
	check "$name: keys" "$keys" "$(jq -c keys "$work/out" 2>&1)"
	seen="$seen $outcome"
}

# copy NAME: the good folder under another name, with what stands beside it.
copy() {
	cp -rp "$work/good/evidence" "$work/$1-evidence"
	cp -p "$work/good/evidence.checkpoints" "$work/$1-evidence.checkpoints"
	echo "$work/$1-evidence"
}

mkdir "$work/good"
good=$work/good/evidence
for _ in 1 2 3; do
	"$maker" --make "$good" --pairs 3000 2>"$work/err" || {
		cat "$work/err"
		exit 1
	}
	sleep 1.1 # a name for each second, so that they sort
done
key=$work/key.txt
cp "$good/public-key.txt" "$key"
segments=("$good"/seg-*.db)
check "three lives make three segments" 3 ${#segments[@]}
first=$(basename "${segments[0]}")
middle=$(basename "${segments[1]}")
last=$(basename "${segments[2]}")

# --- outcomes -----------------------------------------------------------------------------------------------------------------
"$doic" verify "$good" --key "$key" --json >"$work/out"
keys=$(jq -c keys "$work/out")
seen=""
verify_case "good" intact 0 "$good" --key "$key"
verify_case "good, nobody vouches" unwitnessed 3 "$good"
verify_case "good, accepted" intact 0 "$good" --accept-unwitnessed
verify_case "good, deep" intact 0 "$good" --key "$key" --deep
verify_case "good, one segment" intact 0 "$good/$middle" --key "$key"
verify_case "good, by a saved checkpoint" intact 0 "$good" --checkpoint "$good.checkpoints"

altered=$(copy altered)
chmod u+w "$altered/$middle"
sqlite3 "$altered/$middle" "UPDATE decision SET way = way + 1 WHERE id = 1234"
verify_case "one value changed" altered 1 "$altered" --key "$key"
check "the row is named" "decision 1234 $middle" "$(jq -r '.findings[0] | "\(.table) \(.row) \(.segment)"' "$work/out")"
exit_of "$doic" verify "$altered" --key "$key" >/dev/null
check "the first line names the row" 1 "$(head -1 "$work/out" | grep -c "^ALTERED  first bad row: $middle  decision 1,234 ")"

bit=$(copy bit)
chmod u+w "$bit/$first"
printf '\377' | dd of="$bit/$first" bs=1 seek=68 conv=notrunc status=none
verify_case "one octet that is no row's" altered 1 "$bit" --key "$key"
check "altered outside the rows" outside_rows "$(jq -r '.findings[0].kind' "$work/out")"

cut=$(copy cut)
rm "$cut/$last" "$cut/$last.seal"
verify_case "last segment removed" cut 1 "$cut" --key "$key"

rows=$(copy rows)
chmod u+w "$rows/$last"
sqlite3 "$rows/$last" "DELETE FROM decision WHERE id > (SELECT max(id) - 100 FROM decision)"
verify_case "last 100 rows deleted" cut 1 "$rows" --key "$key"
check "how many" 1 "$(jq -r '.findings[0].what' "$work/out" | grep -c 'rows 2901 to 3000 of table decision are missing at its end')"

exit_of "$doic" audit -q "$rows" --key "$key" >/dev/null
check "the audit of it, which finds no report, says so too" 1 "$(grep -c '^CANNOT TELL .*; the evidence itself: cut: .*are missing at its end' "$work/out")"

gap=$(copy gap)
rm "$gap/$middle" "$gap/$middle.seal"
verify_case "middle segment removed" gap 1 "$gap" --key "$key"

unsealed=$(copy unsealed)
rm "$unsealed/$middle.seal"
verify_case "a seal removed" unsealed 3 "$unsealed" --key "$key"

leftover=$(copy leftover)
echo anything >"$leftover/$first-journal"
verify_case "a journal beside a sealed segment" leftover 1 "$leftover" --key "$key"

mkdir "$work/other"
"$maker" --make "$work/other/evidence" --pairs 100
verify_case "wrong key" foreign_key 1 "$good" --key "$work/other/evidence/public-key.txt"
mixed=$(copy mixed)
cp -p "$work/other/evidence"/seg-* "$mixed"
verify_case "a segment of another key mixed in" foreign_key 1 "$mixed" --key "$key"

mkdir "$work/empty"
echo "nothing" >"$work/empty/seg-1.db"
verify_case "no such folder" not_found 4 "$work/nowhere"
verify_case "no evidence" not_evidence 4 "$work/empty"
verify_case "an option that is none" usage 2 "$good" --kee "$key"
check "the option that was meant" 1 "$(grep -c 'did you mean "--key"' "$work/err")"
verify_case "no folder" usage 2
six=$(for word in intact altered cut unsealed foreign_key not_found; do echo "$seen" | tr ' ' '\n' | grep -cx $word; done | grep -cv '^0$')
check "good, altered, cut, unsealed, wrong key, no such folder: six outcomes" 6 "$six"

# --- what is remembered -------------------------------------------------------------------------------------------------------
memory=$work/memory
check "the first time nothing is remembered" 3 "$(exit_of "$doic" verify "$good" --remember "$memory")"
check "the second time it vouches" 0 "$(exit_of "$doic" verify "$good" --remember "$memory")"
rm "$cut.checkpoints"
verify_case "a cut against what is remembered" cut 1 "$cut" --remember "$memory"

# --- manners ------------------------------------------------------------------------------------------------------------------
find "$good" -printf '%p %s %T@ %m\n' | sort >"$work/before"
chmod a-w "$good"
exit_of "$doic" verify "$good" --key "$key" --deep >/dev/null
chmod u+w "$good"
check "nothing is written to the folder" "" "$(find "$good" -printf '%p %s %T@ %m\n' | sort | diff "$work/before" - | grep -v " $good " | head -3)"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$work" "$work/good" "$good" && chmod a+r "$good.checkpoints"
	check "another user verifies it" 0 "$(exit_of setpriv --reuid=65534 --clear-groups "$doic" verify "$good" --key "$key")"
fi
check "a pipe gets no escape codes" 0 "$(TERM=xterm "$doic" verify "$altered" | grep -c $'\033')"
check "colour when asked for" 1 "$("$doic" verify "$altered" --color always | head -1 | grep -c $'\033\[1;31mALTERED')"
check "-q is one line" 1 "$("$doic" verify "$altered" -q | wc -l)"
check "-v lists the segments" 3 "$("$doic" verify "$good" -v | grep -c "seg-.* sealed ")"
check "--help fits 24 lines" 1 "$(($("$doic" verify --help | wc -l) <= 24 && $("$doic" prove --help | wc -l) <= 24 && $("$doic" check-proof --help | wc -l) <= 24))"
"$doic" verify "$good" -o "$work/result" >/dev/null
check "-o writes the result" 1 "$(grep -c '^CANNOT TELL' "$work/result")"
"$doic" verify "$good" --json --key "$key" >"$work/out"
check "rows are counted" "$(for s in "${segments[@]}"; do sqlite3 "file:$s?immutable=1" "SELECT sum(leaves) FROM batch"; done | paste -sd+ | bc)" "$(jq .checked.rows "$work/out")"

# --- watching -----------------------------------------------------------------------------------------------------------------
watched=$(copy watched)
timeout 60 "$doic" verify "$watched" --key "$key" --watch --json >"$work/watch" 2>/dev/null &
watcher=$!
sleep 3
chmod u+w "$watched/$last" && sqlite3 "$watched/$last" "UPDATE outcome SET took_ns = 1 WHERE rowid = 7"
wait $watcher
check "watching ends when something is wrong" 1 $?
check "a line for each change" "intact altered" "$(jq -r .outcome "$work/watch" | paste -sd' ')"

# --- proofs -------------------------------------------------------------------------------------------------------------------
run=$(sqlite3 "file:$good/$middle?immutable=1" "SELECT value FROM meta WHERE key = 'run'")
check "a decision of several lives has to be named" 2 "$(exit_of "$doic" prove "$good" --decision 1234)"
check "a decision is proven" 0 "$(exit_of "$doic" prove "$good" --decision 1234 --run "$run" -o "$work/proof.json")"
check "it holds for who trusts the key" 0 "$(exit_of "$doic" check-proof "$work/proof.json" --key "$key")"
check "in words" 1 "$(grep -c "row: decision 1234: at_ns " "$work/out")"
check "what became of it, too" 1 "$(grep -cE "says: decision 1234: (forwarded|diverted|refused) .*Gx request of .*written " "$work/out")"
check "the decision by its full name" 0 "$(exit_of "$doic" prove "$good" --decision "$run-1234" -o "$work/named.json")"
check "is the same" "$(jq -cS .row "$work/proof.json")" "$(jq -cS .row "$work/named.json")"
check "it is said when it is written" 1 "$(grep -cE "decision 1234: (forwarded|diverted|refused) " "$work/err")"
check "no name of a decision" 2 "$(exit_of "$doic" prove "$good" --decision "$run-x")"
printf 'doic.key/1\ned25519-seed x\npseudonym-key y\n' >"$work/secret.key"
check "a secret key is no public one" "4 1" "$(exit_of "$doic" check-proof "$work/proof.json" --key "$work/secret.key") $(grep -c "this is the node's secret key" "$work/err")"
jq '(.beside[] | select(.row.table == "way") | .row.columns.verdict) = 2' "$work/proof.json" >"$work/touched.json"
check "a touched row beside it is refuted" 1 "$(exit_of "$doic" check-proof "$work/touched.json" --key "$key")"
check "it is not confirmed without a key" 3 "$(exit_of "$doic" check-proof "$work/proof.json")"
check "it is refuted by another key" 1 "$(exit_of "$doic" check-proof "$work/proof.json" --key "$work/other/evidence/public-key.txt")"
check "the JSON says so too" "refuted key" "$("$doic" check-proof "$work/proof.json" --key "$work/other/evidence/public-key.txt" --json | jq -r '"\(.outcome) \(.step)"')"
sed 's/"flow": [0-9]*/"flow": 77/' "$work/proof.json" >"$work/touched.json"
check "a touched proof is refuted, with a key no key is asked for" "1 1 0" "$(exit_of "$doic" check-proof "$work/touched.json" --key "$key") $(grep -c 'the one in the file)' "$work/out") $(grep -c 'pass --key' "$work/out")"
for part in log.size batch.wall_us; do
	sed -E "0,/(\"${part#*.}\": )([0-9]+)/s//\\11\\2/" "$work/proof.json" >"$work/touched.json"
	check "what does not hold is named: $part" "1 1" "$(exit_of "$doic" check-proof "$work/touched.json" --key "$key") $(grep -c "$part is [0-9]*, and [0-9]* by" "$work/out")"
done
sed 's/"flow": [0-9]*/"flow": 77/' "$work/proof.json" >"$work/touched.json"
check "a touched proof is refuted" 1 "$(exit_of "$doic" check-proof "$work/touched.json" --key "$key")"
for number in -1 +1 " 1" 1x 0x1 ""; do
	check "\"$number\" is no decision" 2 "$(exit_of "$doic" prove "$good/$first" --decision "$number")"
	check "\"$number\" is no row" 2 "$(exit_of "$doic" prove "$good/$first" --table meta --row "$number")"
done
check "any row can be proven" 0 "$(exit_of "$doic" prove "$good/$first" --table meta --row 1 -o "$work/meta.json")"
check "and holds" 0 "$(exit_of "$doic" check-proof "$work/meta.json" --key "$key")"
check "the log only grew" 0 "$(exit_of "$doic" prove "$good" --consistency first last -o "$work/growth.json")"
check "and that holds" 0 "$(exit_of "$doic" check-proof "$work/growth.json" --key "$key")"
check "what is not there is not found" 4 "$(exit_of "$doic" prove "$good" --decision 99999)"
check "what is not proven is an object with --json" "4 not_found 4" "$(exit_of "$doic" prove --json "$good" --decision 99999) $(jq -r '"\(.outcome) \(.exit)"' "$work/out")"
check "a life that is not here, and which are" "4 1" "$(exit_of "$doic" prove "$good" --decision wrongrun-1234) $(grep -cE "no life wrongrun here; lives here: .*\b$run\b" "$work/err")"
check "a number that a life does not have is no matter of lives" "4 1" "$(exit_of "$doic" prove "$good" --decision "$run-99999999") $(grep -c "no row 99999999 in table decision" "$work/err")"
check "altered evidence proves nothing" 1 "$(exit_of "$doic" prove "$altered/$middle" --decision 1234)"
check "no proof file" 4 "$(exit_of "$doic" check-proof "$work/nowhere")"
check "no file named" 2 "$(exit_of "$doic" check-proof)"

# The API of a folder whose middle segment is gone tells a gap where verify does, in the list and at the end of a stream.
served() { # FOLDER PATH
	"$doic" serve "$1" --socket "$work/serve.sock" >"$work/serve.log" 2>&1 &
	local server=$!
	for _ in $(seq 100); do grep -q '^http://' "$work/serve.log" && break; sleep 0.05; done
	curl -s --max-time 10 --unix-socket "$work/serve.sock" "http://localhost$2"
	kill "$server"
	wait "$server" 2>/dev/null
}
holed=$(copy holed)
check "whole: no gap over HTTP" "[]" "$(served "$holed" /api/v1/evidence/gaps | jq -c .gaps)"
chmod -R u+w "$holed"
rm -f "$holed/$middle" "$holed/${middle%.db}.seal" "$holed/$middle.seal"
check "without its middle: verify" 1 "$(exit_of "$doic" verify "$holed")"
check "without its middle: a gap over HTTP, between the two" "$last batches true" \
	"$(served "$holed" /api/v1/evidence/gaps | jq -r '.gaps | map("\(.segment) \(.reason | split(" ")[0]) \(.since < .time)") | join(" ")')"
check "without its middle: an export ends with the gap, too" 1 "$("$doic" export -q "$holed" | tail -1 | jq '.gaps | length')"
check "without its middle: and has it in the list" 1 "$("$doic" export -q --what gaps "$holed" | head -1 | grep -c "are not here")"
check "without its middle: a gap at the end of a stream" "true $last" \
	"$(served "$holed" '/api/v1/decisions?format=ndjson' | tail -1 | jq -r '"\(.end) \(.gaps | map(.segment) | join(" "))"')"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
