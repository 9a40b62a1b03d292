/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * When the evidence tells everything: all recording nodes at work, nothing lost.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oev_audit;

struct oev_span {
	uint64_t from_us, until_us;
};

struct oev_cover {		/* zeroed: empty */
	struct oev_span *spans; /* rising, apart */
	size_t count;
};

/* From the segments and gaps of @audit. Returns OC_OK, OC_ENOMEM. Free with _fini, also then. */
int oev_cover_make(struct oev_cover *cover, const struct oev_audit *audit);
void oev_cover_fini(struct oev_cover *cover);

/* Whether [@from_us, @until_us) lies wholly inside. */
bool oev_cover_holds(const struct oev_cover *cover, uint64_t from_us, uint64_t until_us);
