/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The agent's own function, called with the key of the file.
 */
#define _DEFAULT_SOURCE /* explicit_bzero */

#include "oev_pseudonym.h"

#include "../../agent/wire/oc_hash.h"
#include <string.h>

void oev_pseudonyms_init(struct oev_pseudonyms *pseudonyms, const struct oev_key *key)
{
	oev_key_pseudonym(key, pseudonyms->subkey);
}

void oev_pseudonyms_fini(struct oev_pseudonyms *pseudonyms)
{
	explicit_bzero(pseudonyms, sizeof(*pseudonyms));
}

uint64_t oev_pseudonym(const struct oev_pseudonyms *pseudonyms, enum oc_identity_kind kind, const char *text,
		       size_t len)
{
	uint64_t k;
	memcpy(&k, pseudonyms->subkey, 8);
	return (oc_hash(text, len, k + kind) >> 17) | 1;
}
