#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The main job on one machine, on 127.0.0.1 only: servers s1 and s2, a relay with the agent, a DOIC client c1 that obeys, a plain client
# c2, and a client c3 that announces DOIC and goes on whatever it is told; s1 asks for 30 % less for 10 s, later for 20 % less of its
# whole realm. Then the relay itself asks for 30 % less, of a client c4 that obeys and a plain client c5. Then the audit. Called by
# ./run demo.
#
#   demo.sh --build FOLDER [--out FOLDER] [--seconds N]
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

DOIC_BUILD=build/release out=build/demo seconds=32
while [ $# -gt 0 ]; do
	case $1:${2:-} in
	--build:?*) DOIC_BUILD=$2 ;;
	--out:?*) out=$2 ;;
	--seconds:[1-9]*) seconds=$2 ;;
	*)
		echo "usage: demo.sh [--build FOLDER] [--out FOLDER] [--seconds N]" >&2
		exit 2
		;;
	esac
	shift 2
done

# Only what an earlier demonstration left is ever removed, and never under one that still runs.
clear_out() {
	mkdir -p "$out" 2>/dev/null && [ -w "$out" ] || lab_fail "cannot write to $out: it belongs to another user, or the disk is read-only."
	[ -z "$(ls -A "$out")" ] || [ -e "$out/doic.yaml" ] || lab_fail "$out is not empty and no demo's folder: name another one."
	exec {lock}>"$out.lock"
	flock -n "$lock" || lab_fail "another demo is writing to $out: wait for it, or give --out another folder."
	rm -rf "${out:?}"/*
}

prepare() {
	[ -x "$DOIC_BUILD/bin/doic" ] || lab_fail "$DOIC_BUILD has no bin/doic: run ./run build first."
	clear_out
	SCENE=$out
	scene_begin $((seconds + 118))
	lab_need jq jq
	lab_need sqlite3 sqlite3
	out=$SCENE
	scene_conf evidence.batch_max_ms=100 relay.deadline_ms=5000 control.socket="$LAB_DIR/ctl.sock" http.bind=127.0.0.1:0 \
		http.socket="$LAB_DIR/http.sock" http.label=DEMO
	cat >>"$SCENE/policy.yaml" <<-YAML

		    - peer: c3.visited.example
		      receive_reports: true

		    - peer: c4.visited.example
		      receive_reports: true

		reports: { validity_s: 6, fall_interval_ms: 1000 }
	YAML
}

start() {
	scene_server s1 --doic --service-time-ms 2 --from-first --report "at=5s,for=10s,type=host,seq=1,pct=30,validity=10" \
		--report "at=20s,for=8s,type=realm,seq=1,pct=20,validity=8"
	scene_server s2 --doic --service-time-ms 2
	scene_relay
	echo "Dashboard, as long as this runs: http://127.0.0.1:$(grep -ao 'dashboard and API at .*, port [0-9]*' "$LAB_DIR/dra.log" | grep -o '[0-9]*$' | head -n 1)/"
	echo "In another terminal: $LAB_BUILD/bin/doic top --socket $LAB_DIR/http.sock"
	scene_client c1 --duration "${seconds}s" --obey --rate 400 --sessions 200 --updates 9 --dest-host learn --seed 1
	scene_client c2 --duration "${seconds}s" --rate 600 --sessions 300 --updates 3 --dest-host learn --seed 2
	scene_client c3 --duration "${seconds}s" --doic --rate 200 --sessions 100 --updates 3 --dest-host s1.example.net --seed 5
}

story() {
	cat <<TEXT
On 127.0.0.1: servers s1 and s2 of realm example.net, relay dra with doic.fdx,
clients c1 (speaks DOIC and obeys), c2 (does not speak it) and c3 (says that it
does, and goes on whatever it is told): 1,200 Gx requests/s for $seconds s.

   5 s  s1 asks for 30 % less to itself, for 10 s. Requests that any server may
        answer: the relay diverts 30 % of s1's to s2. Requests that name s1 and
        come from c2: it refuses 30 %. Those of c1 and c3 it leaves to them:
        they get the report. c1 holds back 30 % itself, c3 nothing.
  20 s  s1 asks for 20 % less to its whole realm, for 8 s. No other realm could
        take them: 20 % of what c2 sends to the realm is refused.
  After each report traffic returns over 3 s, not at once. Then, 10 s more: the
  relay asks for less itself. Then comes the audit, and says who obeyed.

TEXT
}

# What the agent holds at the last decision @now: a report, or the way back after one.
held="
	now as (select max(mono_ns) t, max(wall_us) w from decision),
	state as (select o.version v, o.reduction_pct pct, n.text subject, o.type type,
		(o.expires_ns - t) / 1e9 rest, (select max(mono_ns) from ocs_change c where c.version = o.version) changed,
		(select count(*) from ocs_change c where c.version = o.version and how in ('recovered', 'replaced', 'forgotten')) over
		from ocs_version o join name n on n.id = o.subject, now
		where o.from_ns <= t order by o.version desc limit 1)
	select case when over then 'no report' when changed is not null or rest <= 0
			then printf('%s %s: report ended, returning to full traffic', type, subject)
		else printf('%s %s asks for %d %% less, %.0f s left', type, subject, pct, rest) end from state"

# One line about the last second, from the evidence as it is being written; its last word is the last decision's number.
progress() {
	local db=$1 last=$2 second=$3
	sqlite3 -readonly -cmd '.read tests/integration/flat.sql' -cmd '.timeout 500' -separator ' ' "$db" "
		with d as (select id, verdict from decision where id > $last),
		h as (with $held)
		select printf('%2d s  %4d requests  %3d refused  %3d diverted  ', $second, count(*),
			coalesce(sum(verdict = 2), 0), coalesce(sum(verdict = 1), 0)) ||
			coalesce((select * from h), 'no report'), coalesce(max(id), $last) from d" 2>/dev/null
}

# A terminal gets one line that changes, and keeps the last one of each state; anything else gets a line a second.
show() {
	local state=${1##*diverted  }
	state=${state%,*}
	if [ ! -t 1 ] || [ "${TERM:-dumb}" = dumb ]; then
		echo "$1"
		return
	fi
	[ "$state" = "$shown_state" ] || [ -z "$shown_state" ] || echo
	shown_state=$state
	printf '\r\033[K%s' "${1:0:$(($(tput cols 2>/dev/null || echo 80) - 1))}"
}

running() {
	kill -0 "${LAB_PID[c1]}" "${LAB_PID[c2]}" "${LAB_PID[c3]}" 2>/dev/null
}

watch() {
	local db last=0 second line name shown_state=""
	db=$(ls "$out"/evidence/seg-*.db)
	for ((second = 1; second <= seconds + 5; second++)); do
		{ sleep 1; } 2>/dev/null # bash tells of killed children here; lab_alive says it better
		for name in dra s1 s2; do lab_alive "$name"; done # first: a client whose relay is gone fails as well
		running || break
		line=$(progress "$db" "$last" "$second")
		[ -n "$line" ] || continue
		last=${line##* }
		show "${line% *}"
	done
	[ -z "$shown_state" ] || echo
}

ctl() {
	echo "  \$ doic ctl $*"
	"$LAB_BUILD/bin/doic" ctl --socket "$LAB_DIR/ctl.sock" "$@" | sed 's/^/  /' || lab_fail "doic ctl $* was refused."
}

wait_alive() {
	local name
	sleep "$1"
	for name in dra s1 s2 c4 c5; do lab_alive "$name"; done
}

# The relay reports its own overload. c4 supports peer reports and obeys, c5 knows nothing of DOIC.
second_act() {
	echo
	echo "The relay itself: c4 (peer reports, obeys) and c5 (plain) send 300 requests/s each."
	scene_client c4 --duration 9s --peer-reports --obey --rate 300 --seed 3
	scene_client c5 --duration 9s --rate 300 --seed 4
	wait_alive 1.5
	ctl report set peer --reduction 30 --reason demo
	wait_alive 2
	ctl report list
	wait_alive 2
	ctl report end peer --reason demo
	scene_wait c4 20
	scene_wait c5 20
}

# What our own report did, by four counts that know nothing of each other: the trail, both clients, arithmetic.
second_act_told() {
	echo
	echo "Told, step by step, in how many answers (v_own_report), and who was abated:"
	sql "select printf('  %s  %-8s %3d %%  validity %d s  to %s: %d answers', substr(time, 12, 12), step, reduction_pct,
		validity_s, coalesce(peer, 'nobody'), answers) from v_own_report"
	local told held refused counted asked
	told=$(sql "select coalesce(sum(answers), 0) from v_own_report")
	held=$(result c4 .throttled)
	refused=$(result c5 '.by_result["3004"] // 0')
	counted=$(sql "select sum(client = 'c5.visited.example') || ' ' || sum(client <> 'c5.visited.example') from v_decision where why = 'own'")
	asked=$(sql "select cast(round(sum(pct) / 100.0) as integer) from (select (select o.reduction_pct from own_report o
		where o.mono_ns <= d.mono_ns order by o.rowid desc limit 1) pct from decision d join name n on n.id = d.client
		where n.text = 'c5.visited.example')")
	echo "  c4 held back $held requests by itself, none was refused; c5 was refused $refused, asked were $asked"
	check "answers that told c4, as c4 counts them" "$told" "$(result c4 .doic.answers.olr.peer.count)"
	check "refusals of c5, as the trail counts them, and of others" "$refused 0" "$counted"
	check "refusals of c5 within 5 of the percentage" yes "$(between $((asked - 5)) "$refused" $((asked + 5)))"
	check "c4 held back by chance about as many" yes "$(between $((asked * 7 / 10)) "$held" $((asked * 13 / 10)))"
	check "every answer to c4 is a success" "$(result c4 .answers)" "$(result c4 '.by_result["2001"]')"
}

between() { [ "$1" -le "$2" ] && [ "$2" -le "$3" ] && echo yes || echo no; }

check() {
	[ "$2" = "$3" ] && return
	echo "  DOES NOT AGREE: $1: $2, but $3"
	agree=1
}

finish() {
	local name
	for name in c1 c2 c3; do scene_wait "$name" 20; done
}

# What the audit says of each client, in one object a line.
origins() {
	jq -c '.claims[] | .report_type as $type | .effect.origins[] | . + { type: $type }' "$out/audit.json"
}

# Told and obeyed, told and went on: by the audit, and by what the clients counted themselves.
first_act_told() {
	echo
	echo "Who was told, and obeyed? The audit, of requests that name s1 while s1 asked for 30 % less:"
	origins | jq -r 'select(.type == "host") | (.expected_if_obeyed | round) as $asked | "  " + (.origin | split(".")[0]) + "  " +
		if .obedience == "held_here" then "\(.why), of \(.during) requests"
		else "\(.why): \(.during) requests, at most \($asked) asked; \(.told) answers told it" end'
	echo "  c1 says that it held back $(result c1 .throttled) requests, c3 that it held back $(result c3 .throttled)"
	check "c1 obeyed, as the audit sees it" obeyed "$(origins | jq -r 'select(.type == "host" and .origin == "c1.visited.example") | .obedience')"
	check "c3 went on, as the audit sees it" went_on "$(origins | jq -r 'select(.type == "host" and .origin == "c3.visited.example") | .obedience')"
	check "nobody else is said to have gone on" c3.visited.example "$(origins | jq -r 'select(.obedience == "went_on") | .origin' | sort -u | xargs)"
	check "answers that told c3, as the audit and as c3 counts them" yes "$(told_alike c3)"
}

# A report's last answers come when the relay holds it no longer.
told_alike() {
	local told counted
	told=$(origins | jq "select(.type == \"host\" and .origin == \"$1.visited.example\") | .told")
	counted=$(result "$1" .doic.answers.olr.host.count)
	between $((counted * 97 / 100)) "$told" "$counted"
}

prepare
story
start
watch
finish
second_act
scene_stop
cp "$LAB_DIR/dra.log" "$out/dra.log"
cp "$out/evidence/public-key.txt" "$out/dra.key.txt"
agree=0
second_act_told
echo
"$LAB_BUILD/bin/doic" audit -v "$out/evidence"
verdict=$?
"$LAB_BUILD/bin/doic" audit --json "$out/evidence" >"$out/audit.json"
first_act_told
[ "$verdict" -ne 0 ] || verdict=$agree
shown=${out#"$PWD"/}
cat <<TEXT

evidence  $shown/evidence   (sqlite3 $shown/evidence/seg-*.db "select * from v_population")
audit     $LAB_BUILD/bin/doic audit $shown/evidence
verify    $LAB_BUILD/bin/doic verify $shown/evidence --key $shown/dra.key.txt   (a copy of the node's key, kept elsewhere)
dashboard $LAB_BUILD/bin/doic serve $shown/evidence   (what was recorded; the running relay's is gone)
logs      $shown/dra.log, results of the clients and servers beside it
TEXT
exit $verdict
