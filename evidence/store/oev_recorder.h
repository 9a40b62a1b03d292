/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The recorder: one thread that drains the journal into SQLite segments, in batches, and proves every row of them.
 *
 * It owns the write connection. One transaction per batch; a batch ends after batch_max_rows events or batch_max_ms,
 * whichever comes first. With its rows a batch holds their record in the node's log (docs/evidence-format.md), and every
 * checkpoint_s seconds a signed checkpoint, which also goes outside the folder. When the database fails (full disk, I/O error) the
 * batch is rolled back, what it held is kept in memory while room lasts, an error is reported once per minute through
 * log(), and recording goes on as soon as the database does; events lost meanwhile become a gap row. A segment that is damaged or was
 * taken away is given up for a new one, which tells of it. When a segment is as large or as old as it may be it is sealed, and the
 * next one begins with everything that still matters.
 */
#pragma once

#include "../proof/oev_key.h"
#include "oev_journal.h"
#include "oev_listener.h"

struct oev_recorder;

enum oev_synchronous { OEV_SYNC_OFF = 0, OEV_SYNC_NORMAL = 1, OEV_SYNC_FULL = 2 };

/* A row of table meta that others than the recorder know: what a replay needs of the core ("core.seed"). */
struct oev_fact {
	const char *key;
	const char *value;
};

struct oev_recorder_conf {
	const char *folder; /* made when absent (mode 0750); copied */
	const char *node;   /* our DiameterIdentity; copied */
	const char *realm;
	const char *kind;	 /* what the folder is evidence of; a constant; NULL: "agent" */
	const char *policy_text; /* policy.yaml word for word; copied */
	uint32_t policy_version;
	const struct oev_fact *facts; /* copied */
	size_t fact_count;
	const struct oev_key *key; /* of the node; borrowed until the stop */
	const char *
		checkpoint_path; /* file outside the folder; NULL or "": "FOLDER.checkpoints" beside it; copied */
	bool checkpoint_syslog;	 /* to syslog too */
	uint32_t checkpoint_s;	 /* 0: only at the end of a segment */
	uint32_t segment_max_mb; /* MiB at which the next segment begins; 0: no limit, likewise below */
	uint32_t segment_max_s;	 /* its age */
	uint32_t keep_days;	 /* sealed segments are removed beyond this age */
	uint32_t keep_mb;	 /* MiB of all sealed segments beyond which the oldest is removed */
	uint32_t batch_max_rows; /* 1..1000000 */
	uint32_t batch_max_ms;	 /* 1..60000 */
	enum oev_synchronous synchronous;
	uint64_t (*mono_ns)(void); /* clocks; NULL = the system's */
	uint64_t (*wall_us)(void);
	void (*log)(void *ctx, int error,
		    const char *text); /* error 1, notice 0; may be NULL; threads of the recorder */
	void *log_ctx;
	const struct oev_listener *listener; /* borrowed until the stop; NULL: nobody listens */
};

struct oev_recorder_stats {
	uint64_t rows; /* events kept, committed */
	uint64_t batches;
	uint64_t gap_events;
	uint64_t failures;	  /* batches that had to be tried again */
	uint64_t checkpoint_us;	  /* when the last checkpoint was signed; 0 none was in this life */
	uint64_t checkpoint_rows; /* events kept until then */
	uint64_t cpu_ns;	  /* processor time of the recorder thread */
};

/* Makes the folder when it is absent, finishes and seals there what earlier lives left (with what @journal found; it must not be begun
 * yet, oev_recorder_start() does that), opens a new segment "seg-YYYYMMDDTHHMMSS.db" (UTC; "-2", "-3"... when taken) that goes on with
 * their log, and starts the threads. On failure *@error (size @error_size) says what and where.
 * Returns OC_OK, OC_EINVAL, OC_EIO, OC_ENOMEM. */
int oev_recorder_start(struct oev_recorder **out, struct oev_journal *journal,
		       const struct oev_recorder_conf *conf, char *error, size_t error_size);

/* Another policy, @text word for word, is in force as @version since @mono_ns: it gets its row with the next batch. Returns OC_OK
 * or OC_ENOMEM. Any thread. */
int oev_recorder_policy(struct oev_recorder *recorder, const char *text, uint32_t version, uint64_t mono_ns);

/* Drains what is left, closes the segment (meta 'closed_us', journal_mode=DELETE), seals it, joins, frees.
 * When the database takes nothing even after several tries, log() says how many events are lost and 'closed_us' is
 * missing. When a reader is at the file it stays in WAL mode, whole, and log() says so.
 * NULL is fine. Call after the last producer stopped. */
void oev_recorder_stop(struct oev_recorder *recorder);

/* Any thread. */
void oev_recorder_stats(const struct oev_recorder *recorder, struct oev_recorder_stats *out);

/* The segment that is being written. Any thread. */
void oev_recorder_path(const struct oev_recorder *recorder, char *out, size_t size);
