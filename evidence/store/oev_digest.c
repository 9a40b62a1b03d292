/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Digests by libgcrypt.
 */
#include "oev_digest.h"

#include <gcrypt.h>

#define SHA256_OCTETS ((size_t)32)

void oev_digest_init(void)
{
	if (gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P))
		return;
	gcry_check_version(NULL);
	/* No secret lives here: the pool of locked memory would only take privileges it does not need. */
	gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
	gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}

void oev_digest_sha256_hex(const void *data, size_t len, char out[static OEV_SHA256_HEX])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char digest[SHA256_OCTETS];

	gcry_md_hash_buffer(GCRY_MD_SHA256, digest, data, len);
	for (size_t i = 0; i < SHA256_OCTETS; i++) {
		out[2 * i] = digits[digest[i] >> 4];
		out[2 * i + 1] = digits[digest[i] & 15];
	}
	out[2 * SHA256_OCTETS] = '\0';
}
