/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What to say about an unknown key: the nearest known one beside it, its real home, or all that is allowed.
 */
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../app/oev_nearest.h"
#include "oev_conf_check.h"

#define LIST_MAX 384u

/* The part of @row's path right below @parent, borrowed; NULL when @row lies elsewhere. */
static const char *segment_below(const struct oev_conf_key *row, const char *parent, size_t *len)
{
	size_t skip = strlen(parent);

	if (strncmp(row->path, parent, skip) != 0)
		return NULL;
	if (skip > 0 && row->path[skip++] != '.')
		return NULL;
	*len = strcspn(row->path + skip, ".[");
	return *len > 0 ? row->path + skip : NULL;
}

static bool near_sibling(const struct oev_conf_doc *doc, const char *parent, const char *key, size_t len,
			 char out[static OEV_CONF_NAME_MAX])
{
	size_t count;
	size_t best = OEV_UNLIKE;
	const struct oev_conf_key *keys = oev_conf_keys(&count);

	for (size_t i = 0; i < count; i++) {
		size_t word_len = 0;
		size_t away;
		const char *word =
			keys[i].document == doc->kind ? segment_below(&keys[i], parent, &word_len) : NULL;

		if (word == NULL)
			continue;
		away = oev_likeness(key, len, word, word_len);
		if (away >= best)
			continue;
		best = away;
		snprintf(out, OEV_CONF_NAME_MAX, "%.*s", (int)word_len, word);
	}
	return best != OEV_UNLIKE;
}

/* A key at the wrong level, or written as a dotted path: the first row that ends in it. */
static bool other_home(const struct oev_conf_doc *doc, const char *key, size_t len,
		       char out[static OEV_CONF_NAME_MAX])
{
	size_t count;
	const struct oev_conf_key *keys = oev_conf_keys(&count);

	for (size_t i = 0; i < count; i++) {
		size_t path_len = strlen(keys[i].path);
		const char *tail = keys[i].path + path_len - len;

		if (keys[i].document != doc->kind || len == 0 || path_len < len ||
		    memcmp(tail, key, len) != 0)
			continue;
		if (path_len > len && tail[-1] != '.')
			continue;
		snprintf(out, OEV_CONF_NAME_MAX, "%s", keys[i].path);
		return true;
	}
	return false;
}

static void all_siblings(const struct oev_conf_doc *doc, const char *parent, char out[static LIST_MAX])
{
	size_t count;
	size_t used = 0;
	size_t last_len = 0;
	const char *last = "";
	const struct oev_conf_key *keys = oev_conf_keys(&count);

	out[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		size_t len = 0;
		const char *word =
			keys[i].document == doc->kind ? segment_below(&keys[i], parent, &len) : NULL;

		/* Rows of one section follow each other, so looking at the last one is enough. */
		if (word == NULL || (len == last_len && memcmp(word, last, len) == 0))
			continue;
		if (used + len + 3 > LIST_MAX)
			return;
		used += (size_t)snprintf(out + used, LIST_MAX - used, "%s%.*s", used > 0 ? ", " : "",
					 (int)len, word);
		last = word;
		last_len = len;
	}
}

int oev_conf_unknown_key(const struct oev_conf_doc *doc, const struct oev_conf_place *at, const char *parent,
			 const char *key, size_t len)
{
	char row_path[OEV_CONF_NAME_MAX];
	char nearest[OEV_CONF_NAME_MAX];
	char siblings[LIST_MAX];

	oev_conf_row_path(parent, row_path);
	if (near_sibling(doc, row_path, key, len, nearest))
		return oev_conf_doc_fail(doc, at, OC_EMALFORMED, "unknown key; did you mean \"%s\"?",
					 nearest);
	if (other_home(doc, key, len, nearest))
		return oev_conf_doc_fail(doc, at, OC_EMALFORMED,
					 "unknown key here; it belongs at %s, one level per name", nearest);
	all_siblings(doc, row_path, siblings);
	return oev_conf_doc_fail(doc, at, OC_EMALFORMED, "unknown key (allowed: %s)", siblings);
}
