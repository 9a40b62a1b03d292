/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Checkpoints of a segment: who signed them, and do they fit the log.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_verify_parts.h"

enum oev_note_state oev_verify_note_judge(const struct oev_verify_run *run, const char *text, size_t len,
					  struct oev_checkpoint *out, struct oev_why *why)
{
	char fingerprint[OEV_FINGERPRINT_LEN + 1];
	struct oev_note note;

	if (oev_witness_read(text, len, NULL, out, why) != OC_OK ||
	    oev_note_parse(text, len, &note, why) != OC_OK)
		return OEV_NOTE_BROKEN;
	if (!run->has_signer)
		return OEV_NOTE_GOOD;
	if (oev_witness_read(text, len, &run->signer, out, why) == OC_OK)
		return OEV_NOTE_GOOD;
	oev_public_fingerprint(run->signer.key, fingerprint);
	if (strcmp(note.fingerprint, fingerprint) != 0)
		return OEV_NOTE_FOREIGN_KEY;
	return strcmp(out->origin, run->signer.node) != 0 ? OEV_NOTE_FOREIGN_NODE : OEV_NOTE_FORGED;
}

/* What is wrong with a note in table checkpoint; row @row, which speaks of batch @batch. */
static void find_note(struct oev_verify_work *work, enum oev_note_state state, int64_t row, uint64_t batch,
		      const struct oev_why *why)
{
	static const struct {
		enum oev_verify_outcome outcome;
		enum oev_verify_kind kind;
	} says[] = {
		[OEV_NOTE_BROKEN] = { OEV_VERIFY_ALTERED, OEV_KIND_CHECKPOINT },
		[OEV_NOTE_FOREIGN_KEY] = { OEV_VERIFY_FOREIGN_KEY, OEV_KIND_KEY },
		[OEV_NOTE_FOREIGN_NODE] = { OEV_VERIFY_MIXED, OEV_KIND_NODE },
		[OEV_NOTE_FORGED] = { OEV_VERIFY_ALTERED, OEV_KIND_SIGNATURE },
	};
	struct oev_verify_finding *finding =
		oev_verify_find(work->run, work, says[state].outcome, says[state].kind,
				"checkpoint of batch %" PRIu64 ": %.190s", batch, why->text);

	oev_verify_find_row(finding, "checkpoint", row);
	oev_verify_find_batch(finding, work, batch, 0);
}

/* The log says something else than a good note. */
static struct oev_verify_finding *find_log(struct oev_verify_work *work,
					   const struct oev_checkpoint *checkpoint, const char *what)
{
	struct oev_verify_finding *finding = oev_verify_find(
		work->run, work, OEV_VERIFY_ALTERED, OEV_KIND_LOG,
		"%s: batches %" PRIu64 " to %" PRIu64 " are not those that were signed", what,
		work->good_batch + 1 > work->segment->first_batch ? work->good_batch + 1
								  : work->segment->first_batch,
		checkpoint->size);

	oev_verify_find_batch(finding, work, checkpoint->size, checkpoint->wall_us);
	return finding;
}

static bool root_agrees(struct oev_verify_work *work, const struct oev_checkpoint *checkpoint)
{
	struct oev_verify_log *log = &work->run->log;
	struct oev_hash root;

	oev_frontier_root(&log->frontier, &root);
	log->is_known = oev_hash_equal(&root, &checkpoint->root);
	if (!log->is_known && !log->is_doubtful) { /* else it is known already which record is wrong */
		struct oev_verify_finding *finding =
			find_log(work, checkpoint, "the root of a checkpoint differs");
		oev_hash_hex(&checkpoint->root, finding->expected);
		oev_hash_hex(&root, finding->found);
	}
	log->is_doubtful &= !log->is_known;
	return log->is_known;
}

/* A good note of the log's present size: does the log agree? After something broke the log, which was
 * said, nobody knows. */
static bool agrees(struct oev_verify_work *work, const struct oev_checkpoint *checkpoint)
{
	struct oev_verify_log *log = &work->run->log;

	if (!log->is_known || !root_agrees(work, checkpoint))
		return false;
	if (!log->has_rows)
		log->rows = checkpoint->rows;
	log->has_rows = true;
	if (log->rows == checkpoint->rows)
		return true;
	find_log(work, checkpoint, "the number of rows in a checkpoint differs");
	log->has_rows = false;
	return false;
}

/* Keeps the text of the newest note that holds: it may be remembered. */
static int keep(struct oev_verify_run *run, const char *text, size_t len)
{
	char *copy = malloc(len + 1);

	if (copy == NULL)
		return OC_ENOMEM;
	memcpy(copy, text, len);
	copy[len] = '\0';
	free(run->newest);
	run->newest = copy;
	return OC_OK;
}

static int stand(struct oev_verify_work *work, const struct oev_checkpoint *checkpoint, const char *text,
		 size_t len)
{
	struct oev_verify_result *result = work->run->result;

	work->good_batch = checkpoint->size;
	work->good_us = checkpoint->wall_us;
	result->standing_rows += work->fresh_rows;
	work->good_rows += work->fresh_rows;
	work->fresh_rows = 0;
	work->segment->tail_rows = 0;
	work->tail_us = 0;
	work->segment->signed_us = checkpoint->wall_us;
	result->signed_us = checkpoint->wall_us;
	result->signed_batch = checkpoint->size;
	oev_hash_hex(&checkpoint->root, result->signed_root);
	return keep(work->run, text, len);
}

/* A row of table checkpoint; note NULL: it is no text. */
struct row {
	int64_t rowid;
	uint64_t batch, wall_us;
	const char *note;
	size_t len;
	bool is_typed; /* the numbers are numbers */
};

