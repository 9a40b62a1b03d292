#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The decisions of a real relay, two lives of it, made again bit for bit: host and realm reports, a rate, reports of our own, another
# policy on the way, a server that dies. Then rows are altered, and the first one is named. Then another policy is tried.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

scene_begin 240
lab_need jq jq
lab_need sqlite3 sqlite3
doic=$LAB_BUILD/bin/doic
ctl() { "$doic" ctl --socket "$LAB_DIR/ctl.sock" "$@"; }
replay() { # OPTIONS...: its exit code; what it says is in $LAB_DIR/out
	timeout 60 "$doic" replay "$@" >"$LAB_DIR/out" 2>"$LAB_DIR/err"
	echo $?
}
said() { jq -r "$1" "$LAB_DIR/out"; }

scene_conf control.socket="$LAB_DIR/ctl.sock" evidence.batch_max_ms=50
cp "$SCENE/policy.yaml" "$LAB_DIR/first.yaml"
scene_server s1 --doic --from-first --report "at=1s,for=4s,type=host,seq=7,pct=30,validity=4" \
	--report "at=6s,for=2s,type=realm,seq=1,pct=40,validity=2"
scene_server s2 --doic --from-first --report "at=2s,for=5s,type=host,seq=9,rate=200,validity=4"
scene_relay

# --- the first life ---
scene_client c1 --rate 2500 --duration 9s --seed 1
scene_client c2 --doic --rate 500 --duration 9s --dest-host s1.example.net --seed 2
scene_client c3 --rate 500 --duration 9s --dest-host s2.example.net --seed 3
sleep 3
ok "a report of our own" ctl report set peer --reduction 20 --reason test
sleep 1
scene_policy "$(sed 's/^mode:.*//' "$LAB_DIR/first.yaml")
sampler: random"
ok "another policy" ctl reload --reason test
sleep 2
ctl report end peer --reason test >/dev/null
scene_tell s1 die
for client in c1 c2 c3; do scene_wait "$client"; done
requests=$(($(result c1 .requests) + $(result c2 .requests) + $(result c3 .requests)))
lab_stop dra
is "a life of many decisions" "$requests" "$(sql 'select count(*) from decision')"
ok "with refusals of every kind" test "$(sql "select count(distinct why || selected_by) from way where verdict = 2")" -ge 2
is "replays identical" 0 "$(replay --json "$SCENE/evidence")"
is "every decision of it" "identical $requests 0 0" "$(said '"\(.outcome) \(.decisions) \(.differing) \(.made_as_given)"')"
is "nothing was late, lost or of nothing known" "0 0 0 0" "$(said '"\(.late) \(.orphans) \(.unknown) \(.missing)"')"
is "by the same core, under two policies" "true 1 2" "$(said '"\(.lives[0].same_core) \(.lives[0].policy_first) \(.lives[0].policy_last)"')"

# --- the second life ---
rm -f "$LAB_DIR"/s1.control
LAB_PID_S1=${LAB_PID[s1]:-}
[ -z "$LAB_PID_S1" ] || { kill -0 "$LAB_PID_S1" 2>/dev/null || unset "LAB_PID[s1]"; }
scene_server s1 --doic --from-first --report "at=0s,for=3s,type=host,seq=20,pct=60,validity=2"
scene_relay
scene_client c4 --rate 1500 --duration 3s --seed 4
scene_wait c4
lab_stop dra
both=$((requests + $(result c4 .requests)))
is "two lives replay identical" 0 "$(replay --json "$SCENE/evidence")"
is "each anew" "2 $both" "$(said '"\(.lives | length) \(.decisions)"')"
is "the verdict in one line" 1 "$("$doic" replay -q "$SCENE/evidence" | grep -c '^IDENTICAL  .* decisions, 2 lives, same core')"
is "a window at the end" true "$(replay --json --window -5s "$SCENE/evidence" >/dev/null; said ".decisions > 0 and .decisions < $requests and .outcome == \"identical\"")"

