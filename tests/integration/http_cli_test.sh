#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The command line against the HTTP server of a real relay: doic ctl asks and commands, tokens open what their role allows and nothing else,
# every exit code agrees with its JSON, doic serve shows the finished folder, read-only.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 240
doic=$LAB_BUILD/bin/doic
http=$LAB_DIR/http.sock
tokens=$LAB_DIR/tokens
scene_conf control.socket="$LAB_DIR/ctl.sock" http.bind=127.0.0.1:0 http.socket="$http" http.tokens="$tokens" http.reads_need_token=true http.label=LAB \
	evidence.batch_max_ms=50 evidence.checkpoint_s=1

# Into $LAB_DIR/out and $LAB_DIR/err; its exit code.
run() {
	timeout 30 "$doic" "$@" >"$LAB_DIR/out" 2>"$LAB_DIR/err" </dev/null
	echo $?
}
ctl() { run ctl --socket "$http" "$@"; }
out() { cat "$LAB_DIR/out"; }
json() { jq -rs "if length == 1 then .[0] | $1 else \"not one object\" end" "$LAB_DIR/out"; }
said() { grep -qF -- "$1" "$LAB_DIR/err"; }
shown() { grep -qE -- "$1" "$LAB_DIR/out"; }

# Tokens.
is "a token is made" 0 "$(run token ops administrator --tokens "$tokens")"
cp "$LAB_DIR/out" "$LAB_DIR/ops.token"
is "it is one line, begins with its name" "1 ops" "$(wc -l <"$LAB_DIR/ops.token") $(cut -d. -f1 "$LAB_DIR/ops.token")"
is "the file is its owner's" 600 "$(stat -c %a "$tokens")"
ok "the file does not hold the token" bash -c "! grep -qF \"\$(cat $LAB_DIR/ops.token)\" $tokens"
is "a second of the same name is refused" 1 "$(run token ops observer --tokens "$tokens")"
is "and its JSON says so" "1 exists" "$(run token ops observer --tokens "$tokens" --json >/dev/null; json '"\(.exit) \(.outcome)"')"
is "an observer's, in JSON" 0 "$(run token eyes observer --tokens "$tokens" --json)"
json .token >"$LAB_DIR/eyes.token"
chmod 600 "$LAB_DIR"/*.token
is "a third" 0 "$(run token gone administrator --tokens "$tokens")"
cp "$LAB_DIR/out" "$LAB_DIR/gone.token"
is "no such role" 2 "$(run token x root --tokens "$tokens")"
is "no such name" 2 "$(run token 'a b' observer --tokens "$tokens")"
is "the list has names and roles" "ops administrator eyes observer gone administrator" \
	"$(run token list --tokens "$tokens" >/dev/null; sed 1d "$LAB_DIR/out" | xargs)"
is "revoking nobody" 1 "$(run token revoke nobody --tokens "$tokens")"
chmod 644 "$tokens"
is "a file that others may read is not used" 4 "$(run token list --tokens "$tokens")"
chmod 600 "$tokens"
for i in $(seq 8); do "$doic" token "many$i" observer --tokens "$LAB_DIR/many" >/dev/null 2>&1 & pids[i]=$!; done
wait "${pids[@]}"
is "of eight made at once none is lost" 8 "$(grep -c . "$LAB_DIR/many")"

# Nobody is there yet.
is "nobody answers" 5 "$(ctl status --json)"
is "the JSON says the same" "5 unreachable false" "$(json '"\(.exit) \(.outcome) \(.ok)"')"
ok "with what to look at" said "is the daemon running"

scene_server s1 --doic
scene_server s2
scene_relay
url=http://127.0.0.1:$(grep -ao 'dashboard and API at .*, port [0-9]*' "$LAB_DIR/dra.log" | grep -o '[0-9]*$' | head -1)

is "status" 0 "$(ctl status)"
ok "says in a sentence what is going on" shown '^Nobody has asked for less'
ok "and what is not known is no 0" shown '^  s1.example.net  *- .* - '
scene_client c1 --rate 400 --count 1200
sleep 2.5
is "status under load" 0 "$(ctl status)"
ok "the answer time of a server is told" shown '^  s1.example.net  *server .* [0-9.]+ m?s +- +- +-$'
ok "and why that of others is not" shown '^P99 "-": it answered nothing'
ok "tells requests per second" shown '^dra.example.net LAB  [34][0-9]{2} req/s  refused 0.0 %'
scene_wait c1
is "status as JSON is the reply of the server" "dra.example.net 200 done" "$(ctl status --json >/dev/null; json '"\(.reply.node.identity) \(.status) \(.outcome)"')"
is "peers" 0 "$(ctl peers)"
is "both servers and what they are" "s1.example.net up s2.example.net up" \
	"$(ctl peers --json >/dev/null; json '[.reply.peers[] | select(.configured) | "\(.peer) \(.is)"] | sort | join(" ")')"
is "reports, none yet" 0 "$(ctl reports)"
ok "says so" shown '^no report was received yet$'
is "pools" 0 "$(ctl pools)"
ok "have their nodes" shown 's2.example.net'
is "metrics" 0 "$(ctl metrics)"
ok "are those of the server" shown '^doic_requests_total'

# Sessions, and why: Session-Ids as they are on the wire, half of what goes to s1 refused.
scene_tell s1 "report type=host,seq=8,pct=50,validity=60"
scene_client c2 --rate 300 --count 600 --dest-host s1.example.net --sessions 10 --template gx --subscribers 4 --dump "$LAB_DIR/c2.pcap" --seed 2
scene_wait c2
is "reports" 0 "$(ctl reports)"
ok "has what came, and what became of it" shown '20[0-9-]+T.* new .* s1.example.net .* 0.5 '
is "of which one is asked for" 1 "$(ctl reports -n 1 --json >/dev/null; json '.reply.reports | length')"
sleep 1
is "status, of a server that asks for less" 0 "$(ctl status)"
ok "who asks, how much, do we obey" shown '^s1.example.net asks for 50 % less \(loss, host, .*\), held for [0-9]+ s; we obey and selected (49|50)\.'
grep -aoE 'c2\.visited\.example;[0-9A-Za-z;._-]+' "$LAB_DIR/c2.pcap" | sort -u | tail -12 >"$LAB_DIR/session_ids"
imsi=$(tshark -r "$LAB_DIR/c2.pcap" -T fields -e diameter.Subscription-Id-Data 2>/dev/null | tr , '\n' | grep -E '^[0-9]{15}$' | head -1)
# Of one Session-Id: what SQL counts under its pseudonym, and what is said of it.
counted() { sql "SELECT count(*) || ' ' || count(CASE WHEN verdict = 'refused' THEN 1 END) FROM v_decision WHERE session = $1"; }
told=0 same=0 seen=0 refusals=0 counted=0
while read -r line; do
	session_id=$line
	seen=$((seen + 1))
	[ "$(ctl why "$session_id" --json)" = 0 ] || continue
	told=$((told + 1))
	pseudonym=$(json .reply.session)
	refused=$(sql "SELECT count(*) FROM v_decision WHERE session = $pseudonym AND verdict = 'refused'")
	counted=$((counted + refused))
	[ "$(json '.reply.decisions | "\(length) \(map(select(.verdict == "refused")) | length)"')" = "$(counted "$pseudonym")" ] && same=$((same + 1))
	refusals=$((refusals + $(json '[.reply.decisions[] | select(.verdict == "refused" and .why != null and .version == 1 and .selected_by == "host")] | length')))
done <"$LAB_DIR/session_ids"
ok "sessions were seen on the wire" test "$seen" = 12
is "why of each Session-Id answers" "$seen" "$told"
is "with every decision of it" "$seen" "$same"
is "refusals name their reason and the report's version" "$counted" "$refusals"
ok "and there are some" test "$refusals" -gt 0
is "why of a Session-Id, for people" 0 "$(ctl why "$session_id")"
ok "is told under its pseudonym" shown "^session $pseudonym\$"
is "why of that pseudonym" 0 "$(ctl why "$pseudonym")"
ok "is the table of its decisions" shown '^ *id  *time  *command_text'
id=$(ctl why "$pseudonym" --json >/dev/null; json '.reply.decisions[0].id')
is "why of one decision" 0 "$(ctl why "$id")"
ok "tells what it depended on" shown '^  candidates'

# A refused request of which only the Session-Id is known: what the page's Find asks for, and what doic ctl why says of it.
api() { curl -s --unix-socket "$http" "http://localhost/api/v1/$1" "${@:2}"; }
find_way() { # SESSION-ID: its newest decision
	local session
	session=$(jq -cn --arg text "$1" '{ kind: "session_id", text: $text }' | api sessions/find -H 'Content-Type: application/json' -d @- | jq -r .session)
	api "decisions/$(api "decisions?session=$session&limit=1" | jq -r '.decisions[0].id')"
}
refused_id=
while read -r line; do
	find_way "$line" >"$LAB_DIR/found"
	[ "$(jq -r .verdict "$LAB_DIR/found")" = refused ] && refused_id=$line && break
done <"$LAB_DIR/session_ids"
ok "Find knows a Session-Id whose newest request was refused" test -n "$refused_id"
told_of() { jq -r "$1 | \"\(.id) \(.verdict) \(.why) \(.result_code) \(.selected_by) \(.looks[.selected_by] | \"\(.version) \(.share_ratio) \(.subject) \(.sequence) \(.report.number)\")\"" "$2"; }
is "check 4: why of it" 0 "$(ctl why "$refused_id" --json)"
is "check 4: it names the request, reason, state, share and report that Find does" "$(told_of . "$LAB_DIR/found")" "$(told_of .reply.newest "$LAB_DIR/out")"
ok "check 4: and those are known" grep -qE '^[^ ]+ refused [a-z_]+ [0-9]+ host 1 0?\.?[0-9]+ s1.example.net 8 [0-9]+$' <(told_of . "$LAB_DIR/found")
is "check 4: why of it, for people" 0 "$(ctl why "$refused_id")"
ok "check 4: state and share in words" shown "^  host: state #1 of s1.example.net, which asks for 50 % less, share $(jq -r '.looks.host.share_ratio' "$LAB_DIR/found" |
	awk '{ printf "%.1f", 100 * $1 }') %, draw [0-9]+ under it\$"
ok "check 4: reason and result in words" shown "^refused with $(jq -r '"\(.result_code): \(.why), host state #\(.version)"' "$LAB_DIR/found")\$"
# One with more decisions: the newest is told, the others are counted.
longest=$(grep -aoE 'c2\.visited\.example;[0-9A-Za-z;._-]+' "$LAB_DIR/c2.pcap" | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
ctl why "$longest" --json >/dev/null
others=$(($(json '.reply.decisions | length') - 1)) several=$(json .reply.session)
ok "check 4: there is one: $((others + 1))" test "$others" -ge 1
is "check 4: the newest is the first of the list" "true" "$(json '.reply.newest.id == .reply.decisions[0].id and .reply.newest.time >= .reply.decisions[1].time')"
is "check 4: why of a session of several" 0 "$(ctl why "$longest")"
ok "check 4: how many, how many refused" shown "^newest of $((others + 1)) decisions, [0-9]+ of them refused:\$"
ok "check 4: how many others, how to list them" shown "^$others others? of the same session: doic ctl why $several\$"
is "check 4: and that lists them" "0 $((others + 1))" "$(ctl why "$several" --json) $(json '.reply.decisions | length')"
is "why of a decision there is not" "1 no null 404" "$(ctl why "${id%-*}-99999999" --json) $(json '"\(.outcome) \(.reply.decisions) \(.status)"')"
is "why of a Session-Id nobody has" 1 "$(ctl why 'c9.visited.example;1;2')"
ok "says so" said "no decision of such a session is in the evidence"
is "that somebody was looked up is a row, whom is not" "session_id" "$(sleep 1; sql "SELECT DISTINCT object FROM act WHERE what = 'unlock'")"
is "sessions" 0 "$(ctl sessions)"
ok "are listed" shown "^ *$pseudonym"
is "sessions of a Session-Id" "0 $pseudonym" "$(ctl sessions "$session_id" --json) $(json .reply.session)"
is "sessions of a subscriber" 0 "$(ctl sessions "$imsi" --json)"
is "are those of one subscriber" 1 "$(json '[.reply.sessions[].subscriber] | unique | length')"
is "sessions of nobody" 1 "$(ctl sessions 999999999999999)"

# Every outcome is one object with the same keys, whichever way it goes.
keys() { json 'keys - ["states", "note"] | join(" ")'; }
all="command error exit message ok outcome reply schema status tool"
ctl status --json >/dev/null
is "keys of a good reply" "$all" "$(keys)"
for words in "why 1-2" "nonsense" "report" "why" "policy rollback 99 --reason x" "sessions --rate 5" "policy apply $LAB_DIR/none.yaml --reason x" "out s9 --reason x" "--tineout 3 status"; do
	# shellcheck disable=SC2086 # words
	ctl $words --json >/dev/null
	is "keys of: ctl $words" "$all" "$(keys)"
	is "its message is the one on stderr" "$(json .message | cut -c1-60)" "$(sed 's/^doic ctl: //' "$LAB_DIR/err" | cut -c1-60 | sed 's/  (doic.*//')"
