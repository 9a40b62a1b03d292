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
	local bare
	bare=$(files '*.c' '*.h' '*.sh' '*.sql' run .ci/run CMakeLists.txt | xargs awk '
		FNR == 1 { if (name != "" && !seen) print "  no SPDX line: " name; name = FILENAME; seen = 0 }
		FNR <= 4 && /SPDX-License-Identifier: BSD-3-Clause/ { seen = 1 }
		FNR > 4 { nextfile }
		END { if (name != "" && !seen) print "  no SPDX line: " name }')
	[ -z "$bare" ] || { echo "$bare"; return 1; }
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
	forbid web '#include [<"](freeDiameter|sqlite3|gcrypt)' 'see the Diameter library, the store or crypto'
	forbid web '#include "(\.\./)*(extensions|dict_doic|tests)/' 'include other folders'
	return $bad
}

# Files stay under 500 lines, functions under 60 (docs/architecture.md says where the aim is).
check_sizes() {
	local bad=0 over
	over=$(files '*.c' '*.h' | xargs wc -l | awk '$2 != "total" && $1 > 500 { print "  " $1 " lines: " $2 }')
	[ -n "$over" ] && echo "$over" && bad=1
	local long
	long=$(files '*.c' | ctags -L - --languages=C --kinds-C=f --fields=+ne -f - 2>/dev/null |
		awk -F'\t' '{ s = 0; e = 0; for (i = 4; i <= NF; i++) { if ($i ~ /^line:/) s = substr($i, 6); if ($i ~ /^end:/) e = substr($i, 5) }
			if (e - s >= 60) printf "  function of %d lines: %s:%s\n", e - s + 1, $2, $1 }')
	[ -n "$long" ] && echo "$long" && bad=1
	return $bad
}

# Every header compiles by itself.
header_alone() { # HEADER
	local std=c11 said
	case $1 in extensions/* | dict_doic/*) std=gnu11 ;; esac
	said=$(printf '#include "%s"\n' "$1" |
		gcc -std=$std -D_GNU_SOURCE -Wall -Wextra -fsyntax-only -I. -Itests/traffic -Ibuild/release/evidence -isystem /usr/include/freeDiameter -x c - 2>&1) || {
		printf '  does not compile alone: %s\n%s\n' "$1" "$(head -3 <<<"$said")"
		return 1
	}
}
export -f header_alone

check_headers_alone() {
	files '*.h' | xargs -P2 -I{} bash -c 'header_alone "$1"' - {}
}

# The second compiler only looks: one run for all files with the same options, twenty at a time. At those of the tests; what it has to say
# of the others clang-tidy says too, which reads them anyway.
check_clang() {
	{ cmake --preset clang && cmake --build --preset clang --target oev_texts oweb_texts oweb_asset_texts; } >build/clang.log 2>&1 || {
		grep -E 'error|CMake Error' build/clang.log | head -10
		return 1
	}
	jq -r '.[] | select(.file | contains("/tests/")) | .directory + " " + (.command | sub(" -o [^ ]+ -c "; " ")) + " " + .file' build/clang/compile_commands.json |
		awk '{
				file = $NF
				sub(" [^ ]+ [^ ]+$", "")
				if (++n[$0] % 20 == 1) part[$0]++
				files[$0 SUBSEP part[$0]] = files[$0 SUBSEP part[$0]] " " file
			}
			END {
				for (k in files) {
					split(k, key, SUBSEP)
					sub(" ", " \\&\\& ", key[1])
					print "cd " key[1] " -fsyntax-only" files[k]
				}
			}' | tr '\n' '\0' | xargs -0 -P2 -n1 bash -c >>build/clang.log 2>&1
	local rc=$?
	grep -E 'error:|warning:' build/clang.log | sort -u | head -10
	return $rc
}

check_gcc() {
	{ cmake --preset release && cmake --build --preset release -- -k 0; } >build/release.log 2>&1 && return
	grep -E 'error|CMake Error' build/release.log | head -10
	return 1
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
	[ -f build/clang/compile_commands.json ] || return 1
	files '*.c' | grep -E '^(agent|evidence|web|extensions|dict_doic)/' |
		xargs -P2 -n8 clang-tidy -p build/clang --quiet "${checks[@]}" >build/tidy.log 2>&1
	local rc=$?
	grep -E 'error:|warning:' build/tidy.log | sort -u | head -20
	return $rc
}

check_shell() {
	files '*.sh' run .ci/run | xargs -P2 -n12 shellcheck -x -S warning
}

check_words() {
	local hits
	hits=$(files '*.c' '*.h' '*.sh' run | grep -v '^tests/lint.sh$' | xargs grep -nE '\b(TODO|FIXME|XXX|HACK)\b' | head)
	[ -z "$hits" ] || { echo "$hits"; return 1; }
}

for check in format captions layers sizes words shell gcc clang headers_alone cppcheck tidy; do
	began=$SECONDS
	check_$check
	say "$check ($((SECONDS - began)) s)" $?
done
[ $failed -eq 0 ] && echo "lint: everything holds" || echo "lint: $failed checks failed"
exit $((failed != 0))
