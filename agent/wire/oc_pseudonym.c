/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A key per kind, and the mask.
 */
#include "oc_pseudonym.h"

#include <string.h>

static uint64_t little_endian(const uint8_t *at)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < 8; i++)
		value |= (uint64_t)at[i] << (8 * i);
	return value;
}

static struct oc_siphash_key key_of(const struct oc_siphash_key *secret, const char *low, const char *high)
{
	return (struct oc_siphash_key){ { oc_siphash(secret, low, strlen(low)),
					  oc_siphash(secret, high, strlen(high)) } };
}

void oc_pseudonyms_from(struct oc_pseudonyms *out, const uint8_t key[static OC_PSEUDONYM_KEY_OCTETS])
{
	const struct oc_siphash_key secret = { { little_endian(key), little_endian(key + 8) } };

	out->session = key_of(&secret, "session 0", "session 1");
	out->subscriber = key_of(&secret, "subscriber 0", "subscriber 1");
}

uint64_t oc_pseudonym(const struct oc_siphash_key *key, const void *identity, size_t len)
{
	if (len == 0)
		return 0;
	uint64_t hash = oc_siphash(key, identity, len) & OC_PSEUDONYM_MAX;

	return hash != 0 ? hash : 1;
}
