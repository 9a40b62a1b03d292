#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The HTTP server in a real relay: what it says agrees with what clients and servers counted, an administrator's wish takes effect and
# leaves a row, a wrong policy changes nothing, SIGHUP reloads, and the daemon stops with streams open.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 120
http=$LAB_DIR/http.sock
scene_conf control.socket="$LAB_DIR/ctl.sock" http.bind=127.0.0.1:0 http.socket="$http" http.label=LAB evidence.batch_max_ms=50 evidence.checkpoint_s=1
get() { curl -sS --max-time 10 --unix-socket "$http" "http://localhost$1"; }
send() { # METHOD PATH BODY [CURL OPTIONS]
	local method=$1 path=$2 body=$3
	shift 3
	curl -sS --max-time 10 --unix-socket "$http" -X "$method" -H 'Content-Type: application/json' -d "$body" "$@" "http://localhost$path"
}
code() { curl -sS --max-time 10 -o "$LAB_DIR/body" -w '%{http_code}' "$@"; }
metric() { get /metrics | awk -v name="$1" '$1 == name { print $2 }'; }

scene_server s1 --doic
scene_server s2
scene_relay
port=$(grep -ao 'dashboard and API at .*, port [0-9]*' "$LAB_DIR/dra.log" | grep -o '[0-9]*$' | head -1)
ok "it says in the log where it listens" test -n "$port"
is "alive" 200 "$(code "http://127.0.0.1:$port/livez")"
is "ready" 200 "$(code "http://127.0.0.1:$port/readyz?verbose")"
is "the socket is its owner's" 600 "$(stat -c %a "$http")"
is "it says who it is" "dra.example.net LAB" "$(get /api/v1/status | jq -r '.node | "\(.identity) \(.label)"')"

