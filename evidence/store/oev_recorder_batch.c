/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * How a batch is written, and what happens when it cannot be.
 *
 * Begin, rows, record, commit, and only then are events popped. A failed batch is rolled back and tried again from the
 * ring, so that nothing is lost while the ring has room.
 */
#include "oev_recorder_inner.h"

#include <inttypes.h>

#include "../../agent/oc_err.h"
#include "../oev_clock.h"

#define CLOCK_EVERY_NS 1000000000u
#define SECOND_NS 1000000000u

/* What one try to write a batch did. */
struct batch {
	uint32_t events; /* taken from the journal */
	uint64_t refused;
	const struct oev_policy_text *policy; /* last one written */
	bool clock;
	bool is_signed;
	struct oev_moment now;
};

struct oev_moment oev_recorder_now(const struct oev_recorder *r)
{
	return (struct oev_moment){ .mono_ns = r->settings.conf.mono_ns(),
				    .wall_us = r->settings.conf.wall_us() };
}

void oev_recorder_take_clock(struct oev_recorder *r, const struct oev_moment *now)
{
	r->scribe.offset_us = (int64_t)(now->wall_us - now->mono_ns / 1000u);
	r->next_clock_ns = now->mono_ns + CLOCK_EVERY_NS;
}

/* A version that is there already is left as it is: the first text is the one its decisions were made under. */
int oev_recorder_put_policies(struct oev_recorder *r, const struct oev_policy_text **last)
{
	struct oev_policy_text *policy = NULL;
	int rc = OC_OK;

	while (rc == OC_OK && (policy = oev_policies_next(&r->policies, *last)) != NULL) {
		policy->wall_us = policy->mono_ns / 1000u + (uint64_t)r->scribe.offset_us;
		struct oev_moment from = { .mono_ns = policy->mono_ns, .wall_us = policy->wall_us };
		rc = oev_writer_put_policy(&r->segment, policy->text, policy->version, &from);
		rc = rc == OC_EREFUSED ? OC_OK : rc;
		*last = policy;
	}
	return rc;
}

static int put_rows(struct oev_recorder *r, struct batch *batch)
{
	struct oev_writer *segment = &r->segment;
	int rc = oev_scribe_write(&r->scribe, &batch->refused);

	batch->events = r->scribe.haul.events;
	if (rc == OC_OK)
		rc = oev_writer_put_gap(segment, &batch->now, r->gap_waiting, "journal full");
	if (rc == OC_OK)
		rc = oev_writer_put_gap(segment, &batch->now, batch->refused, "refused by the database");
	if (rc == OC_OK && batch->clock)
		rc = oev_writer_put_clock(segment, &batch->now);
	return rc == OC_OK ? oev_recorder_put_policies(r, &batch->policy) : rc;
}

static bool is_checkpoint_due(const struct oev_recorder *r, const struct oev_moment *now)
{
	return r->settings.conf.checkpoint_s > 0 && now->mono_ns >= r->next_checkpoint_ns;
}

static int write_batch(struct oev_recorder *r, struct batch *batch)
{
	int rc = oev_db_begin(r->segment.db);

	if (rc == OC_OK)
		rc = put_rows(r, batch);
	if (rc == OC_OK) {
		const struct oev_commit commit = { .first_ns = r->scribe.haul.first_ns,
						   .last_ns = r->scribe.haul.last_ns,
						   .journal = r->position + batch->events,
						   .now = batch->now,
						   .signer = batch->is_signed ? &r->signer : NULL,
						   .note = r->note };
		rc = oev_commit(&r->segment, &r->ledger, &commit);
	}
	if (rc == OC_OK) {
		oev_scribe_keep(&r->scribe);
	} else {
		oev_db_rollback(r->segment.db);
		oev_scribe_undo(&r->scribe);
	}
	return rc;
}

static void note_refused(struct oev_recorder *r, const struct batch *batch)
{
	uint64_t silent;

	if (batch->refused == 0 || !oev_may_say(&r->refused_log, batch->now.mono_ns, &silent))
		return;
	oev_say(&r->voice, 1,
		"evidence refused file=%s events=%" PRIu64 " last=\"%s\" messages_suppressed=%" PRIu64,
		r->segment.path, batch->refused, oev_db_error(r->segment.db), silent);
}

static void note_checkpoint(struct oev_recorder *r, const struct batch *batch)
{
	if (!batch->is_signed || r->ledger.number == r->signed_batch)
		return;
	r->signed_batch = r->ledger.number;
	r->next_checkpoint_ns = batch->now.mono_ns + (uint64_t)r->settings.conf.checkpoint_s * SECOND_NS;
	(void)oev_notary_note(r->notary, r->segment.path, r->note); /* it stands in the segment anyway */
}

static void note_success(struct oev_recorder *r, const struct batch *batch)
{
	oev_journal_pop_n(r->journal, batch->events);
	r->position += batch->events;
	oev_policies_stored(&r->policies, batch->policy);
	atomic_fetch_add(&r->counts.rows, batch->events - batch->refused);
	atomic_fetch_add(&r->counts.gap_events, r->gap_waiting + batch->refused);
	atomic_fetch_add(&r->counts.batches, 1);
	r->gap_waiting = 0;
	r->waiting_since_ns = 0;
	note_refused(r, batch);
	note_checkpoint(r, batch);
	if (r->failing == 0)
		return;
	oev_say(&r->voice, 0, "evidence is written again file=%s failed_tries=%" PRIu64, r->segment.path,
		r->failing);
	r->failing = 0;
	/* The next outage is news again. */
	r->failed_log = (struct oev_limiter){ 0 };
}

static void note_failure(struct oev_recorder *r, const struct batch *batch)
{
	uint64_t silent;

	r->failing++;
	atomic_fetch_add(&r->counts.failures, 1);
	if (!oev_may_say(&r->failed_log, batch->now.mono_ns, &silent))
		return;
	oev_say(&r->voice, 1,
		"evidence cannot be written file=%s error=\"%s\" events_waiting=%" PRIu32
		" messages_suppressed=%" PRIu64,
		r->segment.path, oev_db_error(r->segment.db), oev_journal_fill(r->journal), silent);
}

/* A file that was removed or moved away takes rows without complaint, and nobody will ever read them. */
static void note_gone(struct oev_recorder *r, const struct batch *batch)
{
	uint64_t silent;

	if (!batch->clock || !oev_db_is_gone(r->segment.db) ||
	    !oev_may_say(&r->gone_log, batch->now.mono_ns, &silent))
		return;
	oev_say(&r->voice, 1,
		"evidence is being lost file=%s reason=\"removed or moved away\" remedy=\"restart the "
		"daemon\" messages_suppressed=%" PRIu64,
		r->segment.path, silent);
}

int oev_recorder_batch(struct oev_recorder *r)
{
	struct batch batch = { .now = oev_recorder_now(r) };

	r->gap_waiting += oev_journal_take_gap(r->journal);
	batch.is_signed = is_checkpoint_due(r, &batch.now);
	if (batch.now.mono_ns >= r->next_clock_ns) {
		batch.clock = true;
		oev_recorder_take_clock(r, &batch.now);
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
