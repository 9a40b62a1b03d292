#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# doic import: real captures and generated ones; its figures are those of tshark's own statistics, and what cannot be decoded is said.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin "${DOIC_IMPORT_LIMIT_S:-280}"
lab_need tshark tshark
lab_need editcap wireshark-common
lab_need jq jq
doic=$LAB_BUILD/bin/doic
mutate=$LAB_BUILD/bin/mutate-capture

# import FILES AND OPTIONS...: result in $IMPORT, exit code in $CODE.
import() {
	IMPORT=$SCENE/import.json
	timeout "${DOIC_IMPORT_TIMEOUT_S:-100}" "$doic" import --json --progress none "$@" >"$IMPORT" 2>"$SCENE/import.err"
	CODE=$?
}
said() { jq -r "$1" "$IMPORT"; }

# What tshark says of a capture, in one run: application, command, request and session of every message, the fields of the header once for
# each message, and the summary of -z diameter,avp.
witness() { # FILE
	tshark -n -r "$1" -Y diameter -T fields -E aggregator=$'\001' -e diameter.applicationId -e diameter.cmd.code -e diameter.flags.request \
		-e diameter.Session-Id -z diameter,avp 2>/dev/null >"$SCENE/witness"
}
messages_seen() { # as "application command request" with how often
	awk -F'\t' 'NF == 4 { n = split($1, a, "\001"); split($2, c, "\001"); split($3, r, "\001")
		for (i = 1; i <= n; i++) print a[i], c[i], (r[i] == "1" || r[i] == "True") + 0 }' "$SCENE/witness" |
		sort | uniq -c | awk '{ print $2, $3, $4, $1 }' | sort
}
sessions_seen() { awk -F'\t' 'NF == 4 { print $4 }' "$SCENE/witness" | tr '\001' '\n' | grep -v '^$' | sort -u | wc -l; }
summary_seen() { sed -nE 's/^(request count|answer count|req\/ans pairs):[[:space:]]*//p' "$SCENE/witness" | xargs; }

# import and witness of one file, side by side.
both() { # FILE
	local other
	witness "$1" &
	other=$!
	import "$1"
	wait "$other"
}

agrees() { # NAME: what both saw
	local name=$1
	is "$name: requests, answers and pairs as tshark -z diameter,avp counts them" "$(summary_seen)" \
		"$(said '"\(.requests) \(.answers) \(.requests - ([.commands[].unanswered] | add))"')"
	is "$name: messages by application and command, one by one" "$(messages_seen)" \
		"$(said '.commands[] | "\(.application_id) \(.command) 1 \(.requests)", "\(.application_id) \(.command) 0 \(.answers)"' | grep -v ' 0$' | sort)"
	is "$name: sessions" "$(sessions_seen)" "$(said .sessions)"
}

# A server that asks for 40 % from second 2 to second 5, renewed by a newer number at second 3, and a client that obeys.
lab_port PORT
lab_start server "$LAB_BUILD/bin/doic-traffic" server --listen "127.0.0.1:$PORT" --identity s1.example.net --realm example.net --from-first \
	--report at=2s,for=1s,type=host,seq=7,pct=40,validity=30 --report at=3s,for=2s,type=host,seq=8,pct=40,validity=30 \
	--report at=5s,type=host,seq=9,pct=0,validity=0 --load 30000 --duration 9s --quiet
lab_start client "$LAB_BUILD/bin/doic-traffic" client --connect "127.0.0.1:$PORT" --identity c1.visited.example --realm visited.example --wait 5s \
	--dest-realm example.net --dest-host s1.example.net --rate 400 --pattern paced --duration 7s --obey --seed 3 --dump "$SCENE/direct.pcap" \
	--json "$SCENE/client.json" --quiet
# At the same time, a network with a relay that reacts, seen by its server.
scene_conf evidence.batch_max_ms=50
scene_server s1 --doic --from-first --report at=1s,for=3s,type=host,seq=5,pct=50,validity=30 --report at=4s,type=host,seq=6,pct=0,validity=0 \
	--dump "$SCENE/s1.pcap"
scene_server s2 --doic
scene_relay
scene_client c2 --rate 300 --pattern paced --duration 6s --dest-host s1.example.net --seed 5
scene_wait client
scene_wait server
scene_wait c2
scene_stop

