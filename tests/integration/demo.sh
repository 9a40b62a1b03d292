#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The main job on one machine, on 127.0.0.1 only: servers s1 and s2, a relay with the agent, a DOIC client c1 and a plain client
# c2; s1 asks for 30 % less for 10 s, later for 20 % less of its whole realm; then the audit. Called by ./run demo.
#
#   demo.sh --build FOLDER [--out FOLDER] [--seconds N]
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

DOIC_BUILD=build/release out=build/demo seconds=36
while [ $# -gt 0 ]; do
	case $1 in
	--build) DOIC_BUILD=$2 ;;
	--out) out=$2 ;;
	--seconds) seconds=$2 ;;
	*)
		echo "usage: demo.sh [--build FOLDER] [--out FOLDER] [--seconds N]" >&2
		exit 2
		;;
	esac
	shift 2
done

prepare() {
	rm -rf "$out"
	SCENE=$out
	mkdir -p "$out" || lab_fail "cannot write to $out."
	scene_begin 150
	lab_need jq jq
	lab_need sqlite3 sqlite3
	out=$SCENE
	scene_conf evidence.batch_max_ms=100 relay.deadline_ms=5000
}

start() {
	scene_server s1 --doic --service-time-ms 2 --from-first --report "at=5s,for=10s,type=host,seq=1,pct=30,validity=10" \
		--report "at=20s,for=8s,type=realm,seq=1,pct=20,validity=8"
	scene_server s2 --doic --service-time-ms 2
	scene_relay
	scene_client c1 --duration "${seconds}s" --doic --rate 400 --sessions 200 --updates 3 --seed 1
	scene_client c2 --duration "${seconds}s" --rate 800 --sessions 400 --updates 3 --dest-host learn --seed 2
}

# One line about the last second, from the evidence as it is being written.
progress() {
	local db=$1 last=$2 second=$3
	sqlite3 -readonly -cmd '.timeout 500' -separator ' ' "$db" "
		with d as (select * from decision where id > $last),
		h as (select o.reduction_pct p, n.text s, o.type t, (o.expires_ns - (select max(mono_ns) from decision)) / 1e9 rest
			from ocs_version o join name n on n.id = o.subject
			where o.expires_ns > (select max(mono_ns) from decision)
			and o.version not in (select version from ocs_change) order by o.version desc limit 1)
		select printf('%2d s  %4d requests  %3d refused  %3d diverted  ', $second, count(*),
			coalesce(sum(verdict = 2), 0), coalesce(sum(verdict = 1), 0)) ||
			coalesce((select printf('held: %s %s asks for %d %%, %.0f s left', t, s, p, rest) from h), 'no report held'),
			coalesce(max(id), $last) from d" 2>/dev/null
}

watch() {
	local db last=0 second line
	db=$(ls "$out"/evidence/seg-*.db)
	for ((second = 1; second <= seconds + 1; second++)); do
		sleep 1
		for name in s1 s2 dra; do lab_alive "$name"; done
		line=$(progress "$db" "$last" "$second")
		[ -n "$line" ] || continue
		last=${line##* }
		if [ -t 1 ]; then printf '\r\033[K%s' "${line% *}"; else echo "${line% *}"; fi
	done
	[ -t 1 ] && echo
	return 0
}

finish() {
	scene_wait c1 20
	scene_wait c2 20
	scene_stop
}

prepare
echo "servers s1 and s2, relay dra with doic.fdx, clients c1 (DOIC) and c2 (plain), all on 127.0.0.1, for $seconds s"
start
watch
finish
cp "$LAB_DIR/dra.log" "$out/dra.log"
echo
"$LAB_BUILD/bin/doic" audit -v "$out/evidence"
verdict=$?
shown=${out#"$PWD"/}
cat <<TEXT

evidence  $shown/evidence   (sqlite3 $shown/evidence/seg-*.db "select * from v_population")
audit     $LAB_BUILD/bin/doic audit $shown/evidence
logs      $shown/dra.log, results of the clients and servers beside it
TEXT
exit $verdict
