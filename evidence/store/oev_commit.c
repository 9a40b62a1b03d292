/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * From the leaves of a batch to its record, its checkpoint and the commit.
 */
#include "oev_commit.h"

#include <stdio.h>

#include "../../agent/oc_err.h"

static int put_batch(struct oev_writer *segment, const struct oev_batch *batch, const struct oev_hash *chain,
		     const uint8_t *marks)
{
	struct oev_row row = oev_db_row(segment->db, OEV_TABLE_BATCH);

	oev_row_bits(&row, batch->number);
	oev_row_bits(&row, batch->first_ns);
	oev_row_bits(&row, batch->last_ns);
	oev_row_bits(&row, batch->wall_us);
	oev_row_bits(&row, batch->journal);
	oev_row_bits(&row, batch->leaves);
	oev_row_text_n(&row, batch->rows, batch->rows_len);
	oev_row_blob(&row, batch->root.octets, OEV_HASH_OCTETS);
	oev_row_blob(&row, chain->octets, OEV_HASH_OCTETS);
	oev_row_blob(&row, marks, batch->leaves * OEV_MARK_OCTETS);
	return oev_row_put(&row);
}

static int put_checkpoint(struct oev_writer *segment, const struct oev_ledger *ledger,
			  const struct oev_commit *commit)
{
	struct oev_why why;
	int rc = oev_ledger_sign(ledger, commit->signer, oev_writer_name(segment), &commit->now, commit->note,
				 &why);

	if (rc != OC_OK)
		return oev_db_refuse(segment->db, rc, why.text);
	struct oev_row row = oev_db_row(segment->db, OEV_TABLE_CHECKPOINT);
	oev_row_bits(&row, ledger->number);
	oev_row_bits(&row, commit->now.wall_us);
	oev_row_text(&row, commit->note);
	return oev_row_put(&row);
}

static int put_record(struct oev_writer *segment, struct oev_ledger *ledger, const struct oev_commit *commit,
		      const struct oev_leaves_sum *sum)
{
	struct oev_batch batch = { .first_ns = commit->first_ns,
				   .last_ns = commit->last_ns,
				   .wall_us = commit->now.wall_us,
				   .journal = commit->journal,
				   .leaves = sum->count,
				   .root = sum->root,
				   .rows = sum->rows,
				   .rows_len = sum->rows_len };

	snprintf(batch.segment, sizeof(batch.segment), "%s", oev_writer_name(segment));
	int rc = oev_ledger_add(ledger, &batch, &oev_db_leaves(segment->db)->canon);
	if (rc == OC_OK)
		rc = put_batch(segment, &batch, &ledger->chain, sum->marks);
	if (rc == OC_OK && commit->signer)
		rc = put_checkpoint(segment, ledger, commit);
	return rc == OC_EREFUSED ? OC_EIO : rc;
}

int oev_commit(struct oev_writer *segment, struct oev_ledger *ledger, const struct oev_commit *commit)
{
	struct oev_ledger next = *ledger;
	struct oev_leaves *leaves = oev_db_leaves(segment->db);
	struct oev_leaves_sum sum;
	int rc = OC_OK;

	if (oev_leaves_count(leaves) == 0 && leaves->rc == OC_OK)
		return oev_db_commit(segment->db);
	rc = oev_leaves_end(leaves, &sum);
	if (rc != OC_OK)
		return oev_db_refuse(segment->db, rc, "the leaves of the batch cannot be made");
	rc = put_record(segment, &next, commit, &sum);
	if (rc == OC_OK)
		rc = oev_db_commit(segment->db);
	if (rc == OC_OK)
		*ledger = next;
	return rc;
}
