/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Inside the recorder: what its files share. Included by oev_recorder*.c alone.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "oev_commit.h"
#include "oev_notary.h"
#include "oev_policies.h"
#include "oev_scribe.h"
#include "oev_settings.h"

struct oev_recorder_counts {
	_Atomic uint64_t rows;
	_Atomic uint64_t batches;
	_Atomic uint64_t gap_events;
	_Atomic uint64_t failures;
	_Atomic uint64_t checkpoint_us;
	_Atomic uint64_t checkpoint_rows;
	_Atomic uint64_t cpu_ns;
};

/* The segment that is being written. */
struct oev_recorder_part {
	struct oev_writer writer; /* db NULL: there is none, the next batch begins one */
	uint32_t number;	  /* in this life; of the last one when there is none */
	uint64_t first_batch;
	uint64_t began_ns;
	uint64_t events; /* it holds */
	bool is_ended;	 /* it has its last rows */
};

/* A gap row for the next segment. */
struct oev_recorder_loss {
	uint64_t events; /* 0: none */
	char reason[OEV_WHY_MAX];
};

struct oev_recorder {
	struct oev_settings settings;
	struct oev_journal *journal;
	struct oev_notary *notary;
	pthread_t thread;
	atomic_bool stopping;
	struct oev_recorder_counts counts;
	struct oev_policies policies;
	struct oev_public self;
	struct oev_signer signer;
	struct oev_voice voice;
	uint32_t due_events;
	uint64_t batch_max_ns;
	uint64_t run_id;
	pthread_mutex_t path_lock; /* over the next line */
	char path[OEV_PLACE_PATH_MAX];

	/* From here on the recorder thread's own. */
	struct oev_scribe scribe;
	struct oev_carry carry;
	struct oev_recorder_part part;
	struct oev_recorder_loss loss;
	struct oev_ledger ledger;
	char previous[OEV_SEGMENT_MAX + 1]; /* name of the segment before */
	char broken[OEV_WHY_MAX]; /* why the log begins anew with the next segment; "" it does not */
	uint64_t stored;	  /* events of the journal that have their rows */
	uint64_t next_clock_ns;	  /* when the next clock row is due */
	uint64_t next_checkpoint_ns;
	uint64_t next_rotation_ns; /* not before, after one that failed */
	uint64_t waiting_since_ns; /* when the oldest waiting event was first noticed; 0 none */
	uint64_t gap_told;	   /* events lost for want of room, of which a gap row tells */
	uint64_t failing;	   /* failed tries since the last success */
	struct oev_limiter failed_log;
	struct oev_limiter refused_log;
	struct oev_limiter rotation_log;
	char note[OEV_NOTE_MAX];
};

/* oev_recorder_batch.c */

struct oev_moment oev_recorder_now(const struct oev_recorder *r);

/* Notes how wall time follows monotonic time. */
void oev_recorder_take_clock(struct oev_recorder *r, const struct oev_moment *now);

/* Events lost in the journal that no row tells of yet. */
uint64_t oev_recorder_gap(const struct oev_recorder *r);

/* Policies that wait get their rows in @segment; *@last is the last of them. Inside a transaction. */
int oev_recorder_put_policies(struct oev_recorder *r, struct oev_writer *segment,
			      const struct oev_policy_text **last);

/* One batch: what waits in the journal, and what else is due; begins a segment when there is none. OC_OK, or why nothing was
 * stored. */
int oev_recorder_batch(struct oev_recorder *r);

/* oev_recorder_part.c */

/* Begins the next segment of this life; there is none. On failure *@error is one sentence. */
int oev_recorder_begin_part(struct oev_recorder *r, char *error, size_t error_size);

/* Ends the segment: last rows, checkpoint. OC_OK or OC_EIO: oev_db_error() says why; it may be called again. */
int oev_recorder_end_part(struct oev_recorder *r, const char *how);

/* Folds and closes the segment, and has it sealed if it was ended. */
void oev_recorder_close_part(struct oev_recorder *r);

/* Lets go of a segment that cannot be written any more, as it is; the next one tells of it. */
void oev_recorder_lose_part(struct oev_recorder *r, const char *reason);

/* Whether the segment is as large or as old as it may be. */
bool oev_recorder_is_rotation_due(struct oev_recorder *r, uint64_t now_ns);

/* Ends the segment and begins the next one. When the next one cannot be made, the operator is told and it goes on as it is. */
void oev_recorder_rotate(struct oev_recorder *r);
