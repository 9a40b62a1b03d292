/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The result of a verification as text. Private to the verb verify.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "../verify/oev_verify.h"

struct cli_verify_view {
	FILE *out;
	bool color;
	bool quiet;   /* the verdict line only */
	bool verbose; /* each segment and each finding */
};

void cli_verify_print(const struct oev_verify_result *result, const struct cli_verify_view *view);
