/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * AVP codes the core reads or writes; all are vendor 0: match on (vendor, code), since vendor 10415
 * uses the same numbers for other AVPs.
 */
#pragma once

enum oc_avp_code {
	OC_AVP_USER_NAME = 1,
	OC_AVP_SESSION_ID = 263,
	OC_AVP_ORIGIN_HOST = 264,
	OC_AVP_RESULT_CODE = 268,
	OC_AVP_ROUTE_RECORD = 282,
	OC_AVP_DESTINATION_REALM = 283,
	OC_AVP_DESTINATION_HOST = 293,
	OC_AVP_ORIGIN_REALM = 296,
	OC_AVP_EXPERIMENTAL_RESULT = 297,
	OC_AVP_EXPERIMENTAL_RESULT_CODE = 298,
	OC_AVP_DRMP = 301,
	OC_AVP_CC_REQUEST_TYPE = 416,
	OC_AVP_SUPPORTED_FEATURES = 621,   /* OC-Supported-Features, Grouped */
	OC_AVP_FEATURE_VECTOR = 622,	   /* OC-Feature-Vector, Unsigned64 */
	OC_AVP_OLR = 623,		   /* OC-OLR, Grouped */
	OC_AVP_SEQUENCE_NUMBER = 624,	   /* OC-Sequence-Number, Unsigned64 */
	OC_AVP_VALIDITY_DURATION = 625,	   /* OC-Validity-Duration, Unsigned32, seconds */
	OC_AVP_REPORT_TYPE = 626,	   /* OC-Report-Type, Enumerated */
	OC_AVP_REDUCTION_PERCENTAGE = 627, /* OC-Reduction-Percentage, Unsigned32 */
	OC_AVP_PEER_ALGO = 648,		   /* OC-Peer-Algo, Unsigned64 */
	OC_AVP_SOURCE_ID = 649,		   /* SourceID, DiameterIdentity */
	OC_AVP_LOAD = 650,
	OC_AVP_LOAD_TYPE = 651,
	OC_AVP_LOAD_VALUE = 652,
	OC_AVP_MAXIMUM_RATE = 670 /* OC-Maximum-Rate, Unsigned32, requests/s */
};

#define OC_FLAG_REQUEST 0x80u /* command flags, RFC 6733 section 3 */
#define OC_FLAG_PROXIABLE 0x40u
#define OC_FLAG_ERROR 0x20u
#define OC_FLAG_RETRANSMIT 0x10u
