# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Measurements that take time or memory: only ratios of runs side by side mean anything on a shared machine.
#
# shellcheck shell=bash disable=SC2034 # variables are the interface between these files

# cpu_ticks: user and system time of the relay so far, in clock ticks.
cpu_ticks() {
	awk '{ print $14 + $15 }' "/proc/$RELAY_PID/stat"
}

# rss_kb: resident memory of the relay.
rss_kb() {
	awk '$1 == "VmRSS:" { print $2 }' "/proc/$RELAY_PID/status"
}

# one_round KIND COUNT: RPS, P99_US and CPU_US (relay, per pair) of one saturating run.
one_round() {
	local before after
	ours_conf
	relay_up "$1" a.lab
	client warm a.lab --window 100 --count 2000
	before=$(cpu_ticks)
	client load a.lab --window 100 --count "$2"
	after=$(cpu_ticks)
	expect_answers load 2001 "$2"
	relay_down
	RPS=$(result load .throughput_rps)
	P99_US=$(result load '.latency_us["p99"]')
	CPU_US=$(calc "($after - $before) * 1000000 / $(getconf CLK_TCK) / $2")
}

# Rounds of all kinds by turns; a round of ours is compared with the stock round right before it.
measure_rounds() {
	local rounds=5 count=60000 round kind rps_ratios=() p99_ratios=() cpu_ratios=()
	local -A rps=() p99=() cpu=()
	[ "$QUICK" -eq 0 ] || { rounds=3 count=20000; }
	for ((round = 1; round <= rounds; round++)); do
		local -A now_rps=() now_p99=() now_cpu=()
		for kind in "${KINDS[@]}"; do
			one_round "$kind" "$count"
			rps[$kind]+=" $RPS" p99[$kind]+=" $P99_US" cpu[$kind]+=" $CPU_US"
			now_rps[$kind]=$RPS now_p99[$kind]=$P99_US now_cpu[$kind]=$CPU_US
			bench_say "round $round/$rounds $kind: $RPS/s, p99 $P99_US us, relay $CPU_US us/pair"
		done
		bench_has_ours || continue
		rps_ratios+=("$(calc "${now_rps[ours]} / ${now_rps[stock]}")")
		p99_ratios+=("$(calc "${now_p99[ours]} / ${now_p99[stock]}")")
		cpu_ratios+=("$(calc "${now_cpu[ours]} / ${now_cpu[stock]}")")
	done
	local how="median of $rounds pairs of runs by turns, $count requests each, window 100"
	if bench_has_ours; then
		figure relay.throughput_vs_stock "$(median "${rps_ratios[@]}")" ratio ">= 1.4" "$how, evidence on"
		figure relay.p99_vs_stock "$(median "${p99_ratios[@]}")" ratio "<= 1.0" "$how, evidence on"
		figure relay.cpu_vs_stock "$(median "${cpu_ratios[@]}")" ratio "" "$how; processor time of the relay"
	fi
	round_figures "$rounds" "$count"
}

# The medians themselves, for people; they differ by a factor of two between machines and days. Reads rps, p99, cpu.
round_figures() {
	local kind prefix how="median of $1 runs of $2 requests, window 100; says more about the machine than about the relay"
	for kind in "${KINDS[@]}"; do
		prefix=relay.${kind}_
		[ "$kind" != ours ] || prefix=relay.
		# shellcheck disable=SC2086 # lists of numbers
		figure "${prefix}throughput_rps" "$(median ${rps[$kind]})" 1/s "" "$how"
		# shellcheck disable=SC2086
		figure "${prefix}p99_us" "$(median ${p99[$kind]})" us "" "$how"
		# shellcheck disable=SC2086
		figure "${prefix}cpu_us_per_pair" "$(median ${cpu[$kind]})" us "" "$how; user and system time"
	done
}

# other_realm KIND STALL: OTHER_P99_MS gets p99 of 2000 requests/s to b.lab, while a.lab is sent 4000/s and, with STALL 1,
# does not read them.
other_realm() {
	local seconds=6
	[ "$QUICK" -eq 0 ] || seconds=4
	ours_conf
	relay_up "$1" a.lab b.lab
	client warm b.lab --rate 2000 --pattern paced --count 1000
	[ "$2" -eq 0 ] || tell a.lab "stall $((seconds + 4))s"
	client_start flood a.lab --rate 4000 --pattern paced --count $((4000 * seconds)) \
		--max-outstanding 100000 --timeout 30s --drain 1s
	sleep 1
	client other b.lab --rate 2000 --pattern paced --count $((2000 * (seconds - 1))) \
		--max-outstanding 100000 --timeout 30s --drain 30s
	client_wait flood
	OTHER_P99_MS=$(calc "$(result other '.latency_us["p99"]') / 1000")
	relay_down
}

measure_stalled() {
	local rounds=5 round stalled=() free=() ratios=()
	local how="p99 of 2000 requests/s to a healthy server, while another realm's server stops reading under 4000/s"
	[ "$QUICK" -eq 0 ] || rounds=3
	for ((round = 1; round <= rounds; round++)); do
		bench_has_ours || break
		other_realm ours 1
		stalled+=("$OTHER_P99_MS")
		other_realm ours 0
		free+=("$OTHER_P99_MS")
		ratios+=("$(calc "${stalled[-1]} / ${free[-1]}")")
		bench_say "round $round/$rounds: p99 ${stalled[-1]} ms, with nobody stalled ${free[-1]} ms"
	done
	if bench_has_ours; then
		figure relay.other_realm_p99_ms_with_stalled_peer "$(median "${stalled[@]}")" ms "<= 5" "$how; median of $rounds"
		figure relay.other_realm_p99_ms_with_no_stall "$(median "${free[@]}")" ms "" \
			"the same load with every server reading; median of $rounds: what this machine can do"
		figure relay.other_realm_p99_vs_no_stall "$(median "${ratios[@]}")" ratio "" "the two, pair by pair; median of $rounds"
	fi
	other_realm stock 1
	figure relay.stock_other_realm_p99_ms_with_stalled_peer "$OTHER_P99_MS" ms "" "$how; one run"
}

# measure_unanswered_memory COUNT: resident memory after three cycles of COUNT unanswered requests. One malloc arena,
# a small journal and a long warm-up, which fills the journal and the database's cache: otherwise memory touched for the
# first time would look like growth.
measure_unanswered_memory() {
	local cycle rss=()
	ours_conf deadline_ms=2000 outstanding_max=0 journal_records=4096
	LAB_WRAP=(env MALLOC_ARENA_MAX=1)
	relay_up ours a.lab
	LAB_WRAP=()
	client warm a.lab --window 100 --count 160000
	for cycle in 1 2 3; do
		tell a.lab "mute $1"
		client dead a.lab --window "$1" --count "$1" --timeout 30s --drain 30s
		sleep 3
		client after a.lab --window 100 --count 5000
		expect_answers after 2001 5000
		sleep 1
		rss[cycle]=$(rss_kb)
		bench_say "unanswered cycle $cycle: ${rss[cycle]} kB"
	done
	relay_down
	figure relay.unanswered_rss_growth_kb $((rss[3] - rss[1])) kB "<= 1024" \
		"resident memory after cycle 3 minus after cycle 1; a cycle is $1 requests never answered, then 5000 answered; one malloc arena"
}
