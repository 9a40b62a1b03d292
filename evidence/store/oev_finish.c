/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The last batches of a life that was cut off.
 */
#include "oev_finish.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "oev_commit.h"
#include "oev_past.h"
#include "oev_scribe.h"

#define BATCH_EVENTS 262144u
#define POSITION_SQL "SELECT coalesce(max(journal), 0) FROM batch"
#define LAST_NS_SQL "SELECT coalesce(max(last_ns), 0) FROM batch"
#define TOLD_GAP_KEY "lost_before"
#define TOLD_GAP_SQL "SELECT coalesce(sum(events), 0) FROM gap WHERE reason = '" OEV_GAP_JOURNAL "'"

/* What the segment tells of where it ended. */
struct end {
	uint64_t base_ns;
	uint64_t position; /* events of the journal that are stored */
	uint64_t last_ns;  /* time of the last one */
	uint64_t told_gap; /* lost events of this life that have a row, here or in an earlier part */
	struct oev_traffic_first first;
	struct oev_hash schema;
};

struct work {
	const struct oev_recovery *recovery;
	struct oev_journal_left left;
	bool has_journal; /* the ring is of this life */
	struct end end;
	struct oev_writer segment;
	struct oev_scribe scribe;
	struct oev_ledger *ledger;
	uint64_t taken; /* events */
	uint64_t refused;
	uint64_t lost;	/* the database lost them after they were given back */
	bool is_closed; /* it has its last meta rows */
	char note[OEV_NOTE_MAX];
};

static uint64_t number_after(sqlite3 *db, const char *table, const char *key)
{
	char sql[64];
	uint64_t from = 1;

	snprintf(sql, sizeof(sql), "SELECT coalesce(max(id), 0) FROM %s", table);
	uint64_t last = (uint64_t)oev_past_ask(db, sql, 0);
	(void)oev_past_number(db, key, &from);
	return last + 1 > from ? last + 1 : from;
}

static int read_end(const char *path, struct end *out, struct oev_why *why)
{
	char schema[OEV_HASH_HEX];
	sqlite3 *db = oev_past_open(path);
	bool is_good = db && oev_past_number(db, "base_ns", &out->base_ns) &&
		       oev_past_meta(db, "schema_sha256", schema, sizeof(schema)) &&
		       oev_hash_parse(schema, strlen(schema), &out->schema) == OC_OK;

	if (is_good) {
		out->position = (uint64_t)oev_past_ask(db, POSITION_SQL, 0);
		out->last_ns = (uint64_t)oev_past_ask(db, LAST_NS_SQL, 0);
		(void)oev_past_number(db, TOLD_GAP_KEY, &out->told_gap);
		out->told_gap += (uint64_t)oev_past_ask(db, TOLD_GAP_SQL, 0);
		out->first =
			(struct oev_traffic_first){ .flow = number_after(db, "flow", "flow_from"),
						    .way = number_after(db, "way", "way_from"),
						    .ending = number_after(db, "ending", "ending_from") };
	}
	sqlite3_close(db);
	return is_good ? OC_OK : oev_why(why, OC_EREFUSED, "its facts are not as they were written");
}

static int open_segment(struct work *work, const char *path, struct oev_why *why)
{
	struct oev_hash schema;
	char error[OEV_WHY_MAX];
	int rc = oev_db_reopen(&work->segment.db, path, work->recovery->conf->synchronous, error,
			       sizeof(error));

	if (rc != OC_OK)
		return oev_why(why, rc, "%s", error);
	snprintf(work->segment.path, sizeof(work->segment.path), "%s", path);
	rc = oev_db_schema_hash(work->segment.db, &schema);
	if (rc == OC_OK && !oev_hash_equal(&schema, &work->end.schema))
		return oev_why(why, OC_EREFUSED, "its tables or views are not those it was made with");
	return rc;
}

/* Puts the journal to the first event that is not stored yet. */
static void find_position(struct work *work, uint64_t run_id)
{
	struct oev_journal *journal = work->recovery->journal;

	oev_journal_recovered(journal, &work->left);
	work->has_journal = work->left.found && work->left.run_id == run_id;
	if (!work->has_journal)
		return;
	if (oev_journal_skip_to(journal, work->end.position) != OC_OK) {
		if (work->end.position < work->left.head)
			work->lost = work->left.head - work->end.position;
		else
			work->has_journal = false; /* it is not the ring that the segment was written from */
	}
	oev_journal_recovered(journal, &work->left);
}

/* Time of rows that are not events: that life's, as far as it came. */
static struct oev_moment end_moment(const struct work *work)
{
	uint64_t last_ns =
		work->scribe.haul.last_ns > work->end.last_ns ? work->scribe.haul.last_ns : work->end.last_ns;

	return (struct oev_moment){ .mono_ns = last_ns,
				    .wall_us = last_ns / 1000u + (uint64_t)work->scribe.offset_us };
}

/* Lost events that no row tells of yet: a row was perhaps stored, but the ring not told of it any more. */
static uint64_t untold_gap(const struct work *work)
{
	uint64_t total = oev_journal_gap_total(work->recovery->journal);
	uint64_t untold = total > work->end.told_gap ? total - work->end.told_gap : 0;

	return untold < work->left.gap ? untold : work->left.gap;
}

