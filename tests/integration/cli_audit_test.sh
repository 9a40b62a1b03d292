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
		INSERT INTO meta VALUES ('schema','3'),('node','dra.example.net'),('realm','example.net'),('base_ns','0'),
			('started_us','1796000000000000'),('closed_us','$((1796000000001000 + $2 * 1000))'),('closed_how','stopped');
		INSERT INTO name VALUES (2,'dra.example.net'),(3,'s1.example.net'),(4,'s2.example.net'),
			(5,'c1.example.net'),(6,'example.net');
		INSERT INTO policy VALUES (1,0,0,'','ramp_ms: 1000');
		INSERT INTO clock VALUES (0,1796000000000000);
		INSERT INTO report VALUES (1,1000000000,1796000001000000,3,16777238,0,3,3,6,'5',30,10,NULL,'loss','new','',1,
			x'0000026f0000003c00000270000000100000000000000005000002720000000c00000000000002730000000c0000001e000002710000000c0000000a',60);
		INSERT INTO ocs_version VALUES (1,1,NULL,'host',16777238,3,'5','loss',30,NULL,10,1000000000,1796000001000000,11000000000,NULL);
		INSERT INTO ocs_change VALUES (1,11000000000,1796000011000000,'expired',5000,1500,1500000000,0),
			(1,11000000000,1796000011000000,'recovered',5000,1500,1500000000,0);
		INSERT INTO flow VALUES (1,16777238,272,5,5,6,3,6,NULL,1,NULL),(2,16777238,272,5,5,6,4,6,NULL,1,NULL);
		INSERT INTO way VALUES (1,0,0,0,0,128,NULL,3,3,NULL),(2,0,0,0,0,128,NULL,4,4,NULL),(3,2,1,2,0,128,NULL,3,NULL,5012);
		INSERT INTO ending VALUES (1,2001,0,3,6,3,1,NULL),(2,2001,0,4,6,4,1,NULL),(3,5012,1,2,6,NULL,0,NULL);
		WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < $2),
		m(id, s1, hit, k) AS (SELECT id, id % 2, id % 2 = 1 AND id BETWEEN 1000 AND 10999, (id - 999) / 2 FROM n),
		p(id, s1, hit, k, pick) AS (SELECT id, s1, hit, k, hit AND (k + 1) * 3 / 10 > k * 3 / 10 FROM m)
		INSERT INTO decision SELECT id, id * 1000000, 1000, CASE s1 WHEN 1 THEN 1 ELSE 2 END,
			CASE WHEN pick THEN 3 WHEN s1 THEN 1 ELSE 2 END, NULL, NULL, NULL, CASE WHEN hit THEN 1 END,
			CASE WHEN hit THEN 300000 END, CASE WHEN hit THEN k END, NULL, NULL, NULL, id, id, NULL, NULL FROM p;
		INSERT INTO outcome SELECT id, 500, way FROM decision;
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
sqlite3 "$work/newer/seg-1.db" "UPDATE meta SET value = '5' WHERE key = 'schema'"
cp -r "$good" "$work/silent"
rm -r "$work/silent/counters"
sqlite3 "$work/silent/seg-1.db" "DELETE FROM report; DELETE FROM ocs_version; DELETE FROM ocs_change; DELETE FROM decision"
cp -r "$good" "$work/orphan"
sqlite3 "$work/orphan/seg-1.db" "DELETE FROM report; DELETE FROM ocs_version; DELETE FROM ocs_change"
cp -r "$good" "$work/slow"
sqlite3 "$work/slow/seg-1.db" "UPDATE outcome SET took_ns = 2000000"
# six more claims, in other applications: nothing was asked of them, so nothing was selected
cp -r "$good" "$work/many"
sqlite3 "$work/many/seg-1.db" "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 7)
	INSERT INTO report SELECT i,mono_ns,wall_us,peer,i,type,subject,origin_host,origin_realm,sequence,reduction_pct,validity_s,
	rate_rps,algorithm,verdict,reason,i,raw,raw_total FROM report, n;
	WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 7)
	INSERT INTO ocs_version SELECT i,i,NULL,type,i,subject,sequence,algorithm,reduction_pct,rate_rps,validity_s,from_ns,from_us,
	expires_ns,NULL FROM ocs_version, n;"