captures=${DOIC_SHARED:-../shared}/captures
if [ -d "$captures" ]; then
	for capture in "$captures"/*.pcap "$captures"/*.pcapng; do
		both "$capture"
		agrees "$(basename "$capture" | cut -c1-24)"
		ok "$(basename "$capture" | cut -c1-24): nothing is missing but what another direction hides" \
			test "$(said '[.not_decoded[] | select(.kind != "esp" and .kind != "one_way")] | length')" = 0
	done
else
	skip "real captures" "no folder $captures (set DOIC_SHARED)"
fi

both "$SCENE/direct.pcap"
is "a whole capture: exit code" 0 "$CODE"
is "and outcome" imported "$(said .outcome)"
agrees "generated"
is "one node sends requests" "c1.visited.example" "$(said '[.nodes[].node] | join(" ")')"
is "it is known from its capabilities exchange" "capabilities_exchange capabilities_exchange" \
	"$(said '[.connections[0].sides[].known_by] | join(" ")')"
is "its requests are what it counted itself" "$(result client .requests)" "$(said '.nodes[0].requests')"
# Every frame with a message, read once: number, time, destination port, octets, request, application, sequence number, report.
tshark -r "$SCENE/direct.pcap" -Y diameter -T fields -e frame.number -e frame.time_epoch -e tcp.dstport -e tcp.len -e diameter.flags.request \
	-e diameter.applicationId -e diameter.OC-Sequence-Number -e diameter.OC-OLR 2>/dev/null |
	awk -F'\t' -v OFS='\t' '{ $5 = $5 == "1" || $5 == "True"; print }' >"$SCENE/frames"
frames() { awk -F'\t' "$1" "$SCENE/frames"; }
is "every answer with a report was seen" "$(frames '$8 != "" { n++ } END { print n + 0 }')" "$(said '.nodes[0].receptions')"
is "three states of which two asked for something" "7 40, 8 40, 9 0" \
	"$(said '[.states[] | "\(.sequence) \(.reduction_pct)"] | join(", ")')"
is "each from the first answer with its number" \
	"$(frames '$7 != "" && !seen[$7]++ { print $1 }' | xargs)" \
	"$(said '[.states[].frame] | join(" ")')"
is "how they ended" "replaced ended ended" "$(said '[.states[].how] | join(" ")')"
frame7=$(said '.states[0].frame') frame8=$(said '.states[1].frame') frame9=$(said '.states[2].frame')
requests() { frames "\$5 == 1 && \$6 != 0 && \$1 > $1 && \$1 < $2 { n++ } END { print n + 0 }"; } # AFTER BEFORE
is "requests under the first state, to the request" "$(requests "$frame7" "$frame8")" "$(said '.states[0].requests_during')"
is "requests under the second" "$(requests "$frame8" "$frame9")" "$(said '.states[1].requests_during')"
is "requests after" "$(requests "$frame9" 1e9)" "$(said '.states[1].requests_after')"
ok "the rate before is the rate offered, about 400/s" test "$(said '.states[0] | .requests_before / .before_seconds | . > 360 and . < 440')" = true
ok "and 34 to 46 % less during" test "$(said '.states[1] | (.requests_during / .during_seconds / 400) as $part | $part > 0.54 and $part < 0.66')" = true
ok "a capture says of itself what it cannot know" test "$(said '.receipts.selected')" = "not in a capture"
is "text for people" 0 "$(timeout 60 "$doic" import "$SCENE/direct.pcap" 2>&1 >"$SCENE/text" | wc -l)"
ok "names the state" grep -q 'c1.visited.example  host s1.example.net  Gx .* 40 %' "$SCENE/text"

# As evidence: one row per request and answer, reports octet for octet, and a verdict that says what a capture cannot know.
import "$SCENE/direct.pcap" -o "$SCENE/ev"
is "evidence of one node" "0 $SCENE/ev/c1.visited.example" "$CODE $(said '.folders | join(" ")')"
db=$(ls "$SCENE"/ev/c1.visited.example/seg-*.db)
row() { sqlite3 -readonly "$db" "$1"; }
is "its key is the importer's alone" 600 "$(stat -c %a "$SCENE/ev.key")"
is "it is evidence of a capture" "capture c1.visited.example" "$(row "select value from meta where key in ('kind', 'node') order by key" | xargs)"
is "of this file" "direct.pcap $(sha256sum "$SCENE/direct.pcap" | cut -d' ' -f1)" \
	"$(row "select value from meta where key in ('capture.1.file', 'capture.1.sha256') order by key" | xargs)"
is "a decision for each request" "$(said '.nodes[0].requests')" "$(row 'select count(*) from decision')"
is "an outcome for each" "$(said '.nodes[0].requests')" "$(row 'select count(*) from decision join outcome on outcome.decision = decision.id')"
is "with their result codes" "$(said '.nodes[0].answers') 2001" "$(row 'select count(*) || " " || result_code from v_outcome group by result_code')"
is "nothing was decided" "0" "$(row "select count(*) from v_decision where verdict <> 'forwarded' or realm_version or host_version or peer_version")"
is "every reception of a report" "$(said '.nodes[0].receptions')" "$(row 'select sum(receptions) from v_report')"
is "octet for octet" \
	"$(frames '$7 == 7 { print $8; exit }' | tr -d ':' | tr a-f A-F)" \
	"$(row "select substr(raw_hex, 17) from v_report where sequence = '7'")"
is "times are those of the capture" "$(frames "\$1 == $frame7 { print \$2 }" | cut -c1-17)" \
	"$(row "select printf('%d.%06d', wall_us / 1000000, wall_us % 1000000) from report where sequence = '7'")"
audit() {
	timeout 60 "$doic" audit --json "$@" >"$SCENE/audit.json" 2>"$SCENE/audit.err"
	CODE=$?
}
found() { jq -r "$1" "$SCENE/audit.json"; }
audit "$SCENE/ev"
is "the audit goes as far as the reports" "3 cannot_tell asked" "$CODE $(found '"\(.outcome) \(.reached)"')"
is "step by step" "ok cannot_tell missing ok missing" "$(found '[.claims[0].steps[].status | gsub(" "; "_") | gsub("unsure"; "cannot_tell")] | join(" ")')"
ok "what should be held is not called held" test "$(found '.claims[0].steps[1].receipt | startswith("should hold")')" = true
ok "what was seen is told" test "$(found '.claims[0].steps[3].value | test("before, .* during, .* after")')" = true
is "no contradiction" "0" "$(found .exception_count)"
audit --require asked "$SCENE/ev"
is "asked holds" "0 holds" "$CODE $(found .outcome)"
timeout 60 "$doic" verify --json "$SCENE/ev/c1.visited.example" >"$SCENE/verify.json"
is "it is whole, and nobody else confirms it" "3 unwitnessed" "$? $(jq -r .outcome "$SCENE/verify.json")"
chmod u+w "$db"
sqlite3 "$db" 'update report set reduction_pct = 10 where rowid = 1'
timeout 60 "$doic" verify --json "$SCENE/ev/c1.visited.example" >"$SCENE/verify.json"
is "a changed row is found" "1 altered" "$? $(jq -r .outcome "$SCENE/verify.json")"
import "$SCENE/direct.pcap" -o "$SCENE/ev"
is "evidence is never mixed" "2 usage" "$CODE $(said .outcome)"
import "$SCENE/direct.pcap" -o "$SCENE/other" --node nobody.example
is "one node only" "0 0" "$CODE $(said '.folders | length')"

# The same in two files, and one of them twice: one connection, in order of time.
count=$(capinfos -Mc "$SCENE/direct.pcap" 2>/dev/null | sed -n 's/.*packets: *//p')
editcap -r "$SCENE/direct.pcap" "$SCENE/first.pcap" 1-1000
editcap -r "$SCENE/direct.pcap" "$SCENE/second.pcapng" 1001-"$count"
whole=$(said '[.messages, .requests, .answers, .sessions, ([.states[].requests_during] | add)] | @text')
import "$SCENE/second.pcapng" "$SCENE/first.pcap"
is "two parts in the wrong order are the whole" "$whole" \
	"$(said '[.messages, .requests, .answers, .sessions, ([.states[].requests_during] | add)] | @text')"
