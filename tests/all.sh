#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Runs every test of the tree and closes with "N passed, N failed, N skipped". Called by ./run test [PART].
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
part=${1:-all}
passed=0 failed=0 skipped=0
mkdir -p build
log=build/test.log
: >"$log"
ran=build/test-ran.log # what ran and passed, for tests/conformance.sh
: >"$ran"

# Adds what the closing lines "N passed, N failed[, N skipped]" of a part's output say; a part that fails
# without saying so counts as one failure, a part that ran nothing too.
count() {
	local name=$1 rc=$2 out=$3 took=$4 before=$((passed + failed + skipped)) failed_before=$failed p f s
	while read -r p f s; do
		passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	done < <(grep -axE '([a-z]+: )?[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?' "$out" | sed 's/^[a-z]*: //' |
		awk '{ print $1, $3, ($5 == "" ? 0 : $5) }')
	if [ "$rc" -ne 0 ] && [ "$failed" -eq "$failed_before" ]; then
		failed=$((failed + 1))
	elif [ $((passed + failed + skipped)) -eq "$before" ]; then
		failed=$((failed + 1))
		rc=1
	fi
	if [ "$rc" -eq 0 ] && [ "$failed" -eq "$failed_before" ]; then
		echo "ok      $name ($took s)"
	else
		echo "FAILED  $name ($took s)"
		grep -aE '^(FAILED|not ok|lab:)|command not found|ERROR|error:|Sanitizer:|^ +[0-9]+\. ' "$out" | head -30
	fi
}

# What ran and passed by the output of a part, in the words of docs/conformance.tsv.
note_ran() {
	local name=$1 out=$2
	case $name in
	"release unit-"*)
		awk -v program="${name#* }" '/^Suite: / { suite = $2 }
			/^  Test: / {
				test = $0
				sub(/^  Test: /, "", test)
				sub(/ *\.\.\..*/, "", test)
				while (test ~ /^[DRLQPC]-[0-9]+ /) sub(/^[^ ]+ /, "", test)
			}
			/passed$/ && test != "" {
				print program, suite, test
				test = ""
			}' "$out"
		;;
	"release "*) grep -a '^ran ' "$out" | cut -d ' ' -f 2- ;;
	*_test)
		awk -v test="integration ${name%_test}" '$1 == "ok" { for (i = 2; $i ~ /^[DRLQPC]-[0-9]+$/; i++) print test, $i }
			$1 == "skip" { print "skipped " test }' "$out"
		;;
	esac >>"$ran"
}

# What a part that ended says, counted.
tell_part() { # NAME CODE OUTPUT SECONDS
	cat "$3" >>"$log"
	note_ran "$1" "$3"
	grep -a '^skip' "$3"
	count "$1" "$2" "$3" "$4"
	rm -f "$3"
}

run_part() {
	local name=$1 out began=$SECONDS
	shift
	out=$(mktemp)
	"$@" >"$out" 2>&1
	tell_part "$name" $? "$out" $((SECONDS - began))
}

build() {
	local preset=$1 began=$SECONDS
	shift
	if ! { cmake --preset "$preset" && cmake --build --preset "$preset" "$@" -- -k 0; } >"build/$preset.log" 2>&1; then
		grep -aE 'error|FAILED|CMake Error' "build/$preset.log" | head -20
		echo "FAILED  build of preset $preset (log: build/$preset.log)"
		failed=$((failed + 1))
		return 1
	fi
	echo "built   $preset ($((SECONDS - began)) s)"
}

# start_part NAME COMMAND...: as run_part, two at a time; finish_parts tells them in the order they were started.
started_names=() started_outs=()
start_part() {
	local name=$1 out
	shift
	while [ "$(jobs -rp | wc -l)" -ge "${DOIC_TEST_JOBS:-2}" ]; do wait -n; done
	out=$(mktemp)
	started_names+=("$name")
	started_outs+=("$out")
	{
		local began=$SECONDS
		"$@" >"$out" 2>&1
		echo "$? $((SECONDS - began))" >"$out.code"
	} &
}

finish_parts() {
	local i out code took
	wait
	for i in "${!started_names[@]}"; do
		out=${started_outs[i]}
		read -r code took <"$out.code"
		tell_part "${started_names[i]}" "$code" "$out" "$took"
		rm -f "$out.code"
	done
	started_names=() started_outs=()
}

# Suites that only wait and kill, or repeat one thing very often, have nothing to show to a sanitizer that a release does not.
left_out() { # PRESET PROGRAM
	case $1-$(basename "$2") in
	asan-unit-evidence) echo but oev_recover_kill oev_recorder_outage oev_journal_kill oev_audit_bound oev_audit_count ;;
	asan-unit-verify) echo but oev_verify_many oev_prove ;;
	asan-unit-web) echo but oweb_many ;;
	esac
}

