/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * How a batch is written, and what happens when it cannot be.
 *
 * Begin, rows, record, commit, and only then are events given back. A failed batch is rolled back and tried again from the
 * ring, so that nothing is lost while the ring has room. A file that is damaged, or gone, is given up for a new segment.
 */
#include "oev_recorder_inner.h"

#include <inttypes.h>

#include "../../agent/oc_err.h"
#include "../oev_clock.h"

#define SECOND_NS UINT64_C(1000000000)
#define TOLD_AT_ONCE 256u /* decisions to the listener */

/* What one try to write a batch did. */
struct batch {
	uint32_t events; /* taken from the journal */
	uint64_t refused;
	uint64_t gap;			      /* lost in the journal */
	const struct oev_policy_text *policy; /* last one written */
	size_t removals;
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
	r->next_clock_ns = now->mono_ns + SECOND_NS;
	oev_journal_note_clock(r->journal, r->scribe.offset_us);
}

uint64_t oev_recorder_gap(const struct oev_recorder *r)
{
	return oev_journal_gap_total(r->journal) - r->gap_told;
}

/* A version that is there already is left as it is: the first text is the one its decisions were made under. */
int oev_recorder_put_policies(struct oev_recorder *r, struct oev_writer *segment,
			      const struct oev_policy_text **last)
{
	struct oev_policy_text *policy = NULL;
	int rc = OC_OK;

	while (rc == OC_OK && (policy = oev_policies_next(&r->policies, *last)) != NULL) {
		policy->wall_us = policy->mono_ns / 1000u + (uint64_t)r->scribe.offset_us;
		struct oev_moment from = { .mono_ns = policy->mono_ns, .wall_us = policy->wall_us };
		rc = oev_writer_put_policy(segment, policy->text, policy->version, &from);
		rc = rc == OC_EREFUSED ? OC_OK : rc;
		*last = policy;
	}
	return rc;
}

static int put_removal(struct oev_recorder *r, const struct oev_removal *removal,
		       const struct oev_moment *now)
{
	struct oev_row row = oev_db_row(r->part.writer.db, OEV_TABLE_REMOVAL);
	char sha256[OEV_HASH_HEX];

	oev_hash_hex(&removal->seal.sha256, sha256);
	oev_row_bits(&row, now->wall_us);
	oev_row_text(&row, removal->seal.segment);
	oev_row_bits(&row, removal->seal.first);
	oev_row_bits(&row, removal->seal.last);
	oev_row_text(&row, sha256);
	oev_row_text(&row, removal->is_by_age ? "age" : "size");
	return oev_row_put(&row);
}

/* What retention has come to is told before it is done. */
static int put_removals(struct oev_recorder *r, struct batch *batch)
{
	const struct oev_removal *removals = oev_notary_removals(r->notary, &batch->removals);
	int rc = OC_OK;

	if (!removals)
		batch->removals = 0;
	for (size_t i = 0; rc == OC_OK && i < batch->removals; i++)
		rc = put_removal(r, &removals[i], &batch->now);
	return rc;
}

static int put_rows(struct oev_recorder *r, struct batch *batch)
{
	struct oev_writer *segment = &r->part.writer;
	int rc = oev_scribe_write(&r->scribe, &batch->refused);

	batch->events = r->scribe.haul.events;
	if (rc == OC_OK)
		rc = oev_writer_put_gap(segment, &batch->now, batch->gap, OEV_GAP_JOURNAL);
	if (rc == OC_OK)
		rc = oev_writer_put_gap(segment, &batch->now, batch->refused, OEV_GAP_REFUSED);
	if (rc == OC_OK && batch->clock)
		rc = oev_writer_put_clock(segment, &batch->now);
	if (rc == OC_OK && batch->clock)
		rc = put_removals(r, batch);
	batch->is_signed |= batch->removals > 0; /* a removal counts only when it is signed */
	return rc == OC_OK ? oev_recorder_put_policies(r, segment, &batch->policy) : rc;
}

static int write_batch(struct oev_recorder *r, struct batch *batch)
{
	int rc = oev_db_begin(r->part.writer.db);

	if (rc == OC_OK)
		rc = put_rows(r, batch);
	if (rc == OC_OK) {
		const struct oev_commit commit = { .first_ns = r->scribe.haul.first_ns,
						   .last_ns = r->scribe.haul.last_ns,
						   .journal = oev_journal_reach(r->journal, batch->events),
						   .now = batch->now,
						   .signer = batch->is_signed ? &r->signer : NULL,
						   .note = r->note };
		uint64_t before = r->ledger.number;
		rc = oev_commit(&r->part.writer, &r->ledger, &commit);
		batch->is_signed = batch->is_signed && r->ledger.number > before;
	}
	if (rc == OC_OK) {
		oev_scribe_keep(&r->scribe);
	} else {
		oev_db_rollback(r->part.writer.db);
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
		r->part.writer.path, batch->refused, oev_db_error(r->part.writer.db), silent);
}

static void note_checkpoint(struct oev_recorder *r, const struct batch *batch)
{
	if (!batch->is_signed)
		return;
	atomic_store(&r->counts.checkpoint_us, batch->now.wall_us);
	atomic_store(&r->counts.checkpoint_rows, atomic_load(&r->counts.rows));
	r->next_checkpoint_ns = batch->now.mono_ns + (uint64_t)r->settings.conf.checkpoint_s * SECOND_NS;
	(void)oev_notary_note(r->notary, r->part.writer.path, r->note); /* it stands in the segment anyway */
}

