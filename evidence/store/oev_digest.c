/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Digests as the store writes them: hexadecimal text.
 */
#include "oev_digest.h"

#include "../proof/oev_hash.h"

_Static_assert(OEV_SHA256_HEX == OEV_HASH_HEX, "digits of a SHA-256");

void oev_digest_init(void)
{
	oev_gcrypt_ready();
}

void oev_digest_sha256_hex(const void *data, size_t len, char out[static OEV_SHA256_HEX])
{
	struct oev_hash hash;

	oev_hash_of(data, len, &hash);
	oev_hash_hex(&hash, out);
}
