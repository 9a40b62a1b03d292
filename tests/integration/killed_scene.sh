# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# shellcheck shell=bash
# A relay killed at full load, over and over, on one evidence folder. Sourced after scene.sh and witness.sh.
#
#   killed_rounds N [WORD]              N times: start, full load, kill -9 after 0.3 to 1.5 s; WORD is called after each with its number
#   killed_end                          once more, to the end in order; then all is counted (witness_load)

KILLED_CLIENTS=2 KILLED_WINDOW=100 KILLED_ROUND=0

# Clients under names of their own in each round, so that no identifier comes twice.
killed_clients() { # OPTIONS...
	local i
	for ((i = 1; i <= KILLED_CLIENTS; i++)); do
		witness_client "k${KILLED_ROUND}c$i" --window "$KILLED_WINDOW" --seed "$((KILLED_ROUND * KILLED_CLIENTS + i))" "$@"
	done
}

killed_clients_done() { # WORD NAME...: WORD waits for one of them
	local i
	for ((i = 1; i <= KILLED_CLIENTS; i++)); do
		"$@" "k${KILLED_ROUND}c$i"
	done
}

# A client whose relay is killed says so and ends with 1; its receipts are whole all the same.
killed_client_gone() {
	local code=0
	lab_reap "$1" 50 || code=$?
	[ "$code" -eq 1 ] || lab_fail "client $1 ended with $code: $(tail -n 1 "$LAB_DIR/$1.log")"
}

killed_round() {
	KILLED_ROUND=$((KILLED_ROUND + 1))
	if [ "$KILLED_ROUND" -eq 1 ]; then witness_fresh; else scene_relay; fi
	killed_clients --duration 60s
	sleep "$((RANDOM % 1200 + 300))e-3"
	lab_alive dra
	lab_reap dra 0 # kills at once
	killed_clients_done killed_client_gone
}

killed_rounds() {
	local i
	for ((i = 1; i <= $1; i++)); do
		killed_round
		[ -z "${2:-}" ] || "$2" "$i"
	done
}

killed_end() {
	KILLED_ROUND=$((KILLED_ROUND + 1))
	scene_relay
	killed_clients --count 1000
	killed_clients_done scene_wait
	scene_stop
	witness_load
	# What was on its way at a kill: never more than the clients' windows.
	KILLED_ON_ITS_WAY=$(((KILLED_ROUND - 1) * KILLED_CLIENTS * KILLED_WINDOW))
}

# Answers that the clients of the round got.
killed_answers() {
	cat "$SCENE/k${KILLED_ROUND}"c?.json | jq -s 'map(.answers) | add'
}

killed_tests() { # NAME
	witness_nothing_lost "$1"
	ok "$1: decided but not arrived is what was on its way ($(witness requests_not_arrived) of at most $KILLED_ON_ITS_WAY)" \
		test "$(witness requests_not_arrived)" -le "$KILLED_ON_ITS_WAY"
	ok "$1: so is answered but not arrived ($(witness answers_not_arrived))" test "$(witness answers_not_arrived)" -le "$KILLED_ON_ITS_WAY"
	ok "$1: and decided without an end ($(witness decisions_open))" test "$(witness decisions_open)" -le "$KILLED_ON_ITS_WAY"
	witness_verify "$1"
}