static void note_stored(struct oev_recorder *r, const struct batch *batch)
{
	r->stored = oev_journal_reach(r->journal, batch->events);
	r->gap_told += batch->gap;
	oev_journal_gap_stored(r->journal, r->gap_told);
	oev_journal_pop_n(r->journal, batch->events);
	oev_policies_stored(&r->policies, batch->policy);
	r->part.events += batch->events - batch->refused;
	r->waiting_since_ns = 0;
	if (batch->removals > 0)
		oev_notary_remove(r->notary, r->part.writer.path);
	if (batch->clock)
		oev_carry_sweep(&r->carry, batch->now.mono_ns);
}

/* Decisions are kept with their numbers beside them. */
static void tell_decisions(const struct oev_listener *listener, const struct oev_scribe *scribe)
{
	const struct oc_event *some[TOLD_AT_ONCE];
	const struct oev_haul *haul = &scribe->haul;

	for (uint32_t at = 0, count; at < haul->decision_count; at += count) {
		for (count = 0; count < TOLD_AT_ONCE && at + count < haul->decision_count; count++)
			some[count] = haul->decisions[at + count].event;
		listener->took(listener->ctx, some, count, scribe->offset_us);
	}
}

/* While the events are still in the journal. */
static void tell(struct oev_recorder *r, const struct batch *batch)
{
	const struct oev_listener *listener = r->settings.conf.listener;
	const struct oev_haul *haul = &r->scribe.haul;

	if (!listener)
		return;
	listener->took(listener->ctx, haul->others, haul->other_count, r->scribe.offset_us);
	tell_decisions(listener, &r->scribe);
	listener->took(listener->ctx, haul->outcomes, haul->outcome_count, r->scribe.offset_us);
	if (batch->gap + batch->refused > 0)
		listener->lost(listener->ctx, batch->now.wall_us, batch->gap + batch->refused,
			       batch->gap ? OEV_GAP_JOURNAL : OEV_GAP_REFUSED);
	listener->reached(listener->ctx, haul->events < haul->max
						 ? batch->now.wall_us
						 : haul->last_ns / 1000u + (uint64_t)r->scribe.offset_us);
}

static void note_success(struct oev_recorder *r, const struct batch *batch)
{
	tell(r, batch);
	note_stored(r, batch);
	atomic_fetch_add(&r->counts.rows, batch->events - batch->refused);
	atomic_fetch_add(&r->counts.gap_events, batch->gap + batch->refused);
	atomic_fetch_add(&r->counts.batches, 1);
	note_refused(r, batch);
	note_checkpoint(r, batch);
	if (r->failing == 0)
		return;
	if (r->settings.conf.listener)
		r->settings.conf.listener->stuck(r->settings.conf.listener->ctx, batch->now.wall_us, "");
	oev_say(&r->voice, 0, "evidence is written again file=%s failed_tries=%" PRIu64, r->part.writer.path,
		r->failing);
	r->failing = 0;
	/* The next outage is news again. */
	r->failed_log = (struct oev_limiter){ 0 };
}

static void note_failure(struct oev_recorder *r, const char *error)
{
	uint64_t silent;

	r->failing++;
	atomic_fetch_add(&r->counts.failures, 1);
	if (r->settings.conf.listener)
		r->settings.conf.listener->stuck(r->settings.conf.listener->ctx, r->settings.conf.wall_us(),
						 error);
	if (!oev_may_say(&r->failed_log, r->settings.conf.mono_ns(), &silent))
		return;
	oev_say(&r->voice, 1,
		"evidence cannot be written file=%s error=\"%s\" events_waiting=%" PRIu32
		" messages_suppressed=%" PRIu64,
		r->part.writer.path, error, oev_journal_fill(r->journal), silent);
}

/* Without a segment there is one to begin. */
static int need_part(struct oev_recorder *r)
{
	char error[OEV_SAY_TEXT_MAX / 2] = "";

	if (r->part.writer.db)
		return OC_OK;
	int rc = oev_recorder_begin_part(r, error, sizeof(error));
	if (rc != OC_OK)
		note_failure(r, error);
	return rc;
}

static int try_batch(struct oev_recorder *r)
{
	struct batch batch = { .now = oev_recorder_now(r), .gap = oev_recorder_gap(r) };

	batch.is_signed = r->settings.conf.checkpoint_s > 0 && batch.now.mono_ns >= r->next_checkpoint_ns;
	batch.clock = batch.now.mono_ns >= r->next_clock_ns;
	if (batch.clock)
		oev_recorder_take_clock(r, &batch.now);
	int rc = write_batch(r, &batch);
	if (rc == OC_OK) {
		note_success(r, &batch);
		/* A file that was removed or moved away takes rows without complaint, and nobody will ever read them. */
		if (batch.clock && oev_db_is_gone(r->part.writer.db))
			oev_recorder_lose_part(r, "was removed or moved away while it was written");
		return OC_OK;
	}
	note_failure(r, oev_db_error(r->part.writer.db));
	if (batch.clock)
		r->next_clock_ns = 0; /* its row was rolled back too */
	if (oev_db_is_damaged(r->part.writer.db))
		oev_recorder_lose_part(r, "is damaged: what it holds may not be readable");
	return rc;
}

int oev_recorder_batch(struct oev_recorder *r)
{
	int rc = need_part(r);

	if (rc == OC_OK)
		rc = try_batch(r);
	if (rc == OC_OK && oev_recorder_is_rotation_due(r, r->settings.conf.mono_ns()))
		oev_recorder_rotate(r);
	atomic_store(&r->counts.cpu_ns, oev_clock_thread_ns());
	return rc;
}
