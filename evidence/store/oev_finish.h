/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Finishing a segment whose life was cut off: the journal's left-overs, the last rows, a checkpoint.
 */
#pragma once

#include "oev_recover.h"

/* Finishes @segment, the end of the log, whose state is *@ledger; that goes on with it. Events are taken from the journal when it is
 * of the segment's run. OC_OK; OC_EREFUSED: tables or views are not as they were made, nothing was written; OC_EIO,
 * OC_ENOMEM: with the sentence, what was committed stays and the next try goes on from there. */
int oev_finish(const struct oev_recovery *recovery, const struct oev_found_segment *segment,
	       struct oev_ledger *ledger, struct oev_why *why);
