# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# shellcheck shell=bash disable=SC2034
# Several daemons in a row, each at an address of its own, on top of scene.sh. Sourced, never run.
#
#   c1 (DOIC), c2 (plain), c3 (peer reports), c4 (DOIC)
#        |
#        a ------ b1 ---.
#        |\______ b2 --- d ----- s1, s2, s4 (DOIC)       a, b1, b2, d: doic.fdx, evidence in $SCENE/NAME
#        '------- n ----'
#                 '------------- s3 (plain)              n: a daemon without doic.fdx; s2 and s3 are reached by it
#                                                        s4: slow, gets only what names it
#
#   chain_begin SECONDS            work folder, addresses
#   chain_policy NAME TEXT         documents of an agent
#   chain_server NAME OPTIONS...   a doic-traffic server; scene_tell NAME LINE controls it
#   chain_daemons                  all of them, up and connected
#   chain_up NAME                  one of them, again
#   chain_client NAME OPTIONS...   a doic-traffic client at a, in the background; chain_run NAME OPTIONS... waits for its end
#   ctl NAME WORDS...              doic ctl of an agent
#   chain_sql NAME QUERY           over its newest segment
#   chain_mark                     from here on chain_count NAME CONDITION counts decisions
#   chain_kill NAME                kill -9
#   chain_stop                     everybody, in order

# shellcheck source=tests/integration/scene.sh
. "$(dirname "${BASH_SOURCE[0]}")/scene.sh"

declare -gA CHAIN_AT=() MARK=()
CHAIN_AGENTS="a b1 b2 d"

chain_begin() {
	scene_begin "$1"
	local net=127.0.$((RANDOM % 200 + 20)) name i=1
	for name in a b1 b2 n d s1 s2 s3 s4; do
		CHAIN_AT[$name]=$net.$((i++))
	done
}

chain_policy() {
	local folder=$SCENE/$1
	mkdir -p "$folder/evidence"
	printf 'evidence: { folder: %s, batch_max_ms: 50 }\ncontrol: { socket: %s }\nhttp: { bind: "", socket: "" }\npolicy: policy.yaml\n' \
		"$folder/evidence" "$LAB_DIR/$1.sock" >"$folder/doic.yaml"
	printf '%s\n' "$2" >"$folder/policy.yaml"
}

chain_server() {
	local name=$1 fd
	shift
	mkfifo "$LAB_DIR/$name.control"
	exec {fd}<>"$LAB_DIR/$name.control"
	LAB_STDIN="$LAB_DIR/$name.control" lab_start "$name" "$LAB_BUILD/bin/doic-traffic" server --listen "${CHAIN_AT[$name]}:$DRA" \
		--identity "$name.example.net" --realm example.net --json "$SCENE/$name.json" --control - --quiet "$@"
}

# Peers each daemon connects to, and where it may send what: the daemon's own scores would send back, too.
chain_peers() {
	case $1 in
	a) echo b1 b2 n ;;
	b1 | b2) echo d ;;
	n) echo d s3 ;;
	d) echo s1 s2 s4 ;;
	esac
}

chain_routes() {
	case $1 in
	a) cat <<-'END' ;;
		* : ["^b[12][.]"] += 10;
		* : "n.example.net" += NO_DELIVERY;
		dh=["^s[23][.]"] : ["^b[12][.]"] += NO_DELIVERY;
		dh=["^s[23][.]"] : "n.example.net" += 200;
	END
	b1 | b2) echo '* : "d.example.net" += 10;' ;;
	n) cat <<-'END' ;;
		* : "a.example.net" += NO_DELIVERY;
		* : "d.example.net" += 10;
	END
	d) cat <<-'END' ;;
		* : ["^(b1|b2|n)[.]"] += NO_DELIVERY;
		* : ["^s[12][.]"] += 10;
		* : "s4.example.net" += NO_DELIVERY;
	END
	esac
}

# chain_start NAME: does not wait.
chain_start() {
	local name=$1 peer peers=() extensions=()
	for peer in $(chain_peers "$name"); do
		peers+=("$peer.example.net@${CHAIN_AT[$peer]}:$DRA")
	done
	[ "$name" = n ] || extensions=("doic.fdx=$SCENE/$name/doic.yaml")
	LAB_REALM=example.net LAB_ACL="*.visited.example *.example.net" LAB_ADDRESS=${CHAIN_AT[$name]} LAB_ROUTES=$(chain_routes "$name") \
		lab_conf "$name" "$DRA" "${extensions[@]}" -- "${peers[@]}"
	LAB_STDIN='' lab_start "$name" freeDiameterd -c "$LAB_DIR/$name.conf"
}

