# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# shellcheck shell=bash
# The usual scene on top of lib.sh: servers s1, s2 of example.net, relay dra.example.net with the agent, clients of
# visited.example, and small words for tests. Sourced, never run.
#
#   scene_begin SECONDS                 work folder, ports $DRA $S1 $S2, folder $SCENE for configuration and results
#   scene_conf [KEY.SUB=VALUE...]       writes $SCENE/doic.yaml (relay.*, evidence.*, limits.*, control.*, reports.*, http.*: without any no HTTP server) and a policy with the lab's trust
#   scene_policy TEXT                   another policy.yaml
#   scene_server NAME OPTIONS...        a doic-traffic server; counters in $SCENE/evidence/counters/NAME.json
#   scene_tell NAME LINE                a control line for a server
#   scene_relay [EXTENSIONS...]         the relay, peers s1 and s2 OPEN
#   scene_client NAME OPTIONS...        a doic-traffic client, in the background; scene_wait NAME waits for it
#   scene_stop                          relay first, then the servers
#   sql QUERY                           over the segment
#   is NAME WANTED GOT / ok NAME COMMAND...   one test each; scene_end prints the closing line and exits

# shellcheck source=tests/integration/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

PASSED=0 FAILED=0 SKIPPED=0

scene_begin() {
	lab_begin "${DOIC_BUILD:-build/release}" "$1"
	SCENE=${SCENE:-$LAB_DIR}
	mkdir -p "$SCENE/evidence/counters" || lab_fail "cannot write to $SCENE."
	SCENE=$(realpath "$SCENE")
	lab_port DRA
	lab_port S1
	lab_port S2
}

scene_conf() {
	local pair section
	{
		echo "evidence:"
		echo "  folder: $SCENE/evidence"
		for pair in "$@"; do [ "${pair%%.*}" = evidence ] && echo "  ${pair#*.}" | sed 's/=/: /'; done
		printf '%s\n' "$@" | grep -q "^http\." || printf 'http:\n  bind: ""\n  socket: ""\n'
		for section in relay limits control reports http; do
			printf '%s\n' "$@" | grep -q "^$section\." || continue
			echo "$section:"
			for pair in "$@"; do [ "${pair%%.*}" = "$section" ] && echo "  ${pair#*.}" | sed 's/=/: /'; done
		done
		echo "policy: policy.yaml"
	} >"$SCENE/doic.yaml"
	cp conf/lab/policy.yaml "$SCENE/policy.yaml"
}

scene_policy() {
	printf '%s\n' "$1" >"$SCENE/policy.yaml"
}

scene_server() {
	local name=$1 port=${1^^} fd
	shift
	mkfifo "$LAB_DIR/$name.control"
	# shellcheck disable=SC2034 # stays open, so that the pipe always has a writer
	exec {fd}<>"$LAB_DIR/$name.control"
	LAB_STDIN="$LAB_DIR/$name.control" lab_start "$name" "$LAB_BUILD/bin/doic-traffic" server --listen "127.0.0.1:${!port}" --identity "$name.example.net" \
		--realm example.net --counters "$SCENE/evidence/counters/$name.json" --json "$SCENE/$name.json" --control - --quiet "$@"
}

# scene_tell SERVER LINE: "mute for=5s", "stall 5s", "die", "report type=host,seq=8,pct=0,validity=0"...
scene_tell() {
	echo "$2" >"$LAB_DIR/$1.control"
}

scene_relay() {
	LAB_REALM=example.net LAB_ACL="*.visited.example" lab_relay dra "$DRA" "$@" "doic.fdx=$SCENE/doic.yaml" -- \
		"s1.example.net:$S1" "s2.example.net:$S2"
	lab_open dra s1.example.net s2.example.net
}

scene_client() {
	local name=$1
	shift
	lab_start "$name" "$LAB_BUILD/bin/doic-traffic" client --connect "127.0.0.1:$DRA" --identity "$name.visited.example" \
		--realm visited.example --dest-realm example.net --wait 10s --counters "$SCENE/evidence/counters/$name.json" \
		--json "$SCENE/$name.json" --quiet "$@"
}

# A client that is done wrote its results; one that failed is named.
scene_ended() {
	kill -0 "${LAB_PID[$1]}" 2>/dev/null && return 1
	wait "${LAB_PID[$1]}" || lab_fail "client $1 failed: $(tail -n 1 "$LAB_DIR/$1.log")"
	unset "LAB_PID[$1]"
}

scene_wait() {
	local tenths=$((${2:-60} * 10)) i
	for ((i = 0; i < tenths; i++)); do
		scene_ended "$1" && return 0
		sleep 0.1
	done
	lab_fail "client $1 did not end in $((tenths / 10)) s."
}

scene_stop() {
	local name
	for name in dra s1 s2; do
		[ -z "${LAB_PID[$name]:-}" ] || lab_stop "$name"
	done
}

sql() {
	sqlite3 -readonly -cmd ".read tests/integration/flat.sql" "$(ls "$SCENE"/evidence/seg-*.db)" "$1"
}

result() { # NAME of a numeric member of a client's or server's results
	jq -r "$2" "$SCENE/$1.json"
}

is() {
	if [ "$2" = "$3" ]; then
		PASSED=$((PASSED + 1))
		echo "ok $1"
	else
		FAILED=$((FAILED + 1))
		echo "not ok $1: wanted '$2', got '$3'"
	fi
}

ok() {
	local name=$1
	shift
	if "$@"; then
		PASSED=$((PASSED + 1))
		echo "ok $name"
	else
		FAILED=$((FAILED + 1))
		echo "not ok $name: $*"
	fi
}

skip() {
	SKIPPED=$((SKIPPED + 1))
	echo "skip $1: $2"
}

# What must be true of every segment: one outcome for each decision, no gap, closed.
scene_complete() {
	is "$1: every decision has its outcome" "0" \
		"$(sql 'select (select count(*) from v_decision) - (select count(*) from v_outcome join v_decision using (id))')"
	is "$1: no gap" "" "$(sql "select group_concat(events || ' ' || reason) from gap")"
	is "$1: segment closed" "1" "$(sql "select count(*) from meta where key = 'closed_us'")"
}

scene_end() {
	echo "$PASSED passed, $FAILED failed, $SKIPPED skipped"
	[ "$FAILED" -eq 0 ]
	exit $?
}
