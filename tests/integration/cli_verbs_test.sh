#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The manners that every verb of the command line has: help that fits a screen, words for what is mistyped, one object in JSON for
# usage errors too, completion, a manual page. The verbs are those `doic --help` lists.
# usage: cli_verbs_test.sh [--build FOLDER]
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
build=build/release
[ "${1:-}" != --build ] || build=$2
doic=$(realpath "$build/bin/doic") || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
skipped=0

is() { # NAME EXPECTED GOT
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok $1: wanted '$2', got '$3'"
	fi
}

ok() { # NAME COMMAND...
	local name=$1
	shift
	if "$@" >/dev/null 2>&1; then is "$name" 0 0; else is "$name" "success" "code $?: $*"; fi
}

skip() { # NAME WHY
	skipped=$((skipped + 1))
	echo "skip $1: $2"
}

# Into $work/out and $work/err; its exit code.
run() {
	timeout 20 "$doic" "$@" >"$work/out" 2>"$work/err" </dev/null
	echo $?
}
lines() { wc -l <"$work/$1"; }
widest() { awk '{ if (length($0) > most) most = length($0) } END { print most + 0 }' "$work/out"; }
# The object on standard output, as "exit schema outcome"; nothing when there is not exactly one.
object() { jq -rs 'if length == 1 then "\(.[0].exit) \(.[0].schema) \(.[0].outcome // .[0].error)" else empty end' "$work/out" 2>/dev/null; }

is "doic alone: usage" 2 "$(run)"
is "doic alone: the list goes to standard error" 0 "$(lines out)"
is "doic --help" 0 "$(run --help)"
ok "doic --help fits a screen" test "$(lines out)" -le 24
mapfile -t verbs < <(awk '/^  [a-z][a-z-]* +[a-z]/ { print $1 }' "$work/out")
ok "doic --help lists verbs" test ${#verbs[@]} -ge 5
is "every verb once" "${#verbs[@]}" "$(printf '%s\n' "${verbs[@]}" | sort -u | wc -l)"
is "doic help says the same" "$("$doic" --help)" "$("$doic" help)"
is "doic --version" 0 "$(run --version)"
is "doic version says the same" "$("$doic" --version)" "$("$doic" version)"
is "no option before the verb" 2 "$(run --json audit)"
ok "and says so" grep -qF 'before the verb' "$work/err"
is "unknown verb in JSON" "2 doic/1 usage" "$(run nonsense --json >/dev/null; object)"
is "a verb that is no text" "2 doic/1 usage" "$(run $'\xff\x01' --json >/dev/null; object)"
is "help of no verb" 2 "$(run help nonsense)"

is "unknown letter" 2 "$(run audit -qx folder)"
ok "it is named" grep -qF 'no option "-x"' "$work/err"
is "letter without its value" 2 "$(run audit folder -o)"
ok "it is named too" grep -qF 'option "-o" needs a value (FILE)' "$work/err"
if [ -w /dev/full ]; then
	for line in --help "help audit" "completion bash" version "audit --help"; do
		# shellcheck disable=SC2086 # the line is words
		is "doic $line to a full disk" 70 "$("$doic" $line >/dev/full 2>"$work/err"; echo $?)"
	done
else
	skip "a full disk" "there is no /dev/full"
fi

timeout 20 "$doic" completion bash >"$work/offered"
for verb in "${verbs[@]}"; do
	is "$verb --help" 0 "$(run "$verb" --help)"
	ok "$verb --help fits a screen" test "$(lines out)" -le 24
	ok "$verb --help is no wider than 120 columns" test "$(widest)" -le 120
	ok "$verb --help begins with an example" grep -qE "^doic $verb( |$)" <(head -1 "$work/out")
	ok "$verb --help tells its exit codes" grep -q '^exit: 0' "$work/out"
	is "$verb --help says nothing on standard error" 0 "$(lines err)"
	cp "$work/out" "$work/help"
	is "help $verb" 0 "$(run help "$verb")"
	ok "help $verb says the same" cmp "$work/help" "$work/out"

	is "$verb with an unknown option" 2 "$(run "$verb" --no-such-option)"
	is "$verb with an unknown option: nothing on standard output" 0 "$(lines out)"
	ok "$verb with an unknown option: says how to go on" grep -qF "doic $verb --help" "$work/err"
	is "$verb with an unknown option: one line" 1 "$(lines err)"
	if grep -q -- '--json' "$work/help"; then
		run "$verb" --json --no-such-option >/dev/null
		ok "$verb in JSON: one object for a usage error" grep -qE '^2 doic\.[a-z_-]+/[0-9]+ usage$' <(object)
		ok "$verb in JSON: said in words too" test "$(lines err)" -ge 1
	fi
	while read -r option; do
		if ! grep -qE -- "--$option( |')" "$work/offered"; then
			is "$verb --help names --$option, completion too" yes no
		fi
	done < <(grep -oE -- '--[a-z][a-z-]+' "$work/help" | sed 's/^--//' | sort -u)

	# Two neighbours swapped, one letter lost: still found.
	swapped=${verb:0:1}${verb:2:1}${verb:1:1}${verb:3}
	for typo in "$swapped" "${verb%?}"; do
		printf '%s\n' "${verbs[@]}" | grep -qxF "$typo" && continue
		is "$typo is no verb" 2 "$(run "$typo")"
		ok "$typo: $verb is offered" grep -qF "did you mean \"$verb\"?" "$work/err"
	done

	page=docs/man/doic-$verb.1.scd
	case $verb in help | version | completion) page=docs/man/doic.1.scd ;; esac
	ok "$verb has a manual page" test -s "$page"
	ok "doic(1) names $verb" grep -qE "^(\*.*)?\*$verb\*" docs/man/doic.1.scd
