/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sorted arrays that lead from sessions and subscribers to decisions, of a row of decisions of one segment: in memory, or mapped from
 * a file. Private to the folder.
 */
#pragma once

#include "oev_shelf_inner.h"

#define OEV_SHELF_RUN_ROWS (1u << 21) /* decisions in one; sorting them takes 32 octets each */

struct oev_shelf_run_head {
	char magic[8];
	uint64_t checksum; /* of all behind it */
	char segment[128];
	char sha256[72];
	uint64_t run_key;
	uint64_t first, last; /* decisions */
	uint64_t rows;
	uint64_t from_us;	       /* of the first */
	uint64_t entries, hits, known; /* @known: entries whose subscriber is known */
	uint64_t places;	       /* last - first + 1, or 0: outcomes are not indexed */
};

struct oev_shelf_entry {
	uint64_t session, subscriber;
	uint64_t first_us, last_us;
	uint32_t at, count; /* of hits */
	uint32_t refused, zero;
};

struct oev_shelf_run {
	_Atomic unsigned refs;
	const struct oev_shelf_run_head *head;
	const struct oev_shelf_entry *entries; /* by session */
	const uint32_t *hits;		       /* number of a decision minus head->first */
	const uint32_t *by_last;	       /* entries, newest first */
	const uint32_t *by_subscriber;	       /* entries by subscriber, newest first */
	const uint32_t *places; /* rowid of the outcome of each decision; 0: not in this segment */
	void *map;
	size_t size;
};

/* Decisions from @first on, at most @rows, up to the end of the segment. @path: the file to keep it in; NULL: memory alone. *@out
 * NULL: there is none. *@stop is looked at now and then: OC_EINTERRUPTED. OC_OK, OC_EIO, OC_ENOMEM. */
int oev_shelf_run_make(struct oev_shelf_run **out, struct oev_shelf *shelf, const struct oev_shelf_part *part,
		       uint64_t first, uint64_t rows, const char *path, const _Atomic bool *stop,
		       char *error);

/* oev_shelf_run_places.c: fills @places (head->places of them) from table outcome. OC_OK, OC_EIO, OC_EINTERRUPTED. */
int oev_shelf_run_places(uint32_t *places, const struct oev_shelf_run_head *head, struct oev_shelf *shelf,
			 const struct oev_shelf_part *part, const _Atomic bool *stop, char *error);

/* From a file that was made of @part, and begins with decision @first. OC_OK, OC_ENOENT, OC_EMALFORMED, OC_ENOMEM. */
int oev_shelf_run_load(struct oev_shelf_run **out, const struct oev_shelf_part *part, uint64_t first,
		       const char *path);

/* oev_shelf_run_map.c: room for so many, to be filled; @path as above. The arrays are writable until _seal. */
int oev_shelf_run_new(struct oev_shelf_run **out, const struct oev_shelf_run_head *head, const char *path);
/* Its checksum; the file gets its name. OC_OK, OC_EIO. */
int oev_shelf_run_seal(struct oev_shelf_run *run, const char *path);
void oev_shelf_run_put(struct oev_shelf_run *run);

/* Entry of @session; NULL: none. */
const struct oev_shelf_entry *oev_shelf_run_find(const struct oev_shelf_run *run, uint64_t session);
/* Number of hit @i of @entry; 0: the array is not that long. */
uint64_t oev_shelf_run_hit(const struct oev_shelf_run *run, const struct oev_shelf_entry *entry, uint32_t i);
/* Entry number @at; the first one when there are not so many. */
const struct oev_shelf_entry *oev_shelf_run_entry(const struct oev_shelf_run *run, uint32_t at);
/* Places [*@from, *@to) of @subscriber in by_subscriber. */
void oev_shelf_run_range(const struct oev_shelf_run *run, uint64_t subscriber, size_t *from, size_t *to);