chain_ready() {
	local name=$1 peer
	lab_wait "$name" "${LAB_PATIENCE_S:-20}" lab_said "$name" "freeDiameterd daemon initialized"
	for peer in $(chain_peers "$name"); do
		lab_open "$name" "$peer.example.net"
	done
}

# Those at the far end first: who finds its peer listening need not try again later.
chain_daemons() {
	local group name
	for group in d "b1 b2 n" a; do
		for name in $group; do chain_start "$name"; done
		for name in $group; do chain_ready "$name"; done
	done
}

chain_up() {
	chain_start "$1"
	chain_ready "$1"
}

chain_client() {
	local name=$1
	shift
	lab_start "$name" "$LAB_BUILD/bin/doic-traffic" client --connect "${CHAIN_AT[a]}:$DRA" --identity "$name.visited.example" \
		--realm visited.example --dest-realm example.net --wait 10s --json "$SCENE/$name.json" --quiet "$@"
}

chain_run() {
	chain_client "$@"
	scene_wait "$1"
}

ctl() {
	local name=$1
	shift
	"$LAB_BUILD/bin/doic" ctl --socket "$LAB_DIR/$name.sock" "$@" >"$LAB_DIR/ctl.out" 2>&1 ||
		lab_fail "doic ctl $* at $name: $(tail -n 1 "$LAB_DIR/ctl.out")"
}

chain_sql() {
	local db
	# shellcheck disable=SC2012 # segments have names without blanks
	db=$(ls -t "$SCENE/$1"/evidence/seg-*.db | head -n 1)
	sqlite3 -readonly -cmd ".read tests/integration/flat.sql" "file:$db?mode=ro" ".timeout 2000" "$2"
}

# Waits until an agent's evidence has an outcome for every decision and grows no more.
chain_settle() {
	local before now i
	before=-1
	for ((i = 0; i < 40; i++)); do
		now=$(chain_sql "$1" "select (select count(*) from decision) || ' ' || (select count(*) from outcome)")
		[ "$now" = "$before" ] && [ "${now% *}" = "${now#* }" ] && return 0
		before=$now
		sleep 0.1
	done
	lab_fail "the evidence of $1 does not come to rest: $now decisions and outcomes."
}

chain_mark() {
	local name
	for name in $CHAIN_AGENTS; do
		[ -n "${LAB_PID[$name]:-}" ] || continue
		chain_settle "$name"
		MARK[$name]=$(chain_sql "$name" 'select coalesce(max(id), 0) from decision')
	done
}

# Decisions since the mark that fit CONDITION; hop, client and host are names.
chain_count() {
	chain_settle "$1"
	chain_sql "$1" "select count(*) from decision d left join name h on h.id = d.next_hop left join name c on c.id = d.client
		left join outcome o using (id) where d.id > ${MARK[$1]:-0} and ($2)"
}

near() { # NAME WANTED SLACK GOT
	local gap=$(($4 - $2))
	ok "$1: $4 of $2 +-$3" test "${gap#-}" -le "$3"
}

chain_kill() {
	kill -9 "${LAB_PID[$1]}"
	wait "${LAB_PID[$1]}" 2>/dev/null
	unset "LAB_PID[$1]"
}

# Daemons together: each waits for the answers of its neighbours.
chain_stop() {
	local name code
	for name in a b1 b2 n d; do
		[ -z "${LAB_PID[$name]:-}" ] || kill -TERM "${LAB_PID[$name]}"
	done
	for name in a b1 b2 n d; do
		[ -n "${LAB_PID[$name]:-}" ] || continue
		lab_reap "$name" $((${LAB_PATIENCE_S:-20} * 10))
		code=$?
		[ "$code" -eq 0 ] || lab_ended "$name" "$code"
	done
	for name in s1 s2 s3 s4; do
		[ -z "${LAB_PID[$name]:-}" ] || lab_stop "$name"
	done
}
