#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# An overload on the Gx traffic of a real capture, its subscribers multiplied to 20,000 sessions: a host report and a realm report
# are obeyed to the request, and three independent counters agree to the message. Without the capture: made-up Gx traffic.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 240
lab_need jq jq
lab_need tshark tshark
scene_conf evidence.batch_max_ms=100
capture=$(ls "${DOIC_SHARED:-../shared}"/captures/magma_gx_gy_combined_04_*.pcapng 2>/dev/null)
if [ -n "$capture" ]; then
	# 32 sessions of one request I and one T in the capture, 625 times: 20,000 sessions, 40,000 requests.
	traffic=(--from-capture "$capture" --app gx --strip-dest-host --multiply 625)
else
	skip "captured Gx traffic" "no captures in ${DOIC_SHARED:-../shared} (set DOIC_SHARED): made-up sessions instead"
	traffic=(--sessions 400 --updates 0 --count 40000)
	# Hundreds of sessions ending at once owe what their class is spared; how much of it is paid back when a report ends is chance.
	echo 'priorities: { application: false }' >>"$SCENE/policy.yaml"
fi
scene_server s1 --dump "$SCENE/s1.pcap" --from-first --report "at=1s,for=4s,type=host,seq=7,pct=30,validity=4" \
	--report "at=6s,for=3s,type=realm,seq=1,pct=30,validity=3"
scene_server s2 --doic
scene_relay
scene_client c1 "${traffic[@]}" --rate 3500 --seed 1
scene_client c2 --sessions 50 --updates 4 --dest-host s1.example.net --rate 500 --duration 11s --seed 2 --dump "$SCENE/c2.pcap"
scene_wait c1 90
scene_wait c2 90
scene_stop
if [ -n "$capture" ]; then
	is "20,000 sessions were sent whole" 40000 "$(result c1 .requests)"
else
	ok "much was sent" test "$(result c1 .requests)" -ge 20000
fi

audit=$SCENE/audit.json
"$LAB_BUILD/bin/doic" audit --json "$SCENE/evidence" >"$audit"
is "the audit holds" 0 $?
# Whoever fetched the key, and kept checkpoints, outside the folder.
cp "$SCENE/evidence/public-key.txt" "$SCENE/fetched-key.txt"
cp "$SCENE/evidence.checkpoints" "$SCENE/kept-checkpoints.txt"
"$LAB_BUILD/bin/doic" audit --strict --json --key "$SCENE/fetched-key.txt" --checkpoint "$SCENE/kept-checkpoints.txt" "$SCENE/evidence" \
	>"$SCENE/strict.json"
is "it holds with --strict, key and checkpoints from outside" "0 intact given given" "$? $(jq -r '.integrity | "\(.outcome) \(.trust) \(.witness)"' "$SCENE/strict.json")"
claim() { jq -r ".claims[] | select(.report_type == \"$1\" and .node == \"$2\") | $3" "$audit"; }
step() { claim "$1" "$2" ".steps[] | select(.step == \"$3\") | $4"; }
for scope in "host s1.example.net" "realm example.net"; do
	# shellcheck disable=SC2086 # two words
	set -- $scope
	is "$1 report: asked 30 %" 0.3 "$(step "$1" "$2" selected .asked_ratio)"
	ok "$1 report: many requests matched" test "$(step "$1" "$2" selected .matched)" -gt 1000
	is "D-152 $1 report: selected within one request at every moment" true "$(step "$1" "$2" selected '.error_max < 1')"
	is "$1 report: held for its validity" true "$(step "$1" "$2" held .ok)"
	is "$1 report: arrived as counted by the servers" true "$(step "$1" "$2" arrived .ok)"
done
is "D-121 D-122 no request was treated outside its scope" 0 "$(jq '.exceptions | length' "$audit")"
is "three counters agree to the message" 0 "$(jq '[.counters[] | select(.agree | not)] | length' "$audit")"
ok "and there are counters of clients and servers" test "$(jq '.counters | length' "$audit")" -ge 4
is "decisions, clients' requests" "$(($(result c1 .requests) + $(result c2 .requests)))" "$(sql 'select count(*) from decision')"
is "D-002 Q-13 forwarded, servers' requests: the agent made none of its own" "$(($(result s1 .requests) + $(result s2 .requests)))" \
	"$(sql 'select count(*) from decision where next_hop is not null')"
ok "D-041 D-137 realm-routed requests were diverted, not refused, for the host report" \
	test "$(sql 'select count(*) from decision where verdict = 1 and selected_by = 2')" -gt 500
for dump in s1 c2; do
	is "tshark finds no malformed AVP in what $dump saw" 0 \
		"$(tshark -r "$SCENE/$dump.pcap" -Y '_ws.malformed || diameter.avp.invalid-data || diameter.avp.invalid-len' 2>/dev/null | wc -l)"
done
ok "and reports were among it" test "$(tshark -r "$SCENE/s1.pcap" -Y 'diameter.OC-Reduction-Percentage == 30' 2>/dev/null | wc -l)" -gt 1000
scene_complete overload
scene_end
