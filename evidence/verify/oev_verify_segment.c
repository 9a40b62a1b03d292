/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One segment from its first to its last batch.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_verify_parts.h"

static void work_fini(struct oev_verify_work *work)
{
	sqlite3_finalize(work->batches);
	sqlite3_finalize(work->checkpoints);
	if (work->layout != NULL)
		oev_sweep_fini(&work->sweep);
	free(work->own_layout);
	sqlite3_close(work->db);
}

bool oev_verify_rows_breathe(struct oev_verify_work *work)
{
	double part = work->total_rows > 0 ? (double)work->segment->rows / (double)work->total_rows : 1;
	uint64_t done = (uint64_t)((part < 1 ? part : 1) * (double)work->file->bytes);
	uint64_t more = done > work->breathed ? done - work->breathed : 0;

	work->breathed += more;
	return oev_verify_go_on(work->run, more);
}

/* The segment can be read; is it one, and of what? OC_OK, OC_EMALFORMED (said). */
static int judge_facts(struct oev_verify_work *work)
{
	int rc = oev_facts_read(work->db, &work->facts);

	if (rc != OC_OK && !work->file->has_seal && oev_facts_is_blank(work->db)) {
		work->segment->state =
			OEV_SEGMENT_OPEN; /* made, and not written to yet, or ever: its maker was killed */
		work->is_blank = true;
		return OC_EMALFORMED;
	}
	if (rc != OC_OK) {
		oev_verify_find(
			work->run, work, OEV_VERIFY_ALTERED, OEV_KIND_FORMAT,
			"not an evidence segment: no table meta with schema and node that can be read");
		return OC_EMALFORMED;
	}
	work->is_finished = work->facts.is_finished;
	if (work->facts.schema > OEV_SCHEMA_NEWEST) {
		oev_verify_find(work->run, work, OEV_VERIFY_NEWER_FORMAT, OEV_KIND_FORMAT,
				"schema %" PRIu64 ", this program reads up to %u; use a newer doic",
				work->facts.schema, OEV_SCHEMA_NEWEST);
		return OC_EMALFORMED;
	}
	if (work->facts.schema < OEV_SCHEMA_PROVEN) {
		oev_verify_find(work->run, work, OEV_VERIFY_UNSEALED, OEV_KIND_SEAL,
				"schema %" PRIu64 ": written before evidence was signed", work->facts.schema);
		return OC_EMALFORMED;
	}
	return OC_OK;
}

/* Tables and views are those this program writes, or at least those the segment was written with. OC_OK,
 * OC_EMALFORMED (said), OC_ENOMEM. */
static int take_layout(struct oev_verify_work *work)
{
	char what[160] = "";
	int rc = oev_layout_compare(work->run->model, work->db, what, sizeof(what));

	work->layout = work->run->model_layout;
	if (rc == OC_OK)
		return OC_OK;
	if (rc != OC_EREFUSED || !oev_verify_schema_is_known(work))
		oev_verify_find(work->run, work, oev_verify_broken(work), OEV_KIND_SCHEMA, "schema: %.150s",
				rc == OC_EREFUSED ? what : "it cannot be read");
	rc = oev_layout_read(work->db, &work->own_layout, what, sizeof(what));
	work->layout = work->own_layout;
	if (rc == OC_OK || rc == OC_ENOMEM)
		return rc;
	oev_verify_find(work->run, work, oev_verify_broken(work), OEV_KIND_SCHEMA, "%.150s cannot be read",
			what);
	return OC_EMALFORMED;
}

static int judge_schema(struct oev_verify_work *work)
{
	int rc = take_layout(work);

	if (rc != OC_OK)
		return rc;
	rc = oev_sweep_init(&work->sweep, work->db, work->layout);
	if (rc == OC_OK)
		rc = oev_verify_batches_open(work);
	if (rc == OC_OK)
		rc = oev_verify_checkpoints_open(work);
	if (rc == OC_OK || rc == OC_ENOMEM)
		return rc;
	oev_verify_find(work->run, work, oev_verify_broken(work), OEV_KIND_SCHEMA,
			"tables batch and checkpoint cannot be read");
	return OC_EMALFORMED;
}

static int all_batches(struct oev_verify_work *work)
{
	int rc = OC_OK, step = SQLITE_DONE;

	while (rc == OC_OK && (step = sqlite3_step(work->batches)) == SQLITE_ROW) {
		rc = oev_verify_batch(work);
		if (rc == OC_OK)
			rc = oev_verify_checkpoints(work, work->run->log.number);
		if (rc == OC_OK && !work->is_aside)
			oev_verify_outside(work->run, work);
		if (rc == OC_OK && !oev_verify_rows_breathe(work))
			rc = OC_EINTERRUPTED;
	}
	if (rc == OC_OK && step != SQLITE_DONE) {
		oev_verify_page(
			work,
			oev_verify_find(work->run, work, oev_verify_broken(work), OEV_KIND_PAGE, "%s", ""),
			"batch");
		work->rows_unknown = true;
	}
	return rc;
}

