/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reads who a request is about: Subscription-Id of credit and policy control (RFC 8506 section 8.46), or the User-Name that is
 * the IMSI on the interfaces of the HSS (TS 29.272, 29.229, 29.273). Of several the IMSI counts before all others.
 */
#include "oc_avp.h"
#include "oc_scan.h"

/* Subscription-Id-Type. */
enum { TYPE_E164 = 0, TYPE_IMSI = 1, TYPE_SIP_URI = 2, TYPE_NAI = 3, TYPE_PRIVATE = 4, TYPE_COUNT };

/* The higher the better; 0 is nobody. */
static const uint8_t ranks[TYPE_COUNT] = {
	[TYPE_PRIVATE] = 1, [TYPE_SIP_URI] = 2, [TYPE_NAI] = 3, [TYPE_E164] = 4, [TYPE_IMSI] = 5
};

static void take(struct oc_scan *scan, struct oc_bytes identity, uint8_t rank)
{
	if (rank <= scan->subscriber_rank || identity.len == 0)
		return;
	scan->subscriber_rank = rank;
	scan->msg->subscriber_hash = oc_pseudonym(&scan->pseudonyms->subscriber, identity.data, identity.len);
}

void oc_scan_subscription(struct oc_scan *scan, const struct oc_avp *avp)
{
	struct oc_avp_walk walk = oc_avp_walk_of(oc_avp_value(avp));
	struct oc_bytes identity = { 0 };
	uint32_t type = TYPE_COUNT;
	struct oc_avp inner;

	if (!oc_msg_is_request(scan->msg))
		return;
	while (oc_avp_walk_next_base(&walk, &inner)) {
		if (oc_avp_code(&inner) == OC_AVP_SUBSCRIPTION_ID_DATA)
			identity = oc_avp_value(&inner);
		else if (oc_avp_code(&inner) == OC_AVP_SUBSCRIPTION_ID_TYPE &&
			 oc_avp_len(&inner) == OC_AVP_HEADER + 4u)
			type = oc_octets_u32(inner.at + OC_AVP_HEADER);
	}
	if (type < TYPE_COUNT)
		take(scan, identity, ranks[type]);
}

void oc_scan_user_name(struct oc_scan *scan, const struct oc_avp *avp)
{
	uint32_t app = scan->msg->app_id;

	if (oc_msg_is_request(scan->msg) && (app == OC_APP_S6A || app == OC_APP_CX || app == OC_APP_SWX))
		take(scan, oc_avp_value(avp), ranks[TYPE_IMSI]);
}
