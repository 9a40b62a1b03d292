#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Counters from outside over HTTP: what a server itself counted of a report's time completes the ladder of the audit; the import is a row of
# acts; what is wrong is told line by line; a server of a finished folder says what to use instead.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 120
lab_need jq jq
doic=$LAB_BUILD/bin/doic
http=$LAB_DIR/http.sock
counters=http://localhost/api/v1/evidence/counters
scene_conf http.bind=127.0.0.1:0 http.socket="$http" evidence.batch_max_ms=50 evidence.checkpoint_s=1
post() { # QUERY TYPE FILE: the status; the body in $LAB_DIR/body
	curl -sS --max-time 20 --unix-socket "$http" -o "$LAB_DIR/body" -w '%{http_code}' -H "Content-Type: $2" --data-binary @"$3" "$counters?$1"
}
said() { jq -r "$1" "$LAB_DIR/body"; }

scene_server s1 --from-first --report "at=3s,for=5s,type=host,seq=7,pct=40,validity=5"
scene_server s2
scene_relay
scene_client c1 --rate 600 --duration 11s --seed 1
scene_wait c1
sleep 1
# What s1 itself counted, second by second, as somebody's telemetry has it; its own file of counters does not count here.
{
	echo "time,node,application,requests,success,useful"
	sql "SELECT d.wall_us / 1000000 AS second, 's1.example.net', 'gx', count(*), sum(o.result_code = 2001), sum(o.result_code = 2001)
		FROM decision d JOIN outcome o ON o.id = d.id JOIN main.name n ON n.id = d.next_hop
		WHERE n.text = 's1.example.net' GROUP BY second" | tr '|' ','
} >"$LAB_DIR/s1.csv"
requests=$(awk -F, 'NR > 1 { n += $4 } END { print n }' "$LAB_DIR/s1.csv")
ok "there is something to take in" test "$requests" -gt 1000
rm -f "$SCENE"/evidence/counters/*
before=$("$doic" audit --no-verify --require useful --json "$SCENE/evidence" | jq -c '[.claims[].steps[] | select(.step == "useful") | .ok]')
ok "without them nobody knows what was useful" test "$before" != "[true]"

# What is wrong, who may not, and what writes nothing.
sed -e '3s/,gx,/,gz,/' -e '5s/,gx,[0-9]*/,gx,many/' "$LAB_DIR/s1.csv" >"$LAB_DIR/wrong.csv"
is "wrong rows are refused" 422 "$(post "source=wrong.csv&reason=CHG-9" text/csv "$LAB_DIR/wrong.csv")"
is "each with its line" "3 5" "$(said '[.errors[].line] | join(" ")')"
port=$(grep -ao 'dashboard and API at .*, port [0-9]*' "$LAB_DIR/dra.log" | grep -o '[0-9]*$' | head -1)
is "over TCP without a token nobody takes anything in" 401 "$(curl -s -o /dev/null -w '%{http_code}' -H 'Content-Type: text/csv' \
	--data-binary @"$LAB_DIR/s1.csv" "http://127.0.0.1:$port/api/v1/evidence/counters?source=s1.csv&reason=x")"
is "a check is no import" "200 importable" "$(post "source=s1.csv&check=true" text/csv "$LAB_DIR/s1.csv") $(said .outcome)"
is "nothing was written" 0 "$(find "$SCENE/evidence" -name 'telemetry-*' | wc -l)"

# The import.
is "the rows are taken in" "201 imported" "$(post "source=s1.csv&reason=CHG-9" text/csv "$LAB_DIR/s1.csv") $(said .outcome)"
stored=$(said .stored)
is "into a file that nothing alters" 444 "$(stat -c %a "$SCENE/evidence/$stored")"
is "with who took them in" "uid $(id -u)|s1.csv" "$(sqlite3 "$SCENE/evidence/$stored" "SELECT (SELECT value FROM meta WHERE key = 'imported_by'), path FROM source")"
sed 1d "$LAB_DIR/s1.csv" | jq -Rs '[split("\n")[] | select(. != "") | split(",") | {time: .[0], node: .[1], app: .[2], requests: .[3], success: .[4],
	useful: .[5]}]' >"$LAB_DIR/s1.json"
is "the same as JSON is nothing new" "200 nothing_new $(($(wc -l <"$LAB_DIR/s1.csv") - 1))" \
	"$(post "source=s1.json&reason=CHG-9" application/json "$LAB_DIR/s1.json") $(said '"\(.outcome) \(.known)"')"
is "the command says that too" "nothing_new" "$("$doic" import-counters --json "$SCENE/evidence" "$LAB_DIR/s1.csv" | jq -r .outcome)"
sed '4s/,gx,\([0-9]*\),/,gx,9\1,/' "$LAB_DIR/s1.csv" >"$LAB_DIR/other.csv"
is "other numbers of the same time are a conflict" "409 4" "$(post "source=other.csv&reason=CHG-9" text/csv "$LAB_DIR/other.csv") $(said '.errors[0].line')"
sleep 0.5
is "who, what and why are a row, once" "uid $(id -u)|counters|$stored|CHG-9" "$(sql "SELECT who, what, object, reason FROM act WHERE what = 'counters'")"
is "which the API lists" "$stored" "$(curl -sS --unix-socket "$http" http://localhost/api/v1/evidence/acts | jq -r '.acts[0].object')"

scene_stop
rm -f "$SCENE"/evidence/counters/*
"$doic" audit --no-verify --require useful --json "$SCENE/evidence" >"$LAB_DIR/audit.json"
is "the audit holds up to useful" "0 true" "$? $(jq -r '[.claims[].steps[] | select(.step == "useful") | .ok] | all' "$LAB_DIR/audit.json")"
is "by the counters taken in" "true" "$(jq '[.counters[] | select(.agree)] | length > 0' "$LAB_DIR/audit.json")"
ok "the evidence is intact" "$doic" verify "$SCENE/evidence" --accept-unwitnessed -q

lab_start serve "$doic" serve "$SCENE/evidence" --socket "$http"
lab_wait serve 20 grep -q '^http://127.0.0.1:[0-9]*/$' "$LAB_DIR/serve.log"
is "who shows a folder writes nothing into it" 501 "$(post "source=s1.csv&reason=x" text/csv "$LAB_DIR/s1.csv")"
ok "and says what does" grep -q 'doic import-counters' "$LAB_DIR/body"
lab_stop serve
scene_end
