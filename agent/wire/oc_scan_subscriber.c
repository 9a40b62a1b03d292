/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Whom a request is about: the best of its Subscription-Ids (RFC 8506 section 8.46), an IMSI before a number before a NAI before a
 * SIP URI; without one, on S6a, Cx and SWx, its User-Name, which is the IMSI or the private identity there (TS 29.272,
 * 29.229, 29.273).
 */
#include "oc_scan.h"

#include "oc_avp.h"

/* By Subscription-Id-Type; END_USER_PRIVATE means something to its maker only. */
static uint8_t rank_of(uint32_t type)
{
	static const uint8_t ranks[] = { OC_SUBSCRIBER_E164, OC_SUBSCRIBER_IMSI, OC_SUBSCRIBER_SIP,
					 OC_SUBSCRIBER_NAI };

	return type < sizeof(ranks) ? ranks[type] : OC_SUBSCRIBER_NONE;
}

static void take(struct oc_scan *scan, uint8_t rank, struct oc_bytes identity)
{
	bool is_better = scan->subscriber_rank == OC_SUBSCRIBER_NONE || rank < scan->subscriber_rank;

	if (rank == OC_SUBSCRIBER_NONE || identity.len == 0 || !is_better)
		return;
	scan->subscriber_rank = rank;
	scan->subscriber = identity;
}

void oc_scan_subscription(struct oc_scan *scan, const struct oc_avp *avp)
{
	struct oc_avp_walk walk = oc_avp_walk_of(oc_avp_value(avp));
	struct oc_bytes identity = { .data = NULL };
	uint8_t rank = OC_SUBSCRIBER_NONE;
	struct oc_avp inner;

	while (oc_avp_walk_next_base(&walk, &inner)) {
		if (oc_avp_code(&inner) == OC_AVP_SUBSCRIPTION_ID_DATA)
			identity = oc_avp_value(&inner);
		else if (oc_avp_code(&inner) == OC_AVP_SUBSCRIPTION_ID_TYPE &&
			 oc_avp_len(&inner) == OC_AVP_HEADER + 4u)
			rank = rank_of(oc_octets_u32(inner.at + OC_AVP_HEADER));
	}
	take(scan, rank, identity);
}

void oc_scan_user_name(struct oc_scan *scan, const struct oc_avp *avp)
{
	switch (scan->msg->app_id) {
	case OC_APP_S6A:
	case OC_APP_CX:
	case OC_APP_SWX:
		take(scan, OC_SUBSCRIBER_USER_NAME, oc_avp_value(avp));
		break;
	default:
		break;
	}
}
