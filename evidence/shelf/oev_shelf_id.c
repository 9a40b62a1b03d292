/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Names of decisions: "RUN-N".
 */
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_shelf.h"

int oev_shelf_id_parse(const char *text, char run[static OEV_SHELF_RUN_MAX], uint64_t *id)
{
	const char *dash = strrchr(text, '-');
	const char *digit = dash != NULL ? dash + 1 : text;
	size_t len = dash != NULL ? (size_t)(dash - text) : 0;

	*id = 0;
	run[0] = '\0';
	if (dash == text || len >= OEV_SHELF_RUN_MAX || *digit == '\0' || strlen(digit) > 18)
		return OC_EINVAL;
	for (; *digit != '\0'; digit++) {
		if (*digit < '0' || *digit > '9')
			return OC_EINVAL;
		*id = *id * 10 + (uint64_t)(*digit - '0');
	}
	memcpy(run, text, len);
	run[len] = '\0';
	return *id != 0 ? OC_OK : OC_EINVAL;
}
