/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The identity table: an open-addressed index, at most half full, over an array of names.
 *
 * A slot holds the upper half of the name's hash and its number in one 64-bit word, so that a reader
 * sees both or neither. The writer fills the name, then releases the slot, then the count.
 * Names are held and hashed in lower case, as nearly all of them arrive: a name is looked for as it came
 * and only when that fails, in lower case.
 * Before that it is held against the one name last found where it would be remembered: a relay meets the same few again
 * and again, and comparing is half of a look-up. A wrong guess costs a little time and nothing else.
 */
#include "oc_names.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "oc_hash.h"

#define CAPACITY_MAX 1048576u
#define FIRST_ID 2u
#define KEPT_PART 32u /* one in so many places is kept for names that no stranger chose */
#define RECENT_BITS 10u
#define RECENT (1u << RECENT_BITS)

struct name {
	char text[OC_IDENT_MAX + 1]; /* lower case, NUL-terminated */
	uint32_t len;
};

/* A name being looked for: borrowed octets and their hash. */
struct key {
	const uint8_t *text;
	size_t len;
	uint64_t hash;
};

struct oc_names {
	_Atomic uint64_t *slots;
	struct name *names; /* by number */
	uint64_t seed;
	uint32_t mask;
	uint32_t capacity;
	_Atomic uint32_t count;
	_Atomic uint64_t overflows;
	_Atomic uint32_t recent[RECENT]; /* numbers of names found lately, see recent_of */
	pthread_mutex_t insert_lock;	 /* held to add a name */
};

static inline struct key key_of(const struct oc_names *names, struct oc_bytes name)
{
	return (struct key){ .text = name.data,
			     .len = name.len,
			     .hash = oc_hash(name.data, name.len, names->seed) };
}

static bool has_name_length(struct oc_bytes name)
{
	return name.len != 0 && name.len <= OC_IDENT_MAX;
}

static inline bool name_equal(const struct name *name, const struct key *key)
{
	return name->len == key->len && memcmp(name->text, key->text, key->len) == 0;
}

/* Where @name would be remembered: told by its first, middle and last octets, which is quick and tells most names of a network
 * apart. Names that meet here push each other out. */
static inline _Atomic uint32_t *recent_of(struct oc_names *names, struct oc_bytes name)
{
	uint64_t first = 0, middle = 0, last = 0;

	if (name.len >= sizeof(last)) {
		memcpy(&first, name.data, sizeof(first));
		memcpy(&middle, name.data + (name.len - sizeof(middle)) / 2, sizeof(middle));
		memcpy(&last, name.data + name.len - sizeof(last), sizeof(last));
	} else if (name.len >= sizeof(last) / 2) {
		memcpy(&first, name.data, sizeof(first) / 2);
		memcpy(&last, name.data + name.len - sizeof(last) / 2, sizeof(last) / 2);
	}
	uint64_t mixed = (first ^ middle << 1 ^ last << 2) * 0x9e3779b97f4a7c15ull;
	return &names->recent[mixed >> (64 - RECENT_BITS)];
}

/* Whether @id, a number given out or none, is the one of @name. */
static inline bool is_number_of(const struct oc_names *names, uint32_t id, struct oc_bytes name)
{
	const struct name *known = &names->names[id];

	return id >= FIRST_ID && known->len == name.len && memcmp(known->text, name.data, name.len) == 0;
}

/* Number of @key or OC_NAME_NONE; *@at is where it is, or the free slot where it would go. */
static inline uint32_t look_up(const struct oc_names *names, const struct key *key, uint32_t *at)
{
	uint32_t tag = (uint32_t)(key->hash >> 32);

	for (*at = (uint32_t)key->hash & names->mask;; *at = (*at + 1) & names->mask) {
		uint64_t slot = atomic_load_explicit(&names->slots[*at], memory_order_acquire);
		uint32_t id = (uint32_t)slot;
		if (id == OC_NAME_NONE)
			return OC_NAME_NONE;
		if ((uint32_t)(slot >> 32) == tag && name_equal(&names->names[id], key))
			return id;
	}
}

/* Copies @name to @text in lower case. Names are shown, stored and compared as text, so only visible ASCII
 * is let in: no FQDN (RFC 6733 section 4.3.1) has anything else, and a NUL would make two names look like
 * one. Returns false for others. */
static bool lower(struct oc_bytes name, uint8_t *text)
{
	for (size_t i = 0; i < name.len; i++) {
		uint8_t octet = name.data[i];
		if (octet <= 0x20 || octet >= 0x7f)
			return false;
		text[i] = octet >= 'A' && octet <= 'Z' ? octet | 0x20u : octet;
	}
	return true;
}

static bool is_full(const struct oc_names *names, uint32_t limit)
{
	return atomic_load_explicit(&names->count, memory_order_acquire) >= limit;
}

/* Caller holds insert_lock and has found @at free and the table not full. */
static uint32_t publish(struct oc_names *names, const struct key *key, uint32_t at)
{
	uint32_t id = atomic_load_explicit(&names->count, memory_order_relaxed);
	struct name *name = &names->names[id];
	uint64_t slot = (key->hash & 0xffffffff00000000ull) | id;

	memcpy(name->text, key->text, key->len);
	name->len = (uint32_t)key->len;
	atomic_store_explicit(&names->slots[at], slot, memory_order_release);
	atomic_store_explicit(&names->count, id + 1, memory_order_release);
	return id;
}

