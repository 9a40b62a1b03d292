# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Laboratory for tests and benchmarks: starts freeDiameter relays and other programs, and never leaves one running.
#
#   . tests/integration/lib.sh
#   lab_begin build/release 300          work folder $LAB_DIR, at most 300 s in all
#   lab_port PORT                        a free port of 127.0.0.1, into the variable PORT
#   lab_relay dra "$PORT" EXTENSIONS... -- PEERS...
#                                        EXTENSION is "name.fdx" or "name.fdx=SECOND STRING"; PEER is "identity:port",
#                                        or "identity@address:port" when it is not at 127.0.0.1
#   lab_open dra s1.a.lab c1.c.lab       waits until the relay says that these peers are OPEN
#   lab_start sink COMMAND...            any other program, output in $LAB_DIR/sink.log
#   lab_stop dra                         SIGTERM, then SIGKILL; fails when the program had ended badly
#
# Everything runs in the calling shell, never in $( ): a child dies with the shell that started it, even when that
# shell is killed, and at the latest when the time of lab_begin is over. LAB_WRAP (an array) stands in front of the
# next relay's command, for example (valgrind --tool=callgrind); LAB_STDIN is the standard input of what starts next. Failures are one sentence on stderr and exit 1.
#
# shellcheck shell=bash disable=SC2034 # variables are the interface between these files

LAB_WRAP=()
declare -gA LAB_PID=()

# A script may define lab_on_fail to save what it has; it is called once, before the exit.
lab_fail() {
	[ ! -t 2 ] || [ "${TERM:-dumb}" = dumb ] || printf '\r\033[K' >&2 # a line that says how far it is may stand there
	echo "lab: $*" >&2
	if declare -F lab_on_fail >/dev/null; then
		lab_on_fail_once
	fi
	exit 1
}

lab_on_fail_once() {
	[ -z "${LAB_FAILED:-}" ] || return 0
	LAB_FAILED=1
	lab_on_fail
}

# lab_need PROGRAM PACKAGE: one sentence when a program is missing.
lab_need() {
	command -v "$1" >/dev/null 2>&1 || lab_fail "$1 is missing: install it with 'apt-get install $2'."
}

lab_begin() {
	LAB_BUILD=$(realpath "$1") || lab_fail "build folder $1 does not exist: build first."
	lab_need freeDiameterd freediameterd
	lab_need setpriv util-linux
	[ -e /usr/lib/freeDiameter/acl_wl.fdx ] ||
		lab_fail "freeDiameter's extensions are missing: install them with 'apt-get install freediameter-extensions'."
	LAB_DIR=$(mktemp -d "${TMPDIR:-/tmp}/doic-lab.XXXXXX") || lab_fail "no work folder could be made."
	trap lab_end EXIT
	trap 'echo; echo "lab: interrupted, stopping what was started." >&2; exit 130' INT
	trap 'exit 143' TERM
	setpriv --pdeathsig TERM bash -c "sleep $2 & trap 'kill \$!; exit' TERM; wait
		echo 'lab: the time limit of $2 s is over.' >&2; kill -TERM $$
		sleep 15 & wait; kill -KILL $$" & # a shell that waits for a command does not hear SIGTERM
	LAB_ALARM=$!
}

# Runs at every exit. Keeps the work folder when LAB_KEEP is set. A script may define lab_on_end, called when all programs
# have ended, for what must be gone before the folder can be.
lab_end() {
	local name
	trap - EXIT INT TERM
	for name in "${!LAB_PID[@]}"; do
		kill -TERM "${LAB_PID[$name]}" 2>/dev/null
	done
	for name in "${!LAB_PID[@]}"; do
		lab_reap "$name" 50
	done
	kill "$LAB_ALARM" 2>/dev/null
	wait "$LAB_ALARM" 2>/dev/null
	if declare -F lab_on_end >/dev/null; then
		lab_on_end
	fi
	[ -n "${LAB_KEEP:-}" ] || rm -rf "$LAB_DIR"
}

# lab_reap NAME TENTHS: waits that long for the end of NAME, then kills it; its exit code is the return value.
lab_reap() {
	local pid=${LAB_PID[$1]} i
	for ((i = 0; i < $2; i++)); do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.1
	done
	kill -KILL "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	local code=$?
	unset "LAB_PID[$1]"
	return "$code"
}

# A port nobody uses, below the range the system gives to clients. Ports are handed out one after the other, to all labs of this
# machine: taken at random, two labs at once may get the same one, or one whose last connections the system still keeps (TIME_WAIT).
LAB_PORTS=${TMPDIR:-/tmp}/doic-lab-ports.$UID

lab_next_port() {
	local last
	exec 3<>"$LAB_PORTS" || return
	flock 3
	read -r last <&3 || last=$((RANDOM % 12000))
	echo $(((last + 1) % 12000)) >"$LAB_PORTS"
	exec 3>&-
	echo $(((last + 1) % 12000 + 20000))
}

lab_port_used() {
	cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q "^ *[0-9]*: [0-9A-F]*:$(printf %04X "$1") "
}

lab_port() {
	local -n into=$1
	local tries
	for ((tries = 0; tries < 100; tries++)); do
		into=$(lab_next_port) || break
		lab_port_used "$into" || return 0
	done
	lab_fail "no free port between 20000 and 32000 was found."
}

