/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A seal: what a finished segment's file is, octet for octet, in a signed note beside it ("seg-20261129T140000.db.seal").
 *
 *	doic.seal/1
 *	origin dra.example.net
 *	segment seg-20261129T140000.db
 *	bytes 1073741824
 *	sha256 HEX
 *	first 401
 *	last 812
 *	root HEX
 *	wall_us 1796047407114000
 */
#pragma once

#include "oev_checkpoint.h"

#define OEV_SEAL_SUFFIX ".seal"
#define OEV_SEAL_MAX 1024u /* octets of the body, with NUL */

struct oev_seal {
	char origin[OEV_NODE_MAX + 1];
	char segment[OEV_SEGMENT_MAX + 1];
	uint64_t bytes; /* of the file */
	struct oev_hash sha256;
	uint64_t first; /* batches in it; 0 and 0: none */
	uint64_t last;
	struct oev_hash root; /* of the log of @last batches; zero octets when it holds none */
	uint64_t wall_us;     /* of sealing */
};

/* The one text for @seal; OC_OK or OC_EINVAL (a name cannot stand in it). */
int oev_seal_text(const struct oev_seal *seal, char out[static OEV_SEAL_MAX]);

/* Reads the body of a note. OC_OK, OC_EMALFORMED, OC_EVERSION. */
int oev_seal_parse(const char *body, size_t len, struct oev_seal *out, struct oev_why *why);

/* Text and signature in one: as oev_note_sign(). */
int oev_seal_sign(const struct oev_seal *seal, const struct oev_key *key, char *out, size_t size,
		  struct oev_why *why);

/* From a note to a seal that @signer signed as its origin; @signer NULL: only read, not believed.
 * OC_OK, OC_EMALFORMED, OC_EVERSION, OC_EREFUSED, OC_ENOMEM. */
int oev_seal_open(const char *note, size_t len, const struct oev_public *signer, struct oev_seal *out,
		  struct oev_why *why);

/* The same from the file @path. Also OC_ENOENT and OC_EIO. */
int oev_seal_read(const char *path, const struct oev_public *signer, struct oev_seal *out,
		  struct oev_why *why);
