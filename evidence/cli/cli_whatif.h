/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A what-if as text. Private to the verb whatif.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "../replay/oev_whatif.h"

struct cli_whatif_view {
	FILE *out;
	bool color;
	bool quiet;   /* the verdict line only */
	bool verbose; /* each client, each report */
	double took_s;
};

void cli_whatif_print(const struct oev_whatif *whatif, const struct cli_whatif_view *view);
