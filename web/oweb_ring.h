/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Texts of the last ticks, and of the whole state after the last one; shared by all streams, counted. The owner's lock guards the ring;
 * a text that somebody holds is read without it.
 */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "oweb_events.h"
#include "oweb_text.h"

struct oweb_shared {
	atomic_uint holders;
	size_t len;
	char *data;
};

#define OWEB_TICKS_OCTETS ((size_t)16 << 20) /* of the ticks that are kept: with many peers they are fewer */

struct oweb_ring {
	uint64_t latest; /* number of the last tick, from 1; 0 none yet */
	uint64_t first;	 /* number of the oldest one that is kept */
	size_t octets;	 /* of those kept */
	struct oweb_shared *tick[OWEB_TICKS];
	struct oweb_shared *snapshot;
};

/* Takes the content of @text, which is empty then. NULL when out of memory, or when it failed. */
struct oweb_shared *oweb_shared_new(struct oweb_text *text);
struct oweb_shared *oweb_shared_hold(struct oweb_shared *shared);
/* NULL is fine. */
void oweb_shared_drop(struct oweb_shared *shared);

/* The next tick, and the state after it. Takes both; NULL: that text could not be made. */
void oweb_ring_add(struct oweb_ring *ring, struct oweb_shared *tick, struct oweb_shared *snapshot);

/* Tick @number, held; NULL when it is not kept. */
struct oweb_shared *oweb_ring_get(const struct oweb_ring *ring, uint64_t number);

/* How far one reader is. Zero: at the beginning. */
struct oweb_reader {
	uint64_t wants;	     /* next tick; 0: a snapshot */
	bool is_catching_up; /* what the ring has is given, however old */
};

enum oweb_turn { OWEB_TURN_NOTHING = 0, OWEB_TURN_TEXT = 1, OWEB_TURN_RESET = 2 };

/* What comes next for @reader, who moves on: nothing yet; a text, held, in *@out; or "reset", after which a snapshot comes: then
 * *@lost says how many ticks it does not get. */
enum oweb_turn oweb_ring_next(const struct oweb_ring *ring, struct oweb_reader *reader,
			      struct oweb_shared **out, uint64_t *lost);
void oweb_ring_clear(struct oweb_ring *ring);
