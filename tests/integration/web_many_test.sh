#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Ten thousand connections to the web server at once: who has the UNIX socket is answered all the time, and everybody afterwards.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
build=${DOIC_BUILD:-build/release}
wanted=10000
passed=0 failed=0 skipped=0

# Both ends are in one process: it needs a descriptor for each of them.
most=$(ulimit -Hn)
if [ "$most" != unlimited ] && [ "$most" -lt $((wanted + 1000)) ]; then
	echo "skip 10,000 connections: this system allows $most descriptors"
	skipped=1
elif DOIC_WEB_CONNECTIONS=$wanted timeout 240 "$build"/bin/unit-web oweb_many >/dev/null; then
	echo "ok 10,000 connections do no harm"
	passed=1
else
	echo "not ok 10,000 connections do no harm"
	failed=1
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
