/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Digests by libgcrypt.
 */
#include "oev_digest.h"

#include <gcrypt.h>
#include <stdlib.h>
#include <string.h>

struct oev_digest {
	gcry_md_hd_t handle;
};

struct oev_digest *oev_digest_new(void)
{
	struct oev_digest *digest = malloc(sizeof(*digest));

	if (digest && gcry_md_open(&digest->handle, GCRY_MD_SHA256, 0) == 0)
		return digest;
	free(digest);
	return NULL;
}

void oev_digest_add(struct oev_digest *digest, const void *data, size_t len)
{
	gcry_md_write(digest->handle, data, len);
}

void oev_digest_end(struct oev_digest *digest, struct oev_hash *out)
{
	memcpy(out->octets, gcry_md_read(digest->handle, GCRY_MD_SHA256), OEV_HASH_OCTETS);
	gcry_md_close(digest->handle);
	free(digest);
}

void oev_nonce(void *out, size_t len)
{
	gcry_create_nonce(out, len);
}