# All test programs of one preset, each with its own closing line.
programs() {
	local preset=$1 program
	build "$preset" || return
	for program in build/"$preset"/bin/unit-*; do
		# shellcheck disable=SC2046 # words
		[ -x "$program" ] && start_part "$preset $(basename "$program")" "$program" $(left_out "$preset" "$program")
	done
	finish_parts
}

threads_targets="unit-agent unit-ctl unit-evidence unit-replay unit-web"

# The suites in which threads meet; the others have nothing to show to the thread sanitizer, and are ten times slower under it.
threads() {
	local bin=build/tsan/bin
	# shellcheck disable=SC2086 # words
	build tsan --target $threads_targets || return
	start_part "tsan unit-agent" $bin/unit-agent oc_agent oc_agent_counts oc_agent_whole oc_names oc_replay oc_slots
	start_part "tsan unit-ctl" $bin/unit-ctl
	start_part "tsan unit-evidence" $bin/unit-evidence oev_audit_reach oev_journal oev_journal_left oev_notary oev_recorder oev_recorder_outage \
		oev_recorder_parts oev_recover
	start_part "tsan unit-replay" $bin/unit-replay oev_replay
	start_part "tsan unit-web" $bin/unit-web oweb_auth oweb_events oweb_resources oweb_rows oweb_server
	finish_parts
}

every_story() { # PROGRAM STORIES...
	local program=$1 story rc=0
	shift
	for story in "$@"; do
		if "$program" "$story"; then
			story=${story#tests/}
			echo "ran ${story%/*} $(basename "${story%.*}")"
		else
			rc=1
		fi
	done
	return $rc
}

scenarios() {
	local bin=build/$1/bin
	[ ! -x "$bin/scenario" ] || start_part "$1 scenarios" every_story "$bin/scenario" tests/scenario/*.scn
	[ ! -x "$bin/lab" ] || start_part "$1 laboratory" every_story "$bin/lab" tests/lab/*.lab
	finish_parts
}

corpus() {
	local preset=$1 program
	for program in build/"$preset"/bin/fuzz-*; do
		[ -x "$program" ] || continue
		run_part "$preset $(basename "$program") corpus" "$program" "tests/fuzz/corpus/$(basename "$program" | sed 's/^fuzz-//')"
	done
}

# Real daemons mostly wait: two scenes at a time, and those that measure rates or load the relay fully alone afterwards.
scenes_alone=" chain disk failover killed locked overload "

scenes() { # SCRIPTS...
	local script
	for script in "$@"; do
		start_part "$(basename "$script" .sh)" env DOIC_BUILD="$PWD/build/release" timeout 300 "$script"
	done
	finish_parts
}

# Real daemons mostly wait: what the sanitizers need is built meanwhile, as long as nobody else wants the processors. What goes
# wrong is told when it is built again, in its turn.
ahead=
build_ahead() {
	{
		cmake --preset asan && nice -n 19 cmake --build --preset asan -- -k 0
		# shellcheck disable=SC2086 # words
		cmake --preset tsan && nice -n 19 cmake --build --preset tsan --target $threads_targets -- -k 0
	} >build/ahead.log 2>&1 &
	ahead=$!
	disown
}

built_ahead() {
	while [ -n "$ahead" ] && kill -0 "$ahead" 2>/dev/null; do sleep 1; done
}

together=() alone=()
sort_scenes() {
	local script
	for script in tests/integration/*_test.sh; do
		case $scenes_alone in
		*" $(basename "$script" _test.sh) "*) alone+=("$script") ;;
		*) together+=("$script") ;;
		esac
	done
}

started=$SECONDS
case $part in
all | unit | scenario | asan | tsan | integration | page) ;;
*)
	echo "unknown part: $part (unit, scenario, asan, tsan, integration, page)" >&2
	exit 2
	;;
esac
sort_scenes
case $part in all | unit) programs release && corpus release ;; esac
case $part in unit) run_part conformance tests/conformance.sh ;; esac
case $part in scenario | integration) build release ;; esac
case $part in all | scenario) scenarios release ;; esac
# In a browser, and so not among all: what it needs is large.
case $part in page) build release --target doic doic-traffic doic_fdx lab_loopback && run_part page tests/page/run.sh build/bench/page.json "$(git rev-parse --short HEAD 2>/dev/null)" ;; esac
case $part in all) build_ahead ;; esac
case $part in all | integration) scenes "${together[@]}" ;; esac
built_ahead
case $part in all | asan) programs asan && corpus asan && scenarios asan ;; esac
case $part in all | tsan) threads ;; esac
case $part in all | integration) DOIC_TEST_JOBS=1 scenes "${alone[@]}" ;; esac
case $part in all) run_part conformance tests/conformance.sh check build/release "$ran" ;; esac
echo "took $((SECONDS - started)) s, log: $log"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