/* The end of a sealed segment is signed; that of another one may be open. */
static void judge_end(struct oev_verify_work *work)
{
	struct oev_verify_segment *segment = work->segment;
	struct oev_verify_result *result = work->run->result;

	if (!work->file->has_seal)
		segment->state =
			work->is_finished || !work->file->is_last ? OEV_SEGMENT_UNSEALED : OEV_SEGMENT_OPEN;
	if (segment->state == OEV_SEGMENT_OPEN) {
		work->run->is_live = work->has_wal;
		result->tail_rows += segment->tail_rows;
		result->tail_us = segment->tail_rows > 0 ? work->tail_us : result->tail_us;
		return;
	}
	if (segment->state == OEV_SEGMENT_UNSEALED && work->is_finished)
		work->run->late[work->run->late_count++] =
			(struct oev_verify_late){ work->file, work->run->result->segment_count - 1 };
	else if (segment->state == OEV_SEGMENT_UNSEALED)
		oev_verify_find(work->run, work, OEV_VERIFY_UNSEALED, OEV_KIND_SEAL,
				"neither finished nor sealed, though another segment follows");
	if (work->has_seal && work->seal.last != segment->last_batch)
		oev_verify_find(work->run, work,
				work->seal.last > segment->last_batch ? OEV_VERIFY_CUT : OEV_VERIFY_ALTERED,
				OEV_KIND_END,
				"sealed with batch %" PRIu64 " as the last, but batch %" PRIu64 " is",
				work->seal.last, segment->last_batch);
	else if (segment->tail_rows > 0 && segment->outcome < OEV_VERIFY_LEFTOVER)
		oev_verify_find(work->run, work, OEV_VERIFY_UNSEALED, OEV_KIND_CHECKPOINT,
				"finished, but no checkpoint covers its last %" PRIu64 " rows",
				segment->tail_rows);
}

static int judge(struct oev_verify_work *work)
{
	int rc = judge_facts(work);

	if (rc == OC_OK)
		rc = judge_schema(work);
	if (rc != OC_OK)
		return rc;
	work->total_rows = oev_facts_leaves(work->db);
	work->run->result->gap_events += oev_facts_gap_events(work->db);
	work->run->result->recoveries += oev_facts_recoveries(work->db);
	oev_verify_link(work);
	if (!work->is_aside)
		oev_verify_outside(work->run, work);
	rc = all_batches(work);
	if (rc != OC_OK)
		return rc;
	oev_verify_checkpoints_end(work);
	work->rows_unknown |= work->has_seal && work->seal.last > work->segment->last_batch;
	if (!work->is_by_seal)
		oev_verify_rows_left(work);
	oev_verify_bad_rows(work);
	work->is_judged = true;
	judge_end(work);
	if (work->run->options->deep)
		oev_verify_deep(work);
	oev_verify_link_end(work);
	return OC_OK;
}

/* The log goes on behind a segment that could not be followed: where, its seal tells, or nobody. */
static void skip(struct oev_verify_work *work)
{
	struct oev_verify_log *log = &work->run->log;

	if (work->is_judged || work->is_blank || work->facts.schema == 1 || work->facts.schema == 2)
		return;
	if (work->has_seal && work->seal.last > log->number)
		log->number = work->seal.last;
	work->run->is_end_unknown |= !work->has_seal;
	log->is_known = log->has_chain = log->has_rows = false;
}

int oev_verify_segment(struct oev_verify_run *run, const struct oev_verify_file *file)
{
	struct oev_verify_work *work = calloc(1, sizeof(*work));
	size_t first = run->result->finding_count;

	if (work == NULL)
		return OC_ENOMEM;
	work->run = run;
	work->file = file;
	work->segment = &run->result->segments[run->result->segment_count++];
	snprintf(work->segment->name, sizeof(work->segment->name), "%s", file->name);
	int rc = oev_verify_file_open(work);
	if (rc == OC_OK)
		rc = judge(work);
	if (rc != OC_ENOMEM && rc != OC_EINTERRUPTED) {
		oev_verify_file_end(work);
		skip(work);
		oev_verify_find_sort(run, first);
		rc = OC_OK;
	}
	work_fini(work);
	free(work);
	return rc;
}
