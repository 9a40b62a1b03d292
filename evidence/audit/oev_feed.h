/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Rows of one segment, read ahead by a thread of their own while the scan computes.
 *
 * The thread has a connection of its own, opened by the same rules as the segment's. Blocks of rows go round in a small
 * ring under one mutex; the reader waits when all are full, the scan when all are empty. Only whole blocks
 * change hands.
 */
#pragma once

#include "oev_read.h"

struct oev_feed;

/* Starts reading rows of @kind: up to @last (decision number, or rowid of outcomes), without the first @skip. @segment and @times
 * outlive it. Returns OC_OK, OC_ENOMEM, OC_EIO and what opening returns, with *@error. */
int oev_feed_start(struct oev_feed **out, const struct oev_read_kind *kind, const struct oev_segment *segment,
		   const struct oev_times *times, uint64_t last, uint64_t skip, char *error,
		   size_t error_size);

/* The next row (struct oev_row, struct oev_answer) in the order of the question, valid until the next call; NULL after
 * the last. */
void *oev_feed_next(struct oev_feed *feed);

/* The row OEV_FEED_AHEAD after the one that comes next, so that what it will need can be fetched; NULL when it is not at hand. */
#define OEV_FEED_AHEAD 12u
const void *oev_feed_peek(const struct oev_feed *feed);

/* Ends the thread, also early, and frees. Returns OC_OK, or OC_EIO when reading failed. NULL is fine. */
int oev_feed_stop(struct oev_feed *feed);
