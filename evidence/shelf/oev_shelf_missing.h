/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Parts of lives, and whole lives, that are not in the folder: seen by the numbers of the parts and batches that are.
 */
#pragma once

#include "oev_shelf.h"

struct oev_shelf_missing {
	char run[OEV_SHELF_RUN_MAX]; /* of that part */
	char segment[128];	     /* the part behind them */
	uint64_t first, last;	     /* numbers of the parts; 0: of another life, of which nothing is here */
	uint64_t first_batch, last_batch; /* that they held, as far as is known; 0 nothing is */
	uint64_t since_us;		  /* end of the part before; 0 not known */
	uint64_t until_us;		  /* beginning of the part behind */
	bool is_removed;		  /* retention says that it removed them: their absence is no gap */
	bool may_be_here;		  /* there is a segment that cannot be read: it may be one of them */
};

/* In the order of time; *@out is for the caller to free(), NULL when *@count is 0. What is behind the last part of
 * all shows in no number. Returns OC_OK, OC_EIO, OC_ENOMEM; then *@error is one sentence. Any thread. */
int oev_shelf_missing(struct oev_shelf *shelf, struct oev_shelf_missing **out, size_t *count,
		      char error[static OEV_SHELF_TEXT_MAX]);
