/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Synthetic requests.
 */
#include "dt_synth.h"

#include <string.h>

#define V DT_VENDOR_3GPP /* in this file only: the tables of AVPs stay readable */

static const struct {
	uint32_t app_id;
	uint32_t command;
	uint32_t cc_type;
} shapes[] = {
	[DT_KIND_GX_INITIAL] = { 16777238, DT_CMD_CC, 1 },   [DT_KIND_GX_UPDATE] = { 16777238, DT_CMD_CC, 2 },
	[DT_KIND_GX_TERMINATE] = { 16777238, DT_CMD_CC, 3 }, [DT_KIND_GY_INITIAL] = { 4, DT_CMD_CC, 1 },
	[DT_KIND_GY_UPDATE] = { 4, DT_CMD_CC, 2 },	     [DT_KIND_GY_TERMINATE] = { 4, DT_CMD_CC, 3 },
	[DT_KIND_RX_AAR] = { 16777236, DT_CMD_AA, 0 },	     [DT_KIND_RX_STR] = { 16777236, DT_CMD_ST, 0 },
	[DT_KIND_S6A_ULR] = { 16777251, DT_CMD_UL, 0 },	     [DT_KIND_S6A_AIR] = { 16777251, DT_CMD_AI, 0 },
};
_Static_assert(sizeof(shapes) / sizeof(shapes[0]) == DT_KIND_COUNT, "one shape per kind");

/* The last ten digits of the AVP put last number the subscriber. */
static void patch_last_digits(struct dt_tmpl *tmpl, const struct dt_out *out, uint32_t padding)
{
	struct dt_patch patch = { .kind = DT_PATCH_DIGITS, .len = 10, .step = 1 };
	patch.at = (uint32_t)out->len - padding - 10;
	dt_tmpl_patch(tmpl, &patch);
}

static void put_subscription(struct dt_out *out, struct dt_tmpl *tmpl, uint32_t type, const char *digits)
{
	size_t group = dt_group_begin(out, DT_AVP_SUBSCRIPTION_ID, 0);
	dt_put_u32(out, DT_AVP_SUBSCRIPTION_ID_TYPE, 0, type);
	dt_put_text(out, DT_AVP_SUBSCRIPTION_ID_DATA, 0, digits);
	patch_last_digits(tmpl, out, (uint32_t)(4 - strlen(digits) % 4) % 4);
	dt_group_end(out, group);
}

static void put_framed_ip(struct dt_out *out, struct dt_tmpl *tmpl)
{
	dt_put_u32(out, DT_AVP_FRAMED_IP, 0, 0x0a000001u); /* 10.0.0.1 */
	struct dt_patch patch = {
		.kind = DT_PATCH_IPV4, .at = (uint32_t)out->len - 4, .len = 4, .base = 0x0a000001u, .step = 1
	};
	dt_tmpl_patch(tmpl, &patch);
}

static void put_common(struct dt_out *out, const struct dt_synth *synth)
{
	dt_put_text(out, OC_AVP_ORIGIN_HOST, 0, synth->origin_host);
	dt_put_text(out, OC_AVP_ORIGIN_REALM, 0, synth->origin_realm);
	dt_put_text(out, OC_AVP_DESTINATION_REALM, 0, synth->dest_realm);
	if (synth->dest_host && synth->dest_host[0])
		dt_put_text(out, OC_AVP_DESTINATION_HOST, 0, synth->dest_host);
}

static void put_cc(struct dt_out *out, struct dt_tmpl *tmpl, uint32_t cc_type)
{
	dt_put_u32(out, OC_AVP_CC_REQUEST_TYPE, 0, cc_type);
	dt_put_u32(out, DT_AVP_CC_REQUEST_NUMBER, 0, 0);
	struct dt_patch patch = { .kind = DT_PATCH_CC_NUMBER, .at = (uint32_t)out->len - 4, .len = 4 };
	dt_tmpl_patch(tmpl, &patch);
}

static void put_gx(struct dt_out *out, struct dt_tmpl *tmpl, uint32_t cc_type)
{
	put_cc(out, tmpl, cc_type);
	put_subscription(out, tmpl, 1, "001010000000000"); /* END_USER_IMSI */
	put_subscription(out, tmpl, 0, "490000000000");	   /* END_USER_E164 */
	put_framed_ip(out, tmpl);
	if (cc_type == 3) {
		dt_put_u32(out, DT_AVP_TERMINATION_CAUSE, 0, 1);
		return;
	}
	dt_put_u32(out, 1027, V, 5);				 /* IP-CAN-Type: 3GPP-EPS */
	dt_put_u32(out, 1032, V, 1004);				 /* RAT-Type: EUTRAN */
	size_t qos = dt_group_begin(out, 1049, V);		 /* Default-EPS-Bearer-QoS */
	dt_put_u32(out, 1028, V, 9);				 /* QoS-Class-Identifier */
	size_t arp = dt_group_begin(out, 1034 | DT_OPTIONAL, V); /* Allocation-Retention-Priority */
	dt_put_u32(out, 1046 | DT_OPTIONAL, V, 8);		 /* Priority-Level */
	dt_group_end(out, arp);
	dt_group_end(out, qos);
	dt_put(out, 22, V, "\x82\x00\xf1\x10\x00\x01\x00\xf1\x10\x00\x00\x00\x01", 13); /* user location */
	dt_put_text(out, 18, V, "00101");						/* SGSN MCC MNC */
	dt_put_text(out, DT_AVP_CALLED_STATION_ID, 0, "internet");
}

