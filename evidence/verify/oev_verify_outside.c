/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Checkpoints kept outside the folder against the log inside it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_verify_parts.h"

#define BESIDE_SUFFIX ".checkpoints"

static int fail(struct oev_verify_run *run, enum oev_verify_outcome outcome, const char *path,
		const char *what)
{
	run->result->outcome = outcome;
	snprintf(run->result->error, sizeof(run->result->error), "%.300s: %.180s", path, what);
	return outcome == OEV_VERIFY_NOT_FOUND	  ? OC_ENOENT
	       : outcome == OEV_VERIFY_UNREADABLE ? OC_EIO
						  : OC_EMALFORMED;
}

/* Opens one file; one that @may_lack can be absent. */
static int open_one(struct oev_verify_run *run, enum oev_verify_witness source, const char *path,
		    bool may_lack)
{
	struct oev_witness *witness = &run->witnesses[run->witness_count];
	int rc = oev_witness_init(witness, source, path);

	if (rc == OC_ENOENT && may_lack)
		return OC_OK;
	run->witness_count++;
	if (rc == OC_ENOMEM)
		return rc;
	if (rc != OC_OK)
		return fail(run, rc == OC_ENOENT ? OEV_VERIFY_NOT_FOUND : OEV_VERIFY_UNREADABLE, path,
			    rc == OC_ENOENT ? "no such file" : "cannot be read");
	return OC_OK;
}

int oev_verify_outside_begin(struct oev_verify_run *run)
{
	for (unsigned i = 0; i < run->witness_count; i++) {
		struct oev_witness *witness = &run->witnesses[i];
		oev_witness_next(witness, run->result->node);
		if (witness->source == OEV_WITNESS_GIVEN && !witness->has_next)
			return fail(run, OEV_VERIFY_NOT_EVIDENCE, witness->path,
				    witness->others > 0 ? "holds checkpoints of other nodes alone"
							: "holds no checkpoint");
	}
	return OC_OK;
}

int oev_verify_outside_open(struct oev_verify_run *run)
{
	const struct oev_verify_options *options = run->options;
	int rc = OC_OK;

	if (options->checkpoint != NULL)
		rc = open_one(run, OEV_WITNESS_GIVEN, options->checkpoint, false);
	if (rc == OC_OK && options->remember != NULL)
		rc = open_one(run, OEV_WITNESS_REMEMBERED, options->remember, true);
	if (rc != OC_OK)
		return rc;
	size_t len = strlen(run->folder);
	while (len > 1 && run->folder[len - 1] == '/')
		run->folder[--len] = '\0';
	run->beside = oev_verify_join(run->folder, BESIDE_SUFFIX);
	if (run->beside == NULL)
		return OC_ENOMEM;
	return open_one(run, OEV_WITNESS_BESIDE, run->beside, true);
}

static void find_note(struct oev_verify_run *run, struct oev_verify_work *work,
		      const struct oev_witness *witness, enum oev_note_state state, const struct oev_why *why)
{
	struct oev_verify_finding *finding;

	if (state == OEV_NOTE_FOREIGN_KEY)
		finding = oev_verify_find(run, work, OEV_VERIFY_FOREIGN_KEY, OEV_KIND_KEY,
					  "the checkpoint of batch %" PRIu64
					  " in %.80s is signed by another key: %.100s",
					  witness->next.size, witness->path, why->text);
	else /* whoever wrote that is not believed, either way */
		finding = oev_verify_find(run, work, OEV_VERIFY_UNWITNESSED, OEV_KIND_WITNESS,
					  "a checkpoint in %.80s is not believed: %.120s", witness->path,
					  why->text);
	finding->batch = witness->next.size;
	finding->wall_us = witness->next.wall_us;
}

static void find_other_log(struct oev_verify_run *run, struct oev_verify_work *work,
			   const struct oev_witness *witness, const struct oev_hash *root)
{
	struct oev_verify_finding *finding = oev_verify_find(
		run, work, OEV_VERIFY_ALTERED, OEV_KIND_LOG,
		"the log up to batch %" PRIu64 " is not the one that a checkpoint in %.80s tells of",
		witness->next.size, witness->path);

	finding->batch = witness->next.size;
	finding->wall_us = witness->next.wall_us;
	oev_hash_hex(&witness->next.root, finding->expected);
	oev_hash_hex(root, finding->found);
}

/* The log is as long as the note says. */
static void compare(struct oev_verify_run *run, struct oev_verify_work *work, struct oev_witness *witness)
{
	struct oev_checkpoint checkpoint;
	struct oev_hash root;
	struct oev_why why;

	oev_frontier_root(&run->log.frontier, &root);
	if (oev_hash_equal(&root, &witness->next.root)) {
		oev_witness_keep(witness); /* its signature is looked at in the end, if it is the last one */
		witness->has_agreed = true;
		return;
	}
	enum oev_note_state state =
		oev_verify_note_judge(run, witness->note, witness->note_len, &checkpoint, &why);
	if (state != OEV_NOTE_GOOD) {
		find_note(run, work, witness, state, &why);
	} else if (!run->log.is_doubtful && !witness->has_differed) { /* else it is known already */
		find_other_log(run, work, witness, &root);
		witness->has_differed = true; /* every later checkpoint differs as well */
	}
}

