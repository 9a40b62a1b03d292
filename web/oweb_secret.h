/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Chance nobody can foretell, and comparisons that tell nothing by the time they take.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "../evidence/proof/oev_hash.h"

#define OWEB_KEY_OCTETS 32u
#define OWEB_WORD_OCTETS 44u /* 32 random octets as text without "=", and NUL */

struct oweb_key {
	uint8_t octets[OWEB_KEY_OCTETS];
};

/* False when the system gives none. */
bool oweb_key_new(struct oweb_key *key);

/* A random word of 43 characters: letters, digits, "-", "_". */
bool oweb_word_new(char out[static OWEB_WORD_OCTETS]);

/* Hash of @text under @key and @purpose: who does not know the key can neither foretell it nor find two texts that share one. */
void oweb_keyed(const struct oweb_key *key, uint8_t purpose, const char *text, size_t len,
		struct oev_hash *out);

bool oweb_same_hash(const struct oev_hash *a, const struct oev_hash *b);
bool oweb_same_text(const char *a, const char *b);
