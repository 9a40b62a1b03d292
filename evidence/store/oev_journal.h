/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The journal: a bounded ring between the callbacks that make events and the recorder that keeps them.
 *
 * Many threads append, one thread drains. A producer takes a position with one atomic step, copies the event, and
 * publishes the slot by a release store; the consumer takes positions in order and gives them back by moving the head.
 * No lock, no system call and no allocation while there is room.
 *
 * When the ring is full the policy decides: OEV_FULL_BLOCK waits (sleeping in short steps) up to block_max_ms
 * for the recorder, then counts a gap; OEV_FULL_GAP counts at once. A wait in vain ends the waits of all, and nobody waits
 * again until the recorder has given slots back: a dead disk stops the relay once, for block_max_ms, not once per message. A gap is
 * reported by oev_journal_take_gap() and becomes a row: evidence may be incomplete, never silently so.
 *
 * With a path the ring is a file that outlives the process. The life of such a journal: oev_journal_open() finds what a
 * dead process left; the consumer drains it (same functions, half-written places are passed over) and then calls
 * oev_journal_begin(), from which on events can be appended. The file must not be cut short by others while it is in use.
 */
#pragma once

#include "../../agent/oc_event.h"

struct oev_journal;

enum oev_full { OEV_FULL_BLOCK = 0, OEV_FULL_GAP = 1 };

#define OEV_JOURNAL_FILE "journal.ring" /* its usual name in the evidence folder */
#define OEV_JOURNAL_PATH_MAX 1024u
#define OEV_JOURNAL_SEGMENT_MAX 64u /* name of a segment file, its end included */

struct oev_journal_conf {
	const char *
		path; /* of the ring file, in a folder that exists; NULL: memory, nothing outlives the process */
	uint32_t records; /* slots, a power of two, 64..16777216 */
	enum oev_full when_full;
	uint32_t block_max_ms;
};

/* What oev_journal_open() found. All numbers are those of the process that left it. */
struct oev_journal_left {
	bool found; /* a ring was there; everything up to damaged speaks of it */
	uint32_t pid;
	uint64_t run_id;
	uint64_t started_us; /* wall clock */
	int64_t offset_us;   /* wall clock minus monotonic clock, as last noted */
	char segment
		[OEV_JOURNAL_SEGMENT_MAX]; /* file it was writing, "" unknown; letters, digits and "._-" only */
	uint64_t head;			   /* first position that was not given back */
	uint64_t tail;			   /* position after the last one taken */
	uint64_t gap; /* events lost and not yet taken by the recorder; oev_journal_take_gap() gives them */
	uint32_t waiting; /* events from head on that can be drained */
	uint32_t torn; /* positions taken and never published: what they were to tell had not happened yet */
	uint32_t damaged;		  /* published, but not what a producer wrote: passed over */
	char aside[OEV_JOURNAL_PATH_MAX]; /* where a file that is no ring of ours was moved, "" none */
	const char *why;		  /* why it could not be read; "" */
};

/* Opens the ring, or makes it: as large as it will ever be, so that a full disk is told here; mode 0600. Until it is freed no
 * other process can open it (PATH.lock). In memory it can be used at once; else look at oev_journal_recovered(). On
 * failure *@error is one sentence and *@out NULL. Returns OC_OK; OC_EINVAL (conf); OC_ENOMEM; OC_EBUSY: another process
 * has it; OC_EIO: the folder is read-only, full or absent. */
int oev_journal_open(struct oev_journal **out, const struct oev_journal_conf *conf, char *error,
		     size_t error_size);

/* A ring in memory. NULL when out of memory or @records is out of range. */
struct oev_journal *oev_journal_new(uint32_t records, enum oev_full when_full, uint32_t block_max_ms);

/* Call after the last producer and the consumer stopped. A ring with nothing in it is removed, any other file stays for
 * the next oev_journal_open(). NULL is fine. */
void oev_journal_free(struct oev_journal *journal);

/* What was found. Only head and waiting follow the drain; torn and damaged too when oev_journal_skip_to() passes over them. Consumer only. */
void oev_journal_recovered(const struct oev_journal *journal, struct oev_journal_left *out);

/* Begins the drain at @position: what lies before it is in the database already, whose commit came through while giving
 * back did not. Returns OC_OK, or OC_ERANGE when it is not one from head to tail: below head the database has
 * lost a commit. Consumer only. */
