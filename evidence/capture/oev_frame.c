/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Lines of tshark's fields, read by one pass over the tabs.
 */
#include "oev_frame.h"

#include "../../agent/oc_err.h"

static const char *const names[OEV_FIELD_COUNT] = {
	[OEV_FIELD_NUMBER] = "frame.number",
	[OEV_FIELD_LENGTH] = "frame.len",
	[OEV_FIELD_CAPTURED] = "frame.cap_len",
	[OEV_FIELD_IPV4_FROM] = "ip.src",
	[OEV_FIELD_IPV4_TO] = "ip.dst",
	[OEV_FIELD_IPV6_FROM] = "ipv6.src",
	[OEV_FIELD_IPV6_TO] = "ipv6.dst",
	[OEV_FIELD_TCP_FROM] = "tcp.srcport",
	[OEV_FIELD_TCP_TO] = "tcp.dstport",
	[OEV_FIELD_TCP_STREAM] = "tcp.stream",
	[OEV_FIELD_TCP_SEQUENCE] = "tcp.seq_raw",
	[OEV_FIELD_TCP_LENGTH] = "tcp.len",
	[OEV_FIELD_TCP_PARTS] = "tcp.segment",
	[OEV_FIELD_SCTP_FROM] = "sctp.srcport",
	[OEV_FIELD_SCTP_TO] = "sctp.dstport",
	[OEV_FIELD_SCTP_TAG] = "sctp.verification_tag",
	[OEV_FIELD_SCTP_TSN] = "sctp.data_tsn_raw",
	[OEV_FIELD_SCTP_PPID] = "sctp.data_payload_proto_id",
	[OEV_FIELD_SCTP_LAST] = "sctp.data_e_bit",
	[OEV_FIELD_SCTP_PARTS] = "sctp.fragment",
	[OEV_FIELD_DIAMETER] = "diameter.length",
	[OEV_FIELD_TLS] = "tls",
	[OEV_FIELD_DTLS] = "dtls",
	[OEV_FIELD_ESP] = "esp.spi",
};

const char *oev_field_name(enum oev_field field)
{
	return names[field];
}

/* One field: borrowed text. */
struct text {
	const char *at;
	size_t len;
};

/* The next of comma-separated values; false when there is none. */
static bool next_value(struct text *rest, struct text *value)
{
	if (rest->len == 0)
		return false;
	const char *comma = memchr(rest->at, ',', rest->len);
	*value = (struct text){ rest->at, comma != NULL ? (size_t)(comma - rest->at) : rest->len };
	size_t step = value->len + (comma != NULL);
	*rest = (struct text){ rest->at + step, rest->len - step };
	return true;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return 16;
}

/* Decimal, or hexadecimal after "0x". */
static int number_of(struct text text, uint32_t *out)
{
	bool is_hex = text.len > 2 && text.at[0] == '0' && text.at[1] == 'x';
	int base = is_hex ? 16 : 10;
	uint64_t value = 0;

	for (size_t i = is_hex ? 2 : 0; i < text.len; i++) {
		int digit = digit_of(text.at[i]);
		if (digit >= base || value > UINT32_MAX / 10)
			return OC_EMALFORMED;
		value = value * (uint64_t)base + (uint64_t)digit;
		if (value > UINT32_MAX)
			return OC_EMALFORMED;
	}
	*out = (uint32_t)value;
	return text.len > 0 ? OC_OK : OC_EMALFORMED;
}

/* The innermost of several values, as a tunnel has them; *@out stays when there is none. */
static int last_number(struct text field, uint32_t *out)
{
	struct text value;
	int rc = OC_OK;

	while (rc == OC_OK && next_value(&field, &value))
		rc = number_of(value, out);
	return rc;
}

static int last_address(struct text field, struct oev_end *end)
{
	struct text value;
	int rc = OC_OK;

	while (rc == OC_OK && next_value(&field, &value))
		rc = oev_end_set_address(end, value.at, value.len);
	return rc;
}

static int take_port(struct text field, struct oev_end *end)
{
	uint32_t port = end->port;
	int rc = last_number(field, &port);

	end->port = (uint16_t)port;
	return port <= UINT16_MAX ? rc : OC_EMALFORMED;
}

static int take_parts(struct text field, struct oev_frame *out)
{
	struct text value;
	int rc = OC_OK;

	while (rc == OC_OK && out->part_count < OEV_FRAME_PARTS_MAX && next_value(&field, &value))
		rc = number_of(value, &out->part[out->part_count++]);
	return rc;
}

static int take_messages(struct text field, struct oev_frame *out)
{
	struct text value;
	uint32_t octets = 0;
	int rc = OC_OK;

	while (rc == OC_OK && next_value(&field, &value)) {
		rc = number_of(value, &octets);
		out->message_octets += octets;
		out->messages++;
	}
	return rc;
}

/* "1" and "0", or as later versions of tshark write it, "True" and "False". */
static int truth_of(struct text text, bool *out)
{
	*out = text.len == 4 && memcmp(text.at, "True", 4) == 0;
	if (*out || (text.len == 5 && memcmp(text.at, "False", 5) == 0))
		return OC_OK;
	*out = text.len == 1 && text.at[0] == '1';
	return *out || (text.len == 1 && text.at[0] == '0') ? OC_OK : OC_EMALFORMED;
}

