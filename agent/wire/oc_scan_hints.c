/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reads what an application's own AVPs say about how much a request matters. Only the messages in which a specification
 * puts such AVPs are looked at (TS 29.214, 29.229, 29.273, 29.212, 29.272, 29.215): in all others the scan passes over
 * the AVPs of other vendors.
 */
#include "oc_scan.h"

#include "oc_avp.h"

#define COMMAND_CC 272u /* RFC 8506, and as used by Gx, Gxx and S9 */
#define COMMAND_RE_AUTH 258u
#define COMMAND_AA 265u
#define COMMAND_USER_AUTHORIZATION 300u
#define COMMAND_SERVER_ASSIGNMENT 301u
#define COMMAND_UPDATE_LOCATION 316u

#define RESERVATION_PRIORITY_MAX 15u
#define UAR_FLAG_EMERGENCY 0x01u /* TS 29.229: IMS emergency registration */
#define ULR_FLAG_INITIAL 0x20u	 /* TS 29.272: Initial-Attach-Indicator */
#define SUBSESSION_ESTABLISHMENT 1u

/* Server-Assignment-Type: TIMEOUT_, USER_ and ADMINISTRATIVE_DEREGISTRATION (TS 29.229 section 6.3.15). */
#define DEREGISTRATIONS (1u << 4 | 1u << 5 | 1u << 8)

/* The Unsigned32 or Enumerated @avp; *@value is untouched and the result false when its length is another. */
static bool vendor_u32(const struct oc_avp *avp, uint32_t *value)
{
	if (oc_avp_len(avp) != OC_AVP_HEADER_VENDOR + 4u)
		return false;
	*value = oc_octets_u32(avp->at + OC_AVP_HEADER_VENDOR);
	return true;
}

static bool first_u32(struct oc_scan *scan, enum oc_scan_seen what, const struct oc_avp *avp, uint32_t *value)
{
	return oc_scan_is_first(scan, what) && vendor_u32(avp, value);
}

static void hint_when(struct oc_scan *scan, enum oc_hint hint, bool is_true)
{
	if (is_true)
		scan->msg->hints = (uint16_t)(scan->msg->hints | (unsigned)hint);
}

/* "sos" or "sos." and more, in any case: the labels of RFC 5031 without "urn:service:" (TS 29.214 section 5.3.23). */
static bool is_emergency_urn(struct oc_bytes urn)
{
	return urn.len >= 3 && (urn.data[0] | 0x20u) == 's' && (urn.data[1] | 0x20u) == 'o' &&
	       (urn.data[2] | 0x20u) == 's' && (urn.len == 3 || urn.data[3] == '.');
}

static void take_reservation(struct oc_scan *scan, const struct oc_avp *avp)
{
	uint32_t priority = 0;

	if (first_u32(scan, OC_SEEN_RESERVATION, avp, &priority) && priority <= RESERVATION_PRIORITY_MAX)
		scan->msg->reservation_priority = (uint8_t)priority;
}

static void take_rx_request_type(struct oc_scan *scan, const struct oc_avp *avp)
{
	uint32_t type = 0;

	if (!first_u32(scan, OC_SEEN_RX_REQUEST_TYPE, avp, &type))
		return;
	hint_when(scan, OC_HINT_RX_INITIAL, type == 0);
	hint_when(scan, OC_HINT_RX_UPDATE, type == 1);
}

static void take_rx_3gpp(struct oc_scan *scan, const struct oc_avp *avp)
{
	switch (oc_avp_code(avp)) {
	case OC_AVP3_SERVICE_URN:
		hint_when(scan, OC_HINT_EMERGENCY,
			  oc_scan_is_first(scan, OC_SEEN_SERVICE_URN) &&
				  is_emergency_urn(oc_avp_vendor_value(avp)));
		break;
	case OC_AVP3_MPS_IDENTIFIER:
		hint_when(scan, OC_HINT_MPS, true);
		break;
	case OC_AVP3_RX_REQUEST_TYPE:
		take_rx_request_type(scan, avp);
		break;
	default:
		break;
	}
}

static void take_rx(struct oc_scan *scan, const struct oc_avp *avp)
{
	if (oc_avp_vendor(avp) == OC_VENDOR_3GPP)
		take_rx_3gpp(scan, avp);
	else if (oc_avp_is_of_vendor(avp, OC_VENDOR_ETSI, OC_AVPE_RESERVATION_PRIORITY))
		take_reservation(scan, avp);
}

