/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the parts of proving share. Private to evidence/verify.
 */
#pragma once

#include <sqlite3.h>

#include "../proof/oev_batch.h"
#include "../proof/oev_public.h"
#include "oev_facts.h"
#include "oev_layout.h"
#include "oev_log.h"
#include "oev_prove.h"

/* One segment opened for proving. */
struct oev_proving {
	sqlite3 *db;
	struct oev_layout *layout;
	struct oev_facts facts;
	char written_as[OEV_SEGMENT_MAX + 1];
	char name[OEV_VERIFY_NAME_MAX];
};

struct oev_prover {
	struct oev_prove_result *result;
	const struct oev_prove_options *options;
	char *folder;
	char **paths;	  /* all segments, by name */
	uint64_t *orders; /* log size before each; UINT64_MAX: it has none */
	unsigned *logs;	  /* which log, when one was broken off */
	size_t path_count;
	char *public_key; /* text of the folder's */
	size_t public_key_len;
	bool has_hole; /* the walk ended before batches that are not there */
};

/* Sets outcome and sentence; returns OC_EREFUSED. */
__attribute__((format(printf, 3, 4))) int
oev_prove_fail(struct oev_prover *prover, enum oev_verify_outcome outcome, const char *format, ...);

/* Opens the segment at @path. OC_OK, OC_EMALFORMED, OC_EIO, OC_ENOMEM. Free with _close in every case. */
int oev_proving_open(struct oev_proving *segment, const char *path);
void oev_proving_close(struct oev_proving *segment);

/* What walks over the batches of the log from segment @at on. @take gets each with its canonical octets
 * and the segment it is in; it ends the walk by anything but OC_OK. OC_OK when the log ended, else what
 * @take or reading returned. */
struct oev_prove_step {
	struct oev_proving *segment;
	const struct oev_batch *batch;
	const uint8_t *octets;
	size_t len;
};
int oev_prove_walk(struct oev_prover *prover, size_t at, struct oev_log *log,
		   int (*take)(void *ctx, const struct oev_prove_step *step), void *ctx);

/* Text of the first checkpoint row of @segment for batch @number exactly, to be freed. OC_OK, OC_ENOENT,
 * OC_ENOMEM. */
int oev_prove_note(struct oev_proving *segment, uint64_t number, char **note, size_t *len);

/* The row asked for is in no segment that is there: says so, and what retention removed that may have had it. OC_EREFUSED. */
int oev_prove_absent(struct oev_prover *prover);

/* oev_prove_row.c, oev_prove_growth.c. OC_OK with result->text, else the failure is set or OC_ENOMEM. */
int oev_prove_row(struct oev_prover *prover);
int oev_prove_growth(struct oev_prover *prover);

/* oev_prove_beside.c: adds to the proof of a decision those of the rows it names, in the segment at @path. Likewise. */
int oev_prove_beside(struct oev_prover *prover, const char *path);
