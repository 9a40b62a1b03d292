/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The agent's own function, called with the key of the file.
 */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "oev_pseudonym.h"

#include <string.h>

struct oc_keyed_key oev_pseudonym_key(const struct oev_key *key)
{
	struct oc_keyed_key out = { .octets = { 0 } };

	_Static_assert(sizeof(out.octets) == OEV_PSEUDONYM_OCTETS, "the subkey is the agent's key");
	oev_key_pseudonym(key, out.octets);
	return out;
}

void oev_pseudonym_forget(struct oc_keyed_key *key)
{
	explicit_bzero(key, sizeof(*key));
}

uint64_t oev_pseudonym(const struct oc_keyed_key *key, const char *text, size_t len)
{
	return oc_keyed_pseudonym(key, (struct oc_bytes){ .data = (const uint8_t *)text, .len = len });
}
