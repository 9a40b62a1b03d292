/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One pass over the top-level AVPs.
 */
#include "dt_scan.h"

#include <string.h>

static void read_olr(struct dt_scan *scan, const struct dt_avp *avp)
{
	struct dt_iter it;
	struct dt_avp inner;
	uint32_t type = DT_OLR_OTHER;

	dt_iter_avps(&it, avp->data, avp->len);
	if (dt_avp_find(it, OC_AVP_REPORT_TYPE, 0, &inner) == OC_OK && inner.len == 4)
		type = dt_get_u32(inner.data);
	scan->has_olr = true;
	scan->olr[type < DT_OLR_OTHER ? type : DT_OLR_OTHER]++;
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
		if (scan->proxies < DT_PROXY_MAX)
			scan->proxy[scan->proxies++] = *avp;
		break;
	case OC_AVP_RESULT_CODE:
		if (avp->len == 4)
			scan->result = dt_get_u32(avp->data);
		break;
	case OC_AVP_EXPERIMENTAL_RESULT:
		read_experimental(scan, avp);
		break;
	case OC_AVP_SUPPORTED_FEATURES:
		scan->has_sf = true;
		break;
	case OC_AVP_OLR:
		read_olr(scan, avp);
		break;
	default:
		break;
	}
}

int dt_scan_msg(struct dt_scan *scan, const uint8_t *msg, size_t len)
{
	struct dt_iter it;
	struct dt_avp avp;
	int rc;

	memset(scan, 0, sizeof(*scan));
	dt_iter_msg(&it, msg, len);
	while ((rc = dt_avp_next(&it, &avp)) == 1) {
		if (avp.vendor == 0)
			read_avp(scan, &avp);
	}
	return rc;
}
