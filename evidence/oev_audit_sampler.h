/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The bound of the exact sampler, checked draw by draw: |selected - expected| < 1 at every moment.
 *
 * Decisions are numbered when the request arrives. A host report is drawn at that moment when the request
 * names the host, but only after routing when it does not (a "late" draw). So where both kinds meet, the
 * order of numbers is not quite the order of draws. Early draws keep their order, late draws keep theirs, and a
 * late draw may fall behind up to OEV_SAMPLER_PENDING - 1 others. The check accepts when at least one such order
 * keeps the bound throughout: it follows every possible number of outstanding late draws at once.
 */
#pragma once

#include "oev_audit.h"

/* One draw at @share_ppm. @late: drawn after routing, see above. */
void oev_sampler_take(struct oev_sampler *sampler, uint32_t share_ppm, bool selected, bool late);

/* No more draws: whatever is outstanding must fit in. True when the bound held. */
bool oev_sampler_holds(const struct oev_sampler *sampler);
