/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Whether the evidence an audit stands on is what was written: the verification of each input (oev_verify.h), as one word and one line.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../verify/oev_verify.h"

/* What it means for the verdict. */
enum oev_integrity_weight {
	OEV_INTEGRITY_GOOD = 0, /* intact, and somebody outside confirms it */
	OEV_INTEGRITY_UNSEEN =
		1, /* nothing is wrong, but nobody outside confirms it, or it is not sealed: a note; with strict, 3 */
	OEV_INTEGRITY_PARTIAL =
		2, /* something is missing before, between or after what is here: cannot tell */
	OEV_INTEGRITY_ALTERED = 3, /* something differs from what was signed: a definite no */
	OEV_INTEGRITY_NOT_CHECKED = 4
};

struct oev_integrity {
	bool is_checked;
	enum oev_verify_outcome outcome; /* the worst of all inputs */
	enum oev_integrity_weight weight;
	char line[240];		   /* "intact, signed 2026-11-29T14:03:20Z, no outside checkpoint" */
	char key[64];		   /* fingerprint of the signer's key; "" none */
	char root[OEV_VERIFY_HEX]; /* over the log, in the last checkpoint that holds; "" none */
	uint64_t root_batches;	   /* in that log so far */
	struct {
		bool is_known;			   /* something is wrong, and in this place */
		char segment[OEV_VERIFY_NAME_MAX]; /* "" of none in particular */
		char table[48];			   /* "" likewise */
		bool has_row;
		int64_t row; /* rowid */
	} first_bad;
	char input[200];     /* whose line it is, when there are several; "" else */
	uint64_t signed_us;  /* of the last checkpoint that holds; 0 none */
	uint64_t witness_us; /* outside checkpoint that agrees; 0 none */
	uint64_t segments, rows;
	uint64_t
		by_seal_rows; /* of these rows, those whose sealed file has its signed digest, not made into leaves again */
	uint64_t
		tail_rows; /* of all inputs, behind the last checkpoint: whoever has no key could write them */
	uint64_t tail_us;  /* when the first of them was stored; 0 none */
	uint64_t tail_after_us; /* what is older is signed: last checkpoint before them, 0 there is none */
	enum oev_verify_witness witness;
	enum oev_verify_trust trust;
	bool is_key_of_folder; /* the key given lies in the folder itself: it confirms nothing from outside */
};

#define OEV_INTEGRITY_TEXT_MAX 240u

/* Who signed what: "key 21:fe:31:df:a1:54:a2:61, root 3f..7a over 1,204 batches"; "" when nothing is signed. Returns buf. */
const char *oev_integrity_signer_text(const struct oev_integrity *integrity, char *buf, size_t size);
/* The first bad record: "seg-20261129T13.db, table decision, row 45964"; "" when there is none. Returns buf. */
const char *oev_integrity_bad_text(const struct oev_integrity *integrity, char *buf, size_t size);

#define OEV_INTEGRITY_TAIL_MAX 120u

/* "12 rows after the last checkpoint are not signed yet (since 2026-11-29T14:03:20Z)"; "" when there are
 * none. Returns buf. */
const char *oev_integrity_tail_text(const struct oev_integrity *integrity, char *buf, size_t size);

enum oev_integrity_weight oev_integrity_weigh(enum oev_verify_outcome outcome);
const char *oev_integrity_weight_text(enum oev_integrity_weight weight); /* "altered" */
