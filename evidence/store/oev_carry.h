/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a life has told so far that still matters, so that its next segment can be read alone: names, peers that are up, the last
 * capabilities, states that are held with their reports, reports of our own in force and their orders, loads.
 *
 * Profiles and sets of candidates are numbers of a cache whose insides are not known here. Those used or announced in the segment
 * that ends are carried; an older one that is used again later is written at that moment (oev_carry_use()).
 *
 * What is over stays for a while, since threads may still tell of what was decided under it. Carried rows are those of the
 * earlier segment, column by column. One thread.
 */
#pragma once

#include "oev_db.h"
#include "oev_recall.h"
#include "oev_tally.h"

struct oev_carry {
	struct oev_recall recall;
	struct oev_tally tally;
	uint32_t part;			 /* number of the segment that is open */
	struct oev_recall_item *written; /* in the batch that is being made, see oev_carry_use() */
	int rc;				 /* OC_ENOMEM: something is missing for want of memory */
};

enum oev_carry_use { OEV_CARRY_PROFILE, OEV_CARRY_CANDIDATES };

/* OC_OK or OC_ENOMEM. */
int oev_carry_init(struct oev_carry *carry);
void oev_carry_fini(struct oev_carry *carry);

/* @event is stored. (Decisions and outcomes are none of its business, but for the tally.) */
void oev_carry_event(struct oev_carry *carry, const struct oc_event *event, int64_t offset_us);

/* A row that is being written points to number @id (0: to none): its row follows when this segment has none yet. Inside a
 * transaction. OC_OK, OC_EIO. */
int oev_carry_use(struct oev_carry *carry, struct oev_db *db, enum oev_carry_use what, uint32_t id);

/* The batch is stored, or it is not. */
void oev_carry_keep(struct oev_carry *carry);
void oev_carry_undo(struct oev_carry *carry);

/* Forgets what is over at @now_ns; now and then. */
void oev_carry_sweep(struct oev_carry *carry, uint64_t now_ns);

/* Writes everything that matters at @now_ns into a new segment, the counts of its versions, and how many rows of each table that
 * were; @policies is the number of policy rows written by the caller. Inside a transaction. OC_OK, OC_EIO, OC_EREFUSED (our own bug). */
int oev_carry_write(struct oev_carry *carry, struct oev_db *db, uint64_t now_ns, unsigned policies);

/* That segment, number @part of the life, has its first rows: it is the open one. */
void oev_carry_begun(struct oev_carry *carry, uint32_t part);
