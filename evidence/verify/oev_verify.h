/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Integrity of an evidence folder: is it what the recorder wrote, whole, and signed by whom?
 *
 * Three layers, each checked although the one above would do. A sealed file has one SHA-256, which finds
 * every changed bit. Every row is made into its leaf again, every batch into its root, the roots into chain
 * and log, and these are held against the signed checkpoints: that names the row. And what the log counts
 * must be there: numbers of batches run through all segments, what retention removed has its removal row, and
 * checkpoints kept outside the folder tell how far the log went.
 *
 * A segment that is being written is read in one snapshot and judged up to the last checkpoint in it; what
 * follows is the open tail, which is counted and is no error. Nothing is ever written to the folder. Whatever
 * the files hold, memory stays bounded.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What is said of a folder, of a segment and of one finding. In a folder the first of these that occurs
 * wins, from the end of the list. */
enum oev_verify_outcome {
	OEV_VERIFY_INTACT = 0,	    /* all holds, and somebody outside the folder confirms key and end */
	OEV_VERIFY_UNWITNESSED = 1, /* all holds, but nobody outside confirms the key, or the end */
	OEV_VERIFY_UNSEALED = 2,    /* a finished segment has no seal, or never got a checkpoint */
	OEV_VERIFY_LEFTOVER = 3,    /* a -wal or -journal lies beside a sealed segment */
	OEV_VERIFY_GAP = 4, /* batches are missing before or between others; no removal row says why */
	OEV_VERIFY_CUT =
		5, /* the end is missing: of a table, of a file, or of the log a checkpoint tells of */
	OEV_VERIFY_MIXED = 6,	      /* a segment of another node or another log is among the others */
	OEV_VERIFY_FOREIGN_KEY = 7,   /* signed by another key than given, or than the rest */
	OEV_VERIFY_ALTERED = 8,	      /* something differs from what was signed */
	OEV_VERIFY_NOT_EVIDENCE = 9,  /* a folder without segments, or a file that is none */
	OEV_VERIFY_NEWER_FORMAT = 10, /* written by a newer program */
	OEV_VERIFY_UNREADABLE = 11,   /* permission, I/O error, out of memory */
	OEV_VERIFY_NOT_FOUND = 12,    /* no such folder, segment, key or checkpoint file */
	OEV_VERIFY_USAGE = 13,
	OEV_VERIFY_INTERRUPTED = 14, /* options.stop said so; figures tell how far it came */
	OEV_VERIFY_BUG = 15,
	OEV_VERIFY_OUTCOME_COUNT
};

/* What exactly is wrong. */
enum oev_verify_kind {
	OEV_KIND_ROW = 0,	    /* a row is not what was signed */
	OEV_KIND_SWAPPED = 1,	    /* two rows changed places */
	OEV_KIND_INSERTED = 2,	    /* a row that no batch tells of */
	OEV_KIND_MISSING = 3,	    /* a row that a batch tells of is not there */
	OEV_KIND_TWICE = 4,	    /* two batches tell of one row */
	OEV_KIND_BATCH = 5,	    /* a batch record is not what was chained */
	OEV_KIND_LOG = 6,	    /* batches, all fitting together, are not those that were signed */
	OEV_KIND_SIGNATURE = 7,	    /* a note's signature is not of its text */
	OEV_KIND_KEY = 8,	    /* a note, or the folder, has another key */
	OEV_KIND_SEAL = 9,	    /* no seal, or one that says something else */
	OEV_KIND_OUTSIDE_ROWS = 10, /* all rows hold, but the file is not the one that was sealed */
	OEV_KIND_PAGE = 11,	    /* SQLite cannot read on */
	OEV_KIND_SCHEMA = 12,	    /* tables or views are not those of evidence */
	OEV_KIND_SIZE = 13,	    /* the file is shorter or longer than sealed */
	OEV_KIND_LEFTOVER = 14,
	OEV_KIND_HOLE = 15,	  /* batches are not there */
	OEV_KIND_END = 16,	  /* the last batches are not there */
	OEV_KIND_NODE = 17,	  /* another node's */
	OEV_KIND_PLACE = 18,	  /* does not go on where the segment before ends */
	OEV_KIND_CHECKPOINT = 19, /* a checkpoint row does not say what its note says */
	OEV_KIND_WITNESS = 20,	  /* a checkpoint kept outside is broken, or tells of another log */
	OEV_KIND_POLICY = 21,	  /* a policy's digest is not of its text; deep */
	OEV_KIND_INDEX = 22,	  /* SQLite's own check fails though rows hold; deep */
	OEV_KIND_FORMAT = 23,	  /* no segment, or a newer one */
	OEV_KIND_COUNT
};

