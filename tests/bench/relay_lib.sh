# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Parts every measurement of relay.sh uses: the three relays, their traffic, and the list of figures.
#
# Needs lib.sh; works in $LAB_DIR and takes QUICK from relay.sh.
#
# shellcheck shell=bash disable=SC2034 # variables are the interface between these files

declare -gA CONTROL=()

# The relays that can be measured: ours only when it was built.
bench_begin() {
	FIGURES=$LAB_DIR/figures.jsonl
	: >"$FIGURES"
	KINDS=(stock quiet)
	if [ -e "$LAB_BUILD/lib/doic.fdx" ]; then
		KINDS+=(ours)
	else
		bench_say "doic.fdx is not built: only the reference figures are measured"
	fi
	ulimit -n 4096 2>/dev/null || true
}

bench_say() {
	echo "relay: $*" >&2
}

bench_has_ours() {
	[ -e "$LAB_BUILD/lib/doic.fdx" ]
}

# figure ID VALUE UNIT BOUND HOW: BOUND is "<= 64000", ">= 1.4" or "".
figure() {
	jq -cn --arg id "$1" --argjson value "$2" --arg unit "$3" --arg bound "$4" --arg how "$5" '
		($bound | split(" ")) as $b |
		{id: $id, value: $value, unit: $unit, bound: $bound,
		 holds: (if $bound == "" then null
			 elif $b[0] == "<=" then $value <= ($b[1] | tonumber)
			 else $value >= ($b[1] | tonumber) end), how: $how}' >>"$FIGURES" ||
		lab_fail "no value for $1: got '$2'."
}

# bench_report JSON COMMIT: the table, the file, and 0 when every bound holds.
bench_report() {
	[ -s "$FIGURES" ] || lab_fail "nothing was measured."
	jq -rs '.[] | [.id, (.value * 100 | round / 100 | tostring), .unit, .bound,
		(if .holds == null then "" elif .holds then "holds" else "MISSED" end)] | @tsv' "$FIGURES" |
		while IFS=$'\t' read -r id value unit bound holds; do
			printf '%-48s %14s %-14s %-12s %s\n' "$id" "$value" "$unit" "$bound" "$holds"
		done
	if [ -n "$1" ]; then
		mkdir -p "$(dirname "$1")"
		jq -s --arg commit "$2" '{bench: "relay", commit: $commit, figures: .}' "$FIGURES" >"$1" ||
			lab_fail "$1 could not be written."
	fi
	jq -es 'all(.holds != false)' "$FIGURES" >/dev/null
}

# median NUMBERS...
median() {
	printf '%s\n' "$@" | sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# calc EXPRESSION: decimal arithmetic.
calc() {
	awk "BEGIN { printf \"%.6g\", $1 }"
}

# ours_conf KEY=VALUE...: writes doic.yaml and policy.yaml for the next relay of ours; keys: deadline_ms, outstanding_max.
ours_conf() {
	local deadline_ms=10000 outstanding_max=512 pair
	for pair in "$@"; do
		local "$pair"
	done
	rm -rf "$LAB_DIR/evidence"
	cat >"$LAB_DIR/doic.yaml" <<-END
		evidence: { enabled: true, folder: $LAB_DIR/evidence }
		relay: { deadline_ms: $deadline_ms }
		policy: policy.yaml
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
