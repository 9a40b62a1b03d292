/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The rows: RFC 7683 section 7, RFC 8581 section 7, RFC 8582 section 7, RFC 8583 section 7, RFC 7944 section 9, and
 * 3GPP TS 32.299 annex B.2.
 */
#include "doic_table.h"

#include "doic_avp.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static const struct doic_value report_types[] = {
	{ "HOST_REPORT", DOIC_HOST_REPORT },
	{ "REALM_REPORT", DOIC_REALM_REPORT },
	{ "PEER_REPORT", DOIC_PEER_REPORT },
};

static const struct doic_value load_types[] = {
	{ "HOST", DOIC_LOAD_HOST },
	{ "PEER", DOIC_LOAD_PEER },
};

static const struct doic_value request_types[] = {
	{ "INITIAL_REQUEST", 1 },
	{ "UPDATE_REQUEST", 2 },
	{ "TERMINATION_REQUEST", 3 },
	{ "EVENT_REQUEST", 4 },
};

static const struct doic_value priorities[] = {
	{ "PRIORITY_0", 0 },   { "PRIORITY_1", 1 },   { "PRIORITY_2", 2 },   { "PRIORITY_3", 3 },
	{ "PRIORITY_4", 4 },   { "PRIORITY_5", 5 },   { "PRIORITY_6", 6 },   { "PRIORITY_7", 7 },
	{ "PRIORITY_8", 8 },   { "PRIORITY_9", 9 },   { "PRIORITY_10", 10 }, { "PRIORITY_11", 11 },
	{ "PRIORITY_12", 12 }, { "PRIORITY_13", 13 }, { "PRIORITY_14", 14 }, { "PRIORITY_15", 15 },
};

static const struct doic_rule features_rules[] = {
	{ 0, DOIC_AVP_FEATURE_VECTOR, false, false },
	{ 0, DOIC_AVP_SOURCE_ID, false, false },
	{ 0, DOIC_AVP_PEER_ALGO, false, false },
};

/* RFC 7683 section 7.3 fixes the first two positions. We require the two but no position: a report in another
 * order is still readable, and a dictionary that refuses it would cost the client its answer. */
static const struct doic_rule report_rules[] = {
	{ 0, DOIC_AVP_SEQUENCE_NUMBER, true, false },
	{ 0, DOIC_AVP_REPORT_TYPE, true, false },
	{ 0, DOIC_AVP_REDUCTION_PERCENTAGE, false, false },
	{ 0, DOIC_AVP_VALIDITY_DURATION, false, false },
	{ 0, DOIC_AVP_SOURCE_ID, false, false },
	{ 0, DOIC_AVP_MAXIMUM_RATE, false, false },
	{ DOIC_VENDOR_3GPP, DOIC_AVP_3GPP_SPECIFIC_REDUCTION, false, true },
};

static const struct doic_rule specific_rules[] = {
	{ DOIC_VENDOR_3GPP, DOIC_AVP_3GPP_RATING_GROUP, false, true },
	{ DOIC_VENDOR_3GPP, DOIC_AVP_3GPP_REQUEST_TYPE, false, true },
	{ 0, DOIC_AVP_REDUCTION_PERCENTAGE, false, false },
};

static const struct doic_rule load_rules[] = {
	{ 0, DOIC_AVP_LOAD_TYPE, false, false },
	{ 0, DOIC_AVP_LOAD_VALUE, false, false },
	{ 0, DOIC_AVP_SOURCE_ID, false, false },
};

static const struct doic_row rows[] = {
	{ 0, DOIC_AVP_DRMP, DOIC_TYPE_ENUMERATED, "DRMP", priorities, LENGTH(priorities), NULL, 0 },
	{ 0, DOIC_AVP_FEATURE_VECTOR, DOIC_TYPE_UNSIGNED64, "OC-Feature-Vector", NULL, 0, NULL, 0 },
	{ 0, DOIC_AVP_SEQUENCE_NUMBER, DOIC_TYPE_UNSIGNED64, "OC-Sequence-Number", NULL, 0, NULL, 0 },
	{ 0, DOIC_AVP_VALIDITY_DURATION, DOIC_TYPE_UNSIGNED32, "OC-Validity-Duration", NULL, 0, NULL, 0 },
	{ 0, DOIC_AVP_REPORT_TYPE, DOIC_TYPE_ENUMERATED, "OC-Report-Type", report_types, LENGTH(report_types),
	  NULL, 0 },
	{ 0, DOIC_AVP_REDUCTION_PERCENTAGE, DOIC_TYPE_UNSIGNED32, "OC-Reduction-Percentage", NULL, 0, NULL,
	  0 },
	{ 0, DOIC_AVP_PEER_ALGO, DOIC_TYPE_UNSIGNED64, "OC-Peer-Algo", NULL, 0, NULL, 0 },
	{ 0, DOIC_AVP_SOURCE_ID, DOIC_TYPE_IDENTITY, "SourceID", NULL, 0, NULL, 0 },
	{ 0, DOIC_AVP_LOAD_TYPE, DOIC_TYPE_ENUMERATED, "Load-Type", load_types, LENGTH(load_types), NULL, 0 },
	{ 0, DOIC_AVP_LOAD_VALUE, DOIC_TYPE_UNSIGNED64, "Load-Value", NULL, 0, NULL, 0 },
	{ 0, DOIC_AVP_MAXIMUM_RATE, DOIC_TYPE_UNSIGNED32, "OC-Maximum-Rate", NULL, 0, NULL, 0 },
	{ DOIC_VENDOR_3GPP, DOIC_AVP_3GPP_RATING_GROUP, DOIC_TYPE_UNSIGNED32, "3GPP-OC-Rating-Group", NULL, 0,
	  NULL, 0 },
	{ DOIC_VENDOR_3GPP, DOIC_AVP_3GPP_REQUEST_TYPE, DOIC_TYPE_ENUMERATED, "3GPP-OC-Request-Type",
	  request_types, LENGTH(request_types), NULL, 0 },
	{ DOIC_VENDOR_3GPP, DOIC_AVP_3GPP_SPECIFIC_REDUCTION, DOIC_TYPE_GROUPED, "3GPP-OC-Specific-Reduction",
	  NULL, 0, specific_rules, LENGTH(specific_rules) },
	{ 0, DOIC_AVP_SUPPORTED_FEATURES, DOIC_TYPE_GROUPED, "OC-Supported-Features", NULL, 0, features_rules,
	  LENGTH(features_rules) },
	{ 0, DOIC_AVP_OLR, DOIC_TYPE_GROUPED, "OC-OLR", NULL, 0, report_rules, LENGTH(report_rules) },
	{ 0, DOIC_AVP_LOAD, DOIC_TYPE_GROUPED, "Load", NULL, 0, load_rules, LENGTH(load_rules) },
};

_Static_assert(LENGTH(rows) == DOIC_AVP_COUNT, "one row per AVP of doic_avp.h");
_Static_assert(LENGTH(priorities) == DOIC_DRMP_MAX + 1, "one name per priority");

const struct doic_row *doic_table(size_t *count)
{
	*count = LENGTH(rows);
	return rows;
}
