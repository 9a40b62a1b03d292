/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Where two JSON values differ first.
 */
#include <stdio.h>
#include <string.h>

#include "oev_json.h"

#define SHOWN_MAX 40u

/* "7" or "\"text\""; "" for what is neither, or long. */
static void scalar_text(const json_t *value, char out[static SHOWN_MAX + 4])
{
	out[0] = '\0';
	if (json_is_integer(value))
		snprintf(out, SHOWN_MAX + 4, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_string(value) && json_string_length(value) <= SHOWN_MAX &&
		 strlen(json_string_value(value)) == json_string_length(value))
		snprintf(out, SHOWN_MAX + 4, "\"%s\"", json_string_value(value));
}

static void say(const char *path, const json_t *should, const json_t *is, char *out, size_t size)
{
	char there[SHOWN_MAX + 4], meant[SHOWN_MAX + 4];

	scalar_text(is, there);
	scalar_text(should, meant);
	if (should == NULL)
		snprintf(out, size, "%.80s follows from nothing that is proven", path);
	else if (is == NULL)
		snprintf(out, size, "%.80s is missing", path);
	else if (there[0] != '\0' && meant[0] != '\0')
		snprintf(out, size, "%.80s is %s, and %s by the octets and the checkpoint", path, there,
			 meant);
	else
		snprintf(out, size, "%.80s is not what it is by the octets and the checkpoint", path);
}

static void path_of(const char *path, const char *key, char out[static OEV_JSON_PATH_MAX])
{
	snprintf(out, OEV_JSON_PATH_MAX, "%.50s%s%.40s", path, path[0] != '\0' ? "." : "", key);
}

bool oev_json_differ(const char *path, const json_t *should, const json_t *is, char *out, size_t size)
{
	char below[OEV_JSON_PATH_MAX];
	const char *key;
	const json_t *value;

	if (should != NULL && is != NULL && json_equal(should, is) != 0)
		return false;
	if (!json_is_object(should) || !json_is_object(is)) {
		say(path, should, is, out, size);
		return true;
	}
	json_object_foreach((json_t *)should, key, value)
	{
		path_of(path, key, below);
		if (oev_json_differ(below, value, json_object_get(is, key), out, size))
			return true;
	}
	json_object_foreach((json_t *)is, key, value)
	{
		path_of(path, key, below);
		if (oev_json_differ(below, json_object_get(should, key), value, out, size))
			return true;
	}
	say(path, should, is, out, size);
	return true;
}
