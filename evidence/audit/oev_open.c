/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A ring of decisions by number, and a set of those that fell out of it.
 */
#include "oev_open.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"

int oev_open_init(struct oev_open *open)
{
	open->rows = calloc(OEV_OPEN_ROWS, sizeof(*open->rows));
	open->used = calloc(OEV_OPEN_ROWS, sizeof(*open->used));
	return open->rows != NULL && open->used != NULL ? OC_OK : OC_ENOMEM;
}

void oev_open_fini(struct oev_open *open)
{
	free(open->rows);
	free(open->used);
	oev_index_fini(&open->aside);
	*open = (struct oev_open){ 0 };
}

bool oev_open_put(struct oev_open *open, const struct oev_row *row, struct oev_row *evicted)
{
	size_t at = (size_t)(row->id % OEV_OPEN_ROWS);
	bool full = open->used[at];

	if (full) {
		*evicted = open->rows[at];
		if (open->aside.count >= OEV_OPEN_ASIDE ||
		    oev_index_put(&open->aside, evicted->id, 1) != OC_OK)
			open->not_noted++;
	}
	open->rows[at] = *row;
	open->used[at] = true;
	return full;
}

enum oev_wait oev_open_take(struct oev_open *open, uint64_t id, struct oev_row *row)
{
	size_t at = (size_t)(id % OEV_OPEN_ROWS);

	if (open->used[at] && open->rows[at].id == id) {
		*row = open->rows[at];
		open->used[at] = false;
		return OEV_WAIT_HERE;
	}
	uint64_t aside = oev_index_get(&open->aside, id);
	if (aside == 1) {
		oev_index_put(&open->aside, id, 2);
		return OEV_WAIT_ASIDE;
	}
	return aside == 0 && open->not_noted > 0 ? OEV_WAIT_ASIDE : OEV_WAIT_NOT;
}