gzip -k "$SCENE/direct.pcap"
import "$SCENE/direct.pcap.gz"
is "so is the compressed file" "$whole" "$(said '[.messages, .requests, .answers, .sessions, ([.states[].requests_during] | add)] | @text')"

# What cannot be decoded.
kinds() { said '[.not_decoded[].kind] | sort | join(" ")'; }
editcap -s 150 "$SCENE/direct.pcap" "$SCENE/snap.pcap"
import "$SCENE/snap.pcap"
is "a short snap length: exit code" 3 "$CODE"
is "and what it is" cut "$(kinds)"
read -r lost next <<<"$(frames '$3 == 3868 && ++n >= 50 && n <= 51 { print $1 }' | xargs)"
editcap "$SCENE/direct.pcap" "$SCENE/hole.pcap" "$lost" 1001-1010
import "$SCENE/hole.pcap"
is "frames that are missing: exit code" 3 "$CODE"
is "and where, noticed at the next frame of that direction" "$((next - 1))" \
	"$(said '.not_decoded[] | select(.kind == "lost") | .first_frames[0]')"
is "as many octets as they had" \
	"$(frames "\$1 == $lost || (\$1 >= 1001 && \$1 <= 1010) { s += \$4 } END { print s }")" \
	"$(said '[.not_decoded[] | select(.kind == "lost").amount] | add')"
