/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * SHA-256 by libgcrypt, and the one place that makes sure libgcrypt is initialised.
 *
 * Any thread, after oev_gcrypt_ready().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OEV_HASH_OCTETS 32u
#define OEV_HASH_HEX 65u /* 64 digits and NUL */

struct oev_hash {
	uint8_t octets[OEV_HASH_OCTETS];
};

/* Initialises libgcrypt unless the process (freeDiameter does not) has done so. Call it before threads
 * start. */
void oev_gcrypt_ready(void);

/* SHA-256 of @len octets. */
void oev_hash_of(const void *data, size_t len, struct oev_hash *out);

/* SHA-256 of one octet, @tag, followed by @len octets. */
void oev_hash_tagged(uint8_t tag, const void *data, size_t len, struct oev_hash *out);

bool oev_hash_equal(const struct oev_hash *a, const struct oev_hash *b);

/* Lower-case hexadecimal. */
void oev_hash_hex(const struct oev_hash *hash, char out[static OEV_HASH_HEX]);

/* Reads exactly 64 lower-case digits. OC_OK or OC_EMALFORMED (@out is untouched). */
int oev_hash_parse(const char *text, size_t len, struct oev_hash *out);
