/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A replay as text. Private to the verb replay.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "../replay/oev_replay.h"

struct cli_replay_view {
	FILE *out;
	bool color;
	bool quiet;   /* the verdict line only */
	bool verbose; /* each listed difference, each life */
	double took_s;
};

void cli_replay_print(const struct oev_replay *replay, const struct cli_replay_view *view);
