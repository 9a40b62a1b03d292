#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Good host manners of the agent in a real relay: deadlines, the cap on unanswered requests, Route-Record, TCP_NODELAY, quiet logs, and
# an end under load that loses no evidence.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 120
lab_need tshark tshark
lab_need ss iproute2
scene_conf relay.deadline_ms=1000 relay.tcp_nodelay=true relay.send_buffer_bytes=262144 evidence.batch_max_ms=50
scene_policy "outstanding_max: 100"
scene_server s1
scene_server s2
scene_relay

scene_client c1 --count 200 --window 20 --dest-host s2.example.net --dump "$SCENE/c1.pcap" --seed 1
scene_wait c1
stray=$(tshark -r "$SCENE/c1.pcap" -Y 'diameter.flags.request == 0 && diameter.Route-Record' 2>/dev/null | wc -l)
is "answers carry no Route-Record" 0 "$stray"
is "all answered" 200 "$(result c1 '.by_result["2001"]')"
ok "TCP_NODELAY is set and read back" grep -q 'peer=s1.example.net TCP_NODELAY=1' "$LAB_DIR/dra.log"

scene_tell s1 "mute for=30s"
sleep 0.2
scene_client c2 --count 50 --window 50 --dest-host s1.example.net --timeout 4s --seed 2
scene_wait c2
is "Q-21 requests nobody answers get 3002 at their deadline" 50 "$(result c2 '.by_result["3002"]')"
ok "soon after the deadline of 1 s" test "$(result c2 '.latency_us.max | floor')" -lt 1500000

scene_client c3 --count 300 --window 300 --dest-host s1.example.net --timeout 4s --seed 3
scene_wait c3
is "at most 100 stay unanswered at one peer" 100 "$(result c3 '.by_result["3002"]')"
is "the others are told TOO_BUSY" 200 "$(result c3 '.by_result["3004"]')"

# Overload opens no connection: what is left are those of the two servers.
connections() { ss -Htnp state established | grep -c "pid=${LAB_PID[dra]},"; }
only_servers() { [ "$(connections)" -eq 2 ]; }
lab_wait dra 10 only_servers
is "Q-15 overload opens no connection" 2 "$(connections)"

# Realm-routed requests go round the full peer. 180 at most wait: 100 at s1, so that s2 is never full as well, however slow the machine.
scene_client c4 --count 1000 --window 180 --timeout 4s --seed 4
scene_wait c4
is "realm-routed requests go round the peer that does not answer" 0 "$(result c4 '.by_result["3004"] // 0')"

lab_stop s1
lab_stop s2
sleep 0.5
scene_client c5 --count 2000 --window 50 --seed 5
scene_wait c5
is "without servers every request is answered 3002" 2000 "$(result c5 '.by_result["3002"]')"
lines=$(grep -c 'doic: error=' "$LAB_DIR/dra.log")
ok "errors are said, but not once per message ($lines lines)" test "$lines" -ge 1 -a "$lines" -le 40
is "no message is dumped into the log" 0 "$(grep -c 'AVP:' "$LAB_DIR/dra.log")"
# Without an open peer freeDiameter 1.2.1 may abort when it stops on a busy machine (extensions/doic/ofd_drain.c).
scene_client c7 --idle --duration 20s
lab_open dra c7.visited.example
lab_stop dra
wait "${LAB_PID[c7]}" 2>/dev/null
unset "LAB_PID[c7]"
is "each 3002 by a deadline has its outcome" "$(result c2 '.by_result["3002"]') $(result c3 '.by_result["3002"]') $(result c4 '.by_result["3002"] // 0')" \
	"$(sql "select group_concat(n, ' ') from (select sum(maker = 2) n from outcome join decision d using (id) join name n on n.id = d.client
		where n.text in ('c2.visited.example', 'c3.visited.example', 'c4.visited.example') group by n.text order by n.text)")"
is "outcomes of the daemon's own errors" 2000 "$(sql "select count(*) from outcome where maker = 3 and result_code = 3002")"
scene_complete "manners"

# SIGTERM in the middle of traffic.
rm -rf "$SCENE/evidence"
mkdir -p "$SCENE/evidence/counters"
rm -f "$LAB_DIR"/*.control
scene_server s1
scene_server s2
scene_relay
scene_client c6 --duration 5s --window 200 --seed 6 --timeout 1s
sleep 2
before=$(date +%s%N)
lab_stop dra
ok "SIGTERM under load ends within 5 s" test $((($(date +%s%N) - before) / 1000000)) -lt 5000
ok "much had been decided" test "$(sql 'select count(*) from decision')" -gt 1000
is "an answer lost at the relay's own stop counts as no answer" "$(sql "select count(*) from outcome where maker <> 4 and result_code is not null")" \
	"$(sql "select sum(answered) from v_by_client")"
scene_complete "ended under load"
scene_end
