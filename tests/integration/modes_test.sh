#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The modes of policy.yaml and doic.yaml in a real relay: observe touches nothing and records all, the random sampler keeps about the
# share, without evidence the relay works as with it, refusals carry the configured code, and trust can be the default.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 200
lab_need tshark tshark

# begin POLICY [KEY=VALUE...]: a fresh trail, s1 asking for 50 % of its own traffic, and one request so that this is known.
begin() {
	scene_stop
	rm -rf "$LAB_DIR"/*.control "$SCENE"/evidence
	mkdir -p "$SCENE/evidence/counters"
	scene_conf "${@:2}"
	scene_policy "$1"
	scene_server s1 --doic --report "type=${REPORT:-host},seq=7,pct=50,validity=600"
	scene_server s2 "${SECOND[@]}"
	scene_relay
	scene_client c9 --count 1 --dest-host s1.example.net
	scene_wait c9
}
SECOND=() # what the other server is started with
trust="trust: { peers: [{ peer: s1.example.net, send_reports: true }] }"
with_e() { # CLIENT CODE: answers in its capture with that Result-Code and the E bit
	tshark -r "$SCENE/$1.pcap" -Y "diameter.Result-Code == $2 && diameter.flags.error == 1" 2>/dev/null | wc -l
}

begin "mode: observe
$trust" evidence.batch_max_ms=50
scene_client c1 --count 1000 --window 20 --dest-host s1.example.net
scene_wait c1
is "D-136 observe refuses nothing" 1000 "$(result c1 '.by_result["2001"]')"
scene_client c2 --count 1000 --window 20
scene_wait c2
is "observe refuses no realm-routed request either" 1000 "$(result c2 '.by_result["2001"]')"
ok "and diverts none: s1 keeps its share of them" test "$(result c2 '.by_answering_host["s1.example.net"].answers')" -gt 300
scene_client c3 --doic --count 10 --dest-host s1.example.net
scene_wait c3
is "what untrusted clients see is the same as under enforce" 0 "$(result c3 .doic.answers_with_sf)"
scene_stop
is "every verdict is forward" 2011 "$(sql 'select count(*) from decision where verdict = 0')"
of() { sql "select count(*) from decision d join name n on n.id = d.client where n.text = '$1.visited.example' and $2"; }
observed="(flags & 16) <> 0 and why = 1 and selected_by = 2"
is "D-152 what it would have done is recorded: half of the requests to s1" 500 "$(of c1 "$observed")"
ok "and half of the realm-routed ones of s1" test "$(of c2 "$observed")" -ge 200 -a "$(of c2 "$observed")" -le 300
is "nothing else is flagged OBSERVED" "$(of c1 "$observed") $(of c2 "$observed")" "$(of c1 '(flags & 16) <> 0') $(of c2 '(flags & 16) <> 0')"
scene_complete observe
"$LAB_BUILD/bin/doic" audit --json "$SCENE/evidence" >"$SCENE/audit.json"
is "observe: a dry run is not taken for a reduction" "cannot_tell selected" "$(jq -r '.outcome + " " + .reached' "$SCENE/audit.json")"
is "observe: the audit finds nobody treated outside the scope" 0 "$(jq '.exceptions | length' "$SCENE/audit.json")"

# Shadow: one host is only observed, the other one's report is obeyed; everybody says so.
SECOND=(--doic --report "type=host,seq=7,pct=50,validity=600")
begin "shadow: [s1.example.net]
trust: { default: { doic: true, send_reports: true } }" evidence.batch_max_ms=50 http.bind='""' http.socket="$LAB_DIR/http.sock"
SECOND=()
scene_client c8 --count 1 --dest-host s2.example.net
scene_wait c8
scene_client c1 --count 1000 --window 20 --dest-host s1.example.net
scene_wait c1
scene_client c2 --count 1000 --window 20 --dest-host s2.example.net
scene_wait c2
is "a host in shadow is sent everything, another one half" "1000 500" "$(result c1 '.by_result["2001"]') $(result c2 '.by_result["2001"]')"
curl -s --unix-socket "$LAB_DIR/http.sock" http://localhost/api/v1/ocs >"$LAB_DIR/ocs.json"
is "which of the states is only observed is told" "s1.example.net true s2.example.net false" \
	"$(jq -r '[.ocs[] | "\(.subject) \(.is_observed)"] | sort | join(" ")' "$LAB_DIR/ocs.json")"
"$LAB_BUILD/bin/doic" ctl --socket "$LAB_DIR/http.sock" status --json | jq -r ".reply.story[]" >"$LAB_DIR/status"
is "and in words" "1 1" "$(grep -c '^s1.example.net asks .*; we only observe it (shadow), and forward everything' "$LAB_DIR/status") $(grep -c '^s2.example.net asks .*; we obey and selected' "$LAB_DIR/status")"
scene_stop
is "each record says whether it was enforced" "500 0 0 500" "$(of c1 "$observed") $(of c1 'verdict = 2') $(of c2 "$observed") $(of c2 'verdict = 2')"

begin "sampler: random
$trust" evidence.batch_max_ms=50
scene_client c1 --count 10000 --window 50 --dest-host s1.example.net
scene_wait c1
refused=$(result c1 '.by_result["5012"]')
ok "D-153 a random draw keeps about the share: $refused of 10000" test "$refused" -ge 4800 -a "$refused" -le 5200
scene_stop
# Runs of equal verdicts: independent draws have (n - 1) / 2 changes, sigma 50; the exact sampler makes 7500.
changes=$(sql "select sum(s <> before) from (select (verdict = 2) s, lag(verdict = 2) over (order by host_nth) before
	from decision where host_nth > 0)")
ok "and draws are independent: $changes changes of verdict" test "$changes" -ge 4750 -a "$changes" -le 5250

begin "$trust" evidence.enabled=false
scene_client c1 --count 1000 --window 20 --dest-host s1.example.net
scene_wait c1
is "D-152 without evidence the agent decides all the same" 500 "$(result c1 '.by_result["5012"]')"
scene_stop
is "and writes nothing" 0 "$(find "$SCENE/evidence" -name 'seg-*' | wc -l)"

begin "refusal: { host_report_code: 3004, realm_report_code: 5012, outstanding_code: 5012 }
outstanding_max: 30
$trust" evidence.batch_max_ms=50 relay.deadline_ms=1000
scene_client c1 --count 200 --window 10 --dest-host s1.example.net --dump "$SCENE/c1.pcap"
scene_wait c1
is "D-166 a host report's refusals are 3004 as configured" 100 "$(result c1 '.by_result["3004"]')"
is "D-166 with the E bit" 100 "$(with_e c1 3004)"
scene_tell s2 "mute for=30s"
sleep 0.2
scene_client c2 --count 100 --window 100 --dest-host s2.example.net --dump "$SCENE/c2.pcap"
scene_wait c2
is "D-160 refusals for a full peer are 5012 as configured" 70 "$(result c2 '.by_result["5012"]')"
is "D-166 with the E bit too" 70 "$(with_e c2 5012)"

REPORT=realm begin "refusal: { host_report_code: 5012, realm_report_code: 3004 }
trust: { default: { doic: true, send_reports: true, receive_reports: true } }" evidence.batch_max_ms=50
scene_client c1 --count 200 --window 10 --dump "$SCENE/c1.pcap"
scene_wait c1
is "D-166 a realm report's refusals are 3004 as configured" 100 "$(with_e c1 3004)"
scene_client c2 --doic --count 200 --window 10
scene_wait c2
is "D-285 Q-5 peers no rule names may be trusted: a DOIC client hears the report" "$(result c2 '.by_answering_host["s1.example.net"].answers')" "$(result c2 .doic.olr.realm)"
is "and is not refused for it" 200 "$(result c2 '.by_result["2001"]')"
scene_stop
scene_complete modes
scene_end
