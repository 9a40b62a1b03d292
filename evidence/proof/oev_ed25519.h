/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Ed25519 (RFC 8032) by libgcrypt: the one file that builds its S-expressions.
 *
 * Any thread, after oev_gcrypt_ready().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OEV_ED25519_SEED 32u
#define OEV_ED25519_PUBLIC 32u
#define OEV_ED25519_SIGNATURE 64u

/* The public key of a seed. OC_OK, OC_ENOMEM. */
int oev_ed25519_public(const uint8_t seed[static OEV_ED25519_SEED], uint8_t out[static OEV_ED25519_PUBLIC]);

/* OC_OK, OC_ENOMEM. */
int oev_ed25519_sign(const uint8_t seed[static OEV_ED25519_SEED],
		     const uint8_t public_key[static OEV_ED25519_PUBLIC], const void *data, size_t len,
		     uint8_t out[static OEV_ED25519_SIGNATURE]);

/* Whether the octets are a public key to verify with: a point of the curve, and none of those that end a
 * process that hands them to libgcrypt. */
bool oev_ed25519_is_key(const uint8_t public_key[static OEV_ED25519_PUBLIC]);

/* OC_OK, OC_EREFUSED (no such key, or the signature is not of this key and these octets), OC_ENOMEM. */
int oev_ed25519_verify(const uint8_t public_key[static OEV_ED25519_PUBLIC], const void *data, size_t len,
		       const uint8_t signature[static OEV_ED25519_SIGNATURE]);
