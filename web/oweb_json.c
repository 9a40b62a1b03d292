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
