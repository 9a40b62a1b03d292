/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The one keyed hash of the wire code: XXH3, 64 bits, the key as its seed.
 *
 * Same octets and same key give the same number on every machine, so replay may depend on it.
 */
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

static inline uint64_t oc_hash(const void *data, size_t len, uint64_t key)
{
	return XXH3_64bits_withSeed(data, len, key);
}
