#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Erlang/OTP diameter as client and as server of a real relay. Its decoder is strict: an AVP of a wrong length, in the wrong group, or
# with an M bit nobody expects is an error it names. Server s1 and the clients of the first half know RFC 7683 from OTP's own
# dictionary and nothing later; s3 and the clients of the second half know RFC 8581 to 8583 and 7944; s2 is doic-traffic.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh
export ERL_CRASH_DUMP_SECONDS=0

scene_begin 240
lab_need erl erlang-base
lab_need diameterc erlang-diameter
lab_need jq jq
lab_port S3
tests/interop/build.sh "$LAB_DIR/ebin" >"$LAB_DIR/build.log" 2>&1 || lab_fail "the Erlang part does not compile: $(tail -n 3 "$LAB_DIR/build.log")"
rfc7683=rfc7683 overload=overload # dictionaries

# erl_server NAME DICTIONARY: its requests as JSON lines in NAME.log; erl_tell NAME LINE changes what it answers.
erl_server() {
	local port=${1^^} fd
	mkfifo "$LAB_DIR/$1.control"
	# shellcheck disable=SC2034 # stays open, so that the pipe always has a writer
	exec {fd}<>"$LAB_DIR/$1.control"
	LAB_STDIN="$LAB_DIR/$1.control" lab_start "$1" erl +S 1 -noshell -pa "$LAB_DIR/ebin" -run doic_server main -extra "listen=${!port}" \
		"identity=$1.example.net" realm=example.net "dictionary=$2"
	lab_wait "$1" "${LAB_PATIENCE_S:-20}" lab_said "$1" "^listening"
}

erl_tell() {
	local before
	before=$(grep -c '^done' "$LAB_DIR/$1.log")
	echo "$2" >"$LAB_DIR/$1.control"
	lab_wait "$1" "${LAB_PATIENCE_S:-20}" told "$1" "$before"
}

told() {
	[ "$(grep -c '^done' "$LAB_DIR/$1.log")" -gt "$2" ]
}

# erl_client RUN IDENTITY DICTIONARY OPTIONS...: waits for its end; answers as JSON lines in RUN.log.
erl_client() {
	local run=$1 identity=$2 dictionary=$3 code
	shift 3
	lab_start "$run" erl +S 1 -noshell -pa "$LAB_DIR/ebin" -run doic_client main -extra "connect=$DRA" "identity=$identity.visited.example" \
		realm=visited.example dest-realm=example.net "dictionary=$dictionary" "$@"
	lab_reap "$run" 400
	code=$?
	[ "$code" -eq 0 ] || lab_fail "the Erlang client of $run failed: $(grep -v '^{' "$LAB_DIR/$run.log" | tail -n 2)"
}

# said RUN FILTER: how many messages of RUN.log FILTER is true of; all RUN FILTER: what it gives for them, each value once.
said() {
	grep '^{' "$LAB_DIR/$1.log" | jq -c "select($2)" | wc -l
}

all() {
	grep '^{' "$LAB_DIR/$1.log" | jq -c "$2" | sort | uniq | paste -sd' '
}

# What OTP found wrong in the messages of RUN: nothing.
clean() {
	is "$1: OTP finds nothing wrong in what it received" "[]" "$(all "$1" .errors)"
}

scene_conf evidence.batch_max_ms=50
drmp=""
! grep -q drmp conf/policy.yaml || drmp=", drmp: own" # a key of a later build
scene_policy "
recovery: { ramp_ms: 0 }
trust:
  peers:
    - { peer: s1.example.net, send_reports: true, realms: [example.net] }
    - { peer: s2.example.net, send_reports: true, realms: [example.net] }
    - { peer: s3.example.net, send_reports: true, realms: [example.net] }
    - { peer: c1.visited.example, receive_reports: true$drmp }"
erl_server s1 $rfc7683
erl_server s3 $overload
scene_server s2 --doic
LAB_REALM=example.net LAB_ACL="*.visited.example" lab_relay dra "$DRA" "doic.fdx=$SCENE/doic.yaml" -- "s1.example.net:$S1" \
	"s2.example.net:$S2" "s3.example.net:$S3"
lab_open dra s1.example.net s2.example.net s3.example.net

# What the tests below rely on: OTP does name a report without its type, and a relay's stray Route-Record.
lab_port STRAIGHT
lab_start straight "$LAB_BUILD/bin/doic-traffic" server --listen "127.0.0.1:$STRAIGHT" --identity s4.example.net --realm example.net --quiet \
	--raw-answer-avp 0000026f00000018000002700000001000000000000000070000011a40000011782e6578616d706c65000000
sleep 0.3
DRA=$STRAIGHT erl_client wrong c2 $rfc7683
is "OTP says so when something is wrong" '["5005 in AVP 623","5001 in AVP 282"]' "$(all wrong .errors)"

