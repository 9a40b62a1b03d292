#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The audit of a run agrees, to the request, with what tshark counts in a capture of the same run: who sent how much, what was
# refused under which report, what arrived where, how all of it was answered.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 120
lab_need tshark tshark
lab_need jq jq

# Sniffs the loopback interface where that is allowed. SNIFFED is empty where it is not: the parties' own dumps are counted then.
sniff() {
	SNIFFED=$LAB_DIR/lo.pcapng
	lab_start dumpcap dumpcap -q -i lo -B 64 -f "tcp port $DRA or tcp port $S1 or tcp port $S2" -w "$SNIFFED"
	local i
	for ((i = 0; i < 50; i++)); do
		lab_said dumpcap '^File:' && return
		kill -0 "${LAB_PID[dumpcap]}" 2>/dev/null || break
		sleep 0.1
	done
	lab_reap dumpcap 0
	SNIFFED=
	skip "capture of the loopback interface" "this user may not; the dumps of doic-traffic are counted instead"
}

# counts FILE PORT: "NAME request N" and "NAME CODE N" for connections to PORT, NAME the connecting side; no base protocol.
# A frame may hold several messages: one flag and one Application-ID each, one Result-Code for each answer.
counts() {
	tshark -r "$1" -d "tcp.port==$2,diameter" -Y "diameter && tcp.port == $2" -T fields -e tcp.stream -e tcp.dstport \
		-e diameter.flags.request -e diameter.applicationId -e diameter.Result-Code -e diameter.Origin-Host 2>/dev/null |
		awk -F '\t' -v port="$2" '{
			n = split($3, request, ","); split($4, app, ","); split($5, code, ",")
			if ($2 == port && !($1 in name)) { split($6, host, ","); name[$1] = host[1] }
			k = 0
			for (i = 1; i <= n; i++) {
				is_request = request[i] == "1" || request[i] == "True"
				if (!is_request) k++
				if (app[i] != 0 && is_request == ($2 == port)) all[name[$1] " " (is_request ? "request" : code[k])]++
			}
		}
		END { for (key in all) print key, all[key] }'
}

# Every party's counts, as "PARTY request|CODE N".
count_all() {
	local name
	for name in s1 s2; do
		counts "${SNIFFED:-$SCENE/$name.pcap}" "$([ -n "$SNIFFED" ] && echo "$S1 $S2" | cut -d ' ' -f "${name#s}" || echo 3868)" |
			sed "s/^[^ ]*/$name.example.net/"
	done
	if [ -n "$SNIFFED" ]; then
		counts "$SNIFFED" "$DRA"
	else
		for name in c1 c2 c3; do counts "$SCENE/$name.pcap" 3868; done
	fi
}

seen() { # PARTY request|CODE|answers: tshark's count
	awk -v who="$1" -v what="$2" '$1 == who && ($2 == what || what == "answers" && $2 != "request") { n += $3 } END { print n + 0 }' "$LAB_DIR/seen"
}

audited() { # FILTER of the audit's JSON
	jq -r "$1" "$LAB_DIR/audit.json"
}

party() { # NAME KEY of its counters
	audited "[.counters[] | select(.node == \"$1\") | .$2] | add"
}

# All a claim selected: under its report and on the way back.
selected() { # TYPE
	audited "[.claims[] | select(.report_type == \"$1\") | (.steps[] | select(.step == \"selected\") | .selected), .recovery.selected] | add"
}

# s1 asks for 30 % less; only c2 sends to it then. Later it asks for half of what names no server: c3's.
scene_conf evidence.batch_max_ms=100
scene_server s1 --doic --from-first --dump "$SCENE/s1.pcap" --report "at=1s,for=3s,type=host,seq=1,pct=30,validity=3" \
	--report "at=8s,for=2s,type=realm,seq=1,pct=50,validity=2"
scene_server s2 --doic --dump "$SCENE/s2.pcap"
sniff
scene_relay
scene_client c1 --duration 13s --doic --rate 300 --dest-host s2.example.net --seed 1 --dump "$SCENE/c1.pcap"
scene_client c2 --duration 13s --rate 500 --dest-host s1.example.net --seed 2 --dump "$SCENE/c2.pcap"
sleep 7.9
scene_client c3 --duration 5500ms --rate 500 --seed 3 --dump "$SCENE/c3.pcap"
for client in c1 c2 c3; do scene_wait "$client"; done
scene_stop
if [ -n "$SNIFFED" ]; then
	lab_stop dumpcap
	is "the capture is whole" 1 "$(grep -c 'received/dropped.*/0 (pcap:0/dumpcap:0/' "$LAB_DIR/dumpcap.log")"
fi
count_all >"$LAB_DIR/seen"
timeout 60 "$LAB_BUILD/bin/doic" audit --json "$SCENE/evidence" >"$LAB_DIR/audit.json"
ok "the audit holds (exit $(audited .exit))" test "$(audited .exit)" -eq 0

for client in c1 c2 c3; do
	name=$client.visited.example
	is "$client: requests it sent" "$(seen $name request)" "$(party $name seen_by_node)"
	is "$client: answers it got" "$(seen $name answers)" "$(party $name answers_in_evidence)"
done
for server in s1 s2; do
	name=$server.example.net
	is "$server: requests that arrived" "$(seen $name request)" "$(party $name forwarded)"
	is "$server: answers it sent" "$(seen $name 2001)" "$(party $name answers_in_evidence)"
done
refused=$(($(seen c2.visited.example answers) - $(seen c2.visited.example 2001)))
ok "some of c2's requests were refused ($refused)" test "$refused" -gt 100
is "as many as the host report selected, diverted ones aside" "$refused" $(($(selected host) - $(audited .population.diverted)))
is "and are refused by host in the population" "$refused" "$(audited .population.refused_host)"
refused=$(($(seen c3.visited.example answers) - $(seen c3.visited.example 2001)))
ok "some of c3's requests were refused ($refused)" test "$refused" -gt 100
is "as many as the realm report selected" "$refused" "$(selected realm)"
is "and are refused by realm in the population" "$refused" "$(audited .population.refused_realm)"
is "a client that reacts itself was refused nothing" "$(seen c1.visited.example request)" "$(seen c1.visited.example 2001)"
is "candidates are what all clients sent" "$(awk '$2 == "request" && /visited/ { n += $3 } END { print n }' "$LAB_DIR/seen")" \
	"$(audited .population.candidates)"
is "what was neither refused nor sent elsewhere arrived" "$(awk '$2 == "request" && /example.net/ { n += $3 } END { print n }' "$LAB_DIR/seen")" \
	"$(audited '.population | .candidates - .refused')"
is "refusals by Result-Code" "$(awk '/visited/ && $2 != "request" && $2 != 2001 { n[$2] += $3 } END { for (c in n) print c, n[c] }' "$LAB_DIR/seen" | sort | paste -sd ' ')" \
	"$(sql "select group_concat(result_code || ' ' || n, ' ') from (select result_code, count(*) n from v_decision where verdict = 'refused' group by 1 order by 1)")"
scene_complete "counted"
scene_end
