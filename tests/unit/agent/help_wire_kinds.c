/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The messages of each kind, short but with the AVPs that matter in the places the specifications give them.
 */
#include "help_wire_kinds.h"

#include <assert.h>

#define REQUEST (OC_FLAG_REQUEST | OC_FLAG_PROXIABLE)

/* The AVPs every request begins with. */
static void begin_request(struct help_wire *wire, uint32_t command, uint32_t app_id)
{
	help_wire_begin_command(wire, REQUEST, command, app_id);
	help_wire_text(wire, OC_AVP_SESSION_ID, "c1.example.net;1700000000;7");
	help_wire_text(wire, OC_AVP_ORIGIN_HOST, "c1.example.net");
	help_wire_text(wire, OC_AVP_ORIGIN_REALM, "example.net");
	help_wire_text(wire, OC_AVP_DESTINATION_REALM, "example.org");
}

static void u32_3gpp(struct help_wire *wire, uint32_t code, uint32_t value)
{
	help_wire_u32_of(wire, OC_VENDOR_3GPP, code, value);
}

static void make_reports(struct help_wire *wire)
{
	help_wire_cca(wire, 0xf8);
}

static void make_reports_more(struct help_wire *wire)
{
	help_wire_cca(wire, 0xf7);
}

static void make_rate(struct help_wire *wire)
{
	help_wire_cca(wire, 0);
	for (unsigned i = 0; i < HELP_RV_COUNT; i++)
		help_wire_hex(wire, help_wire_rv[i]);
}

static void make_loads(struct help_wire *wire)
{
	help_wire_cca(wire, 0);
	help_wire_load(wire, OC_LOAD_HOST, 30000, "s1.example.net");
	help_wire_load(wire, OC_LOAD_PEER, 65536, "a1.example.net");
	help_wire_load(wire, 9, HELP_ABSENT, NULL);
	help_wire_avp(wire, OC_AVP_LOAD, "abc", 3);
	help_wire_load(wire, OC_LOAD_PEER, 1, "a2.example.net");
	help_wire_u32_of(wire, OC_VENDOR_3GPP, OC_AVP_LOAD, 2); /* Session-Priority */
}

static void make_specific(struct help_wire *wire)
{
	struct help_wire inner = { .len = 0 };
	struct help_wire olr = { .len = 0 };

	u32_3gpp(&inner, OC_AVP3_OC_RATING_GROUP, 100);
	u32_3gpp(&inner, OC_AVP3_OC_RATING_GROUP, 200);
	u32_3gpp(&inner, OC_AVP3_OC_REQUEST_TYPE, 1);
	help_wire_u32(&inner, OC_AVP_REDUCTION_PERCENTAGE, 80);
	help_wire_u64(&olr, OC_AVP_SEQUENCE_NUMBER, 11);
	help_wire_u32(&olr, OC_AVP_REPORT_TYPE, OC_REPORT_HOST);
	help_wire_u32(&olr, OC_AVP_REDUCTION_PERCENTAGE, 20);
	help_wire_avp_of(&olr, OC_VENDOR_3GPP, OC_AVP3_SPECIFIC_REDUCTION, inner.data, inner.len);
	inner.len = 0;
	u32_3gpp(&inner, OC_AVP3_OC_REQUEST_TYPE, 4);
	help_wire_avp_of(&olr, OC_VENDOR_3GPP, OC_AVP3_SPECIFIC_REDUCTION, inner.data, inner.len);
	help_wire_cca(wire, 1u << 1);
	help_wire_group(wire, OC_AVP_OLR, &olr);
}

static void make_gx_initial(struct help_wire *wire)
{
	begin_request(wire, 272, OC_APP_GX);
	help_wire_u32(wire, OC_AVP_CC_REQUEST_TYPE, 1);
	help_wire_text(wire, OC_AVP_CALLED_STATION_ID, "internet.mnc001.mcc262.gprs");
	u32_3gpp(wire, 1024, 1); /* Network-Request-Support */
	u32_3gpp(wire, 1027, 5); /* IP-CAN-Type */
	u32_3gpp(wire, 1032, 1004);
	u32_3gpp(wire, OC_AVP3_SESSION_RELEASE, 0); /* means nothing in a CCR */
	help_wire_u32(wire, OC_AVP_DRMP, 99);
	help_wire_hex(wire, help_wire_rv[0]);
}

static void make_gx_release(struct help_wire *wire)
{
	begin_request(wire, 258, OC_APP_GX);
	help_wire_text(wire, OC_AVP_DESTINATION_HOST, "c2.example.org");
	help_wire_u32(wire, 285, 0); /* Re-Auth-Request-Type */
	u32_3gpp(wire, OC_AVP3_SESSION_RELEASE, 1);
}