done
run ctl --socket "$LAB_DIR/ctl.sock" load set 99999 --json >/dev/null
is "keys of a refusal over the control socket" "$all" "$(keys)"
run ctl --socket "$LAB_DIR/none.sock" ping --json >/dev/null
is "keys when nobody is at the control socket" "$all" "$(keys)"
run ctl --socket "$LAB_DIR/none.sock" tap --json >/dev/null
is "keys when nobody streams" "$all" "$(keys)"
ctl why $'\xff;\xfe' --json >/dev/null
is "keys when what is asked is no UTF-8" "$all" "$(keys)"
run ctl --socket "$LAB_DIR/ctl.sock" states --json >/dev/null
is "keys of a good reply over the control socket" "$all" "$(keys)"

# Out and in.
is "out without a reason" 2 "$(ctl out s2.example.net)"
is "out of a node that is none" 6 "$(ctl out s9.example.net --reason x)"
ok "offers the nearest" said "did you mean s"
is "out" 0 "$(ctl out S2.example.NET --reason CHG-4411)"
ok "says so" shown '^s2.example.net is out'
is "is wanted out" out "$(ctl status --json >/dev/null; json '.reply.peers["s2.example.net"].wanted')"
is "in" 0 "$(ctl in s2.example.net --reason "done" --json)"
is "in JSON" "0 in in" "$(json '"\(.exit) \(.command) "')$(ctl status --json >/dev/null; json '.reply.peers["s2.example.net"].wanted')"
sleep 1
is "both are rows of the trail" "CHG-4411 done" "$(sql "SELECT reason FROM act WHERE what = 'want' ORDER BY mono_ns" | xargs)"

