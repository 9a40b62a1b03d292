/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Writer and reader of Diameter octets.
 */
#include "dt_wire.h"

#include <string.h>

void dt_out_init(struct dt_out *out, uint8_t *data, size_t size)
{
	*out = (struct dt_out){ .data = data, .size = size };
}

static uint8_t *take(struct dt_out *out, size_t len)
{
	if (len > out->size - out->len) {
		out->overflow = true;
		return NULL;
	}
	uint8_t *at = out->data + out->len;
	out->len += len;
	return at;
}

void dt_put_raw(struct dt_out *out, const void *data, size_t len)
{
	uint8_t *at = take(out, len);
	if (at && len != 0)
		memcpy(at, data, len);
}

void dt_msg_begin(struct dt_out *out, uint8_t flags, uint32_t command, uint32_t app_id)
{
	out->msg_at = out->len;
	uint8_t *at = take(out, DT_HEADER_SIZE);
	if (!at)
		return;
	memset(at, 0, DT_HEADER_SIZE);
	at[0] = 1;
	at[4] = flags;
	dt_set_u24(at + 5, command);
	dt_set_u32(at + 8, app_id);
}

void dt_msg_end(struct dt_out *out)
{
	if (!out->overflow)
		dt_set_u24(out->data + out->msg_at + 1, (uint32_t)(out->len - out->msg_at));
}

static uint8_t *put_header(struct dt_out *out, uint32_t code, uint32_t vendor, size_t len)
{
	size_t header = vendor ? 12 : 8;
	uint8_t *at = take(out, header + ((len + 3) & ~(size_t)3));
	if (!at)
		return NULL;
	dt_set_u32(at, code & ~DT_OPTIONAL);
	at[4] = (uint8_t)((vendor ? 0x80u : 0u) | (code & DT_OPTIONAL ? 0u : 0x40u));
	dt_set_u24(at + 5, (uint32_t)(header + len));
	if (vendor)
		dt_set_u32(at + 8, vendor);
	return at + header;
}

void dt_put(struct dt_out *out, uint32_t code, uint32_t vendor, const void *data, size_t len)
{
	uint8_t *at = put_header(out, code, vendor, len);
	if (!at || len == 0)
		return;
	memcpy(at, data, len);
	memset(at + len, 0, (4 - len % 4) % 4);
}

void dt_put_text(struct dt_out *out, uint32_t code, uint32_t vendor, const char *text)
{
	dt_put(out, code, vendor, text, strlen(text));
}

void dt_put_u32(struct dt_out *out, uint32_t code, uint32_t vendor, uint32_t value)
{
	uint8_t *at = put_header(out, code, vendor, 4);
	if (at)
		dt_set_u32(at, value);
}

void dt_put_u64(struct dt_out *out, uint32_t code, uint32_t vendor, uint64_t value)
{
	uint8_t *at = put_header(out, code, vendor, 8);
	if (!at)
		return;
	dt_set_u32(at, (uint32_t)(value >> 32));
	dt_set_u32(at + 4, (uint32_t)value);
}

size_t dt_group_begin(struct dt_out *out, uint32_t code, uint32_t vendor)
{
	size_t at = out->len;
	put_header(out, code, vendor, 0);
	return at;
}

void dt_group_end(struct dt_out *out, size_t at)
{
	if (!out->overflow)
		dt_set_u24(out->data + at + 5, (uint32_t)(out->len - at));
}

void dt_iter_avps(struct dt_iter *it, const uint8_t *avps, size_t len)
{
	it->at = avps;
	it->end = avps + len;
}

void dt_iter_msg(struct dt_iter *it, const uint8_t *msg, size_t len)
{
	dt_iter_avps(it, msg + DT_HEADER_SIZE, len < DT_HEADER_SIZE ? 0 : len - DT_HEADER_SIZE);
}

int dt_avp_next(struct dt_iter *it, struct dt_avp *avp)
{
	size_t left = (size_t)(it->end - it->at);
	if (left == 0)
		return 0;
	if (left < 8)
		return OC_EMALFORMED;
	const uint8_t *p = it->at;
	uint32_t header = p[4] & 0x80u ? 12 : 8;
	uint32_t len = dt_get_u24(p + 5);
	if (len < header || len > left)
		return OC_EMALFORMED;
	avp->code = dt_get_u32(p);
	avp->flags = p[4];
	avp->vendor = header == 12 ? dt_get_u32(p + 8) : 0;
	avp->data = p + header;
	avp->len = len - header;
	avp->whole = p;
	avp->whole_len = (len + 3) & ~3u;
	if (avp->whole_len > left)
		avp->whole_len = (uint32_t)left;
	it->at += avp->whole_len;
	return 1;
}

int dt_avp_find(struct dt_iter it, uint32_t code, uint32_t vendor, struct dt_avp *avp)
{
	int rc;
	while ((rc = dt_avp_next(&it, avp)) == 1) {
		if (avp->code == code && avp->vendor == vendor)
			return OC_OK;
	}
	return rc == 0 ? OC_ENOENT : rc;
}

static int nibble(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c | (c >= 'A' && c <= 'F' ? 0x20 : 0)) : NULL;
	return at ? (int)(at - digits) : -1;
}

int dt_hex_decode(const char *text, uint8_t *data, size_t size, size_t *len)
{
	size_t n = 0;
	for (; text[0] && text[1]; text += 2, n++) {
		int high = nibble(text[0]), low = nibble(text[1]);
		if (high < 0 || low < 0)
			return OC_EMALFORMED;
		if (n == size)
			return OC_ENOSPC;
		data[n] = (uint8_t)(high << 4 | low);
	}
	if (text[0])
		return OC_EMALFORMED;
	*len = n;
	return OC_OK;
}