static void take_server_assignment(struct oc_scan *scan, const struct oc_avp *avp)
{
	uint32_t type = 0;

	if (oc_avp_is_of_vendor(avp, OC_VENDOR_3GPP, OC_AVP3_SERVER_ASSIGNMENT) &&
	    first_u32(scan, OC_SEEN_SERVER_ASSIGNMENT, avp, &type))
		hint_when(scan, OC_HINT_DEREGISTERS, type < 32 && (DEREGISTRATIONS >> type & 1u) != 0);
}

static void take_uar_flags(struct oc_scan *scan, const struct oc_avp *avp)
{
	uint32_t flags = 0;

	if (oc_avp_is_of_vendor(avp, OC_VENDOR_3GPP, OC_AVP3_UAR_FLAGS) &&
	    first_u32(scan, OC_SEEN_UAR_FLAGS, avp, &flags))
		hint_when(scan, OC_HINT_EMERGENCY, (flags & UAR_FLAG_EMERGENCY) != 0);
}

static void take_ulr_flags(struct oc_scan *scan, const struct oc_avp *avp)
{
	uint32_t flags = 0;

	if (oc_avp_is_of_vendor(avp, OC_VENDOR_3GPP, OC_AVP3_ULR_FLAGS) &&
	    first_u32(scan, OC_SEEN_ULR_FLAGS, avp, &flags))
		hint_when(scan, OC_HINT_INITIAL_ATTACH, (flags & ULR_FLAG_INITIAL) != 0);
}

static void take_session_release(struct oc_scan *scan, const struct oc_avp *avp)
{
	hint_when(scan, OC_HINT_RELEASES, oc_avp_is_of_vendor(avp, OC_VENDOR_3GPP, OC_AVP3_SESSION_RELEASE));
}

/* One request may deal with several subsessions: one new one is enough. */
static void take_subsession(struct oc_scan *scan, const struct oc_avp *avp)
{
	struct oc_avp inner;

	if (!oc_avp_is_of_vendor(avp, OC_VENDOR_3GPP, OC_AVP3_SUBSESSION_INFO))
		return;
	struct oc_avp_walk walk = oc_avp_walk_of(oc_avp_vendor_value(avp));
	while (oc_avp_walk_next(&walk, &inner)) {
		uint32_t operation = 0;
		if (oc_avp_is_of_vendor(&inner, OC_VENDOR_3GPP, OC_AVP3_SUBSESSION_OPERATION))
			hint_when(scan, OC_HINT_NEW_SUBSESSION,
				  vendor_u32(&inner, &operation) && operation == SUBSESSION_ESTABLISHMENT);
	}
}

oc_scan_vendor_fn oc_scan_vendor_reader(const struct oc_msg *msg)
{
	if (!oc_msg_is_request(msg))
		return NULL;
	switch (msg->app_id) {
	case OC_APP_GX:
	case OC_APP_GXX:
		return msg->command == COMMAND_RE_AUTH ? take_session_release : NULL;
	case OC_APP_RX:
		return msg->command == COMMAND_AA ? take_rx : NULL;
	case OC_APP_CX:
		if (msg->command == COMMAND_USER_AUTHORIZATION)
			return take_uar_flags;
		return msg->command == COMMAND_SERVER_ASSIGNMENT ? take_server_assignment : NULL;
	case OC_APP_SWX:
		return msg->command == COMMAND_SERVER_ASSIGNMENT ? take_server_assignment : NULL;
	case OC_APP_S6A:
		return msg->command == COMMAND_UPDATE_LOCATION ? take_ulr_flags : NULL;
	case OC_APP_S9:
		return msg->command == COMMAND_CC ? take_subsession : NULL;
	default:
		return NULL;
	}
}

static void take_rating_group(struct oc_msg *msg, const struct oc_avp *avp)
{
	if (oc_avp_len(avp) != OC_AVP_HEADER + 4u || msg->rating_group_count == OC_MSG_RATING_GROUPS_MAX)
		msg->has_more_rating_groups = true;
	else
		msg->rating_group[msg->rating_group_count++] = oc_octets_u32(avp->at + OC_AVP_HEADER);
}

void oc_scan_mscc(struct oc_scan *scan, const struct oc_avp *avp)
{
	struct oc_avp_walk walk = oc_avp_walk_of(oc_avp_value(avp));
	bool has_group = false;
	struct oc_avp inner;

	while (oc_avp_walk_next_base(&walk, &inner)) {
		if (oc_avp_code(&inner) != OC_AVP_RATING_GROUP)
			continue;
		has_group = true;
		take_rating_group(scan->msg, &inner);
	}
	if (!has_group || !oc_avp_walk_complete(&walk))
		scan->msg->has_more_rating_groups = true;
}