int oev_journal_skip_to(struct oev_journal *journal, uint64_t position);

/* Moves a ring that cannot be drained aside, whole, and puts an empty one in its place; @aside (size @size) is its new
 * path. Put back under the old name, it is found again by the next start. Returns OC_OK, or OC_EIO with *@aside the
 * sentence about it. Before oev_journal_begin(); consumer only. */
int oev_journal_set_aside(struct oev_journal *journal, char *aside, size_t size);

/* Who appends from now on. */
struct oev_journal_life {
	uint64_t run_id;
	uint64_t started_us;
	int64_t offset_us;
	const char *segment; /* as of oev_journal_note_segment(); NULL: not known yet */
};

/* Empties the ring, positions from 0 again, with as many records as conf said, and lets producers in; none may be appending meanwhile.
 * Before this an append is a gap. Returns OC_OK; OC_EBUSY: events are waiting to be drained; OC_ERANGE: segment; OC_EIO with *@error. */
int oev_journal_begin(struct oev_journal *journal, const struct oev_journal_life *life, char *error,
		      size_t error_size);

/* Kept for whoever has to drain what this process leaves; a kill at any moment leaves the old or the new. Consumer only. */
void oev_journal_note_clock(struct oev_journal *journal, int64_t offset_us);

/* Say it before the first commit into @name (no folders). Returns OC_OK, or OC_ERANGE when longer than 63 octets or with
 * characters other than letters, digits and "._-". Consumer only. */
int oev_journal_note_segment(struct oev_journal *journal, const char *name);

/* The calling thread will append before long: the line that producers share is fetched meanwhile. Costs next to nothing and
 * promises nothing; NULL is fine. Any thread. */
void oev_journal_expect(const struct oev_journal *journal);

/* Copies the first oc_event_size() octets of @event in. Any thread. Returns OC_OK, or OC_ENOSPC when it was
 * counted as a gap instead; OC_EINVAL (counted as a gap too) for an unknown kind. */
int oev_journal_append(struct oev_journal *journal, const struct oc_event *event);

/* An oc_event_fn: @ctx is the journal. */
void oev_journal_emit(void *ctx, const struct oc_event *event);

/* The oldest event, borrowed until oev_journal_pop(); NULL when there is none. Consumer thread only. */
const struct oc_event *oev_journal_peek(struct oev_journal *journal);
void oev_journal_pop(struct oev_journal *journal);

/* The event @n places behind the oldest, borrowed until it is popped; NULL when there is none yet. Consumer only.
 * A batch is read with this, and popped only when it is safely stored: a failed one is read again. */
const struct oc_event *oev_journal_peek_at(struct oev_journal *journal, uint32_t n);

/* Gives the oldest @n events back; all of them must have been seen by oev_journal_peek_at(). Consumer only. */
void oev_journal_pop_n(struct oev_journal *journal, uint32_t n);

/* To be called every few milliseconds; popping does it too. The system writes the pages of a file to the disk now and then, and
 * the first write to a page after that is slow: this makes it, ahead of the producers. Consumer only. */
void oev_journal_tend(struct oev_journal *journal);

/* Positions count events of this life from 0. The oldest one not given back; and the one that will be after @n more are
 * popped, which belongs into the transaction that stores these @n: see oev_journal_skip_to(). Consumer only. */
uint64_t oev_journal_head(const struct oev_journal *journal);
uint64_t oev_journal_reach(struct oev_journal *journal, uint32_t n);

/* Events lost since the last call. Any thread. */
uint64_t oev_journal_take_gap(struct oev_journal *journal);

/* The same in two steps, so that a kill before the gap is stored does not forget it: events lost in this life, and "those up
 * to @total are stored". Store @total with them: a kill between the two tells a gap twice otherwise. Any thread. */
uint64_t oev_journal_gap_total(const struct oev_journal *journal);
void oev_journal_gap_stored(struct oev_journal *journal, uint64_t total);

/* Events waiting now; slots in all; highest number ever waiting. Any thread. */
uint32_t oev_journal_fill(const struct oev_journal *journal);
uint32_t oev_journal_records(const struct oev_journal *journal);
uint32_t oev_journal_high_water(const struct oev_journal *journal);
