#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Check 19: a folder is verified twenty times while a relay writes 5,000 requests a second into it, in segments so small that they are
# finished, sealed and followed by the next all the time: never a false alarm, and what is not signed yet is told as open tail.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh

RUNS=20
RATE=5000
EVERY_MS=900 # a run begins at most so often, so that the runs meet different moments

scene_begin 180
scene_conf evidence.segment_max_mb=1 evidence.checkpoint_s=1 evidence.batch_max_ms=100
doic=$LAB_BUILD/bin/doic
key=$LAB_DIR/key.txt
now_ms() { echo $(($(date +%s%N) / 1000000)); }
segments() { find "$SCENE/evidence" -name 'seg-*.db' | wc -l; }

scene_server s1 --doic
scene_server s2
scene_relay
cp "$SCENE/evidence/public-key.txt" "$key"
scene_client c1 --rate $RATE --duration 60s --max-outstanding 400 --template gx
sleep 2

# Into $LAB_DIR/run.N: what run N said. The checkpoints beside the folder are held against it by each; every fourth names them, another fourth
# remembers what the ones before saw, and every fifth has SQLite look.
good=0 tails=0 slowest=0
began=$(now_ms)
first=$(segments)
for ((run = 1; run <= RUNS; run++)); do
	options=()
	[ $((run % 4)) = 0 ] && options+=(--checkpoint "$SCENE/evidence.checkpoints")
	[ $((run % 4)) = 2 ] && options+=(--remember "$LAB_DIR/remembered")
	[ $((run % 5)) = 0 ] && options+=(--deep)
	start=$(now_ms)
	timeout 60 "$doic" verify "$SCENE/evidence" --key "$key" --json "${options[@]}" >"$LAB_DIR/run.$run" 2>"$LAB_DIR/err.$run"
	code=$?
	took=$(($(now_ms) - start))
	[ "$took" -gt "$slowest" ] && slowest=$took
	said=$(jq -r '"\(.outcome) \(.findings | length) \(.open_tail.rows // 0)"' "$LAB_DIR/run.$run" 2>&1)
	if [ "$code ${said% *}" = "0 intact 0" ]; then
		good=$((good + 1))
	else
		echo "run $run (${options[*]:-plain}) ended with $code: $said: $(jq -c '.findings[0]' "$LAB_DIR/run.$run" 2>&1) $(head -1 "$LAB_DIR/err.$run")"
	fi
	[ "${said##* }" -gt 0 ] 2>/dev/null && tails=$((tails + 1))
	[ "$took" -ge "$EVERY_MS" ] || sleep "0.$(printf %03d $((EVERY_MS - took)))"
done
span=$(($(now_ms) - began))
last=$(segments)
lab_alive c1
is "twenty runs, no false alarm" "$RUNS" "$good"
ok "segments were finished meanwhile: $((last - first))" test $((last - first)) -ge 5
ok "what is not signed yet was told as open tail: in $tails of $RUNS" test "$tails" -gt 0

kill -TERM "${LAB_PID[c1]}"
lab_reap c1 100
scene_stop
rows=0
for segment in "$SCENE"/evidence/seg-*.db; do rows=$((rows + $(sqlite3 -readonly "$segment" "select count(*) from decision"))); done
seconds=$(jq -r '.duration_s // empty' "$SCENE/c1.json" 2>/dev/null)
rate=$(awk -v rows="$rows" -v s="${seconds:-$((span / 1000 + 2))}" 'BEGIN { printf "%.0f", rows / s }')
if [ "$rate" -ge $((RATE * 9 / 10)) ]; then
	ok "while $rate requests a second were written" true
else
	skip "while $RATE requests a second are written" "this machine did $rate"
fi
is "and the finished folder is intact" "0 intact" "$("$doic" verify "$SCENE/evidence" --key "$key" --checkpoint "$LAB_DIR/remembered" --json >"$LAB_DIR/end"; echo $?) $(jq -r .outcome "$LAB_DIR/end")"
echo "figure verify.live_false_alarms $((RUNS - good)) of $RUNS runs, $rate requests/s, $((last - first)) segments finished meanwhile, slowest run $slowest ms"
scene_end
