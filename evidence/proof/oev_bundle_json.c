/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Proof bundles: from struct to JSON.
 */
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_bundle_inner.h"
#include "oev_json.h"

/* {"@key": HEX} */
static json_t *wrapped_hex(const char *key, const struct oev_value *value)
{
	json_t *object = json_object();

	if (object != NULL && oev_json_put(object, key, oev_json_hex(value->data, value->len)) != 0) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *value_json(const struct oev_value *value)
{
	json_t *text;

	switch (value->type) {
	case OEV_NULL:
		return json_null();
	case OEV_INTEGER:
		return json_integer(value->integer);
	case OEV_TEXT:
		text = json_stringn(value->len > 0 ? (const char *)value->data : "", value->len);
		return text != NULL ? text : wrapped_hex("text_hex", value); /* no UTF-8 */
	default:
		return wrapped_hex("hex", value);
	}
}

static json_t *columns_json(const struct oev_bundle *bundle)
{
	json_t *object = json_object();

	for (size_t i = 0; object != NULL && i < bundle->column_count; i++)
		if (oev_json_put(object, bundle->columns[i].name, value_json(&bundle->columns[i].value)) !=
		    0) {
			json_decref(object);
			return NULL;
		}
	return object;
}

int oev_bundle_octets(const struct oev_bundle *bundle, struct oev_canon *canon)
{
	oev_canon_begin(canon, bundle->table_number, bundle->rowid);
	for (size_t i = 0; i < bundle->column_count; i++)
		oev_canon_value(canon, &bundle->columns[i].value);
	return canon->rc;
}

static json_t *octets_json(const struct oev_bundle *bundle)
{
	struct oev_canon canon;
	json_t *value = NULL;
	size_t len;

	oev_canon_init(&canon);
	if (oev_bundle_octets(bundle, &canon) == OC_OK) {
		const uint8_t *octets = oev_canon_octets(&canon, &len);

		value = oev_json_hex(octets, len);
	}
	oev_canon_fini(&canon);
	return value;
}

static int put_row(json_t *root, const struct oev_bundle *bundle)
{
	json_t *row = json_object();
	int rc = 0;

	rc |= oev_json_put(row, "table", json_string(bundle->table));
	rc |= oev_json_put(row, "number", json_integer(bundle->table_number));
	rc |= oev_json_put(row, "rowid", json_integer(bundle->rowid));
	rc |= oev_json_put(row, "columns", columns_json(bundle));
	rc |= oev_json_put(row, "octets", octets_json(bundle));
	return rc | oev_json_put(root, "row", row);
}

/* Numbers of 64 bits stand in JSON as they stand in a database: signed. */
static json_t *bits(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static int put_batch(json_t *root, const struct oev_bundle *bundle, const struct oev_batch *record)
{
	json_t *batch = json_object();
	int rc = 0;

	rc |= oev_json_put(batch, "number", bits(record->number));
	rc |= oev_json_put(batch, "segment", json_string(record->segment));
	rc |= oev_json_put(batch, "first_ns", bits(record->first_ns));
	rc |= oev_json_put(batch, "last_ns", bits(record->last_ns));
	rc |= oev_json_put(batch, "wall_us", bits(record->wall_us));
	rc |= oev_json_put(batch, "journal", bits(record->journal));
	rc |= oev_json_put(batch, "leaves", bits(record->leaves));
	rc |= oev_json_put(batch, "root", oev_json_hex(record->root.octets, OEV_HASH_OCTETS));
	rc |= oev_json_put(batch, "rows", json_stringn(record->rows, record->rows_len));
	rc |= oev_json_put(batch, "previous", oev_json_hex(record->previous.octets, OEV_HASH_OCTETS));
	rc |= oev_json_put(batch, "octets", oev_json_hex(bundle->batch, bundle->batch_len));
	rc |= oev_json_put(batch, "leaf", bits(bundle->leaf));
	rc |= oev_json_put(batch, "path", oev_json_path(&bundle->leaf_path));
	return rc | oev_json_put(root, "batch", batch);
}

static int put_log(json_t *root, const struct oev_bundle *bundle, uint64_t size)
{
	json_t *log = json_object();
	int rc = 0;

	rc |= oev_json_put(log, "size", bits(size));
	rc |= oev_json_put(log, "path", oev_json_path(&bundle->batch_path));
	return rc | oev_json_put(root, "log", log);
}

json_t *oev_bundle_json(const struct oev_bundle *bundle)
{
	struct oev_batch record;
	struct oev_checkpoint checkpoint;
	json_t *root;
	int rc = 0;

	if (oev_batch_parse(bundle->batch, bundle->batch_len, &record, NULL) != OC_OK ||
	    oev_checkpoint_open(bundle->checkpoint, bundle->checkpoint_len, NULL, &checkpoint, NULL) != OC_OK)
		return NULL;
	root = json_object();
	rc |= oev_json_put(root, "schema", json_string(OEV_BUNDLE_SCHEMA));
	rc |= put_row(root, bundle);
	rc |= put_batch(root, bundle, &record);
	rc |= put_log(root, bundle, checkpoint.size);
	rc |= oev_json_put(root, "checkpoint", json_stringn(bundle->checkpoint, bundle->checkpoint_len));
	rc |= oev_json_put(root, "public_key", json_stringn(bundle->public_key, bundle->public_key_len));
	if (rc == 0)
		return root;
	json_decref(root);
	return NULL;
}

char *oev_bundle_text(const struct oev_bundle *bundle)
{
	json_t *root = oev_bundle_json(bundle);
	char *text = root != NULL ? json_dumps(root, JSON_INDENT(2)) : NULL;

	json_decref(root);
	return text;
}
