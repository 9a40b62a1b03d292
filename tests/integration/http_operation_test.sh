#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The HTTP server of a real relay in operation: mode of its socket, a policy put in force over HTTP and its file, what the metrics say of both and of
# recording, and a stop while readers never cease.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 240
doic=$LAB_BUILD/bin/doic
http=$LAB_DIR/http.sock
life=(http.socket_mode=0660 http.bind='""' http.socket="$http" http.index_folder="$LAB_DIR/state"
	evidence.batch_max_ms=50 evidence.checkpoint_s=1)

ctl() { timeout 30 "$doic" ctl --socket "$http" "$@" >"$LAB_DIR/out" 2>"$LAB_DIR/err" </dev/null; echo $?; }
shown() { grep -qE -- "$1" "$LAB_DIR/out"; }
said() { grep -qE -- "$1" "$LAB_DIR/dra.log"; }
metric() { curl -s --unix-socket "$http" http://localhost/metrics | awk -v name="$1" '$1 == name { print $2 }'; }
policy() { sha256sum <"$SCENE/policy.yaml"; }
# The relay alone again: its log begins anew.
again() {
	lab_stop dra
	scene_relay
}
hangup() {
	kill -HUP "${LAB_PID[dra]}"
	sleep 1
}

scene_server s1
scene_server s2
scene_conf "${life[@]}"
scene_relay

# The socket.
is "the socket is the daemon's user's and group's" 660 "$(stat -c %a "$http")"
is "recording is told" 1 "$(metric doic_recording)"
is "the policy is that of the file" "1 1" "$(metric doic_policy_reload_success) $(metric doic_policy_in_file)"

# Apply without writing: the file stays, and everybody says so.
before=$(policy)
{ cat "$SCENE/policy.yaml"; echo "# applied"; } >"$LAB_DIR/next.yaml"
is "apply" 0 "$(ctl policy apply "$LAB_DIR/next.yaml" --reason CHG-1)"
ok "says that the file has the old one" shown "^version 2 is in force, .*; the policy's file still has the document before"
is "the file is as it was" "$before" "$(policy)"
is "the metric says it" 0 "$(metric doic_policy_in_file)"
is "the API says it" "false true" "$(ctl policy show --json >/dev/null; jq -r '"\(.reply.is_in_file) \(.reply.note != null)"' "$LAB_DIR/out")"
hangup
ok "SIGHUP says what it replaced" said 'policy version=2, which uid [0-9]+ had applied and the file had not, is replaced'
is "and the file's is in force" "3 1" "$(metric doic_policy_version) $(metric doic_policy_in_file)"

# Refusals.
is "a wrong one over HTTP" 422 "$(curl -s -o /dev/null -w '%{http_code}' --unix-socket "$http" -X PUT -H 'If-Match: *' -H 'Content-Type: application/json' \
	-d '{"text":"mode: many","reason":"x"}' http://localhost/api/v1/policy)"
is "is counted, and no fault of the file" "1 0 1" "$(metric 'doic_policy_refusals_total{source="http"}') $(metric 'doic_policy_refusals_total{source="file"}') $(metric doic_policy_reload_success)"
cp "$SCENE/policy.yaml" "$LAB_DIR/good.yaml"
echo "mode: many" >"$SCENE/policy.yaml"
hangup
is "a wrong file is told" "0 1 3" "$(metric doic_policy_reload_success) $(metric 'doic_policy_refusals_total{source="file"}') $(metric doic_policy_version)"
cp "$LAB_DIR/good.yaml" "$SCENE/policy.yaml"
since=$(metric doic_policy_reload_success_timestamp_seconds)
hangup
is "a right one ends that" 1 "$(metric doic_policy_reload_success)"
ok "and is later" test "$(echo "$(metric doic_policy_reload_success_timestamp_seconds) > $since" | bc)" = 1

# Apply with writing.
scene_conf "${life[@]:1}" http.write_policy=true
chmod 640 "$SCENE/policy.yaml"
again
is "the socket is the daemon's user's alone" 600 "$(stat -c %a "$http")"
is "apply, where it may write" 0 "$(ctl policy apply "$LAB_DIR/next.yaml" --reason CHG-2)"
ok "has nothing to add" shown '^version 2 is in force, in place of version 1$'
ok "the file is the document" cmp "$SCENE/policy.yaml" "$LAB_DIR/next.yaml"
is "of the same mode" 640 "$(stat -c %a "$SCENE/policy.yaml")"
is "nothing is left beside it" "" "$(find "$SCENE" -maxdepth 1 -name 'policy.yaml.*')"
is "the metric agrees" 1 "$(metric doic_policy_in_file)"
is "rollback writes too" "0 $before" "$(ctl policy rollback --reason CHG-3) $(policy)"
hangup
ok "SIGHUP replaces nothing" bash -c "! grep -q 'is replaced by' $LAB_DIR/dra.log"

# Readers that stop reading, and readers that never cease (pages, streams of all rows, verifications, live events): the relay does its
# work meanwhile, and stops when it is told to.
asleep=()
for i in 1 2 3; do
	curl -sN -o /dev/null -m 60 --unix-socket "$http" http://localhost/api/v1/events & asleep+=($!)
	curl -sN -o /dev/null -m 60 --unix-socket "$http" 'http://localhost/api/v1/decisions?format=ndjson&order=oldest' & asleep+=($!)
done
sleep 0.3
kill -STOP "${asleep[@]}" 2>/dev/null
scene_client c1 --rate 2000 --count 12000
sleep 3
ask() { curl -s -o /dev/null -m 20 --unix-socket "$http" "$@"; }
# shellcheck disable=SC2317 # called in the background
ceaseless() {
	local until=$((SECONDS + 60))
	while [ -S "$http" ] && [ $SECONDS -lt $until ]; do
		"$@" || sleep 0.01
	done
}
readers=()
for i in 1 2 3; do
	ceaseless ask 'http://localhost/api/v1/decisions?limit=1000' & readers+=($!)
	ceaseless ask 'http://localhost/api/v1/decisions?format=ndjson' & readers+=($!)
	ceaseless ask http://localhost/api/v1/sessions & readers+=($!)
	ceaseless ask -N http://localhost/api/v1/events & readers+=($!)
done
ceaseless ask -X POST http://localhost/api/v1/evidence/verify & readers+=($!)
scene_wait c1
is "every request was answered meanwhile" "12000 0" "$(result c1 '.by_result["2001"]') $(result c1 .unanswered)"
sleep 1
start=$(date +%s%N)
lab_stop dra
took_ms=$((($(date +%s%N) - start) / 1000000))
kill -KILL "${asleep[@]}" 2>/dev/null
wait "${readers[@]}" "${asleep[@]}" 2>/dev/null
ok "the relay stops within 10 s ($took_ms ms)" test "$took_ms" -lt 10000
last=$(find "$SCENE/evidence" -name 'seg-*.db' -printf '%T@ %p\n' | sort -n | tail -1 | cut -d' ' -f2)
is "the last segment is sealed" "444 0" "$(stat -c %a "$last") $(find "$SCENE/evidence" -name '*-wal' | wc -l)"
is "and closed" 1 "$(sqlite3 "file:$last?immutable=1" "SELECT count(*) FROM meta WHERE key = 'closed_us'")"
ok "nothing in the log complains of it" bash -c "! grep -iE 'not sealed|cannot be sealed|busy' $LAB_DIR/dra.log"

# The charts begin where those of the process before ended.
scene_relay
curl -s --unix-socket "$http" 'http://localhost/api/v1/series?names=requests' >"$LAB_DIR/series.json"
is "the requests of the life before are in the chart" 12000 "$(jq '[.columns.requests[] | select(. != null)] | add' "$LAB_DIR/series.json")"
is "and the seconds between are not known" true "$(jq '.columns.requests | index(null) != null' "$LAB_DIR/series.json")"
lab_stop dra

# Evidence off: a server, and no claim to record.
scene_conf "${life[@]}" evidence.enabled=false
scene_relay
is "nothing is recorded, and the metric says so" "0" "$(metric doic_recording)"
is "what is not counted is absent" "" "$(metric doic_recorder_rows_total)$(metric doic_recorder_lag_seconds)"
scene_stop
scene_end
