/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The builder of test messages.
 */
#include "help_wire.h"

#include <assert.h>
#include <string.h>

#include "agent/wire/oc_octets.h"

#define APP_CREDIT_CONTROL 4u

const char *const help_wire_tv[HELP_TV_COUNT] = {
	"0000026d00000008",
	"0000026d000000180000026e000000100000000000000001",
	"0000026d000000340000026e000000100000000000000011000002890000001a"
	"6167656e74312e6578616d706c652e6e65740000",
	"0000026d000000440000026e000000100000000000000011000002890000001a"
	"6167656e74312e6578616d706c652e6e6574000000000288000000100000000000000001",
	"0000026f0000003c00000270000000100000000000000007000002720000000c0000000000000273"
	"0000000c00000019000002710000000c0000003c",
	"0000026f0000003c00000270000000100000000000000008000002720000000c0000000000000273"
	"0000000c00000000000002710000000c00000000",
	"0000026f0000003000000270000000100000000000000001000002720000000c0000000100000273"
	"0000000c00000064",
	"0000026f0000005800000270000000100000000000000003000002720000000c0000000200000273"
	"0000000c0000000a000002710000000c00000078000002890000001a6167656e74312e6578616d70"
	"6c652e6e65740000",
};

const char *const help_wire_rv[HELP_RV_COUNT] = {
	"0000026d000000180000026e000000100000000000000005",
	"0000026d000000440000026e000000100000000000000015000002890000001a"
	"6167656e74312e6578616d706c652e6e6574000000000288000000100000000000000004",
	"0000026f0000003c00000270000000100000000000000009000002720000000c0000000000000271"
	"0000000c0000003c0000029e0000000c000001f4",
	"0000026f000000580000027000000010000000000000000a000002720000000c0000000200000271"
	"0000000c00000078000002890000001a6167656e74312e6578616d706c652e6e657400000000029e"
	"0000000c00000000",
	"0000028a0000003c0000028b0000000c000000000000028c00000010000000000000ffff"
	"000002890000001673312e6578616d706c652e6e65740000",
	"0000028a000000400000028b0000000c000000010000028c000000100000000000000000"
	"000002890000001a6167656e74312e6578616d706c652e6e65740000",
};

static uint8_t *grow(struct help_wire *wire, size_t len)
{
	uint8_t *at = wire->data + wire->len;

	assert(wire->len + len <= HELP_WIRE_MAX);
	memset(at, 0, len);
	wire->len += len;
	return at;
}

void help_wire_begin_command(struct help_wire *wire, uint8_t flags, uint32_t command, uint32_t app_id)
{
	wire->len = 0;
	uint8_t *at = grow(wire, 20);
	oc_octets_put_u32(at, 1u << 24);
	oc_octets_put_u32(at + 4, (uint32_t)flags << 24 | command);
	oc_octets_put_u32(at + 8, app_id);
	oc_octets_put_u32(at + 12, 0x11223344u);
	oc_octets_put_u32(at + 16, 0x55667788u);
}

void help_wire_begin(struct help_wire *wire, uint8_t flags, uint32_t app_id)
{
	help_wire_begin_command(wire, flags, 272, app_id);
}

void help_wire_end(struct help_wire *wire)
{
	oc_octets_put_u32(wire->data, 1u << 24 | (uint32_t)wire->len);
}

void help_wire_avp(struct help_wire *wire, uint32_t code, const void *value, size_t len)
{
	uint8_t *at = grow(wire, 8 + ((len + 3) & ~(size_t)3));

	oc_octets_put_u32(at, code);
	oc_octets_put_u32(at + 4, (uint32_t)(8 + len));
	if (len != 0)
		memcpy(at + 8, value, len);
}

void help_wire_avp_of(struct help_wire *wire, uint32_t vendor, uint32_t code, const void *value, size_t len)
{
	uint8_t *at = grow(wire, 12 + ((len + 3) & ~(size_t)3));

	oc_octets_put_u32(at, code);
	oc_octets_put_u32(at + 4, 0x80u << 24 | (uint32_t)(12 + len));
	oc_octets_put_u32(at + 8, vendor);
	if (len != 0)
		memcpy(at + 12, value, len);
}

void help_wire_u32_of(struct help_wire *wire, uint32_t vendor, uint32_t code, uint32_t value)
{
	uint8_t octets[4];

	oc_octets_put_u32(octets, value);
	help_wire_avp_of(wire, vendor, code, octets, sizeof(octets));
}

void help_wire_vendor_avp(struct help_wire *wire, uint32_t code, const void *value, size_t len)
{
	help_wire_avp_of(wire, OC_VENDOR_3GPP, code, value, len);
}

void help_wire_text(struct help_wire *wire, uint32_t code, const char *text)
{
	help_wire_avp(wire, code, text, strlen(text));
}

