/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The thread that makes the index of sessions, and what it has made so far. Private to the folder.
 */
#pragma once

#include "oev_shelf_find.h"
#include "oev_shelf_run.h"

/* All there is at a moment, in the order of time. Unchanged once made. */
struct oev_shelf_runs {
	_Atomic unsigned refs;
	uint64_t indexed; /* decisions */
	bool is_whole;	  /* of what was in the folder then */
	size_t count;
	struct oev_shelf_run *runs[];
};

/* Begins to index @shelf, which is complete but for this. @folder NULL: in memory. OC_OK, OC_EIO, OC_ENOMEM. */
int oev_shelf_index_start(struct oev_shelf_index **out, struct oev_shelf *shelf, const char *folder,
			  char *error);
void oev_shelf_index_stop(struct oev_shelf_index *index);

/* Any thread. NULL: out of memory. */
struct oev_shelf_runs *oev_shelf_runs_get(struct oev_shelf_index *index);
void oev_shelf_runs_put(struct oev_shelf_runs *runs);
/* Searches so far that could not open a file, though nothing is wrong with it. */
unsigned oev_shelf_runs_misses(const struct oev_shelf_runs *runs);
/* OC_EIO and why: the file of a run could not be read, then or before, so what was found may lack something. It is made anew. OC_EBUSY
 * and why: there are other misses than @misses, those before the searches, so they are to be made again. */
int oev_shelf_runs_sound(const struct oev_shelf_runs *runs, unsigned misses, char *error);
void oev_shelf_index_trouble(struct oev_shelf_index *index, char out[static OEV_SHELF_TEXT_MAX]);

/* oev_shelf_slot.c: what is indexed of one segment. The thread's alone. */
struct oev_shelf_slot {
	char name[128];
	uint64_t inode, run_key;
	bool is_sealed; /* of the segment, when it was indexed */
	bool is_done;	/* up to the end, as it was */
	bool is_wanted; /* the segment is there */
	uint64_t next;	/* decision */
	size_t lacks;	/* octets the index folder had no room for; 0 none */
	size_t count;
	struct oev_shelf_run **runs;
	struct oev_shelf_slot *instead; /* is made to take its place: of the segment once it is sealed */
};

/* One step: what can be done in about a second. @folder "": in memory. *@is_news: there are other runs than before. */
int oev_shelf_slot_step(struct oev_shelf_slot *slot, struct oev_shelf *shelf,
			const struct oev_shelf_part *part, const char *folder, const _Atomic bool *stop,
			bool *is_news, char *error);
void oev_shelf_slot_free(struct oev_shelf_slot *slot);
struct oev_shelf_slot *oev_shelf_slot_new(const struct oev_shelf_part *part);

/* oev_shelf_hits.c: numbers of decisions, rising, of a session (else 0) or a subscriber, in [low, high] of one segment. OC_OK, OC_ENOMEM;
 * OC_EIO: the index cannot be read, or not now, and knows nothing. */
struct oev_shelf_hits {
	uint64_t covered; /* the index knows decisions up to this one; 0: none */
	uint64_t *ids;	  /* for the caller to free() */
	size_t count;
};
int oev_shelf_hits(struct oev_shelf_hits *out, const struct oev_shelf_runs *runs,
		   const struct oev_shelf_part *part, uint64_t session, uint64_t subscriber, uint64_t low,
		   uint64_t high);

/* oev_shelf_sweep.c: removes files in the index folder @folder ("": none) of segments that are gone. */
#define OEV_SHELF_INDEX_SUFFIX ".sessions"
void oev_shelf_sweep(const char *folder, const struct oev_shelf_catalog *catalog);
