/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The recorder thread: when a batch is due, and how a life begins and ends.
 *
 * Events gather in the journal until batch_max_rows of them (or a quarter of the ring) wait or the oldest has waited
 * batch_max_ms; then they are written in one go (oev_recorder_batch.c).
 */
#include "oev_recorder_inner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../oev_clock.h"
#include "oev_digest.h"
#include "oev_recover.h"

#define POLL_US 2000u	    /* while events gather */
#define POLL_IDLE_US 10000u /* reached step by step while nothing comes */
#define RETRY_MIN_US 50000u
#define RETRY_MAX_US 500000u
#define FINISH_TRIES 5u

static bool has_policies(struct oev_recorder *r)
{
	return oev_policies_next(&r->policies, NULL) != NULL;
}

/* Whether a batch should be written now; notes since when events wait. */
static bool due(struct oev_recorder *r, uint64_t now_ns)
{
	uint32_t fill = oev_journal_fill(r->journal);

	oev_journal_tend(r->journal);
	if (now_ns >= r->next_clock_ns || fill >= r->due_events || has_policies(r))
		return true;
	if (fill == 0 && oev_recorder_gap(r) == 0)
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
		bool more = oev_journal_peek(r->journal) || oev_recorder_gap(r) > 0 || has_policies(r) ||
			    !r->part.writer.db;
		int rc = more ? oev_recorder_batch(r) : oev_recorder_end_part(r, "stopped");
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
	if (!drain(r))
		oev_say(&r->voice, 1,
			"evidence ends early file=%s error=\"%s\" events_waiting=%" PRIu32
			" events_lost=%" PRIu64,
			r->part.writer.path,
			r->part.writer.db ? oev_db_error(r->part.writer.db) : "no segment",
			oev_journal_fill(r->journal), oev_recorder_gap(r));
	if (r->part.writer.db)
		oev_recorder_close_part(r);
}

static void *run(void *ctx)
{
	struct oev_recorder *r = ctx;
	uint32_t pause_us = POLL_US;

	while (!atomic_load(&r->stopping)) {
		uint64_t now_ns = r->settings.conf.mono_ns();
		if (!due(r, now_ns))
			pause_us = rest(r, now_ns, pause_us);
		else if (oev_recorder_batch(r) != OC_OK)
			rest_after_failure(r);
	}
	finish(r);
	return NULL;
}

static void recorder_free(struct oev_recorder *r)
{
	oev_notary_stop(r->notary);
	oev_policies_fini(&r->policies);
	oev_scribe_fini(&r->scribe);
	oev_carry_fini(&r->carry);
	oev_settings_fini(&r->settings);
	pthread_mutex_destroy(&r->path_lock);
	free(r);
}

/* What the parts need, out of the settings. */
static int wire(struct oev_recorder *r, struct oev_journal *journal)
{
	static const struct oev_traffic_first first = { 1, 1, 1 };
	const struct oev_recorder_conf *conf = &r->settings.conf;
	uint32_t records = oev_journal_records(journal);

	r->journal = journal;
	/* A ring smaller than a batch must be emptied before it is full. */
	r->due_events = conf->batch_max_rows < records / 4u ? conf->batch_max_rows : records / 4u;
	r->batch_max_ns = (uint64_t)conf->batch_max_ms * 1000000u;
	r->signer = (struct oev_signer){ .key = conf->key, .node = conf->node };
	r->voice = (struct oev_voice){ .log = conf->log, .ctx = conf->log_ctx };
	snprintf(r->self.node, sizeof(r->self.node), "%s", conf->node);
	memcpy(r->self.key, oev_key_public(conf->key), sizeof(r->self.key));
	int rc = oev_carry_init(&r->carry);
	return rc == OC_OK ? oev_scribe_init(&r->scribe, journal, &r->carry,
					     conf->batch_max_rows < records ? conf->batch_max_rows : records,
					     &first)
			   : rc;
}

static int start_notary(struct oev_recorder *r)
{
	static const enum oev_push pushes[] = { [OEV_SYNC_OFF] = OEV_PUSH_ALL,
						[OEV_SYNC_NORMAL] = OEV_PUSH_WAL,
						[OEV_SYNC_FULL] = OEV_PUSH_NONE };
	const struct oev_recorder_conf *conf = &r->settings.conf;
	const struct oev_notary_conf notary = { .checkpoint_path = conf->checkpoint_path,
						.syslog = conf->checkpoint_syslog,
						.folder = conf->folder,
						.self = r->self,
						.limits = { .keep_days = conf->keep_days,
							    .keep_mb = conf->keep_mb },
						.push = pushes[conf->synchronous],
						.signer = r->signer,
						.voice = r->voice,
						.mono_ns = conf->mono_ns,
						.wall_us = conf->wall_us };

	return oev_notary_start(&r->notary, &notary);
}

