#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Check 21, its part of systemd: what a program says when it is started as systemd starts a service (as_service.py tells how; no systemd is
# needed) has no colour and no carriage return, though TERM names a terminal: doic.fdx in a relay, doic serve, doic audit and doic verify.
# That progress is told there in plain lines is held by unit-ctl (cli_progress), since it takes ten seconds of reading to be told at all.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 90
lab_need python3 python3
export TERM=xterm-256color COLORTERM=truecolor CLICOLOR_FORCE=1
unset NO_COLOR
service=(python3 tests/integration/as_service.py)
doic=$LAB_BUILD/bin/doic
controls() { grep -c -e $'\033' -e $'\r' -e $'\b' -e $'\x9b' "$1"; }
plain() { # NAME FILE: what was said, and that it is lines of text
	ok "$1 says something" test -s "$2"
	is "$1: no escape code, no carriage return" 0 "$(controls "$2")"
}
run() { # ARGS...: doic as a service, into $LAB_DIR/out; its exit code
	timeout 30 "${service[@]}" "$doic" "$@" >"$LAB_DIR/out"
	local code=$?
	sleep 0.2 # what it said last is copied
	echo $code
}

is "a program finds its socket named" "socket true true" "$("${service[@]}" bash -c '
	read -r device inode <<<"$(stat -L -c "%d %i" /dev/fd/2)"
	echo "$([ -S /dev/fd/2 ] && echo socket) $([ "$JOURNAL_STREAM" = "$device:$inode" ] && echo true) $([ -n "$INVOCATION_ID" ] && echo true)"')"

scene_conf evidence.batch_max_ms=50 evidence.checkpoint_s=1 control.socket="$LAB_DIR/ctl.sock" http.bind=127.0.0.1:0 http.socket="$LAB_DIR/http.sock"
scene_server s1 --doic
scene_server s2
LAB_WRAP=("${service[@]}")
scene_relay
LAB_WRAP=()
scene_client c1 --rate 400 --count 800
scene_wait c1
cp "$SCENE/policy.yaml" "$LAB_DIR/right.yaml"
echo "outstanding_max: many" >>"$SCENE/policy.yaml"
"$doic" ctl --socket "$LAB_DIR/ctl.sock" reload --reason test >/dev/null 2>&1
cp "$LAB_DIR/right.yaml" "$SCENE/policy.yaml"
scene_stop
ok "the agent's log has its words, an error too" grep -aq 'doic: policy not reloaded' "$LAB_DIR/dra.log"
plain "doic.fdx" "$LAB_DIR/dra.log"

is "doic audit" 3 "$(run audit "$SCENE/evidence")"
plain "doic audit" "$LAB_DIR/out"
is "doic verify" 0 "$(run verify "$SCENE/evidence" --key "$SCENE/evidence/public-key.txt" --accept-unwitnessed)"
plain "doic verify" "$LAB_DIR/out"
is "doic serve" 0 "$(run serve "$SCENE/evidence" --for 1)"
plain "doic serve" "$LAB_DIR/out"
is "doic ctl of nobody" 5 "$(run ctl --socket "$LAB_DIR/none.sock" status)"
plain "doic ctl" "$LAB_DIR/out"
scene_end
