/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * SipHash-2-4, as its authors describe it: four words of state, two rounds for each word of data, four at the end.
 */
#include "oc_keyed.h"

#include <string.h>

struct state {
	uint64_t v0, v1, v2, v3;
};

static inline uint64_t rotated(uint64_t x, unsigned bits)
{
	return x << bits | x >> (64 - bits);
}

static inline void stir(struct state *s)
{
	s->v0 += s->v1;
	s->v2 += s->v3;
	s->v1 = rotated(s->v1, 13) ^ s->v0;
	s->v3 = rotated(s->v3, 16) ^ s->v2;
	s->v0 = rotated(s->v0, 32);
	s->v2 += s->v1;
	s->v0 += s->v3;
	s->v1 = rotated(s->v1, 17) ^ s->v2;
	s->v3 = rotated(s->v3, 21) ^ s->v0;
	s->v2 = rotated(s->v2, 32);
}

static inline void take_word(struct state *s, uint64_t word)
{
	s->v3 ^= word;
	stir(s);
	stir(s);
	s->v0 ^= word;
}

/* Eight octets, the lowest first; on the machines this runs on that is how they lie. */
static inline uint64_t word_at(const uint8_t *octets)
{
	uint64_t word;

	memcpy(&word, octets, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* The last, incomplete word: what is left of the data, and the length of it all on top. */
static inline uint64_t last_word(struct oc_bytes data)
{
	uint64_t word = (uint64_t)data.len << 56;
	const uint8_t *rest = data.data + (data.len & ~(size_t)7);

	for (size_t i = 0; i < (data.len & 7u); i++)
		word |= (uint64_t)rest[i] << (8 * i);
	return word;
}

uint64_t oc_keyed_hash(const struct oc_keyed_key *key, struct oc_bytes data)
{
	uint64_t k0 = word_at(key->octets);
	uint64_t k1 = word_at(key->octets + 8);
	struct state s = { .v0 = k0 ^ 0x736f6d6570736575ull,
			   .v1 = k1 ^ 0x646f72616e646f6dull,
			   .v2 = k0 ^ 0x6c7967656e657261ull,
			   .v3 = k1 ^ 0x7465646279746573ull };

	for (size_t at = 0; at + 8 <= data.len; at += 8)
		take_word(&s, word_at(data.data + at));
	take_word(&s, last_word(data));
	s.v2 ^= 0xff;
	for (unsigned i = 0; i < 4; i++)
		stir(&s);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

uint64_t oc_keyed_pseudonym(const struct oc_keyed_key *key, struct oc_bytes identity)
{
	uint64_t hash = oc_keyed_hash(key, identity) & ((1ull << OC_PSEUDONYM_BITS) - 1);

	return hash != 0 ? hash : 1;
}
