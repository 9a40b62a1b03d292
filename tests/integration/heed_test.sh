#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Whether senders do as they are told, over a real relay: what is said while the report is in force, and what the audit of the same traffic says
# afterwards.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 90
doic=$LAB_BUILD/bin/doic
http=$LAB_DIR/http.sock
scene_conf http.bind='""' http.socket="$http" evidence.batch_max_ms=50
for name in obeys goes names; do
	printf '\n    - peer: %s.visited.example\n      receive_reports: true\n' $name >>"$SCENE/policy.yaml"
done
scene_server s1 --doic --from-first --report "at=12s,for=15s,type=host,seq=1,pct=30,validity=15"
scene_server s2 --doic
scene_relay
scene_client obeys --duration 32s --obey --rate 200 --dest-host s1.example.net --seed 1
scene_client goes --duration 32s --doic --rate 200 --dest-host s1.example.net --seed 2
scene_client plain --duration 32s --rate 200 --dest-host s1.example.net --seed 3
scene_client names --duration 32s --doic --rate 50 --seed 4
sleep 24
# NAME: what is said of it now.
live() { jq -r --arg name "$1.visited.example" '.senders[] | select(.sender == $name) | .heeding' "$LAB_DIR/senders.json"; }
audited() { jq -r --arg name "$1.visited.example" '[.claims[].effect.origins[] | select(.origin == $name)][0].obedience' "$LAB_DIR/audit.json"; }
curl -s --unix-socket "$http" http://localhost/api/v1/senders >"$LAB_DIR/senders.json"
"$doic" ctl --socket "$http" status >"$LAB_DIR/status" 2>&1
for name in obeys goes plain names; do
	scene_wait "$name"
done
scene_stop
"$doic" audit "$SCENE/evidence" --json >"$LAB_DIR/audit.json" 2>"$LAB_DIR/audit.err"
is "who holds back obeyed, live and in the audit" "obeyed obeyed" "$(live obeys) $(audited obeys)"
is "who was told and goes on went on, likewise" "went_on went_on" "$(live goes) $(audited goes)"
is "for who announces nothing this node held back" "held_here held_here" "$(live plain) $(audited plain)"
is "who names no host was not addressed" "not_addressed not_addressed" "$(live names) $(audited names)"
ok "the sentence names who goes on" bash -c "tr '\n' ' ' <'$LAB_DIR/status' | grep -qE 'goes.visited.example was told to send less to s1.example.net and goes on: [0-9]+/s where [0-9]+/s would obey.'"
scene_end
