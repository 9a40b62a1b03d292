/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Octets, hashes and paths in JSON files, one form for each.
 */
#pragma once

#include <jansson.h>

#include "oev_merkle.h"

/* New values; NULL: no memory. */
json_t *oev_json_hex(const void *data, size_t len);
json_t *oev_json_path(const struct oev_path *path);

/* Puts @value under @key, taking it over; -1 when either is not there: sum up, and compare with 0 at the
 * end. */
int oev_json_put(json_t *object, const char *key, json_t *value);

/* Reads an array of hashes. OC_OK or OC_EMALFORMED. */
int oev_json_take_path(const json_t *list, struct oev_path *out);

/* Reads an integer from 0 on. OC_OK or OC_EMALFORMED. */
int oev_json_take_count(const json_t *value, uint64_t *out);

/* Parses a whole file, an object whose "schema" is @schema; NULL with the sentence, *@rc is OC_EMALFORMED,
 * OC_EVERSION or OC_ERANGE (too long). */
json_t *oev_json_open(const char *text, size_t len, const char *schema, int *rc, struct oev_why *why);

#define OEV_JSON_PATH_MAX 96u

/* oev_json_differ.c: false when @is is @should (NULL: not there); else *@out says of the first part that is not, called from @path on, how.
 * Only as deep as @should is where both have an object. */
bool oev_json_differ(const char *path, const json_t *should, const json_t *is, char *out, size_t size);
