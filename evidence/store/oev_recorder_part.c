/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The segments of a life: how one begins, ends, and is closed.
 */
#include "oev_recorder_inner.h"

#include <inttypes.h>
#include <stdio.h>

#include "../../agent/oc_err.h"

#define SECOND_NS 1000000000u

static struct oev_part next_part(struct oev_recorder *r)
{
	const struct oev_traffic *traffic = &r->scribe.traffic;

	return (struct oev_part){ .run_id = r->run_id,
				  .number = r->part + 1,
				  .journal_records = oev_journal_records(r->journal),
				  .now = oev_recorder_now(r),
				  .flow_from = traffic->flows.next,
				  .way_from = traffic->ways.next,
				  .ending_from = traffic->endings.next,
				  .ledger = &r->ledger,
				  .previous = r->previous };
}

/* The rows behind meta and code, and the end of the first batch. */
static int put_beginning(struct oev_recorder *r, const struct oev_part *part)
{
	const struct oev_commit commit = { .journal = r->position, .now = part->now };
	const struct oev_policy_text *policy = NULL;
	int rc = oev_recorder_put_policies(r, &policy);

	if (rc == OC_OK)
		rc = oev_writer_put_clock(&r->segment, &part->now);
	if (rc == OC_OK)
		rc = oev_commit(&r->segment, &r->ledger, &commit);
	if (rc == OC_OK)
		oev_policies_stored(&r->policies, policy);
	return rc;
}

int oev_recorder_begin_part(struct oev_recorder *r, char *error, size_t error_size)
{
	struct oev_part part = next_part(r);
	uint64_t before = r->ledger.number;

	oev_recorder_take_clock(r, &part.now);
	int rc = oev_writer_open(&r->segment, &r->settings.conf, &part, error, error_size);
	if (rc != OC_OK)
		return rc;
	rc = put_beginning(r, &part);
	if (rc != OC_OK) {
		snprintf(error, error_size, "evidence segment \"%s\" cannot be written: %s", r->segment.path,
			 oev_db_error(r->segment.db));
		oev_writer_discard(&r->segment);
		return rc;
	}
	r->part = part.number;
	r->first_batch = before + 1;
	r->next_checkpoint_ns = part.now.mono_ns + (uint64_t)r->settings.conf.checkpoint_s * SECOND_NS;
	oev_scribe_segment(&r->scribe, &r->segment, part.now.mono_ns);
	return OC_OK;
}

int oev_recorder_end_part(struct oev_recorder *r, const char *how)
{
	const struct oev_commit commit = {
		.journal = r->position, .now = oev_recorder_now(r), .signer = &r->signer, .note = r->note
	};
	int rc = oev_db_begin(r->segment.db);

	if (rc == OC_OK)
		rc = oev_writer_put_clock(&r->segment, &commit.now);
	if (rc == OC_OK)
		rc = oev_writer_put_end(&r->segment, &commit.now, how);
	if (rc == OC_OK)
		rc = oev_commit(&r->segment, &r->ledger, &commit);
	oev_db_rollback(r->segment.db); /* does nothing after a commit */
	if (rc == OC_OK)
		(void)oev_notary_note(r->notary, r->segment.path, r->note);
	return rc;
}

static void seal(struct oev_recorder *r)
{
	struct oev_seal seal = { .first = r->first_batch, .last = r->ledger.number };

	oev_frontier_root(&r->ledger.frontier, &seal.root);
	if (oev_notary_seal(r->notary, r->segment.path, &seal) != OC_OK)
		oev_say(&r->voice, 1, "evidence segment is not sealed file=%s error=\"out of memory\"",
			r->segment.path);
}

void oev_recorder_close_part(struct oev_recorder *r, bool is_whole)
{
	bool is_folded = is_whole && oev_db_fold(r->segment.db) == OC_OK;

	if (is_whole && !is_folded)
		oev_say(&r->voice, 0, "evidence segment keeps its -wal file=%s reason=\"%s\"",
			r->segment.path, oev_db_error(r->segment.db));
	oev_writer_close(&r->segment);
	if (is_folded)
		seal(r);
	snprintf(r->previous, sizeof(r->previous), "%s", oev_writer_name(&r->segment));
}
