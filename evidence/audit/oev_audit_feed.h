/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A thread that reads decisions ahead of the scan, through a connection of its own.
 *
 * Reading rows costs more than judging them, so the two run side by side. Blocks of rows go round in a small
 * ring under one mutex; the reader waits when all are full, the scan when all are empty. Only whole blocks
 * change hands.
 */
#pragma once

#include "oev_audit_scan.h"

struct oev_feed;

/* Starts reading @segment's decisions up to number segment->decisions. Returns OC_OK, OC_ENOMEM, OC_EIO and what
 * opening returns, with *@error. */
int oev_feed_start(struct oev_feed **out, const struct oev_segment *segment, char *error, size_t error_size);

/* The next decision in order of number, valid until the next call; NULL after the last. */
struct oev_row *oev_feed_next(struct oev_feed *feed);

/* Ends the thread, also early, and frees. Returns OC_OK, or OC_EIO when reading failed. NULL is fine. */
int oev_feed_stop(struct oev_feed *feed);
