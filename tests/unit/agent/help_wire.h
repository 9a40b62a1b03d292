/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Builds Diameter messages octet by octet for tests, good and broken ones alike.
 */
#pragma once

#include "agent/wire/oc_avp.h"
#include "agent/wire/oc_msg.h"

#define HELP_WIRE_MAX 4096u

/* A message or a run of AVPs under construction. */
struct help_wire {
	uint8_t data[HELP_WIRE_MAX];
	size_t len;
};

/* The byte vectors of the DOIC digest, whole AVPs as hex: features (1..4) and reports (5..8). */
#define HELP_TV_COUNT 8u
extern const char *const help_wire_tv[HELP_TV_COUNT];

/* More of them, made by hand from RFC 8582 and RFC 8583: features with rate (1, 2), rate reports (3 host, 4 peer),
 * Load (5 host, 6 peer). tshark 4.0 reads them as test_oc_vectors.c wants them; it does not know AVP 670. */
#define HELP_RV_COUNT 6u
extern const char *const help_wire_rv[HELP_RV_COUNT];

/* Starts a message with a header of command 272; help_wire_end() fills in its length. */
void help_wire_begin(struct help_wire *wire, uint8_t flags, uint32_t app_id);
void help_wire_end(struct help_wire *wire);

/* The same with another command. */
void help_wire_begin_command(struct help_wire *wire, uint8_t flags, uint32_t command, uint32_t app_id);

/* Each appends one AVP with flags 0 and padding, or what its name says. */
void help_wire_avp(struct help_wire *wire, uint32_t code, const void *value, size_t len);
void help_wire_vendor_avp(struct help_wire *wire, uint32_t code, const void *value, size_t len);
void help_wire_avp_of(struct help_wire *wire, uint32_t vendor, uint32_t code, const void *value, size_t len);
void help_wire_u32_of(struct help_wire *wire, uint32_t vendor, uint32_t code, uint32_t value);
void help_wire_text(struct help_wire *wire, uint32_t code, const char *text);
void help_wire_u32(struct help_wire *wire, uint32_t code, uint32_t value);
void help_wire_u64(struct help_wire *wire, uint32_t code, uint64_t value);
void help_wire_group(struct help_wire *wire, uint32_t code, const struct help_wire *inner);
void help_wire_hex(struct help_wire *wire, const char *hex);

/* A relay's bread and butter: a Credit-Control request of 17 AVPs and 412 octets with DOIC features. */
void help_wire_ccr(struct help_wire *wire);

/* One whole Load; HELP_ABSENT leaves that part out, NULL the SourceID. */
#define HELP_ABSENT UINT64_MAX
void help_wire_load(struct help_wire *wire, uint64_t type, uint64_t value, const char *source);

/* An answer from s1.example.net with Result-Code 2001 and the vectors whose bits are set in @tvs. */
void help_wire_cca(struct help_wire *wire, unsigned tvs);

struct oc_bytes help_wire_bytes(const struct help_wire *wire);
struct oc_bytes help_wire_name(const char *text);
