/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * 3GPP-OC-Specific-Reduction, the part of an OC-OLR on Gy that names rating groups and request types.
 */
#include <stdlib.h>
#include <string.h>

#include "dt_report.h"

enum { SPECIFIC_REDUCTION = 1320, RATING_GROUP = 1321, REQUEST_TYPE = 1322 };

/* One AVP per number of the list @text. */
static int put_list(const char *text, uint32_t code, uint32_t vendor, struct dt_out *out)
{
	char *end;

	for (;; text = end + 1) {
		unsigned long value = strtoul(text, &end, 10);
		if (end == text || *text == '-' || value > UINT32_MAX || (*end && *end != ','))
			return OC_EINVAL;
		dt_put_u32(out, code | DT_OPTIONAL, vendor, (uint32_t)value);
		if (*end == '\0')
			return OC_OK;
	}
}

static int put_part(const char *part, struct dt_out *out)
{
	if (strncmp(part, "rg:", 3) == 0)
		return put_list(part + 3, RATING_GROUP, DT_VENDOR_3GPP, out);
	if (strncmp(part, "type:", 5) == 0)
		return put_list(part + 5, REQUEST_TYPE, DT_VENDOR_3GPP, out);
	if (strncmp(part, "pct:", 4) == 0)
		return put_list(part + 4, OC_AVP_REDUCTION_PERCENTAGE, 0, out);
	return OC_EINVAL;
}

int dt_report_specific(const char *text, struct dt_out *out)
{
	char copy[256];
	char *save = NULL;

	if (strlen(text) >= sizeof(copy))
		return OC_EINVAL;
	memcpy(copy, text, strlen(text) + 1);
	size_t group = dt_group_begin(out, SPECIFIC_REDUCTION | DT_OPTIONAL, DT_VENDOR_3GPP);
	for (char *part = strtok_r(copy, ";", &save); part; part = strtok_r(NULL, ";", &save)) {
		if (put_part(part, out) != OC_OK)
			return OC_EINVAL;
	}
	dt_group_end(out, group);
	return out->overflow ? OC_EINVAL : OC_OK;
}
