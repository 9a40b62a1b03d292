/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a traffic end wants to know of one message, found in one pass over its top-level AVPs.
 */
#pragma once

#include "dt_doic.h"

#define DT_PROXY_MAX 8u

/* AVPs point into the message; code 0 means absent. All-zero is empty. */
struct dt_scan {
	struct dt_avp session;
	struct dt_avp origin;
	struct dt_avp vendor_app; /* Vendor-Specific-Application-Id */
	struct dt_avp auth_app;
	struct dt_avp auth_state;
	struct dt_avp cc_type;
	struct dt_avp cc_number;
	struct dt_avp proxy[DT_PROXY_MAX];
	uint32_t proxies;
	uint32_t result; /* Result-Code or Experimental-Result-Code, 0 = none */
	uint32_t olr[DT_OLR_TYPE_COUNT];
	bool has_sf; /* OC-Supported-Features */
	bool has_olr;
};

/* Fills *@scan from a whole message. OC_OK, or OC_EMALFORMED (what was found before the defect stands). */
int dt_scan_msg(struct dt_scan *scan, const uint8_t *msg, size_t len);
