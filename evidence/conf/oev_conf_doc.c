/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Places and the error line of a document being read.
 */
#include "oev_conf_doc.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

#define EXTRACT_OCTETS 40u

int oev_conf_doc_check(struct oev_conf_doc *doc, int (*parse)(struct oev_conf_doc *doc, void *out), void *out,
		       struct oev_conf_errors *errors)
{
	char error[OEV_CONF_ERROR_MAX] = "";

	doc->error = error;
	doc->errors = errors;
	errors->count = errors->all = errors->warned = 0;
	int err = parse(doc, out);
	if (err != OC_OK && errors->all == 0)
		oev_conf_errors_add(errors, doc->file, error);
	return err;
}

void oev_conf_doc_fini(struct oev_conf_doc *doc)
{
	free(doc->places);
	doc->places = NULL;
	doc->place_count = 0;
	doc->place_room = 0;
}

int oev_conf_doc_add(struct oev_conf_doc *doc, const struct oev_conf_place *place)
{
	if (doc->place_count == doc->place_room) {
		size_t room = doc->place_room == 0 ? 64 : 2 * doc->place_room;
		struct oev_conf_place *grown = realloc(doc->places, room * sizeof(*grown));

		if (grown == NULL)
			return oev_conf_doc_fail(doc, place, OC_ENOMEM, "out of memory");
		doc->places = grown;
		doc->place_room = room;
	}
	doc->places[doc->place_count++] = *place;
	return OC_OK;
}

const struct oev_conf_place *oev_conf_doc_find(const struct oev_conf_doc *doc, const char *path)
{
	for (size_t i = 0; i < doc->place_count; i++)
		if (strcmp(doc->places[i].path, path) == 0)
			return &doc->places[i];
	return NULL;
}

int oev_conf_doc_fail(const struct oev_conf_doc *doc, const struct oev_conf_place *at, int err,
		      const char *format, ...)
{
	va_list args;
	const char *key = at->path[0] != '\0' ? at->path : "document";
	int used = snprintf(doc->error, OEV_CONF_ERROR_MAX, "%s:%" PRIu32 ":%" PRIu32 ": %s: ", doc->file,
			    at->line, at->column, key);

	if (used < 0 || (size_t)used >= OEV_CONF_ERROR_MAX)
		return err;
	va_start(args, format);
	vsnprintf(doc->error + used, OEV_CONF_ERROR_MAX - (size_t)used, format, args);
	va_end(args);
	return err;
}

int oev_conf_doc_keep(const struct oev_conf_doc *doc, int err, int before)
{
	if (err != OC_OK && doc->errors)
		oev_conf_errors_add(doc->errors, doc->file, doc->error);
	return before != OC_OK ? before : err;
}

const char *oev_conf_extract(const char *text, size_t len, char out[static OEV_CONF_EXTRACT_MAX])
{
	size_t shown = len < EXTRACT_OCTETS ? len : EXTRACT_OCTETS;

	for (size_t i = 0; i < shown; i++)
		out[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
	snprintf(out + shown, OEV_CONF_EXTRACT_MAX - shown, "%s", len > shown ? "..." : "");
	return out;
}
