/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The cover: a short sorted list of pieces.
 */
#include "oev_cover.h"

#include <string.h>

#define START (1ull << 33) /* room below the first number for what comes late */

/* The number nearest to the last one that is @at modulo 2^32. */
static uint64_t unwrap(const struct oev_cover *cover, uint32_t at)
{
	if (cover->count == 0)
		return START + at;
	uint64_t top = cover->piece[cover->count - 1].until;
	int32_t ahead = (int32_t)(at - (uint32_t)top);
	return top + (uint64_t)(int64_t)ahead;
}

static void drop(struct oev_cover *cover, uint32_t first, uint32_t count)
{
	memmove(&cover->piece[first], &cover->piece[first + count],
		(cover->count - first - count) * sizeof(cover->piece[0]));
	cover->count -= count;
}

/* Makes room: the two oldest pieces become one, and the hole between them one for good. */
static void forget_oldest(struct oev_cover *cover)
{
	cover->holes += cover->piece[1].from - cover->piece[0].until;
	cover->piece[1].from = cover->piece[0].from;
	drop(cover, 0, 1);
}

static void insert(struct oev_cover *cover, uint32_t at, struct oev_piece piece)
{
	memmove(&cover->piece[at + 1], &cover->piece[at], (cover->count - at) * sizeof(cover->piece[0]));
	cover->piece[at] = piece;
	cover->count++;
}

static uint64_t lower(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t higher(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Numbers of @piece that pieces [first, last) have. */
static uint64_t known_of(const struct oev_cover *cover, uint32_t first, uint32_t last, struct oev_piece piece)
{
	uint64_t known = 0;

	for (uint32_t i = first; i < last; i++) {
		uint64_t from = higher(cover->piece[i].from, piece.from);
		uint64_t until = lower(cover->piece[i].until, piece.until);
		known += until > from ? until - from : 0;
	}
	return known;
}

/* Puts @piece at @at, between others. False: it lies in a hole that had to be given up. */
static bool put(struct oev_cover *cover, uint32_t at, struct oev_piece piece)
{
	if (cover->count == OEV_COVER_PIECES) {
		forget_oldest(cover);
		if (at == 1)
			return false;
		at -= at > 0;
	}
	insert(cover, at, piece);
	return true;
}

uint32_t oev_cover_add(struct oev_cover *cover, uint32_t at, uint32_t len)
{
	struct oev_piece piece = { .from = unwrap(cover, at) };
	uint32_t first = 0, last;
	uint64_t fresh = len;

	if (len == 0)
		return 0;
	piece.until = piece.from + len;
	while (first < cover->count && cover->piece[first].until < piece.from)
		first++;
	for (last = first; last < cover->count && cover->piece[last].from <= piece.until;)
		last++;
	if (last > first) {
		fresh -= known_of(cover, first, last, piece);
		piece.from = lower(piece.from, cover->piece[first].from);
		piece.until = higher(piece.until, cover->piece[last - 1].until);
		cover->piece[first] = piece;
		drop(cover, first + 1, last - first - 1);
	} else if (!put(cover, first, piece)) {
		return 0;
	}
	cover->seen += fresh;
	return (uint32_t)fresh;
}

uint64_t oev_cover_missing(const struct oev_cover *cover)
{
	uint64_t missing = cover->holes;

	for (uint32_t i = 1; i < cover->count; i++)
		missing += cover->piece[i].from - cover->piece[i - 1].until;
	return missing;
}
