#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Rules that only the wire can show: OC-Supported-Features in every answer that owes it and in no other, whoever made the answer; what a
# refusal looks like; the realm report; nothing in the base protocol; a report made by a server behind a relay without DOIC.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 200
lab_need tshark tshark
lab_need text2pcap wireshark-common
app="diameter.applicationId != 0"
answers="diameter.flags.request == 0 && $app"
requests="diameter.flags.request == 1 && $app"
doic="diameter.OC-Supported-Features || diameter.OC-OLR || diameter.OC-Feature-Vector || diameter.OC-Peer-Algo || diameter.SourceID"
frames() { # CAPTURE FILTER: how many messages fit (messages, not packets: the captures hold one per packet)
	tshark -r "$SCENE/$1.pcap" -Y "$2" 2>/dev/null | wc -l
}
field() { # CAPTURE FILTER FIELD...: different values
	local capture=$1 filter=$2 name args=()
	shift 2
	for name in "$@"; do args+=(-e "$name"); done
	tshark -r "$SCENE/$capture.pcap" -Y "$filter" -T fields "${args[@]}" 2>/dev/null | sort -u
}

scene_conf evidence.batch_max_ms=50 relay.deadline_ms=700
scene_server s1 --doic --report "type=realm,seq=1,pct=100,validity=600" --dump "$SCENE/s1.pcap"
scene_server s2 --doic --dump "$SCENE/s2.pcap"
scene_relay

scene_client c2 --count 50 --window 1 --dest-host s1.example.net --dump "$SCENE/c2.pcap"
scene_wait c2
is "D-123 a realm report of 100 % leaves requests with Destination-Host alone" 50 "$(result c2 '.by_result["2001"]')"
is "D-022 a plain client's answers carry nothing of DOIC" 0 "$(frames c2 "$answers && ($doic)")"
scene_client c3 --count 200 --window 1 --dump "$SCENE/c3.pcap"
scene_wait c3
is "D-125 D-122 requests without one are refused before a server is chosen" 200 "$(result c3 '.by_result["5012"]')"
is "D-022 D-168 neither do refusals" 0 "$(frames c3 "$answers && ($doic)")"
is "D-169 the agent is their Origin-Host, so no Error-Reporting-Host is needed" "dra.example.net example.net " \
	"$(field c3 "$answers" diameter.Origin-Host diameter.Origin-Realm diameter.Error-Reporting-Host | tr '\t' ' ')"
ok "D-144 they come at once: half within $(result c3 '.latency_us.p50 | floor') us" test "$(result c3 '.latency_us.p50 | floor')" -lt 10000
pairs() { field c3 "$1" diameter.Session-Id diameter.hopbyhopid diameter.endtoendid diameter.cmd.code diameter.applicationId; }
is "D-141 their Session-Id and identifiers are those of the requests" "$(pairs "$requests")" "$(pairs "$answers")"
scene_client c1 --doic --count 50 --window 5 --dump "$SCENE/c1.pcap"
scene_wait c1
is "D-122 a DOIC client that hears the report sees to realm-routed requests itself" 50 "$(result c1 '.by_result["2001"]')"

# Vectors with the rate bit: ours instead of an untrusted client's, narrowed where the agent may have to react, else as sent.
scene_client c3 --doic --vector 5 --count 20 --dest-host s1.example.net
scene_wait c3
scene_client c1 --doic --vector 5 --count 20
scene_wait c1
scene_client c1 --doic --vector 5 --count 20 --dest-host s2.example.net
scene_wait c1

