/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A document while it is being read: its text, the places of its keys, and the one error it may yield.
 *
 * Reading takes three steps, each stopping at the first mistake: the walk (oev_conf_walk.h) follows libyaml's
 * events, checks every key and value against the table (oev_conf_check.h) and notes its place; libcyaml then
 * converts the text into a struct (oev_conf_load.h); cross-checks look at that struct and use the places.
 */
#pragma once

#include "oev_conf.h"
#include "oev_conf_errors.h"

#define OEV_CONF_DOCUMENT_MAX 1048576u /* octets */
#define OEV_CONF_NAME_MAX 96u	       /* of a key path with its list positions */

/* Where the value of a key was found. Counted from 1. */
struct oev_conf_place {
	char path[OEV_CONF_NAME_MAX]; /* "trust.peers[2].doic"; "" is the whole document */
	uint32_t line;
	uint32_t column;
	uint32_t key_line; /* of the key itself, which may be above its value */
};

struct oev_conf_doc {
	enum oev_conf_document kind;
	const char *file;
	const char *text;
	size_t len;
	char *error;			/* OEV_CONF_ERROR_MAX octets */
	struct oev_conf_errors *errors; /* NULL: the first mistake ends the reading */
	struct oev_conf_place *places;
	size_t place_count;
	size_t place_room;
};

/* Frees the places, not the borrowed texts. */
void oev_conf_doc_fini(struct oev_conf_doc *doc);

/* @parse fills @out from @doc; every mistake it finds comes into @errors, one at least when it does not return OC_OK. */
int oev_conf_doc_check(struct oev_conf_doc *doc, int (*parse)(struct oev_conf_doc *doc, void *out), void *out,
		       struct oev_conf_errors *errors);

/* Copies @place in. Returns OC_OK or OC_ENOMEM (with an error text). */
int oev_conf_doc_add(struct oev_conf_doc *doc, const struct oev_conf_place *place);

/* The place of @path, borrowed until the next oev_conf_doc_add(); NULL when the document lacks it. */
const struct oev_conf_place *oev_conf_doc_find(const struct oev_conf_doc *doc, const char *path);

/* Writes "FILE:LINE:COLUMN: KEY: reason" and returns @err. */
int oev_conf_doc_fail(const struct oev_conf_doc *doc, const struct oev_conf_place *at, int err,
		      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The first error of several parts: @before, else @err, of which the line is noted where all mistakes are wanted. */
int oev_conf_doc_keep(const struct oev_conf_doc *doc, int err, int before);

/* A printable extract of @len octets at @text for messages: cut after 40, odd octets shown as '?'. */
#define OEV_CONF_EXTRACT_MAX 48u
const char *oev_conf_extract(const char *text, size_t len, char out[static OEV_CONF_EXTRACT_MAX]);