# The policy.
is "policy show" 0 "$(ctl policy show)"
ok "is the document in force, word for word" cmp "$LAB_DIR/out" "$SCENE/policy.yaml"
printf 'outstanding_max: many\n' >"$LAB_DIR/wrong.yaml"
is "a wrong one is refused" 6 "$(ctl policy apply "$LAB_DIR/wrong.yaml" --reason CHG-1)"
ok "with file, line, column, and that the old one runs" said "wrong.yaml:1:18:"
ok "and which is running" said "still running version 1"
is "check of it" 6 "$(ctl policy check "$LAB_DIR/wrong.yaml")"
printf 'outstanding_max: many\nmode: maybe\nrecovery: { ramp_ms: 700000, speed: 3 }\n' >"$LAB_DIR/next.yaml"
is "check of one with four mistakes" 6 "$(ctl policy check "$LAB_DIR/next.yaml" --json)"
is "tells all four" "1:18 2:7 3:22 3:30" "$(grep -o 'next.yaml:[0-9]*:[0-9]*' "$LAB_DIR/err" | cut -d: -f2- | xargs)"
is "in JSON too" "4 outstanding_max mode recovery.ramp_ms recovery.speed" "$(json '"\(.reply.errors_found) \([.reply.errors[].key] | join(" "))"')"
echo "mode: enforce" >"$LAB_DIR/nobody.yaml"
is "check of one that trusts nobody" 0 "$(ctl policy check "$LAB_DIR/nobody.yaml" --json)"
is "answers the document, with a warning" "true trust 0" "$(json '"\(.reply.valid) \(.reply.warnings[0].key) \(.reply.errors_found)"')"
ok "and warns in words" said "warning: $LAB_DIR/nobody.yaml:1:1: trust: nobody is trusted"
is "a file that is not there" 4 "$(ctl policy apply "$LAB_DIR/none.yaml" --reason CHG-1)"
{ cat "$SCENE/policy.yaml"; echo "# once more"; } >"$LAB_DIR/right.yaml"
is "check of a right one" 0 "$(ctl policy check "$LAB_DIR/right.yaml")"
is "changes nothing" 1 "$(ctl policy show --json >/dev/null; json .reply.version)"
is "diff of a right one" 0 "$(ctl policy diff "$LAB_DIR/right.yaml")"
ok "is the line that is new" shown '^\+ +[0-9]+  # once more$'
is "diff of the one in force" 0 "$(ctl policy diff "$SCENE/policy.yaml")"
ok "says that there is none" shown '^no difference to the document in force$'
is "diff of a wrong one" 6 "$(ctl policy diff "$LAB_DIR/wrong.yaml")"
is "diff of no file" 2 "$(ctl policy diff)"
is "apply" 0 "$(ctl policy apply "$LAB_DIR/right.yaml" --reason CHG-2)"
ok "tells the versions" shown '^version 2 is in force'
is "it is the one in force" "$(cat "$LAB_DIR/right.yaml")" "$(ctl policy show >/dev/null; out)"
is "rollback" 0 "$(ctl policy rollback --reason CHG-3)"
ok "says whose document is in force again, which the file has" shown '^version 3 is in force; its document is that of version 1$'
ctl policy show >/dev/null
ok "it is the first document, word for word" cmp "$LAB_DIR/out" "$SCENE/policy.yaml"
is "rollback to a version" 0 "$(ctl policy rollback 2 --reason CHG-3 --json)"
is "in JSON, with that the file has another" "0 done policy 4 false" "$(json '"\(.exit) \(.outcome) \(.command) \(.reply.version) \(.reply.is_in_file)"')"
is "rollback to none there is" 6 "$(ctl policy rollback 99 --reason CHG-3)"
is "rollback to no version" 2 "$(ctl policy rollback first --reason CHG-3)"
is "each is a row" "CHG-2 CHG-3 CHG-3" "$(sleep 1; sql "SELECT reason FROM act WHERE what = 'policy' ORDER BY mono_ns" | xargs)"
is "history" 0 "$(ctl policy history)"
ok "has who put a version in force and why, newest first" bash -c "sed -n 2p '$LAB_DIR/out' | grep -qE '^ *4 .*CHG-3'"
is "in JSON" "4 3 2 1" "$(ctl policy history --json >/dev/null; json '.reply.versions[].version' | xargs)"
is "policy of no word" 2 "$(ctl policy aply "$LAB_DIR/right.yaml")"
ok "is corrected" said 'did you mean "apply"'

