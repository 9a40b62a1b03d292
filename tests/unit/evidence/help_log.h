/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * For tests of the recorder: is what it wrote proven? Everything is made again from the rows, in the plainest way.
 */
#pragma once

#include <stdbool.h>

#include "evidence/proof/oev_public.h"
#include "evidence/store/oev_ledger.h"

/* The log as far as it was checked. */
struct help_log {
	struct oev_ledger ledger;
	uint64_t checkpoints;
	uint64_t rows; /* of all tables that have leaves */
};

/* Checks the segment @path: it goes on where @log stands; each row of each table is a leaf of exactly one batch; roots, chain
 * and edge come out; every checkpoint is signed and says what the log was. Moves @log on. False with a line on stderr. */
bool help_log_segment(struct help_log *log, const char *path, const struct oev_public *signer);

/* All segments of a folder in the order of the log, from its beginning on; sealed ones by their seal too. The key is the folder's. */
bool help_log_folder(struct help_log *log, const char *folder);
