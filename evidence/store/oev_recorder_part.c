/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The segments of a life: how one begins, ends, is followed by the next, or is given up.
 *
 * A kill between any two steps leaves a log whose last segment tells how far the journal was taken: the file of the next segment
 * holds nothing until its first batch is there, and that comes after the last batch of the one before.
 */
#include "oev_recorder_inner.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"

#define SECOND_NS UINT64_C(1000000000)
#define MIB_OCTETS 1048576u
#define ROTATE_AGAIN_NS (10ull * SECOND_NS)

static struct oev_part next_part(struct oev_recorder *r)
{
	const struct oev_traffic *traffic = &r->scribe.traffic;

	return (struct oev_part){ .run_id = r->run_id,
				  .number = r->part.number + 1,
				  .journal_records = oev_journal_records(r->journal),
				  .now = oev_recorder_now(r),
				  .flow_from = traffic->flows.next,
				  .way_from = traffic->ways.next,
				  .ending_from = traffic->endings.next,
				  .lost_before = r->gap_told,
				  .ledger = &r->ledger,
				  .previous = r->previous,
				  .broken = r->broken[0] ? r->broken : NULL };
}

/* Policies in force before are rows of the segment before. */
static int put_kept_policies(struct oev_recorder *r, struct oev_writer *segment)
{
	int rc = OC_OK;

	for (unsigned i = 0; rc == OC_OK && i < r->policies.kept_count; i++) {
		const struct oev_policy_text *policy = r->policies.kept[i];
		const struct oev_moment from = { .mono_ns = policy->mono_ns, .wall_us = policy->wall_us };
		rc = oev_writer_put_policy(segment, policy->text, policy->version, &from);
	}
	return rc;
}

static int put_rows(struct oev_recorder *r, struct oev_writer *segment, const struct oev_part *part,
		    const struct oev_policy_text **policy)
{
	int rc = oev_writer_put_first(segment, &r->settings.conf, part);

	if (rc == OC_OK)
		rc = put_kept_policies(r, segment);
	if (rc == OC_OK)
		rc = oev_carry_write(&r->carry, segment->db, part->now.mono_ns, r->policies.kept_count);
	if (rc == OC_OK)
		rc = oev_recorder_put_policies(r, segment, policy);
	if (rc == OC_OK)
		rc = oev_writer_put_clock(segment, &part->now);
	return rc == OC_OK ? oev_writer_put_gap(segment, &part->now, r->loss.events, r->loss.reason) : rc;
}

/* The new segment @writer, whose first rows are stored, is the one that is written from now on. */
static void take_over(struct oev_recorder *r, const struct oev_writer *writer, const struct oev_part *part,
		      uint64_t first_batch)
{
	r->part = (struct oev_recorder_part){ .writer = *writer,
					      .number = part->number,
					      .first_batch = first_batch,
					      .began_ns = part->now.mono_ns };
	r->loss.events = 0;
	r->broken[0] = '\0';
	r->next_checkpoint_ns = part->now.mono_ns + (uint64_t)r->settings.conf.checkpoint_s * SECOND_NS;
	oev_carry_begun(&r->carry, part->number);
	oev_scribe_segment(&r->scribe, &r->part.writer, part->now.mono_ns);
	pthread_mutex_lock(&r->path_lock);
	snprintf(r->path, sizeof(r->path), "%s", writer->path);
	pthread_mutex_unlock(&r->path_lock);
}

/* First rows of the fresh file @writer and its first batch. When that fails the file is gone. */
static int begin(struct oev_recorder *r, struct oev_writer *writer, char *error, size_t error_size)
{
	struct oev_part part = next_part(r);
	const struct oev_commit commit = { .journal = r->stored, .now = part.now };
	const struct oev_policy_text *policy = NULL;
	uint64_t first_batch = r->ledger.number + 1;

	oev_recorder_take_clock(r, &part.now);
	int rc = put_rows(r, writer, &part, &policy);
	if (rc == OC_OK)
		rc = oev_journal_note_segment(r->journal, oev_writer_name(writer));
	if (rc == OC_OK)
		rc = oev_commit(writer, &r->ledger, &commit);
	if (rc != OC_OK) {
		snprintf(error, error_size, "evidence segment \"%s\" cannot be written: %s", writer->path,
			 oev_db_error(writer->db));
		oev_writer_discard(writer);
		return rc == OC_EREFUSED ? OC_EINVAL : rc;
	}
	oev_policies_stored(&r->policies, policy);
	take_over(r, writer, &part, first_batch);
	return OC_OK;
}

int oev_recorder_begin_part(struct oev_recorder *r, char *error, size_t error_size)
{
	struct oev_writer writer = { .db = NULL };
	struct oev_why why;
	int rc = oev_writer_open(&writer, &r->settings.conf, r->settings.conf.wall_us(), error, error_size);

	if (rc != OC_OK)
		return rc;
	/* After a segment was moved away with its folder, this is a new folder; without the key it is checked all the same. */
	(void)oev_public_write(r->settings.conf.folder, &r->self, &why);
	return begin(r, &writer, error, error_size);
}