get / >"$LAB_DIR/page.html"
ok "the page, with its sentences for who has scripts off" grep -q '<p>Nobody has asked for less' "$LAB_DIR/page.html"
is "and all it loads is there" "" "$(grep -oE '(src|href)="/assets/[^"]*' "$LAB_DIR/page.html" | sed 's/.*"//' | sort -u | while read -r asset; do
	[ "$(code --unix-socket "$http" "http://localhost$asset")" = 200 ] || echo "$asset"
done)"
curl -sN --max-time 60 --unix-socket "$http" http://localhost/api/v1/events >"$LAB_DIR/stream" &
stream=$!
scene_client c1 --rate 500 --count 1000
scene_wait c1
get / >"$LAB_DIR/page.html"
ok "who has scripts off sees each node" grep -qE '<tr><th>s1.example.net</th><td>connected</td>(<td>([0-9]+|&#8211;)</td>){5}</tr>' "$LAB_DIR/page.html"
sleep 2
sent=$(result c1 '.requests')
is "requests counted over HTTP are those the client sent" "$sent" "$(get '/api/v1/series?names=requests&window=60' | jq '[.columns.requests[] | numbers] | add')"
ok "metrics count them too" test "$(get /metrics | awk '/^doic_requests_total/ { n += $2 } END { print n }')" = "$sent"
ok "the stream began with a snapshot and went on with ticks" grep -q '^event: tick' "$LAB_DIR/stream"

# Out of selection: by an administrator, and back.
pool=$(get /api/v1/pools | jq -r '.pools[0].pool')
is "over TCP without a token nobody takes a node out" "401" \
	"$(code -X POST -H 'Content-Type: application/json' -d '{"reason":"x"}' "http://127.0.0.1:$port/api/v1/pools/$pool/nodes/s2.example.net:out")"
ok "over the socket its owner does" send POST "/api/v1/pools/$pool/nodes/s2.example.net:out" '{"reason":"CHG-4411"}' --fail -o "$LAB_DIR/out.json"
scene_client c2 --rate 500 --count 500
scene_wait c2
is "then none of 500 new requests goes there, and none is lost" "500 500" \
	"$(result c2 '.by_result["2001"]') $(sql "SELECT count(*) FROM v_decision WHERE next_hop = 's1.example.net' AND id > $sent")"
ok "and back" send POST "/api/v1/pools/$pool/nodes/s2.example.net:in" '{"reason":"done"}' --fail -o "$LAB_DIR/in.json"
scene_client c3 --rate 500 --count 500
scene_wait c3
ok "it gets requests again" test "$(sql "SELECT count(*) FROM v_decision WHERE next_hop = 's2.example.net' AND id > $sent")" -gt 100
sleep 1
is "who, what, before, after and why are rows" "uid $(id -u)|want|s2.example.net|in|out|CHG-4411" \
	"$(sql "SELECT who, what, object, before, after, reason FROM act WHERE what = 'want' ORDER BY mono_ns LIMIT 1")"

# The policy.
etag=$(curl -sS --unix-socket "$http" -D - -o "$LAB_DIR/policy.json" http://localhost/api/v1/policy | tr -d '\r' | awk 'tolower($1) == "etag:" { print $2 }')
jq -Rs '{text: ., reason: "CHG-1"}' <<<'outstanding_max: many' >"$LAB_DIR/wrong.json"
is "a wrong policy is refused" 422 "$(code --unix-socket "$http" -X PUT -H 'Content-Type: application/json' -H "If-Match: $etag" -d @"$LAB_DIR/wrong.json" http://localhost/api/v1/policy)"
ok "with line and column and what is allowed" grep -q '1:18' "$LAB_DIR/body"
is "without If-Match nothing is tried" 428 "$(code --unix-socket "$http" -X PUT -H 'Content-Type: application/json' -d @"$LAB_DIR/wrong.json" http://localhost/api/v1/policy)"
is "version 1 is still in force" 1 "$(get /api/v1/policy | jq .version)"
jq -Rs '{text: ., reason: "CHG-2"}' "$SCENE/policy.yaml" >"$LAB_DIR/right.json"
is "a right one is put in force" 200 "$(code --unix-socket "$http" -X PUT -H 'Content-Type: application/json' -H "If-Match: $etag" -d @"$LAB_DIR/right.json" http://localhost/api/v1/policy)"
is "who saw the old one cannot overwrite it" 412 "$(code --unix-socket "$http" -X PUT -H 'Content-Type: application/json' -H "If-Match: $etag" -d @"$LAB_DIR/right.json" http://localhost/api/v1/policy)"
kill -HUP "${LAB_PID[dra]}"
for _ in $(seq 30); do [ "$(get /api/v1/policy | jq .version)" = 3 ] && break; sleep 0.1; done
is "SIGHUP reads the file again" 3 "$(get /api/v1/policy | jq .version)"
sleep 0.5
is "all of it told by rows" "uid $(id -u)|version 1|version 2|CHG-2 system|version 2|version 3|SIGHUP" \
	"$(sql "SELECT who, before, after, reason FROM act WHERE what = 'policy' ORDER BY mono_ns" | tr '\n' ' ' | sed 's/ $//')"

jq -n '{text: "mode: maybe\noutstanding_max: many\ncolour: red\n"}' >"$LAB_DIR/bad.json"
is "a check tells every mistake with its place" "3 1:7 2:18 3:1" \
	"$(send POST /api/v1/policy/check @"$LAB_DIR/bad.json" | jq -r '"\(.errors_found) " + ([.errors[] | "\(.line):\(.column)"] | join(" "))')"
jq -Rs '{text: sub("mode: enforce"; "mode: observe")} | .text = .text + "outstanding_max: 7\n"' "$SCENE/policy.yaml" >"$LAB_DIR/next.json"
is "and what differs" "outstanding_max: 7" "$(send POST /api/v1/policy/check @"$LAB_DIR/next.json" | jq -r '[.diff[] | select(.new) | .text] | join(",")')"

# Jobs: what the command line does.
job() { # BODY PATH: number of the job, when it is over
	local number
	number=$(send POST "$2" "$1" | jq -r .id)
	for _ in $(seq 200); do
		get "/api/v1/jobs/$number" | jq -e '.state == "done"' >/dev/null && break
		sleep 0.1
	done
	echo "$number"
}
verify=$(job '{}' /api/v1/evidence/verify)
is "verify: the exit code of the command line" "$("$LAB_BUILD/bin/doic" verify "$SCENE/evidence" -q >/dev/null 2>&1; echo $?)" \
	"$(get "/api/v1/jobs/$verify" | jq .exit)"
audit=$(job '{"require":"selected"}' /api/v1/evidence/audit)
is "audit: its object is that of the command line" "doic.audit/1 done" "$(get "/api/v1/jobs/$audit" | jq -r '"\(.object.schema) \(.state)"')"
ok "and its page stands alone" grep -q '<!doctype html>' <(get "/api/v1/jobs/$audit/page" | tr A-Z a-z)
whatif=$(job "@$LAB_DIR/next.json" /api/v1/policy/whatif)
is "what-if: the same traffic under the candidate" "doic.whatif/1 2000" \
	"$(get "/api/v1/jobs/$whatif" | jq -r '"\(.object.schema) \(.object.total.before.decisions // .object.decisions)"')"
is "no such job" 404 "$(code --unix-socket "$http" http://localhost/api/v1/jobs/999)"

# Evidence.
sleep 1.2
get '/api/v1/decisions?limit=1&order=oldest' >"$LAB_DIR/first.json"
id=$(jq -r '.decisions[0].id' "$LAB_DIR/first.json")
is "the oldest decision" "1" "${id##*-}"
is "pages follow each other without a hole" 2000 "$(
	cursor=
	while :; do
		get "/api/v1/decisions?limit=300${cursor:+&cursor=$cursor}" >"$LAB_DIR/page.json"
		jq '.decisions | length' "$LAB_DIR/page.json"
		cursor=$(jq -r '.next // empty | @uri' "$LAB_DIR/page.json")
		[ -n "$cursor" ] || break
	done | awk '{ n += $1 } END { print n }'
)"
is "a stream says that it is whole" "2001 true 2000" "$(get '/api/v1/decisions?format=ndjson' | jq -sr '"\(length) \(.[-1].end) \(.[-1].rows)"')"
is "CSV has a head and a row for each" "$(($(sql "SELECT count(*) FROM v_decision WHERE next_hop = 's1.example.net'") + 1))" \
	"$(get '/api/v1/decisions?format=csv&next_hop=s1.example.net' | wc -l)"
is "what was sent to s1 by the API and by the table" "$(sql "SELECT count(*) FROM v_decision WHERE next_hop = 's1.example.net'")" \
	"$(get '/api/v1/decisions?format=ndjson&next_hop=s1.example.net' | jq -s 'length - 1')"
is "a stream of three rows says why it ends" "4 true 3 true" \
	"$(get '/api/v1/decisions?format=ndjson&limit=3' | jq -sr '"\(length) \(.[-1].end) \(.[-1].rows) \(.[-1].is_limited)"')"
is "and goes on behind a page" "$(get '/api/v1/decisions?limit=4' | jq -r '.decisions[3].id')" \
	"$(get "/api/v1/decisions?format=ndjson&limit=1&cursor=$(get '/api/v1/decisions?limit=3' | jq -r .next)" | head -1 | jq -r .id)"
is "but not behind what is no page" 400 "$(curl -s -o /dev/null -w '%{http_code}' --unix-socket "$http" 'http://localhost/api/v1/decisions?format=ndjson&cursor=x')"
is "one decision, with its candidates" "$id 2" "$(get "/api/v1/decisions/$id" | jq -r '"\(.id) \(.candidates | length)"')"
get "/api/v1/decisions/$id/proof" >"$LAB_DIR/proof.json"
ok "its proof holds without the database" "$LAB_BUILD/bin/doic" check-proof "$LAB_DIR/proof.json" --key "$SCENE/evidence/public-key.txt"
session=$(get "/api/v1/decisions/$id" | jq -r .session)
for _ in $(seq 50); do get /api/v1/sessions | jq -e .index.is_whole >/dev/null && break; sleep 0.1; done
is "its session knows it" "$id" "$(get "/api/v1/sessions/$session" | jq -r '.decisions_listed[0].id')"
of_session=$(sql "SELECT count(*) FROM v_decision WHERE session = $session")
is "a stream of exactly as many rows as there are was not ended by that" "$((of_session + 1)) $of_session null" \
	"$(get "/api/v1/decisions?format=ndjson&session=$session&limit=$of_session" | jq -sr '"\(length) \(.[-1].rows) \(.[-1].is_limited)"')"
is "acts" "policy want" "$(get /api/v1/evidence/acts | jq -r '[.acts[].what] | unique | join(" ")')"
is "versions of the policy, with who and why" "3 SIGHUP" "$(get /api/v1/policy/versions | jq -r '.versions[0] | "\(.version) \(.reason)"')"
etag=$(curl -sS --unix-socket "$http" -D - -o /dev/null http://localhost/api/v1/policy | tr -d '\r' | awk 'tolower($1) == "etag:" { print $2 }')
is "back to version 1 is a new version" 4 "$(send POST /api/v1/policy/rollback '{"version":1,"reason":"back"}' -H "If-Match: $etag" | jq .version)"
is "a segment" 1 "$(get /api/v1/evidence/segments | jq '.segments | length')"
is "a checkpoint" 200 "$(code --unix-socket "$http" http://localhost/api/v1/evidence/checkpoints/latest)"
is "with whose log, how many batches and rows, and its root" "true" "$(get /api/v1/evidence/checkpoints/latest | jq '.origin == "dra.example.net" and .size > 0 and .rows >= 2000 and (.root | test("^[0-9a-f]{64}$"))')"
is "under a state without naming the agent's life: the one that runs" 200 "$(code --unix-socket "$http" "http://localhost/api/v1/decisions?version=1")"
is "SQL in a parameter is a name like any other" 0 "$(get "/api/v1/decisions?next_hop=%27%20OR%201%3D1%20--" | jq '.decisions | length')"
is "a cursor of another filter is refused" 400 "$(code --unix-socket "$http" "http://localhost/api/v1/decisions?verdict=refused&cursor=$(get '/api/v1/decisions?limit=5' | jq -r '.next | @uri')")"

# The end.
scene_stop
ok "the daemon stops with a stream open" test -n "$(find "$SCENE/evidence" -name 'seg-*.seal')"
kill "$stream" 2>/dev/null
wait "$stream" 2>/dev/null
ok "the evidence is intact" "$LAB_BUILD/bin/doic" verify "$SCENE/evidence" --accept-unwitnessed -q
ok "and a replay finds every decision again" "$LAB_BUILD/bin/doic" replay "$SCENE/evidence" -q
scene_end
