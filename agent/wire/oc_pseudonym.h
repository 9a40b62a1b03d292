/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Pseudonyms: numbers that stand for sessions and subscribers, and that only the holder of the key can lead back to a candidate.
 *
 * A pseudonym is SipHash-2-4 of the identity's octets, under a key of its kind, below 2^47 (six octets in a database row) and
 * never 0. The same identity has the same pseudonym as long as the key is the same.
 */
#pragma once

#include "oc_siphash.h"

#define OC_PSEUDONYM_KEY_OCTETS 16u
#define OC_PSEUDONYM_MAX ((UINT64_C(1) << 47) - 1)

struct oc_pseudonyms {
	struct oc_siphash_key session;
	struct oc_siphash_key subscriber;
};

/* The keys of both kinds from the one secret @key. */
void oc_pseudonyms_from(struct oc_pseudonyms *out, const uint8_t key[static OC_PSEUDONYM_KEY_OCTETS]);

/* Pseudonym of the @len octets at @identity; 0 of none. */
uint64_t oc_pseudonym(const struct oc_siphash_key *key, const void *identity, size_t len);
