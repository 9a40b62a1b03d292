#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# doic check: each thing that keeps an agent from its work is named with the key to change, and what is well is not.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 90
doic=$LAB_BUILD/bin/doic
set_up() { scene_conf evidence.keep_mb=100 evidence.segment_max_mb=64 control.socket="$LAB_DIR/ctl.sock" http.bind="${bind:-127.0.0.1:0}" http.socket="$LAB_DIR/http.sock" "$@"; }
check() {
	timeout 20 "$doic" check "$SCENE/doic.yaml" "$@" >"$LAB_DIR/out" 2>"$LAB_DIR/err" </dev/null
	echo $?
}
says() { grep -qE -- "$1" "$LAB_DIR/out"; }
shows() { cat "$LAB_DIR/out" "$LAB_DIR/err"; }

set_up
is "before the first start all is well" 0 "$(check --offline)"
is "every line says so" ok "$(cut -c1-4 "$LAB_DIR/out" | sort -u | xargs)"
ok "documents" says 'doic.yaml, .*policy.yaml parse'
ok "folder" says 'evidence folder .* can be written'
ok "reach" says 'for this machine only'
is "-q then says nothing" "0 " "$(check --offline -q) $(cat "$LAB_DIR/out")"
is "JSON says the same" "0 0 ok ok" "$(check --offline --json) $(jq -r '"\(.exit) \(.outcome) \([.checks[].state] | unique | join(" "))"' "$LAB_DIR/out")"
is "a daemon that does not run" 1 "$(check)"
ok "its control socket is named" says '^fail  control socket .*nobody answers .*control.socket, doic.yaml\(5\)'
ok "and that of HTTP" says '^fail  http socket .*nobody answers .*http.socket, doic.yaml\(5\)'

is "no such file" "4 unreadable" "$(timeout 9 "$doic" check "$LAB_DIR/none.yaml" --json >"$LAB_DIR/out" 2>/dev/null; echo $?) $(jq -r .outcome "$LAB_DIR/out")"
is "two of one kind" 2 "$(timeout 9 "$doic" check a.yaml b.yaml >/dev/null 2>&1; echo $?)"
echo "evidence: { batch_max_ms: 0 }" >"$SCENE/doic.yaml"
is "a wrong key" 1 "$(check --offline)"
ok "with line, column and what is allowed" says '^fail  .*doic.yaml:1:[0-9]+: evidence.batch_max_ms.*allowed: 1\.\.60000 ms.*hint: doic.yaml\(5\)'
set_up
echo "outstanding_max: many" >"$SCENE/policy.yaml"
is "a wrong policy" 1 "$(check --offline)"
ok "likewise" says '^fail  .*policy.yaml:1:18:.*hint: policy.yaml\(5\)'
is "by itself too" 1 "$(timeout 9 "$doic" check "$SCENE/policy.yaml" >/dev/null; echo $?)"
printf 'outstanding_max: many\nmode: maybe\nrecovery: { ramp_ms: 700000, speed: 3 }\n' >"$LAB_DIR/next.yaml"
is "a policy of any name is known by its keys" 1 "$(timeout 9 "$doic" check "$LAB_DIR/next.yaml" >"$LAB_DIR/out"; echo $?)"
is "every mistake is told, with its place" "next.yaml:1:18: next.yaml:2:7: next.yaml:3:22: next.yaml:3:30:" "$(grep -o 'next.yaml:[0-9:]*' "$LAB_DIR/out" | xargs)"
ok "and what is allowed" says 'ramp_ms: .*allowed: 0..600000 ms.*hint: policy.yaml\(5\)'
printf 'evidence: { batch_max_ms: 0, colour: red }\nhttp: { socket_mode: 0777 }\n' >"$LAB_DIR/policy-of-dra.yaml"
is "and so is the other document" 1 "$(timeout 9 "$doic" check --offline "$LAB_DIR/policy-of-dra.yaml" >"$LAB_DIR/out"; echo $?)"
is "all its mistakes too" 3 "$(grep -c '^fail  .*policy-of-dra.yaml:.*hint: doic.yaml(5)' "$LAB_DIR/out")"
is "as a policy, when it is said to be one" 1 "$(timeout 9 "$doic" check --policy "$LAB_DIR/policy-of-dra.yaml" >"$LAB_DIR/out"; echo $?)"
ok "its keys are none of those" says 'evidence: unknown key.*hint: policy.yaml'
echo "mode: enforce" >"$LAB_DIR/next.yaml"
is "a policy that trusts nobody is a warning" "0 warn" "$(timeout 9 "$doic" check --policy "$LAB_DIR/next.yaml" --json >"$LAB_DIR/out"; echo $?) $(jq -r .outcome "$LAB_DIR/out")"
ok "that says what it comes to" grep -q 'every one will be ignored' "$LAB_DIR/out"
rm "$SCENE/policy.yaml"
is "a policy that is not there" 1 "$(check --offline)"
ok "is that key's" says 'hint: policy, doic.yaml\(5\)'

bind=0.0.0.0:8868 set_up
is "open to others, with nothing" 1 "$(check --offline)"
ok "will not start" says '^fail  http listens on 0.0.0.0:8868 without TLS and tokens.*hint: .*http.bind'
bind=0.0.0.0:8868 set_up http.tokens="$LAB_DIR/tokens"
"$doic" token a observer --tokens "$LAB_DIR/tokens" >/dev/null 2>&1
is "with tokens alone: a warning" 0 "$(check --offline)"
ok "without TLS" says '^warn  http listens on 0.0.0.0:8868 without TLS '
chmod 644 "$LAB_DIR/tokens"
is "tokens that others may read" 1 "$(check --offline)"
ok "are not used" says '^fail  tokens .*0644.*chmod 0600'
set_up http.tls_cert="$LAB_DIR/none.pem" http.tls_key="$LAB_DIR/none.pem"
is "a certificate that is not there" 1 "$(check --offline)"

set_up evidence.folder="$LAB_DIR/no/where"
sed -i "/folder: ${SCENE//\//\\/}\/evidence/d" "$SCENE/doic.yaml"
is "a folder that cannot be made" 1 "$(check --offline)"
ok "is that key's" says '^fail  evidence folder .*evidence.folder'
set_up evidence.enabled=false
is "no evidence: a warning" "0 1" "$(check --offline) $(grep -c '^warn  nothing is recorded' "$LAB_DIR/out")"
scene_conf evidence.batch_max_ms=50
is "kept for ever: a warning" "0 1" "$(check --offline) $(grep -c '^warn  evidence is kept for ever' "$LAB_DIR/out")"
set_up
sed -i 's/keep_mb: 100/keep_mb: 1000000000/' "$SCENE/doic.yaml"
is "more than the disk has room for" 1 "$(check --offline)"
ok "is said with both figures" says '^fail  retention needs 1000000064 MiB, there is room for [0-9]+ MiB'

# Running.
set_up
scene_server s1
scene_server s2
scene_relay
is "a daemon that runs" 0 "$(check)"
ok "answers" says '^ok    http socket .* answers: ready'
ok "its key is its own" says '^ok    key .* has mode 0600'
chmod 640 "$SCENE/evidence.key"
is "a key that others may read" 1 "$(check)"
ok "is said" says '^fail  key .*0640: others may sign'
scene_stop
rm "$SCENE/evidence.key"
is "a key that is gone" 1 "$(check --offline)"
ok "is said too" says '^fail  key .* is gone'
scene_end
