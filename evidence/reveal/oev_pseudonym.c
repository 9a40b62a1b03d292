/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The agent's own function, called with the key of the file.
 */
#define _DEFAULT_SOURCE /* explicit_bzero */

#include "oev_pseudonym.h"

#include <string.h>

_Static_assert(OEV_PSEUDONYM_OCTETS == OC_PSEUDONYM_KEY_OCTETS, "the subkey is what the agent takes");

void oev_pseudonyms_init(struct oev_pseudonyms *pseudonyms, const struct oev_key *key)
{
	uint8_t subkey[OEV_PSEUDONYM_OCTETS];

	oev_key_pseudonym(key, subkey);
	oc_pseudonyms_from(&pseudonyms->keys, subkey);
	explicit_bzero(subkey, sizeof(subkey));
}

void oev_pseudonyms_fini(struct oev_pseudonyms *pseudonyms)
{
	explicit_bzero(pseudonyms, sizeof(*pseudonyms));
}

uint64_t oev_pseudonym(const struct oev_pseudonyms *pseudonyms, enum oc_identity_kind kind, const char *text,
		       size_t len)
{
	bool is_session = kind == OC_IDENTITY_SESSION;

	return oc_pseudonym(is_session ? &pseudonyms->keys.session : &pseudonyms->keys.subscriber, text, len);
}
