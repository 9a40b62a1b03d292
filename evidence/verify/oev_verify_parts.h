/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the parts of the verification share: the run over a folder, the log as far as it was followed, one
 * segment. Private to evidence/verify.
 */
#pragma once

#include <sqlite3.h>

#include "../proof/oev_batch.h"
#include "../proof/oev_checkpoint.h"
#include "../proof/oev_frontier.h"
#include "../proof/oev_public.h"
#include "../proof/oev_seal.h"
#include "oev_facts.h"
#include "oev_layout.h"
#include "oev_sweep.h"
#include "oev_verify.h"
#include "oev_witness.h"

#define OEV_SEGMENT_PREFIX "seg-"
#define OEV_SEGMENT_SUFFIX ".db"
#define OEV_MARK_OCTETS 2u   /* of each leaf's hash, kept in column batch.marks */
#define OEV_BAD_ROWS_MAX 32u /* of one segment that are named one by one */
#define OEV_WITNESS_FILES 3u
#define OEV_BATCH_FIELDS 9
#define OEV_SCHEMA_PROVEN 3u /* first schema whose rows are leaves */
#define OEV_SCHEMA_NEWEST 4u

/* The log of batches, from the oldest segment on. */
struct oev_verify_log {
	struct oev_frontier frontier;
	struct oev_hash chain;	     /* of the last batch, as stored */
	struct oev_hash other_chain; /* as it should be, when that differs */
	uint64_t number;	     /* last batch */
	uint64_t rows;		     /* in all batches up to it */
	bool has_chain, has_other_chain, has_rows;
	bool is_known;	  /* frontier is that of batch number; not after something broke it */
	bool is_doubtful; /* a record in it was put right: the next checkpoint tells whether it was */
};

/* One file as found in the folder, before it is judged. */
struct oev_verify_file {
	char *path;
	char name[OEV_VERIFY_NAME_MAX];
	char node[OEV_NODE_MAX + 1];
	uint64_t order;	       /* log_size of its meta */
	unsigned log;	       /* which log, when one of them was broken off */
	size_t listed;	       /* as the how manieth, from 0; the order changes */
	uint64_t signed_batch; /* last one that a good checkpoint in it covers; 0 none */
	uint64_t bytes;
	bool is_segment; /* has facts */
	bool has_place;	 /* order is what it says */
	bool begins_anew;
	bool has_seal;
	bool is_last; /* of the log */
};

/* Batches that no segment here holds. */
struct oev_verify_hole {
	uint64_t first, last;
	char before[OEV_VERIFY_NAME_MAX]; /* segment that follows */
};

/* A finished segment without a seal when it was read: it may just be on its way. */
struct oev_verify_late {
	const struct oev_verify_file *file;
	size_t segment; /* place in the result */
};

struct oev_verify_run {
	struct oev_verify_result *result;
	const struct oev_verify_options *options;
	struct oev_public signer; /* whose signatures count */
	bool has_signer;
	sqlite3 *model; /* schema of this program */
	struct oev_layout *model_layout;
	struct oev_verify_file *files;
	size_t file_count;
	char *folder;
	char *beside;	/* file of checkpoints the recorder keeps */
	bool is_single; /* one segment was named, not a folder */
	struct oev_verify_log log;
	struct oev_witness witnesses[OEV_WITNESS_FILES];
	unsigned witness_count;
	char *newest; /* note of the newest checkpoint that holds */
	struct oev_verify_removal {
		uint64_t first, last;
		uint64_t batch; /* that took the row */
		size_t file;	/* in which it stands */
		bool is_signed; /* a good checkpoint covers that batch */
	} * removals;
	size_t removal_count, removal_size;
	struct oev_verify_hole *holes; /* one before each file at most */
	size_t hole_count;
	uint64_t done_bytes, total_bytes; /* of work: files are read twice */
	struct oev_verify_late *late;
	size_t late_count;
	bool is_live;	   /* the last segment is being written */
	bool has_vanished; /* a file was there when the folder was listed, and not when it was read */
	bool is_stopped;
	bool is_end_unknown;	       /* a segment could not be followed to its end */
	enum oev_verify_outcome worst; /* of all findings */
};

/* A row that is not what its mark says. */
struct oev_bad_row {
	unsigned table; /* place in the layout */
	int64_t row;
	uint64_t batch;
	uint64_t wall_us;
	uint64_t good_batch, good_us, good_rows;
	uint8_t mark[OEV_MARK_OCTETS];
	struct oev_hash leaf;
	bool is_told;
};

