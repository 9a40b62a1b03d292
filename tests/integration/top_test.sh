#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# doic top over a real relay: the table for pipes, and the full screen in a terminal: its screens, keys, what it says when the daemon is
# silent, and that it leaves the terminal as it was.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 150
lab_need tmux tmux
doic=$LAB_BUILD/bin/doic
http=$LAB_DIR/http.sock
scene_conf control.socket="$LAB_DIR/ctl.sock" http.bind='""' http.socket="$http" http.label=LAB evidence.batch_max_ms=50 evidence.checkpoint_s=1
run() {
	timeout 30 "$doic" "$@" >"$LAB_DIR/out" 2>"$LAB_DIR/err" </dev/null
	echo $?
}
shown() { grep -qE -- "$1" "$LAB_DIR/out"; }
mux() { tmux -f /dev/null -S "$LAB_DIR/tmux.sock" "$@"; }
# shellcheck disable=SC2317 # called by lab_end
lab_on_end() { mux kill-server 2>/dev/null; }

is "nobody answers" "5 unreachable" "$(run top --once --socket "$http" --json) $(jq -r .outcome "$LAB_DIR/out")"
scene_server s1 --from-first --report "at=0s,for=60s,type=host,seq=7,pct=30,validity=60"
scene_server s2 --doic
scene_relay
scene_client c1 --rate 300 --duration 60s --count 30000
sleep 3

# Pipes.
is "a pipe gets the table" 0 "$(run top --socket "$http")"
ok "with the head line" shown '^dra.example.net LAB  [0-9,]+ req/s  refused [0-9.]+ %  useful [0-9,]+/s  evidence ok, checkpoint [0-9]+ s ago  [0-9:]{8}Z$'
ok "the node that asks: how much, by which state, for how long" shown '^  s1.example.net +server  in +up .* 30 % +#1 +[0-9]+ s$'
ok "the one that does not: not known is no 0" shown '^  s2.example.net +server  in +up .* - +- +-$'
ok "no escape codes" bash -c "! grep -q $'\033' $LAB_DIR/out"
is "states" 0 "$(run top --once --screen 2 --socket "$http")"
ok "are listed" shown '^ +#1  host  s1.example.net  .*active +30 %'
is "the sentences come first" "0 1" "$(run top --once --socket "$http") $(grep -cE '^s1.example.net asks for 30 % less \(loss, host, .*; we obey and selected' "$LAB_DIR/out")"
ok "does it help" bash -c "tr '\n' ' ' <$LAB_DIR/out | grep -qE '(it helps|less arrives there|it does not help|it serves what it gets|no change seen|whether it helps is not known, nothing before to compare with): .*useful answers [0-9.]+/s'"
ok "who causes it" shown 'Who causes it is not known|Nobody sends more than usual|of the excess comes from'
is "what changed" 0 "$(run top --once --screen 3 --socket "$http")"
ok "is listed" shown '^  [0-9:]{8}Z +ocs_version +state #1 held'
is "decisions" 0 "$(run top --once --screen 4 --socket "$http")"
ok "are listed" shown '^  [0-9:]{8}Z +CCR-I +(forwarded|diverted|refused) '
is "evidence" 0 "$(run top --once --screen 5 --socket "$http")"
ok "how recording goes" shown '^recording: lag .*, checkpoint [0-9]+ s ago, key [0-9a-f:]{23}$'
ok "its segments" shown '^  seg-[0-9T]+.db '
is "policy" 0 "$(run top --once --screen 6 --socket "$http")"
ok "which is in force" shown '^version 1 is in force, mode enforce'
is "no seventh" 2 "$(run top --once --screen 7 --socket "$http")"
is "our own order is this node's" "0 1" "$("$doic" ctl --socket "$LAB_DIR/ctl.sock" report set peer --reduction 10 --reason test >/dev/null; sleep 1.2
	run top --once --socket "$http") $(grep -cE '^This node itself asks all its neighbours for 10 % less \(its own order, peer, ' "$LAB_DIR/out")"
is "its sequence" 0 "$(run top --once --screen 2 --socket "$http")"
ok "is one word, without separators" shown '^  peer .* active .* [0-9]{4,}$'
"$doic" ctl --socket "$LAB_DIR/ctl.sock" report end peer --reason test >/dev/null
is "twice" "0 2" "$(run top --once -n 2 -d 0.5 --socket "$http") $(grep -c '^dra.example.net' "$LAB_DIR/out")"
is "JSON is the state" "0 dra.example.net" "$(run top --once --json --socket "$http") $(jq -r .status.node.identity "$LAB_DIR/out")"
is "a wrong delay" 2 "$(run top -d 0)"

