#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The evidence damaged under a running relay: pages of the segment overwritten, the folder moved away. The relay goes on relaying and
# ends in order, the damage does not pass unseen, and the next start, or the next folder, has whole evidence again.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh
# shellcheck source=tests/integration/witness.sh
. tests/integration/witness.sh

scene_begin 120
lab_need jq jq
lab_need sqlite3 sqlite3

# The second half of its pages.
overwrite() { # FILE
	local pages=$(($(stat -c %s "$1") / 8192)) from
	from=$((pages / 2))
	dd if=/dev/urandom of="$1" bs=8192 seek="$from" count=$((pages - from)) conv=notrunc 2>/dev/null
}

# Steady load for 5 s, with something done to the evidence after 1.5 s.
run() { # NAME COMMAND...
	local name=$1
	shift
	witness_client "$name" --rate 1500 --duration 5s --seed 1
	sleep 1.5
	"$@"
	scene_wait "$name"
	is "$name: each of $(result "$name" .requests) requests was answered" "$(result "$name" .requests)" "$(result "$name" '.by_result["2001"]')"
	ok "$name: and soon" test "$(result "$name" '.latency_us.max | floor')" -lt 2000000
	scene_stop # fails unless all ended in order
}

# VERB must find a fault in the folder; 0 and 3 say that there is none.
finds_fault() { # VERB
	local code=0
	timeout 60 "$LAB_BUILD/bin/doic" "$1" "$SCENE/evidence" >"$LAB_DIR/$1.log" 2>&1 || code=$?
	ok "damaged: doic $1 finds it (exit $code)" test "$code" -eq 1 -o "$code" -eq 4
	ok "damaged: and names the file" grep -q "$(basename "$damaged")" "$LAB_DIR/$1.log"
}

damage() {
	damaged=$(witness_newest)
	sqlite3 "$damaged" "PRAGMA wal_checkpoint(FULL)" >/dev/null # rows leave the -wal for pages nobody will write again
	overwrite "$damaged"
}

witness_fresh evidence.batch_max_ms=100
run damaged damage
finds_fault audit
finds_fault verify

# The damaged segment stays where it is; the next life does not trip over it.
witness_servers
scene_relay
run next true
mv "$damaged"* "$LAB_DIR/"
witness_load
witness_nothing_lost next

witness_fresh evidence.batch_max_ms=100
run removed mv "$SCENE/evidence" "$SCENE/elsewhere"
ok "removed: the log says that the segment is gone" grep -q 'evidence segment is given up .*removed or moved away' "$LAB_DIR/dra.log"
ok "removed: the folder is made again, with a gap row in its segment" \
	test "$(sqlite3 -readonly "$(witness_newest)" "SELECT count(*) FROM gap WHERE reason LIKE '%removed or moved away%' AND events > 0")" -eq 1
ok "removed: the audit names the gap" grep -q 'removed or moved away' <(timeout 60 "$LAB_BUILD/bin/doic" audit "$SCENE/evidence" | tr -s ' \n' ' ')
ok "removed: with the public key" test -s "$SCENE/evidence/public-key.txt"
code=0
timeout 60 "$LAB_BUILD/bin/doic" verify "$SCENE/evidence" >"$LAB_DIR/verify.log" 2>&1 || code=$?
ok "removed: doic verify misses what was moved away (exit $code)" test "$code" -eq 1
ok "removed: and says so" grep -q '^GAP .*missing before' "$LAB_DIR/verify.log"
scene_end
