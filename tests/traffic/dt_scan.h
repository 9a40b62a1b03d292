/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a traffic end wants to know of one message, found in one pass over its top-level AVPs.
 */
#pragma once

#include "dt_doic.h"

#define DT_PROXY_MAX 8u
#define DT_OLRS_MAX 8u
#define DT_LOADS_MAX 4u
#define DT_DRMP_NONE 16u /* no DRMP, or none that makes sense */
#define DT_DRMP_COUNT 17u

/* AVPs point into the message; code 0 means absent. */
struct dt_scan {
	struct dt_avp session;
	struct dt_avp origin;
	struct dt_avp origin_realm;
	struct dt_avp dest_host;
	struct dt_avp dest_realm;
	struct dt_avp vendor_app; /* Vendor-Specific-Application-Id */
	struct dt_avp auth_app;
	struct dt_avp auth_state;
	struct dt_avp cc_type;
	struct dt_avp cc_number;
	struct dt_avp drmp;
	struct dt_avp sf; /* OC-Supported-Features */
	uint32_t proxies; /* how many of each list are filled; those beyond its end are not kept */
	uint32_t olrs;
	uint32_t loads;
	uint32_t result; /* Result-Code or Experimental-Result-Code, 0 = none */
	struct dt_avp proxy[DT_PROXY_MAX];
	struct dt_avp olr[DT_OLRS_MAX];
	struct dt_avp load[DT_LOADS_MAX];
};

/* Fills *@scan from a whole message. OC_OK, or OC_EMALFORMED (what was found before the defect stands). */
int dt_scan_msg(struct dt_scan *scan, const uint8_t *msg, size_t len);
/* The same, but only until Origin-Host, and in an answer its result, are known: what comes later is left out. */
void dt_scan_front(struct dt_scan *scan, const uint8_t *msg, size_t len);
/* 0..15, or DT_DRMP_NONE. */
uint32_t dt_scan_drmp(const struct dt_scan *scan);
