/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Hashes by libgcrypt.
 */
#include "oev_hash.h"

#include <gcrypt.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_armor.h"

#define ON_STACK ((size_t)256) /* up to here a copy is quicker than two buffers */

void oev_gcrypt_ready(void)
{
	if (gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P))
		return;
	gcry_check_version(NULL);
	/* Those who hold secrets wipe them; locked memory would take privileges the daemon may not have. */
	gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
	gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}

void oev_hash_of(const void *data, size_t len, struct oev_hash *out)
{
	gcry_md_hash_buffer(GCRY_MD_SHA256, out->octets, data, len);
}

static void hash_two(uint8_t tag, const void *data, size_t len, struct oev_hash *out)
{
	const gcry_buffer_t parts[] = {
		{ .data = &tag, .len = 1 },
		{ .data = (void *)(uintptr_t)data, .len = len },
	};

	gcry_md_hash_buffers(GCRY_MD_SHA256, 0, out->octets, parts, 2);
}

void oev_hash_tagged(uint8_t tag, const void *data, size_t len, struct oev_hash *out)
{
	uint8_t copy[ON_STACK];

	if (len >= sizeof(copy)) {
		hash_two(tag, data, len, out);
		return;
	}
	copy[0] = tag;
	if (len > 0)
		memcpy(copy + 1, data, len);
	oev_hash_of(copy, len + 1, out);
}

bool oev_hash_equal(const struct oev_hash *a, const struct oev_hash *b)
{
	return memcmp(a->octets, b->octets, OEV_HASH_OCTETS) == 0;
}

void oev_hash_hex(const struct oev_hash *hash, char out[static OEV_HASH_HEX])
{
	oev_armor_hex(hash->octets, OEV_HASH_OCTETS, out);
}

int oev_hash_parse(const char *text, size_t len, struct oev_hash *out)
{
	struct oev_hash hash = { { 0 } };
	int rc = oev_armor_hex_parse(text, len, hash.octets, OEV_HASH_OCTETS);

	if (rc == OC_OK)
		*out = hash;
	return rc;
}
