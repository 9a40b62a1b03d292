#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The command line of `doic audit`: exit codes, JSON on every outcome, manners. Segments are made with sqlite3 alone.
# usage: cli_audit_test.sh [PATH-OF-DOIC]
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
doic=$(realpath "${1:-$root/build/release/bin/doic}")
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
passed=0
failed=0
skipped=0

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

# segment FILE REQUESTS: s1 asks for 30 % for 10 s; odd requests name s1, even ones s2.
segment() {
	mkdir -p "$(dirname "$1")"
	{
		cat "$root/evidence/schema.sql" "$root/evidence/views.sql"
		cat <<-SQL
		BEGIN;
		INSERT INTO meta VALUES ('schema','2'),('node','dra.example.net'),('realm','example.net'),
			('started_us','1796000000000000'),('closed_us','$((1796000000001000 + $2 * 1000))');
		INSERT INTO name VALUES (2,'dra.example.net'),(3,'s1.example.net'),(4,'s2.example.net'),
			(5,'c1.example.net'),(6,'example.net');
		INSERT INTO policy VALUES (1,0,0,'','ramp_ms: 1000');
		INSERT INTO report VALUES (1,1000000000,1796000001000000,3,16777238,0,3,3,6,'5',30,10,NULL,'loss','new','',1,
			x'0000026f0000003c00000270000000100000000000000005000002720000000c00000000000002730000000c0000001e000002710000000c0000000a',60);
		INSERT INTO ocs_version VALUES (1,1,NULL,'host',16777238,3,'5','loss',30,NULL,10,1000000000,1796000001000000,11000000000,NULL);
		INSERT INTO ocs_change VALUES (1,11000000000,1796000011000000,'expired',5000,1500,1500000000,0),
			(1,11000000000,1796000011000000,'recovered',5000,1500,1500000000,0);
		WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < $2),
		m(id, s1, hit, k) AS (SELECT id, id % 2, id % 2 = 1 AND id BETWEEN 1000 AND 10999, (id - 999) / 2 FROM n),
		p(id, s1, hit, k, pick) AS (SELECT id, s1, hit, k, hit AND (k + 1) * 3 / 10 > k * 3 / 10 FROM m)
		INSERT INTO decision SELECT id, id * 1000000, 1796000000000000 + id * 1000, 16777238, 272, 5, 5,
			CASE s1 WHEN 1 THEN 3 ELSE 4 END, 6, NULL, NULL, CASE WHEN hit THEN 1 END,
			CASE WHEN hit THEN 300000 END, NULL, NULL, CASE WHEN pick THEN 2 ELSE 0 END, pick,
			CASE WHEN pick THEN 2 ELSE 0 END, 0, 128, CASE s1 WHEN 1 THEN 3 ELSE 4 END,
			CASE WHEN NOT pick THEN CASE s1 WHEN 1 THEN 3 ELSE 4 END END, CASE WHEN pick THEN 5012 END,
			id, id, 0, NULL, 1, NULL, CASE WHEN hit THEN k END, NULL FROM p;
		INSERT INTO outcome SELECT id, mono_ns + 500, 500, coalesce(result_code, 2001), verdict = 2, next_hop,
			next_hop, 1 FROM decision;
		COMMIT;
		SQL
	} | sqlite3 "$1"
}

# counters FILE NODE REQUESTS UNTIL
counters() {
	mkdir -p "$(dirname "$1")"
	echo "{\"schema\":\"doic.counters/1\",\"role\":\"server\",\"node\":\"$2\",\"realm\":\"example.net\",
	\"started_us\":1796000000000000,\"ended_us\":$4,\"apps\":[{\"app_id\":16777238,\"requests\":$3,\"answers\":$3,
	\"useful\":$3}]}" >"$1"
}

good=$work/good
segment "$good/seg-1.db" 20000
counters "$good/counters/s1.json" s1.example.net 8500 1796000020001000
cp -r "$good" "$work/off"
counters "$work/off/counters/s1.json" s1.example.net 8501 1796000020001000
cp -r "$good" "$work/bare"
rm -r "$work/bare/counters"
cp -r "$good" "$work/newer"
sqlite3 "$work/newer/seg-1.db" "UPDATE meta SET value = '3' WHERE key = 'schema'"
cp -r "$good" "$work/silent"
rm -r "$work/silent/counters"
sqlite3 "$work/silent/seg-1.db" "DELETE FROM report; DELETE FROM ocs_version; DELETE FROM ocs_change; DELETE FROM decision"
cp -r "$good" "$work/orphan"
sqlite3 "$work/orphan/seg-1.db" "DELETE FROM report; DELETE FROM ocs_version; DELETE FROM ocs_change"
mkdir "$work/empty"

