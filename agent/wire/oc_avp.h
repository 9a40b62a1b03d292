/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * AVP codes the core reads or writes; all are vendor 0: match on (vendor, code), since vendor 10415
 * uses the same numbers for other AVPs.
 */
#pragma once

enum oc_avp_code {
	OC_AVP_USER_NAME = 1,
	OC_AVP_CALLED_STATION_ID = 30, /* the APN */
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
	OC_AVP_RATING_GROUP = 432,
	OC_AVP_SUBSCRIPTION_ID = 443,	   /* Grouped (RFC 8506 section 8.46) */
	OC_AVP_SUBSCRIPTION_ID_DATA = 444, /* UTF8String */
	OC_AVP_SUBSCRIPTION_ID_TYPE = 450, /* Enumerated */
	OC_AVP_MSCC = 456,		   /* Multiple-Services-Credit-Control, Grouped */
	OC_AVP_SUPPORTED_FEATURES = 621,   /* OC-Supported-Features, Grouped */
	OC_AVP_FEATURE_VECTOR = 622,	   /* OC-Feature-Vector, Unsigned64 */
	OC_AVP_OLR = 623,		   /* OC-OLR, Grouped */
	OC_AVP_SEQUENCE_NUMBER = 624,	   /* OC-Sequence-Number, Unsigned64 */
	OC_AVP_VALIDITY_DURATION = 625,	   /* OC-Validity-Duration, Unsigned32, seconds */
	OC_AVP_REPORT_TYPE = 626,	   /* OC-Report-Type, Enumerated */
	OC_AVP_REDUCTION_PERCENTAGE = 627, /* OC-Reduction-Percentage, Unsigned32 */
	OC_AVP_PEER_ALGO = 648,		   /* OC-Peer-Algo, Unsigned64 */
	OC_AVP_SOURCE_ID = 649,		   /* SourceID, DiameterIdentity */
	OC_AVP_LOAD = 650,		   /* Load, Grouped (RFC 8583) */
	OC_AVP_LOAD_TYPE = 651,		   /* Enumerated */
	OC_AVP_LOAD_VALUE = 652,	   /* Unsigned64, 0..65535 */
	OC_AVP_MAXIMUM_RATE = 670	   /* OC-Maximum-Rate, Unsigned32, requests/s */
};

/* Vendors of the AVPs below, and the AVPs: a code means nothing without its vendor. */
#define OC_VENDOR_3GPP 10415u
#define OC_VENDOR_ETSI 13019u

enum oc_avp_code_3gpp {
	OC_AVP3_SERVICE_URN = 525,	   /* Rx AAR, OctetString */
	OC_AVP3_MPS_IDENTIFIER = 528,	   /* Rx AAR, OctetString */
	OC_AVP3_RX_REQUEST_TYPE = 533,	   /* Rx AAR, Enumerated */
	OC_AVP3_SERVER_ASSIGNMENT = 614,   /* Cx and SWx SAR, Server-Assignment-Type, Enumerated */
	OC_AVP3_UAR_FLAGS = 637,	   /* Cx UAR, Unsigned32 */
	OC_AVP3_SESSION_RELEASE = 1045,	   /* Gx RAR, Session-Release-Cause, Enumerated */
	OC_AVP3_SPECIFIC_REDUCTION = 1320, /* 3GPP-OC-Specific-Reduction in OC-OLR, Grouped (TS 32.299 B.2) */
	OC_AVP3_OC_RATING_GROUP = 1321,	   /* Unsigned32 */
	OC_AVP3_OC_REQUEST_TYPE = 1322,	   /* Enumerated, values of CC-Request-Type */
	OC_AVP3_ULR_FLAGS = 1405,	   /* S6a ULR, Unsigned32 */
	OC_AVP3_SUBSESSION_INFO = 2201,	   /* S9, Subsession-Enforcement-Info, Grouped */
	OC_AVP3_SUBSESSION_OPERATION = 2203
};

enum oc_avp_code_etsi { OC_AVPE_RESERVATION_PRIORITY = 458 };

#define OC_FLAG_REQUEST 0x80u /* command flags, RFC 6733 section 3 */
#define OC_FLAG_PROXIABLE 0x40u
#define OC_FLAG_ERROR 0x20u
#define OC_FLAG_RETRANSMIT 0x10u
