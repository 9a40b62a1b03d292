/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Captured requests made ready to be sent again.
 */
#include <string.h>

#include "dt_base.h"
#include "dt_capture.h"
#include "dt_tail.h"

#define DIGITS_MIN 5u	    /* a run of digits shorter than this is no subscriber number */
#define DIGITS_MAX 9u	    /* varied at the end of the run: country and network stay */
#define DIGITS_STEP 100000u /* keeps the copies of neighbouring subscribers apart */
#define ADDRESS_STEP 65536u

/* Where the first long run of digits ends, 0 when there is none; *@len gets how many are to be varied. */
static uint32_t digits_end(const uint8_t *text, uint32_t size, uint32_t *len)
{
	uint32_t run = 0;
	for (uint32_t i = 0; i <= size; i++) {
		if (i < size && text[i] >= '0' && text[i] <= '9') {
			run++;
		} else if (run >= DIGITS_MIN) {
			*len = run < DIGITS_MAX ? run : DIGITS_MAX;
			return i;
		} else {
			run = 0;
		}
	}
	return 0;
}

static void patch_digits(struct dt_tmpl *tmpl, const struct dt_avp *avp, uint32_t data_at)
{
	struct dt_patch patch = { .kind = DT_PATCH_DIGITS, .step = DIGITS_STEP };
	uint32_t end = digits_end(avp->data, avp->len, &patch.len);
	if (end == 0)
		return;
	for (uint32_t i = end - patch.len; i < end; i++)
		patch.base = patch.base * 10 + (avp->data[i] - '0');
	patch.at = data_at + end - patch.len;
	dt_tmpl_patch(tmpl, &patch);
}

static void patch_subscription(struct dt_tmpl *tmpl, const struct dt_avp *avp, uint32_t data_at)
{
	struct dt_iter it;
	struct dt_avp inner;

	dt_iter_avps(&it, avp->data, avp->len);
	if (dt_avp_find(it, DT_AVP_SUBSCRIPTION_ID_DATA, 0, &inner) == OC_OK)
		patch_digits(tmpl, &inner, data_at + (uint32_t)(inner.data - avp->data));
}

static void patch_address(struct dt_tmpl *tmpl, const struct dt_avp *avp, uint32_t data_at)
{
	if (avp->len != 4)
		return;
	struct dt_patch patch = { .kind = DT_PATCH_IPV4,
				  .at = data_at,
				  .len = 4,
				  .base = dt_get_u32(avp->data),
				  .step = ADDRESS_STEP };
	dt_tmpl_patch(tmpl, &patch);
}

/* The AVP as captured, and what is to be varied in it. */
static void keep(struct dt_tmpl *tmpl, struct dt_out *out, const struct dt_avp *avp)
{
	uint32_t data_at = (uint32_t)out->len + (uint32_t)(avp->data - avp->whole);
	dt_put_raw(out, avp->whole, avp->whole_len);
	if (avp->vendor != 0)
		return;
	if (avp->code == DT_AVP_SUBSCRIPTION_ID)
		patch_subscription(tmpl, avp, data_at);
	else if (avp->code == OC_AVP_USER_NAME)
		patch_digits(tmpl, avp, data_at);
	else if (avp->code == DT_AVP_FRAMED_IP)
		patch_address(tmpl, avp, data_at);
}

/* Replaces the value and keeps flags; a text of NULL keeps all, an empty one removes the AVP. */
static void replace(struct dt_tmpl *tmpl, struct dt_out *out, const struct dt_avp *avp, const char *text)
{
	if (!text)
		keep(tmpl, out, avp);
	else if (text[0])
		dt_put_text(out, avp->code | (avp->flags & 0x40u ? 0 : DT_OPTIONAL), 0, text);
}

static void rewrite_avp(struct dt_tmpl *tmpl, struct dt_out *out, const struct dt_avp *avp,
			const struct dt_rewrite *how)
{
	switch (avp->vendor == 0 ? avp->code : 0) {
	case OC_AVP_SESSION_ID:
		dt_tmpl_session(tmpl, out, how->session_host, how->session_high);
		break;
	case OC_AVP_ORIGIN_HOST:
		replace(tmpl, out, avp, how->origin_host);
		break;
	case OC_AVP_ORIGIN_REALM:
		replace(tmpl, out, avp, how->origin_host ? how->origin_realm : NULL);
		break;
	case OC_AVP_DESTINATION_HOST:
		replace(tmpl, out, avp, how->dest_host);
		break;
	case OC_AVP_DESTINATION_REALM:
		replace(tmpl, out, avp, how->dest_realm);
		break;
	case OC_AVP_ROUTE_RECORD: /* of the way it took then */
		break;
	case OC_AVP_SUPPORTED_FEATURES:
		if (!how->tail.with_sf)
			keep(tmpl, out, avp);
		break;
	case OC_AVP_DRMP:
		if (how->tail.drmp.count == 0)
			keep(tmpl, out, avp);
		break;
	default:
		keep(tmpl, out, avp);
		break;
	}
}

int dt_rewrite_msg(const struct dt_cap_msg *msg, const struct dt_rewrite *rewrite, struct dt_tmpl *tmpl)
{
	uint8_t buffer[DT_MSG_MAX];
	struct dt_iter it;
	struct dt_avp avp;
	struct dt_out out;
	int rc;

	*tmpl = (struct dt_tmpl){ 0 };
	dt_out_init(&out, buffer, sizeof(buffer));
	dt_put_raw(&out, msg->data, DT_HEADER_SIZE);
	dt_iter_msg(&it, msg->data, msg->len);
	while ((rc = dt_avp_next(&it, &avp)) == 1)
		rewrite_avp(tmpl, &out, &avp, rewrite);
	if (rc != 0)
		return rc;
	dt_tail_put(&rewrite->tail, rewrite->source_id, tmpl, &out);
	dt_msg_end(&out);
	return dt_tmpl_keep(tmpl, &out);
}
