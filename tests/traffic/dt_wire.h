/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Diameter octets, written and read without any help from the code under test.
 *
 * The writer appends to a caller's buffer and remembers overflow instead of failing at each call; the reader walks
 * AVPs and never leaves the buffer it was given.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/oc_err.h"
#include "agent/wire/oc_avp.h"

#define DT_HEADER_SIZE 20u
#define DT_MSG_MAX 65535u	/* octets of a message this tool sends or accepts */
#define DT_OPTIONAL 0x80000000u /* ORed to an AVP code: M bit clear */
#define DT_VENDOR_3GPP 10415u

enum dt_command {
	DT_CMD_CE = 257,
	DT_CMD_RA = 258,
	DT_CMD_AA = 265,
	DT_CMD_CC = 272,
	DT_CMD_ST = 275,
	DT_CMD_DW = 280,
	DT_CMD_DP = 282,
	DT_CMD_UL = 316,
	DT_CMD_AI = 318
};

/* AVP codes beyond oc_avp.h; vendor 0. */
enum dt_avp_code {
	DT_AVP_FRAMED_IP = 8,
	DT_AVP_CALLED_STATION_ID = 30,
	DT_AVP_HOST_IP_ADDRESS = 257,
	DT_AVP_AUTH_APPLICATION_ID = 258,
	DT_AVP_VENDOR_SPECIFIC_APPLICATION_ID = 260,
	DT_AVP_SUPPORTED_VENDOR_ID = 265,
	DT_AVP_VENDOR_ID = 266,
	DT_AVP_FIRMWARE_REVISION = 267,
	DT_AVP_PRODUCT_NAME = 269,
	DT_AVP_DISCONNECT_CAUSE = 273,
	DT_AVP_AUTH_SESSION_STATE = 277,
	DT_AVP_PROXY_INFO = 284,
	DT_AVP_TERMINATION_CAUSE = 295,
	DT_AVP_INBAND_SECURITY_ID = 299,
	DT_AVP_CC_REQUEST_NUMBER = 415,
	DT_AVP_SUBSCRIPTION_ID = 443,
	DT_AVP_SUBSCRIPTION_ID_DATA = 444,
	DT_AVP_SUBSCRIPTION_ID_TYPE = 450
};

static inline uint32_t dt_get_u32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint32_t dt_get_u24(const uint8_t *p)
{
	return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

static inline void dt_set_u32(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)(value >> 24);
	p[1] = (uint8_t)(value >> 16);
	p[2] = (uint8_t)(value >> 8);
	p[3] = (uint8_t)value;
}

static inline void dt_set_u24(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)(value >> 16);
	p[1] = (uint8_t)(value >> 8);
	p[2] = (uint8_t)value;
}

static inline uint32_t dt_msg_length(const uint8_t *msg)
{
	return dt_get_u24(msg + 1);
}

static inline uint32_t dt_msg_command(const uint8_t *msg)
{
	return dt_get_u24(msg + 5);
}

static inline uint32_t dt_msg_app(const uint8_t *msg)
{
	return dt_get_u32(msg + 8);
}

static inline uint32_t dt_msg_hop(const uint8_t *msg)
{
	return dt_get_u32(msg + 12);
}

static inline uint32_t dt_msg_end_to_end(const uint8_t *msg)
{
	return dt_get_u32(msg + 16);
}

static inline bool dt_msg_is_request(const uint8_t *msg)
{
	return (msg[4] & OC_FLAG_REQUEST) != 0;
}

/* CER, DWR and DPR (and their answers): never counted as traffic. */
static inline bool dt_msg_is_base(const uint8_t *msg)
{
	uint32_t command = dt_msg_command(msg);
	return command == DT_CMD_CE || command == DT_CMD_DW || command == DT_CMD_DP;
}

struct dt_out {
	uint8_t *data;
	size_t len;
	size_t size;
	size_t msg_at; /* where the message begun last starts */
	bool overflow; /* something did not fit; len is then at most size and the octets are useless */
};

void dt_out_init(struct dt_out *out, uint8_t *data, size_t size);

/* Header with length 0, hop-by-hop and end-to-end 0; dt_msg_end() sets the length. */
void dt_msg_begin(struct dt_out *out, uint8_t flags, uint32_t command, uint32_t app_id);
void dt_msg_end(struct dt_out *out);

/* One AVP with padding. @code may carry DT_OPTIONAL; V is set when @vendor is not 0. */
void dt_put(struct dt_out *out, uint32_t code, uint32_t vendor, const void *data, size_t len);
void dt_put_text(struct dt_out *out, uint32_t code, uint32_t vendor, const char *text);
void dt_put_u32(struct dt_out *out, uint32_t code, uint32_t vendor, uint32_t value);
void dt_put_u64(struct dt_out *out, uint32_t code, uint32_t vendor, uint64_t value);
/* Octets as they are, no header, no padding. */
void dt_put_raw(struct dt_out *out, const void *data, size_t len);
/* Begins a Grouped AVP; the returned place goes to dt_group_end(). */
size_t dt_group_begin(struct dt_out *out, uint32_t code, uint32_t vendor);
void dt_group_end(struct dt_out *out, size_t at);

struct dt_avp {
	uint32_t code;
	uint32_t vendor;
	uint32_t len;	    /* of the value */
	uint32_t whole_len; /* header, value and padding */
	const uint8_t *data;
	const uint8_t *whole;
	uint8_t flags;
};

struct dt_iter {
	const uint8_t *at;
	const uint8_t *end;
};

/* Over the AVPs of a whole message, or of any run of AVPs (a group's value). */
void dt_iter_msg(struct dt_iter *it, const uint8_t *msg, size_t len);
void dt_iter_avps(struct dt_iter *it, const uint8_t *avps, size_t len);

/* 1 and *@avp, 0 at the end, OC_EMALFORMED when a header or a length does not fit. Missing padding of the very last
 * AVP is accepted. */
int dt_avp_next(struct dt_iter *it, struct dt_avp *avp);

/* First AVP (@vendor, @code) at this level: OC_OK, OC_ENOENT or OC_EMALFORMED. */
int dt_avp_find(struct dt_iter it, uint32_t code, uint32_t vendor, struct dt_avp *avp);

/* Octets an option tells, to be put as they are. */
struct dt_octets {
	uint8_t data[4096];
	size_t len;
};

/* Hexadecimal text to octets: OC_OK and *@len, OC_EMALFORMED, OC_ENOSPC. */
int dt_hex_decode(const char *text, uint8_t *data, size_t size, size_t *len);