static int put_gaps(struct work *work)
{
	struct oev_moment at = end_moment(work);
	int rc = oev_writer_put_gap(&work->segment, &at, work->refused, OEV_GAP_REFUSED);

	if (rc == OC_OK)
		rc = oev_writer_put_gap(&work->segment, &at, work->lost, OEV_GAP_DATABASE);
	if (rc == OC_OK && work->has_journal)
		rc = oev_writer_put_gap(&work->segment, &at, untold_gap(work), OEV_GAP_JOURNAL);
	if (rc == OC_OK && work->has_journal)
		rc = oev_writer_put_gap(&work->segment, &at, work->left.damaged, OEV_GAP_DAMAGED);
	return rc;
}

static int put_recovery(struct work *work, const struct oev_moment *now)
{
	struct oev_row row = oev_db_row(work->segment.db, OEV_TABLE_RECOVERY);

	oev_row_bits(&row, now->wall_us);
	oev_row_int(&row, getpid());
	oev_row_bits(&row, work->taken);
	oev_row_int(&row, work->has_journal ? work->left.torn : 0);
	return oev_row_put(&row);
}

/* The rows behind the last events. */
static int put_last(struct work *work, const struct oev_moment *now)
{
	int rc = put_gaps(work);

	if (rc == OC_OK)
		rc = put_recovery(work, now);
	if (rc == OC_OK && !work->is_closed)
		rc = oev_writer_put_end(&work->segment, now, "recovered");
	return rc;
}

/* One batch; *@is_last: nothing is left behind it. */
static int write_batch(struct work *work, bool *is_last)
{
	const struct oev_recorder_conf *conf = work->recovery->conf;
	struct oev_moment now = { .mono_ns = conf->mono_ns(), .wall_us = conf->wall_us() };
	struct oev_haul *haul = &work->scribe.haul;
	int rc = oev_db_begin(work->segment.db);

	if (rc == OC_OK && work->has_journal)
		rc = oev_scribe_write(&work->scribe, &work->refused);
	if (rc != OC_OK)
		return rc;
	*is_last = !work->has_journal || haul->events == oev_journal_fill(work->recovery->journal);
	work->taken += haul->events;
	if (*is_last)
		rc = put_last(work, &now);
	if (rc != OC_OK)
		return rc;
	const struct oev_commit commit = {
		.first_ns = haul->first_ns,
		.last_ns = haul->last_ns,
		.journal = work->has_journal ? oev_journal_reach(work->recovery->journal, haul->events)
					     : work->end.position,
		.now = now,
		.signer = *is_last ? work->recovery->signer : NULL,
		.note = work->note
	};
	return oev_commit(&work->segment, work->ledger, &commit);
}

static int write_all(struct work *work, struct oev_why *why)
{
	bool is_last = false;
	int rc = OC_OK;

	while (rc == OC_OK && !is_last) {
		rc = write_batch(work, &is_last);
		if (rc != OC_OK) {
			(void)oev_why(why, rc, "it cannot be written: %.200s",
				      oev_db_error(work->segment.db));
			oev_db_rollback(work->segment.db);
			continue;
		}
		oev_scribe_keep(&work->scribe);
		if (work->has_journal)
			oev_journal_pop_n(work->recovery->journal, work->scribe.haul.events);
		if (work->scribe.haul.last_ns > work->end.last_ns)
			work->end.last_ns = work->scribe.haul.last_ns;
	}
	return rc;
}

/* What the ring still held beside events has its rows: damaged ones are not told a second time. */
static void settle(struct work *work)
{
	const struct oev_recovery *recovery = work->recovery;

	if (work->has_journal) {
		oev_journal_gap_stored(recovery->journal, oev_journal_gap_total(recovery->journal));
		(void)oev_journal_skip_to(recovery->journal, work->left.tail);
	}
	(void)oev_notary_note(recovery->notary, work->segment.path, work->note);
	oev_say(recovery->voice, 0,
		"evidence of an earlier run was finished file=%s events=%" PRIu64 " torn=%" PRIu32
		" events_lost=%" PRIu64,
		work->segment.path, work->taken, work->has_journal ? work->left.torn : 0, work->lost);
}

static int finish(struct work *work, const struct oev_found_segment *segment, struct oev_why *why)
{
	uint32_t records = oev_journal_records(work->recovery->journal);
	int rc = read_end(segment->path, &work->end, why);

	if (rc == OC_OK)
		rc = open_segment(work, segment->path, why);
	if (rc != OC_OK)
		return rc;
	find_position(work, segment->run_id);
	rc = oev_scribe_init(&work->scribe, work->recovery->journal, NULL,
			     records < BATCH_EVENTS ? records : BATCH_EVENTS, &work->end.first);
	if (rc != OC_OK)
		return oev_why(why, rc, "out of memory");
	work->scribe.offset_us = work->left.offset_us;
	oev_scribe_segment(&work->scribe, &work->segment, work->end.base_ns);
	rc = write_all(work, why);
	if (rc == OC_OK)
		settle(work);
	return rc;
}

int oev_finish(const struct oev_recovery *recovery, const struct oev_found_segment *segment,
	       struct oev_ledger *ledger, struct oev_why *why)
{
	struct work work = { .recovery = recovery, .ledger = ledger };

	work.is_closed = segment->closed_how[0] != '\0';
	int rc = finish(&work, segment, why);
	oev_scribe_fini(&work.scribe);
	oev_writer_close(&work.segment);
	return rc == OC_EREFUSED || rc == OC_ENOMEM ? rc : (rc == OC_OK ? OC_OK : OC_EIO);
}