is "everything else is decoded" "$((count - 11))" "$(said .messages)"
head -c 100000 "$SCENE/direct.pcap" >"$SCENE/short.pcap"
import "$SCENE/short.pcap"
is "a file that ends in the middle" "3 file" "$CODE $(kinds)"
ok "in tshark's words" test "$(said '.tshark_said | test("cut short")')" = true
tshark -r "$SCENE/direct.pcap" -Y 'tcp.dstport == 3868' -w "$SCENE/oneway.pcap" 2>/dev/null
import "$SCENE/oneway.pcap"
is "one direction only" "3 one_way" "$CODE $(kinds)"
echo '000000 17 03 03 00 20 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f 20' >"$SCENE/tls.txt"
text2pcap -q -T 40000,5868 "$SCENE/tls.txt" "$SCENE/tls.pcap" >/dev/null 2>&1
import "$SCENE/tls.pcap"
is "TLS on the port for it" "3 tls 37 nothing_decoded" "$CODE $(kinds) $(said '.not_decoded[0].amount') $(said .outcome)"
text2pcap -q -T 40000,80 "$SCENE/tls.txt" "$SCENE/other.pcap" >/dev/null 2>&1
import "$SCENE/other.pcap"
is "no Diameter at all" "4 unusable" "$CODE $(said .outcome)"
ok "and a hint" grep -q -- --port "$SCENE/import.err"

# Another port, by itself and by option.
text2pcap -q -T 40000,3999 <(tshark -r "$SCENE/direct.pcap" -c 1 -T fields -e tcp.payload 2>/dev/null | xxd -r -p | od -Ax -tx1 -v) "$SCENE/port.pcap" >/dev/null 2>&1
import "$SCENE/port.pcap"
is "an unknown port is not guessed at" 4 "$CODE"
import --port 3999 "$SCENE/port.pcap"
is "but told" "3 1 one_way" "$CODE $(said .messages) $(kinds)"

# Usage and input.
is "no file" 2 "$(timeout 20 "$doic" import >/dev/null 2>&1; echo $?)"
is "no such option" 2 "$(timeout 20 "$doic" import --prot 3 x >/dev/null 2>&1; echo $?)"
is "no port" 2 "$(timeout 20 "$doic" import --port 70000 x >/dev/null 2>&1; echo $?)"
import "$SCENE/absent.pcap"
is "no such file" "4 unusable" "$CODE $(said .outcome)"
head -c 5000 /dev/urandom >"$SCENE/noise.pcap"
import "$SCENE/noise.pcap"
is "no capture" "4 unusable" "$CODE $(said .outcome)"
ok "JSON of every outcome has the same keys" test "$(jq -c keys "$IMPORT")" = "$(
	import "$SCENE/direct.pcap"
	jq -c keys "$IMPORT"
)"
is "without tshark" 4 "$(timeout 20 env PATH=/nonexistent "$doic" import "$SCENE/direct.pcap" >/dev/null 2>"$SCENE/import.err"; echo $?)"
ok "it is said what to install" grep -q 'apt-get install tshark' "$SCENE/import.err"
mkdir "$SCENE/-odd name"
cp "$SCENE/first.pcap" "$SCENE/-odd name/-w x;\$(id).pcap"
import "$SCENE/-odd name/-w x;\$(id).pcap" "$SCENE/second.pcapng"
is "odd file names are names and nothing else" 0 "$CODE"

