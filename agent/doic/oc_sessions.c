/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The session table: sets of four words, each a tag and a class, the one used last in front.
 *
 * A word holds the upper 61 bits of the mixed hash and the class plus one: it is never 0 in use, and the four of a set lie in
 * one cache line. Two sessions that share a word's tag are one to this table; once in 2^61 that costs a wrong class.
 */
#include "oc_sessions.h"

#include <stdlib.h>
#include <string.h>

#define WAYS 4u
#define SIZE_MAX_ENTRIES (1u << 24)
#define CLASS_BITS 0x7ull

_Static_assert(OC_CLASSES <= CLASS_BITS, "a class plus one fits below the tag");

struct oc_sessions {
	uint64_t *words;
	uint32_t set_mask;
};

struct oc_sessions *oc_sessions_new(uint32_t size)
{
	if ((size & (size - 1)) != 0 || (size != 0 && size < WAYS) || size > SIZE_MAX_ENTRIES)
		return NULL;
	struct oc_sessions *sessions = calloc(1, sizeof(*sessions));
	if (!sessions || size == 0)
		return sessions;
	sessions->words = aligned_alloc(WAYS * sizeof(uint64_t), size * sizeof(uint64_t));
	if (!sessions->words) {
		free(sessions);
		return NULL;
	}
	memset(sessions->words, 0, size * sizeof(uint64_t));
	sessions->set_mask = size / WAYS - 1;
	return sessions;
}

void oc_sessions_free(struct oc_sessions *sessions)
{
	if (!sessions)
		return;
	free(sessions->words);
	free(sessions);
}

/* One to one, and good in the upper bits whatever the hash is. */
static uint64_t mix(uint64_t session_hash)
{
	return session_hash * 0x9e3779b97f4a7c15ull;
}

static uint64_t *set_of(const struct oc_sessions *sessions, uint64_t mixed)
{
	return &sessions->words[((mixed >> 32) & sessions->set_mask) * WAYS];
}

/* Place of the session in its @set, or WAYS. */
static uint32_t way_of(const uint64_t *set, uint64_t mixed)
{
	uint32_t way = 0;

	while (way < WAYS && (set[way] == 0 || ((set[way] ^ mixed) & ~CLASS_BITS) != 0))
		way++;
	return way;
}

/* Puts @word in front; those before @way move back by one and what was at @way is gone. */
static void put_first(uint64_t *set, uint32_t way, uint64_t word)
{
	for (; way > 0; way--)
		set[way] = set[way - 1];
	set[0] = word;
}

void oc_sessions_begin(struct oc_sessions *sessions, uint64_t session_hash, uint8_t klass)
{
	uint8_t known;

	if (!sessions->words || session_hash == 0 || klass >= OC_CLASSES ||
	    oc_sessions_knows(sessions, session_hash, &known))
		return;
	uint64_t mixed = mix(session_hash);
	put_first(set_of(sessions, mixed), WAYS - 1, (mixed & ~CLASS_BITS) | (klass + 1u));
}

bool oc_sessions_knows(struct oc_sessions *sessions, uint64_t session_hash, uint8_t *klass)
{
	if (!sessions->words || session_hash == 0)
		return false;
	uint64_t mixed = mix(session_hash);
	uint64_t *set = set_of(sessions, mixed);
	uint32_t way = way_of(set, mixed);
	if (way == WAYS)
		return false;
	uint64_t word = set[way];
	*klass = (uint8_t)((word & CLASS_BITS) - 1);
	put_first(set, way, word);
	return true;
}

void oc_sessions_end(struct oc_sessions *sessions, uint64_t session_hash)
{
	if (!sessions->words || session_hash == 0)
		return;
	uint64_t mixed = mix(session_hash);
	uint64_t *set = set_of(sessions, mixed);
	uint32_t way = way_of(set, mixed);
	if (way == WAYS)
		return;
	for (; way < WAYS - 1; way++)
		set[way] = set[way + 1];
	set[WAYS - 1] = 0;
}