/* The folder's public key is ours from now on; another one that stands there is kept under a name of its own. */
static int put_public_key(struct oev_recorder *r, char *error, size_t error_size)
{
	const char *folder = r->settings.conf.folder;
	char path[OEV_PLACE_PATH_MAX], aside[OEV_PLACE_PATH_MAX];
	struct oev_why why;
	int rc = oev_public_write(folder, &r->self, &why);

	if (rc == OC_EREFUSED &&
	    snprintf(path, sizeof(path), "%s/" OEV_PUBLIC_FILE, folder) < (int)sizeof(path) &&
	    snprintf(aside, sizeof(aside), "%s/public-key-before-%" PRIu64 ".txt", folder,
		     r->settings.conf.wall_us()) < (int)sizeof(aside) &&
	    rename(path, aside) == 0) {
		oev_say(&r->voice, 1, "evidence folder has another key file=%s reason=\"%s\"", aside,
			why.text);
		rc = oev_public_write(folder, &r->self, &why);
		snprintf(r->broken, sizeof(r->broken), "another key was in force, see %s",
			 oev_place_name(aside));
	}
	if (rc != OC_OK)
		snprintf(error, error_size, "%s", why.text);
	return rc;
}

/* What earlier lives left is finished, and the log goes on from there. */
static int take_past(struct oev_recorder *r, char *error, size_t error_size)
{
	const struct oev_recovery recovery = { .conf = &r->settings.conf,
					       .journal = r->journal,
					       .self = &r->self,
					       .signer = &r->signer,
					       .voice = &r->voice,
					       .notary = r->notary };
	struct oev_past_life past;
	struct oev_why why;
	int rc = oev_recover(&recovery, &past, &why);

	if (rc != OC_OK) {
		snprintf(error, error_size, "%s", why.text);
		return rc;
	}
	r->ledger = past.ledger;
	snprintf(r->previous, sizeof(r->previous), "%s", past.previous);
	if (past.broken[0])
		snprintf(r->broken, sizeof(r->broken), "%s", past.broken);
	r->loss.events = past.lost_events;
	snprintf(r->loss.reason, sizeof(r->loss.reason), "%s", past.lost_reason);
	return OC_OK;
}

/* A ring in memory may hold events already: it is in use, and nothing outlives it. */
static int begin_journal(struct oev_recorder *r, char *error, size_t error_size)
{
	struct oev_moment now = oev_recorder_now(r);
	const struct oev_journal_life life = { .run_id = r->run_id,
					       .started_us = now.wall_us,
					       .offset_us = (int64_t)(now.wall_us - now.mono_ns / 1000u) };
	struct oev_journal_left left;

	oev_journal_recovered(r->journal, &left);
	if (!left.found && oev_journal_fill(r->journal) > 0)
		return OC_OK;
	return oev_journal_begin(r->journal, &life, error, error_size);
}

static int begin_threads(struct oev_recorder *r, struct oev_journal *journal,
			 const struct oev_recorder_conf *conf)
{
	int rc = wire(r, journal);

	if (rc == OC_OK)
		rc = start_notary(r);
	return rc == OC_OK ? oev_policies_add(&r->policies, conf->policy_text ? conf->policy_text : "",
					      conf->policy_version, r->settings.conf.mono_ns())
			   : rc;
}

/* From a fresh struct to an open segment. */
static int begin(struct oev_recorder *r, struct oev_journal *journal, const struct oev_recorder_conf *conf,
		 char *error, size_t error_size)
{
	int rc = oev_place_make(r->settings.conf.folder, error, error_size);

	if (rc != OC_OK)
		return rc;
	if (begin_threads(r, journal, conf) != OC_OK) {
		snprintf(error, error_size, "out of memory");
		return OC_ENOMEM;
	}
	oev_nonce(&r->run_id, sizeof(r->run_id));
	rc = put_public_key(r, error, error_size);
	if (rc == OC_OK)
		rc = take_past(r, error, error_size);
	if (rc == OC_OK)
		rc = begin_journal(r, error, error_size);
	return rc == OC_OK ? oev_recorder_begin_part(r, error, error_size) : rc;
}

int oev_recorder_start(struct oev_recorder **out, struct oev_journal *journal,
		       const struct oev_recorder_conf *conf, char *error, size_t error_size)
{
	struct oev_recorder *r = calloc(1, sizeof(*r));

	if (!r) {
		snprintf(error, error_size, "out of memory");
		return OC_ENOMEM;
	}
	oev_gcrypt_ready();
	oev_policies_init(&r->policies);
	pthread_mutex_init(&r->path_lock, NULL);
	int rc = oev_settings_init(&r->settings, conf, error, error_size);
	if (rc == OC_OK)
		rc = begin(r, journal, conf, error, error_size);
	if (rc == OC_OK && pthread_create(&r->thread, NULL, run, r) != 0) {
		oev_writer_close(&r->part.writer);
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
	const struct oev_recorder_counts *counts = &recorder->counts;

	out->rows = atomic_load(&counts->rows);
	out->batches = atomic_load(&counts->batches);
	out->gap_events = atomic_load(&counts->gap_events);
	out->failures = atomic_load(&counts->failures);
	out->checkpoint_us = atomic_load(&counts->checkpoint_us);
	out->checkpoint_rows = atomic_load(&counts->checkpoint_rows);
	out->cpu_ns = atomic_load(&counts->cpu_ns);
}

void oev_recorder_path(const struct oev_recorder *recorder, char *out, size_t size)
{
	struct oev_recorder *r = (struct oev_recorder *)(uintptr_t)recorder; /* for its lock */

	pthread_mutex_lock(&r->path_lock);
	snprintf(out, size, "%s", r->path);
	pthread_mutex_unlock(&r->path_lock);
}