# Damaged captures: many copies in one run of tshark, over TCP and over SCTP, and files damaged as files. DOIC_DAMAGED_RUNS=N makes N runs
# of 500 copies of each.
bad=0 copies=0
editcap -r "$SCENE/direct.pcap" "$SCENE/small.pcap" 1-4 $((frame7 - 8))-$((frame7 + 8)) $((frame9 - 4))-$((frame9 + 4))
wholes=("$SCENE/small.pcap")
sctp=$captures/magma_nsa_connection.pcap
[ ! -e "$sctp" ] || wholes+=("$sctp")
each=$((${DOIC_DAMAGED_RUNS:-0} > 0 ? 500 : 100))
for whole in "${wholes[@]}"; do
	import "$whole"
	messages=$(said .messages)
	for seed in $(seq 1 "${DOIC_DAMAGED_RUNS:-1}"); do
		"$mutate" "$whole" "$SCENE/bad.pcap" "$each" "$seed"
		import "$SCENE/bad.pcap"
		copies=$((copies + each))
		# A copy that shared a connection with others, or was not decoded at all, would be no test.
		[ "$CODE" -eq 3 ] && [ "$(said ".messages > $((messages * each / 3))")" = true ] || bad=$((bad + 1))
	done
done
is "$copies damaged copies of ${#wholes[@]} captures, $each in a run: every run ends well, and a third of all messages at least is read" 0 $bad
bad=0 read=0
for seed in $(seq 1 ${DOIC_DAMAGED_FILES:-4}); do
	"$mutate" "$SCENE/small.pcap" "$SCENE/bad.pcap" 1 "$seed" file
	import "$SCENE/bad.pcap"
	case $CODE in
	0 | 3) read=$((read + 1)) ;;
	4) ;;
	*) bad=$((bad + 1)) ;;
	esac
	jq -e .outcome "$IMPORT" >/dev/null 2>&1 || bad=$((bad + 1))
done
is "${DOIC_DAMAGED_FILES:-4} damaged files: each is read or refused" 0 $bad
ok "and most are read ($read)" test $((2 * read)) -gt "${DOIC_DAMAGED_FILES:-4}"

# What the server behind the relay saw, read as a capture, is what the relay says itself.
own="select count(*) from v_decision where verdict = 'forwarded' and next_hop = 's1.example.net' and app_id <> 0"
import "$SCENE/s1.pcap" -o "$SCENE/seen"
is "the relay is the node that reacts" dra.example.net "$(said '[.nodes[].node] | join(" ")')"
is "as many requests as it says it sent" "$(sql "$own")" "$(said '.nodes[0].requests')"
is "the client behind it is known" c2.visited.example \
	"$(sqlite3 -readonly "$SCENE"/seen/dra.example.net/seg-*.db 'select distinct client from v_decision')"
is "the states it held" "$(sql "select group_concat(sequence || ' ' || coalesce(reduction_pct, 0)) from ocs_version")" \
	"$(sqlite3 -readonly "$SCENE"/seen/dra.example.net/seg-*.db "select group_concat(sequence || ' ' || coalesce(reduction_pct, 0)) from ocs_version")"
ok "half of the requests are not seen" test "$(said '.states[0] | .requests_during / .during_seconds | . > 130 and . < 170')" = true
mkdir "$SCENE/seen/dra.example.net/counters"
cp "$SCENE/evidence/counters/s1.json" "$SCENE/seen/dra.example.net/counters/"
audit "$SCENE/seen/dra.example.net"
is "the server counted what the capture has" "ok equal to the message" "$(found '.claims[0].steps[3] | "\(.status) \(.bound)"')"
scene_end
