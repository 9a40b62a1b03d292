/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which part of a row of 32-bit sequence numbers was seen: TCP octets of one direction, or TSNs of SCTP.
 *
 * Numbers may wrap, come out of order and come again. The last few pieces are kept apart, so that what was late can
 * still fill a hole; a hole older than these stays one.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define OEV_COVER_PIECES 32u

struct oev_piece {
	uint64_t from, until; /* unwrapped; from is in, until is not */
};

/* Zero is a valid cover of nothing. */
struct oev_cover {
	uint64_t seen;	/* numbers seen, each once */
	uint64_t holes; /* numbers given up as never seen */
	uint32_t count;
	struct oev_piece piece[OEV_COVER_PIECES]; /* in order, none touching the next */
};

/* Adds @len numbers from @at on. Returns how many were not seen before. */
uint32_t oev_cover_add(struct oev_cover *cover, uint32_t at, uint32_t len);

/* Numbers between the first and the last seen that were not. */
uint64_t oev_cover_missing(const struct oev_cover *cover);
