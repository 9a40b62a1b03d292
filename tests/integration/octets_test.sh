#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Octets that are no Diameter, from anybody who can reach the relay's port: the relay stays up, its clients are served, and every request
# still has one decision and one outcome.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 90
scene_conf evidence.batch_max_ms=50
scene_server s1 --doic
scene_server s2 --doic
scene_relay
scene_client c1 --count 2500 --rate 250 --seed 1

# Sends octets written as printf takes them, and hangs up.
throw() {
	(
		exec 3<>"/dev/tcp/127.0.0.1/$DRA" || exit 1
		# shellcheck disable=SC2059 # the octets are the format
		printf "$1" >&3
		read -r -t 0.2 -N 1 <&3
		exit 0
	) 2>/dev/null
}

# A first word that gives the message 0 octets made the host write over the list our own data hang on.
for first in '\x01\0\0\0' '\x01\0\0\x01' '\x01\0\0\x04' '\x01\0\0\x13' '\x01\0\0\x14' '\x01\xff\xff\xff' '\x02\0\0\x14' '\0\0\0\0'; do
	throw "$first"
	throw "$first\\x80\\0\\x01\\x01\\0\\0\\0\\0\\0\\0\\0\\x01\\0\\0\\0\\x01"
done
# A CER cut off at many places, with an AVP length of 0, of 7 and beyond the end.
throw '\x01\0\0\x1c\x80\0\x01\x01\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\x01\x08\x40\0\0\0'
throw '\x01\0\0\x1c\x80\0\x01\x01\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\x02\x6d\x40\0\0\x07'
throw '\x01\0\0\x1c\x80\0\x01\x01\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\x02\x6f\x40\xff\xff\xff'
throw '\x01\0\0\x1c\x80\0\x01\x01'
for _ in 1 2 3 4 5 6 7 8; do
	head -c 3000 /dev/urandom >"/dev/tcp/127.0.0.1/$DRA"
done 2>/dev/null
# A peer that asks for what the daemon refuses at once, by itself, and hangs up: its error answers find no connection.
u24() { printf '\\x%02x\\x%02x\\x%02x' $(($1 >> 16 & 255)) $(($1 >> 8 & 255)) $(($1 & 255)); }
u32() { printf '\\x%02x%s' $(($1 >> 24 & 255)) "$(u24 "$1")"; }
avp() { # CODE OCTETS VALUE-AS-PRINTF-TAKES-IT
	local pad=$((-$2 & 3))
	printf '%s\\x40%s%s' "$(u32 "$1")" "$(u24 $((8 + $2)))" "$3"
	[ "$pad" -eq 0 ] || printf '\\0%.0s' $(seq 1 "$pad")
}
text() { avp "$1" ${#2} "$2"; }
message() { # FLAGS COMMAND APPLICATION AVPS; its length is what printf makes of it
	# shellcheck disable=SC2059 # the octets are the format
	printf '\\x01%s\\x%s%s%s%s%s%s' "$(u24 $((20 + $(printf "$4" | wc -c))))" "$1" "$(u24 "$2")" "$(u32 "$3")" "$(u32 7)" "$(u32 9)" "$4"
}
gx=16777238
for round in $(seq 1 20); do
	origin="$(text 264 "x$round.visited.example")$(text 296 visited.example)"
	hello=$(message 80 257 0 "$origin$(avp 257 6 '\0\x01\x7f\0\0\x01')$(avp 266 4 "$(u32 0)")$(text 269 test)$(avp 258 4 "$(u32 $gx)")")
	request=$(message c0 272 $gx "$(text 263 "s;$round")$origin") # without Destination-Realm
	exec {peer}<>"/dev/tcp/127.0.0.1/$DRA" || lab_fail "the relay takes nobody in any more."
	# shellcheck disable=SC2059
	printf "$hello" >&"$peer"
	head -c 20 <&"$peer" | wc -c >>"$LAB_DIR/greeted"
	# shellcheck disable=SC2059
	printf "$request%.0s" $(seq 1 200) >&"$peer"
	exec {peer}>&-
done
is "twenty peers were taken in and hung up" 20 "$(grep -cx 20 "$LAB_DIR/greeted")"
sleep 0.5
ok "the daemon has not given up" test "$(grep -c 'unrecoverable error' "$LAB_DIR/dra.log")" -eq 0
ok "the relay is still there" kill -0 "${LAB_PID[dra]}"
scene_client c2 --count 100 --window 10 --dest-host dra.example.net --seed 2
scene_wait c2
is "requests to the relay itself are answered by the daemon" 100 "$(result c2 '.by_result["3007"]')"
scene_wait c1
is "its client was served all the time" 2500 "$(result c1 '.by_result["2001"]')"
scene_stop
from="from decision join name on name.id = client where text"
is "decisions on the client's requests" 2500 "$(sql "select count(*) $from = 'c1.visited.example'")"
is "decisions on requests that ended here" 100 "$(sql "select count(*) $from = 'c2.visited.example' and why = 4")"
is "decisions on the requests of those who hung up" 0 "$(sql "select count(*) $from like 'x%' and why <> 4")"
ok "and the audit finds that the counters agree" test \
	"$("$LAB_BUILD/bin/doic" audit --json "$SCENE/evidence" | jq '[.counters[] | select(.agree | not)] | length')" = 0
scene_complete octets
scene_end
