#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# A server dies with many requests pending while a report is held: they go to the other server, nothing is decided twice (D-158).
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 90
scene_conf evidence.batch_max_ms=50
scene_policy "
outstanding_max: 0
trust:
  peers:
    - { peer: s1.example.net, send_reports: true }
    - { peer: s2.example.net, send_reports: true }"
scene_server s1 --doic --report "type=host,seq=7,pct=50,validity=60" --service-time-ms 1
scene_server s2 --doic --service-time-ms 1
scene_relay
scene_client c1 --count 200 --window 20 --seed 1
scene_wait c1
is "the report is held" 1 "$(sql 'select count(*) from ocs_version')"
scene_tell s1 "mute for=60s"
scene_client c2 --count 2400 --window 2400 --dest-host s1.example.net --seed 2 --timeout 20s --drain 20s
sleep 2
pending=$(sql "select count(*) from decision d join name n on n.id = d.next_hop where n.text = 's1.example.net' and d.id not in (select id from outcome)")
ok "requests are pending at s1 ($pending)" test "$pending" -ge 1000
scene_tell s1 die
scene_wait c2 40
LAB_PID_S1=${LAB_PID[s1]}
wait "$LAB_PID_S1" 2>/dev/null
unset "LAB_PID[s1]"
is "Q-21 those pending were answered 2001 by the other server" "$pending" "$(result c2 '.by_result["2001"]')"
is "the others had been refused for the report" "$((2400 - pending))" "$(result c2 '.by_result["5012"]')"
scene_stop
is "D-158 one decision for each request" 2600 "$(sql 'select count(*) from decision')"
is "D-158 none of those that failed over was refused" 0 "$(sql 'select count(*) from outcome where attempts > 1 and result_code <> 2001')"
is "they all went out twice" "$pending" "$(sql 'select count(*) from outcome where attempts = 2')"
is "draws are numbered without a hole" 0 "$(sql 'select max(host_nth) - count(host_nth) from decision where host_version = 1')"
scene_complete failover
scene_end
