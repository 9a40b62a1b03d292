#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# kill -9 of the relay at full load: every request a server received and every answer a client received is in the evidence,
# once, after the next start has taken over what the dead process left. tests/bench/killed.sh does it 100 times.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/integration/scene.sh
. tests/integration/scene.sh
# shellcheck source=tests/integration/witness.sh
. tests/integration/witness.sh
# shellcheck source=tests/integration/killed_scene.sh
. tests/integration/killed_scene.sh

loaded() {
	local answers
	answers=$(killed_answers)
	ok "round $1: killed under load ($answers answers)" test "$answers" -gt 500
}

scene_begin 120
lab_need jq jq
lab_need sqlite3 sqlite3
killed_rounds 3 loaded
killed_end
killed_tests "killed 3 times"
scene_end
