/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Decisions that wait for their outcome, in memory of fixed size.
 *
 * Outcomes come in the order of answers, so each decision waits a while. The newest OEV_OPEN_ROWS numbers are held whole; what
 * still waits when its place is needed is put aside by number alone (up to OEV_OPEN_ASIDE), and looked up again in the segment
 * when its outcome comes after all.
 */
#pragma once

#include "oev_index.h"
#include "oev_read.h"

#define OEV_OPEN_ROWS (1u << 16)
#define OEV_OPEN_ASIDE (1u << 20)

struct oev_open {	      /* zeroed before oev_open_init() */
	struct oev_row *rows; /* by number modulo OEV_OPEN_ROWS */
	bool *used;
	struct oev_index aside; /* 1 waits, 2 was answered late */
	uint64_t not_noted;	/* put aside without a note: there was no room */
};

enum oev_wait {
	OEV_WAIT_HERE = 0,  /* it waited, and waits no more */
	OEV_WAIT_ASIDE = 1, /* it was put aside: the caller looks it up */
	OEV_WAIT_NOT = 2    /* it does not wait: answered before, or never seen */
};

/* Returns OC_OK, OC_ENOMEM. Free with _fini, also then. */
int oev_open_init(struct oev_open *open);
void oev_open_fini(struct oev_open *open);

/* Lets @row wait. True and *@evicted when another had to be put aside for it. */
bool oev_open_put(struct oev_open *open, const struct oev_row *row, struct oev_row *evicted);

/* Decision @id will be put or taken soon. */
static inline void oev_open_expect(const struct oev_open *open, uint64_t id)
{
	const char *row = (const char *)&open->rows[id % OEV_OPEN_ROWS];

	__builtin_prefetch(row, 1);
	__builtin_prefetch(row + 64, 1);
	__builtin_prefetch(row + sizeof(struct oev_row) - 1, 1);
}

/* An outcome came for decision @id: ends its waiting; *@row is it when it is OEV_WAIT_HERE. */
enum oev_wait oev_open_take(struct oev_open *open, uint64_t id, struct oev_row *row);