mkdir "$work/empty"

# these segments nobody signed: their proofs are another test's matter
check "1 rows that nobody signed" 1 "$(exit_of "$doic" audit "$good")"
check "1 says so" 1 "$(grep -c '^REFUTED at "integrity"' "$work/out")"
check "0 holds" 0 "$(exit_of "$doic" audit --no-verify "$good")"
check "0 says so" 1 "$(grep -c '^HOLDS up to "useful"' "$work/out")"
check "1 counters off by one" 1 "$(exit_of "$doic" audit --no-verify "$work/off")"
check "1 says where" 1 "$(grep -c '^REFUTED at "arrived"' "$work/out")"
check "2 no folder named" 2 "$(exit_of "$doic" audit)"
check "2 unknown option" 2 "$(exit_of "$doic" audit --no-verify --hots x "$good")"
check "2 suggests" 1 "$(grep -c 'did you mean "--host"' "$work/err")"
check "2 unknown verb" 2 "$(exit_of "$doic" audti "$good")"
check "2 suggests the verb" 1 "$(grep -c 'did you mean "audit"' "$work/err")"
check "2 option without value" 2 "$(exit_of "$doic" audit --no-verify "$good" --since)"
check "2 wrong word" 2 "$(exit_of "$doic" audit --no-verify "$good" --require everything)"
check "2 empty window" 2 "$(exit_of "$doic" audit --no-verify "$good" --since now --until -10m)"
check "0 by the answers alone" 0 "$(exit_of "$doic" audit --no-verify "$work/bare")"
check "0 no witness" 1 "$(grep -c 'arrived.*no witness' "$work/out")"
check "3 strict wants a witness" 3 "$(exit_of "$doic" audit --no-verify --strict "$work/bare")"
check "3 says how to get one" 1 "$(grep -c -- 'or give --counters FILE' "$work/out")"
check "0 when less is required" 0 "$(exit_of "$doic" audit --no-verify "$work/bare" --require selected)"
check "0 counters by name" 0 "$(exit_of "$doic" audit --no-verify "$work/bare" --counters "$good/counters/s1.json")"
check "4 a key that is none" 4 "$(exit_of "$doic" audit --key /dev/null "$good")"
check "4 says why" 1 "$(grep -c 'no public key: /dev/null: not a regular file' "$work/err")"
check "4 checkpoints that are not there" 4 "$(exit_of "$doic" audit --checkpoint "$work/none" "$good")"
check "2 a key for nothing" 2 "$(exit_of "$doic" audit --key "$work/none" --no-verify "$good")"
check "3 none about it" 3 "$(exit_of "$doic" audit -q --no-verify "$good" --host nobody.example)"
check "3 says who else was asked for" 1 "$(grep -c '^CANNOT TELL  none about nobody.example in this window; there is 1 other: ' "$work/out")"
check "3 programs read it, too" "1 host" "$("$doic" audit --json --no-verify "$good" --host nobody.example | jq -r '"\(.filtered_out.count) \(.filtered_out.named[0].report_type)"')"
check "3 no report" 3 "$(exit_of "$doic" audit --no-verify "$work/silent")"
check "3 no report says so" 1 "$(grep -c 'no overload report' "$work/out")"
check "3 window before the report" 3 "$(exit_of "$doic" audit --no-verify "$good" --until 2026-11-30T00:53:20.5Z)"
check "1 refusals that no report explains" 1 "$(exit_of "$doic" audit --no-verify "$work/orphan")"
check "4 empty folder" 4 "$(exit_of "$doic" audit --no-verify "$work/empty")"
check "4 nothing there" 4 "$(exit_of "$doic" audit --no-verify "$work/nowhere")"
check "3 window beside the evidence" 3 "$(exit_of "$doic" audit --no-verify "$good" --until 2026-11-29)"
check "3 says what it is of" 1 "$(grep -c '^CANNOT TELL  nothing was recorded in this window: the evidence is of 2026-11-30T00:53:20Z to 2026' "$work/out")"
check "4 nothing there is not called old" "not checked" "$("$doic" audit --json "$work/nowhere" 2>/dev/null | jq -r .integrity.note)"
check "4 prove of what is no folder" "4 1" "$(exit_of "$doic" prove "$work/empty" --decision 1) $(grep -c 'empty: no public-key.txt in it, so no evidence folder' "$work/err")"
check "4 not a database" 4 "$(exit_of "$doic" audit --no-verify /etc/passwd)"
check "4 newer schema" 4 "$(exit_of "$doic" audit --no-verify "$work/newer")"

