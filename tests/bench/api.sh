#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# What clients of the HTTP server cost the relay: full load with evidence on, by turns without and with 50 clients that ask once a second and 20
# streams of live events.
#
#   tests/bench/api.sh [--build build/release] [--json FILE] [--commit SHA] [--quick] [--decisions N]
#
# N decisions (10,000,000) of 100,000 sessions lie in the evidence folder already when the relay starts, about 1 GB for that many.
# All loads end by themselves. Ends with 0 when every bound holds, 1 when one is missed, 2 when the machine cannot measure.
set -u
HERE=$(dirname "$(realpath "$0")")
# shellcheck source=../integration/lib.sh
. "$HERE/../integration/lib.sh"
# shellcheck source=figures.sh
. "$HERE/figures.sh"
# shellcheck source=relay_lib.sh
. "$HERE/relay_lib.sh"
# shellcheck source=relay_times.sh
. "$HERE/relay_times.sh"

BUILD=build/release
JSON=
COMMIT=
DECISIONS=
QUICK=0
while [ $# -gt 0 ]; do
	case $1 in
	--build) BUILD=$2 && shift ;;
	--json) JSON=$2 && shift ;;
	--commit) COMMIT=$2 && shift ;;
	--quick) QUICK=1 ;;
	--decisions) DECISIONS=$2 && shift ;;
	*) lab_fail "unknown argument $1; usage: api.sh [--build DIR] [--json FILE] [--commit SHA] [--quick] [--decisions N]" ;;
	esac
	shift
done
CLIENTS=50
STREAMS=20
ROUNDS=41 COUNT=60000
[ "$QUICK" -eq 0 ] || ROUNDS=3 COUNT=30000
: "${DECISIONS:=$((QUICK ? 1000000 : 10000000))}"

lab_need jq jq
for program in doic-traffic bench-web_clients bench-shelf; do
	[ -x "$BUILD/bin/$program" ] || lab_fail "$BUILD/bin/$program does not exist: build first."
done
lab_begin "$BUILD" $((QUICK ? 300 : 1200))
bench_has_ours || lab_fail "doic.fdx is not built."
figures_begin api
ulimit -n 4096 2>/dev/null || true

# One saturating run of COUNT requests: RPS, CPU_US (relay, per pair), and with "with" the clients' figures in $LAB_DIR/web-N.log.
saturate() { # with|without N
	local before after name=web-$2
	if [ "$1" = with ]; then
		lab_start "$name" "$LAB_BUILD/bin/bench-web_clients" "$PORT" 600 "$CLIENTS" "$STREAMS" "$UNTIL"
		sleep 1
	fi
	before=$(cpu_ticks)
	client load a.lab --window 100 --count "$COUNT"
	after=$(cpu_ticks)
	expect_answers load 2001 "$COUNT"
	RPS=$(result load .throughput_rps)
	CPU_US=$(calc "($after - $before) * 1000000 / $(getconf CLK_TCK) / $COUNT")
	[ "$1" = without ] || clients_end "$name"
}

# SIGTERM makes them report: how long the relay's run takes is not known before.
clients_end() {
	lab_alive "$1"
	kill -TERM "${LAB_PID[$1]}"
	lab_reap "$1" 50 || lab_fail "the clients failed: $(tail -n 1 "$LAB_DIR/$1.log")"
	jq -e '.failures == 0' "$LAB_DIR/$1.log" >/dev/null || lab_fail "replies failed: $(cat "$LAB_DIR/$1.log")"
}

# The figure NAME of a kind of question over all rounds' clients, median.
clients_figure() { # KIND NAME
	local round values=()
	for ((round = 1; round <= ROUNDS; round++)); do
		values+=("$(jq ".kinds.$1.$2" "$LAB_DIR/web-$round.log")")
	done
	median "${values[@]}"
}

# Until the index of sessions is whole.
wait_index() {
	local began=$SECONDS whole
	while :; do
		whole=$(curl -s "http://127.0.0.1:$PORT/api/v1/sessions?limit=1" | jq -r '.index.is_whole')
		[ "$whole" != true ] || break
		[ $((SECONDS - began)) -lt 300 ] || lab_fail "the index of sessions is not whole after 300 s."
		sleep 1
	done
	bench_say "the index of sessions is whole after $((SECONDS - began)) s"
}

ours_conf
sed -i 's|^http:.*|http: { bind: "127.0.0.1:0", socket: "" }|' "$LAB_DIR/doic.yaml"
"$BUILD/bin/bench-shelf" --make "$LAB_DIR/evidence" --decisions "$DECISIONS" 2>&1 | tail -1
relay_up ours a.lab
PORT=$(grep -ao 'dashboard and API at .*, port [0-9]*' "$LAB_DIR/dra.log" | grep -o '[0-9]*$' | head -1)
[ -n "$PORT" ] || lab_fail "the relay has no HTTP server."
wait_index
UNTIL=$(curl -s "http://127.0.0.1:$PORT/api/v1/sessions?limit=1" | jq -r '.sessions[0].last')
client warm a.lab --window 100 --count 20000
ratios=() cpu_ratios=()
for ((round = 1; round <= ROUNDS; round++)); do
	order=(without with) # by turns which is first: what the machine does meanwhile falls on both
	[ $((round % 2)) -eq 1 ] || order=(with without)
	for how in "${order[@]}"; do
		saturate "$how" "$round"
		declare "rps_$how=$RPS" "cpu_$how=$CPU_US"
	done
	# shellcheck disable=SC2154 # declared above
	ratios+=("$(calc "$rps_with / $rps_without")") cpu_ratios+=("$(calc "$cpu_with / $cpu_without")")
	bench_say "round $round/$ROUNDS: $rps_without/s, relay $cpu_without us/pair; with clients $rps_with/s, $cpu_with us/pair"
done
relay_down
how="median of $ROUNDS pairs of runs by turns, $COUNT requests each, window 100, evidence on; $CLIENTS clients ask once a second (first page of decisions, status, one decision; four of them sessions), $STREAMS streams of events; clients, servers and relay share the machine's processors"
figure api.relay_throughput_with_clients "$(median "${ratios[@]}")" ratio ">= 0.98" "requests per second with these clients / without; $how"
figure api.relay_cpu_with_clients "$(median "${cpu_ratios[@]}")" ratio "" "processor time of the relay's process per pair, that of its HTTP server included, with / without"
told="with $DECISIONS decisions in the folder beside those of this load, and that load; median of the rounds' 95th percentiles"
server_figure() { # ID KIND BOUND
	figure "api.$1_p95_ms" "$(clients_figure "$2" server_p95_ms)" ms "$3" "in the server, from the head of the request to the packed reply (Server-Timing), $told"
	figure "api.$1_client_p95_ms" "$(clients_figure "$2" p95_ms)" ms "" "the same at the client, from sending the request to the last octet of the reply, over TCP: what processors shared with the relay at full load add"
}
server_figure decisions_first_page first_page "<= 10"
server_figure one_decision one_decision "<= 2"
server_figure session_lookup session_lookup "<= 0.4"
server_figure sessions_first_page sessions_page "<= 6.9"
server_figure status status ""
bench_report "$JSON" "$COMMIT"