/* The three fields of DATA chunks go side by side. */
static int take_chunks(struct text tsns, struct text ppids, struct text lasts, struct oev_frame *out)
{
	struct text tsn, ppid, last;
	int rc = OC_OK;

	while (rc == OC_OK && out->chunk_count < OEV_FRAME_CHUNKS_MAX && next_value(&tsns, &tsn)) {
		struct oev_chunk *chunk = &out->chunk[out->chunk_count++];
		if (!next_value(&ppids, &ppid) || !next_value(&lasts, &last))
			return OC_EMALFORMED;
		rc = number_of(tsn, &chunk->tsn);
		rc = rc == OC_OK ? number_of(ppid, &chunk->ppid) : rc;
		rc = rc == OC_OK ? truth_of(last, &chunk->is_last) : rc;
	}
	return rc;
}

static int split(const char *line, size_t len, struct text *field)
{
	for (unsigned i = 0; i < OEV_FIELD_COUNT; i++) {
		const char *tab = memchr(line, '\t', len);
		if ((tab == NULL) != (i == OEV_FIELD_COUNT - 1))
			return OC_EMALFORMED;
		field[i] = (struct text){ line, tab != NULL ? (size_t)(tab - line) : len };
		len -= field[i].len + (tab != NULL);
		line += field[i].len + (tab != NULL);
	}
	return OC_OK;
}

static int take_tcp(const struct text *field, struct oev_frame *out)
{
	int rc = take_port(field[OEV_FIELD_TCP_FROM], &out->from);

	out->transport = OEV_TRANSPORT_TCP;
	rc = rc == OC_OK ? take_port(field[OEV_FIELD_TCP_TO], &out->to) : rc;
	rc = rc == OC_OK ? last_number(field[OEV_FIELD_TCP_STREAM], &out->stream) : rc;
	rc = rc == OC_OK ? last_number(field[OEV_FIELD_TCP_SEQUENCE], &out->sequence) : rc;
	rc = rc == OC_OK ? last_number(field[OEV_FIELD_TCP_LENGTH], &out->payload) : rc;
	return rc == OC_OK ? take_parts(field[OEV_FIELD_TCP_PARTS], out) : rc;
}

static int take_sctp(const struct text *field, struct oev_frame *out)
{
	int rc = take_port(field[OEV_FIELD_SCTP_FROM], &out->from);

	out->transport = OEV_TRANSPORT_SCTP;
	rc = rc == OC_OK ? take_port(field[OEV_FIELD_SCTP_TO], &out->to) : rc;
	rc = rc == OC_OK ? last_number(field[OEV_FIELD_SCTP_TAG], &out->tag) : rc;
	rc = rc == OC_OK ? take_parts(field[OEV_FIELD_SCTP_PARTS], out) : rc;
	return rc == OC_OK ? take_chunks(field[OEV_FIELD_SCTP_TSN], field[OEV_FIELD_SCTP_PPID],
					 field[OEV_FIELD_SCTP_LAST], out)
			   : rc;
}

static int take_network(const struct text *field, struct oev_frame *out)
{
	int rc = last_address(field[OEV_FIELD_IPV4_FROM], &out->from);

	rc = rc == OC_OK ? last_address(field[OEV_FIELD_IPV4_TO], &out->to) : rc;
	rc = rc == OC_OK ? last_address(field[OEV_FIELD_IPV6_FROM], &out->from) : rc;
	return rc == OC_OK ? last_address(field[OEV_FIELD_IPV6_TO], &out->to) : rc;
}

/* All but the two arrays, which are filled as far as they are counted. */
static void clear(struct oev_frame *out)
{
	memset(out, 0, offsetof(struct oev_frame, chunk));
}

int oev_frame_parse(struct oev_frame *out, const char *line, size_t len)
{
	struct text field[OEV_FIELD_COUNT];
	uint32_t length = 0, captured = 0;

	clear(out);
	int rc = split(line, len, field);
	if (rc != OC_OK)
		return rc;
	rc = number_of(field[OEV_FIELD_NUMBER], &out->number);
	rc = rc == OC_OK ? number_of(field[OEV_FIELD_LENGTH], &length) : rc;
	rc = rc == OC_OK ? number_of(field[OEV_FIELD_CAPTURED], &captured) : rc;
	rc = rc == OC_OK ? take_network(field, out) : rc;
	if (rc == OC_OK && field[OEV_FIELD_TCP_FROM].len > 0)
		rc = take_tcp(field, out);
	else if (rc == OC_OK && field[OEV_FIELD_SCTP_FROM].len > 0)
		rc = take_sctp(field, out);
	rc = rc == OC_OK ? take_messages(field[OEV_FIELD_DIAMETER], out) : rc;
	out->is_cut = captured < length;
	out->has_tls = field[OEV_FIELD_TLS].len > 0;
	out->has_dtls = field[OEV_FIELD_DTLS].len > 0;
	out->has_esp = field[OEV_FIELD_ESP].len > 0;
	return rc;
}
