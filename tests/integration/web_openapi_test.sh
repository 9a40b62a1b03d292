#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Every operation of web/openapi.yaml, called with valid, invalid and hostile input: at the server of a real relay that obeys a report, and at doic serve
# of the finished folder; beside them every reply the unit tests of the web server get. Each reply is one the document describes (status, media type,
# JSON), each operation gives a good one. DOIC_BUILD=build/asan runs unit tests and doic serve under the sanitizers; the relay is then that of build/release.
set -u
cd "$(dirname "$0")/../.." || exit 1
programs=$(realpath "${DOIC_BUILD:-build/release}")
if grep -q "^DOIC_SANITIZE:[A-Z]*=..*" "$programs/CMakeCache.txt" 2>/dev/null; then DOIC_BUILD=build/release; fi
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

# The system's own, when another one that has not the modules comes first.
python=python3
export PYTHONDONTWRITEBYTECODE=1
$python -c 'import jsonschema, prometheus_client, yaml' 2>/dev/null || python=/usr/bin/python3

scene_begin 600
doic=$programs/bin/doic
replies=$LAB_DIR/replies
if ! DOIC_WEB_DUMP=$replies timeout 200 "$programs"/bin/unit-web but oweb_events oweb_many oweb_rows >"$LAB_DIR/unit.log" 2>&1; then
	grep -A2 FAILED "$LAB_DIR/unit.log" | head -20
	ok "the unit tests run" false
fi

"$doic" token ops administrator --tokens "$LAB_DIR/tokens" >"$LAB_DIR/ops.token" || lab_fail "no token could be made."
scene_conf http.bind=127.0.0.1:0 http.socket='""' http.tokens="$LAB_DIR/tokens" evidence.batch_max_ms=50 evidence.checkpoint_s=1
scene_server s1 --from-first --report "at=0s,for=500s,type=host,seq=7,pct=30,validity=500"
scene_server s2 --doic
scene_relay
scene_client c1 --doic --rate 400 --count 1200 --sessions 20 --template gx --dump "$LAB_DIR/c1.pcap"
scene_wait c1
sleep 2
port=$(grep -ao 'dashboard and API at .*, port [0-9]*' "$LAB_DIR/dra.log" | grep -o '[0-9]*$' | head -1)
session_id=$(grep -aoE 'c1\.visited\.example;[0-9A-Za-z;._-]+' "$LAB_DIR/c1.pcap" | head -1)
ask() { timeout 400 "$python" tests/integration/web_openapi_ask.py web/openapi.yaml "$@"; }
ok "the relay's server is asked" ask "127.0.0.1:$port" "$replies" "$LAB_DIR/ops.token" "$session_id" conf/lab/policy.yaml
lab_alive dra
scene_stop
lab_start serve "$doic" serve "$SCENE/evidence" --socket "$LAB_DIR/serve.sock"
lab_wait serve 20 grep -q '^http://127.0.0.1:[0-9]*/$' "$LAB_DIR/serve.log"
ok "doic serve is asked" ask "$LAB_DIR/serve.sock" "$replies"
lab_stop serve
ok "nothing went wrong in it" bash -c "! grep -aE 'ERROR: AddressSanitizer|runtime error|LeakSanitizer' $LAB_DIR/serve.log $LAB_DIR/unit.log"
ok "replies are as described, and none is missing" "$python" tests/integration/web_openapi.py web/openapi.yaml "$replies"
[ -z "${LAB_KEEP:-}" ] || echo "replies: $replies"
scene_end
