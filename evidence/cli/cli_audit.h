/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The audit as text. Private to the verb audit.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "../audit/oev_audit.h"

struct cli_audit_view {
	FILE *out;
	bool color;
	bool quiet;   /* the verdict line only */
	bool verbose; /* each version, each counter, each exception */
	double took_s;
};

void cli_audit_print(const struct oev_audit *audit, const struct cli_audit_view *view);
