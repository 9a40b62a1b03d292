/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The scanner: the header, then one pass over the top-level AVPs of a message.
 */
#include "oc_msg.h"

#include <string.h>

#include "../oc_err.h"
#include "oc_avp.h"
#include "oc_scan.h"

#define HEADER 20u /* octets of the Diameter header, RFC 6733 section 3 */
#define VERSION 1u
#define DRMP_MAX 15u	       /* RFC 7944 section 9.1 */
#define CC_REQUEST_TYPE_MAX 4u /* EVENT_REQUEST, RFC 8506 section 8.3 */

/* The Unsigned32 or Enumerated of the first @what; a wrong length leaves *@value as it is. */
static void take_u32(struct oc_scan *scan, enum oc_scan_seen what, const struct oc_avp *avp, uint32_t *value)
{
	if (oc_scan_is_first(scan, what) && oc_avp_len(avp) == OC_AVP_HEADER + 4u)
		*value = oc_octets_u32(avp->at + OC_AVP_HEADER);
}

static inline void take_name(struct oc_scan *scan, enum oc_scan_seen what, const struct oc_avp *avp,
			     uint32_t *id)
{
	if (oc_scan_is_first(scan, what))
		*id = oc_scan_name(scan, avp);
}

static void take_session(struct oc_scan *scan, const struct oc_avp *avp)
{
	if (oc_scan_is_first(scan, OC_SEEN_SESSION_ID))
		scan->session = oc_avp_value(avp);
}

/* An answer is known by its request. */
static void make_pseudonyms(struct oc_scan *scan, const struct oc_keyed_key *key)
{
	struct oc_msg *msg = scan->msg;

	if (scan->found != NULL) {
		scan->found->session = scan->session;
		scan->found->subscriber = scan->subscriber;
	}
	if (key == NULL || !oc_msg_is_request(msg))
		return;
	if (scan->session.len != 0)
		msg->session_hash = oc_keyed_pseudonym(key, scan->session);
	if (scan->subscriber.len != 0)
		msg->subscriber_hash = oc_keyed_pseudonym(key, scan->subscriber);
}

static void take_drmp(struct oc_scan *scan, const struct oc_avp *avp)
{
	uint32_t priority = OC_DRMP_NONE;
	bool is_again = (scan->seen & OC_SEEN_DRMP) != 0;

	take_u32(scan, OC_SEEN_DRMP, avp, &priority);
	if (is_again)
		return;
	bool is_odd = priority > DRMP_MAX; /* spec row P-23: no priority, but one was sent */
	if (!is_odd)
		scan->msg->drmp = (uint8_t)priority;
	scan->msg->hints |= OC_HINT_DRMP | (is_odd ? OC_HINT_DRMP_ODD : 0);
}

static void take_cc_request_type(struct oc_scan *scan, const struct oc_avp *avp)
{
	uint32_t type = 0;

	take_u32(scan, OC_SEEN_CC_REQUEST_TYPE, avp, &type);
	if (type != 0 && type <= CC_REQUEST_TYPE_MAX)
		scan->msg->cc_request_type = (uint8_t)type;
}

static void take_apn(struct oc_scan *scan, const struct oc_avp *avp)
{
	struct oc_bytes apn = oc_avp_value(avp);

	if (!oc_scan_is_first(scan, OC_SEEN_APN) || apn.len > OC_MSG_APN_MAX)
		return;
	memcpy(scan->msg->apn, apn.data, apn.len);
	scan->msg->apn_len = (uint8_t)apn.len;
}

static void take_mscc(struct oc_scan *scan, const struct oc_avp *avp)
{
	if (scan->msg->app_id == OC_APP_GY && oc_msg_is_request(scan->msg))
		oc_scan_mscc(scan, avp);
}

static void take_experimental(struct oc_scan *scan, const struct oc_avp *avp)
{
	struct oc_avp_walk walk = oc_avp_walk_of(oc_avp_value(avp));
	struct oc_avp inner;

	while (oc_avp_walk_next_base(&walk, &inner)) {
		if (oc_avp_code(&inner) == OC_AVP_EXPERIMENTAL_RESULT_CODE)
			take_u32(scan, OC_SEEN_EXPERIMENTAL, &inner, &scan->experimental);
	}
}

