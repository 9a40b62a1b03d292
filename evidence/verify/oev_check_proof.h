/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A proof file judged for a person: does it hold, whose key is in it, what does it say. No database is
 * needed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum oev_proof_outcome {
	OEV_PROOF_HOLDS = 0,
	OEV_PROOF_UNCONFIRMED = 1, /* it holds, but no key was given to hold its own against */
	OEV_PROOF_REFUTED = 2,	   /* it does not hold, or is signed by another key than the one given */
	OEV_PROOF_UNUSABLE = 3,	   /* no proof file, no key file, a newer format */
	OEV_PROOF_NOT_FOUND = 4,
	OEV_PROOF_USAGE = 5,
	OEV_PROOF_BUG = 6,
	OEV_PROOF_OUTCOME_COUNT
};

/* Texts are "" and numbers 0 as far as the file could not be read. */
struct oev_proof_check {
	enum oev_proof_outcome outcome;
	char what[600];	  /* one sentence */
	const char *step; /* word for where it failed (oev_bundle.h), "holds" */
	bool is_growth;	  /* proof that a log only grew, not of a row */
	bool is_trusted;  /* the key is the one given */
	char node[256];
	char key[64];
	char table[32];
	int64_t rowid;
	char *row;     /* "decision 88120: at_ns 1, flow 2, ..."; may be NULL */
	void *columns; /* the same as a JSON object; may be NULL */
	char *says;    /* a decision in words; may be NULL */
	void *beside; /* rows it names that are proven too, a JSON array of {table, row, columns}; may be NULL */
	char signer[512]; /* text of the public key */
	uint64_t leaf, leaves;
	uint64_t batch, batch_us;
	char segment[128];
	uint64_t older;		  /* of a growth: size of the older log */
	uint64_t size, signed_us; /* of the (newer) checkpoint */
};

/* Judges the file @path; @key_path NULL: no key is trusted. Free *@out with _fini in every case. */
void oev_proof_check(struct oev_proof_check *out, const char *path, const char *key_path);
/* The same of a text, without names of tables and without a key. */
void oev_proof_check_text(struct oev_proof_check *out, const char *text, size_t len);
void oev_proof_check_fini(struct oev_proof_check *check);

int oev_proof_exit(enum oev_proof_outcome outcome);	     /* 0, 3, 1, 4, 4, 2, 70 */
const char *oev_proof_text(enum oev_proof_outcome outcome);  /* "holds" */
const char *oev_proof_title(enum oev_proof_outcome outcome); /* "HOLDS" */

/* The object "doic.check-proof/1", all keys present for every outcome. OC_OK, OC_ENOMEM, OC_EIO. */
int oev_proof_json(const struct oev_proof_check *check, const char *tool, FILE *out);
