/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Diameter octets of the laboratory: messages are built here, and what agents say is done to them.
 */
#pragma once

#include "agent/wire/oc_encode.h"
#include "agent/wire/oc_msg.h"

#define LAB_OCTETS_MAX 1400u

/* A message, or the value of a group under construction. */
struct lab_octets {
	uint16_t len;
	uint8_t data[LAB_OCTETS_MAX];
};

/* A message of command 272 begins; its length is kept true by every function below. */
void lab_wire_begin(struct lab_octets *msg, uint8_t flags, uint32_t app_id, uint32_t end_to_end);

/* Each appends one AVP, flags 0, padded. */
void lab_wire_avp(struct lab_octets *to, uint32_t code, const void *value, size_t len);
void lab_wire_text(struct lab_octets *to, uint32_t code, const char *text);
void lab_wire_u32(struct lab_octets *to, uint32_t code, uint32_t value);
void lab_wire_u64(struct lab_octets *to, uint32_t code, uint64_t value);

/* OC-Supported-Features; a part of 0 or NULL is left out. */
void lab_wire_caps(struct lab_octets *msg, uint64_t vector, const char *source, uint64_t peer_algo);
/* OC-OLR of what @olr->has names; @source is its SourceID when not NULL. */
void lab_wire_olr(struct lab_octets *msg, const struct oc_olr *olr, const char *source);
void lab_wire_load(struct lab_octets *msg, uint32_t type, uint32_t value, const char *source);

/* Removes the AVPs of @code, vendor 0: the i-th when bit i of @which is set, all with @is_all. */
void lab_wire_remove(struct lab_octets *msg, uint32_t code, uint32_t which, bool is_all);

/* Does to a relayed answer what the agent says; @agent encodes its own parts. */
struct oc_agent;
struct oc_answer_edit;
void lab_wire_edit(struct lab_octets *msg, const struct oc_agent *agent, const struct oc_answer_edit *edit);