# Capabilities.
erl_client plain c2 $rfc7683 dest-host=s1.example.net
clean plain
is "D-022 a plain client's answer has nothing of DOIC" "[[],[]]" "$(all plain '[.features, .reports]')"
vector=$(all s1 '.features[0].vector')
is "D-010 D-032 its request reached the server with OC-Supported-Features once" 1 "$(said s1 '.features | length == 1')"
ok "D-011 and with the loss bit" test $((vector & 1)) -eq 1
later=$((vector & 16)) # RFC 8581 and what builds on it

# A host report.
erl_tell s1 "report type=host,seq=7,pct=50,validity=600"
erl_client host0 c2 $rfc7683 dest-host=s1.example.net
erl_client host2 c2 $rfc7683 dest-host=s1.example.net count=400
clean host2
is "D-034 host report: half of the plain client's requests are refused" 200 "$(said host2 '.result == 5012')"
is "D-034 and half are served" 200 "$(said host2 '.result == 2001')"
is "D-166 refusals have the E bit, the others not" "[2001,false] [5012,true]" "$(all host2 '[.result, .error_bit]')"
is "D-033 nothing of DOIC in any" "[[],[]]" "$(all host2 '[.features, .reports]')"
erl_client host1 c1 $rfc7683 dest-host=s1.example.net count=100 features=vector=1
clean host1
is "D-040 a DOIC client's requests are left to it" 100 "$(said host1 '.result == 2001')"
is "D-285 Q-1 it gets the report as the server made it" '[{"type":0,"seq":7,"pct":50,"validity":600,"others":[]}]' "$(all host1 '.reports')"
is "D-020 and the algorithm" 1 "$(all host1 '.features[0].vector')"
erl_client host5 c1 $rfc7683 dest-host=s1.example.net features=vector=5
is "D-039 the algorithms a client offers are those the server sees" 5 "$(($(grep '^{' "$LAB_DIR/s1.log" | tail -n 1 | jq '.features[0].vector') & 15))"

# Its end.
erl_tell s1 "report type=host,seq=8,pct=0,validity=0"
erl_client end1 c1 $rfc7683 dest-host=s1.example.net features=vector=1
is "D-285 the end report too" '[{"type":0,"seq":8,"pct":0,"validity":0,"others":[]}]' "$(all end1 '.reports')"
erl_client end2 c2 $rfc7683 dest-host=s1.example.net count=100
is "D-105 end report: all requests are served again" 100 "$(said end2 '.result == 2001')"

# A realm report.
erl_tell s1 plain
erl_tell s1 "report type=realm,seq=1,pct=30,validity=600"
erl_client realm1 c1 $rfc7683 dest-host=s1.example.net features=vector=1
is "D-285 a realm report arrives as made" '[{"type":1,"seq":1,"pct":30,"validity":600,"others":[]}]' "$(all realm1 '.reports')"
erl_client realm2 c2 $rfc7683 count=400
clean realm2
is "D-034 realm report: 30 % of the realm-routed requests are refused" 120 "$(said realm2 '.result == 5012')"
erl_client realm3 c2 $rfc7683 dest-host=s1.example.net count=50
is "D-122 and none of those with a Destination-Host" 50 "$(said realm3 '.result == 2001')"
erl_tell s1 "report type=realm,seq=2,pct=0,validity=0"
erl_client realm4 c1 $rfc7683 dest-host=s1.example.net features=vector=1

# One side is not Erlang.
scene_client c1 --doic --count 200 --window 20 --dest-host s1.example.net
scene_wait c1
is "doic-traffic is served by the Erlang server" 200 "$(result c1 '.by_result["2001"]')"
is "and reads its reports" 200 "$(result c1 .doic.answers_with_olr)"
scene_tell s2 "report type=host,seq=3,pct=25,validity=600"
erl_client other1 c1 $rfc7683 dest-host=s2.example.net count=20 features=vector=1
clean other1
is "D-285 doic-traffic's report arrives as made" '[{"type":0,"seq":3,"pct":25,"validity":600,"others":[]}]' "$(all other1 '.reports')"
erl_client other2 c2 $rfc7683 dest-host=s2.example.net count=200
is "D-034 and is obeyed" 50 "$(said other2 '.result == 5012')"
clean s1

