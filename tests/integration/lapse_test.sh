#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# A relay that is killed while a report is valid, and one that is stopped: what the next life lets pass is no state that was held.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

client() { # NAME
	scene_client "$1" --sessions 20 --updates 4 --dest-host s1.example.net --rate 300 --duration 3s --seed 1
}

audit() { # OPTIONS...
	"$LAB_BUILD/bin/doic" audit "$@" "$SCENE/evidence"
}

scene_begin 120
lab_need jq jq
scene_conf evidence.batch_max_ms=50
# the report stands in answers of the first second alone: after that no answer brings it, which changes nothing
scene_server s1 --from-first --report "at=500ms,for=1s,type=host,seq=7,pct=30,validity=600"
scene_server s2
scene_relay
client c1
scene_wait c1 30
lab_reap dra 0 # kills at once
scene_relay
client c2
scene_wait c2 30
scene_stop

audit --json >"$SCENE/audit.json"
is "a state lost with its life cannot be called held" 3 $?
is "the step held is not sure" "cannot tell" "$(jq -r '.claims[0].steps[1].status' "$SCENE/audit.json")"
is "both lives and how the first one ended are named" "1 2 killed false" \
	"$(jq -r '.claims[0].not_held[0] | "\(.held_in_life) \(.life) \(.ended_how) \(.renewed)"' "$SCENE/audit.json")"
is "every request that named the subject is counted" "$(result c2 .requests)" \
	"$(jq -r '.claims[0].not_held[0].requests_not_compared' "$SCENE/audit.json")"
ok "the verdict says so" grep -q 'CANNOT TELL beyond "asked": life 2 did not hold version #1 of life 1 (killed)' <(audit)
is "the life that was killed says how its version ended" "cut off" "$(jq -r '.claims[0].versions[0].ended' "$SCENE/audit.json")"
scene_end
