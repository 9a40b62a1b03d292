/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The picture of one claim: requests per second in one plot, percentages in another below it, on one time axis, with the intervals
 * of the versions shaded and the four instants marked; and the same numbers as a table.
 */
#pragma once

#include "../audit/oev_audit.h"

/* @number makes the ids of the drawing unique on the page. */
void oev_page_chart(FILE *out, const struct oev_claim *claim, const struct oev_series *series, size_t number);