static void take_row(sqlite3_stmt *stmt, struct row *row)
{
	row->is_typed = sqlite3_column_type(stmt, 1) == SQLITE_INTEGER &&
			sqlite3_column_type(stmt, 2) == SQLITE_INTEGER;
	row->rowid = sqlite3_column_int64(stmt, 0);
	row->batch = (uint64_t)sqlite3_column_int64(stmt, 1);
	row->wall_us = (uint64_t)sqlite3_column_int64(stmt, 2);
	row->note = NULL;
	if (sqlite3_column_type(stmt, 3) == SQLITE_TEXT) /* asked first: reading converts */
		row->note = (const char *)sqlite3_column_text(stmt, 3);
	row->len = (size_t)sqlite3_column_bytes(stmt, 3);
}

/* What a row of table checkpoint says must be what its note says, and stand where the recorder put it. */
static const char *contradiction(const struct oev_verify_work *work, const struct row *row,
				 const struct oev_checkpoint *checkpoint, uint64_t number)
{
	struct oev_checkpoint same;

	if (oev_checkpoint_open(row->note, row->len, NULL, &same, NULL) != OC_OK)
		return "it is a note of another kind";
	if (!row->is_typed || checkpoint->size != row->batch || checkpoint->wall_us != row->wall_us)
		return "its row says something else than its note";
	if (checkpoint->size != number || strcmp(checkpoint->origin, work->run->result->origin) != 0)
		return "it does not belong there";
	return row->rowid != (int64_t)work->segment->checkpoints
		       ? "its row has another number, or one before it is missing"
		       : NULL;
}

/* The checkpoint row where the cursor stands; the log is at batch @number. */
static int judge(struct oev_verify_work *work, uint64_t number)
{
	struct oev_verify_result *result = work->run->result;
	struct oev_checkpoint checkpoint;
	struct oev_why why = { "it is no text" };
	enum oev_note_state state = OEV_NOTE_BROKEN;
	struct row row;

	take_row(work->checkpoints, &row);
	work->segment->checkpoints++;
	result->checkpoints++;
	if (row.note != NULL)
		state = oev_verify_note_judge(work->run, row.note, row.len, &checkpoint, &why);
	if (state != OEV_NOTE_GOOD) {
		find_note(work, state, row.rowid, row.batch, &why);
		return OC_OK;
	}
	if (result->origin[0] == '\0')
		snprintf(result->origin, sizeof(result->origin), "%s", checkpoint.origin);
	const char *wrong = contradiction(work, &row, &checkpoint, number);
	if (wrong != NULL) {
		snprintf(why.text, sizeof(why.text), "%s", wrong);
		find_note(work, OEV_NOTE_BROKEN, row.rowid, row.batch, &why);
		return OC_OK;
	}
	return agrees(work, &checkpoint) ? stand(work, &checkpoint, row.note, row.len) : OC_OK;
}

/* The cursor moves on; at the end, or when it cannot be read, there is no further one. */
static void advance(struct oev_verify_work *work)
{
	int step = sqlite3_step(work->checkpoints);

	work->has_checkpoint = step == SQLITE_ROW;
	if (step != SQLITE_ROW && step != SQLITE_DONE)
		oev_verify_page(
			work,
			oev_verify_find(work->run, work, oev_verify_broken(work), OEV_KIND_PAGE, "%s", ""),
			"checkpoint");
}

int oev_verify_checkpoints_open(struct oev_verify_work *work)
{
	if (sqlite3_prepare_v2(
		    work->db,
		    "SELECT rowid, [batch], [wall_us], [note] FROM [checkpoint] NOT INDEXED ORDER BY rowid",
		    -1, &work->checkpoints, NULL) != SQLITE_OK)
		return OC_ENOENT;
	advance(work);
	return OC_OK;
}

/* A row behind the last batch: if its note is good, batches are missing. */
static void judge_end(struct oev_verify_work *work)
{
	struct oev_checkpoint checkpoint;
	struct oev_why why;
	struct row row;

	take_row(work->checkpoints, &row);
	if (row.note != NULL &&
	    oev_verify_note_judge(work->run, row.note, row.len, &checkpoint, &why) == OEV_NOTE_GOOD &&
	    checkpoint.size == row.batch) {
		struct oev_verify_finding *finding = oev_verify_find(
			work->run, work, OEV_VERIFY_CUT, OEV_KIND_END,
			"a checkpoint tells of batches up to %" PRIu64 "; the last one here is %" PRIu64,
			row.batch, work->run->log.number);
		oev_verify_find_row(finding, "checkpoint", row.rowid);
		oev_verify_find_batch(finding, work, work->run->log.number + 1, checkpoint.wall_us);
		work->rows_unknown = true; /* those left over may be of those batches */
		return;
	}
	snprintf(why.text, sizeof(why.text), "it does not belong behind batch %" PRIu64,
		 work->run->log.number);
	find_note(work, OEV_NOTE_BROKEN, row.rowid, row.batch, &why);
}

void oev_verify_checkpoints_end(struct oev_verify_work *work)
{
	while (work->has_checkpoint) {
		judge_end(work);
		advance(work);
	}
}

int oev_verify_checkpoints(struct oev_verify_work *work, uint64_t number)
{
	int rc = OC_OK;

	while (rc == OC_OK && work->has_checkpoint &&
	       (uint64_t)sqlite3_column_int64(work->checkpoints, 1) <= number) {
		rc = judge(work, number);
		advance(work);
	}
	return rc;
}
