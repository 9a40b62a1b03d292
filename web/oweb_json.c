/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Members of JSON objects.
 */
#include "oweb_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../evidence/shelf/oev_shelf.h"

#define DIGITS_MAX 18u

void oweb_json_text(json_t *object, const char *key, const char *text)
{
	if (text != NULL && text[0] != '\0')
		json_object_set_new(object, key, json_string(text));
}

/* How many octets at @at are one character; 0: none begins there. */
static size_t character(const char *at)
{
	for (size_t len = 1; len <= 4 && at[len - 1] != '\0'; len++) {
		json_t *one = json_stringn(at, len); /* refuses what is not UTF-8 */
		json_decref(one);
		if (one != NULL)
			return len;
	}
	return 0;
}

char *oweb_utf8(const char *text)
{
	static const char unknown[] = "\xef\xbf\xbd"; /* U+FFFD */
	char *out = malloc(strlen(text) * (sizeof(unknown) - 1) + 1);
	size_t at = 0;

	while (out != NULL && *text != '\0') {
		size_t len = character(text);
		memcpy(out + at, len > 0 ? text : unknown, len > 0 ? len : sizeof(unknown) - 1);
		at += len > 0 ? len : sizeof(unknown) - 1;
		text += len > 0 ? len : 1;
	}
	if (out != NULL)
		out[at] = '\0';
	return out;
}

json_t *oweb_json_shown(const char *text)
{
	json_t *value = json_string(text);
	char *copy = value == NULL ? oweb_utf8(text) : NULL;

	if (copy != NULL)
		value = json_string(copy);
	free(copy);
	return value;
}

void oweb_json_number(json_t *object, const char *key, uint64_t value)
{
	json_object_set_new(object, key, json_integer((json_int_t)value));
}

void oweb_json_pseudonym(json_t *object, const char *key, uint64_t value)
{
	char text[24];

	if (value == 0)
		return;
	snprintf(text, sizeof(text), "%" PRIu64, value);
	json_object_set_new(object, key, json_string(text));
}

void oweb_json_id(json_t *object, const char *run, uint64_t number)
{
	char id[OEV_SHELF_RUN_MAX + 24];

	snprintf(id, sizeof(id), "%s-%" PRIu64, run, number);
	json_object_set_new(object, "id", json_string(id));
}

uint64_t oweb_decimal(const char *text)
{
	size_t len = strlen(text);

	return len <= DIGITS_MAX && strspn(text, "0123456789") == len ? strtoull(text, NULL, 10) : 0;
}
