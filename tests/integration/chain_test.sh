#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Three agents in a row and a daemon without DOIC between others, all real (chain_scene.sh has the picture): what is said end to end
# arrives once, what is said between neighbours stays there.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/chain_scene.sh
. tests/integration/chain_scene.sh

chain_begin 240
lab_need tshark tshark
lab_need jq jq
rest='recovery: { ramp_ms: 0 }
outstanding_max: 0
load: { slow_start_ms: 0, capacity_rps: 1000000, send: always }'
inner="$rest
reports: { validity_s: 20, fall_step_pct: 0 }
trust:
  default: { doic: true, send_reports: true, relay_reports: true, receive_reports: true, load: relayed, receive_load: true }"
chain_policy b1 "$inner"
chain_policy b2 "$inner"
chain_policy d "$inner"
# c1 and c4 hear of reports, c3 of load too; c2 is nobody.
chain_policy a "$rest
reports: { validity_s: 20, fall_step_pct: 0, sole_path_to: [s3.example.net], realms: [example.net] }
trust:
  peers:
    - { peer: b1.example.net, send_reports: true, relay_reports: true, load: relayed }
    - { peer: b2.example.net, send_reports: true, relay_reports: true, load: relayed }
    - { peer: n.example.net, send_reports: true, relay_reports: true, load: relayed }
    - { peer: c1.visited.example, receive_reports: true, receive_load: false }
    - { peer: c3.visited.example, receive_reports: true }
    - { peer: c4.visited.example, receive_reports: true }"
chain_server s1 --doic --load 33333 --dump "$SCENE/s1.pcap"
chain_server s2 --doic
chain_server s3 --dump "$SCENE/s3.pcap"
chain_server s4 --doic --service-time-ms 5000
chain_daemons

told() { result "$1" ".doic.answers.olr.$2.$3 // 0"; }
code() { result "$1" ".by_result[\"$2\"] // 0"; }
sources_of() { # NODE DIRECTION: "neighbour announced-as" of what it was told, each once
	chain_sql "$1" "select group_concat(x, ', ') from (select distinct substr(p.text, 1, instr(p.text, '.') - 1) || ' '
		|| coalesce(substr(s.text, 1, instr(s.text, '.') - 1), '-') x from capability c join name p on p.id = c.peer
		left join name s on s.id = c.source where direction = '$2' order by 1)"
}
refused_by_agents() { # since the mark, of each agent
	local name words=""
	for name in $CHAIN_AGENTS; do words+=" $(chain_count "$name" 'd.verdict = 2')"; done
	echo "${words# }"
}
source_ids() { # FILE FILTER: SourceIDs in it
	tshark -r "$SCENE/$1.pcap" -Y "diameter.applicationId != 0 && $2" -T fields -e diameter.SourceID 2>/dev/null | tr ',' '\n' |
		sort -u | paste -sd' '
}

capabilities() {
	chain_run c1 --doic --count 40 --window 4 --dest-host s1.example.net --dump "$SCENE/c1.pcap"
	chain_run c2 --count 40 --window 4 --dest-host s1.example.net
	chain_run c3 --peer-reports --count 40 --window 4 --dest-host s1.example.net --dump "$SCENE/c3.pcap"
	chain_run c3 --peer-reports --count 10 --dest-host s2.example.net
	chain_mark
	is "D-182 A is told c3's name by c3" "c1 -, c2 -, c3 c3" "$(sources_of a request)"
	is "D-181 D-182 B1 is told A's" "a a" "$(sources_of b1 request)"
	is "D-181 D-182 and B2" "a a" "$(sources_of b2 request)"
	is "D-182 D-197 D is told B1's, B2's, and by N A's" "b1 b1, b2 b2, n a" "$(sources_of d request)"
	is "D-186 D-189 A is told in answers who B1 and B2 are, and N says nothing" "b1 b1, b2 b2, n -" "$(sources_of a answer)"
	is "D-189 and B1 who D is" "d d" "$(sources_of b1 answer)"
	is "D-182 S1 sees D alone" d.example.net "$(source_ids s1 'diameter.flags.request == 1 && diameter.OC-Supported-Features')"
	is "D-032 and features once in each request" 0 \
		"$(tshark -r "$SCENE/s1.pcap" -Y 'diameter.flags.request == 1 && diameter.applicationId != 0' -T fields -e diameter.OC-Supported-Features 2>/dev/null | grep -cvE '^[^,]+$')"
	is "D-186 D-189 L-16 c3 sees A alone, but for the load of S1" "a.example.net s1.example.net" "$(source_ids c3 'diameter.flags.request == 0')"
	is "D-191 L-25 c1 sees nobody" "" "$(source_ids c1 'diameter.flags.request == 0')"
	is "D-188 D-190 D-191 features of c3's hop, and of c1's" "0x11 0x1; 0x1" \
		"$(result c3 '[(.doic.answers.vectors, .doic.answers.peer_algos) | keys[]] | join(" ")'); $(result c1 '[(.doic.answers.vectors, .doic.answers.peer_algos) | keys[]] | join(" ")')"
}

