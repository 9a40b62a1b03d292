#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Tests of the page in Debian's Chromium, against a server of its own or the one of BASE_URL, and then against a real relay (live.sh), where one
# is built; installs what is missing.
# usage: tests/page/run.sh [FIGURES.json [COMMIT]]
set -euo pipefail
out=${1:+$(realpath -m "$1")}
cd "$(dirname "$0")"

missing=()
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
command -v chromium >/dev/null || missing+=(chromium)
[ -e /usr/share/javascript/dygraphs/dygraph.min.js ] || missing+=(libjs-dygraphs)
if [ ${#missing[@]} -gt 0 ]; then
	if [ "${DOIC_NO_INSTALL:-0}" = 1 ]; then
		echo "missing packages: ${missing[*]} (install them with: apt-get install ${missing[*]})" >&2
		exit 1
	fi
	sudo=()
	[ "$(id -u)" -eq 0 ] || sudo=(sudo)
	echo "installing: ${missing[*]}" >&2
	"${sudo[@]}" apt-get update -qq
	"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
	PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --silent
fi
code=0
node main.mjs ${out:+"$out"} ${2:+"$2"} || code=1
if [ -z "${BASE_URL:-}" ] && [ -x ../../build/release/bin/doic-traffic ]; then
	./live.sh ${out:+"$out"} ${2:+"$2"} || code=1
fi
exit $code
