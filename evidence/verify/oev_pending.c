/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A sorted array: rows come in ascending, are taken out in any order, and the holes are closed when they are
 * most of it.
 */
#include "oev_pending.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"

#define SIZE_FIRST 64u

void oev_pending_fini(struct oev_pending *pending)
{
	free(pending->rows);
	*pending = (struct oev_pending){ 0 };
}

static void close_holes(struct oev_pending *pending)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < pending->count; i++)
		if (!pending->rows[i].taken)
			pending->rows[kept++] = pending->rows[i];
	pending->count = kept;
	pending->taken = 0;
}

static int grow(struct oev_pending *pending)
{
	uint32_t size = pending->size == 0 ? SIZE_FIRST : pending->size * 2;

	if (size > OEV_PENDING_MAX)
		return OC_ENOSPC;
	struct oev_pending_row *rows = realloc(pending->rows, size * sizeof(*rows));
	if (rows == NULL)
		return OC_ENOMEM;
	pending->rows = rows;
	pending->size = size;
	return OC_OK;
}

int oev_pending_add(struct oev_pending *pending, int64_t row, const struct oev_hash *leaf)
{
	if (pending->count == pending->size && pending->taken > 0)
		close_holes(pending);
	int rc = pending->count < pending->size ? OC_OK : grow(pending);
	if (rc == OC_OK)
		pending->rows[pending->count++] = (struct oev_pending_row){ .row = row, .leaf = *leaf };
	return rc;
}

/* Place of the first row that is not below @row. */
static uint32_t find(const struct oev_pending *pending, int64_t row)
{
	uint32_t low = 0, high = pending->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (pending->rows[middle].row < row)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int oev_pending_take(struct oev_pending *pending, int64_t row, struct oev_hash *leaf)
{
	uint32_t at = find(pending, row);

	if (at == pending->count || pending->rows[at].row != row || pending->rows[at].taken)
		return OC_ENOENT;
	*leaf = pending->rows[at].leaf;
	pending->rows[at].taken = true;
	if (++pending->taken > pending->count / 2)
		close_holes(pending);
	return OC_OK;
}

uint32_t oev_pending_left(const struct oev_pending *pending, int64_t *first)
{
	for (uint32_t i = 0; i < pending->count; i++)
		if (!pending->rows[i].taken) {
			*first = pending->rows[i].row;
			return pending->count - pending->taken;
		}
	return 0;
}