done

for shell in bash zsh fish; do
	is "completion $shell" 0 "$(run completion "$shell")"
	cp "$work/out" "$work/doic.$shell"
	if command -v "$shell" >/dev/null; then
		ok "$shell can read it" "$shell" -n "$work/doic.$shell"
	else
		skip "completion for $shell" "$shell is not installed"
	fi
done
# What TAB offers after words, by the script itself.
offers() { # WORDS...
	bash -c 'shopt -s extglob; . "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _doic; echo "${COMPREPLY[*]}"' - "$work/doic.bash" "$@"
}
is "doic ctl policy <TAB>" "show history check diff apply rollback" "$(offers doic ctl policy "")"
is "doic ctl policy a<TAB>" "apply" "$(offers doic ctl policy a)"
is "doic ctl report <TAB>" "set end list" "$(offers doic ctl report "")"
is "doic ctl policy check <TAB>: files" "" "$(offers doic ctl policy check "")"
is "doic ctl pol<TAB>" "policy" "$(offers doic ctl pol)"
for word in show history check diff apply rollback; do
	run ctl policy "$word" --socket "$work/none.sock" >/dev/null
	ok "doic ctl policy $word is a command" bash -c "! grep -q 'no command' $work/err"
done
ok "zsh: doic ctl policy <TAB>" grep -qF 'policy) compadd show history check diff apply rollback ;;' <(timeout 20 "$doic" completion zsh)
ok "fish: doic ctl policy <TAB>" grep -qE "__fish_prev_arg_in policy' -f -a 'show history check diff apply rollback'" <(timeout 20 "$doic" completion fish)
is "completion of no shell" 2 "$(run completion tcsh)"
ok "completion for bash passes shellcheck" shellcheck -s bash "$work/doic.bash"

# What bash offers after the words given, the last of which is being written.
offered() {
	# shellcheck disable=SC2016 # for the shell inside
	bash -c '. "$1"; shift; COMP_WORDS=(doic "$@"); COMP_CWORD=$#; _doic; echo "${COMPREPLY[*]}"' bash "$work/doic.bash" "$@"
}
is "bash completes a verb" "audit" "$(offered aud)"
is "bash completes an option" "--require" "$(offered audit --req)"
is "bash completes a value" "never" "$(offered audit --color n)"
is "bash completes a word of a verb" "status states stats" "$(offered ctl st)"
is "bash leaves files to itself" "" "$(offered audit /var/li)"
is "help completes verbs" "verify" "$(offered help veri)"
if command -v fish >/dev/null; then
	is "fish completes a value" "never" "$(fish -c "source $work/doic.fish; complete -C 'doic audit --color n'" | cut -f1)"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