static void make_gy_groups(struct help_wire *wire)
{
	struct help_wire mscc = { .len = 0 };

	begin_request(wire, 272, OC_APP_GY);
	help_wire_u32(wire, OC_AVP_CC_REQUEST_TYPE, 2);
	help_wire_avp(&mscc, 437, NULL, 0);
	help_wire_u32(&mscc, OC_AVP_RATING_GROUP, 100);
	help_wire_group(wire, OC_AVP_MSCC, &mscc);
	help_wire_u32(&mscc, OC_AVP_RATING_GROUP, 200);
	help_wire_group(wire, OC_AVP_MSCC, &mscc);
}

static void make_rx(struct help_wire *wire)
{
	begin_request(wire, 265, OC_APP_RX);
	help_wire_avp_of(wire, OC_VENDOR_3GPP, OC_AVP3_SERVICE_URN, "sos.fire", 8);
	help_wire_avp_of(wire, OC_VENDOR_3GPP, OC_AVP3_MPS_IDENTIFIER, "mps", 3);
	u32_3gpp(wire, OC_AVP3_RX_REQUEST_TYPE, 1);
	help_wire_u32_of(wire, OC_VENDOR_ETSI, OC_AVPE_RESERVATION_PRIORITY, 12);
	help_wire_u32(wire, OC_AVP_DRMP, 3);
	help_wire_text(wire, OC_AVP_CALLED_STATION_ID, "ims");
}

static void make_cx_uar(struct help_wire *wire)
{
	begin_request(wire, 300, OC_APP_CX);
	u32_3gpp(wire, OC_AVP3_UAR_FLAGS, 1);
	u32_3gpp(wire, OC_AVP_OLR, 0);	/* User-Authorization-Type */
	u32_3gpp(wire, OC_AVP_LOAD, 0); /* Session-Priority */
}

static void make_cx_sar(struct help_wire *wire)
{
	begin_request(wire, 301, OC_APP_CX);
	u32_3gpp(wire, OC_AVP3_SERVER_ASSIGNMENT, 5);
	u32_3gpp(wire, OC_AVP_SEQUENCE_NUMBER, 0); /* User-Data-Already-Available */
}

static void make_swx_sar(struct help_wire *wire)
{
	begin_request(wire, 301, OC_APP_SWX);
	help_wire_text(wire, OC_AVP_USER_NAME, "262011234567890");
	u32_3gpp(wire, OC_AVP3_SERVER_ASSIGNMENT, 8);
}

static void make_s6a_ulr(struct help_wire *wire)
{
	begin_request(wire, 316, OC_APP_S6A);
	help_wire_text(wire, OC_AVP_USER_NAME, "262011234567890");
	u32_3gpp(wire, 1032, 1004);
	u32_3gpp(wire, OC_AVP3_ULR_FLAGS, 0x22);
	help_wire_avp_of(wire, OC_VENDOR_3GPP, 1407, "\x62\xf2\x10", 3); /* Visited-PLMN-Id */
}

static void make_s9_ccr(struct help_wire *wire)
{
	struct help_wire info = { .len = 0 };

	begin_request(wire, 272, OC_APP_S9);
	help_wire_u32(wire, OC_AVP_CC_REQUEST_TYPE, 2);
	u32_3gpp(&info, 2202, 1);
	u32_3gpp(&info, OC_AVP3_SUBSESSION_OPERATION, 1);
	help_wire_avp_of(wire, OC_VENDOR_3GPP, OC_AVP3_SUBSESSION_INFO, info.data, info.len);
}

void help_wire_kind(struct help_wire *wire, enum help_wire_kind kind)
{
	static void (*const make[])(struct help_wire *) = {
		[HELP_KIND_CCR] = help_wire_ccr,
		[HELP_KIND_REPORTS] = make_reports,
		[HELP_KIND_REPORTS_MORE] = make_reports_more,
		[HELP_KIND_RATE] = make_rate,
		[HELP_KIND_LOADS] = make_loads,
		[HELP_KIND_SPECIFIC] = make_specific,
		[HELP_KIND_GX_INITIAL] = make_gx_initial,
		[HELP_KIND_GX_RELEASE] = make_gx_release,
		[HELP_KIND_GY_GROUPS] = make_gy_groups,
		[HELP_KIND_RX] = make_rx,
		[HELP_KIND_CX_UAR] = make_cx_uar,
		[HELP_KIND_CX_SAR] = make_cx_sar,
		[HELP_KIND_SWX_SAR] = make_swx_sar,
		[HELP_KIND_S6A_ULR] = make_s6a_ulr,
		[HELP_KIND_S9_CCR] = make_s9_ccr,
	};

	_Static_assert(sizeof(make) / sizeof(make[0]) == HELP_KIND_COUNT, "one of each kind");
	assert((unsigned)kind < HELP_KIND_COUNT);
	make[kind](wire);
	help_wire_end(wire);
}