/* Adds @key unless another thread was quicker. */
static uint32_t insert(struct oc_names *names, const struct key *key, uint32_t limit, bool *is_new)
{
	uint32_t at;

	pthread_mutex_lock(&names->insert_lock);
	uint32_t id = look_up(names, key, &at);
	if (id == OC_NAME_NONE && is_full(names, limit)) {
		id = OC_NAME_OVERFLOW;
	} else if (id == OC_NAME_NONE) {
		id = publish(names, key, at);
		*is_new = true;
	}
	pthread_mutex_unlock(&names->insert_lock);
	return id;
}

/* The way of a name that was not found as it came. Kept out of line: it would burden the quick way. */
static __attribute__((noinline)) uint32_t add(struct oc_names *names, struct oc_bytes name, uint32_t limit,
					      bool *is_new)
{
	uint8_t text[OC_IDENT_MAX];
	uint32_t at;

	if (!lower(name, text))
		return OC_NAME_NONE;
	struct key key = key_of(names, (struct oc_bytes){ .data = text, .len = name.len });
	uint32_t id = look_up(names, &key, &at);
	if (id != OC_NAME_NONE)
		return id;
	/* A full table never empties: a flood of new names must not queue up at the lock. */
	id = is_full(names, limit) ? OC_NAME_OVERFLOW : insert(names, &key, limit, is_new);
	if (id == OC_NAME_OVERFLOW)
		atomic_fetch_add_explicit(&names->overflows, 1, memory_order_relaxed);
	return id;
}

/* The way of a name that was not met lately: looks for it, adds it if need be, and remembers it. */
static __attribute__((noinline)) uint32_t find_or_add(struct oc_names *names, struct oc_bytes name,
						      _Atomic uint32_t *recent, uint32_t limit, bool *is_new)
{
	uint32_t at;
	struct key key = key_of(names, name);
	uint32_t id = look_up(names, &key, &at);

	if (id == OC_NAME_NONE)
		id = add(names, name, limit, is_new);
	atomic_store_explicit(recent, id, memory_order_release);
	return id;
}

/* Number for @name, which is added while fewer than @limit numbers are out. */
static inline uint32_t number_of(struct oc_names *names, struct oc_bytes name, uint32_t limit, bool *is_new)
{
	bool ignored;

	if (is_new == NULL)
		is_new = &ignored;
	*is_new = false;
	if (!has_name_length(name))
		return OC_NAME_NONE;
	_Atomic uint32_t *recent = recent_of(names, name);
	uint32_t id = atomic_load_explicit(recent, memory_order_acquire);
	return is_number_of(names, id, name) ? id : find_or_add(names, name, recent, limit, is_new);
}

uint32_t oc_names_id(struct oc_names *names, struct oc_bytes name, bool *is_new)
{
	return number_of(names, name, names->capacity, is_new);
}

uint32_t oc_names_id_of_stranger(struct oc_names *names, struct oc_bytes name, bool *is_new)
{
	return number_of(names, name, names->capacity - names->capacity / KEPT_PART, is_new);
}

uint32_t oc_names_find(const struct oc_names *names, struct oc_bytes name)
{
	uint8_t text[OC_IDENT_MAX];
	uint32_t at;

	if (!has_name_length(name) || !lower(name, text))
		return OC_NAME_NONE;
	struct key key = key_of(names, (struct oc_bytes){ .data = text, .len = name.len });
	return look_up(names, &key, &at);
}

const char *oc_names_text(const struct oc_names *names, uint32_t id)
{
	if (id == OC_NAME_NONE)
		return "";
	/* A number is out as soon as its slot is, a moment before the count says so: the count must not be asked. */
	if (id < FIRST_ID || id >= names->capacity || names->names[id].len == 0)
		return "(overflow)";
	return names->names[id].text;
}

uint32_t oc_names_count(const struct oc_names *names)
{
	return atomic_load_explicit(&names->count, memory_order_acquire);
}

uint64_t oc_names_overflows(const struct oc_names *names)
{
	return atomic_load_explicit(&names->overflows, memory_order_relaxed);
}

uint32_t oc_names_capacity(const struct oc_names *names)
{
	return names->capacity;
}

static uint32_t slot_count(uint32_t capacity)
{
	uint32_t count = 4;

	while (count < 2 * capacity)
		count *= 2;
	return count;
}

struct oc_names *oc_names_new(uint32_t capacity, uint64_t seed)
{
	if (capacity < FIRST_ID || capacity > CAPACITY_MAX)
		return NULL;
	struct oc_names *names = calloc(1, sizeof(*names));
	if (names == NULL)
		return NULL;
	names->seed = seed;
	names->capacity = capacity;
	names->mask = slot_count(capacity) - 1;
	atomic_init(&names->count, FIRST_ID);
	atomic_init(&names->overflows, 0);
	/* calloc leaves the pages of names not yet given out untouched: capacity costs address space only. */
	names->slots = calloc((size_t)names->mask + 1, sizeof(names->slots[0]));
	names->names = calloc(capacity, sizeof(names->names[0]));
	if (names->slots == NULL || names->names == NULL ||
	    pthread_mutex_init(&names->insert_lock, NULL) != 0) {
		free(names->slots);
		free(names->names);
		free(names);
		return NULL;
	}
	return names;
}

void oc_names_free(struct oc_names *names)
{
	if (names == NULL)
		return;
	pthread_mutex_destroy(&names->insert_lock);
	free(names->slots);
	free(names->names);
	free(names);
}