#define OEV_VERIFY_NAME_MAX 128u /* of a file in the folder; longer ones are cut */
#define OEV_VERIFY_TEXT_MAX 1024u
#define OEV_VERIFY_HEX 65u /* SHA-256 in digits, and NUL */
#define OEV_VERIFY_FINDINGS_MAX 64u

/* One thing that is wrong. Texts are "" and numbers 0 when they do not apply. */
struct oev_verify_finding {
	enum oev_verify_outcome outcome;
	enum oev_verify_kind kind;
	char what[240]; /* in words, with the numbers */
	char segment[OEV_VERIFY_NAME_MAX];
	char table[48]; /* the first bad row ... */
	bool has_row;
	int64_t row;	  /* its rowid */
	uint64_t page;	  /* page of the file, from 1, when it could be found */
	uint64_t batch;	  /* batch it concerns */
	uint64_t wall_us; /* when that was written */
	/* hashes: what is signed (of a leaf its first digits alone), and what is there */
	char expected[OEV_VERIFY_HEX];
	char found[OEV_VERIFY_HEX];
	uint64_t good_batch; /* last checkpoint before it that holds; 0 none */
	uint64_t good_us;    /* its time */
	uint64_t good_rows;  /* rows of this segment that stand nevertheless */
};

enum oev_verify_state {
	OEV_SEGMENT_SEALED = 0,
	OEV_SEGMENT_OPEN = 1,	 /* being written, or its agent was killed and none has started since */
	OEV_SEGMENT_UNSEALED = 2 /* finished, but without a seal */
};

struct oev_verify_segment {
	char name[OEV_VERIFY_NAME_MAX];
	enum oev_verify_outcome outcome; /* INTACT when nothing is wrong with it */
	enum oev_verify_state state;
	char sha256[OEV_VERIFY_HEX]; /* of the file, when sealed; "" else */
	uint64_t bytes;
	uint64_t rows;			  /* made into leaves again */
	uint64_t first_batch, last_batch; /* 0: none */
	uint64_t checkpoints;
	uint64_t tail_rows; /* after the last checkpoint */
	uint64_t signed_us; /* time of the last checkpoint; 0 none */
};

enum oev_verify_trust {
	OEV_TRUST_NONE = 0,    /* no key at all */
	OEV_TRUST_FOLDER = 1,  /* the folder's own public-key.txt: nobody else vouches for it */
	OEV_TRUST_OUTSIDE = 2, /* it signed a checkpoint that was given or remembered */
	OEV_TRUST_GIVEN = 3    /* options.key */
};

enum oev_verify_witness {
	OEV_WITNESS_NONE = 0,
	OEV_WITNESS_BESIDE = 1,	    /* the file FOLDER.checkpoints that the recorder keeps */
	OEV_WITNESS_REMEMBERED = 2, /* options.remember */
	OEV_WITNESS_GIVEN = 3	    /* options.checkpoint */
};

struct oev_verify_memory;

struct oev_verify_options {
	const char *path; /* a folder; or one segment, which is then judged without what lies around it */
	const char *key;  /* file with a public key that is trusted; NULL none */
	const char *checkpoint;	 /* file with checkpoints kept elsewhere; NULL none */
	const char *remember;	 /* checkpoints seen by earlier runs; gets the newest one; NULL none */
	bool accept_unwitnessed; /* INTACT instead of UNWITNESSED */
	bool deep;		 /* also: SQLite's own check of each file, digests of policies */
	bool by_seals; /* a sealed file that has its signed digest is what was sealed: its rows are not made into leaves again */
	struct oev_verify_memory *memory; /* of earlier runs with the same options; NULL none */
	/* Now and then: octets of files done and in all, rows so far. May be NULL. */
	void (*progress)(void *ctx, uint64_t done, uint64_t total, uint64_t rows);
	bool (*stop)(void *ctx); /* true: end early. May be NULL */
	void *ctx;
};

