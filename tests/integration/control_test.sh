#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Reports of our own: ordered by policy, by "doic ctl" and ended again; told to those who can react, applied to those who cannot;
# their numbers go on rising through kill -9. Real daemons; servers s1 with and s2 without DOIC.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 120
scene_conf control.socket="$LAB_DIR/ctl.sock" evidence.batch_max_ms=50
scene_policy "$(
	cat <<'YAML'
recovery: { ramp_ms: 0 }
reports:
  validity_s: 4
  fall_step_pct: 20
  fall_interval_ms: 300
  sole_path_to: [s2.example.net]
  realms: [example.net]
trust:
  default: { doic: true, send_reports: true, relay_reports: true, receive_reports: true, load: relayed, receive_load: true }
load: { capacity_rps: 1000000 }
YAML
)"
ctl() { "$LAB_BUILD/bin/doic" ctl --socket "$LAB_DIR/ctl.sock" "$@"; }
told() { result "$1" ".doic.answers.olr.$2.$3 // 0"; }

scene_server s1 --doic
scene_server s2
scene_relay
ok "the control socket answers" ctl ping
is "only its owner may use it" 600 "$(stat -c %a "$LAB_DIR/ctl.sock")"

# A server without DOIC, all of whose traffic passes here.
ok "D-035 a host report for a server behind us alone" ctl report set host s2.example.net --reduction 50 --reason test
ctl report set host s1.example.net --reduction 50 --reason test >"$LAB_DIR/out" 2>&1
is "D-035 not for another host: refused, with the reason" 6 $?
ok "which names the key to set" grep -q sole_path_to "$LAB_DIR/out"
scene_client c1 --doic --count 100 --dest-host s2.example.net
scene_wait c1
is "D-036 D-100 D-102 a DOIC client gets it in every answer, about the server" "100 100" "$(told c1 host count) $(result c1 '.doic.answers_with_sf')"
is "D-108 and is not abated here" 100 "$(result c1 '.by_result["2001"]')"
scene_client c2 --count 200 --dest-host s2.example.net
scene_wait c2
is "D-022 Q-18 a plain client gets nothing, and is abated here by as much" "0 100 100" \
	"$(result c2 '.doic.answers_with_sf') $(result c2 '.by_result["2001"]') $(result c2 '.by_result["5012"]')"
scene_client c3 --doic --obey --rate 1000 --count 2000 --dest-host s2.example.net
scene_wait c3
share=$(result c3 '.throttled')
ok "D-111 a client that obeys holds back about half of 2000: $share" test "$share" -gt 850 -a "$share" -lt 1150
is "D-115 one host report in each answer, not two" "$(told c3 host count)" "$(result c3 '.doic.answers_with_sf')"

# The end: falling, then told.
first=$(told c1 host sequence)
ok "withdrawn" ctl report end host s2.example.net --reason test
sleep 1.2
scene_client c1 --doic --count 10 --dest-host s2.example.net --dump "$SCENE/ended.pcap"
scene_wait c1
is "D-097 D-105 D-110 the end is told: validity 0" "10 0" \
	"$(told c1 host count) $(tshark -r "$SCENE/ended.pcap" -Y 'diameter.flags.request == 0' -T fields -e diameter.OC-Validity-Duration 2>/dev/null | sort -u | tr -d '\n')"
steps=$(sql "select group_concat(reduction_pct, ' ') from (select reduction_pct from own_report where type = 'host' and step in ('changed', 'ended') order by rowid)")
is "D-110 D-257 after falling in steps" "30 10 0" "$steps"
rising=$(sql "select count(*) from own_report a join own_report b on b.rowid = a.rowid + 1 where length(b.sequence) < length(a.sequence) or (length(a.sequence) = length(b.sequence) and b.sequence <= a.sequence and b.step <> 'gone')")
is "D-092 D-096 each content has a higher number" 0 "$rising"
sleep 4.5
scene_client c1 --doic --count 10 --dest-host s2.example.net
scene_wait c1
is "D-098 and nothing any more when the last state ran out" 0 "$(told c1 host count)"

# The realm, and this agent itself.
ok "D-113 a realm report" ctl report set realm example.net --reduction 30 --reason test
ok "D-231 a report about this agent" ctl report set peer --reduction 10 --reason test
scene_client c1 --doic --peer-reports --count 20
scene_wait c1
is "D-116 D-230 a neighbour that supports peer reports gets both in each answer" "20 20" "$(told c1 realm count) $(told c1 peer count)"
is "D-185 D-189 D-190 features of this hop" "0x11 dra.example.net 0x1" \
	"$(result c1 '[.doic.answers.vectors | keys[]] | join(" ")') $(result c1 '[.doic.answers.sources | keys[]] | join(" ")') $(result c1 '[.doic.answers.peer_algos | keys[]] | join(" ")')"
