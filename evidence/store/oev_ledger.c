/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Going on with the log of batches.
 */
#include "oev_ledger.h"

#include <stdio.h>

#include "../../agent/oc_err.h"

int oev_ledger_add(struct oev_ledger *ledger, struct oev_batch *batch, struct oev_canon *canon)
{
	const uint8_t *octets;
	struct oev_hash leaf;
	size_t len;

	batch->number = ledger->number + 1;
	batch->previous = ledger->chain;
	int rc = oev_batch_octets(batch, canon);
	if (rc != OC_OK)
		return rc;
	octets = oev_canon_octets(canon, &len);
	oev_batch_chain(octets, len, &ledger->chain);
	oev_batch_leaf(octets, len, &leaf);
	oev_frontier_append(&ledger->frontier, &leaf);
	ledger->number = batch->number;
	ledger->rows += batch->leaves;
	return OC_OK;
}

int oev_ledger_sign(const struct oev_ledger *ledger, const struct oev_signer *signer, const char *segment,
		    const struct oev_moment *now, char note[static OEV_NOTE_MAX], struct oev_why *why)
{
	struct oev_checkpoint checkpoint = { .size = ledger->number,
					     .rows = ledger->rows,
					     .mono_ns = now->mono_ns,
					     .wall_us = now->wall_us,
					     .chain = ledger->chain };

	snprintf(checkpoint.origin, sizeof(checkpoint.origin), "%s", signer->node);
	snprintf(checkpoint.segment, sizeof(checkpoint.segment), "%s", segment);
	oev_frontier_root(&ledger->frontier, &checkpoint.root);
	return oev_checkpoint_sign(&checkpoint, signer->key, note, OEV_NOTE_MAX, why);
}