check "0 holds" 0 "$(exit_of "$doic" audit "$good")"
check "0 says so" 1 "$(grep -c '^HOLDS up to "useful"' "$work/out")"
check "1 counters off by one" 1 "$(exit_of "$doic" audit "$work/off")"
check "1 says where" 1 "$(grep -c '^REFUTED at "arrived"' "$work/out")"
check "2 no folder named" 2 "$(exit_of "$doic" audit)"
check "2 unknown option" 2 "$(exit_of "$doic" audit --hots x "$good")"
check "2 suggests" 1 "$(grep -c 'did you mean "--host"' "$work/err")"
check "2 unknown verb" 2 "$(exit_of "$doic" audti "$good")"
check "2 suggests the verb" 1 "$(grep -c 'did you mean "audit"' "$work/err")"
check "2 option without value" 2 "$(exit_of "$doic" audit "$good" --since)"
check "2 wrong word" 2 "$(exit_of "$doic" audit "$good" --require everything)"
check "2 empty window" 2 "$(exit_of "$doic" audit "$good" --since now --until -10m)"
check "3 counters missing" 3 "$(exit_of "$doic" audit "$work/bare")"
check "3 says how to get them" 1 "$(grep -c -- 'or give --counters FILE' "$work/out")"
check "0 when less is required" 0 "$(exit_of "$doic" audit "$work/bare" --require selected)"
check "0 counters by name" 0 "$(exit_of "$doic" audit "$work/bare" --counters "$good/counters/s1.json")"
check "3 no report" 3 "$(exit_of "$doic" audit "$work/silent")"
check "3 no report says so" 1 "$(grep -c 'no overload report' "$work/out")"
check "3 window before the report" 3 "$(exit_of "$doic" audit "$good" --until 2026-11-30T00:53:20.5Z)"
check "1 refusals that no report explains" 1 "$(exit_of "$doic" audit "$work/orphan")"
check "4 empty folder" 4 "$(exit_of "$doic" audit "$work/empty")"
check "4 nothing there" 4 "$(exit_of "$doic" audit "$work/nowhere")"
check "4 not a database" 4 "$(exit_of "$doic" audit /etc/passwd)"
check "4 newer schema" 4 "$(exit_of "$doic" audit "$work/newer")"

for case in good:holds:0 off:refuted:1 bare:cannot_tell:3 silent:no_claim:3 empty:unusable:4 newer:unusable:4; do
	IFS=: read -r folder outcome code <<<"$case"
	exit_of "$doic" audit --json "$work/$folder" >/dev/null
	check "json $folder" "$outcome $code doic.audit/1" "$(jq -r '"\(.outcome) \(.exit) \(.schema)"' "$work/out")"
	check "json $folder keys" true "$(jq 'has("claims") and has("population") and has("gaps") and has("exceptions") and
		has("integrity") and has("not_claimed") and has("inputs") and has("counters") and has("window") and has("error")' "$work/out")"
done
check "json usage" 2 "$(exit_of "$doic" audit --json --nonsense)"
check "json usage object" "usage 2" "$(jq -r '"\(.outcome) \(.exit)"' "$work/out")"
check "json same bytes" "$("$doic" audit --json "$good" | sha256sum)" "$("$doic" audit --json "$good" | sha256sum)"
check "json hash of input" "$(sha256sum <"$good/seg-1.db" | cut -c1-64)" \
	"$("$doic" audit --json "$good" | jq -r '.inputs[0].sha256')"

check "quiet is one line" 1 "$("$doic" audit -q "$good" | wc -l)"
check "help fits 24 lines" true "$([ "$("$doic" audit --help | wc -l)" -le 24 ] && echo true)"
check "help begins with an example" 1 "$("$doic" help audit | head -1 | grep -c '^doic audit ')"
check "no escape codes into a pipe" 0 "$("$doic" audit "$good" | grep -c $'\033')"
check "no carriage returns" 0 "$("$doic" audit "$good" 2>&1 | grep -c $'\r')"
check "colour when asked" true "$([ "$("$doic" audit --color always "$good" | grep -c $'\033')" -gt 0 ] && echo true)"
if script -qec true /dev/null >/dev/null 2>&1; then
	check "colour on a terminal" true "$([ "$(TERM=xterm script -qec "$doic audit $good" /dev/null | grep -c $'\033')" -gt 0 ] && echo true)"
	check "NO_COLOR" 0 "$(TERM=xterm NO_COLOR=1 script -qec "$doic audit $good" /dev/null | grep -c $'\033')"
	check "TERM=dumb" 0 "$(TERM=dumb script -qec "$doic audit $good" /dev/null | grep -c $'\033')"
else
	echo "skip colour on a terminal: this machine has no pseudo-terminals (/dev/pts)"
	skipped=$((skipped + 3))
fi

"$doic" audit --json -o "$work/result.json" "$good"
check "output file" holds "$(jq -r .outcome "$work/result.json")"
check "no file left beside it" 1 "$(find "$work" -maxdepth 1 -name 'result.json*' | wc -l)"

# a pipe among the evidence has no end to wait for
cp -r "$good" "$work/pipes"
mkfifo "$work/pipes/counters/z.json"
check "pipe among the counters" 4 "$(exit_of timeout 20 "$doic" audit --json "$work/pipes")"
mv "$work/pipes/counters/z.json" "$work/pipes/seg-2.db"
check "pipe among the segments" 4 "$(exit_of timeout 20 "$doic" audit --json "$work/pipes")"

# a folder nobody may write to, read by somebody else
cp -r "$good" "$work/sealed"
chmod 0444 "$work/sealed/seg-1.db"
chmod 0555 "$work/sealed"
chmod 0755 "$work"
if [ "$(id -u)" = 0 ]; then
	cp "$doic" "$work/doic"
	check "read-only folder, other user" 0 "$(exit_of setpriv --reuid 65534 --clear-groups "$work/doic" audit "$work/sealed")"
	check "nothing was written there" 2 "$(find "$work/sealed" -mindepth 1 -maxdepth 1 | wc -l)"
fi

segment "$work/long/seg-1.db" 400000
timeout -s INT --preserve-status 0.1 "$doic" audit "$work/long" >"$work/out" 2>"$work/err"
check "130 interrupted" 130 $?
check "130 says what was covered" 1 "$(grep -c '^INTERRUPTED' "$work/out")"
timeout -s INT --preserve-status 0.1 "$doic" audit --json -o "$work/half.json" "$work/long"
check "130 in JSON" "interrupted 130" "$(jq -r '"\(.outcome) \(.exit)"' "$work/half.json")"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