host_report() {
	scene_tell s1 "report type=host,seq=7,pct=50,validity=600"
	chain_run c1 --doic --count 1 --dest-host s1.example.net
	chain_mark
	chain_run c1 --obey --rate 2000 --count 2000 --dest-host s1.example.net
	near "D-040 three agents in a row: c1 holds back half" 1000 110 "$(result c1 .throttled)"
	is "D-040 and no agent takes from the rest" "0 0 0 0" "$(refused_by_agents)"
	chain_mark
	chain_run c2 --count 1000 --window 20 --dest-host s1.example.net
	is "D-034 A does it for c2" 500 "$(code c2 5012)"
	is "D-040 Q-16 once: nobody after A does it again" "500 0 0 0" "$(refused_by_agents)"
	scene_tell s1 "report type=host,seq=8,pct=0,validity=0"
	chain_run c1 --doic --count 20 --window 2 --dest-host s1.example.net
}

hop_counts() { echo "$(chain_count a "h.text = 'b1.example.net'") $(chain_count a "h.text = 'b2.example.net'")"; }

peer_reports() {
	local b1 b2
	ctl b1 report set peer --reduction 20 --reason test
	chain_run c2 --count 20 --window 2 --dest-host s1.example.net
	chain_mark
	chain_run c2 --count 1000 --window 20 --dest-host s1.example.net
	chain_run c1 --doic --count 1000 --window 20 --dest-host s1.example.net
	read -r b1 b2 <<<"$(hop_counts)"
	near "D-236 B1 asks for 20 % less: those go by B2" 800 130 "$b1"
	is "D-236 D-244 and nobody is refused, with DOIC or without" "1000 1000 2000" "$(code c1 2001) $(code c2 2001) $((b1 + b2))"
	near "D-236 diverted" 200 40 "$(chain_count a 'd.verdict = 1')"
	is "D-213 c1 hears nothing of it" 0 "$(told c1 peer count)"
	ctl b2 report set peer --reduction 30 --reason test
	chain_run c2 --count 40 --window 2 --dest-host s1.example.net
	chain_mark
	chain_run c3 --peer-reports --count 2000 --window 20 --dest-host s1.example.net
	near "D-238 both ask for less: the sum falls by both" 1500 60 "$(code c3 2001)"
	is "D-140 D-238 and nothing moves between them" 0 "$(chain_count a 'd.verdict = 1')"
	is "D-213 D-240 c3 hears nothing of theirs" 0 "$(told c3 peer count)"
	ctl a report set peer --reduction 40 --reason test
	chain_run c3 --peer-reports --count 200 --window 20 --dest-host s1.example.net
	is "D-230 D-240 of A's it hears in every answer, refusals too" "200 40" "$(told c3 peer count) $(told c3 peer reduction_pct)"
	is "D-231 with A's name" '"a.example.net"' "$(jq .doic.answers.olr.peer.source "$SCENE/c3.json")"
	chain_run c1 --doic --count 100 --window 20 --dest-host s1.example.net
	is "D-185 c1 does not, and is abated" "0 yes" "$(told c1 peer count) $([ "$(code c1 5012)" -ge 35 ] && echo yes)"
	ctl a report end peer --reason test
	ctl b1 report end peer --reason test
	ctl b2 report end peer --reason test
	chain_run c3 --peer-reports --obey --count 60 --window 2 --dest-host s1.example.net
	# D, in the second row behind A: B1 and B2 see to it, A and the clients hear nothing; N does not count as a peer that reports.
	ctl d report set peer --reduction 50 --reason test
	chain_run c2 --count 40 --window 2 --dest-host s1.example.net
	chain_mark
	chain_run c2 --count 400 --window 20 --dest-host s1.example.net
	is "D-240 D's report is B1's and B2's business" "0 yes" \
		"$(chain_count a 'd.verdict = 2') $([ $(($(chain_count b1 'd.verdict = 2') + $(chain_count b2 'd.verdict = 2'))) -ge 195 ] && echo yes)"
	chain_mark
	chain_run c2 --count 200 --window 20 --dest-host s2.example.net
	is "D-197 D-289 A, behind N, cannot be told: D refuses itself" "0 100" "$(chain_count a 'd.verdict = 2') $(chain_count d 'd.verdict = 2')"
	ctl d report end peer --reason test
	chain_run c2 --count 40 --window 2 --dest-host s1.example.net
}

