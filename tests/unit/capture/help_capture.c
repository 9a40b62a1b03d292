/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Messages and exported files for tests.
 */
#include "help_capture.h"

#include <pcap/pcap.h>
#include <string.h>

#include "agent/oc_err.h"
#include "agent/wire/oc_avp.h"
#include "agent/wire/oc_octets.h"

static void put(struct help_octets *out, const void *data, size_t len)
{
	memcpy(out->data + out->len, data, len);
	out->len += len;
}

static void put_u32(struct help_octets *out, uint32_t value)
{
	uint8_t octets[4];

	oc_octets_put_u32(octets, value);
	put(out, octets, 4);
}

static void avp(struct help_octets *out, uint32_t code, const void *value, size_t len)
{
	static const uint8_t zero[4] = { 0 };

	put_u32(out, code);
	put_u32(out, 0x40000000u | (uint32_t)(8 + len));
	put(out, value, len);
	put(out, zero, -len & 3u);
}

static void avp_text(struct help_octets *out, uint32_t code, const char *text)
{
	if (text != NULL)
		avp(out, code, text, strlen(text));
}

static void avp_u32(struct help_octets *out, uint32_t code, uint32_t value)
{
	uint8_t octets[4];

	oc_octets_put_u32(octets, value);
	avp(out, code, octets, 4);
}

static void avp_u64(struct help_octets *out, uint32_t code, uint64_t value)
{
	uint8_t octets[8];

	oc_octets_put_u64(octets, value);
	avp(out, code, octets, 8);
}

static void put_report(struct help_octets *out, const struct help_said *said)
{
	struct help_octets group = { .len = 0 };

	avp_u64(&group, OC_AVP_SEQUENCE_NUMBER, said->sequence);
	avp_u32(&group, OC_AVP_REPORT_TYPE, said->type);
	avp_u32(&group, OC_AVP_REDUCTION_PERCENTAGE, said->pct);
	if (!said->no_validity)
		avp_u32(&group, OC_AVP_VALIDITY_DURATION, said->validity);
	avp(out, OC_AVP_OLR, group.data, group.len);
}

void help_message(struct help_octets *out, const struct help_said *said)
{
	struct help_octets group = { .len = 0 };

	out->len = 0;
	put_u32(out, 0);
	put_u32(out, (uint32_t)said->flags << 24 | said->command);
	put_u32(out, said->app);
	put_u32(out, said->hop);
	put_u32(out, said->end);
	avp_text(out, OC_AVP_SESSION_ID, said->session);
	avp_text(out, OC_AVP_ORIGIN_HOST, said->host);
	avp_text(out, OC_AVP_ORIGIN_REALM, said->realm);
	avp_text(out, OC_AVP_DESTINATION_HOST, said->to_host);
	avp_text(out, OC_AVP_DESTINATION_REALM, said->to_realm);
	avp_text(out, OC_AVP_ROUTE_RECORD, said->route);
	if (said->result != 0)
		avp_u32(out, OC_AVP_RESULT_CODE, said->result);
	if (said->features) {
		avp_u64(&group, OC_AVP_FEATURE_VECTOR, 1);
		avp(out, OC_AVP_SUPPORTED_FEATURES, group.data, group.len);
	}
	if (said->report)
		put_report(out, said);
	oc_octets_put_u32(out->data, 1u << 24 | (uint32_t)out->len);
}

static void tag(struct help_octets *out, uint16_t number, const void *value, uint16_t len)
{
	put_u32(out, (uint32_t)number << 16 | len);
	put(out, value, len);
}

static void tag_u32(struct help_octets *out, uint16_t number, uint32_t value)
{
	uint8_t octets[4];

	oc_octets_put_u32(octets, value);
	tag(out, number, octets, 4);
}

void help_packet(struct help_octets *out, const struct help_sent *sent, const struct help_octets *octets,
		 const char *dissector)
{
	out->len = 0;
	tag(out, 12, dissector, (uint16_t)(strlen(dissector) + 1));
	tag_u32(out, 20, 0x0a000000u | sent->from);
	tag_u32(out, 21, 0x0a000000u | sent->to);
	tag_u32(out, 24, sent->port_type);
	tag_u32(out, 25, sent->from_port);
	tag_u32(out, 26, sent->to_port);
	tag_u32(out, 30, sent->frame);
	tag(out, 0, "", 0);
	put(out, octets->data, octets->len);
}

/* In the byte order of this machine, as pcap files are. */
static void put_host_u32(FILE *file, uint32_t value)
{
	fwrite(&value, sizeof(value), 1, file);
}

FILE *help_export_open(void)
{
	const uint16_t version[2] = { 2, 4 };
	FILE *file = tmpfile();

	put_host_u32(file, 0xa1b23c4du); /* nanoseconds */
	fwrite(version, sizeof(version), 1, file);
	put_host_u32(file, 0);
	put_host_u32(file, 0);
	put_host_u32(file, 262144);
	put_host_u32(file, 252);
	return file;
}

void help_export(FILE *file, const struct help_sent *sent, const struct help_octets *octets)
{
	struct help_octets packet;
	uint64_t at_ns = HELP_START + sent->at_ms * 1000000u;

	help_packet(&packet, sent, octets, "diameter");
	put_host_u32(file, (uint32_t)(at_ns / HELP_S));
	put_host_u32(file, (uint32_t)(at_ns % HELP_S));
	put_host_u32(file, (uint32_t)packet.len);
	put_host_u32(file, (uint32_t)packet.len);
	fwrite(packet.data, packet.len, 1, file);
}

static int on_begin(void *ctx, uint32_t node, uint32_t name, uint64_t now_ns)
{
	struct help_told *told = ctx;

	(void)node, (void)name, (void)now_ns;
	told->begun++;
	return OC_OK;
}

static int on_event(void *ctx, uint32_t node, const struct oc_event *event)
{
	struct help_told *told = ctx;

	if (told->count < HELP_TOLD_MAX) {
		told->event[told->count] = *event;
		told->node[told->count++] = node;
	}
	return told->fails_at != 0 && (int)told->count == told->fails_at ? OC_EIO : OC_OK;
}

static int on_end(void *ctx, uint32_t node, uint64_t now_ns)
{
	struct help_told *told = ctx;

	(void)node, (void)now_ns;
	told->ended++;
	return OC_OK;
}

void help_told_init(struct help_told *told)
{
	memset(told, 0, sizeof(*told));
	told->sink =
		(struct oev_capture_sink){ .ctx = told, .begin = on_begin, .event = on_event, .end = on_end };
}

const struct oc_event *help_told_get(const struct help_told *told, uint32_t node, unsigned kind, unsigned nth)
{
	for (uint32_t i = 0; i < told->count; i++)
		if (told->node[i] == node && told->event[i].kind == kind && nth-- == 0)
			return &told->event[i];
	return NULL;
}