for case in good:holds:0 off:refuted:1 bare:holds:0 silent:no_claim:3 empty:unusable:4 newer:unusable:4; do
	IFS=: read -r folder outcome code <<<"$case"
	exit_of "$doic" audit --no-verify --json "$work/$folder" >/dev/null
	check "json $folder" "$outcome $code doic.audit/1" "$(jq -r '"\(.outcome) \(.exit) \(.schema)"' "$work/out")"
	check "json $folder keys" true "$(jq 'has("claims") and has("population") and has("gaps") and has("exceptions") and
		has("integrity") and has("not_claimed") and has("inputs") and has("counters") and has("window") and has("repeat") and has("error")' "$work/out")"
done
check "json usage" 2 "$(exit_of "$doic" audit --no-verify --json --nonsense)"
check "json usage object" "usage 2" "$(jq -r '"\(.outcome) \(.exit)"' "$work/out")"
check "json same bytes" "$("$doic" audit --no-verify --json "$good" | sha256sum)" "$("$doic" audit --no-verify --json "$good" | sha256sum)"
check "json hash of input" "$(sha256sum <"$good/seg-1.db" | cut -c1-64)" \
	"$("$doic" audit --no-verify --json "$good" | jq -r '.inputs[0].sha256')"

# the command it names comes to the same verdict whenever it is given
repeat=$("$doic" audit --no-verify --json --since -3000d "$good" | jq -r .repeat)
# shellcheck disable=SC2001 # a pattern with a class
check "repeat has a window that does not move" "doic audit $good --since 20*Z --until 2026-11-30T00:53:40.001001Z --no-verify" \
	"$(sed 's/--since 20[^ ]*Z/--since 20*Z/' <<<"$repeat")"
check "repeat in text is the same" "repeat: $("$doic" audit --no-verify --json "$good" | jq -r .repeat)" \
	"$("$doic" audit --no-verify "$good" | grep '^repeat: ')"
