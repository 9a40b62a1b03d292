#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Every reply the unit tests of the web server get is one that web/openapi.yaml describes: the status, the media type, the JSON.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
build=${DOIC_BUILD:-build/release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! DOIC_WEB_DUMP=$work/replies timeout 200 "$build"/bin/unit-web but oweb_events oweb_many oweb_rows >"$work/log" 2>&1; then
	grep -A2 FAILED "$work/log" | head -20
	echo "not ok the unit tests run"
	echo "0 passed, 1 failed"
	exit 1
fi
# The system's own, when another one that has not the modules comes first.
python=python3
$python -c 'import jsonschema, prometheus_client, yaml' 2>/dev/null || python=/usr/bin/python3
exec $python tests/integration/web_openapi.py web/openapi.yaml "$work/replies"