static void put_octets_unit(struct dt_out *out, uint32_t code, uint64_t octets)
{
	size_t unit = dt_group_begin(out, code, 0);
	dt_put_u64(out, 421, 0, octets); /* CC-Total-Octets */
	dt_group_end(out, unit);
}

static void put_gy(struct dt_out *out, struct dt_tmpl *tmpl, uint32_t cc_type)
{
	dt_put_text(out, 461, 0, "32251@3gpp.org"); /* Service-Context-Id */
	put_cc(out, tmpl, cc_type);
	put_subscription(out, tmpl, 0, "490000000000");
	put_subscription(out, tmpl, 1, "001010000000000");
	dt_put_u32(out, 455, 0, 1);		   /* Multiple-Services-Indicator */
	size_t mscc = dt_group_begin(out, 456, 0); /* Multiple-Services-Credit-Control */
	if (cc_type != 3)
		put_octets_unit(out, 437, 1000000); /* Requested-Service-Unit */
	if (cc_type != 1)
		put_octets_unit(out, 446, 900000); /* Used-Service-Unit */
	dt_put_u32(out, 432, 0, 1);		   /* Rating-Group */
	dt_group_end(out, mscc);
	if (cc_type == 3)
		dt_put_u32(out, DT_AVP_TERMINATION_CAUSE, 0, 1);
	dt_put_text(out, DT_AVP_CALLED_STATION_ID, 0, "internet");
}

static void put_rx_aar(struct dt_out *out, struct dt_tmpl *tmpl)
{
	dt_put_text(out, 504, V, "IMS Services");   /* AF-Application-Identifier */
	size_t media = dt_group_begin(out, 517, V); /* Media-Component-Description */
	dt_put_u32(out, 518, V, 1);		    /* Media-Component-Number */
	dt_put_u32(out, 520, V, 0);		    /* Media-Type: audio */
	dt_put_u32(out, 516, V, 41000);		    /* Max-Requested-Bandwidth-UL */
	dt_put_u32(out, 515, V, 41000);		    /* Max-Requested-Bandwidth-DL */
	dt_group_end(out, media);
	put_framed_ip(out, tmpl);
}

static void put_s6a(struct dt_out *out, struct dt_tmpl *tmpl, enum dt_kind kind)
{
	dt_put_text(out, OC_AVP_USER_NAME, 0, "001010000000000");
	patch_last_digits(tmpl, out, 1);
	if (kind == DT_KIND_S6A_ULR) {
		dt_put_u32(out, 1032, V, 1004); /* RAT-Type */
		dt_put_u32(out, 1405, V, 34);	/* ULR-Flags */
	} else {
		size_t info = dt_group_begin(out, 1408, V); /* Requested-EUTRAN-Authentication-Info */
		dt_put_u32(out, 1410, V, 1);		    /* Number-Of-Requested-Vectors */
		dt_put_u32(out, 1412, V, 0);		    /* Immediate-Response-Preferred */
		dt_group_end(out, info);
	}
	dt_put(out, 1407, V, "\x00\xf1\x10", 3); /* Visited-PLMN-Id */
}

static void put_body(struct dt_out *out, struct dt_tmpl *tmpl, enum dt_kind kind)
{
	switch (kind) {
	case DT_KIND_GX_INITIAL:
	case DT_KIND_GX_UPDATE:
	case DT_KIND_GX_TERMINATE:
		put_gx(out, tmpl, shapes[kind].cc_type);
		break;
	case DT_KIND_GY_INITIAL:
	case DT_KIND_GY_UPDATE:
	case DT_KIND_GY_TERMINATE:
		put_gy(out, tmpl, shapes[kind].cc_type);
		break;
	case DT_KIND_RX_AAR:
		put_rx_aar(out, tmpl);
		break;
	case DT_KIND_RX_STR:
		dt_put_u32(out, DT_AVP_TERMINATION_CAUSE, 0, 1);
		break;
	default:
		put_s6a(out, tmpl, kind);
		break;
	}
}

static void put_application(struct dt_out *out, enum dt_kind kind)
{
	if (kind != DT_KIND_S6A_ULR && kind != DT_KIND_S6A_AIR) {
		dt_put_u32(out, DT_AVP_AUTH_APPLICATION_ID, 0, shapes[kind].app_id);
		return;
	}
	size_t group = dt_group_begin(out, DT_AVP_VENDOR_SPECIFIC_APPLICATION_ID, 0);
	dt_put_u32(out, DT_AVP_VENDOR_ID, 0, V);
	dt_put_u32(out, DT_AVP_AUTH_APPLICATION_ID, 0, shapes[kind].app_id);
	dt_group_end(out, group);
	dt_put_u32(out, DT_AVP_AUTH_SESSION_STATE, 0, 1); /* NO_STATE_MAINTAINED */
}

int dt_synth_make(enum dt_kind kind, const struct dt_synth *synth, struct dt_tmpl *tmpl)
{
	uint8_t buffer[4096];
	struct dt_out out;

	*tmpl = (struct dt_tmpl){ 0 };
	dt_out_init(&out, buffer, sizeof(buffer));
	dt_msg_begin(&out, OC_FLAG_REQUEST | OC_FLAG_PROXIABLE, shapes[kind].command, shapes[kind].app_id);
	dt_tmpl_session(tmpl, &out, synth->origin_host, synth->session_high);
	put_application(&out, kind);
	put_common(&out, synth);
	put_body(&out, tmpl, kind);
	dt_tail_put(&synth->tail, synth->source_id, tmpl, &out);
	dt_msg_end(&out);
	return dt_tmpl_keep(tmpl, &out);
}
