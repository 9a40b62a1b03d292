/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * SipHash-2-4 as its authors define it (Aumasson and Bernstein, 2012).
 */
#include "oc_siphash.h"

#include <string.h>

struct state {
	uint64_t v[4];
};

static inline uint64_t turn(uint64_t x, unsigned bits)
{
	return x << bits | x >> (64u - bits);
}

static inline void mix(struct state *s)
{
	s->v[0] += s->v[1];
	s->v[1] = turn(s->v[1], 13) ^ s->v[0];
	s->v[0] = turn(s->v[0], 32);
	s->v[2] += s->v[3];
	s->v[3] = turn(s->v[3], 16) ^ s->v[2];
	s->v[0] += s->v[3];
	s->v[3] = turn(s->v[3], 21) ^ s->v[0];
	s->v[2] += s->v[1];
	s->v[1] = turn(s->v[1], 17) ^ s->v[2];
	s->v[2] = turn(s->v[2], 32);
}

static inline void take(struct state *s, uint64_t word)
{
	s->v[3] ^= word;
	mix(s);
	mix(s);
	s->v[0] ^= word;
}

/* Up to eight octets, the first one lowest. */
static inline uint64_t word_of(const uint8_t *at, size_t len)
{
	uint64_t word = 0;

	for (size_t i = 0; i < len; i++)
		word |= (uint64_t)at[i] << (8 * i);
	return word;
}

uint64_t oc_siphash(const struct oc_siphash_key *key, const void *data, size_t len)
{
	struct state s = { { key->k[0] ^ 0x736f6d6570736575u, key->k[1] ^ 0x646f72616e646f6du,
			     key->k[0] ^ 0x6c7967656e657261u, key->k[1] ^ 0x7465646279746573u } };
	const uint8_t *at = data;
	size_t rest = len & 7u;

	for (const uint8_t *end = at + (len - rest); at != end; at += 8)
		take(&s, word_of(at, 8));
	take(&s, word_of(at, rest) | (uint64_t)len << 56);
	s.v[2] ^= 0xffu;
	for (int i = 0; i < 4; i++)
		mix(&s);
	return s.v[0] ^ s.v[1] ^ s.v[2] ^ s.v[3];
}
