/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Proofs out of an evidence folder: that a row was recorded (oev_bundle.h), and that the log only grew
 * between two checkpoints (oev_growth.h). What is written has been checked.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oev_verify.h"

struct oev_prove_options {
	const char *path;  /* a folder, or one segment of it */
	const char *table; /* of the row */
	int64_t row;
	const char *run; /* life of the agent, as meta has it; NULL any: then only one may have the row */
	const char
		*older; /* instead of a row, two checkpoints: each a number of batches, "first" or "last" */
	const char *newer;
	bool alone; /* of a decision: without the rows that it names by number */
	bool (*stop)(void *ctx);
	void *ctx;
};

struct oev_prove_result {
	/* INTACT: text is there. UNSEALED: no checkpoint covers the row yet. ALTERED: what is there does not
	 * prove it. NOT_FOUND, USAGE (several rows), NOT_EVIDENCE, UNREADABLE ... */
	enum oev_verify_outcome outcome;
	char error[512];
	char *text; /* JSON; NULL unless INTACT */
	char segment[OEV_VERIFY_NAME_MAX];
	uint64_t batch;
	uint64_t size; /* of the log, at the (newer) checkpoint */
	uint64_t signed_us;
};

/* Free *@out with _fini in every case. */
void oev_prove(struct oev_prove_result *out, const struct oev_prove_options *options);
void oev_prove_fini(struct oev_prove_result *result);
