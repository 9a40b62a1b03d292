/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A file of checkpoints kept outside an evidence folder: notes one after the other, oldest first, read once
 * from front to back. A seal tells of the log's end as a checkpoint does, and counts as one, unless more was told
 * before it.
 *
 * It may hold notes of several nodes (a log server collects them so), empty lines between notes, and a last
 * note that is not whole (its writer was killed, or is writing): that one is not there yet. The file is
 * looked at as long as it was when it was opened, so that it never tells of more than a segment opened
 * afterwards can hold.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../proof/oev_checkpoint.h"
#include "oev_verify.h"

struct oev_witness {
	FILE *file;
	enum oev_verify_witness source;
	const char *path; /* borrowed */
	uint64_t left;	  /* octets */
	uint64_t line;	  /* read last, from 1 */
	uint64_t broken;  /* notes that could not be read */
	uint64_t broken_line;
	uint64_t others; /* notes of other nodes */
	uint64_t notes;	 /* of this one */
	bool has_next;
	bool begins_anew;   /* next is of a smaller log than the note before: the node began another log */
	uint64_t last_size; /* of the note before */
	struct oev_checkpoint next; /* not believed yet */
	char *note;		    /* its text, with NUL */
	size_t note_len;
	bool has_differed; /* for the caller: it was said that the log is another one */
	bool has_agreed;   /* for the caller: the kept one is one that the log agreed with */
	struct oev_checkpoint kept;
	char *kept_note;
	size_t kept_len;
};

/* Opens @path. OC_OK, OC_ENOENT, OC_EIO, OC_ENOMEM. Free with _fini in every case. */
int oev_witness_init(struct oev_witness *witness, enum oev_verify_witness source, const char *path);
void oev_witness_fini(struct oev_witness *witness);

/* What a note says of the log, be it a checkpoint or a seal; that without batches says nothing. As
 * oev_checkpoint_open(). */
int oev_witness_read(const char *note, size_t len, const struct oev_public *signer,
		     struct oev_checkpoint *out, struct oev_why *why);

/* Reads on to the next note of @origin ("" any): witness->has_next says whether there is one. OC_OK,
 * OC_EIO. */
int oev_witness_next(struct oev_witness *witness, const char *origin);

/* Keeps the next note beyond the further reading; has_next stays, but its text is gone. */
void oev_witness_keep(struct oev_witness *witness);
