/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sorted arrays that lead from sessions and subscribers to decisions, of a row of decisions of one segment: in memory, or in a file,
 * of which nothing is mapped: who truncates it, or a disk that fails, makes a search fail and not the process. Private to the folder.
 */
#pragma once

#include "oev_shelf_inner.h"

#define OEV_SHELF_HITS_AT_ONCE 256u
#define OEV_SHELF_RUNS_OPEN 64u	      /* files of a shelf that stay open; others are opened for each search */
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

enum oev_shelf_order {
	OEV_SHELF_BY_LAST,	 /* all entries, newest first */
	OEV_SHELF_BY_SUBSCRIBER, /* the head->known ones by subscriber, newest first */
};

struct oev_shelf_run {
	_Atomic unsigned refs;
	_Atomic bool is_broken; /* its file could not be read: what was told of it lacks something */
	_Atomic unsigned
		misses; /* searches that found too many files open to open its own: nothing is wrong with it */
	struct oev_shelf_run_head
		*head; /* in memory in any case; the arrays behind it, or they are in the file */
	int fd;	       /* -1: in memory, or at @path */
	size_t size;
	/* One of many: its file is opened anew for each search, and has to be the same one. */
	char *path;
	uint64_t device, inode;
	_Atomic unsigned *open; /* what it is counted in while its file stays open */
	_Atomic size_t *
		held; /* what its octets are counted in: they are in memory because no file could be written; NULL not so */
};

/* Where its arrays begin, in octets from the front of the head. */
struct oev_shelf_layout {
	size_t entries;		       /* struct oev_shelf_entry, by session */
	size_t hits;		       /* uint32_t each: number of a decision minus head->first */
	size_t by_last, by_subscriber; /* numbers of entries, in the order of enum oev_shelf_order */
	size_t places;		       /* rowid of the outcome of each decision; 0: not in this segment */
	size_t end;
};

struct oev_shelf_layout oev_shelf_run_layout(const struct oev_shelf_run_head *head);

/* The arrays while a run is filled. */
struct oev_shelf_arrays {
	struct oev_shelf_entry *entries;
	uint32_t *hits, *by_last, *by_subscriber, *places;
};

/* Decisions from @first on, at most @rows, up to the end of the segment. @path: the file to keep it in; NULL: memory alone. A file
 * that cannot be written is said in @error, and the run is in memory (OC_OK). *@out NULL: there is none. *@stop is looked at now and
 * then: OC_EINTERRUPTED. OC_OK, OC_EIO, OC_ENOMEM. */
int oev_shelf_run_make(struct oev_shelf_run **out, struct oev_shelf *shelf, const struct oev_shelf_part *part,
		       uint64_t first, uint64_t rows, const char *path, const _Atomic bool *stop,
		       char *error);

/* oev_shelf_run_places.c: fills @places (head->places of them) from table outcome. OC_OK, OC_EIO, OC_EINTERRUPTED. */
int oev_shelf_run_places(uint32_t *places, const struct oev_shelf_run_head *head, struct oev_shelf *shelf,
			 const struct oev_shelf_part *part, const _Atomic bool *stop, char *error);

/* From a file that was made of @part, and begins with decision @first. OC_OK, OC_ENOENT, OC_EBUSY (too many files are open),
 * OC_EMALFORMED, OC_ENOMEM. */
int oev_shelf_run_load(struct oev_shelf_run **out, const struct oev_shelf_part *part, uint64_t first,
		       const char *path);

/* oev_shelf_run_file.c: room for so many, zero, to be filled. OC_OK, OC_ENOMEM. */
int oev_shelf_run_new(struct oev_shelf_run **out, const struct oev_shelf_run_head *head);
struct oev_shelf_arrays oev_shelf_run_arrays(const struct oev_shelf_run *run); /* up to _seal */
/* Its checksum; with @path it goes to that file, and the memory back. OC_OK; OC_EIO (errno): it stays in memory. */
int oev_shelf_run_seal(struct oev_shelf_run *run, const char *path);
/* Writes what is in memory to file @path. OC_OK, OC_EIO (errno). */
int oev_shelf_run_write(const struct oev_shelf_run *run, const char *path);
/* Whether a file of @octets can be made at @path now; none is left there. */
bool oev_shelf_run_has_room(const char *path, size_t octets);
/* Counts @run, which is in memory for want of a file, in *@held, unless that would be more than @most. */
bool oev_shelf_run_hold(struct oev_shelf_run *run, _Atomic size_t *held, size_t most);
/* Whether its file at @path stays open: when @open, of all runs of the shelf, allows one more. */
void oev_shelf_run_settle(struct oev_shelf_run *run, _Atomic unsigned *open, const char *path);
void oev_shelf_run_put(struct oev_shelf_run *run);

/* oev_shelf_run_look.c: any thread. What cannot be read is not there, and makes the run a broken one, unless too many files are open: then
 * it is one of run->misses. */

/* Entry of @session. */
bool oev_shelf_run_find(struct oev_shelf_run *run, uint64_t session, struct oev_shelf_entry *out);
/* Up to @count hits of @entry from number @from on, as numbers of decisions, at most OEV_SHELF_HITS_AT_ONCE. Returns how many; 0: no
 * more. */
uint32_t oev_shelf_run_hits(struct oev_shelf_run *run, const struct oev_shelf_entry *entry, uint32_t from,
			    uint32_t count, uint64_t *out);
/* The entry at place @at of @order. */
bool oev_shelf_run_entry(struct oev_shelf_run *run, enum oev_shelf_order order, size_t at,
			 struct oev_shelf_entry *out);
/* Places [*@from, *@to) of @subscriber in OEV_SHELF_BY_SUBSCRIBER. */
void oev_shelf_run_range(struct oev_shelf_run *run, uint64_t subscriber, size_t *from, size_t *to);
/* Rowid of the outcome of decision @id, which lies between head->first and head->last; 0: not known. */
uint32_t oev_shelf_run_place(struct oev_shelf_run *run, uint64_t id);
