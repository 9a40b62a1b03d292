/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The agent's own function, called with the key of the file.
 */
#define _DEFAULT_SOURCE /* explicit_bzero */

#include "oev_pseudonym.h"

#include <string.h>

_Static_assert(OEV_PSEUDONYM_OCTETS == sizeof(struct oc_keyed_key), "the subkey is what the agent takes");

void oev_pseudonyms_init(struct oev_pseudonyms *pseudonyms, const struct oev_key *key)
{
	oev_key_pseudonym(key, pseudonyms->key.octets);
}

void oev_pseudonyms_fini(struct oev_pseudonyms *pseudonyms)
{
	explicit_bzero(pseudonyms, sizeof(*pseudonyms));
}

uint64_t oev_pseudonym(const struct oev_pseudonyms *pseudonyms, enum oc_identity_kind kind, const char *text,
		       size_t len)
{
	(void)kind;
	return oc_keyed_pseudonym(&pseudonyms->key,
				  (struct oc_bytes){ .data = (const uint8_t *)text, .len = len });
}
