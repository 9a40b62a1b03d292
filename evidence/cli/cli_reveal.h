/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A revelation as text. Private to the verb reveal.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "../reveal/oev_reveal.h"

struct cli_reveal_view {
	FILE *out;
	bool color;
	bool quiet;   /* the verdict line only */
	bool verbose; /* every session */
	double took_s;
};

void cli_reveal_print(const struct oev_reveal *reveal, const struct cli_reveal_view *view);
