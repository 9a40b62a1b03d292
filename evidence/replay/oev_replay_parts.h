/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Readers that go through the parts of a life one after the other, and the parts that are open meanwhile.
 */
#pragma once

#include "../audit/oev_feed.h"
#include "oev_replay_life.h"
#include "oev_replay_numbers.h"

#define OEV_READERS 3u /* of decisions, outcomes, and everything else */

/* One segment while somebody reads it. */
struct oev_life_part {
	uint32_t number; /* of life->parts */
	uint32_t readers;
	struct oev_segment segment;
	struct oev_replay_numbers numbers;
};

struct oev_life_parts { /* zeroed, then life and error filled */
	const struct oev_replay_life *life;
	char *error; /* OEV_REPLAY_ERROR_MAX: what went wrong first */
	struct oev_life_part open[OEV_READERS];
};

/* Where one reader stands. Zeroed: before the first part. */
struct oev_life_reader {
	struct oev_life_part *part; /* NULL: before the first one, or after the last */
	uint32_t next;		    /* number of the part to open next */
	struct oev_feed *feed;	    /* of decisions or outcomes */
	uint64_t last_id;	    /* highest decision of this part that was read */
};

/* Opens a part of a life that was listed before. Every decision depends on those before it, so a part that retention removed since ends the
 * replay, in words. Returns what oev_segment_open() returns. */
int oev_replay_open(struct oev_segment *out, const char *path, char error[static OEV_REPLAY_ERROR_MAX]);

/* Says @what of @part (NULL: of the life) unless something was said before; returns @rc. */
int oev_life_fail(struct oev_life_parts *parts, int rc, const struct oev_life_part *part, const char *what);

/* The reader, which has no part, goes on with the next one; there is one. Returns OC_OK and what opening returns. */
int oev_life_enter(struct oev_life_parts *parts, struct oev_life_reader *reader);
void oev_life_leave(struct oev_life_reader *reader);

/* Whether no part is left after the one it has. */
bool oev_life_is_last(const struct oev_life_parts *parts, const struct oev_life_reader *reader);

/* The next row of @kind in *@row, whichever part it is in, valid until the next call; NULL after the last. */
int oev_life_next(struct oev_life_parts *parts, struct oev_life_reader *reader,
		  const struct oev_read_kind *kind, void **row);

/* Ends the reading, early too. */
void oev_life_reader_stop(struct oev_life_reader *reader);
