#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# The checkers: format, two compilers with warnings as errors, static analysis, layers, sizes, captions. Called by ./run lint.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
failed=0
depth=${1:-}
mkdir -p build
git ls-files --error-unmatch run >/dev/null || {
	echo "lint: the files to look at are those git knows, and git does not know this folder" >&2
	exit 1
}

say() { # NAME RC
	if [ "$2" -eq 0 ]; then echo "ok      $1"; else
		echo "FAILED  $1"
		failed=$((failed + 1))
	fi
}

# Tracked files whose names match the patterns, and new ones not ignored.
files() {
	git ls-files --cached --others --exclude-standard -- "$@" | while read -r f; do [ -f "$f" ] && echo "$f"; done
}

check_format() {
	files '*.c' '*.h' | xargs clang-format --dry-run -Werror 2>&1 | grep -E 'error|warning' | head -10
	return "${PIPESTATUS[1]}"
}

# Every file says in its first lines what licence it has and what it is for.
check_captions() {
	local bad=0 f
	while read -r f; do
		if ! head -4 "$f" | grep -q 'SPDX-License-Identifier: BSD-3-Clause'; then
			echo "  no SPDX line: $f"
			bad=1
		fi
	done < <(files '*.c' '*.h' '*.sh' '*.sql' run .ci/run CMakeLists.txt)
	return $bad
}

# Which folder may include which (docs/architecture.md); host libraries only where they belong.
check_layers() {
	local bad=0
	forbid() { # FOLDER PATTERN WHY
		local hits
		hits=$(files "$1/*.c" "$1/*.h" | xargs -r grep -nE "$2" | head -5)
		if [ -n "$hits" ]; then
			echo "  $1 must not $3:"
			echo "$hits"
			bad=1
		fi
	}
	forbid agent '#include [<"](freeDiameter|sqlite3|gcrypt|microhttpd|jansson|cyaml|time\.h|sys/time|stdio|unistd|fcntl)' 'see I/O, clocks or host libraries'
	forbid agent '\b(clock_gettime|gettimeofday|time\(NULL\)|rand\(|random\(|printf)' 'ask for time or chance, or print'
	forbid agent '#include "(\.\./)*(evidence|extensions|web|dict_doic|tests)/' 'include the layers above it'
	forbid evidence '#include [<"](freeDiameter|microhttpd)' 'see the Diameter or HTTP library'
	forbid evidence '#include "(\.\./)*(extensions|web|dict_doic|tests)/' 'include the layers above it'
	forbid extensions '#include [<"](sqlite3|gcrypt|microhttpd)' 'see the store, crypto or HTTP library'
	forbid dict_doic '#include [<"](sqlite3|gcrypt|microhttpd|jansson|cyaml)' 'see anything but the Diameter library'
	forbid dict_doic '#include "(\.\./)*(agent|evidence|extensions|web|tests)/' 'include other folders'
	return $bad
}

# Files stay under 500 lines, functions under 60 (docs/architecture.md says where the aim is).
check_sizes() {
	local bad=0 f n
	while read -r f; do
		n=$(wc -l <"$f")
		if [ "$n" -gt 500 ]; then
			echo "  $n lines: $f"
			bad=1
		fi
	done < <(files '*.c' '*.h')
	local long
	long=$(files '*.c' | ctags -L - --languages=C --kinds-C=f --fields=+ne -f - 2>/dev/null |
		awk -F'\t' '{ s = 0; e = 0; for (i = 4; i <= NF; i++) { if ($i ~ /^line:/) s = substr($i, 6); if ($i ~ /^end:/) e = substr($i, 5) }
			if (e - s >= 60) printf "  function of %d lines: %s:%s\n", e - s + 1, $2, $1 }')
	[ -n "$long" ] && echo "$long" && bad=1
	return $bad
}

check_headers_alone() {
	local bad=0 h std
	while read -r h; do
		std=c11
		case $h in extensions/* | dict_doic/*) std=gnu11 ;; esac
		if ! printf '#include "%s"\n' "$h" |
			gcc -std=$std -D_GNU_SOURCE -Wall -Wextra -fsyntax-only -I. -Itests/traffic -Ibuild/release/evidence -isystem /usr/include/freeDiameter -x c - 2>build/header.log; then
			echo "  does not compile alone: $h"
			head -3 build/header.log
			bad=1
		fi
	done < <(files '*.h')
	return $bad
}

check_compilers() {
	local preset rc=0
	for preset in release clang; do
		if ! { cmake --preset $preset && cmake --build --preset $preset -- -k 0; } >"build/$preset.log" 2>&1; then
			grep -E 'error|CMake Error' "build/$preset.log" | head -10
			rc=1
		fi
	done
	return $rc
}

check_cppcheck() {
	files '*.c' | grep -v '^tests/' | xargs cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr -j2 \
		--enable=warning,performance,portability --suppress=missingIncludeSystem --suppress=unknownMacro \
		--suppress=normalCheckLevelMaxBranches -I. 2>&1 | head -20
	return "${PIPESTATUS[2]}"
}

# With the argument "deep" the analyzer follows paths too: twenty times as long.
check_tidy() {
	local checks=()
	[ "$depth" = deep ] || checks=(--checks=-clang-analyzer-*) # added to those of .clang-tidy
	cmake -S . -B build/clang -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null || return 1
	files '*.c' | grep -E '^(agent|evidence|extensions|dict_doic)/' |
		xargs -P2 -n8 clang-tidy -p build/clang --quiet "${checks[@]}" >build/tidy.log 2>&1
	local rc=$?
	grep -E 'error:|warning:' build/tidy.log | sort -u | head -20
	return $rc
}

check_shell() {
	files '*.sh' run .ci/run | xargs shellcheck -x -S warning
}

check_words() {
	local hits
	hits=$(files '*.c' '*.h' '*.sh' run | grep -v '^tests/lint.sh$' | xargs grep -nE '\b(TODO|FIXME|XXX|HACK)\b' | head)
	[ -z "$hits" ] || { echo "$hits"; return 1; }
}

for check in format captions layers sizes words shell compilers headers_alone cppcheck tidy; do
	began=$SECONDS
	check_$check
	say "$check ($((SECONDS - began)) s)" $?
done
[ $failed -eq 0 ] && echo "lint: everything holds" || echo "lint: $failed checks failed"
exit $((failed != 0))
