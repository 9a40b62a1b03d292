/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One sentence for a person: why something was not taken.
 */
#pragma once

#define OEV_WHY_MAX 320u

/* Filled by every function that takes one, when it does not return OC_OK; control characters are replaced
 * by '?'. */
struct oev_why {
	char text[OEV_WHY_MAX];
};

/* Writes the sentence and returns @err. @why may be NULL. */
__attribute__((format(printf, 3, 4))) int oev_why(struct oev_why *why, int err, const char *format, ...);