struct oev_verify_result {
	enum oev_verify_outcome outcome;
	char path[512]; /* as asked for */
	bool deep;
	char error[512];		     /* one sentence for outcomes from NOT_EVIDENCE on; "" else */
	struct oev_verify_finding *findings; /* by segment, then place; the first OEV_VERIFY_FINDINGS_MAX */
	size_t finding_count;
	uint64_t findings_all;
	struct oev_verify_segment *segments; /* in the order of the log */
	size_t segment_count;
	char node[256];
	char origin[320];		     /* name of the log in its checkpoints */
	uint64_t rows, batches, checkpoints; /* that were checked */
	uint64_t by_seal_rows;	/* of these rows, those checked by the seal of their file alone */
	uint64_t standing_rows; /* in batches that hold and that a good checkpoint covers */
	uint64_t bytes;
	uint64_t tail_rows;			    /* the open tail */
	uint64_t tail_us;			    /* since when; 0 none */
	uint64_t removed_segments, removed_batches; /* by retention, as signed removal rows tell; segments of
						     * which the rows were removed too are not counted */
	uint64_t gap_events;			    /* events the recorder itself says it could not keep */
	uint64_t recoveries;			    /* lives that were cut off and finished later */
	uint64_t signed_us;			    /* time of the last checkpoint that holds */
	uint64_t signed_batch;
	char signed_root[OEV_VERIFY_HEX]; /* root over the log in it; "" none */
	char key[64];			  /* short name of the key, as in its file; "" none */
	enum oev_verify_trust trust;
	bool is_key_of_folder; /* the key given lies in the folder itself */
	enum oev_verify_witness witness;
	char witness_path[512];
	uint64_t witness_batch; /* newest outside checkpoint that the log agrees with */
	uint64_t witness_us;
	double seconds;
};

/* Verifies options->path into *@out, which needs no preparation; free with _fini in every case. The same
 * fields are filled for every outcome. One thread; may take minutes. */
void oev_verify_folder(struct oev_verify_result *out, const struct oev_verify_options *options);
void oev_verify_fini(struct oev_verify_result *result);

/* Exit code of the command line: 0 intact; 1 altered, foreign_key, mixed, cut, gap, leftover; 3 unsealed,
 * unwitnessed; 4 not evidence, not found, ...; 2 usage; 70 bug; 130 interrupted. */
int oev_verify_exit(enum oev_verify_outcome outcome);

/* The finding that decided the outcome; NULL when there is none. */
const struct oev_verify_finding *oev_verify_first(const struct oev_verify_result *result);

const char *oev_verify_outcome_text(enum oev_verify_outcome outcome);  /* "foreign_key" */
const char *oev_verify_outcome_title(enum oev_verify_outcome outcome); /* "FOREIGN KEY" */
const char *oev_verify_kind_text(enum oev_verify_kind kind);	       /* "swapped" */
const char *oev_verify_trust_text(enum oev_verify_trust trust);	       /* "given" */
const char *oev_verify_witness_text(enum oev_verify_witness witness);  /* "beside" */
const char *oev_verify_state_text(enum oev_verify_state state);	       /* "sealed" */

/* One line without colour, for other reports: "intact, signed 2026-11-29T14:03:20Z, no outside
 * checkpoint". */
void oev_verify_line(const struct oev_verify_result *result, char *buf, size_t size);

/* The object "doic.verify/1", all keys present for every outcome. Returns OC_OK, OC_ENOMEM, OC_EIO. */
int oev_verify_json(const struct oev_verify_result *result, const char *tool, FILE *out, bool one_line);

/* For those who verify again and again: sealed segments that were good are not read again while their
 * files are the same. NULL when out of memory; NULL may be freed. */
struct oev_verify_memory *oev_verify_memory_new(void);
void oev_verify_memory_free(struct oev_verify_memory *memory);
