#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Reports on the wire of a real relay: who may send them, who may see them, what malformed ones cost (nothing), and what a client
# without DOIC sees of it all (nothing).
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 150
lab_need tshark tshark
scene_conf evidence.batch_max_ms=50
# s1 is trusted with its own reports; s2 with DOIC only. c1 may hear of reports, c3 speaks DOIC but may not.
scene_policy "
recovery: { ramp_ms: 0 }
trust:
  peers:
    - { peer: s1.example.net, send_reports: true, realms: [example.net] }
    - { peer: s2.example.net }
    - { peer: c1.visited.example, receive_reports: true }
    - { peer: c3.visited.example }"
scene_server s1 --doic --report "type=host,seq=7,pct=50,validity=60"
scene_server s2 --doic --report "type=host,seq=3,pct=100,validity=60" --dump "$SCENE/s2.pcap"
scene_relay

doic_avps() { # of the answers in CLIENT's capture: how many carry FIELD
	tshark -r "$SCENE/$1.pcap" -Y "diameter.flags.request == 0 && diameter.applicationId != 0 && $2" 2>/dev/null | wc -l
}

# One at a time until s1's report is held.
scene_client c9 --count 1 --dest-host s1.example.net
scene_wait c9
sleep 0.3
is "D-033 the report is held" "host|50|1" "$(sql "select o.type, o.reduction_pct, count(*) from ocs_version o")"

scene_client c1 --doic --count 400 --window 20 --dest-host s1.example.net --dump "$SCENE/c1.pcap" --seed 1
scene_wait c1
is "D-040 the requests of a DOIC client that hears reports are left to it" 400 "$(result c1 '.by_result["2001"]')"
is "D-020 its answers carry OC-Supported-Features" 400 "$(doic_avps c1 diameter.OC-Supported-Features)"
is "D-285 and the report" 400 "$(doic_avps c1 diameter.OC-OLR)"

scene_client c2 --count 400 --window 20 --dest-host s1.example.net --dump "$SCENE/c2.pcap" --seed 2
scene_wait c2
is "D-034 Q-16 Q-18 for a plain client the agent refuses 50 %" 200 "$(result c2 '.by_result["5012"]')"
is "D-022 and it sees nothing of DOIC" 0 "$(doic_avps c2 '(diameter.OC-Supported-Features || diameter.OC-OLR)')"
is "D-166 its refusals carry the E bit" 200 "$(doic_avps c2 'diameter.Result-Code == 5012 && diameter.flags.error == 1')"
is "and the Session-Id" 200 "$(doic_avps c2 'diameter.Result-Code == 5012 && diameter.Session-Id')"

scene_client c3 --doic --count 400 --window 20 --dest-host s1.example.net --dump "$SCENE/c3.pcap" --seed 3
scene_wait c3
is "D-287 a DOIC client that may not hear reports gets none" 0 "$(doic_avps c3 diameter.OC-OLR)"
is "D-286 D-168 D-021 but OC-Supported-Features in every answer, refusals too" 400 "$(doic_avps c3 diameter.OC-Supported-Features)"
is "D-287 and the agent abates for it" 200 "$(result c3 '.by_result["5012"]')"

scene_client c4 --count 300 --window 20 --dest-host s2.example.net --seed 4
scene_wait c4
is "D-282 a report of a peer that may not send any is not obeyed" 300 "$(result c4 '.by_result["2001"]')"
scene_stop
is "D-010 every request reaches the server with OC-Supported-Features once" 300 \
	"$(tshark -r "$SCENE/s2.pcap" -Y 'diameter.flags.request == 1 && diameter.applicationId != 0' -T fields \
		-e diameter.OC-Supported-Features 2>/dev/null | grep -cE '^[^,]+$')"

# Malformed and odd AVPs appended to every answer, ten reports among them: each answer is delivered (D-263).
odd=0000026f00000014000002720000000c00000007
for hex in "$odd$odd$odd$odd$odd$odd$odd$odd$odd$odd" 0000026f0000000b000000 0000026f000000100000027000000fff 0000026d000000100000026e00000004 \
	0000026f000000140000027000000000c00000002 0000026fff 0000026f0000003c00000270000000100000000000000009000002720000000c00000000000002730000000c00000065000002710000000c0000003c; do
	scene_stop
	rm -f "$LAB_DIR"/*.control "$SCENE"/evidence/seg-*
	scene_server s1 --doic --raw-answer-avp "${hex:0:$((${#hex} / 2 * 2))}"
	scene_server s2 --doic
	scene_relay
	scene_client m1 --count 100 --window 10 --dest-host s1.example.net
	scene_wait m1
	is "D-263 answers with ${hex:0:24}... are delivered" 100 "$(result m1 '.by_result["2001"] // 0')"
	is "D-022 and their DOIC AVPs go no further" "0 0" "$(result m1 '"\(.doic.answers_with_sf) \(.doic.answers_with_olr)"')"
done
scene_stop
is "D-260 a percentage of 101 makes no state" "0 percentage_range" \
	"$(sql "select (select count(*) from ocs_version) || ' ' || (select group_concat(distinct reason) from report)")"
scene_complete reports
scene_end
