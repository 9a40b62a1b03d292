/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Codes and values of the overload, load and priority AVPs, for programs that use dict_doic.fdx.
 *
 * All but the last three are vendor 0. Vendor 10415 uses the same numbers for other AVPs, so match on (vendor, code).
 */
#pragma once

enum doic_avp_code {
	DOIC_AVP_DRMP = 301,		     /* Enumerated, RFC 7944 section 9.1 */
	DOIC_AVP_SUPPORTED_FEATURES = 621,   /* Grouped, RFC 7683 section 7.1 */
	DOIC_AVP_FEATURE_VECTOR = 622,	     /* Unsigned64, enum doic_feature */
	DOIC_AVP_OLR = 623,		     /* Grouped, in answers only, RFC 7683 section 7.3 */
	DOIC_AVP_SEQUENCE_NUMBER = 624,	     /* Unsigned64 */
	DOIC_AVP_VALIDITY_DURATION = 625,    /* Unsigned32, seconds */
	DOIC_AVP_REPORT_TYPE = 626,	     /* Enumerated, enum doic_report_type */
	DOIC_AVP_REDUCTION_PERCENTAGE = 627, /* Unsigned32, 0..100 */
	DOIC_AVP_PEER_ALGO = 648,	     /* Unsigned64, one algorithm bit, RFC 8581 section 7.1.2 */
	DOIC_AVP_SOURCE_ID = 649,	     /* DiameterIdentity */
	DOIC_AVP_LOAD = 650,		     /* Grouped, RFC 8583 section 7.1 */
	DOIC_AVP_LOAD_TYPE = 651,	     /* Enumerated, enum doic_load_type */
	DOIC_AVP_LOAD_VALUE = 652,	     /* Unsigned64, 0 = fully loaded .. 65535 = idle */
	DOIC_AVP_MAXIMUM_RATE = 670	     /* Unsigned32, requests/s, RFC 8582 section 7.2.1 */
};

/* Children of OC-OLR on Gy, vendor 10415 (3GPP TS 32.299 annex B.2). */
enum doic_avp_3gpp_code {
	DOIC_AVP_3GPP_SPECIFIC_REDUCTION = 1320, /* Grouped, repeats */
	DOIC_AVP_3GPP_RATING_GROUP = 1321,	 /* Unsigned32, repeats */
	DOIC_AVP_3GPP_REQUEST_TYPE = 1322	 /* Enumerated, values of CC-Request-Type, repeats */
};

#define DOIC_VENDOR_3GPP 10415u
#define DOIC_AVP_COUNT 17u

enum doic_report_type { DOIC_HOST_REPORT = 0, DOIC_REALM_REPORT = 1, DOIC_PEER_REPORT = 2 };

enum doic_load_type { DOIC_LOAD_HOST = 0, DOIC_LOAD_PEER = 1 };

/* Bits of OC-Feature-Vector; the first two are algorithms and may stand in OC-Peer-Algo, too. */
enum doic_feature { DOIC_OLR_DEFAULT_ALGO = 0x1, DOIC_OLR_RATE_ALGORITHM = 0x4, DOIC_OC_PEER_REPORT = 0x10 };

#define DOIC_VALIDITY_DEFAULT_S 30u /* when OC-Validity-Duration is absent or above the maximum */
#define DOIC_VALIDITY_MAX_S 86400u
#define DOIC_LOAD_VALUE_MAX 65535u
#define DOIC_DRMP_DEFAULT 10u /* when DRMP is absent; 0 is the highest priority, 15 the lowest */
#define DOIC_DRMP_MAX 15u
