/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Canonical octets: the one way to write a database row as octets, so that its hash says what the row says.
 *
 * A row is its table's number (one octet), its rowid, then its columns in the order of the schema, without
 * the one that is the rowid. Each value begins with an octet (n << 2 | type), type 0 NULL, 1 INTEGER, 2
 * TEXT, 3 BLOB. A number N goes with it: 0 for NULL, an integer zigzagged (0, -1, 1, -2 are 0, 1, 2, 3), a
 * length in octets. Below 56, n is N. From there on n is 55 + k, and N follows in k octets, lowest first, k
 * as small as it can be. The octets of TEXT and BLOB come after that. Values of a row end with the row. Two
 * different rows have different octets (docs/evidence-format.md).
 *
 * A writer keeps its buffer from row to row; once that is large enough nothing is allocated. One thread at
 * a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oev_hash.h"

#define OEV_CANON_TABLE_BATCH 0u /* number of the batch record (oev_batch.h); tables count from 1 */
#define OEV_CANON_SHORT 56u	 /* numbers below stand in the first octet */
#define OEV_CANON_NUMBER_MAX 9u	 /* octets of a number with its type */

enum oev_type { OEV_NULL = 0, OEV_INTEGER = 1, OEV_TEXT = 2, OEV_BLOB = 3, OEV_TYPE_COUNT };

/* A value as it was read; @data is borrowed. */
struct oev_value {
	enum oev_type type;
	int64_t integer;
	const uint8_t *data; /* of TEXT (no NUL behind it) and BLOB */
	size_t len;
};

struct oev_canon {
	uint8_t *buffer; /* buffer[0] is room for the tag of a hash, the row begins behind it */
	size_t used;	 /* tag included */
	size_t size;
	int rc; /* OC_ENOMEM as soon as memory ran out: the row is worth nothing */
};

void oev_canon_init(struct oev_canon *canon);
void oev_canon_fini(struct oev_canon *canon);

/* Starts a row. */
void oev_canon_begin(struct oev_canon *canon, uint8_t table, int64_t rowid);

/* Makes room for @more octets; false when there is no memory. */
bool oev_canon_grow(struct oev_canon *canon, size_t more);

/* One value's first octets; the room for them is there. */
static inline void oev_canon_number(struct oev_canon *canon, enum oev_type type, uint64_t number)
{
	uint8_t *at = canon->buffer + canon->used;

	if (number < OEV_CANON_SHORT) {
		*at = (uint8_t)(number << 2 | type);
		canon->used++;
		return;
	}
	unsigned octets = 8u - (unsigned)__builtin_clzll(number) / 8u;
	*at = (uint8_t)((OEV_CANON_SHORT - 1 + octets) << 2 | type);
	for (unsigned i = 0; i < 8; i++) /* one store; those beyond @octets are overwritten */
		at[1 + i] = (uint8_t)(number >> (8 * i));
	canon->used += 1 + octets;
}

static inline bool oev_canon_room(struct oev_canon *canon, size_t more)
{
	return canon->size - canon->used >= more || oev_canon_grow(canon, more);
}

static inline void oev_canon_null(struct oev_canon *canon)
{
	if (oev_canon_room(canon, OEV_CANON_NUMBER_MAX))
		oev_canon_number(canon, OEV_NULL, 0);
}

static inline void oev_canon_int(struct oev_canon *canon, int64_t value)
{
	if (oev_canon_room(canon, OEV_CANON_NUMBER_MAX))
		oev_canon_number(canon, OEV_INTEGER, (uint64_t)value << 1 ^ -(uint64_t)(value < 0));
}

void oev_canon_text(struct oev_canon *canon, const char *text, size_t len);
void oev_canon_blob(struct oev_canon *canon, const void *data, size_t len);

/* What oev_value says, by one of the four. */
void oev_canon_value(struct oev_canon *canon, const struct oev_value *value);

/* The octets of the row; valid until the next oev_canon_begin(). */
static inline const uint8_t *oev_canon_octets(const struct oev_canon *canon, size_t *len)
{
	*len = canon->used - 1;
	return canon->buffer + 1;
}

/* SHA-256 of the octet @tag and the row: with tag 0 the leaf hash (oev_merkle.h), without a copy. */
void oev_canon_hash(struct oev_canon *canon, uint8_t tag, struct oev_hash *out);

/* Reading back. */
struct oev_canon_reader {
	const uint8_t *at;
	const uint8_t *end;
};

/* Takes table and rowid; OC_OK or OC_EMALFORMED. @octets must stay while values are used. */
int oev_canon_open(struct oev_canon_reader *reader, const uint8_t *octets, size_t len, uint8_t *table,
		   int64_t *rowid);

/* Takes the next value: OC_OK, OC_ENOENT behind the last, OC_EMALFORMED (also when another writing is
 * shorter). */
int oev_canon_next(struct oev_canon_reader *reader, struct oev_value *out);
