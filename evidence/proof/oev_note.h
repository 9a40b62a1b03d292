/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A signed note: plain text to read, print and keep. Checkpoints, seals and records of deletion are notes.
 *
 *	doic.checkpoint/1
 *	origin dra.example.net
 *	...
 *
 *	- dra.example.net 21:fe:31:df:a1:54:a2:61 BASE64
 *
 * Body lines, an empty line, one line of signature: node, fingerprint of the key, Ed25519 signature over
 * every octet that stands before it, node and fingerprint included. Printable ASCII alone; no line of the
 * body is empty. The body's first line names its kind, so that a signature of one kind never passes for
 * another.
 */
#pragma once

#include <stddef.h>

#include "oev_key.h"

#define OEV_NOTE_BODY_MAX 16384u
#define OEV_NOTE_SIGNED_MAX                                                                                  \
	(3u + OEV_NODE_MAX + 1u + OEV_FINGERPRINT_LEN + 1u + OEV_BASE64_SIGNATURE_LEN + 1u)
#define OEV_BASE64_SIGNATURE_LEN 88u
#define OEV_NOTE_MAX (OEV_NOTE_BODY_MAX + OEV_NOTE_SIGNED_MAX + 1u) /* with NUL */

/* A note taken apart; everything points into its text. */
struct oev_note {
	const char *text; /* what is signed begins here */
	size_t signed_len;
	size_t body_len; /* of the text: its lines, the last newline included */
	char node[OEV_NODE_MAX + 1];
	char fingerprint[OEV_FINGERPRINT_LEN + 1];
	uint8_t signature[OEV_ED25519_SIGNATURE];
};

/* Signs @body (lines, each ended by a newline) in the name of @node; the note and a NUL go to @out of @size
 * octets, OEV_NOTE_MAX always suffices. OC_OK, OC_EINVAL (body or name cannot stand in a note), OC_ENOSPC,
 * OC_ENOMEM. */
int oev_note_sign(const struct oev_key *key, const char *node, const char *body, char *out, size_t size,
		  struct oev_why *why);

/* Takes a note apart; nothing is believed yet. OC_OK, OC_EMALFORMED. */
int oev_note_parse(const char *text, size_t len, struct oev_note *out, struct oev_why *why);

/* Is it signed by this key and node? OC_OK, OC_EREFUSED with the sentence: foreign key, foreign name, bad
 * signature; OC_ENOMEM. */
int oev_note_check(const struct oev_note *note, const struct oev_public *signer, struct oev_why *why);