static void take_avp(struct oc_scan *scan, const struct oc_avp *avp)
{
	struct oc_msg *msg = scan->msg;

	switch (oc_avp_code(avp)) {
	case OC_AVP_SESSION_ID:
		take_session(scan, avp);
		break;
	case OC_AVP_ORIGIN_HOST:
		take_name(scan, OC_SEEN_ORIGIN_HOST, avp, &msg->origin_host);
		break;
	case OC_AVP_ORIGIN_REALM:
		take_name(scan, OC_SEEN_ORIGIN_REALM, avp, &msg->origin_realm);
		break;
	case OC_AVP_DESTINATION_HOST:
		take_name(scan, OC_SEEN_DEST_HOST, avp, &msg->dest_host);
		break;
	case OC_AVP_DESTINATION_REALM:
		take_name(scan, OC_SEEN_DEST_REALM, avp, &msg->dest_realm);
		break;
	case OC_AVP_RESULT_CODE:
		take_u32(scan, OC_SEEN_RESULT_CODE, avp, &msg->result_code);
		break;
	case OC_AVP_EXPERIMENTAL_RESULT:
		take_experimental(scan, avp);
		break;
	case OC_AVP_DRMP:
		take_drmp(scan, avp);
		break;
	case OC_AVP_CC_REQUEST_TYPE:
		take_cc_request_type(scan, avp);
		break;
	case OC_AVP_SUPPORTED_FEATURES:
		oc_scan_caps(scan, avp);
		break;
	case OC_AVP_OLR:
		oc_scan_olr(scan, avp);
		break;
	case OC_AVP_LOAD:
		oc_scan_load(scan, avp);
		break;
	case OC_AVP_CALLED_STATION_ID:
		take_apn(scan, avp);
		break;
	case OC_AVP_MSCC:
		take_mscc(scan, avp);
		break;
	case OC_AVP_SUBSCRIPTION_ID:
		if (oc_msg_is_request(msg))
			oc_scan_subscription(scan, avp);
		break;
	case OC_AVP_USER_NAME:
		if (oc_msg_is_request(msg))
			oc_scan_user_name(scan, avp);
		break;
	default:
		break;
	}
}

/* Takes all AVPs of @walk. Returns whether it came to the end. */
static bool take_avps(struct oc_scan *scan, struct oc_avp_walk walk)
{
	oc_scan_vendor_fn take_vendor = oc_scan_vendor_reader(scan->msg);
	/* One comparison passes over an AVP of another vendor: a shorter one is a defect or wanted. */
	size_t passed_len = take_vendor != NULL ? SIZE_MAX : OC_AVP_HEADER_VENDOR;
	struct oc_avp avp;

	while (oc_avp_walk_step(&walk, &avp)) {
		if (oc_avp_is_base(&avp)) {
			take_avp(scan, &avp);
		} else if (oc_avp_len(&avp) < passed_len) {
			if (oc_avp_len(&avp) < OC_AVP_HEADER_VENDOR)
				return false;
			take_vendor(scan, &avp);
		}
	}
	return oc_avp_walk_complete(&walk);
}

/* Reads the header. *@octets: what to scan of it, never more than is there. */
static int take_header(struct oc_bytes buf, struct oc_msg *msg, size_t *octets)
{
	msg->drmp = OC_DRMP_NONE;
	msg->length = (uint32_t)buf.len;
	if (buf.len < HEADER || buf.data[0] != VERSION)
		return OC_EMALFORMED;
	uint32_t flags_and_command = oc_octets_u32(buf.data + 4);
	msg->flags = (uint8_t)(flags_and_command >> 24);
	msg->command = flags_and_command & 0xffffffu;
	msg->app_id = oc_octets_u32(buf.data + 8);
	msg->end_to_end = oc_octets_u32(buf.data + 16);
	size_t length = oc_octets_u32(buf.data) & 0xffffffu;
	if (length < HEADER)
		return OC_EMALFORMED;
	*octets = length < buf.len ? length : buf.len;
	return OC_OK;
}

int oc_msg_scan(struct oc_bytes buf, struct oc_names *names, const struct oc_keyed_key *key,
		struct oc_msg *msg, struct oc_msg_found *found)
{
	struct oc_scan scan = { .msg = msg, .names = names, .found = found };
	size_t octets = 0;

	if (found != NULL) {
		found->count = 0;
		found->session = found->subscriber = (struct oc_bytes){ .data = NULL };
	}
	int err = take_header(buf, msg, &octets);
	if (err != OC_OK)
		return err;
	struct oc_avp_walk walk = oc_avp_walk_of((struct oc_bytes){ buf.data + HEADER, octets - HEADER });
	bool is_complete = take_avps(&scan, walk);
	make_pseudonyms(&scan, key);
	if (msg->result_code == 0)
		msg->result_code = scan.experimental;
	bool is_whole = (oc_octets_u32(buf.data) & 0xffffffu) == buf.len && is_complete;
	return is_whole ? OC_OK : OC_EMALFORMED;
}
