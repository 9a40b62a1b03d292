/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The node's log of batches as the one who writes it goes on with it: how many there are, the chain, the edge of the tree.
 *
 * It runs through all segments and lives. A segment's meta rows tell how it stood before the segment.
 */
#pragma once

#include "../oev_clock.h"
#include "../proof/oev_batch.h"
#include "../proof/oev_frontier.h"

struct oev_ledger {
	uint64_t number; /* of the last batch, which is how many there are */
	uint64_t rows;	 /* in all of them */
	struct oev_hash chain;
	struct oev_frontier frontier;
};

/* Who signs. */
struct oev_signer {
	const struct oev_key *key;
	const char *node;
};

/* Adds @batch, whose number and previous are filled in; @canon is scratch. OC_OK, OC_EINVAL, OC_ENOMEM: unchanged. */
int oev_ledger_add(struct oev_ledger *ledger, struct oev_batch *batch, struct oev_canon *canon);

/* The signed checkpoint of the log as it is, whose last batch is in @segment. OC_OK, OC_EINVAL, OC_ENOMEM with the sentence. */
int oev_ledger_sign(const struct oev_ledger *ledger, const struct oev_signer *signer, const char *segment,
		    const struct oev_moment *now, char note[static OEV_NOTE_MAX], struct oev_why *why);