# One request that came through a proxy, with two Proxy-Info; a refusal brings both back in order.
avp() { printf '%08x40%06x%s%s' "$1" $((${#2} / 2 + 8)) "$2" "$(head -c $(((8 - ${#2} % 8) % 8)) /dev/zero | tr '\0' 0)"; }
text() { printf '%s' "$1" | xxd -p | tr -d '\n'; }
proxy() { avp 284 "$(avp 280 "$(text "$1.visited.example")")$(avp 33 "$2")"; }
body=$(avp 263 "$(text 'p.visited.example;1;2')")$(avp 264 "$(text p.visited.example)")$(avp 296 "$(text visited.example)")
body+=$(avp 283 "$(text example.net)")$(avp 258 01000016)$(avp 416 00000001)$(avp 415 00000000)$(proxy p1 0a0b)$(proxy p2 0c)
message=$(printf '01%06xc000011001000016%08x%08x' $((${#body} / 2 + 20)) 7 9)$body
echo "$message" | xxd -r -p | od -Ax -tx1 -v | text2pcap -q -T 50000,3868 - "$SCENE/proxied.pcap" 2>/dev/null
scene_client c4 --from-capture "$SCENE/proxied.pcap" --count 1 --dump "$SCENE/c4.pcap"
scene_wait c4
is "D-141 a refusal brings Proxy-Info back" "5012 p1.visited.example,p2.visited.example 0a0b,0c" \
	"$(field c4 "$answers" diameter.Result-Code diameter.Proxy-Host diameter.Proxy-State | tr -d ':' | tr '\t' ' ')"

# Errors this node makes for other reasons: before routing, at the deadline, without a server.
scene_client c1 --doic --count 10 --dest-host dra.example.net
scene_wait c1
is "D-021 requests to the relay itself: 3007 from the daemon, with OC-Supported-Features" "10 10" "$(result c1 '"\(.by_result["3007"]) \(.doic.answers_with_sf)"')"
scene_client c2 --count 10 --dest-host dra.example.net
scene_wait c2
is "D-022 for a plain client without" "10 0" "$(result c2 '"\(.by_result["3007"]) \(.doic.answers_with_sf)"')"
is "and they are in the trail" 20 "$(sleep 0.3; sql 'select count(*) from outcome where result_code = 3007 and maker = 3')"
scene_tell s2 "mute for=30s"
sleep 0.2
scene_client c1 --doic --count 10 --dest-host s2.example.net --dump "$SCENE/c1late.pcap"
scene_wait c1
is "D-021 D-168 at the deadline: 3002 with OC-Supported-Features" "10 10" "$(result c1 '"\(.by_result["3002"]) \(.doic.answers_with_sf)"')"
is "D-023 D-027 which names the loss algorithm, and no feature" 1 "$(field c1late "$answers" diameter.OC-Feature-Vector)"
scene_client c3 --doic --count 10 --dest-host s2.example.net
scene_wait c3
is "D-284 but not for a client whose DOIC AVPs do not count" "10 0" "$(result c3 '"\(.by_result["3002"]) \(.doic.answers_with_sf)"')"
lab_stop s1
lab_stop s2
sleep 0.5
scene_client c1 --doic --count 10
scene_wait c1
is "D-021 without a server: 3002 with OC-Supported-Features" "10 10" "$(result c1 '"\(.by_result["3002"]) \(.doic.answers_with_sf)"')"
scene_client c2 --count 10 --dest-host s1.example.net
scene_wait c2
is "D-022 for a plain client nothing" "10 0" "$(result c2 '"\(.by_result["3002"]) \(.doic.answers_with_sf)"')"
scene_stop
is "D-007 no DOIC AVP in the base protocol" 0 "$(frames s1 "diameter.applicationId == 0 && ($doic)")"
ok "D-007 which was looked at" test "$(frames s1 "diameter.applicationId == 0")" -ge 2
is "D-010 D-032 one OC-Supported-Features in each request, the client's or the agent's" "$(frames s1 "$requests") 1" \
	"$(frames s1 "$requests && diameter.OC-Supported-Features") $(tshark -r "$SCENE/s1.pcap" -Y "$requests" -T fields -e diameter.OC-Supported-Features 2>/dev/null | awk -F, '{ print NF }' | sort -u)"
is "D-039 algorithm bits of a client that reacts itself arrive as sent" "20 1" \
	"$(frames s2 "$requests && diameter.OC-Feature-Vector == 21 && diameter.Origin-Host contains \"c1\" && diameter.Destination-Host") $(tshark -r "$SCENE/s2.pcap" -Y "$requests" -T fields -e diameter.OC-Supported-Features 2>/dev/null | awk -F, '{ print NF }' | sort -u)"
is "D-011 D-012 D-038 D-180 R-2 R-3 whose vector is what the client can do, and peer reports; for plain clients rate too" "17 21" \
	"$(echo "$(field s1 "$requests" diameter.OC-Feature-Vector)" | tr '\n' ' ' | sed 's/ $//')"
is "D-181 D-182 and whose SourceID is the relay's" dra.example.net "$(field s1 "$requests" diameter.SourceID)"
scene_complete rows

# A report takes effect between two requests of one connection.
rm -rf "$LAB_DIR"/*.control "$SCENE"/evidence
mkdir -p "$SCENE/evidence/counters"
scene_server s1 --doic --report "type=host,seq=7,pct=100,validity=600"
scene_server s2 --doic
scene_relay
scene_client c2 --count 20 --window 1 --dest-host s1.example.net
scene_wait c2
is "D-120 D-135 Q-14 the answer that brings a report of 100 % is the last one" "1 19" "$(result c2 '"\(.by_result["2001"]) \(.by_result["5012"])"')"
scene_client c3 --count 200 --window 10
scene_wait c3
is "D-137 requests without Destination-Host go to the other server" "200" "$(result c3 '.by_answering_host["s2.example.net"].answers')"
lab_stop s2
sleep 0.3
scene_client c3 --count 20
scene_wait c3
is "D-138 and are refused when there is none" 20 "$(result c3 '.by_result["5012"]')"
lab_stop dra
lab_stop s1

# s1 behind a relay that does not know DOIC: its report comes through and is obeyed, if the relay is trusted to pass it on.
rm -rf "$LAB_DIR"/*.control "$SCENE"/evidence
mkdir -p "$SCENE/evidence/counters"
lab_port N
scene_policy "trust: { peers: [{ peer: n.example.net, send_reports: true, relay_reports: true, realms: [example.net] }] }"
scene_server s1 --doic --report "type=host,seq=7,pct=50,validity=600"
echo '* : rlm=["."] += 1;' >"$LAB_DIR/rt_default.conf"
LAB_REALM=example.net LAB_ACL="*.visited.example *.example.net" lab_relay n "$N" -- "s1.example.net:$S1"
lab_open n s1.example.net
LAB_REALM=example.net LAB_ACL="*.visited.example" lab_relay dra "$DRA" "doic.fdx=$SCENE/doic.yaml" -- "n.example.net:$N"
lab_open dra n.example.net
scene_client c9 --count 1 --dest-host s1.example.net
scene_wait c9
scene_client c2 --count 200 --window 10 --dest-host s1.example.net
scene_wait c2
is "D-005 D-056 Q-16 Q-34 a server's report through a plain relay is obeyed for that server" "100 100" "$(result c2 '"\(.by_result["2001"]) \(.by_result["5012"])"')"
lab_stop dra
lab_stop n
lab_stop s1
is "D-056 the state is the server's, the peer was the relay" "s1.example.net n.example.net" \
	"$(sql "select s.text || ' ' || p.text from report r join name s on s.id = r.subject join name p on p.id = r.peer limit 1")"
scene_complete relayed

# Another plan of priorities on each side: what comes from there is mapped, in requests and in answers.
rm -rf "$LAB_DIR"/*.control "$SCENE"/evidence
mkdir -p "$SCENE/evidence/counters"
map="drmp: own, drmp_map: [9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 10, 11, 12, 13, 14, 15]"
scene_policy "trust: { peers: [{ peer: s1.example.net, $map }, { peer: c1.visited.example, $map }] }"
scene_server s1 --raw-answer-avp "$(avp 301 00000002)" --dump "$SCENE/s1map.pcap"
scene_server s2
scene_relay
scene_client c1 --count 5 --drmp 3 --dest-host s1.example.net --dump "$SCENE/c1map.pcap"
scene_wait c1
scene_client c2 --count 5 --dest-host s2.example.net --dump "$SCENE/c2map.pcap"
scene_wait c2
scene_stop
is "P-20 DRMP of requests is mapped" 9 "$(field s1map "$requests" diameter.DRMP)"
is "P-20 so is that of answers" 9 "$(field c1map "$answers" diameter.DRMP)"
is "P-7 P-15 and none is made up" "" "$(field c2map "$answers" diameter.DRMP)"
scene_complete mapped
scene_end
