# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Parts every measurement of relay.sh uses: the three relays, and their traffic.
#
# Needs lib.sh and figures.sh; works in $LAB_DIR and takes QUICK from relay.sh.
#
# shellcheck shell=bash disable=SC2034 # variables are the interface between these files

declare -gA CONTROL=()

# The relays that can be measured: ours only when it was built.
bench_begin() {
	figures_begin relay
	KINDS=(stock quiet)
	if [ -e "$LAB_BUILD/lib/doic.fdx" ]; then
		KINDS+=(ours)
	else
		bench_say "doic.fdx is not built: only the reference figures are measured"
	fi
	ulimit -n 4096 2>/dev/null || true
}

bench_has_ours() {
	[ -e "$LAB_BUILD/lib/doic.fdx" ]
}

# ours_conf KEY=VALUE...: writes doic.yaml and policy.yaml for the next relay of ours; keys as below, the values are
# the agent's defaults.
ours_conf() {
	local deadline_ms=10000 outstanding_max=512 journal_records=65536 pair
	for pair in "$@"; do
		local "$pair"
	done
	rm -rf "$LAB_DIR/evidence"
	cat >"$LAB_DIR/doic.yaml" <<-END
		evidence: { enabled: true, folder: $LAB_DIR/evidence, journal_records: $journal_records }
		relay: { deadline_ms: $deadline_ms }
		http: { bind: "", socket: "" }
		policy: $LAB_DIR/policy.yaml
	END
	cat >"$LAB_DIR/policy.yaml" <<-END
		outstanding_max: $outstanding_max
		trust:
		  default: { doic: true, send_reports: true, relay_reports: true, receive_reports: true }
	END
}

# relay_up KIND REALM...: one server s1.REALM per realm, the relay "dra" of that kind, all OPEN. The relay's port is in
# RELAY_PORT; a server is lab program "s-REALM", steered by tell.
relay_up() {
	local kind=$1 realm port extensions=() peers=() names=()
	shift
	for realm in "$@"; do
		lab_port port
		server_start "$realm" "$port"
		peers+=("s1.$realm:$port")
		names+=("s1.$realm")
	done
	case $kind in
	quiet) extensions=(lab_quiet.fdx) ;;
	ours) extensions=("doic.fdx=$LAB_DIR/doic.yaml") ;;
	esac
	lab_port RELAY_PORT
	lab_relay dra "$RELAY_PORT" "${extensions[@]}" -- "${peers[@]}"
	lab_open dra "${names[@]}"
	RELAY_PID=${LAB_PID[dra]}
	RELAY_REALMS=("$@")
}

relay_down() {
	local realm fd
	lab_stop dra
	for realm in "${RELAY_REALMS[@]}"; do
		lab_stop "s-$realm"
		fd=${CONTROL[$realm]}
		exec {fd}>&-
	done
}

# server_start REALM PORT: s1.REALM, obeying what tell writes to it.
server_start() {
	local fifo=$LAB_DIR/control-$1 fd
	[ -p "$fifo" ] || mkfifo "$fifo"
	exec {fd}<>"$fifo" # held open here, so that the server never sees the end of its input
	CONTROL[$1]=$fd
	LAB_STDIN=$fifo lab_start "s-$1" "$LAB_BUILD/bin/doic-traffic" server --listen "127.0.0.1:$2" \
		--identity "s1.$1" --realm "$1" --control - --doic --quiet
}

# tell REALM LINE: one control line for the server of the realm.
tell() {
	echo "$2" >&"${CONTROL[$1]}"
}

# client_start NAME REALM OPTIONS...: a client NAME.c.lab against the realm; its figures go to $LAB_DIR/NAME.json.
client_start() {
	local name=$1 realm=$2
	shift 2
	rm -f "$LAB_DIR/$name.json"
	lab_start "$name" "$LAB_BUILD/bin/doic-traffic" client --connect "127.0.0.1:$RELAY_PORT" \
		--identity "$name.c.lab" --realm c.lab --dest-realm "$realm" --template gx --json "$LAB_DIR/$name.json" \
		--quiet "$@"
}

# client_wait NAME: until the client has ended by itself, which it must do within CLIENT_LIMIT_S and with 0.
client_wait() {
	local code=0
	lab_reap "$1" $((${CLIENT_LIMIT_S:-180} * 10)) || code=$?
	[ "$code" -eq 0 ] || lab_ended "$1" "$code"
	[ -s "$LAB_DIR/$1.json" ] || lab_fail "client $1 wrote no figures."
}

# client NAME REALM OPTIONS...: one run against the realm, in the foreground; its figures go to $LAB_DIR/NAME.json.
client() {
	client_start "$@"
	client_wait "$1"
}

# result NAME FILTER: one value of a client's figures.
result() {
	jq -er "$2" "$LAB_DIR/$1.json" || lab_fail "client $1 gave no $2."
}

# expect_answers NAME CODE COUNT: a run that did not go as intended is no measurement.
expect_answers() {
	local got
	got=$(jq -r ".by_result[\"$2\"] // 0" "$LAB_DIR/$1.json")
	[ "$got" -eq "$3" ] || lab_fail "client $1 got $got answers $2 instead of $3: $(jq -c .by_result "$LAB_DIR/$1.json")"
}
