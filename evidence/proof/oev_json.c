/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Octets, hashes and paths in JSON files.
 */
#include "oev_json.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_armor.h"
#include "oev_bundle.h"

json_t *oev_json_hex(const void *data, size_t len)
{
	char *text = malloc(OEV_HEX_LEN(len) + 1);
	json_t *value = NULL;

	if (text == NULL)
		return NULL;
	oev_armor_hex(data, len, text);
	value = json_stringn(text, OEV_HEX_LEN(len));
	free(text);
	return value;
}

json_t *oev_json_path(const struct oev_path *path)
{
	json_t *list = json_array();

	for (unsigned i = 0; list != NULL && i < path->count; i++)
		if (json_array_append_new(list, oev_json_hex(path->hashes[i].octets, OEV_HASH_OCTETS)) != 0) {
			json_decref(list);
			return NULL;
		}
	return list;
}

int oev_json_put(json_t *object, const char *key, json_t *value)
{
	return json_object_set_new(object, key, value);
}

int oev_json_take_path(const json_t *list, struct oev_path *out)
{
	if (!json_is_array(list) || json_array_size(list) > OEV_PATH_MAX)
		return OC_EMALFORMED;
	out->count = (unsigned)json_array_size(list);
	for (unsigned i = 0; i < out->count; i++) {
		const json_t *hash = json_array_get(list, i);

		if (!json_is_string(hash) || oev_hash_parse(json_string_value(hash), json_string_length(hash),
							    &out->hashes[i]) != OC_OK)
			return OC_EMALFORMED;
	}
	return OC_OK;
}

int oev_json_take_count(const json_t *value, uint64_t *out)
{
	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return OC_EMALFORMED;
	*out = (uint64_t)json_integer_value(value);
	return OC_OK;
}

json_t *oev_json_open(const char *text, size_t len, const char *schema, int *rc, struct oev_why *why)
{
	json_error_t error;
	json_t *root;

	*rc = OC_ERANGE;
	if (len > OEV_BUNDLE_MAX) {
		oev_why(why, *rc, "longer than %u octets", OEV_BUNDLE_MAX);
		return NULL;
	}
	*rc = OC_EMALFORMED;
	root = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
	if (root == NULL) {
		oev_why(why, *rc, "not JSON at line %d: %.160s", error.line, error.text);
		return NULL;
	}
	const char *word = json_string_value(json_object_get(root, "schema"));
	if (word != NULL && strcmp(word, schema) == 0)
		return root;
	if (word != NULL && strncmp(word, schema, strlen(schema) - 1) == 0)
		*rc = OC_EVERSION;
	oev_why(why, *rc, "no file of schema %s: it says \"%.40s\"", schema, word != NULL ? word : "");
	json_decref(root);
	return NULL;
}