/* One segment being judged. */
struct oev_verify_work {
	struct oev_verify_run *run;
	struct oev_verify_segment *segment;
	const struct oev_verify_file *file;
	sqlite3 *db;
	struct oev_facts facts;
	struct oev_seal seal;
	struct oev_hash digest;
	bool has_seal;	     /* and it says something */
	bool digest_differs; /* from it */
	bool is_by_seal;     /* options.by_seals, and it is what was sealed */
	bool is_cut_short;   /* the file is shorter than sealed */
	bool is_judged;	     /* all rows were looked at */
	bool is_blank;	     /* no row was ever written */
	bool has_wal;	     /* with something in it */
	bool is_aside;	     /* no part of the folder's log */
	struct oev_verify_log saved;
	struct oev_layout *own_layout; /* when the schema is not the model's */
	const struct oev_layout *layout;
	struct oev_sweep sweep;
	sqlite3_stmt *checkpoints; /* stands at the next one when has_checkpoint */
	bool has_checkpoint;
	sqlite3_stmt *batches;
	int batch_columns[OEV_BATCH_FIELDS];
	char written_as[OEV_SEGMENT_MAX + 1]; /* its name when it was written, which batch records hold */
	struct oev_bad_row bad[OEV_BAD_ROWS_MAX];
	unsigned bad_count;
	uint64_t bad_rows;			 /* those not named included */
	uint64_t good_batch, good_us, good_rows; /* last checkpoint that holds */
	uint64_t fresh_rows;			 /* in good batches behind it */
	uint64_t tail_us;			 /* of the first batch behind the last checkpoint */
	uint64_t first_finding;			 /* of the run, when this segment began */
	uint64_t total_rows;			 /* as batches say */
	uint64_t disorder;			 /* rows that were not where batches say */
	uint64_t breathed;			 /* octets of this file that were told as done */
	bool is_page_known;			 /* oev_verify_page() asked already */
	char page_text[160];
	uint64_t page;
	bool rows_unknown; /* some batch does not tell its rows, so nothing can be said of those left over */
	bool is_finished;  /* meta closed_how */
};

/* Starts a finding of @outcome and @kind at the segment of @work (NULL: of none), with the sentence. Never
 * NULL: findings beyond the room go to a place where they are only counted. */
__attribute__((format(printf, 5, 6))) struct oev_verify_finding *
oev_verify_find(struct oev_verify_run *run, struct oev_verify_work *work, enum oev_verify_outcome outcome,
		enum oev_verify_kind kind, const char *format, ...);

/* Batch, time and last good checkpoint of @finding, as @work stands. */
void oev_verify_find_batch(struct oev_verify_finding *finding, const struct oev_verify_work *work,
			   uint64_t batch, uint64_t wall_us);
void oev_verify_find_row(struct oev_verify_finding *finding, const char *table, int64_t row);

/* Puts the findings of a segment in the order of its batches. */
void oev_verify_find_sort(struct oev_verify_run *run, size_t first);

/* @a and @b in one text, to be freed; NULL when out of memory. */
char *oev_verify_join(const char *a, const char *b);

/* Tells how far it is; false when the caller wants it to stop. */
bool oev_verify_go_on(struct oev_verify_run *run, uint64_t bytes);

/* oev_verify_list.c: the folder; then its files. OC_OK; OC_ENOENT, OC_EIO with result->outcome and error
 * set; OC_ENOMEM. */
int oev_verify_place(struct oev_verify_run *run);
int oev_verify_list(struct oev_verify_run *run);

/* oev_verify_removed.c: the removals that @db, which is file number @listed, tells of. OC_OK, OC_ENOMEM. */
int oev_verify_removals(struct oev_verify_run *run, sqlite3 *db, size_t listed);
/* Looks at the folder once more, for removals alone. */
void oev_verify_removals_again(struct oev_verify_run *run);
/* After the last segment: which of them are signed? Puts them in the order of their batches. */
void oev_verify_removals_end(struct oev_verify_run *run);

/* oev_verify_file.c: size, seal, digest, what lies beside. Opens the database. OC_OK; else it cannot be
 * read further, and the finding is there: OC_EIO, OC_EMALFORMED, OC_ENOENT (removed meanwhile),
 * OC_EINTERRUPTED. */
int oev_verify_file_open(struct oev_verify_work *work);
/* Reads the seal and holds the file's digest against it. OC_OK also when they differ; OC_EIO, OC_ENOMEM,
 * OC_EINTERRUPTED. */
int oev_verify_file_seal(struct oev_verify_work *work);
/* After the rows: when the digest differs and nothing else was found, that is it. */
void oev_verify_file_end(struct oev_verify_work *work);

/* oev_verify_memory.c: run->model and its layout, which run_fini() frees unless they are remembered. */
int oev_verify_memory_model(struct oev_verify_run *run);
/* Takes what is remembered of @file, if it still holds; keeps what was found, when it was good. */
bool oev_verify_memory_recall(struct oev_verify_run *run, const struct oev_verify_file *file);
void oev_verify_memory_keep(const struct oev_verify_run *run, const struct oev_verify_file *file,
			    const struct oev_verify_result *before, const struct oev_verify_log *log_before);

