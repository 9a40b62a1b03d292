#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Two decoders, one meaning: what the agent's scanner reads in every message of a capture is what tshark reads, field by field. The
# captures are those of a lab run with reports of all kinds, seen by its servers, by its clients and on the loopback device, and those
# in DOIC_SHARED.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 240
lab_need tshark tshark
lab_need jq jq

# compare NAME CAPTURE [TSHARK-OPTIONS...]: the lines of both, and how many there were.
compared=0
compare() {
	local name=$1 capture=$2 count
	shift 2
	"$LAB_BUILD/bin/fields" "$capture" >"$LAB_DIR/ours"
	tshark -r "$capture" "$@" -Y diameter -T json --no-duplicate-keys -J diameter 2>/dev/null |
		jq -r -f tests/interop/fields.jq >"$LAB_DIR/theirs"
	count=$(wc -l <"$LAB_DIR/ours")
	compared=$((compared + count))
	ok "$name: $count messages, tshark found as many" test "$count" -gt 0 -a "$count" -eq "$(wc -l <"$LAB_DIR/theirs")"
	diff "$LAB_DIR/ours" "$LAB_DIR/theirs" >"$LAB_DIR/difference"
	is "$name: every field as tshark has it" "" "$(head -n 4 "$LAB_DIR/difference")"
}

# AVPs in hexadecimal: avp CODE HEX gives a whole one, vendor 0.
avp() {
	local octets=$((${#2} / 2)) pad
	pad=$(((4 - octets % 4) % 4))
	printf '%08x00%06x%s' "$1" $((8 + octets)) "$2"
	[ "$pad" -eq 0 ] || printf '00%.0s' $(seq 1 "$pad")
}
u32() { printf '%08x' "$1"; }
u64() { printf '%016x' "$1"; }
text() { printf '%s' "$1" | xxd -p | tr -d '\n'; }

host_load=$(avp 650 "$(avp 651 "$(u32 0)")$(avp 652 "$(u64 40000)")$(avp 649 "$(text S2.example.net)")")
peer_load=$(avp 650 "$(avp 652 "$(u64 65536)")$(avp 651 "$(u32 1)")")
report=$(avp 623 "$(avp 624 "$(u64 1)")$(avp 626 "$(u32 0)")")
short=$(avp 623 "$(avp 624 "$(u32 1)")$(avp 626 "$(u32 0)")")                # a sequence number of four octets
features=$(avp 621 "$(avp 648 "$(u64 4)")$(avp 649 "$(text a.example.net)")") # a second one
cx=0000026f80000010000028af00000001                                          # 623 of vendor 10415 is no report
drmp=$(avp 301 "$(u32 16)")

scene_conf evidence.batch_max_ms=100
scene_server s1 --dump "$SCENE/s1.pcap" --vector 21 --from-first --report "type=host,seq=18446744073709551615,pct=30,validity=60" \
	--report "for=1s,type=realm,seq=2,pct=101,validity=4294967295,order=swapped" --report "type=peer,seq=3,rate=500,validity=10,source=S1.Example.net" \
	--report "at=1s,type=realm,seq=9,pct=10,validity=1" --report "type=7,seq=none,extra=$(avp 65535 "$(u32 1)")"
scene_server s2 --dump "$SCENE/s2.pcap" --doic --raw-answer-avp "$host_load$peer_load$short$report$report$report$report$report$report$report$features$cx$drmp"
dumpcap -q -i lo -w "$SCENE/lo.pcapng" -f "tcp port $DRA or tcp port $S1 or tcp port $S2" >"$LAB_DIR/dumpcap.log" 2>&1 &
LAB_PID[dumpcap]=$!
sleep 0.5
scene_relay
scene_client c1 --dump "$SCENE/c1.pcap" --template mix --doic --vector 5 --drmp 3 --rate 100 --count 250 --seed 1
scene_client c2 --dump "$SCENE/c2.pcap" --template mix --sessions 10 --rate 200 --count 300 --dest-host s1.example.net --seed 2
scene_client c3 --dump "$SCENE/c3.pcap" --template gy --rate 100 --count 200 --seed 3
for client in c1 c2 c3; do
	scene_wait "$client"
done
ok "some requests were refused" test "$(result c2 '.by_result["5012"] // 0')" -gt 0
scene_stop
sleep 0.5

for dump in s1 s2 c1 c2 c3; do
	compare "$dump" "$SCENE/$dump.pcap"
done
if kill -INT "${LAB_PID[dumpcap]}" 2>/dev/null; then
	lab_reap dumpcap 50
	compare "loopback device" "$SCENE/lo.pcapng" -d "tcp.port==$DRA,diameter" -d "tcp.port==$S1,diameter" -d "tcp.port==$S2,diameter"
else
	unset "LAB_PID[dumpcap]"
	skip "loopback device" "nothing can be captured there: $(tail -n 1 "$LAB_DIR/dumpcap.log")"
fi
captures=${DOIC_SHARED:-../shared}/captures
[ -d "$captures" ] || skip "captures of others" "no folder $captures (set DOIC_SHARED)"
for capture in "$captures"/*.pcap "$captures"/*.pcapng; do
	[ -e "$capture" ] && compare "$(basename "$capture" | cut -c1-28)" "$capture"
done
ok "$compared messages were compared" test "$compared" -gt 1000
scene_end
