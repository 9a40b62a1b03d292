#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Starting the agent: a wrong document stops the daemon with file, line, key and reason; a dictionary with the same AVPs beside
# it is harmless, in either order; the samples of conf/ start.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 120

# What the daemon says when it must not start.
refused() { # NAME EXPECTED-TEXT
	local log=$LAB_DIR/refused.log code
	LAB_REALM=example.net lab_conf dra "$DRA" "doic.fdx=$SCENE/doic.yaml" --
	timeout 10 freeDiameterd -c "$LAB_DIR/dra.conf" >"$log" 2>&1
	code=$?
	ok "$1: the daemon does not start (code $code)" test "$code" -ne 0 -a "$code" -ne 124
	ok "$1: says why" grep -qF "$2" "$log"
	grep -qF "$2" "$log" || grep -a doic "$log" | head -3
}

scene_conf
echo "nonsense: 1" >>"$SCENE/doic.yaml"
refused "unknown key" "doic.yaml:7:1: nonsense: "
scene_conf evidence.batch_max_ms=60001
refused "out of range" "doic.yaml:3:17: evidence.batch_max_ms: \"60001\" is out of range (allowed: 1..60000 ms)"
scene_conf
scene_policy "mode: perhaps"
refused "bad word in the policy" "policy.yaml:1:7: mode: "
rm "$SCENE/policy.yaml"
refused "no policy" "$SCENE/policy.yaml: cannot open"
scene_conf
echo file >"$LAB_DIR/not-a-folder"
sed -i "s#folder: .*#folder: $LAB_DIR/not-a-folder#" "$SCENE/doic.yaml"
refused "evidence folder is a file" "not-a-folder"

runs() { # NAME EXTENSIONS-BEFORE -- EXTENSIONS-AFTER: a relay that answers a client
	local name=$1
	shift
	rm -f "$LAB_DIR"/*.control
	scene_server s1 --doic
	scene_server s2 --doic
	LAB_REALM=example.net LAB_ACL="*.visited.example" lab_relay dra "$DRA" "$@" -- "s1.example.net:$S1" "s2.example.net:$S2"
	lab_open dra s1.example.net s2.example.net
	scene_client c1 --doic --count 200 --window 20
	scene_wait c1
	is "$name" 200 "$(result c1 '.by_result["2001"]')"
	scene_stop
}

scene_conf
agent="doic.fdx=$SCENE/doic.yaml"
runs "dict_doic before the agent" dict_doic.fdx "$agent"
runs "dict_doic after the agent" "$agent" dict_doic.fdx
runs "3GPP dictionaries and dict_doic" dict_nasreq.fdx dict_dcca.fdx dict_dcca_3gpp.fdx "$agent" dict_doic.fdx
# A client that has all its answers says goodbye (DPR) and leaves: open, then closed, in the log and in the evidence.
ok "a clean disconnect is logged" grep -q 'doic: peer=c1.visited.example closed reason=the peer disconnected (DPR)' "$LAB_DIR/dra.log"
is "a clean disconnect is a row, once" "1 0 1 0 1 0" "$(for f in "$SCENE"/evidence/seg-*.db; do sqlite3 "$f" "select p.up from peer p join name n on n.id = p.peer where n.text = 'c1.visited.example' order by p.mono_ns"; done | xargs)"
is "every run left a closed segment" 3 "$(for f in "$SCENE"/evidence/seg-*.db; do sqlite3 "$f" "select count(*) from meta where key = 'closed_us'"; done | grep -c 1)"

cp conf/doic.yaml conf/policy.yaml "$SCENE/"
sed -i "s#folder: .*#folder: $SCENE/new/evidence#" "$SCENE/doic.yaml"
runs "Q-6 the samples of conf/" "$agent"
is "the evidence folder and those above it are made" 1 "$(ls "$SCENE"/new/evidence/seg-*.db | wc -l)"
scene_end
