/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * SHA-256 of what comes in pieces: a file, the texts of a schema; and numbers nobody else has. After oev_gcrypt_ready().
 */
#pragma once

#include "../proof/oev_hash.h"

struct oev_digest; /* one thread at a time */

/* NULL: no memory. */
struct oev_digest *oev_digest_new(void);

void oev_digest_add(struct oev_digest *digest, const void *data, size_t len);

/* The hash of all pieces; frees. */
void oev_digest_end(struct oev_digest *digest, struct oev_hash *out);

/* @len octets by chance, no secret. Any thread. */
void oev_nonce(void *out, size_t len);