# The stream.
is "tap ends after its lines" 0 "$(ctl tap -n 2)"
is "two of them" 2 "$(wc -l <"$LAB_DIR/out")"
is "as JSON, one object a line" "0 2" "$(ctl tap -n 2 --json) $(jq -c .event "$LAB_DIR/out" | wc -l)"
timeout -s INT 2 "$doic" ctl --socket "$http" tap >"$LAB_DIR/out" 2>"$LAB_DIR/err"
is "Ctrl-C leaves no complaint" "" "$(cat "$LAB_DIR/err")"

# Roles, over TCP.
as() { # WHO ARGS...
	local who=$1
	shift
	DOIC_TOKEN_FILE=$LAB_DIR/$who.token run ctl --url "$url" "$@"
}
is "without a token" 6 "$(run ctl --url "$url" status)"
is "an observer reads" 0 "$(as eyes status)"
is "and changes nothing" 6 "$(as eyes out s1.example.net --reason x --json)"
is "the JSON names refusal and status" "6 refused 403" "$(json '"\(.exit) \(.outcome) \(.status)"')"
ok "the role is named" said administrator
is "an administrator does" 0 "$(as ops out s1.example.net --reason CHG-5)"
is "by name" ops "$(sleep 1; sql "SELECT who FROM act WHERE reason = 'CHG-5'")"
as ops in s1.example.net --reason CHG-5 >/dev/null
is "the third is let in" 0 "$(as gone status)"
is "revoked" 0 "$(run token revoke gone --tokens "$tokens")"
sleep 2
is "and no longer let in" 6 "$(as gone status)"
is "a token file that is not there" 4 "$(DOIC_TOKEN_FILE=$LAB_DIR/none run ctl --url "$url" status)"
is "an address of nobody" 5 "$(run ctl --url http://127.0.0.1:9 status)"
is "no address" 2 "$(run ctl --url ftp://127.0.0.1 status)"
is "the control socket goes on as before" 0 "$(run ctl --socket "$LAB_DIR/ctl.sock" ping)"
is "it takes no URL" 2 "$(run ctl --url "$url" states)"