/* oev_verify_seal.c: @text NULL: it could not be read. */
enum oev_seal_state { OEV_SEAL_GOOD, OEV_SEAL_BROKEN, OEV_SEAL_FOREIGN_KEY };
enum oev_seal_state oev_verify_seal_judge(const struct oev_verify_run *run, const char *text, size_t len,
					  struct oev_seal *out, struct oev_why *why);
/* Whether the seal, or meta, says that the file's schema is the one it was written with, though this
 * program writes another. */
bool oev_verify_schema_is_known(struct oev_verify_work *work);

/* oev_verify_link.c: the segment's place in the log, before its first batch, and after its last one. */
void oev_verify_link(struct oev_verify_work *work);
void oev_verify_link_end(struct oev_verify_work *work);
/* After the last segment: which holes does retention explain? */
void oev_verify_holes(struct oev_verify_run *run);

/* oev_verify_late.c: after the last segment: those that are still without a seal are unsealed, the others
 * get their digest compared. OC_OK, OC_EINTERRUPTED, OC_ENOMEM. */
int oev_verify_late(struct oev_verify_run *run);

/* oev_verify_deep.c: what else can be asked of a segment. */
void oev_verify_deep(struct oev_verify_work *work);

/* oev_verify_segment.c: everything about one segment. OC_OK also when something is wrong with it;
 * OC_ENOMEM, OC_EINTERRUPTED. */
int oev_verify_segment(struct oev_verify_run *run, const struct oev_verify_file *file);

/* oev_verify_batch.c: work->batches over table batch. OC_OK, OC_ENOENT (no such table, or other columns),
 * OC_EIO. */
int oev_verify_batches_open(struct oev_verify_work *work);
/* The batch where it stands. OC_OK, OC_ENOMEM, OC_EINTERRUPTED. */
int oev_verify_batch(struct oev_verify_work *work);

/* oev_verify_rows.c: makes the rows of @batch into its root and holds them against @marks. *@is_whole:
 * every row could be read. */
struct oev_verify_marks {
	const uint8_t *octets;
	size_t len;
};
int oev_verify_rows(struct oev_verify_work *work, const struct oev_batch *batch,
		    const struct oev_verify_marks *marks, struct oev_hash *root, bool *is_whole,
		    uint64_t *bad);
/* Rows that no batch took. */
void oev_verify_rows_left(struct oev_verify_work *work);
/* A sign of life; false to stop. */
bool oev_verify_rows_breathe(struct oev_verify_work *work);

/* What it means when something in the file cannot be read. */
static inline enum oev_verify_outcome oev_verify_broken(const struct oev_verify_work *work)
{
	return work->is_cut_short ? OEV_VERIFY_CUT : OEV_VERIFY_ALTERED;
}

/* oev_verify_page.c: the sentence and the page of @finding: SQLite cannot read on in @table ("" anywhere). */
void oev_verify_page(struct oev_verify_work *work, struct oev_verify_finding *finding, const char *table);

/* oev_verify_swap.c: tells of the bad rows of a segment: each alone, or two that changed places. */
void oev_verify_bad_rows(struct oev_verify_work *work);

/* oev_verify_note.c: what a note is worth. */
enum oev_note_state {
	OEV_NOTE_GOOD,
	OEV_NOTE_BROKEN,
	OEV_NOTE_FOREIGN_KEY,
	OEV_NOTE_FOREIGN_NODE,
	OEV_NOTE_FORGED
};
enum oev_note_state oev_verify_note_judge(const struct oev_verify_run *run, const char *text, size_t len,
					  struct oev_checkpoint *out, struct oev_why *why);
/* work->checkpoints over table checkpoint. OC_OK, OC_ENOENT. */
int oev_verify_checkpoints_open(struct oev_verify_work *work);
/* Those of the segment up to batch @number, which was the last one. OC_OK, OC_ENOMEM. */
int oev_verify_checkpoints(struct oev_verify_work *work, uint64_t number);
/* Those that are left behind the last batch. */
void oev_verify_checkpoints_end(struct oev_verify_work *work);

/* oev_verify_outside.c: opens the files that options name, and the one beside the folder, and then, when
 * the node is known, begins to read them. OC_OK; OC_ENOENT, OC_EIO, OC_EMALFORMED with result->outcome and
 * error set; OC_ENOMEM. */
int oev_verify_outside_open(struct oev_verify_run *run);
int oev_verify_outside_begin(struct oev_verify_run *run);
/* Checkpoints of the log's present size against the log. */
void oev_verify_outside(struct oev_verify_run *run, struct oev_verify_work *work);
/* The folder's log ends here and another begins: what tells of more than the first one holds, is said. */
void oev_verify_outside_anew(struct oev_verify_run *run);
/* What tells of more than there is; who vouches for key and end. */
void oev_verify_outside_end(struct oev_verify_run *run);
/* After a good run: the newest checkpoint goes into options->remember. OC_OK, OC_EIO. */
int oev_verify_remember(struct oev_verify_run *run);
