#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Real traffic through a real relay: every request of the captures arrives unharmed, octet for octet, Route-Record and DOIC aside;
# so do the answers; tshark finds nothing malformed in what went over the wire.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

captures=${DOIC_SHARED:-../shared}/captures
if [ ! -d "$captures" ]; then
	skip captures "no folder $captures (set DOIC_SHARED)"
	scene_end
fi

scene_begin 240
lab_need tshark tshark
lab_need jq jq
scene_conf evidence.batch_max_ms=100
scene_server s1 --doic --record "$SCENE/s1.record" --dump "$SCENE/s1.pcap"
scene_server s2 --doic --record "$SCENE/s2.record" --dump "$SCENE/s2.pcap"
scene_relay
number=0 expected=0
for capture in "$captures"/*.pcap "$captures"/*.pcapng; do
	name=$(basename "$capture" | cut -c1-28)
	requests=$(tshark -r "$capture" -Y 'diameter.flags.request == 1 && diameter.applicationId != 0' -T fields -e diameter.cmd.code \
		-e diameter.applicationId 2>/dev/null | awk '{ n = split($1, c, ","); split($2, a, ","); for (i = 1; i <= n; i++) if (a[i] != 0) t++ } END { print t + 0 }')
	if [ "$requests" -eq 0 ]; then
		skip "$name" "no request of an application in it"
		continue
	fi
	number=$((number + 1))
	client=c$number
	scene_client "$client" --from-capture "$capture" --strip-dest-host --window 20 --record "$SCENE/$client.record" --dump "$SCENE/$client.pcap"
	scene_wait "$client"
	is "$name: all its $requests requests were sent" "$requests" "$(result "$client" .requests)"
	is "$name: and answered 2001" "$requests" "$(result "$client" '.by_result["2001"]')"
	expected=$((expected + requests))
done
scene_stop

# The AVPs of all requests (or answers), order of arrival aside: sent by the clients, received by the servers.
kept() { # DIRECTION REQUEST FILES...
	local dir=$1 request=$2
	shift 2
	jq -r "select(.dir == \"$dir\" and .request == $request) | .kept" "$@" | sort
}
kept tx true "$SCENE"/c*.record >"$SCENE/requests.sent"
kept rx true "$SCENE"/s?.record >"$SCENE/requests.received"
kept tx false "$SCENE"/s?.record >"$SCENE/answers.sent"
kept rx false "$SCENE"/c*.record >"$SCENE/answers.received"
is "requests in all" "$expected" "$(wc -l <"$SCENE/requests.sent")"
ok "D-037 requests arrive octet for octet" cmp -s "$SCENE/requests.sent" "$SCENE/requests.received"
ok "D-042 answers arrive octet for octet, Origin-Host too" cmp -s "$SCENE/answers.sent" "$SCENE/answers.received"
is "D-010 D-030 every request reached its server with OC-Supported-Features once" "$expected" \
	"$(tshark -r "$SCENE/s1.pcap" -Y 'diameter.flags.request == 1 && diameter.applicationId != 0' -T fields -e diameter.OC-Supported-Features 2>/dev/null |
		cat - <(tshark -r "$SCENE/s2.pcap" -Y 'diameter.flags.request == 1 && diameter.applicationId != 0' -T fields -e diameter.OC-Supported-Features 2>/dev/null) |
		tr ',' '\n' | grep -c .)"
bad=0 frames=0
for dump in "$SCENE"/*.pcap; do
	bad=$((bad + $(tshark -r "$dump" -Y '_ws.malformed || diameter.avp.invalid-data || diameter.avp.invalid-len' 2>/dev/null | wc -l)))
	frames=$((frames + $(tshark -r "$dump" -Y diameter 2>/dev/null | wc -l)))
done
is "tshark finds no malformed AVP in $frames frames" 0 "$bad"
ok "and did look at Diameter" test "$frames" -gt "$expected"
is "one decision for each request" "$expected" "$(sql 'select count(*) from decision')"
scene_complete captures
scene_end