scene_client c4 --doic --count 20
scene_wait c4
is "D-103 D-185 one that does not gets the realm's only" "20 0" "$(told c4 realm count) $(told c4 peer count)"
scene_client c7 --doic --peer-reports --count 5 --dest-host nowhere.nowhere.example --dest-realm nowhere.example
scene_wait c7
is "D-021 D-114 D-230 errors the daemon makes itself carry it too, and our realm's" "5 5 5" "$(result c7 '.by_result["3002"]') $(told c7 peer count) $(told c7 realm count)"
scene_client c5 --count 400 --dest-realm example.net
scene_wait c5
refused=$(result c5 '(.by_result["5012"] // 0) + (.by_result["3004"] // 0)')
ok "D-288 Q-18 a plain client is abated for both: $refused of 400" test "$refused" -ge 145 -a "$refused" -le 151

# Load.
ok "load set" ctl load set 12345
scene_client c6 --count 10
scene_wait c6
is "L-1 L-7 L-8 told to a plain client too" "12345" "$(result c6 '.doic.answers.load.peer.by_source["dra.example.net"].value')"
ok "states are listed" ctl states --json

# kill -9: numbers go on above.
ok "a peer report again" ctl report set peer --reduction 20 --reason test
scene_client c1 --doic --peer-reports --count 5
scene_wait c1
before=$(told c1 peer sequence)
kill -9 "${LAB_PID[dra]}"
wait "${LAB_PID[dra]}" 2>/dev/null
unset "LAB_PID[dra]"
mkdir "$SCENE/first" && mv "$SCENE"/evidence/seg-* "$SCENE"/evidence/journal.ring* "$SCENE/first/" # what came after the recorder waits in the ring
scene_relay
ok "D-093 ordered again after kill -9" ctl report set peer --reduction 20 --reason test
scene_client c1 --doic --peer-reports --count 5
scene_wait c1
after=$(told c1 peer sequence)
ok "D-091 D-093 the next number is greater: $before, then $after" test "$after" -gt "$before"
is "the first was above zero" yes "$([ "${first:-0}" -gt 0 ] && echo yes)"

# The policy at run time.
sed -i 's/receive_reports: true/receive_reports: false/' "$SCENE/policy.yaml"
is "D-285 reload without a reason" 2 "$(ctl reload >/dev/null 2>&1; echo $?)"
ok "D-285 read again" ctl reload --reason CHG-7
scene_client c1 --doic --peer-reports --count 5
scene_wait c1
is "D-285 D-286 from the next answer on: features, but no report" "5 0" "$(result c1 '.doic.answers_with_sf') $(told c1 peer count)"
cp "$SCENE/policy.yaml" "$LAB_DIR/policy.kept"
echo "mode: enforce" >"$SCENE/policy.yaml"
ctl reload --reason CHG-7 >"$LAB_DIR/out" 2>&1
ok "a policy that trusts nobody is read, and warned of" grep -q '^done, policy version [0-9]*, policy.yaml:1:1: trust: nobody is trusted' "$LAB_DIR/out"
ok "in the log too" grep -aq 'policy version=[0-9]*: policy.yaml:1:1: trust: nobody is trusted' "$LAB_DIR/dra.log"
cp "$LAB_DIR/policy.kept" "$SCENE/policy.yaml"
ok "and the one before again" ctl reload --reason CHG-7
echo "nonsense: 1" >>"$SCENE/policy.yaml"
ctl reload --reason CHG-8 >"$LAB_DIR/out" 2>&1
is "a wrong policy is refused" 6 $?
ok "with its place" grep -q "policy.yaml:[0-9]*:" "$LAB_DIR/out"
# Ten mistakes, read again and again under load: each is named with its place and what is allowed, and no request suffers.
version=$(ctl ping --json | jq .policy_version)
scene_client c1 --rate 400 --count 1600
named=0
while read -r mistake; do
	{ echo "$mistake"; cat "$LAB_DIR/policy.kept"; } >"$SCENE/policy.yaml"
	ctl reload --reason CHG-9 >"$LAB_DIR/out" 2>&1
	[ $? = 6 ] && grep -qE 'policy.yaml:1:[0-9]+: .*(allowed|did you mean)' "$LAB_DIR/out" && named=$((named + 1))
	sleep 0.2
done <<'TEXT'
mode: maybe
outstanding_max: many
outstanding_max: 1000001
sampler: dice
standby_takes_all: perhaps
refusal: { host_report_code: 3005 }
rate: 5
shadow: all
outstanding_maxx: 5
priorities: { inherit: [1] }
TEXT
is "of ten mistakes each is named with its place and what is allowed" 10 "$named"
is "the version before is in force" "$version" "$(ctl ping --json | jq .policy_version)"
scene_wait c1
is "and no request was lost" "1600 1600" "$(result c1 .requests) $(result c1 '[.by_result[]] | add')"
sleep 0.3
is "each policy in force has its row" "1 2 3 4" "$(sql "select group_concat(version, ' ') from policy")"
scene_stop
scene_complete control
"$LAB_BUILD/bin/doic" audit --strict "$SCENE/first" >"$LAB_DIR/audit.txt" 2>&1
is "the audit has receipts up to what was selected, and nothing against them" "3 0 2" \
	"$? $(grep -c REFUTED "$LAB_DIR/audit.txt") $(grep -c '^CANNOT TELL beyond "selected"' "$LAB_DIR/audit.txt")"
scene_end
