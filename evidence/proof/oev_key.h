/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The secrets of a node: the seed it signs with and the key of its pseudonyms, in one file of mode 0600:
 *
 *	doic.key/1
 *	ed25519-seed BASE64
 *	pseudonym-key BASE64
 *
 * The file is made on first start, beside its final name, pushed to the disk and linked: whenever the
 * process dies, a whole key is there or none, and of two processes that start together one makes it. A key
 * is read-only once open: any thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oev_ed25519.h"
#include "oev_public.h"
#include "oev_why.h"

#define OEV_PSEUDONYM_OCTETS 16u /* a SipHash key */

struct oev_key;

/* Reads the key in @path, or makes one there, with the folders above it; *@made says so. Free *@out with
 * oev_key_free(). OC_OK, OC_EREFUSED (group or others may read or write it, or it is no plain file),
 * OC_EMALFORMED, OC_EVERSION, OC_EIO, OC_ENOMEM. */
int oev_key_open(const char *path, struct oev_key **out, bool *made, struct oev_why *why);

/* The same, but never makes one: OC_ENOENT. */
int oev_key_read(const char *path, struct oev_key **out, struct oev_why *why);

/* Wipes and frees; NULL is fine. */
void oev_key_free(struct oev_key *key);

/* The public half, borrowed. */
const uint8_t *oev_key_public(const struct oev_key *key);

/* The subkey that pseudonyms are made with: HMAC-SHA-256 of the pseudonym key over "doic.pseudonym/1",
 * first 16 octets. */
void oev_key_pseudonym(const struct oev_key *key, uint8_t out[static OEV_PSEUDONYM_OCTETS]);

/* OC_OK, OC_ENOMEM. */
int oev_key_sign(const struct oev_key *key, const void *data, size_t len,
		 uint8_t out[static OEV_ED25519_SIGNATURE]);
