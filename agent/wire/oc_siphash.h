/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * SipHash-2-4: a keyed hash of 64 bits that nobody without the key can foretell, quick on short inputs.
 *
 * libgcrypt has no such function, and its HMAC costs a message several times what the rest of its scan does.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct oc_siphash_key {
	uint64_t k[2];
};

uint64_t oc_siphash(const struct oc_siphash_key *key, const void *data, size_t len);
