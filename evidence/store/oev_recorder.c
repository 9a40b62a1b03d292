/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The recorder thread: when a batch is due, how it is written, what happens when it cannot be.
 *
 * A batch is written in one go: events gather in the journal until batch_max_rows of them (or a quarter of the
 * ring) wait or the oldest has waited batch_max_ms; then begin, rows, commit, and only then are they popped. A
 * failed batch is rolled back and tried again from the ring, so that nothing is lost while the ring has room.
 */
#include "oev_recorder.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../agent/oc_err.h"
#include "../oev_clock.h"
#include "oev_bind.h"
#include "oev_haul.h"
#include "oev_policies.h"
#include "oev_traffic.h"
#include "oev_writer.h"

#define CLOCK_EVERY_NS 1000000000u
#define LOG_EVERY_NS 60000000000u
#define POLL_US 2000u	    /* while events gather */
#define POLL_IDLE_US 10000u /* reached step by step while nothing comes */
#define RETRY_MIN_US 50000u
#define RETRY_MAX_US 500000u
#define FINISH_TRIES 5u
#define TEXT_MAX 1536

/* At most one message a minute of one sort, and how many were not said. */
struct limiter {
	uint64_t next_ns;
	uint64_t silent;
};

struct counts {
	_Atomic uint64_t rows;
	_Atomic uint64_t batches;
	_Atomic uint64_t gap_events;
	_Atomic uint64_t failures;
	_Atomic uint64_t cpu_ns;
};

struct oev_recorder {
	struct oev_journal *journal;
	struct oev_writer segment;
	struct oev_haul haul;
	struct oev_traffic traffic;
	pthread_t thread;
	atomic_bool stopping;
	struct counts counts;
	struct oev_policies policies;

	uint32_t due_events;
	uint64_t batch_max_ns;
	uint64_t (*mono_ns)(void);
	uint64_t (*wall_us)(void);
	void (*log)(void *ctx, int error, const char *text);
	void *log_ctx;

	/* From here on the recorder thread's own. */
	int64_t offset_us;	   /* wall clock minus monotonic clock, as last measured */
	uint64_t next_clock_ns;	   /* when the next clock row is due */
	uint64_t waiting_since_ns; /* when the oldest waiting event was first noticed; 0 none */
	uint64_t gap_waiting;	   /* events lost for want of room, not yet in a gap row */
	uint64_t failing;	   /* failed tries since the last success */
	struct limiter failed_log;
	struct limiter refused_log;
	struct limiter gone_log;
};

/* What one try to write a batch did. */
struct batch {
	uint32_t events; /* taken from the journal */
	uint64_t refused;
	const struct oev_policy_text *policy; /* last one written */
	bool clock;
	struct oev_moment now;
};

static struct oev_moment moment(const struct oev_recorder *r)
{
	return (struct oev_moment){ .mono_ns = r->mono_ns(), .wall_us = r->wall_us() };
}

static void take_offset(struct oev_recorder *r, const struct oev_moment *now)
{
	r->offset_us = (int64_t)(now->wall_us - now->mono_ns / 1000u);
	r->next_clock_ns = now->mono_ns + CLOCK_EVERY_NS;
}

static void say(struct oev_recorder *r, int error, const char *text)
{
	if (r->log)
		r->log(r->log_ctx, error, text);
}

static bool may_say(struct limiter *limiter, uint64_t now_ns, uint64_t *silent)
{
	if (limiter->next_ns != 0 && now_ns < limiter->next_ns) {
		limiter->silent++;
		return false;
	}
	*silent = limiter->silent;
	limiter->silent = 0;
	limiter->next_ns = now_ns + LOG_EVERY_NS;
	return true;
}

static int put_others(struct oev_recorder *r, struct batch *batch)
{
	int rc = OC_OK;

	for (uint32_t i = 0; rc == OC_OK && i < r->haul.other_count; i++) {
		rc = oev_bind(r->segment.db, r->haul.others[i], r->offset_us);
		if (rc == OC_EREFUSED) {
			batch->refused++;
			rc = OC_OK;
		}
	}
	return rc;
}

static int put_traffic(struct oev_recorder *r, struct batch *batch)
{
	const struct oev_haul *haul = &r->haul;
	int rc = OC_OK;

	oev_traffic_begin(&r->traffic);
	for (uint32_t i = 0; rc == OC_OK && i < haul->decision_count; i++)
		rc = oev_traffic_decision(&r->traffic, &haul->decisions[i].event->u.decision);
	for (uint32_t i = 0; rc == OC_OK && i < haul->outcome_count; i++)
		rc = oev_traffic_outcome(&r->traffic, &haul->outcomes[i]->u.outcome);
	if (rc == OC_OK)
		rc = oev_traffic_end(&r->traffic);
	batch->refused += r->traffic.refused;
	return rc;
}

