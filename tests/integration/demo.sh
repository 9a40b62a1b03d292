#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The main job on one machine, on 127.0.0.1 only: servers s1 and s2, a relay with the agent, a DOIC client c1 and a plain client
# c2; s1 asks for 30 % less for 10 s, later for 20 % less of its whole realm; then the audit. Called by ./run demo.
#
#   demo.sh --build FOLDER [--out FOLDER] [--seconds N]
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/lib.sh
. tests/integration/lib.sh

build=build/release out=build/demo seconds=36
while [ $# -gt 0 ]; do
	case $1 in
	--build) build=$2 ;;
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
	lab_begin "$build" 150
	lab_need jq jq
	lab_need sqlite3 sqlite3
	rm -rf "$out"
	mkdir -p "$out/evidence/counters" || lab_fail "cannot write to $out."
	out=$(realpath "$out")
	# The same addresses every time when they are free, so that a second look finds the same pictures.
	lab_port DRA
	lab_port S1
	lab_port S2
	cat >"$out/doic.yaml" <<YAML
evidence:
  folder: $out/evidence
  batch_max_ms: 100
relay:
  deadline_ms: 5000
policy: policy.yaml
YAML
	cp conf/lab/policy.yaml "$out/policy.yaml"
}

server() { # NAME PORT OPTIONS...
	local name=$1 port=$2
	shift 2
	lab_start "$name" "$LAB_BUILD/bin/doic-traffic" server --listen "127.0.0.1:$port" --identity "$name.example.net" \
		--realm example.net --doic --counters "$out/evidence/counters/$name.json" --json "$out/$name.json" \
		--service-time-ms 2 --quiet "$@"
}

client() { # NAME OPTIONS...
	local name=$1
	shift
	lab_start "$name" "$LAB_BUILD/bin/doic-traffic" client --connect "127.0.0.1:$DRA" --identity "$name.visited.example" \
		--realm visited.example --dest-realm example.net --wait 10s --wait-answer 10s --duration "${seconds}s" --timeout 3s \
		--counters "$out/evidence/counters/$name.json" --json "$out/$name.json" --quiet "$@"
}

start() {
	server s1 "$S1" --from-first --report "at=5s,for=10s,type=host,seq=1,pct=30,validity=10" \
		--report "at=20s,for=8s,type=realm,seq=1,pct=20,validity=8"
	server s2 "$S2"
	LAB_REALM=example.net LAB_ACL="*.visited.example" lab_relay dra "$DRA" "doic.fdx=$out/doic.yaml" -- \
		"s1.example.net:$S1" "s2.example.net:$S2"
	lab_open dra s1.example.net s2.example.net
	client c1 --doic --rate 400 --template gx --sessions 200 --updates 3 --seed 1
	client c2 --rate 800 --template gx --sessions 400 --updates 3 --dest-host learn --seed 2
}

# One line about the last second, from the evidence as it is being written.
progress() {
	local db=$1 last=$2 second=$3
	sqlite3 -readonly -cmd '.timeout 500' -separator ' ' "$db" "
		with d as (select * from decision where id > $last),
		h as (select o.reduction_pct p, n.text s, o.type t, (o.expires_ns - (select max(mono_ns) from decision)) / 1e9 left
			from ocs_version o join name n on n.id = o.subject
			where o.expires_ns > (select max(mono_ns) from decision)
			and o.version not in (select version from ocs_change) order by o.version desc limit 1)
		select printf('%2d s  %4d requests  %3d refused  %3d diverted  ', $second, count(*),
			coalesce(sum(verdict = 2), 0), coalesce(sum(verdict = 1), 0)) ||
			coalesce((select printf('held: %s %s asks for %d %%, %.0f s left', t, s, p, left) from h), 'no report held'),
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
	lab_wait c1 20 ended c1
	lab_wait c2 20 ended c2
	lab_stop dra
	lab_stop s1
	lab_stop s2
}

# A client that is done wrote its counters; one that died first is named by lab_wait.
ended() {
	kill -0 "${LAB_PID[$1]}" 2>/dev/null && return 1
	wait "${LAB_PID[$1]}" || lab_fail "client $1 failed: $(tail -n 1 "$LAB_DIR/$1.log")"
	unset "LAB_PID[$1]"
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
