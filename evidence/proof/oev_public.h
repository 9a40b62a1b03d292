/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The public key of a node, and the file public-key.txt that stands beside its evidence:
 *
 *	doic.public-key/1
 *	algorithm ed25519
 *	node dra.example.net
 *	key 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
 *	fingerprint 21:fe:31:df:a1:54:a2:61
 *
 * The fingerprint is the first 8 octets of the key's SHA-256.
 */
#pragma once

#include "oev_ed25519.h"
#include "oev_why.h"

#define OEV_NODE_MAX 255u
#define OEV_FINGERPRINT_LEN 23u
#define OEV_PUBLIC_TEXT_MAX 512u
#define OEV_PUBLIC_FILE "public-key.txt"

struct oev_public {
	char node[OEV_NODE_MAX + 1]; /* visible ASCII, no spaces */
	uint8_t key[OEV_ED25519_PUBLIC];
};

/* "4f:9a:...". */
void oev_public_fingerprint(const uint8_t key[static OEV_ED25519_PUBLIC],
			    char out[static OEV_FINGERPRINT_LEN + 1]);

/* The one text for @public_key; returns its length, 0 when the node's name cannot stand in it. */
size_t oev_public_text(const struct oev_public *public_key, char out[static OEV_PUBLIC_TEXT_MAX]);

/* Strict: the text must be the one that oev_public_text() gives. OC_OK, OC_EMALFORMED, OC_EVERSION. */
int oev_public_parse(const char *text, size_t len, struct oev_public *out, struct oev_why *why);

/* Writes FOLDER/public-key.txt (mode 0644) unless it says the same already. OC_OK, OC_EREFUSED (another key
 * or node stands there: it is left), OC_EIO, OC_EINVAL (name). */
int oev_public_write(const char *folder, const struct oev_public *public_key, struct oev_why *why);

/* Reads such a file. OC_OK, OC_ENOENT, OC_EIO, OC_EMALFORMED, OC_EVERSION. */
int oev_public_read(const char *path, struct oev_public *out, struct oev_why *why);
