/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Packet captures: file, link layer and IP.
 */
#include "dt_capture.h"

#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>

#include "dt_reasm.h"

#define ETHERTYPE_IPV4 0x0800u
#define ETHERTYPE_IPV6 0x86ddu
#define PROTO_TCP 6
#define PROTO_SCTP 132

static uint32_t u16_at(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static void take_transport(struct dt_reasm *reasm, uint8_t protocol, struct dt_cap_msg addresses,
			   struct dt_cap_msg payload)
{
	if (protocol == PROTO_SCTP)
		dt_reasm_sctp(reasm, payload.data, payload.len);
	else if (protocol == PROTO_TCP)
		dt_reasm_tcp(reasm, addresses, payload.data, payload.len);
}

static void take_ipv4(struct dt_reasm *reasm, uint8_t *packet, uint32_t len)
{
	uint32_t header = len >= 20 ? (packet[0] & 15u) * 4 : 0;
	uint32_t total = len >= 20 ? u16_at(packet + 2) : 0;

	if (header < 20 || header > len)
		return;
	if (total < header || total > len) /* cut short, or left to the network card to fill in */
		total = len;
	if (u16_at(packet + 6) & 0x3fff) { /* more fragments, or not the first */
		reasm->capture->lost += packet[9] == PROTO_SCTP || packet[9] == PROTO_TCP;
		return;
	}
	struct dt_cap_msg addresses = { packet + 12, 8 };
	struct dt_cap_msg payload = { packet + header, total - header };
	take_transport(reasm, packet[9], addresses, payload);
}

static void take_ipv6(struct dt_reasm *reasm, uint8_t *packet, uint32_t len)
{
	if (len < 40)
		return;
	uint32_t size = u16_at(packet + 4);
	struct dt_cap_msg addresses = { packet + 8, 32 };
	struct dt_cap_msg payload = { packet + 40, size && size <= len - 40 ? size : len - 40 };
	take_transport(reasm, packet[6], addresses, payload);
}

static void take_ip(struct dt_reasm *reasm, uint8_t *packet, uint32_t len)
{
	if (len > 0 && packet[0] >> 4 == 4)
		take_ipv4(reasm, packet, len);
	else if (len > 0 && packet[0] >> 4 == 6)
		take_ipv6(reasm, packet, len);
}

/* Octets before the IP header, or UINT32_MAX when it is not IP. */
static uint32_t link_size(int link, const uint8_t *packet, uint32_t len)
{
	static const struct {
		int link;
		uint32_t type_at; /* of the EtherType; 0xff: none */
		uint32_t size;
	} links[] = { { DLT_LINUX_SLL, 14, 16 }, { DLT_LINUX_SLL2, 0, 20 }, { DLT_NULL, 0xff, 4 },
		      { DLT_LOOP, 0xff, 4 },	 { DLT_RAW, 0xff, 0 },	    { DLT_IPV4, 0xff, 0 },
		      { DLT_IPV6, 0xff, 0 },	 { DLT_EN10MB, 12, 14 } };
	size_t i = 0;

	while (i < sizeof(links) / sizeof(links[0]) && links[i].link != link)
		i++;
	if (i == sizeof(links) / sizeof(links[0]) || len < links[i].size)
		return UINT32_MAX;
	if (links[i].type_at == 0xff)
		return links[i].size;
	uint32_t at = links[i].type_at, size = links[i].size;
	while (link == DLT_EN10MB && (u16_at(packet + at) == 0x8100 || u16_at(packet + at) == 0x88a8) &&
	       size + 4 <= len) {
		at += 4;
		size += 4;
	}
	uint32_t type = u16_at(packet + at);
	return type == ETHERTYPE_IPV4 || type == ETHERTYPE_IPV6 ? size : UINT32_MAX;
}

int dt_capture_take(struct dt_capture *capture, const uint8_t *msg, size_t len)
{
	struct dt_iter it;
	struct dt_avp avp;
	int rc;

	dt_iter_msg(&it, msg, len);
	while ((rc = dt_avp_next(&it, &avp)) == 1)
		;
	if (rc != 0) {
		capture->lost++;
		return rc;
	}
	capture->messages++;
	if (!capture->everything && (dt_msg_is_base(msg) || !dt_msg_is_request(msg)))
		return OC_OK;
	if (capture->count == capture->room) {
		uint32_t room = capture->room ? capture->room * 2 : 64;
		struct dt_cap_msg *larger = realloc(capture->msg, room * sizeof(*larger));
		if (!larger)
			return OC_ENOMEM;
		capture->msg = larger;
		capture->room = room;
	}
	uint8_t *copy = malloc(len);
	if (!copy)
		return OC_ENOMEM;
	memcpy(copy, msg, len);
	capture->msg[capture->count++] = (struct dt_cap_msg){ copy, (uint32_t)len };
	return OC_OK;
}

static void take_packet(struct dt_reasm *reasm, int link, const struct pcap_pkthdr *header,
			const uint8_t *data)
{
	uint8_t packet[65536 + 64];
	uint32_t len = header->caplen < sizeof(packet) ? header->caplen : (uint32_t)sizeof(packet);

	reasm->capture->packets++;
	memcpy(packet, data, len);
	uint32_t skip = link_size(link, packet, len);
	if (skip <= len)
		take_ip(reasm, packet + skip, len - skip);
}

int dt_capture_load(struct dt_capture *capture, const char *path, char *why, size_t why_size)
{
	char error[PCAP_ERRBUF_SIZE] = "";
	struct pcap_pkthdr *header;
	const uint8_t *data;
	int rc;

	struct dt_reasm *reasm = calloc(1, sizeof(*reasm));
	pcap_t *file = pcap_open_offline(path, error);
	if (reasm && file) {
		reasm->capture = capture;
		while ((rc = pcap_next_ex(file, &header, &data)) == 1)
			take_packet(reasm, pcap_datalink(file), header, data);
		if (rc == PCAP_ERROR)
			snprintf(why, why_size, "%s", pcap_geterr(file));
		rc = rc == PCAP_ERROR ? OC_EIO : OC_OK;
	} else {
		snprintf(why, why_size, "%s", file ? "out of memory" : error);
		rc = file ? OC_ENOMEM : OC_EIO;
	}
	if (file)
		pcap_close(file);
	if (reasm)
		dt_reasm_fini(reasm);
	free(reasm);
	return rc;
}

void dt_capture_fini(struct dt_capture *capture)
{
	for (uint32_t i = 0; i < capture->count; i++)
		free(capture->msg[i].data);
	free(capture->msg);
	*capture = (struct dt_capture){ 0 };
}