# lab_start NAME COMMAND...: input from LAB_STDIN or nothing, output to $LAB_DIR/NAME.log.
lab_start() {
	local name=$1
	shift
	[ -z "${LAB_PID[$name]:-}" ] || lab_fail "$name is running already."
	setpriv --pdeathsig KILL -- "$@" >"$LAB_DIR/$name.log" 2>&1 <"${LAB_STDIN:-/dev/null}" &
	LAB_PID[$name]=$!
}

# lab_words NAME: the line of its log that says most about its end.
lab_words() {
	local log=$LAB_DIR/$1.log
	grep -m 1 -E "ERROR|FATAL" "$log" || grep -v '^[[:space:]]*$' "$log" | tail -n 1
}

# lab_ended NAME CODE: one sentence about a program that ended with CODE.
lab_ended() {
	if grep -qi "address already in use" "$LAB_DIR/$1.log"; then
		lab_fail "$1 found its port in use: run this once more, another port is taken each time."
	fi
	local words
	words=$(lab_words "$1")
	if [ "$2" -gt 128 ] && [ "$2" -le 192 ]; then
		lab_fail "$1 was killed by SIG$(kill -l $(($2 - 128)))${words:+; its last words: $words}."
	fi
	lab_fail "$1 ended with code $2${words:+: $words}."
}

# lab_alive NAME: fails with one sentence when the program has ended.
lab_alive() {
	local pid=${LAB_PID[$1]:-} code
	[ -n "$pid" ] || lab_fail "$1 is not running."
	kill -0 "$pid" 2>/dev/null && return 0
	wait "$pid" 2>/dev/null
	code=$?
	unset "LAB_PID[$1]"
	lab_ended "$1" "$code"
}

# lab_wait NAME SECONDS COMMAND...: until COMMAND succeeds while NAME lives.
lab_wait() {
	local name=$1 tenths=$(($2 * 10)) i
	shift 2
	for ((i = 0; i < tenths; i++)); do
		"$@" && return 0
		lab_alive "$name"
		sleep 0.1
	done
	lab_fail "$name did not come that far in $((tenths / 10)) s: $*"
}

lab_said() {
	grep -q "$2" "$LAB_DIR/$1.log" 2>/dev/null
}

# lab_extension SPEC: one LoadExtension line; our own .fdx are taken from the build folder.
lab_extension() {
	local file=${1%%=*} option=""
	[ "$file" = "$1" ] || option=" : \"${1#*=}\""
	[ ! -e "$LAB_BUILD/lib/$file" ] || file="$LAB_BUILD/lib/$file"
	echo "LoadExtension = \"$file\"$option;"
}

# lab_conf NAME PORT EXTENSIONS... -- PEERS...: writes $LAB_DIR/NAME.conf. The realm is LAB_REALM or "lab"; LAB_ACL
# names the clients that may connect; LAB_ADDRESS is its own address; LAB_ROUTES are rules for rt_default instead of "any".
lab_conf() {
	local name=$1 port=$2
	shift 2
	echo "ALLOW_IPSEC ${LAB_ACL:-*.lab *.a.lab *.b.lab *.c.lab}" >"$LAB_DIR/acl_$name.conf"
	local routes=$LAB_DIR/rt_default.conf peer
	echo '* : rlm=["."] += 1;' >"$routes"
	if [ -n "${LAB_ROUTES:-}" ]; then
		routes=$LAB_DIR/rt_$name.conf
		printf '%s\n' "$LAB_ROUTES" >"$routes"
	fi
	{
		echo "Identity = \"$name.${LAB_REALM:-lab}\";"
		echo "Realm = \"${LAB_REALM:-lab}\";"
		echo "Port = $port; SecPort = 0; No_SCTP; No_IPv6; TcTimer = 6; TwTimer = 30;"
		lab_extension "lab_loopback.fdx=${LAB_ADDRESS:-127.0.0.1}"
		echo "LoadExtension = \"acl_wl.fdx\" : \"$LAB_DIR/acl_$name.conf\";"
		echo "LoadExtension = \"rt_default.fdx\" : \"$routes\";"
		while [ $# -gt 0 ] && [ "$1" != -- ]; do
			lab_extension "$1"
			shift
		done
		while [ $# -gt 1 ]; do
			shift
			peer=${1%:*}
			[ "$peer" != "${peer#*@}" ] || peer+=@127.0.0.1
			echo "ConnectPeer = \"${peer%@*}\" { ConnectTo = \"${peer#*@}\"; Port = ${1##*:}; No_TLS; };"
		done
	} >"$LAB_DIR/$name.conf"
}

# lab_relay NAME PORT EXTENSIONS... -- PEERS...: starts a relay and waits until it listens.
lab_relay() {
	lab_conf "$@"
	LAB_STDIN='' lab_start "$1" "${LAB_WRAP[@]}" freeDiameterd -c "$LAB_DIR/$1.conf"
	lab_wait "$1" "${LAB_PATIENCE_S:-20}" lab_said "$1" "freeDiameterd daemon initialized"
}

# lab_open NAME PEERS...: until the relay has said that each peer is OPEN.
lab_open() {
	local name=$1 peer
	shift
	for peer in "$@"; do
		lab_wait "$name" "${LAB_PATIENCE_S:-20}" lab_said "$name" "'STATE_OPEN'.*'$peer'"
	done
}

# lab_stop NAME: ends it; a program that did not end well by itself is a failure.
lab_stop() {
	local code
	lab_alive "$1"
	kill -TERM "${LAB_PID[$1]}"
	lab_reap "$1" $((${LAB_PATIENCE_S:-20} * 10))
	code=$?
	[ "$code" -eq 0 ] || [ "$code" -eq 143 ] || lab_ended "$1" "$code"
}