# Who is out stays out over a restart.
is "out, before a restart" 0 "$(ctl out s2.example.net --reason CHG-6)"
lab_stop dra
scene_relay
wanted() { ctl status --json >/dev/null; json '.reply.peers["s2.example.net"].wanted'; }
is "is out after it" out "$(wanted)"
ok "the log says so" grep -aq 'want s2.example.net from in to out by=system reason="as before the restart"' "$LAB_DIR/dra.log"
is "in" 0 "$(ctl in s2.example.net --reason CHG-6)"
lab_stop dra
echo nonsense >"$SCENE/evidence/sequence.out"
scene_relay
is "a damaged list is named, and all are in" in "$(wanted)"
ok "in the log" grep -aq 'sequence.out: not a list of neighbours' "$LAB_DIR/dra.log"
lab_stop dra
printf 'doic.out/1\ns1.exa\0mple.net\nnot a name\ns2.example.net\n\0\n' >"$SCENE/evidence/sequence.out"
echo half >"$SCENE/evidence/sequence.out.doic-new" # as a life that was killed leaves it
scene_relay
is "names behind an octet that no name has are not lost" "out in" "$(wanted) $(json '.reply.peers["s1.example.net"].wanted')"
is "lines that are none are said" "2 3 5" "$(grep -ao 'sequence.out: line [0-9]* is no neighbour' "$LAB_DIR/dra.log" | grep -o 'line [0-9]*' | cut -d' ' -f2 | xargs)"
ok "and what was half written is gone" test ! -e "$SCENE/evidence/sequence.out.doic-new"
is "in" 0 "$(ctl in s2.example.net --reason CHG-6)"