static int put_events(struct oev_recorder *r, struct batch *batch)
{
	oev_haul_take(&r->haul, r->journal);
	batch->events = r->haul.events;
	int rc = put_others(r, batch);
	return rc == OC_OK ? put_traffic(r, batch) : rc;
}

static bool has_policies(struct oev_recorder *r)
{
	return oev_policies_next(&r->policies, NULL) != NULL;
}

/* A version that is there already is left as it is: the first text is the one its decisions were made under. */
static int put_policies(struct oev_recorder *r, struct batch *batch)
{
	const struct oev_policy_text *policy = NULL;
	int rc = OC_OK;

	while (rc == OC_OK && (policy = oev_policies_next(&r->policies, batch->policy)) != NULL) {
		struct oev_moment from = { .mono_ns = policy->mono_ns,
					   .wall_us = policy->mono_ns / 1000u + (uint64_t)r->offset_us };
		rc = oev_writer_put_policy(&r->segment, policy->text, policy->version, &from);
		rc = rc == OC_EREFUSED ? OC_OK : rc;
		batch->policy = policy;
	}
	return rc;
}

static int write_batch(struct oev_recorder *r, struct batch *batch)
{
	struct oev_writer *segment = &r->segment;
	int rc = oev_db_begin(segment->db);

	if (rc == OC_OK)
		rc = put_events(r, batch);
	if (rc == OC_OK)
		rc = oev_writer_put_gap(segment, &batch->now, r->gap_waiting, "journal full");
	if (rc == OC_OK)
		rc = oev_writer_put_gap(segment, &batch->now, batch->refused, "refused by the database");
	if (rc == OC_OK && batch->clock)
		rc = oev_writer_put_clock(segment, &batch->now);
	if (rc == OC_OK)
		rc = put_policies(r, batch);
	if (rc == OC_OK)
		rc = oev_db_commit(segment->db);
	if (rc == OC_OK) {
		oev_traffic_keep(&r->traffic);
	} else {
		oev_db_rollback(segment->db);
		oev_traffic_undo(&r->traffic);
	}
	return rc;
}

static void note_refused(struct oev_recorder *r, const struct batch *batch)
{
	char text[TEXT_MAX];
	uint64_t silent;

	if (batch->refused == 0 || !may_say(&r->refused_log, batch->now.mono_ns, &silent))
		return;
	snprintf(text, sizeof(text),
		 "evidence refused file=%s events=%" PRIu64 " last=\"%s\" messages_suppressed=%" PRIu64,
		 r->segment.path, batch->refused, oev_db_error(r->segment.db), silent);
	say(r, 1, text);
}

static void note_success(struct oev_recorder *r, const struct batch *batch)
{
	char text[TEXT_MAX];

	oev_journal_pop_n(r->journal, batch->events);
	oev_policies_drop(&r->policies, batch->policy);
	atomic_fetch_add(&r->counts.rows, batch->events - batch->refused);
	atomic_fetch_add(&r->counts.gap_events, r->gap_waiting + batch->refused);
	atomic_fetch_add(&r->counts.batches, 1);
	r->gap_waiting = 0;
	r->waiting_since_ns = 0;
	note_refused(r, batch);
	if (r->failing == 0)
		return;
	snprintf(text, sizeof(text), "evidence is written again file=%s failed_tries=%" PRIu64,
		 r->segment.path, r->failing);
	r->failing = 0;
	/* The next outage is news again. */
	r->failed_log = (struct limiter){ 0 };
	say(r, 0, text);
}

static void note_failure(struct oev_recorder *r, const struct batch *batch)
{
	char text[TEXT_MAX];
	uint64_t silent;

	r->failing++;
	atomic_fetch_add(&r->counts.failures, 1);
	if (!may_say(&r->failed_log, batch->now.mono_ns, &silent))
		return;
	snprintf(text, sizeof(text),
		 "evidence cannot be written file=%s error=\"%s\" events_waiting=%" PRIu32
		 " messages_suppressed=%" PRIu64,
		 r->segment.path, oev_db_error(r->segment.db), oev_journal_fill(r->journal), silent);
	say(r, 1, text);
}