int oev_recorder_end_part(struct oev_recorder *r, const char *how)
{
	struct oev_writer *segment = &r->part.writer;
	const struct oev_commit commit = {
		.journal = r->stored, .now = oev_recorder_now(r), .signer = &r->signer, .note = r->note
	};
	int rc = oev_db_begin(segment->db);

	if (rc == OC_OK)
		rc = oev_writer_put_clock(segment, &commit.now);
	if (rc == OC_OK)
		rc = oev_writer_put_end(segment, &commit.now, how);
	if (rc == OC_OK)
		rc = oev_commit(segment, &r->ledger, &commit);
	if (rc != OC_OK) {
		oev_db_rollback(segment->db);
		return rc;
	}
	r->part.is_ended = true;
	(void)oev_notary_note(r->notary, segment->path, r->note); /* it stands in the segment anyway */
	return OC_OK;
}

/* Closes @part, whose log ended as *@end says. The notary folds it, when that cannot be done here, and seals it. */
static void close_part(struct oev_recorder *r, struct oev_recorder_part *part, const struct oev_ledger *end)
{
	struct oev_writer *segment = &part->writer;
	struct oev_seal seal = { .first = part->first_batch, .last = end->number };

	if (part->is_ended)
		(void)oev_db_fold(segment->db);
	oev_writer_close(segment);
	oev_frontier_root(&end->frontier, &seal.root);
	if (part->is_ended && oev_notary_seal(r->notary, segment->path, &seal) != OC_OK)
		oev_say(&r->voice, 1, "evidence segment is not sealed file=%s error=\"out of memory\"",
			segment->path);
}

static void note_previous(struct oev_recorder *r)
{
	snprintf(r->previous, sizeof(r->previous), "%s", oev_writer_name(&r->part.writer));
}

void oev_recorder_close_part(struct oev_recorder *r)
{
	note_previous(r);
	close_part(r, &r->part, &r->ledger);
}

void oev_recorder_lose_part(struct oev_recorder *r, const char *reason)
{
	struct oev_recorder_part *part = &r->part;

	/* Several in a row: the last one has the word, the number is that of all. */
	r->loss.events += part->events > 0 ? part->events : 1;
	snprintf(r->loss.reason, sizeof(r->loss.reason), "%.100s %.150s", oev_writer_name(&part->writer),
		 reason);
	oev_say(&r->voice, 1,
		"evidence segment is given up file=%s reason=\"%s\" events_perhaps_lost=%" PRIu64,
		part->writer.path, reason, part->events);
	note_previous(r);
	oev_db_leave(part->writer.db);
	part->writer.db = NULL;
}

bool oev_recorder_is_rotation_due(struct oev_recorder *r, uint64_t now_ns)
{
	const struct oev_recorder_conf *conf = &r->settings.conf;
	const struct oev_recorder_part *part = &r->part;

	if (!part->writer.db || now_ns < r->next_rotation_ns)
		return false;
	if (conf->segment_max_s > 0 && now_ns - part->began_ns >= (uint64_t)conf->segment_max_s * SECOND_NS)
		return true;
	return conf->segment_max_mb > 0 &&
	       oev_db_octets(part->writer.db) >= (uint64_t)conf->segment_max_mb * MIB_OCTETS;
}

static void note_no_rotation(struct oev_recorder *r, const char *error)
{
	uint64_t now_ns = r->settings.conf.mono_ns();
	uint64_t silent;

	r->next_rotation_ns = now_ns + ROTATE_AGAIN_NS;
	if (oev_may_say(&r->rotation_log, now_ns, &silent))
		oev_say(&r->voice, 1,
			"evidence segment cannot be followed by another file=%s error=\"%s\" "
			"messages_suppressed=%" PRIu64,
			r->part.writer.path, error, silent);
}

/* The file of the next segment first: without it this one goes on. Then the last rows of this one. */
static int prepare_rotation(struct oev_recorder *r, struct oev_writer *writer, char *error, size_t error_size)
{
	int rc = oev_writer_open(writer, &r->settings.conf, r->settings.conf.wall_us(), error, error_size);

	if (rc != OC_OK)
		return rc;
	rc = oev_recorder_end_part(r, "rotated");
	if (rc == OC_OK)
		return OC_OK;
	snprintf(error, error_size, "%s", oev_db_error(r->part.writer.db));
	oev_writer_discard(writer);
	return rc;
}

void oev_recorder_rotate(struct oev_recorder *r)
{
	char error[OEV_SAY_TEXT_MAX / 2] = "";
	struct oev_writer writer = { .db = NULL };

	if (prepare_rotation(r, &writer, error, sizeof(error)) != OC_OK) {
		note_no_rotation(r, error);
		return;
	}
	struct oev_recorder_part old = r->part;
	struct oev_ledger end = r->ledger;
	note_previous(r);
	if (begin(r, &writer, error, sizeof(error)) != OC_OK) {
		note_no_rotation(r, error);
		r->part.writer.db = NULL; /* it has its last rows: the next batch begins another */
	}
	close_part(r, &old, &end);
}