# A folder, served.
scene_stop
cp -r "$SCENE/evidence" "$LAB_DIR/copy"
find "$LAB_DIR/copy" -exec chmod a-w {} +
before=$(find "$LAB_DIR/copy" -type f -exec sha256sum {} + | sort)
lab_start serve "$doic" serve "$LAB_DIR/copy" --socket "$LAB_DIR/serve.sock"
lab_wait serve 10 grep -q '^http://127.0.0.1:[0-9]*/$' "$LAB_DIR/serve.log"
served=$(head -1 "$LAB_DIR/serve.log")
is "the printed address answers" 200 "$(curl -s -o /dev/null -w '%{http_code}' "${served}livez")"
is "and so does the page" 200 "$(curl -s -o /dev/null -w '%{http_code}' "$served")"
port=$(tr -dc '0-9' <<<"${served##*:}")
is "it listens on loopback only" "127.0.0.1:$port" "$(ss -Hltn "sport = :$port" | awk '{ print $4 }')"
is "nothing can be changed there" 6 "$(run ctl --socket "$LAB_DIR/serve.sock" policy rollback --reason x)"
kill -TERM "${LAB_PID[serve]}"
wait "${LAB_PID[serve]}"
is "SIGTERM ends it well" 0 $?
unset 'LAB_PID[serve]'
ok "its socket is gone" test ! -e "$LAB_DIR/serve.sock"
is "the folder is as it was" "$before" "$(find "$LAB_DIR/copy" -type f -exec sha256sum {} + | sort)"
lab_start locked "$doic" serve "$LAB_DIR/copy" --tokens "$tokens" --for 60
lab_wait locked 10 grep -q '^http://127.0.0.1:[0-9]*/$' "$LAB_DIR/locked.log"
locked=$(head -1 "$LAB_DIR/locked.log")
is "with --tokens who reads needs one" "401 200" "$(curl -s -o /dev/null -w '%{http_code}' "${locked}api/v1/decisions") $(
	curl -s -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $(cat "$LAB_DIR/eyes.token")" "${locked}api/v1/decisions")"
lab_stop locked
is "--for ends it by itself" 0 "$(run serve "$LAB_DIR/copy" --for 1)"
timeout --preserve-status -s INT 2 "$doic" serve "$LAB_DIR/copy" --json >"$LAB_DIR/out" 2>/dev/null
is "Ctrl-C ends it well too" 0 $?
is "JSON has the address" serving "$(json .outcome)"
is "no such folder" "4 not_found" "$(run serve "$LAB_DIR/none" --json) $(json .outcome)"
is "no evidence there" "4 not_evidence" "$(run serve "$LAB_DIR" --json) $(json .outcome)"
is "an address others reach, without tokens or TLS" 2 "$(run serve "$LAB_DIR/copy" --bind 0.0.0.0:0)"
is "an address that is none" 2 "$(run serve "$LAB_DIR/copy" --bind nonsense)"
chmod -R u+w "$LAB_DIR/copy"
scene_end