# The full screen. What runs in the terminal says how the terminal was before and after.
screen() { mux capture-pane -p -t top; }
key() { mux send-keys -t top "$@"; }
sees() { # within 10 s
	for _ in $(seq 100); do screen >"$LAB_DIR/screen"; grep -qE -- "$1" "$LAB_DIR/screen" && return 0; sleep 0.1; done
	return 1
}
mux new-session -d -s keep 'sleep 150' # without any session the server would end
begin() { # OPTIONS...
	mux new-session -d -s top -x 120 -y 30 "stty -g >$LAB_DIR/before; $* ; echo \"code \$?\"; stty -g >$LAB_DIR/after; sleep 60"
}
finish() { # CODE: the program ended so, the terminal is as before
	ok "$2: code $1" sees "^code $1\$"
	is "$2: the terminal is as it was" "$(cat "$LAB_DIR/before")" "$(sleep 0.2; cat "$LAB_DIR/after")"
	is "$2: the screen before is back" 0 "$(mux display -p -t top '#{alternate_on}')"
	mux kill-session -t top
}
begin "$doic" top --socket "$http"
ok "the head line" sees '^ dra.example.net LAB  [0-9,]+ req/s'
ok "the sentence" sees '^ s1.example.net asks for 30 % less'
ok "the table of nodes" sees '^ s1.example.net +server +in +up'
ok "it goes on" sees 'evidence ok'
first=$(screen | grep -oE '[0-9:]{8}Z' | head -1)
sleep 2
ok "by itself" test "$first" != "$(screen | grep -oE '[0-9:]{8}Z' | head -1)"
key 2
ok "2: the states" sees '^ +#1 +host +s1.example.net'
key Enter
ok "Enter: everything about it" sees '"sequence": 7'
key Escape
ok "Esc: back" sees '^ +#1 +host +s1.example.net'
scene_tell s1 "report type=host,seq=8,pct=20,validity=60"
key 3
ok "3: what changed, as it changes" sees '^ [0-9:]{8}Z +.*s1.example.net'
key 4
ok "4: decisions" sees '^ [0-9:]{8}Z +CCR-I'
key 5
ok "5: evidence" sees '^ recording: lag'
ok "5: its segments" sees '^ seg-[0-9T]+.db'
key Enter
ok "Enter: everything about a segment" sees '"octets": [0-9]+'
key Escape
key 6
ok "6: the policy" sees '^ version 1 is in force'
key 3
key '?'
ok "?: the keys" sees 'take the node out of selection'
key '?' 1
ok "?: and back" sees '^ s1.example.net +server'
key / s 2 . Enter
sleep 0.5
ok "/: only rows with this text" bash -c "tmux -S $LAB_DIR/tmux.sock capture-pane -p -t top | grep -q '^ s2.example.net' && ! tmux -S $LAB_DIR/tmux.sock capture-pane -p -t top | grep -q '^ c1.visited'"
key o
ok "o: asks for a reason" sees 'out s2.example.net, reason:'
key C H G Enter
ok "o: is out" sees '^ s2.example.net +server +out +up'
key i
ok "i: asks too" sees 'in s2.example.net, reason:'
key C H G Enter
ok "i: is in" sees '^ s2.example.net +server +in +up'
key p
ok "p: paused" sees 'PAUSED'
key p Escape
ok "it follows one stream" bash -c "curl -s --unix-socket $http http://localhost/metrics | grep -q 'doic_http_streams 1'"
mux resize-window -t top -x 60 -y 12
sleep 0.5
ok "a small window is no trouble" sees 's1.example.net'
mux resize-window -t top -x 120 -y 30
kill -STOP "${LAB_PID[dra]}"
ok "a silent daemon: said after 3 s, with the age" sees 'STALE: nothing heard for [0-9]+ s'
ok "in the head line too" sees '\([0-9]+ s old\)'
kill -CONT "${LAB_PID[dra]}"
sleep 2
ok "it goes on when the daemon does" bash -c "! tmux -S $LAB_DIR/tmux.sock capture-pane -p -t top | grep -q STALE"
key q
finish 0 "q"
begin "$doic" top --read-only --socket "$http"
ok "read-only says so" sees 'read-only'
key o
ok "and changes nothing" sees 'read-only: nothing is changed'
key C-c
finish 130 "Ctrl-C"
begin NO_COLOR=1 "$doic" top -n 2 -d 0.5 --socket "$http"
finish 0 "-n 2"
begin TERM=dumb "$doic" top --socket "$http"
ok "TERM=dumb: the table" sees '^  s1.example.net +server'
finish 0 "TERM=dumb"
begin "$doic" top --socket "$LAB_DIR/none.sock"
finish 5 "nobody there"
is "what was done is in the trail" "CHG CHG" "$(sleep 1; sql "SELECT reason FROM act WHERE what = 'want' ORDER BY mono_ns" | xargs)"
kill "${LAB_PID[c1]}" 2>/dev/null
wait "${LAB_PID[c1]}" 2>/dev/null
unset 'LAB_PID[c1]'
scene_stop
scene_end
