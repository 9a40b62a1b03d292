/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What is written down of every message, by either role: a capture file, JSON lines, receipts. NULL: not wanted.
 */
#pragma once

#include "dt_common.h"
#include "dt_dump.h"
#include "dt_receipts.h"

struct dt_notes {
	FILE *dump;
	FILE *record;
	struct dt_receipts *receipts;
};

/* Opens the files that @common names. OC_OK, or OC_EIO after a sentence on standard error. */
int dt_notes_open(struct dt_notes *notes, const struct dt_common *common);
void dt_notes_msg(const struct dt_notes *notes, struct dt_flow *flow, bool sent, const uint8_t *msg,
		  size_t len);
/* OC_OK, or OC_EIO when something could not be written; all are closed in any case. */
int dt_notes_close(struct dt_notes *notes);

static inline bool dt_notes_any(const struct dt_notes *notes)
{
	return notes->dump || notes->record || notes->receipts;
}
