/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Whether counts fit their expectations: Pearson's chi-square, at significance 0.001.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Whether @hits of @count cells fit @expected (each at least 5, same sum) as well as all but one in a thousand such
 * experiments do. @count: 2..8. */
static inline bool help_chi_fits(const uint32_t *hits, const double *expected, uint32_t count)
{
	/* 0.999 quantiles for 1 to 7 degrees of freedom. */
	static const double critical[] = { 10.828, 13.816, 16.266, 18.467, 20.515, 22.458, 24.322 };
	double chi = 0;

	for (uint32_t i = 0; i < count; i++)
		chi += (hits[i] - expected[i]) * (hits[i] - expected[i]) / expected[i];
	return chi < critical[count - 2];
}