# --- altered ---
cp -r "$SCENE/evidence" "$LAB_DIR/altered"
first=$(find "$LAB_DIR/altered" -name 'seg-*.db' | sort | head -n 1)
chmod u+w "$LAB_DIR/altered" "$first"
id=$(sqlite3 "$first" "select d.id from decision d join way w on w.id = d.way where w.verdict = 0 and d.host_nth > 20 order by d.id limit 1")
sqlite3 "$first" "update decision set host_share = host_share + 1 where id = $id"
is "an altered share differs" 1 "$(replay --json "$LAB_DIR/altered")"
is "and is named first" "1 $id host" "$(said '"\(.differing) \(.differences[0].decision) \(.differences[0].field)"')"
is "in words too" 1 "$(replay "$LAB_DIR/altered")"
ok "in the first line" grep -q '^DIFFERS  1 of .*: host' "$LAB_DIR/out"
ok "with both sides" grep -q '^  host .* differs' "$LAB_DIR/out"
ok "and the report that was in force" grep -q 'host report: version #.* s[12].example.net' "$LAB_DIR/out"
sqlite3 "$first" "delete from decision where id = $id"
is "without that decision it cannot tell" 3 "$(replay --json "$LAB_DIR/altered")"
is "and says which is not there" "cannot_tell 1" "$(said '"\(.outcome) \(.missing)"')"

# --- manners ---
is "2 no folder" 2 "$(replay)"
is "2 unknown option, with the nearest one" 1 "$(replay --stop-at-frist "$SCENE/evidence" >/dev/null; grep -c 'did you mean "--stop-at-first"' "$LAB_DIR/err")"
is "2 empty window" 2 "$(replay --json --since now --until -1h "$SCENE/evidence")"
is "2 in JSON too" "usage 2" "$(said '"\(.outcome) \(.exit)"')"
is "3 nothing in the window" 3 "$(replay --until 2000-01-01 "$SCENE/evidence")"
is "4 nothing there" 4 "$(replay --json "$LAB_DIR/nowhere")"
is "4 in JSON too" "unusable 4" "$(said '"\(.outcome) \(.exit)"')"
is "into a file" "0 identical" "$(replay --json -o "$LAB_DIR/replay.json" "$SCENE/evidence") $(jq -r .outcome "$LAB_DIR/replay.json")"
is "help fits a screen" true "$("$doic" replay --help | awk 'END { print (NR <= 24) ? "true" : "false" }')"

# --- another policy ---
whatif() {
	timeout 60 "$doic" whatif --json "$@" "$SCENE/evidence" >"$LAB_DIR/out" 2>"$LAB_DIR/err"
	echo $?
}
printf 'mode: observe\n' >"$LAB_DIR/observe.yaml"
sed '/^mode:/d' "$LAB_DIR/first.yaml" >>"$LAB_DIR/observe.yaml"
is "whatif: done" 0 "$(whatif --policy "$LAB_DIR/observe.yaml")"
is "whatif: before is what was recorded" "$(for db in "$SCENE"/evidence/seg-*.db; do sqlite3 -readonly "$db" 'select count(*) from decision d join way w on w.id = d.way where w.verdict = 2'; done | paste -sd+ | bc)" "$(said .total.before.refused)"
is "whatif: who only observes refuses nobody" "0 changes" "$(said '"\(.total.after.refused) \(.outcome)"')"
is "whatif: and changes what was refused" true "$(said '.now_sent == .total.before.refused and .now_refused == 0')"
is "whatif: each server got less than it would have" true "$(said '[.servers[] | .requests.after >= .requests.before] | all')"
words=$(timeout 60 "$doic" whatif --policy "$LAB_DIR/observe.yaml" "$SCENE/evidence")
is "whatif: says in words that selected is not refused" 1 "$(grep -c 'the policy now only observes' <<<"$words")"
is "whatif: tells the requests of a class once, its fates before and now" "class requests forwarded now diverted now refused now" \
	"$(awk '$1 == "class" { $1 = $1; print }' <<<"$words")"
