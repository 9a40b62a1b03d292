/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Merge patches.
 */
#include "oweb_patch.h"

static int add_changed(json_t *patch, const char *key, json_t *before, json_t *now)
{
	if (before != NULL && json_is_object(before) && json_is_object(now)) {
		json_t *inner = oweb_patch(before, now);
		if (inner != NULL && json_object_size(inner) > 0)
			return json_object_set_new(patch, key, inner);
		json_decref(inner);
		return inner == NULL ? -1 : 0;
	}
	return before != NULL && json_equal(before, now) ? 0 : json_object_set(patch, key, now);
}

json_t *oweb_patch(json_t *before, json_t *now)
{
	json_t *patch = json_object(), *value;
	const char *key;
	int rc = patch == NULL ? -1 : 0;

	json_object_foreach(now, key, value) rc |=
		add_changed(patch, key, json_object_get(before, key), value);
	json_object_foreach(before, key, value) if (json_object_get(now, key) == NULL) rc |=
		json_object_set_new(patch, key, json_null());
	if (rc == 0)
		return patch;
	json_decref(patch);
	return NULL;
}
