/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Mistakes of counters from outside.
 */
#include "oev_samples_mistakes.h"

#include <stdio.h>

#include "../../agent/oc_err.h"
#include "oev_samples.h"

int oev_sample_wrong(struct oev_samples *samples, const char *path, uint32_t line, size_t column,
		     const char *why)
{
	struct oev_sample_mistakes *all = samples->mistakes;

	if (all == NULL || all->count == 0)
		snprintf(samples->error, sizeof(samples->error), "%s:%u:%zu: %s", path, line, column, why);
	if (all == NULL || all->count == OEV_MISTAKES_MAX)
		return OC_EMALFORMED;
	struct oev_sample_mistake *at = &all->list[all->count++];
	at->line = line;
	at->column = (uint32_t)column;
	snprintf(at->what, sizeof(at->what), "%s", why);
	return OC_EMALFORMED;
}

bool oev_samples_goes_on(const struct oev_samples *samples, int rc)
{
	const struct oev_sample_mistakes *all = samples->mistakes;

	return rc == OC_OK || (rc == OC_EMALFORMED && all != NULL && all->count < OEV_MISTAKES_MAX);
}

int oev_samples_outcome(const struct oev_samples *samples, int rc)
{
	bool is_wrong = samples->mistakes != NULL && samples->mistakes->count > 0;

	return rc == OC_OK && is_wrong ? OC_EMALFORMED : rc;
}