is "whatif: says what it cannot know" true "$(said '.beyond_the_record | length >= 4')"
is "whatif: against itself nothing changes" "0 no_change" "$(whatif --policy "$LAB_DIR/observe.yaml" --against "$LAB_DIR/observe.yaml") $(said .outcome)"
is "whatif: a policy is needed" 2 "$(whatif)"
printf 'mode: maybe\n' >"$LAB_DIR/bad.yaml"
is "whatif: a policy that is not there" 4 "$(whatif --policy "$LAB_DIR/none.yaml")"
is "whatif: a policy with a mistake" 2 "$(whatif --policy "$LAB_DIR/bad.yaml")"
is "whatif: is named with its place" 1 "$(grep -c 'bad.yaml:1:7: mode' "$LAB_DIR/err")"
printf 'mode: maybe\noutstanding_max: many\ntrust: {peers: [{doic: true}]}\n' >"$LAB_DIR/worse.yaml"
is "whatif: every mistake is said" "2 3" "$(whatif --policy "$LAB_DIR/worse.yaml") $(grep -c '^doic whatif: .*worse.yaml:[123]:[0-9]*: ' "$LAB_DIR/err")"
is "whatif: the object has the first and how many follow" true "$(said '.error | test("worse.yaml:1:7: mode: .*; and 2 more$")')"
is "whatif: help fits a screen" true "$("$doic" whatif --help | awk 'END { print (NR <= 24) ? "true" : "false" }')"

# --- export ---
rows=$(for db in "$SCENE"/evidence/seg-*.db; do sqlite3 -readonly "$db" 'select count(*) from decision'; done | paste -sd+ | bc)
export_all() { timeout 60 "$doic" export "$@" "$SCENE/evidence" 2>"$LAB_DIR/err" >"$LAB_DIR/out"; echo $?; }
is "export: every decision, and the last line says so" "0 $rows true $rows" \
	"$(export_all) $(jq -s 'map(select(.id)) | length' "$LAB_DIR/out") $(tail -1 "$LAB_DIR/out" | jq -r '"\(.end) \(.rows)"')"
ok "export: the oldest life first, and its decisions in their order" bash -c "jq -r 'select(.id) | .id' '$LAB_DIR/out' | awk -F- '{ if (\$1 == run && \$2 <= n) exit 1; run = \$1; n = \$2 }'"
refused=$(for db in "$SCENE"/evidence/seg-*.db; do sqlite3 -readonly "$db" "select count(*) from v_decision where verdict = 'refused'"; done | paste -sd+ | bc)
is "export: with what SQL says of them" "$refused" "$(jq -s '[.[] | select(.verdict == "refused")] | length' "$LAB_DIR/out")"
is "export: CSV has a head and as many rows" "0 $((rows + 1))" "$(export_all --format csv) $(wc -l <"$LAB_DIR/out")"
is "export: a list" "0 loss" "$(export_all --what versions) $(head -1 "$LAB_DIR/out" | jq -r .algorithm)"
is "export: into a file, whole" "0 $((rows + 1))" "$(export_all -o "$LAB_DIR/all.ndjson") $(wc -l <"$LAB_DIR/all.ndjson")"
is "export: of one life" 0 "$(export_all --run "$(jq -r 'select(.id) | .id' "$LAB_DIR/all.ndjson" | head -1 | sed 's/-[0-9]*$//')")"
ok "export: is less than all" test "$(wc -l <"$LAB_DIR/out")" -lt "$rows"
is "export: of no such rows" 2 "$(export_all --what desicions)"
ok "export: names the nearest" grep -q 'did you mean "decisions"' "$LAB_DIR/err"
is "export: CSV of a list" 2 "$(export_all --what gaps --format csv)"
is "export: nothing there, in JSON too" "4 unusable" "$(timeout 9 "$doic" export --json "$LAB_DIR/nowhere" 2>/dev/null >"$LAB_DIR/out"; echo $? "$(jq -r .outcome "$LAB_DIR/out")")"
is "export: help fits a screen" true "$("$doic" export --help | awk 'END { print (NR <= 24) ? "true" : "false" }')"
scene_stop
scene_end
