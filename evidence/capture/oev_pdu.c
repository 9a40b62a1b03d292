/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Exported messages: the file by libpcap, the tags by hand.
 */
#include "oev_pdu.h"

#include <pcap/pcap.h>
#include <stdlib.h>

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_octets.h"

#define LINK_TYPE 252 /* LINKTYPE_WIRESHARK_UPPER_PDU */
#define NS_PER_S 1000000000ull
#define TAG_HEADER 4u

/* Tags of exported_pdu_tlvs.h: 16 bits each of tag and length, then the value. */
enum tag {
	TAG_END = 0,
	TAG_DISSECTOR = 12,
	TAG_IPV4_FROM = 20,
	TAG_IPV4_TO = 21,
	TAG_IPV6_FROM = 22,
	TAG_IPV6_TO = 23,
	TAG_PORT_TYPE = 24,
	TAG_PORT_FROM = 25,
	TAG_PORT_TO = 26,
	TAG_FRAME = 30
};

enum port_type { PORT_SCTP = 1, PORT_TCP = 2 };

struct oev_pdu_file {
	pcap_t *pcap;
	uint64_t broken;
};

int oev_pdu_open(struct oev_pdu_file **out, FILE *file, char *error, size_t error_size)
{
	char why[PCAP_ERRBUF_SIZE] = "";
	struct oev_pdu_file *made = calloc(1, sizeof(*made));

	if (made == NULL) {
		fclose(file);
		return OC_ENOMEM;
	}
	rewind(file);
	made->pcap = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, why);
	if (made->pcap == NULL) {
		snprintf(error, error_size, "what tshark exported cannot be read: %s", why);
		fclose(file);
		free(made);
		return OC_EMALFORMED;
	}
	if (pcap_datalink(made->pcap) != LINK_TYPE) {
		snprintf(error, error_size, "tshark exported packets of link type %d instead of messages",
			 pcap_datalink(made->pcap));
		oev_pdu_close(made);
		return OC_EMALFORMED;
	}
	*out = made;
	return OC_OK;
}

void oev_pdu_close(struct oev_pdu_file *file)
{
	if (file == NULL)
		return;
	pcap_close(file->pcap);
	free(file);
}

static int take_address(struct oev_end *end, uint8_t family, struct oc_bytes value)
{
	size_t want = family == 4 ? 4 : 16;

	if (value.len != want)
		return OC_EMALFORMED;
	memset(end->address, 0, sizeof(end->address));
	memcpy(end->address, value.data, want);
	end->family = family;
	return OC_OK;
}

static int take_number(struct oc_bytes value, uint32_t max, uint32_t *out)
{
	if (value.len != 4)
		return OC_EMALFORMED;
	*out = oc_octets_u32(value.data);
	return *out <= max ? OC_OK : OC_EMALFORMED;
}

static int take_port(struct oev_end *end, struct oc_bytes value)
{
	uint32_t port = 0;
	int rc = take_number(value, 65535, &port);

	end->port = (uint16_t)port;
	return rc;
}

static int take_transport(struct oev_pdu *pdu, struct oc_bytes value)
{
	uint32_t type = 0;
	int rc = take_number(value, UINT32_MAX, &type);

	if (type == PORT_TCP)
		pdu->transport = OEV_TRANSPORT_TCP;
	else if (type == PORT_SCTP)
		pdu->transport = OEV_TRANSPORT_SCTP;
	return rc;
}

/* The name is padded with NUL. */
static int take_dissector(struct oc_bytes value, bool *is_diameter)
{
	static const char name[] = "diameter";

	*is_diameter = value.len >= sizeof(name) - 1 && memcmp(value.data, name, sizeof(name) - 1) == 0 &&
		       (value.len == sizeof(name) - 1 || value.data[sizeof(name) - 1] == 0);
	return OC_OK;
}

static int take_tag(struct oev_pdu *pdu, uint32_t tag, struct oc_bytes value, bool *is_diameter)
{
	switch (tag) {
	case TAG_DISSECTOR:
		return take_dissector(value, is_diameter);
	case TAG_IPV4_FROM:
		return take_address(&pdu->from, 4, value);
	case TAG_IPV4_TO:
		return take_address(&pdu->to, 4, value);
	case TAG_IPV6_FROM:
		return take_address(&pdu->from, 6, value);
	case TAG_IPV6_TO:
		return take_address(&pdu->to, 6, value);
	case TAG_PORT_TYPE:
		return take_transport(pdu, value);
	case TAG_PORT_FROM:
		return take_port(&pdu->from, value);
	case TAG_PORT_TO:
		return take_port(&pdu->to, value);
	case TAG_FRAME:
		return take_number(value, UINT32_MAX, &pdu->frame);
	default:
		return OC_OK;
	}
}

int oev_pdu_parse(struct oc_bytes packet, struct oev_pdu *out)
{
	bool is_diameter = false;
	size_t at = 0;

	*out = (struct oev_pdu){ .time_ns = out->time_ns };
	for (;;) {
		if (packet.len - at < TAG_HEADER)
			return OC_EMALFORMED;
		uint32_t head = oc_octets_u32(packet.data + at);
		size_t len = head & 0xffffu;
		at += TAG_HEADER;
		if (len > packet.len - at)
			return OC_EMALFORMED;
		if (head >> 16 == TAG_END)
			break;
		int rc = take_tag(out, head >> 16, (struct oc_bytes){ packet.data + at, len }, &is_diameter);
		if (rc != OC_OK)
			return rc;
		at += len;
	}
	out->octets = (struct oc_bytes){ packet.data + at, packet.len - at };
	if (!is_diameter)
		return OC_ENOENT;
	bool has_ends = out->from.family != 0 && out->to.family != 0;
	return has_ends && out->transport != OEV_TRANSPORT_NONE ? OC_OK : OC_EMALFORMED;
}

/* Never beyond what a signed 64-bit column holds, whatever a file says. */
static uint64_t time_of(const struct pcap_pkthdr *header)
{
	uint64_t second = header->ts.tv_sec > 0 ? (uint64_t)header->ts.tv_sec & UINT32_MAX : 0;
	uint64_t part_ns = header->ts.tv_usec > 0 ? (uint64_t)header->ts.tv_usec % NS_PER_S : 0;

	return second * NS_PER_S + part_ns;
}

int oev_pdu_next(struct oev_pdu_file *file, struct oev_pdu *out)
{
	struct pcap_pkthdr *header;
	const uint8_t *data;

	for (;;) {
		int rc = pcap_next_ex(file->pcap, &header, &data);
		if (rc != 1)
			return rc == PCAP_ERROR_BREAK ? OC_ENOENT : OC_EMALFORMED;
		out->time_ns = time_of(header);
		rc = oev_pdu_parse((struct oc_bytes){ data, header->caplen }, out);
		if (rc == OC_OK)
			return OC_OK;
		file->broken += rc != OC_ENOENT;
	}
}

uint64_t oev_pdu_broken(const struct oev_pdu_file *file)
{
	return file->broken;
}
