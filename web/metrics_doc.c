/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Prints docs/metrics.md: doic-metrics-doc >docs/metrics.md
 */
#include <stdio.h>

#include "oweb_metrics.h"

int main(void)
{
	struct oweb_text text = { 0 };

	oweb_metrics_page(&text);
	int rc = text.failed || fputs(text.data, stdout) < 0 || fflush(stdout) != 0;
	oweb_text_free(&text);
	return rc;
}