plain_server() {
	ctl a report set host s3.example.net --reduction 50 --reason test
	chain_run c1 --doic --count 1 --dest-host s3.example.net --dump "$SCENE/c1s3.pcap"
	is "D-036 A reports for S3, in S3's name, through N" "s3.example.net" \
		"$(tshark -r "$SCENE/c1s3.pcap" -Y 'diameter.flags.request == 0 && diameter.OC-OLR' -T fields -e diameter.Origin-Host 2>/dev/null)"
	chain_run c1 --obey --rate 2000 --count 1000 --dest-host s3.example.net
	near "D-036 c1 obeys" 500 80 "$(result c1 .throttled)"
	chain_run c2 --count 400 --window 20 --dest-host s3.example.net
	is "Q-18 c2 is abated by as much" 200 "$(code c2 5012)"
	chain_run c3 --peer-reports --count 20 --dest-host s3.example.net
	is "D-193 c3 gets features though S3 has none" 20 "$(result c3 .doic.answers.with_sf)"
	is "D-005 Q-34 what A wrote came to S3 through N" a.example.net "$(source_ids s3 'diameter.flags.request == 1')"
	ctl a report end host s3.example.net --reason test
	chain_run c1 --doic --count 20 --window 2 --dest-host s3.example.net
}

realm_report() {
	ctl a report set realm example.net --reduction 30 --reason test
	scene_tell s1 "report type=realm,seq=99999,pct=90,validity=600"
	chain_run c1 --doic --count 40 --window 4
	is "D-113 D-115 one realm report, A's" "40 30" "$(told c1 realm count) $(told c1 realm reduction_pct)"
	chain_run c1 --obey --rate 2000 --count 1000
	near "D-113 c1 obeys it" 300 60 "$(result c1 .throttled)"
	scene_tell s1 "report off"
	ctl a report end realm example.net --reason test
}

rates() {
	# A plain client is A's to abate: A takes a part of the rate for it.
	ctl a report set host s3.example.net --rate 600 --reason test
	chain_client c1 --obey --vector 5 --rate 500 --pattern paced --duration 3s --dest-host s3.example.net
	chain_client c2 --rate 500 --pattern paced --duration 3s --dest-host s3.example.net
	chain_run c4 --obey --vector 5 --rate 500 --pattern paced --duration 3s --dest-host s3.example.net
	scene_wait c1
	scene_wait c2
	is "R-7 R-16 600 a second are parted in three" "200 200" "$(told c1 host rate_rps) $(told c4 host rate_rps)"
	near "R-7 R-20 c1 keeps to it" 600 120 "$(code c1 2001)"
	near "R-7 R-20 c4 keeps to it" 600 120 "$(code c4 2001)"
	near "R-20 A keeps to its part" 600 120 "$(code c2 2001)"
	ctl a report end host s3.example.net --reason test
}