void oev_verify_outside(struct oev_verify_run *run, struct oev_verify_work *work)
{
	for (unsigned i = 0; i < run->witness_count; i++) {
		struct oev_witness *witness = &run->witnesses[i];
		while (witness->has_next && !witness->begins_anew && witness->next.size <= run->log.number) {
			if (witness->next.size == run->log.number && run->log.is_known)
				compare(run, work, witness);
			oev_witness_next(witness, run->result->node);
		}
	}
}

static void find_end(struct oev_verify_run *run, const struct oev_witness *witness, uint64_t size,
		     uint64_t wall_us)
{
	struct oev_verify_finding *finding =
		oev_verify_find(run, NULL, OEV_VERIFY_CUT, OEV_KIND_END,
				"%.100s tells of %" PRIu64 " batches; only %" PRIu64 " are here",
				witness->path, size, run->log.number);

	finding->batch = run->log.number + 1;
	finding->wall_us = wall_us;
	finding->good_batch = run->result->signed_batch;
	finding->good_us = run->result->signed_us;
	finding->good_rows = run->result->standing_rows;
}

/* Notes of more batches than there are. Once one is good, only the last of the others is looked at:
 * signatures take their time. */
static void end_one(struct oev_verify_run *run, struct oev_witness *witness)
{
	struct oev_checkpoint good = { .size = 0 }, last;
	struct oev_why why;
	bool is_told = false, has_last = false;

	for (; witness->has_next && !witness->begins_anew; oev_witness_next(witness, run->result->node)) {
		if (witness->next.size <= run->log.number || witness->next.size <= good.size)
			continue;
		if (good.size != 0) {
			oev_witness_keep(witness);
			has_last = true;
			continue;
		}
		enum oev_note_state state =
			oev_verify_note_judge(run, witness->note, witness->note_len, &last, &why);
		if (state == OEV_NOTE_GOOD)
			good = last;
		else if (!is_told)
			find_note(run, NULL, witness, state, &why);
		is_told |= state != OEV_NOTE_GOOD;
	}
	if (has_last &&
	    oev_verify_note_judge(run, witness->kept_note, witness->kept_len, &last, &why) == OEV_NOTE_GOOD)
		good = last;
	if (good.size != 0)
		find_end(run, witness, good.size, good.wall_us);
}

/* The last note the log agrees with vouches for it, if its signature is good. */
static void believe(struct oev_verify_run *run, struct oev_witness *witness)
{
	struct oev_verify_result *result = run->result;
	struct oev_checkpoint checkpoint;
	struct oev_why why;
	enum oev_note_state state =
		oev_verify_note_judge(run, witness->kept_note, witness->kept_len, &checkpoint, &why);

	if (state != OEV_NOTE_GOOD) {
		witness->next = witness->kept;
		find_note(run, NULL, witness, state, &why);
		return;
	}
	if (witness->source <= result->witness)
		return;
	result->witness = witness->source;
	result->witness_batch = checkpoint.size;
	result->witness_us = checkpoint.wall_us;
	snprintf(result->witness_path, sizeof(result->witness_path), "%s", witness->path);
}

/* A checkpoint gets out once it is inside. While somebody writes, this file may have been read later than the folder. */
static void find_taken_out(struct oev_verify_run *run)
{
	const struct oev_verify_result *result = run->result;

	if (result->witness_batch <= result->signed_batch || run->is_live || run->is_single ||
	    result->findings_all != 0)
		return;
	struct oev_verify_finding *finding =
		oev_verify_find(run, NULL, OEV_VERIFY_CUT, OEV_KIND_CHECKPOINT,
				"%.100s has the checkpoint of batch %" PRIu64
				"; the last one in table checkpoint is that of batch %" PRIu64,
				result->witness_path, result->witness_batch, result->signed_batch);
	finding->batch = result->witness_batch;
	finding->wall_us = result->witness_us;
}

void oev_verify_outside_anew(struct oev_verify_run *run)
{
	for (unsigned i = 0; i < run->witness_count; i++) {
		struct oev_witness *witness = &run->witnesses[i];
		if (!run->is_single)
			end_one(run, witness);
		witness->begins_anew = witness->has_differed = false;
		witness->last_size = 0;
	}
}

void oev_verify_outside_end(struct oev_verify_run *run)
{
	struct oev_verify_result *result = run->result;

	for (unsigned i = 0; i < run->witness_count; i++) {
		if (run->witnesses[i].has_agreed)
			believe(run, &run->witnesses[i]);
		if (!run->is_single && !run->is_end_unknown)
			end_one(run, &run->witnesses[i]);
	}
	find_taken_out(run);
	if (result->trust == OEV_TRUST_FOLDER && result->witness >= OEV_WITNESS_REMEMBERED)
		result->trust = OEV_TRUST_OUTSIDE;
}

int oev_verify_remember(struct oev_verify_run *run)
{
	const char *path = run->options->remember;

	if (path == NULL || run->newest == NULL)
		return OC_OK;
	for (unsigned i = 0; i < run->witness_count; i++)
		if (run->witnesses[i].source == OEV_WITNESS_REMEMBERED && run->witnesses[i].has_agreed &&
		    run->witnesses[i].kept.size >= run->result->signed_batch)
			return OC_OK; /* it is there already */
	FILE *file = fopen(path, "ae");
	if (file == NULL)
		return OC_EIO;
	int rc = fputs(run->newest, file) >= 0 ? OC_OK : OC_EIO;
	return fclose(file) == 0 ? rc : OC_EIO;
}
