/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Required keys that an entry of a list lacks.
 */
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_conf_check.h"

/* Given, if only with a mistake that was noted. */
static bool was_met(const struct oev_conf_doc *doc, const char *path)
{
	if (oev_conf_doc_find(doc, path) != NULL)
		return true;
	for (uint32_t i = 0; i < doc->errors->count; i++)
		if (strcmp(doc->errors->list[i].key, path) == 0)
			return true;
	return false;
}

/* The key of @row right below the entry called @entry in the table, NULL when it is none or may be left out. */
static const char *required(const struct oev_conf_doc *doc, const struct oev_conf_key *row, const char *entry)
{
	size_t len = strlen(entry);

	if (row->document != doc->kind || row->fallback != NULL || strncmp(row->path, entry, len) != 0 ||
	    row->path[len] != '.' || strpbrk(row->path + len + 1, ".[") != NULL)
		return NULL;
	return row->path + len + 1;
}

void oev_conf_note_missing(const struct oev_conf_doc *doc, const char *path)
{
	char entry[OEV_CONF_NAME_MAX], full[OEV_CONF_NAME_MAX];
	const struct oev_conf_place *at = doc->errors ? oev_conf_doc_find(doc, path) : NULL;
	size_t count, len = strlen(path);
	const struct oev_conf_key *keys = oev_conf_keys(&count);

	if (at == NULL || len == 0 || path[len - 1] != ']')
		return;
	oev_conf_row_path(path, entry);
	for (size_t i = 0; i < count; i++) {
		const char *key = required(doc, &keys[i], entry);
		if (key == NULL || snprintf(full, sizeof(full), "%s.%s", path, key) >= (int)sizeof(full) ||
		    was_met(doc, full))
			continue;
		oev_conf_doc_fail(doc, at, OC_EMALFORMED, "the key \"%s\" is missing (required)", key);
		oev_conf_errors_add(doc->errors, doc->file, doc->error);
	}
}