loads() {
	ctl a load set 11111
	ctl b1 load set 22222
	ctl b2 load set 22222
	chain_run c3 --peer-reports --count 40 --window 2 --dest-host s1.example.net
	is "L-16 L-18 c3 is told A's load alone" '{"a.example.net":11111}' "$(jq -c '.doic.answers.load.peer.by_source | map_values(.value)' "$SCENE/c3.json")"
	is "L-17 and S1's" '{"s1.example.net":33333}' "$(jq -c '.doic.answers.load.host.by_source | map_values(.value)' "$SCENE/c3.json")"
	chain_run c1 --doic --count 10 --dest-host s1.example.net
	is "L-25 c1, who may not hear of load, of none" "0 0" "$(result c1 '"\(.doic.answers.load.peer.count // 0) \(.doic.answers.load.host.count // 0)"')"
	chain_settle a
	is "L-15 A was told B1's, by B1" "b1.example.net 22222" \
		"$(chain_sql a "select n.text || ' ' || value from load l join name n on n.id = l.node where type = 'peer' and l.peer is not null and n.text like 'b1.%' order by l.rowid desc limit 1")"
	is "L-14 and none by N" 0 "$(chain_sql a "select count(*) from load l join name p on p.id = l.peer where l.type = 'peer' and p.text like 'n.%'")"
}

kill_a() {
	local before
	ctl a report set peer --reduction 10 --reason test
	chain_run c3 --peer-reports --count 10 --dest-host s1.example.net
	before=$(told c3 peer sequence)
	chain_kill a
	mkdir -p "$SCENE/a/before" && mv "$SCENE"/a/evidence/seg-* "$SCENE"/a/evidence/journal.ring* "$SCENE/a/before/"
	chain_up a
	ctl a report set peer --reduction 10 --reason test
	chain_run c3 --peer-reports --count 10 --dest-host s1.example.net
	ok "D-093 A is killed: its next number is higher: $before, then $(told c3 peer sequence)" test "$(told c3 peer sequence)" -gt "$before"
	ctl a report end peer --reason test
	chain_run c3 --peer-reports --obey --count 20 --window 2 --dest-host s1.example.net
}

kill_b1() {
	local pending by_b1 served
	scene_tell s4 "report type=host,seq=7,pct=50,validity=600"
	chain_run c1 --doic --count 1 --dest-host s4.example.net --timeout 20s --drain 20s
	chain_mark
	chain_client c2 --count 4800 --window 4800 --dest-host s4.example.net --timeout 30s --drain 30s
	sleep 2
	pending=$(chain_sql a "select count(*) from decision where id > ${MARK[a]} and next_hop is not null and id not in (select id from outcome)")
	by_b1=$(chain_sql a "select count(*) from decision d join name h on h.id = d.next_hop where d.id > ${MARK[a]} and h.text like 'b1.%' and d.id not in (select id from outcome)")
	ok "$pending requests are pending, $by_b1 of them at B1" test "$by_b1" -ge 1000
	chain_kill b1
	scene_wait c2 60
	served=$(code c2 2001)
	is "D-158 B1 is killed: those pending are served" "$pending" "$served"
	is "D-158 the others had been refused for the report" "$((4800 - pending))" "$(code c2 5012)"
	is "D-158 one decision for each" 4800 "$(chain_count a 1)"
	is "D-158 those B1 had went out twice" "$by_b1" "$(chain_count a 'o.attempts = 2')"
	is "D-158 and none of them was refused" 0 "$(chain_count a 'o.attempts > 1 and o.result_code <> 2001')"
	is "D-158 the report's draws have no hole" 0 "$(chain_sql a "select max(host_nth) - count(host_nth) from decision where host_version = (select max(host_version) from decision)")"
}

capabilities
host_report
peer_reports
plain_server
realm_report
rates
loads
kill_a
kill_b1
chain_stop
for name in a b2 d; do
	is "$name: every decision has its outcome, no gap, closed" "0 0 1" "$(chain_sql $name "select ((select count(*) from decision) - (select count(*) from outcome join decision using (id)))
		|| ' ' || (select count(*) from gap) || ' ' || (select count(*) from meta where key = 'closed_us')")"
done
scene_end
