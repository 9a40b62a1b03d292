# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Measurements that count: user instructions of the relay under callgrind, which repeat to within a percent.
#
# Every count is a difference of two runs in one process, so start, stop, watchdogs and connecting cancel out.
#
# shellcheck shell=bash disable=SC2034 # variables are the interface between these files

# counting_up KIND REALM...: relay_up under callgrind; the recorder can be told from the rest by its thread.
counting_up() {
	LAB_PATIENCE_S=60
	LAB_WRAP=(valgrind --tool=callgrind --separate-threads=yes "--callgrind-out-file=$LAB_DIR/cg")
	relay_up "$@"
	LAB_WRAP=()
	COUNT_PART=0
	SIGNING=0
	SIGNED=0
}

counting_down() {
	relay_down
	LAB_PATIENCE_S=20
	rm -f "$LAB_DIR"/cg*
}

# What a file of callgrind's says of libgcrypt: instructions inside it, those of signing, and how many were signed. Names have
# a number where they stand first, be it as who calls or as who is called; the line after calls= is the cost of the one called.
in_libgcrypt() { # FILE
	awk '{ key = substr($1, index($1, "=") + 1) }
		/^c?ob=/ && NF > 1 { is_gcrypt[key] = /libgcrypt/ }
		/^c?fn=/ && NF > 1 { is_sign[key] = $2 == "gcry_pk_sign" }
		/^ob=/ { here = is_gcrypt[key] }
		/^cfn=/ { called = is_sign[key] }
		/^calls=/ { foreign = 1; signed += called ? substr($1, 7) : 0; next }
		/^[0-9+*-]/ { if (!foreign && here) inside += $2; if (foreign && called) signing += $2; foreign = 0 }
		END { printf "%d %d %d\n", inside, signing, signed }' "$1"
}

# count_end: ends a count; INSTRUCTIONS gets what all threads did since the last one but for signing, RECORDER what its thread did of that,
# HASHES what of it was inside libgcrypt. Signatures come every few seconds whatever the traffic: SIGNED of them took SIGNING since
# counting_up.
count_end() {
	local file sum inside signing signed
	sleep "${COUNT_SETTLE_S:-1}" # what was handed to other threads is part of it
	timeout 60 callgrind_control -d "$RELAY_PID" >"$LAB_DIR/callgrind_control.log" 2>&1 ||
		lab_fail "callgrind could not be asked: $(tail -n 1 "$LAB_DIR/callgrind_control.log")"
	COUNT_PART=$((COUNT_PART + 1))
	INSTRUCTIONS=0
	RECORDER=0
	HASHES=0
	for file in "$LAB_DIR/cg.$COUNT_PART"-*; do
		sum=$(awk '$1 == "totals:" { print $2 }' "$file")
		read -r inside signing signed < <(in_libgcrypt "$file")
		sum=$((${sum:-0} - signing))
		INSTRUCTIONS=$((INSTRUCTIONS + sum))
		SIGNING=$((SIGNING + signing))
		SIGNED=$((SIGNED + signed))
		# Only the recorder's thread runs SQLite: callbacks write to the journal, others read figures at most.
		grep -q oev_recorder "$file" && grep -q sqlite3_step "$file" && RECORDER=$((RECORDER + sum))
		HASHES=$((HASHES + inside - signing))
	done
	[ "$INSTRUCTIONS" -gt 0 ] || lab_fail "callgrind counted nothing."
}

# count_run NAME COUNT CODE OPTIONS...: COUNT requests to a.lab, all answered CODE, then count_end.
count_run() {
	local name=$1 count=$2 code=$3
	shift 3
	client "$name" a.lab --window 16 --count "$count" --timeout 60s --drain 60s "$@"
	expect_answers "$name" "$code" "$count"
	count_end
}

# count_pairs CODE OPTIONS...: PER_PAIR gets instructions per request/answer pair, PER_PAIR_RECORDER the recorder's share, PER_PAIR_HASHES
# that of libgcrypt.
count_pairs() {
	local short=1000 long=6000 code=$1 first first_recorder first_hashes
	shift
	[ "$QUICK" -eq 0 ] || { short=500 long=2000; }
	count_run short "$short" "$code" "$@"
	first=$INSTRUCTIONS first_recorder=$RECORDER first_hashes=$HASHES
	count_run long "$long" "$code" "$@"
	PER_PAIR=$(((INSTRUCTIONS - first) / (long - short)))
	PER_PAIR_RECORDER=$(((RECORDER - first_recorder) / (long - short)))
	PER_PAIR_HASHES=$(((HASHES - first_hashes) / (long - short)))
}

