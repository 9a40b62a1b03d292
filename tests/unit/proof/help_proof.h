/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What several tests of proofs need: vectors, hashes out of nothing, folders, keys.
 */
#pragma once

#include <jansson.h>

#include "evidence/proof/oev_key.h"
#include "evidence/proof/oev_merkle.h"

#define HELP_PATH_MAX 256u

/* The hash of the text "leaf INDEX" as a leaf. */
void help_leaf(uint64_t index, struct oev_hash *out);

/* A file of vectors beside the tests; the test fails when it is not there. To be released with
 * json_decref(). */
json_t *help_vectors(const char *name);

/* Hexadecimal of a JSON string to @out of @size octets; how many they are. */
size_t help_hex(const json_t *text, uint8_t *out, size_t size);

/* The array of hashes of a JSON array of hexadecimal texts. */
void help_path(const json_t *list, struct oev_path *out);

/* A fresh folder below /tmp, and its end with everything in it. */
void help_folder_make(char folder[static HELP_PATH_MAX]);
void help_folder_remove(const char *folder);

/* A key of its own in @folder, and its public half in the name of @node. */
struct oev_key *help_key(const char *folder, const char *name, const char *node, struct oev_public *out);

/* The text of a file, NUL behind it, to be freed; NULL when it is not there. */
char *help_file(const char *path, size_t *len);