/* A file that was removed or moved away takes rows without complaint, and nobody will ever read them. */
static void note_gone(struct oev_recorder *r, const struct batch *batch)
{
	char text[TEXT_MAX];
	uint64_t silent;

	if (!batch->clock || !oev_db_is_gone(r->segment.db) ||
	    !may_say(&r->gone_log, batch->now.mono_ns, &silent))
		return;
	snprintf(text, sizeof(text),
		 "evidence is being lost file=%s reason=\"removed or moved away\" remedy=\"restart the "
		 "daemon\" "
		 "messages_suppressed=%" PRIu64,
		 r->segment.path, silent);
	say(r, 1, text);
}

static int run_batch(struct oev_recorder *r)
{
	struct batch batch = { .now = moment(r) };

	r->gap_waiting += oev_journal_take_gap(r->journal);
	if (batch.now.mono_ns >= r->next_clock_ns) {
		batch.clock = true;
		take_offset(r, &batch.now);
	}
	int rc = write_batch(r, &batch);
	if (rc == OC_OK) {
		note_success(r, &batch);
	} else {
		note_failure(r, &batch);
		if (batch.clock)
			r->next_clock_ns = 0; /* its row was rolled back too */
	}
	note_gone(r, &batch);
	atomic_store(&r->counts.cpu_ns, oev_clock_thread_ns());
	return rc;
}

/* Whether a batch should be written now; notes since when events wait. */
static bool due(struct oev_recorder *r, uint64_t now_ns)
{
	uint32_t fill = oev_journal_fill(r->journal);

	r->gap_waiting += oev_journal_take_gap(r->journal);
	if (now_ns >= r->next_clock_ns || fill >= r->due_events || has_policies(r))
		return true;
	if (fill == 0 && r->gap_waiting == 0)
		return false;
	if (r->waiting_since_ns == 0)
		r->waiting_since_ns = now_ns;
	return now_ns - r->waiting_since_ns >= r->batch_max_ns;
}

/* Sleeps until it is worth looking again; @pause_us: what the idle sleep has grown to. */
static uint32_t rest(const struct oev_recorder *r, uint64_t now_ns, uint32_t pause_us)
{
	if (r->waiting_since_ns == 0) {
		oev_clock_sleep_us(pause_us);
		return pause_us + POLL_US < POLL_IDLE_US ? pause_us + POLL_US : POLL_IDLE_US;
	}
	uint64_t left_us = (r->waiting_since_ns + r->batch_max_ns - now_ns) / 1000u + 1;
	oev_clock_sleep_us(left_us < POLL_US ? (uint32_t)left_us : POLL_US);
	return POLL_US;
}

static void rest_after_failure(const struct oev_recorder *r)
{
	uint64_t pause_us = r->failing * RETRY_MIN_US;

	if (pause_us > RETRY_MAX_US)
		pause_us = RETRY_MAX_US;
	for (uint64_t slept_us = 0; slept_us < pause_us && !atomic_load(&r->stopping);
	     slept_us += POLL_IDLE_US)
		oev_clock_sleep_us(POLL_IDLE_US);
}

/* Everything that is left, then the last rows. False when the database would not take it. */
static bool drain(struct oev_recorder *r)
{
	unsigned failed = 0;

	while (failed < FINISH_TRIES) {
		r->gap_waiting += oev_journal_take_gap(r->journal);
		bool more = oev_journal_peek(r->journal) || r->gap_waiting > 0 || has_policies(r);
		struct oev_moment now = moment(r);
		int rc = more ? run_batch(r) : oev_writer_finish(&r->segment, &now, "stopped");
		if (rc == OC_OK && !more)
			return true;
		if (rc == OC_OK)
			continue;
		failed++;
		oev_clock_sleep_us(RETRY_MIN_US);
	}
	return false;
}

static void finish(struct oev_recorder *r)
{
	char text[TEXT_MAX];

	if (!drain(r)) {
		snprintf(text, sizeof(text), "evidence ends early file=%s error=\"%s\" events_lost=%" PRIu64,
			 r->segment.path, oev_db_error(r->segment.db),
			 oev_journal_fill(r->journal) + r->gap_waiting);
		say(r, 1, text);
	} else if (oev_db_fold(r->segment.db) != OC_OK) {
		snprintf(text, sizeof(text), "evidence segment keeps its -wal file=%s reason=\"%s\"",
			 r->segment.path, oev_db_error(r->segment.db));
		say(r, 0, text);
	}
	oev_writer_close(&r->segment);
}

