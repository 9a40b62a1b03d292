/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Random words, keyed hashes, comparisons in constant time.
 */
#include "oweb_secret.h"

#include <string.h>
#include <sys/random.h>

bool oweb_key_new(struct oweb_key *key)
{
	return getrandom(key->octets, sizeof(key->octets), 0) == (ssize_t)sizeof(key->octets);
}

bool oweb_word_new(char out[static OWEB_WORD_OCTETS])
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	struct oweb_key key;
	uint32_t bits = 0, have = 0, used = 0;

	if (!oweb_key_new(&key))
		return false;
	for (size_t i = 0; i < sizeof(key.octets); i++) {
		bits = bits << 8 | key.octets[i];
		for (have += 8; have >= 6; have -= 6)
			out[used++] = letters[bits >> (have - 6) & 63];
	}
	out[used++] = letters[bits << (6 - have) & 63];
	out[used] = '\0';
	return true;
}

/* The hash of the key and a hash of the text: nothing can be appended to a text that way. */
void oweb_keyed(const struct oweb_key *key, uint8_t purpose, const char *text, size_t len,
		struct oev_hash *out)
{
	uint8_t both[OWEB_KEY_OCTETS + OEV_HASH_OCTETS];
	struct oev_hash inner;

	oev_hash_tagged(purpose, text, len, &inner);
	memcpy(both, key->octets, OWEB_KEY_OCTETS);
	memcpy(both + OWEB_KEY_OCTETS, inner.octets, OEV_HASH_OCTETS);
	oev_hash_tagged(purpose, both, sizeof(both), out);
}

static bool same(const void *a, const void *b, size_t len)
{
	const volatile uint8_t *x = a, *y = b;
	uint8_t differs = 0;

	for (size_t i = 0; i < len; i++)
		differs |= x[i] ^ y[i];
	return differs == 0;
}

bool oweb_same_hash(const struct oev_hash *a, const struct oev_hash *b)
{
	return same(a->octets, b->octets, sizeof(a->octets));
}

/* Lengths are no secret here: words and hashes have theirs. */
bool oweb_same_text(const char *a, const char *b)
{
	size_t len = strlen(a);

	return len == strlen(b) && same(a, b, len);
}
