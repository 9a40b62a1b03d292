/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What is wrong with counters from outside: the first mistake as a line of text, and, where somebody wants to know all, each with its place.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OEV_MISTAKES_MAX 50u /* then nobody looks for more */

struct oev_sample_mistake {
	uint32_t line, column; /* from 1 */
	char what[416];
};

struct oev_sample_mistakes { /* zeroed: none */
	size_t count;
	struct oev_sample_mistake list[OEV_MISTAKES_MAX];
};

struct oev_samples;

/* Notes that @path is wrong there. samples->error keeps the first one. Returns OC_EMALFORMED. */
int oev_sample_wrong(struct oev_samples *samples, const char *path, uint32_t line, size_t column,
		     const char *why);

/* After @rc: whether to look further. OC_OK always; after a mistake only for those who want all of them, while there is room. */
bool oev_samples_goes_on(const struct oev_samples *samples, int rc);

/* What it came to when the last step gave @rc: OC_EMALFORMED too when a step before was wrong. */
int oev_samples_outcome(const struct oev_samples *samples, int rc);