check "repeat tells the same" "$("$doic" audit --no-verify --json "$good" | jq -cS 'del(.repeat, .window)' | sha256sum)" \
	"$(eval "${repeat/#doic/"$doic"} --json" | jq -cS 'del(.repeat, .window)' | sha256sum)"
check "repeat of a usage error is null" null "$("$doic" audit --json --nonsense 2>/dev/null | jq -c .repeat)"

check "quiet is one line" 1 "$("$doic" audit --no-verify -q "$good" | wc -l)"
check "help fits 24 lines" true "$([ "$("$doic" audit --help | wc -l)" -le 24 ] && echo true)"
check "help begins with an example" 1 "$("$doic" help audit | head -1 | grep -c '^doic audit ')"
check "no escape codes into a pipe" 0 "$("$doic" audit --no-verify "$good" | grep -c $'\033')"
check "no carriage returns" 0 "$("$doic" audit --no-verify "$good" 2>&1 | grep -c $'\r')"
check "colour when asked" true "$([ "$("$doic" audit --no-verify --color always "$good" | grep -c $'\033')" -gt 0 ] && echo true)"
if script -qec true /dev/null >/dev/null 2>&1; then
	check "colour on a terminal" true "$([ "$(TERM=xterm script -qec "$doic audit --no-verify $good" /dev/null | grep -c $'\033')" -gt 0 ] && echo true)"
	check "NO_COLOR" 0 "$(TERM=xterm NO_COLOR=1 script -qec "$doic audit --no-verify $good" /dev/null | grep -c $'\033')"
	check "TERM=dumb" 0 "$(TERM=dumb script -qec "$doic audit --no-verify $good" /dev/null | grep -c $'\033')"
else
	echo "skip colour on a terminal: this machine has no pseudo-terminals (/dev/pts)"
	skipped=$((skipped + 3))
fi

check "lines stay readable" true "$([ "$("$doic" audit --no-verify -v "$good" | grep -v '^repeat: ' | awk '{ if (length > m) m = length } END { print m }')" -le 120 ] && echo true)"
check "2 patience" 2 "$(exit_of "$doic" audit --no-verify --patience never "$good")"
check "patience counts" "3500 0" "$("$doic" audit --no-verify --patience 0.001 --json "$work/slow" | jq -r '.claims[0].effect.phases[1] | "\(.answers.success) \(.useful)"')"
check "effect in JSON" "before during ramp after apart" "$("$doic" audit --no-verify --json "$good" | jq -r '[.claims[0].effect.phases[].phase] | join(" ")')"
check "servers in JSON" "8500 10000" "$("$doic" audit --no-verify --json "$good" | jq -r '[.servers[].sent] | join(" ")')"

"$doic" audit --no-verify --json -o "$work/result.json" "$good"
check "output file" holds "$(jq -r .outcome "$work/result.json")"
check "no file left beside it" 1 "$(find "$work" -maxdepth 1 -name 'result.json*' | wc -l)"

# counters that somebody else kept, taken into the folder
cp -r "$work/bare" "$work/told"
{
	echo "time,node,application,requests,success,useful"
	sqlite3 -separator , "$work/told/seg-1.db" "SELECT 1796000000 + at_ns / 1000000000 AS second, 's1.example.net', 'gx', count(*), count(*),
		count(*) - 1 FROM decision JOIN way ON way.id = way WHERE next_hop = 3 GROUP BY second"
} >"$work/s1.csv"
check "import dry run" 0 "$(exit_of "$doic" import-counters --dry-run "$work/told" "$work/s1.csv")"
check "import dry run writes nothing" 1 "$(find "$work/told" -mindepth 1 | wc -l)"
check "import" 0 "$(exit_of "$doic" import-counters "$work/told" "$work/s1.csv")"
check "import says what" 1 "$(grep -c '^imported 20 rows of 1 node, 2026-11-30T00:53:20Z to 2026-11-30T00:53:40Z' "$work/out")"
check "imported counters are sealed" 444 "$(stat -c %a "$work"/told/telemetry-*.db)"
check "imported counters complete the ladder" 0 "$(exit_of "$doic" audit --no-verify --require useful "$work/told")"
check "import again" 0 "$(exit_of "$doic" import-counters --json "$work/told" "$work/s1.csv")"
check "import again is nothing new" "nothing_new 0 20" "$(jq -r '"\(.outcome) \(.exit) \(.known)"' "$work/out")"
sed 's/,gx,500,/,gx,501,/' "$work/s1.csv" >"$work/other.csv"
head -2 "$work/other.csv" >"$work/one.csv"
cp -r "$work/bare" "$work/off2"
check "import of one row" 0 "$(exit_of "$doic" import-counters --interval 1 "$work/off2" "$work/one.csv")"
check "import of one row says so" "imported 1 row of 1 node|: 1 row, times as seconds since 1970" \
	"$(grep -oE '^imported 1 row of 1 node|: 1 row, times as seconds since 1970' "$work/out" | paste -sd'|')"
check "as far apart as it is large, it agrees with nothing" "0 1" \
	"$("$doic" audit --no-verify -v "$work/off2" | tee "$work/out" | grep -c 'agree, up to') $(grep -c 'too few (up to [0-9,]* apart)' "$work/out")"
cp -r "$work/bare" "$work/off6"
head -7 "$work/other.csv" >"$work/six.csv"
check "import of six rows" 0 "$(exit_of "$doic" import-counters "$work/off6" "$work/six.csv")"
check "agreement says how far apart it may be" 1 "$("$doic" audit --no-verify -v "$work/off6" | grep -c 'agree, up to [0-9,]* apart')"
check "import that contradicts" 1 "$(exit_of "$doic" import-counters "$work/told" "$work/other.csv")"
check "import says where" 1 "$(grep -c 'other.csv:2:1: s1.example.net (Gx) at .* with other numbers: 500 requests there, 501 here' "$work/err")"
check "import of nonsense" 4 "$(exit_of "$doic" import-counters --json "$work/told" /etc/passwd)"
check "import of nonsense in JSON" "unusable 4" "$(jq -r '"\(.outcome) \(.exit)"' "$work/out")"
check "import without a file" 2 "$(exit_of "$doic" import-counters "$work/told")"
check "import into no evidence" 4 "$(exit_of "$doic" import-counters "$work/empty" "$work/s1.csv")"
check "import help fits 24 lines" true "$([ "$("$doic" import-counters --help | wc -l)" -le 24 ] && echo true)"
rm "$work"/told/telemetry-*.db
sed 's/,gx,\([0-9]*\),/,gx,9\1,/' "$work/s1.csv" >"$work/more.csv"
check "import of contradicting counters" 0 "$(exit_of "$doic" import-counters "$work/told" "$work/more.csv")"
check "1 contradicted by imported counters" 1 "$(exit_of "$doic" audit --no-verify "$work/told")"
check "1 gives both numbers" 1 "$(grep -c '^REFUTED at "arrived".*counted [0-9]* requests, the evidence sent it 8' "$work/out")"

# a pipe among the evidence has no end to wait for
cp -r "$good" "$work/pipes"
mkfifo "$work/pipes/counters/z.json"
check "pipe among the counters" 4 "$(exit_of timeout 20 "$doic" audit --no-verify --json "$work/pipes")"
mv "$work/pipes/counters/z.json" "$work/pipes/seg-2.db"
check "pipe among the segments" 4 "$(exit_of timeout 20 "$doic" audit --no-verify --json "$work/pipes")"

check "3 several claims" 3 "$(exit_of "$doic" audit --no-verify "$work/many")"
check "3 says of how many, and why" 1 \
	"$(grep -c '^CANNOT TELL  6 of 7 claims; the first beyond "held": no request in its scope' "$work/out")"
check "many: what does not hold first" "CANNOT CANNOT CANNOT CANNOT CANNOT CANNOT HOLDS" \
	"$(sed -n 3,9p "$work/out" | awk '{print $1}' | paste -sd' ')"
check "many: five in full" 1 "$(grep -c '^... and 2 more claims in full' "$work/out")"
check "many: all with -v" 7 "$(exit_of "$doic" audit --no-verify -v "$work/many" >"$work/code"; grep -c '^  asked ' "$work/out")"
check "many: one line is enough" "3 1" "$(exit_of "$doic" audit --no-verify -q "$work/many") $(wc -l <"$work/out")"
# a folder nobody may write to, read by somebody else
cp -r "$good" "$work/sealed"
chmod 0444 "$work/sealed/seg-1.db"
chmod 0555 "$work/sealed"
chmod 0755 "$work"
if [ "$(id -u)" = 0 ]; then
	cp "$doic" "$work/doic"
	check "read-only folder, other user" 0 "$(exit_of setpriv --reuid 65534 --clear-groups "$work/doic" audit --no-verify "$work/sealed")"
	check "nothing was written there" 2 "$(find "$work/sealed" -mindepth 1 -maxdepth 1 | wc -l)"
fi

segment "$work/long/seg-1.db" 400000
# on a busy machine the program may not have begun yet when the signal comes
interrupted() { # ARGS...: stops an audit of the long segment in the middle; its exit code
	local delay code=0
	for delay in 0.1 0.2 0.4 0.8; do
		timeout -s INT --preserve-status $delay "$doic" audit --no-verify "$@" "$work/long" >"$work/out" 2>"$work/err"
		code=$?
		[ -s "$work/out" ] || [ -s "$work/half.json" ] && break
	done
	return $code
}
interrupted
check "130 interrupted" 130 $?
check "130 says what was covered" 1 "$(grep -c '^INTERRUPTED' "$work/out")"
interrupted --json -o "$work/half.json"
check "130 in JSON" "interrupted 130" "$(jq -r '"\(.outcome) \(.exit)"' "$work/half.json")"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
