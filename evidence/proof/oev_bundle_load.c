/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Proof bundles: from JSON to struct. Only the form is looked at here.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_armor.h"
#include "oev_bundle_inner.h"
#include "oev_json.h"

/* A bundle with what it points into: texts lie in @root, octets in @pool. */
struct loaded {
	struct oev_bundle bundle; /* first: oev_bundle_free() casts back */
	json_t *root;
	struct oev_column *columns;
	uint8_t *pool; /* half as large as the file, and a digit pair there is an octet here */
	size_t pool_used;
};

static int take_hex(struct loaded *to, const json_t *text, const uint8_t **octets, size_t *len)
{
	uint8_t *at = to->pool + to->pool_used;
	size_t count = json_string_length(text) / 2;

	if (!json_is_string(text) ||
	    oev_armor_hex_parse(json_string_value(text), json_string_length(text), at, count) != OC_OK)
		return OC_EMALFORMED;
	to->pool_used += count;
	*octets = at;
	*len = count;
	return OC_OK;
}

/* {"hex": ...} or {"text_hex": ...} */
static int take_wrapped(struct loaded *to, const json_t *value, struct oev_value *out)
{
	const json_t *blob = json_object_get(value, "hex"), *text = json_object_get(value, "text_hex");

	out->type = blob != NULL ? OEV_BLOB : OEV_TEXT;
	return take_hex(to, blob != NULL ? blob : text, &out->data, &out->len);
}

static int take_value(struct loaded *to, const json_t *value, struct oev_value *out)
{
	*out = (struct oev_value){ .type = OEV_NULL };
	if (json_is_object(value))
		return take_wrapped(to, value, out);
	if (json_is_integer(value)) {
		out->type = OEV_INTEGER;
		out->integer = json_integer_value(value);
	} else if (json_is_string(value)) {
		out->type = OEV_TEXT;
		out->data = (const uint8_t *)json_string_value(value);
		out->len = json_string_length(value);
	} else if (!json_is_null(value)) {
		return OC_EMALFORMED;
	}
	return OC_OK;
}

static int take_columns(struct loaded *to, json_t *columns)
{
	size_t count = json_object_size(columns), i = 0;

	if (!json_is_object(columns))
		return OC_EMALFORMED;
	to->columns = calloc(count + 1, sizeof(*to->columns));
	if (to->columns == NULL)
		return OC_ENOMEM;
	for (void *at = json_object_iter(columns); at != NULL; at = json_object_iter_next(columns, at), i++) {
		to->columns[i].name = json_object_iter_key(at);
		if (take_value(to, json_object_iter_value(at), &to->columns[i].value) != OC_OK)
			return OC_EMALFORMED;
	}
	to->bundle.columns = to->columns;
	to->bundle.column_count = count;
	return OC_OK;
}

static int take_row(struct loaded *to, const json_t *row)
{
	const json_t *rowid = json_object_get(row, "rowid");
	uint64_t number;

	to->bundle.table = json_string_value(json_object_get(row, "table"));
	if (to->bundle.table == NULL || !json_is_integer(rowid) ||
	    oev_json_take_count(json_object_get(row, "number"), &number) != OC_OK || number > UINT8_MAX)
		return OC_EMALFORMED;
	to->bundle.table_number = (uint8_t)number;
	to->bundle.rowid = json_integer_value(rowid);
	int rc = take_columns(to, json_object_get(row, "columns"));
	if (rc == OC_OK)
		rc = take_hex(to, json_object_get(row, "octets"), &to->bundle.octets, &to->bundle.octets_len);
	return rc;
}

static int take_batch(struct loaded *to, const json_t *batch)
{
	int rc = take_hex(to, json_object_get(batch, "octets"), &to->bundle.batch, &to->bundle.batch_len);

	if (rc == OC_OK)
		rc = oev_json_take_count(json_object_get(batch, "leaf"), &to->bundle.leaf);
	if (rc == OC_OK)
		rc = oev_json_take_path(json_object_get(batch, "path"), &to->bundle.leaf_path);
	return rc;
}

static int take_text(const json_t *text, const char **out, size_t *len)
{
	*out = json_string_value(text);
	*len = json_string_length(text);
	return *out != NULL ? OC_OK : OC_EMALFORMED;
}

static int take_rest(struct loaded *to)
{
	struct oev_bundle *bundle = &to->bundle;
	int rc = oev_json_take_path(json_object_get(json_object_get(to->root, "log"), "path"),
				    &bundle->batch_path);

	if (rc == OC_OK)
		rc = take_text(json_object_get(to->root, "checkpoint"), &bundle->checkpoint,
			       &bundle->checkpoint_len);
	if (rc == OC_OK)
		rc = take_text(json_object_get(to->root, "public_key"), &bundle->public_key,
			       &bundle->public_key_len);
	return rc;
}

static int take_parts(struct loaded *to, struct oev_why *why)
{
	const char *part = "row";
	int rc = take_row(to, json_object_get(to->root, part));

	if (rc == OC_OK) {
		part = "batch";
		rc = take_batch(to, json_object_get(to->root, part));
	}
	if (rc == OC_OK) {
		part = "log, checkpoint or public key";
		rc = take_rest(to);
	}
	return rc == OC_OK ? OC_OK : oev_why(why, rc, "the %s of the bundle is not as it must be", part);
}

int oev_bundle_load(const char *text, size_t len, struct oev_bundle **out, struct oev_why *why)
{
	struct loaded *to;
	int rc;
	json_t *root = oev_json_open(text, len, OEV_BUNDLE_SCHEMA, &rc, why);

	if (root == NULL)
		return rc;
	to = calloc(1, sizeof(*to));
	if (to != NULL)
		to->pool = malloc(len / 2 + 1);
	if (to == NULL || to->pool == NULL) {
		json_decref(root);
		free(to);
		return oev_why(why, OC_ENOMEM, "out of memory");
	}
	to->root = root;
	rc = take_parts(to, why);
	if (rc == OC_OK)
		*out = &to->bundle;
	else
		oev_bundle_free(&to->bundle);
	return rc;
}

const json_t *oev_bundle_source(const struct oev_bundle *bundle)
{
	return ((const struct loaded *)bundle)->root;
}

void oev_bundle_free(struct oev_bundle *bundle)
{
	struct loaded *loaded = (struct loaded *)bundle;

	if (loaded == NULL)
		return;
	json_decref(loaded->root);
	free(loaded->columns);
	free(loaded->pool);
	free(loaded);
}
