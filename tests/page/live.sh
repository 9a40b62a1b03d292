#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The page against a real relay with the agent, real servers and clients: live.mjs tells the story, then the same folder is shown by
# doic serve. Pictures of all screens go to build/page.
# usage: tests/page/live.sh [FIGURES.json [COMMIT]]
set -u
out=${1:+$(realpath -m "$1")} commit=${2:-}
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 1500
tokens=$LAB_DIR/tokens
export LIVE_DOIC=$LAB_BUILD/bin/doic LIVE_FOLDER=$SCENE/evidence LIVE_HTTP=$LAB_DIR/http.sock LIVE_CONTROL=$LAB_DIR/s1.control \
	LIVE_DUMP=$LAB_DIR/s1.pcap LIVE_RECORD=$LAB_DIR/c2.jsonl LIVE_SHOTS=$PWD/build/page LIVE_GO=$LAB_DIR/go LIVE_POLICY=$SCENE/policy.yaml
scene_conf control.socket="$LAB_DIR/ctl.sock" http.bind=127.0.0.1:0 http.socket="$LIVE_HTTP" http.tokens="$tokens" http.label=LAB \
	evidence.batch_max_ms=50 evidence.checkpoint_s=2 evidence.segment_max_s=60
LIVE_ADMIN=$("$LIVE_DOIC" token ops administrator --tokens "$tokens")
LIVE_EYES=$("$LIVE_DOIC" token eyes observer --tokens "$tokens")
export LIVE_ADMIN LIVE_EYES

# story PART: node runs its tests; what they count goes into the closing line.
story() {
	local said=$LAB_DIR/story.$1
	node tests/page/live.mjs "$1" ${out:+"$out"} ${commit:+"$commit"} 2>&1 | tee "$said" | grep --line-buffered -vE '^[0-9]+ passed, '
	read -r passed failed < <(awk '/^[0-9]+ passed, / { print $1, $3 }' "$said")
	PASSED=$((PASSED + ${passed:-0})) FAILED=$((FAILED + ${failed:-1}))
}

scene_relay_alone() {
	LAB_REALM=example.net LAB_ACL="*.visited.example" lab_relay dra "$DRA" "doic.fdx=$SCENE/doic.yaml" -- "s1.example.net:$S1" "s2.example.net:$S2"
	LIVE_URL=http://127.0.0.1:$(grep -ao 'dashboard and API at .*, port [0-9]*' "$LAB_DIR/dra.log" | grep -o '[0-9]*$' | head -n 1)
	export LIVE_URL LIVE_PID=${LAB_PID[dra]}
}

scene_relay_alone
story empty
scene_server s1 --doic --service-time-ms 4 --exponential --load 9020 --dump "$LIVE_DUMP"
scene_server s2 --doic --service-time-ms 3 --exponential
lab_open dra s1.example.net s2.example.net
scene_client c1 --doic --duration 1200s --rate 150 --sessions 200 --updates 3 --seed 1
scene_client c2 --duration 1200s --rate 250 --sessions 300 --updates 3 --dest-host learn --seed 2 --record "$LIVE_RECORD"
story running
for name in c1 c2; do
	kill -TERM "${LAB_PID[$name]}"
	lab_reap "$name" 50
done
scene_stop
ok "the evidence of all this is intact" "$LIVE_DOIC" verify "$LIVE_FOLDER" --accept-unwitnessed -q
lab_start serve "$LIVE_DOIC" serve "$LIVE_FOLDER" --bind 127.0.0.1:0 --json
lab_wait serve 20 grep -q http "$LAB_DIR/serve.log"
LIVE_URL=$(grep -o 'http://[0-9.:]*' "$LAB_DIR/serve.log" | head -n 1)
story finished
scene_end
