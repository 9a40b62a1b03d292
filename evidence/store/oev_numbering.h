/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A dictionary of what many rows have in common: content in, number out, of bounded size.
 *
 * Numbers go up from 1 and never change their meaning. What falls out of a full place is given another number when it comes
 * again: several numbers may mean the same, none means two things. Places are sets of four; the one used least in its set falls
 * out. One thread.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define OEV_NUMBERING_WORDS 9u
#define OEV_NUMBERING_SETS 4096u /* of four: what differs in one deployment fits many times */

/* Content: words that are not used are 0. */
struct oev_numbering_key {
	uint32_t words[OEV_NUMBERING_WORDS];
};

struct oev_numbering {
	struct oev_numbering_entry *entries;
	uint64_t next;	    /* number to be given next */
	uint64_t kept_next; /* as of the last oev_numbering_keep() */
};

/* @next: first number to be given. OC_OK or OC_ENOMEM. */
int oev_numbering_init(struct oev_numbering *numbering, uint64_t next);
void oev_numbering_fini(struct oev_numbering *numbering);

/* The number of @key. *@is_new: it was given now, and has to be written down. */
uint64_t oev_numbering_of(struct oev_numbering *numbering, const struct oev_numbering_key *key, bool *is_new);

/* Forgets every content; numbers go on. For a new segment, where each has to be written down again. */
void oev_numbering_clear(struct oev_numbering *numbering);

/* The numbers given so far are stored; or those given since the last time are not, and are given again. */
void oev_numbering_keep(struct oev_numbering *numbering);
void oev_numbering_undo(struct oev_numbering *numbering);
