/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The end of a batch: the tree over its rows, its record in the log, a checkpoint when it is time for one, the commit.
 *
 * All of it is one transaction, so whatever is in a segment is proven, up to the last row.
 */
#pragma once

#include "oev_ledger.h"
#include "oev_writer.h"

/* What the recorder knows of the batch. */
struct oev_commit {
	uint64_t first_ns; /* times of its events, 0 none */
	uint64_t last_ns;
	uint64_t journal; /* events of this life's journal that are stored with it */
	struct oev_moment now;
	const struct oev_signer *signer; /* NULL: no checkpoint now */
	char *note; /* of OEV_NOTE_MAX: filled with the checkpoint when there is a signer */
};

/* Ends the transaction that oev_db_begin() (or the creation of the file) started. A transaction without rows is committed
 * without a record. OC_OK: *@ledger has gone on; OC_EIO, OC_ENOMEM, OC_EINVAL: *@ledger is as it was, roll back. */
int oev_commit(struct oev_writer *segment, struct oev_ledger *ledger, const struct oev_commit *commit);