void help_wire_u32(struct help_wire *wire, uint32_t code, uint32_t value)
{
	uint8_t octets[4];

	oc_octets_put_u32(octets, value);
	help_wire_avp(wire, code, octets, sizeof(octets));
}

void help_wire_u64(struct help_wire *wire, uint32_t code, uint64_t value)
{
	uint8_t octets[8];

	oc_octets_put_u64(octets, value);
	help_wire_avp(wire, code, octets, sizeof(octets));
}

void help_wire_group(struct help_wire *wire, uint32_t code, const struct help_wire *inner)
{
	help_wire_avp(wire, code, inner->data, inner->len);
}

static unsigned nibble(char digit)
{
	return digit <= '9' ? (unsigned)(digit - '0') : (unsigned)(digit - 'a') + 10u;
}

void help_wire_hex(struct help_wire *wire, const char *hex)
{
	for (; hex[0] != '\0'; hex += 2)
		*grow(wire, 1) = (uint8_t)(nibble(hex[0]) << 4 | nibble(hex[1]));
}

void help_wire_ccr(struct help_wire *wire)
{
	struct help_wire inner = { .len = 0 };

	help_wire_begin(wire, OC_FLAG_REQUEST | OC_FLAG_PROXIABLE, APP_CREDIT_CONTROL);
	help_wire_text(wire, OC_AVP_SESSION_ID, "client1.example.net;1700000000;123456");
	help_wire_text(wire, OC_AVP_ORIGIN_HOST, "client1.example.net");
	help_wire_text(wire, OC_AVP_ORIGIN_REALM, "example.net");
	help_wire_text(wire, OC_AVP_DESTINATION_REALM, "example.net");
	help_wire_text(wire, OC_AVP_DESTINATION_HOST, "s1.example.net");
	help_wire_u32(wire, 258, APP_CREDIT_CONTROL);		    /* Auth-Application-Id */
	help_wire_text(wire, 461, "32251@3gpp.org.rel-15.example"); /* Service-Context-Id */
	help_wire_u32(wire, OC_AVP_CC_REQUEST_TYPE, 2);
	help_wire_u32(wire, 415, 7); /* CC-Request-Number */
	help_wire_text(wire, OC_AVP_USER_NAME, "user@example.net");
	help_wire_u32(wire, 55, 0xe8000000u);		      /* Event-Timestamp */
	help_wire_u32(wire, 278, 1);			      /* Origin-State-Id */
	help_wire_u32(wire, 455, 1);			      /* Multiple-Services-Indicator */
	help_wire_u32(&inner, 450, 0);			      /* Subscription-Id-Type */
	help_wire_text(&inner, 444, "491700000001");	      /* Subscription-Id-Data */
	help_wire_group(wire, 443, &inner);		      /* Subscription-Id */
	help_wire_vendor_avp(wire, 1, "262011234567890", 15); /* 3GPP-IMSI */
	help_wire_text(wire, OC_AVP_ROUTE_RECORD, "c1.example.net");
	help_wire_hex(wire, help_wire_tv[1]);
	help_wire_end(wire);
}

void help_wire_load(struct help_wire *wire, uint64_t type, uint64_t value, const char *source)
{
	struct help_wire inner = { .len = 0 };

	if (type != HELP_ABSENT)
		help_wire_u32(&inner, OC_AVP_LOAD_TYPE, (uint32_t)type);
	if (value != HELP_ABSENT)
		help_wire_u64(&inner, OC_AVP_LOAD_VALUE, value);
	if (source != NULL)
		help_wire_text(&inner, OC_AVP_SOURCE_ID, source);
	help_wire_group(wire, OC_AVP_LOAD, &inner);
}

void help_wire_cca(struct help_wire *wire, unsigned tvs)
{
	help_wire_begin(wire, OC_FLAG_PROXIABLE, APP_CREDIT_CONTROL);
	help_wire_text(wire, OC_AVP_SESSION_ID, "client1.example.net;1700000000;123456");
	help_wire_u32(wire, OC_AVP_RESULT_CODE, 2001);
	help_wire_text(wire, OC_AVP_ORIGIN_HOST, "s1.example.net");
	help_wire_text(wire, OC_AVP_ORIGIN_REALM, "example.net");
	for (unsigned i = 0; i < HELP_TV_COUNT; i++) {
		if ((tvs & 1u << i) != 0)
			help_wire_hex(wire, help_wire_tv[i]);
	}
	help_wire_end(wire);
}

struct oc_bytes help_wire_bytes(const struct help_wire *wire)
{
	return (struct oc_bytes){ .data = wire->data, .len = wire->len };
}

struct oc_bytes help_wire_name(const char *text)
{
	return (struct oc_bytes){ .data = (const uint8_t *)text, .len = strlen(text) };
}
