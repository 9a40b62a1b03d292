/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The b-trees of a SQLite file, as https://sqlite.org/fileformat2.html has them, section 1.6.
 */
#include "help_cells.h"

#define PAGE_TABLE_INNER 0x05
#define PAGE_TABLE_LEAF 0x0d
#define DEPTH_MAX 20

struct walk {
	const uint8_t *file;
	size_t len;
	size_t page_size;
	uint8_t *marks;
	size_t marked;
	bool failed;
};

static uint32_t number(const uint8_t *at, unsigned octets)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < octets; i++)
		value = value << 8 | at[i];
	return value;
}

static size_t varint(const uint8_t *at, uint64_t *value)
{
	*value = 0;
	for (size_t i = 0; i < 8; i++) {
		*value = *value << 7 | (at[i] & 0x7f);
		if ((at[i] & 0x80) == 0)
			return i + 1;
	}
	*value = *value << 8 | at[8];
	return 9;
}

static void mark(struct walk *walk, size_t at, size_t len)
{
	for (size_t i = 0; i < len && at + i < walk->len; i++) {
		walk->marked += walk->marks[at + i] == 0;
		walk->marks[at + i] = 1;
	}
	walk->failed |= at + len > walk->len;
}

/* Payload beyond what the cell holds: pages of a chain. */
static void mark_overflow(struct walk *walk, uint32_t page, uint64_t left)
{
	while (page != 0 && left > 0 && (size_t)page * walk->page_size <= walk->len) {
		size_t at = (size_t)(page - 1) * walk->page_size, room = walk->page_size - 4;
		size_t here = left < room ? (size_t)left : room;
		mark(walk, at + 4, here);
		left -= here;
		page = number(walk->file + at, 4);
	}
	walk->failed |= left > 0;
}

static void mark_cell(struct walk *walk, size_t at)
{
	uint64_t payload, rowid;
	size_t begin = at + varint(walk->file + at, &payload);
	size_t body = begin + varint(walk->file + begin, &rowid);
	size_t most = walk->page_size - 35, least = (walk->page_size - 12) * 32 / 255 - 23;
	uint64_t local = payload;

	if (payload > most) {
		local = least + (payload - least) % (walk->page_size - 4);
		local = local > most ? least : local;
	}
	mark(walk, begin, body - begin + (size_t)local);
	if (local < payload)
		mark_overflow(walk, number(walk->file + body + local, 4), payload - local);
}

static void mark_page(struct walk *walk, uint32_t page, int depth)
{
	size_t base = (size_t)(page - 1) * walk->page_size, at = base + (page == 1 ? 100 : 0);

	if (page == 0 || base + walk->page_size > walk->len || depth > DEPTH_MAX) {
		walk->failed = true;
		return;
	}
	uint8_t kind = walk->file[at];
	uint32_t cells = number(walk->file + at + 3, 2);
	size_t pointers = at + (kind == PAGE_TABLE_INNER ? 12 : 8);
	walk->failed |= kind != PAGE_TABLE_INNER && kind != PAGE_TABLE_LEAF;
	for (uint32_t i = 0; !walk->failed && i < cells; i++) {
		size_t cell = base + number(walk->file + pointers + 2 * i, 2);
		if (kind == PAGE_TABLE_LEAF)
			mark_cell(walk, cell);
		else
			mark_page(walk, number(walk->file + cell, 4), depth + 1);
	}
	if (!walk->failed && kind == PAGE_TABLE_INNER)
		mark_page(walk, number(walk->file + at + 8, 4), depth + 1);
}

size_t help_cells_mark(const uint8_t *file, size_t len, const uint32_t *roots, size_t root_count,
		       uint8_t *marks)
{
	struct walk walk = { .file = file, .len = len, .marks = marks };

	if (len < 512)
		return 0;
	walk.page_size = number(file + 16, 2);
	for (size_t i = 0; i < root_count; i++)
		mark_page(&walk, roots[i], 0);
	return walk.failed ? 0 : walk.marked;
}
