/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A checkpoint: what a node's log of batches was at one moment, in a signed note.
 *
 *	doic.checkpoint/1
 *	origin dra.example.net
 *	size 812
 *	root HEX
 *	segment doic-20261129T140000Z.sqlite
 *	rows 3326976
 *	mono_ns 84211003321987
 *	wall_us 1796047407114000
 *	chain HEX
 */
#pragma once

#include "oev_hash.h"
#include "oev_note.h"

#define OEV_SEGMENT_MAX 127u	 /* octets of a segment's file name */
#define OEV_CHECKPOINT_MAX 1024u /* octets of the body, with NUL */

struct oev_checkpoint {
	char origin[OEV_NODE_MAX + 1];
	uint64_t size;			   /* batches in the log, which is the number of the last one */
	struct oev_hash root;		   /* over the log's leaves */
	char segment[OEV_SEGMENT_MAX + 1]; /* file that holds the last batch */
	uint64_t rows;			   /* in all batches so far */
	uint64_t mono_ns;		   /* of signing */
	uint64_t wall_us;
	struct oev_hash chain; /* of the last batch (oev_batch.h); zero octets when there is none */
};

/* The one text for @checkpoint; OC_OK or OC_EINVAL (a name cannot stand in it). */
int oev_checkpoint_text(const struct oev_checkpoint *checkpoint, char out[static OEV_CHECKPOINT_MAX]);

/* Reads the body of a note. OC_OK, OC_EMALFORMED, OC_EVERSION. */
int oev_checkpoint_parse(const char *body, size_t len, struct oev_checkpoint *out, struct oev_why *why);

/* Text and signature in one: as oev_note_sign(). */
int oev_checkpoint_sign(const struct oev_checkpoint *checkpoint, const struct oev_key *key, char *out,
			size_t size, struct oev_why *why);

/* From a note to a checkpoint that @signer signed as its origin; @signer NULL: only read, not believed.
 * OC_OK, OC_EMALFORMED, OC_EVERSION, OC_EREFUSED, OC_ENOMEM. */
int oev_checkpoint_open(const char *note, size_t len, const struct oev_public *signer,
			struct oev_checkpoint *out, struct oev_why *why);