# RFC 8581 to 8583, when the relay announces them.
peer_reports() {
	erl_client peer0 c2 $overload dest-host=s3.example.net
	is "D-180 D-181 a plain client's request: loss, rate, peer reports, and the relay as SourceID" '{"vector":21,"source":"dra.example.net","others":[]}' \
		"$(grep '^{' "$LAB_DIR/s3.log" | tail -n 1 | jq -c '.features[0]')"
	erl_client peer1 c1 $overload dest-host=s3.example.net features=vector=0x11,source=c1.visited.example
	clean peer1
	is "D-182 D-196 a peer-reporting client's: its algorithms, and the relay as SourceID" '{"vector":17,"source":"dra.example.net","others":[]}' \
		"$(grep '^{' "$LAB_DIR/s3.log" | tail -n 1 | jq -c '.features[0]')"
	is "D-188 D-189 D-190 its answer" '[{"vector":17,"source":"dra.example.net","algo":1,"others":[]}]' "$(all peer1 .features)"
	erl_client peer2 c1 $overload dest-host=s3.example.net features=vector=0x11,source=c9.visited.example
	is "D-191 one whose SourceID is not its own name gets none of this" '[{"vector":1,"others":[]}]' "$(all peer2 .features)"
	erl_tell s3 "features vector=0x11,source=s3.example.net,algo=1"
	erl_tell s3 "report type=peer,seq=4,pct=40,validity=600,source=s3.example.net"
	erl_client peer3 c1 $overload dest-host=s3.example.net features=vector=0x11,source=c1.visited.example
	is "D-213 a peer report goes no further" '[[],"dra.example.net"]' "$(all peer3 '[.reports, .features[0].source]')"
	erl_client peer4 c2 $overload dest-host=s3.example.net count=200
	is "D-235 D-237 and is obeyed by the relay" 120 "$(said peer4 '.result == 2001')"
	erl_client peer5 c1 $overload dest-host=s3.example.net count=200 features=vector=0x11,source=c1.visited.example
	is "D-244 for clients with DOIC too" 120 "$(said peer5 '.result == 2001')"
	erl_client peer6 c1 $rfc7683 dest-host=s3.example.net features=vector=1
	clean peer6
	erl_tell s3 "report type=peer,seq=5,pct=0,validity=0,source=s3.example.net"
	lab_wait s3 20 peer_report_over
}

# The end of a report can only arrive with the answer to a request that is not refused.
peer_report_over() {
	erl_client peer7 c1 $overload dest-host=s3.example.net features=vector=1
	[ "$(all peer7 .result)" = 2001 ]
}

rate_reports() {
	erl_tell s3 plain
	erl_tell s3 "features vector=0x14,source=s3.example.net,algo=1"
	erl_tell s3 "report type=host,seq=2,rate=50,validity=600"
	erl_client rate1 c1 $overload dest-host=s3.example.net features=vector=5
	is "R-10 R-19 a rate report arrives as made" '[{"type":0,"seq":2,"validity":600,"rate":50,"others":[]}]' "$(all rate1 .reports)"
	is "R-5 and so does its algorithm" 4 "$(all rate1 '.features[0].vector')"
	erl_client rate2 c2 $overload dest-host=s3.example.net
	local started=${EPOCHREALTIME/./} served most
	erl_client rate3 c2 $overload dest-host=s3.example.net count=400
	served=$(said rate3 '.result == 2001')
	most=$((12 + 50 * (${EPOCHREALTIME/./} - started) / 1000000)) # 1 + (W + TAU) / T, TAU at most 10 T
	ok "R-20 and is obeyed: $served of 400 were served, $most may be" test "$served" -le "$most"
	ok "R-20 and not overdone" test "$served" -ge 5
	clean rate3
}

load_values() {
	erl_tell s3 plain
	erl_tell s3 "load type=host,value=40000,source=s3.example.net"
	erl_tell s3 "load type=peer,value=20000,source=s3.example.net"
	erl_client load1 c1 $overload dest-host=s3.example.net count=3 features=vector=1
	clean load1
	is "L-17 Q-1 Q-24 a HOST load arrives as made" '[{"type":0,"value":40000,"source":"s3.example.net","others":[]}]' \
		"$(all load1 '[.load[] | select(.type == 0)]')"
	is "L-16 no PEER load of another goes further" 0 "$(said load1 'any(.load[]; .type == 1 and .source != "dra.example.net")')"
}

priorities() {
	erl_client drmp1 c1 $overload dest-host=s3.example.net drmp=3
	is "P-18 DRMP of a trusted client reaches the server" 3 "$(grep '^{' "$LAB_DIR/s3.log" | tail -n 1 | jq .drmp)"
	erl_client drmp2 c2 $overload dest-host=s3.example.net drmp=3
	is "P-19 that of another does not" null "$(grep '^{' "$LAB_DIR/s3.log" | tail -n 1 | jq .drmp)"
}

if [ "$later" -eq 0 ]; then
	skip "peer reports, rate, load and priority with Erlang" "not in this build"
else
	peer_reports
	rate_reports
	load_values
	priorities
	clean s3
fi

lab_stop dra
scene_complete interop
scene_end
