/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * SHA-256 as text, for policies and the like; hashing itself is proof/oev_hash.
 */
#pragma once

#include <stddef.h>

#define OEV_SHA256_HEX 65u /* 64 digits and NUL */

/* oev_gcrypt_ready() for those who see the store alone. Call it before threads start. */
void oev_digest_init(void);

/* SHA-256 of @len octets as lower-case hexadecimal. Any thread, after oev_digest_init(). */
void oev_digest_sha256_hex(const void *data, size_t len, char out[static OEV_SHA256_HEX]);
