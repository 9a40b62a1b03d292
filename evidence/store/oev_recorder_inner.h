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
#include "oev_say.h"
#include "oev_scribe.h"
#include "oev_settings.h"

struct oev_recorder_counts {
	_Atomic uint64_t rows;
	_Atomic uint64_t batches;
	_Atomic uint64_t gap_events;
	_Atomic uint64_t failures;
	_Atomic uint64_t cpu_ns;
};

struct oev_recorder {
	struct oev_settings settings;
	struct oev_journal *journal;
	struct oev_notary *notary;
	pthread_t thread;
	atomic_bool stopping;
	struct oev_recorder_counts counts;
	struct oev_policies policies;
	struct oev_signer signer;
	struct oev_voice voice;
	uint32_t due_events;
	uint64_t batch_max_ns;
	uint64_t run_id;

	/* From here on the recorder thread's own. */
	struct oev_scribe scribe;
	struct oev_writer segment;
	struct oev_ledger ledger;
	uint32_t part;			    /* number of the segment in this life */
	uint64_t first_batch;		    /* of the segment */
	char previous[OEV_SEGMENT_MAX + 1]; /* name of the segment before */
	uint64_t position;		    /* events of the journal that are stored */
	uint64_t next_clock_ns;		    /* when the next clock row is due */
	uint64_t next_checkpoint_ns;
	uint64_t signed_batch;	   /* last batch a checkpoint speaks of */
	uint64_t waiting_since_ns; /* when the oldest waiting event was first noticed; 0 none */
	uint64_t gap_waiting;	   /* events lost for want of room, not yet in a gap row */
	uint64_t failing;	   /* failed tries since the last success */
	struct oev_limiter failed_log;
	struct oev_limiter refused_log;
	struct oev_limiter gone_log;
	char note[OEV_NOTE_MAX];
};

/* oev_recorder_batch.c */

struct oev_moment oev_recorder_now(const struct oev_recorder *r);

/* Notes how wall time follows monotonic time. */
void oev_recorder_take_clock(struct oev_recorder *r, const struct oev_moment *now);

/* Policies that wait get their rows; *@last is the last of them. Inside a transaction. */
int oev_recorder_put_policies(struct oev_recorder *r, const struct oev_policy_text **last);

/* One batch: what waits in the journal, and what else is due. OC_OK, or why nothing was stored. */
int oev_recorder_batch(struct oev_recorder *r);

/* oev_recorder_part.c */

/* Begins the next segment of this life. On failure *@error is one sentence. */
int oev_recorder_begin_part(struct oev_recorder *r, char *error, size_t error_size);

/* Ends the segment that is open: last rows, checkpoint. OC_OK or OC_EIO: oev_db_error() says why; it may be called again. */
int oev_recorder_end_part(struct oev_recorder *r, const char *how);

/* Folds and closes it, and has it sealed when it was ended (@is_whole). */
void oev_recorder_close_part(struct oev_recorder *r, bool is_whole);