static void *run(void *ctx)
{
	struct oev_recorder *r = ctx;
	uint32_t pause_us = POLL_US;

	while (!atomic_load(&r->stopping)) {
		uint64_t now_ns = r->mono_ns();
		if (!due(r, now_ns))
			pause_us = rest(r, now_ns, pause_us);
		else if (run_batch(r) != OC_OK)
			rest_after_failure(r);
	}
	finish(r);
	return NULL;
}

static void recorder_free(struct oev_recorder *r)
{
	oev_policies_fini(&r->policies);
	oev_traffic_fini(&r->traffic);
	oev_haul_fini(&r->haul);
	free(r);
}

static struct oev_recorder *recorder_new(struct oev_journal *journal, const struct oev_recorder_conf *conf)
{
	static const struct oev_traffic_first first = { 1, 1, 1 };
	struct oev_recorder *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	uint32_t records = oev_journal_records(journal);
	r->journal = journal;
	/* A ring smaller than a batch must be emptied before it is full. */
	r->due_events = conf->batch_max_rows < records / 4u ? conf->batch_max_rows : records / 4u;
	r->batch_max_ns = (uint64_t)conf->batch_max_ms * 1000000u;
	r->mono_ns = conf->mono_ns ? conf->mono_ns : oev_clock_mono_ns;
	r->wall_us = conf->wall_us ? conf->wall_us : oev_clock_wall_us;
	r->log = conf->log;
	r->log_ctx = conf->log_ctx;
	oev_policies_init(&r->policies);
	if (oev_haul_init(&r->haul, conf->batch_max_rows < records ? conf->batch_max_rows : records) ==
		    OC_OK &&
	    oev_traffic_init(&r->traffic, &first) == OC_OK)
		return r;
	recorder_free(r);
	return NULL;
}

static int check_conf(const struct oev_recorder_conf *conf, char *error, size_t error_size)
{
	if (conf->batch_max_rows >= 1 && conf->batch_max_rows <= 1000000 && conf->batch_max_ms >= 1 &&
	    conf->batch_max_ms <= 60000 && (unsigned)conf->synchronous <= OEV_SYNC_FULL)
		return OC_OK;
	snprintf(error, error_size,
		 "recorder: batch_max_rows must be 1..1000000, batch_max_ms 1..60000, synchronous off, "
		 "normal or full");
	return OC_EINVAL;
}

int oev_recorder_start(struct oev_recorder **out, struct oev_journal *journal,
		       const struct oev_recorder_conf *conf, char *error, size_t error_size)
{
	int rc = check_conf(conf, error, error_size);

	if (rc != OC_OK)
		return rc;
	struct oev_recorder *r = recorder_new(journal, conf);
	if (!r) {
		snprintf(error, error_size, "out of memory");
		return OC_ENOMEM;
	}
	struct oev_part part = { .number = 1,
				 .journal_records = oev_journal_records(journal),
				 .now = moment(r) };
	part.run_id = part.now.wall_us;
	take_offset(r, &part.now);
	rc = oev_writer_open(&r->segment, conf, &part, error, error_size);
	if (rc == OC_OK)
		oev_traffic_segment(&r->traffic, r->segment.db, part.now.mono_ns);
	if (rc == OC_OK && pthread_create(&r->thread, NULL, run, r) != 0) {
		oev_writer_close(&r->segment);
		snprintf(error, error_size, "the recorder thread cannot be started");
		rc = OC_ENOMEM;
	}
	if (rc != OC_OK) {
		recorder_free(r);
		return rc;
	}
	*out = r;
	return OC_OK;
}

void oev_recorder_stop(struct oev_recorder *recorder)
{
	if (!recorder)
		return;
	atomic_store(&recorder->stopping, true);
	pthread_join(recorder->thread, NULL);
	recorder_free(recorder);
}

int oev_recorder_policy(struct oev_recorder *recorder, const char *text, uint32_t version, uint64_t mono_ns)
{
	return oev_policies_add(&recorder->policies, text, version, mono_ns);
}

void oev_recorder_stats(const struct oev_recorder *recorder, struct oev_recorder_stats *out)
{
	const struct counts *counts = &recorder->counts;

	out->rows = atomic_load(&counts->rows);
	out->batches = atomic_load(&counts->batches);
	out->gap_events = atomic_load(&counts->gap_events);
	out->failures = atomic_load(&counts->failures);
	out->cpu_ns = atomic_load(&counts->cpu_ns);
}

const char *oev_recorder_path(const struct oev_recorder *recorder)
{
	return recorder->segment.path;
}
