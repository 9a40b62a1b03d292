/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A proof bundle: one row with everything that leads from it to a signed checkpoint: a JSON file.
 *
 *	columns -> canonical octets -> leaf of the batch -> batch record -> leaf of the log -> checkpoint -> key
 *
 * Whoever trusts the key can check it without a database (docs/evidence-format.md says what is in the file).
 */
#pragma once

#include "oev_batch.h"
#include "oev_checkpoint.h"
#include "oev_merkle.h"

#define OEV_BUNDLE_SCHEMA "doic.proof/1"
#define OEV_GROWTH_SCHEMA "doic.consistency/1"
/* Beside the row's own: a list of bundles of rows that it names by number, each whole. oev_bundle_check() is for one of them. */
#define OEV_BUNDLE_BESIDE "beside"
#define OEV_BUNDLE_MAX (16u << 20) /* octets of a file that is read */

struct oev_column {
	const char *name;
	struct oev_value value;
};

/* All pointers are borrowed when a bundle is written; one that was loaded owns them. */
struct oev_bundle {
	const char *table;
	uint8_t table_number;
	int64_t rowid;
	const struct oev_column *columns; /* as they stand in the canonical octets: without the rowid */
	size_t column_count;
	uint64_t leaf; /* which leaf of the batch, from 0 */
	struct oev_path leaf_path;
	const uint8_t *batch; /* canonical octets of the batch record */
	size_t batch_len;
	struct oev_path batch_path; /* in the log of the checkpoint's size */
	const char *checkpoint;	    /* note */
	size_t checkpoint_len;
	const char *public_key; /* text of public-key.txt */
	size_t public_key_len;
	const uint8_t *
		octets; /* canonical, of the row, as the file has them; made from the columns when it is written */
	size_t octets_len;
};

/* How far the check came; OEV_BUNDLE_STEP_HOLDS when nothing failed. */
enum oev_bundle_step {
	OEV_BUNDLE_STEP_HOLDS = 0,
	OEV_BUNDLE_STEP_FORM,	   /* the file is no bundle, or says one thing twice in two ways */
	OEV_BUNDLE_STEP_COLUMNS,   /* columns do not give the canonical octets */
	OEV_BUNDLE_STEP_ROWS,	   /* the batch does not say that this row is that leaf */
	OEV_BUNDLE_STEP_LEAF,	   /* the leaf is not in the batch */
	OEV_BUNDLE_STEP_LOG,	   /* the batch, or the older log, is not in the log */
	OEV_BUNDLE_STEP_SIGNATURE, /* the checkpoint is not signed by the key in the bundle */
	OEV_BUNDLE_STEP_KEY,	   /* that key is not the trusted one */
	OEV_BUNDLE_STEP_COUNT
};

struct oev_verdict {
	enum oev_bundle_step step;
	struct oev_why why; /* one sentence, also when it holds */
};

/* What a table's number and columns are called; the names in a bundle must be these. */
struct oev_table_names {
	uint8_t number;
	const char *table;
	const char *const *columns; /* as many as canonical octets have, NULL behind the last */
};

/* What the one who checks knows already. Everything may be NULL or 0. */
struct oev_trust {
	const struct oev_public *signer;
	const struct oev_table_names *tables;
	size_t table_count;
};

const char *
oev_bundle_step_text(enum oev_bundle_step step); /* one word for scripts: holds, form, columns ... */

/* The JSON text, to be freed with free(); NULL: no memory, or octets, record, note or key are not what they
 * should be. */
char *oev_bundle_text(const struct oev_bundle *bundle);

/* Checks the text of a bundle. True when it holds; *@out in any case. @trust may be NULL. */
bool oev_bundle_check(const char *text, size_t len, const struct oev_trust *trust, struct oev_verdict *out);

/* Loads a bundle to show it; nothing is checked but the form. Free *@out with oev_bundle_free(). OC_OK,
 * OC_EMALFORMED, OC_EVERSION (another schema), OC_ENOMEM. */
int oev_bundle_load(const char *text, size_t len, struct oev_bundle **out, struct oev_why *why);
void oev_bundle_free(struct oev_bundle *bundle);