measure_instructions() {
	local kind prefix idle
	local how="callgrind user instructions per request/answer pair, window 16, difference of two run lengths"
	for kind in "${KINDS[@]}"; do
		bench_say "instructions of $kind"
		ours_conf
		counting_up "$kind" a.lab
		count_run warm 200 2001
		count_pairs 2001
		COUNT_SETTLE_S=10 count_end
		idle=$((INSTRUCTIONS / 10))
		counting_down
		[ "$kind" = ours ] && prefix=relay. || prefix=relay.${kind}_
		figure "${prefix}idle_instructions_per_s" "$idle" instructions "" "callgrind user instructions per second without traffic"
		if [ "$kind" != ours ]; then
			figure "relay.${kind}_instructions_per_pair" "$PER_PAIR" instructions "" "$how; relay without the agent"
			continue
		fi
		[ "$PER_PAIR_RECORDER" -gt 0 ] || lab_fail "the recorder's thread was not found in callgrind's output."
		figure relay.instructions_per_pair $((PER_PAIR - PER_PAIR_RECORDER)) instructions "<= 64000" \
			"$how; evidence on, without the recorder thread"
		[ "$PER_PAIR_HASHES" -gt 0 ] || lab_fail "libgcrypt was not found in callgrind's output."
		figure relay.instructions_per_pair_recorded "$PER_PAIR" instructions "<= 80000" \
			"$how; evidence on, with the recorder thread; signatures apart"
		figure relay.libgcrypt_instructions_per_pair "$PER_PAIR_HASHES" instructions "" \
			"the part of it inside libgcrypt: four SHA-256 of six blocks, in software since valgrind hides the processor's own instructions; of the rest the daemon's threads take relay.instructions_per_pair, and SQLite with what feeds it $((PER_PAIR_RECORDER - PER_PAIR_HASHES))"
		[ "$SIGNED" -eq 0 ] || figure relay.signature_instructions $((SIGNING / SIGNED)) instructions "" \
			"callgrind user instructions of one signed checkpoint, one every evidence.checkpoint_s (10) whatever the traffic; in no other figure"
	done
}

# A refused request against a forwarded one: the server reports a reduction of 100 % for its realm.
measure_refusal() {
	local forward refuse
	bench_has_ours || return 0
	ours_conf
	counting_up ours a.lab
	count_run warm 200 2001
	count_pairs 2001
	forward=$PER_PAIR
	tell a.lab "report type=realm seq=1 pct=100 validity=3600"
	client teach a.lab --window 1 --count 1
	count_end
	count_pairs 5012
	refuse=$PER_PAIR
	counting_down
	figure relay.refusal_instructions "$refuse" instructions "" \
		"callgrind user instructions per request refused because of a realm report of 100 %, recorder included"
	figure relay.refusal_vs_forward "$(calc "$refuse / $forward")" ratio "" \
		"instructions per refused request / per forwarded pair, same process, recorder included"
}

# unanswered_count KIND COUNT: COST_RATIO gets instructions per pair after COUNT requests died / before.
unanswered_count() {
	local before
	ours_conf deadline_ms=2000 outstanding_max=0
	counting_up "$1" a.lab
	count_run warm 200 2001
	count_pairs 2001
	before=$PER_PAIR
	tell a.lab "mute $2"
	client dead a.lab --window "$2" --count "$2" --timeout "${DEAD_TIMEOUT:-120s}" --drain "${DEAD_TIMEOUT:-120s}"
	sleep 3 # the deadline of the last one
	count_end
	count_pairs 2001
	COST_RATIO=$(calc "$PER_PAIR / $before")
	counting_down
}

measure_unanswered() {
	local count=20000
	[ "$QUICK" -eq 0 ] || count=4000
	if bench_has_ours; then
		unanswered_count ours "$count"
		figure relay.unanswered_cost_ratio "$COST_RATIO" ratio "<= 1.05" \
			"instructions per pair after $count requests were never answered and met their deadline / before"
		measure_unanswered_memory "$count"
	fi
	[ "$QUICK" -eq 0 ] || return 0
	DEAD_TIMEOUT=5s unanswered_count stock 5000
	figure relay.stock_unanswered_cost_ratio "$COST_RATIO" ratio "" \
		"the same on a stock relay, which has no deadline, after 5000 such requests"
}
