/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One pass over the top-level AVPs.
 */
#include "dt_scan.h"

#include <string.h>

static void list(struct dt_avp *items, uint32_t *count, uint32_t max, const struct dt_avp *avp)
{
	if (*count < max)
		items[(*count)++] = *avp;
}

static void read_experimental(struct dt_scan *scan, const struct dt_avp *avp)
{
	struct dt_iter it;
	struct dt_avp inner;

	dt_iter_avps(&it, avp->data, avp->len);
	if (dt_avp_find(it, OC_AVP_EXPERIMENTAL_RESULT_CODE, 0, &inner) == OC_OK && inner.len == 4)
		scan->result = dt_get_u32(inner.data);
}

static void read_avp(struct dt_scan *scan, const struct dt_avp *avp)
{
	switch (avp->code) {
	case OC_AVP_SESSION_ID:
		scan->session = *avp;
		break;
	case OC_AVP_ORIGIN_HOST:
		scan->origin = *avp;
		break;
	case OC_AVP_ORIGIN_REALM:
		scan->origin_realm = *avp;
		break;
	case OC_AVP_DESTINATION_HOST:
		scan->dest_host = *avp;
		break;
	case OC_AVP_DESTINATION_REALM:
		scan->dest_realm = *avp;
		break;
	case DT_AVP_VENDOR_SPECIFIC_APPLICATION_ID:
		scan->vendor_app = *avp;
		break;
	case DT_AVP_AUTH_APPLICATION_ID:
		scan->auth_app = *avp;
		break;
	case DT_AVP_AUTH_SESSION_STATE:
		scan->auth_state = *avp;
		break;
	case OC_AVP_CC_REQUEST_TYPE:
		scan->cc_type = *avp;
		break;
	case DT_AVP_CC_REQUEST_NUMBER:
		scan->cc_number = *avp;
		break;
	case DT_AVP_PROXY_INFO:
		list(scan->proxy, &scan->proxies, DT_PROXY_MAX, avp);
		break;
	case OC_AVP_RESULT_CODE:
		if (avp->len == 4)
			scan->result = dt_get_u32(avp->data);
		break;
	case OC_AVP_EXPERIMENTAL_RESULT:
		read_experimental(scan, avp);
		break;
	case OC_AVP_SUPPORTED_FEATURES:
		scan->sf = *avp;
		break;
	case OC_AVP_OLR:
		list(scan->olr, &scan->olrs, DT_OLRS_MAX, avp);
		break;
	case OC_AVP_LOAD:
		list(scan->load, &scan->loads, DT_LOADS_MAX, avp);
		break;
	case OC_AVP_DRMP:
		scan->drmp = *avp;
		break;
	default:
		break;
	}
}

static void clear(struct dt_scan *scan)
{
	memset(scan, 0, offsetof(struct dt_scan, proxy)); /* the lists are as long as their counts say */
}

int dt_scan_msg(struct dt_scan *scan, const uint8_t *msg, size_t len)
{
	struct dt_iter it;
	struct dt_avp avp;
	int rc;

	clear(scan);
	dt_iter_msg(&it, msg, len);
	while ((rc = dt_avp_next(&it, &avp)) == 1) {
		if (avp.vendor == 0)
			read_avp(scan, &avp);
	}
	return rc;
}

void dt_scan_front(struct dt_scan *scan, const uint8_t *msg, size_t len)
{
	bool is_request = dt_msg_is_request(msg);
	struct dt_iter it;
	struct dt_avp avp;

	clear(scan);
	dt_iter_msg(&it, msg, len);
	while (!(scan->origin.code && (is_request || scan->result)) && dt_avp_next(&it, &avp) == 1) {
		if (avp.vendor == 0)
			read_avp(scan, &avp);
	}
}

uint32_t dt_scan_drmp(const struct dt_scan *scan)
{
	uint32_t drmp = scan->drmp.code && scan->drmp.len == 4 ? dt_get_u32(scan->drmp.data) : DT_DRMP_NONE;
	return drmp < DT_DRMP_NONE ? drmp : DT_DRMP_NONE;
}
