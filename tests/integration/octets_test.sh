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
scene_client c1 --count 1500 --rate 300 --seed 1

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
ok "the relay is still there" kill -0 "${LAB_PID[dra]}"
scene_wait c1
is "its client was served all the time" 1500 "$(result c1 '.by_result["2001"]')"
scene_stop
is "decisions" 1500 "$(sql 'select count(*) from decision')"
scene_complete octets
scene_end
