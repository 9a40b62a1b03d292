/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Pseudonyms: a short keyed hash of an identity, the same for whoever has the key and nothing to whoever has not.
 *
 * SipHash-2-4 (Aumasson, Bernstein 2012), 64 bits. A pseudonym is its lower 47 bits, so that it fits a signed
 * number, a JSON number and a hash table's word with room for a mark; and never 0, which says that there is none.
 */
#pragma once

#include "../oc_types.h"

struct oc_keyed_key {
	uint8_t octets[16];
};

#define OC_PSEUDONYM_BITS 47u

uint64_t oc_keyed_hash(const struct oc_keyed_key *key, struct oc_bytes data);

/* 1 .. 2^47 - 1. */
uint64_t oc_keyed_pseudonym(const struct oc_keyed_key *key, struct oc_bytes identity);
