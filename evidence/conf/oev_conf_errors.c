/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A list of mistakes, each with its place.
 */
#include "oev_conf_errors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void oev_conf_errors_add(struct oev_conf_errors *errors, const char *file, const char *error)
{
	size_t len = strlen(file);
	char *end = NULL;

	errors->all++;
	if (errors->count == OEV_CONF_ERRORS_MAX)
		return;
	struct oev_conf_mistake *mistake = &errors->list[errors->count++];
	*mistake = (struct oev_conf_mistake){ .line = 1, .column = 1 };
	const char *text = error;
	if (strncmp(error, file, len) == 0 && error[len] == ':') {
		mistake->line = (uint32_t)strtoul(error + len + 1, &end, 10);
		if (*end == ':')
			mistake->column = (uint32_t)strtoul(end + 1, &end, 10);
		text = strncmp(end, ": ", 2) == 0 ? end + 2 : error;
	}
	const char *key_end = strstr(text, ": ");
	if (text != error && key_end && (size_t)(key_end - text) < sizeof(mistake->key)) {
		memcpy(mistake->key, text, (size_t)(key_end - text));
		text = key_end + 2;
	}
	snprintf(mistake->text, sizeof(mistake->text), "%s", text);
}

void oev_conf_mistake_text(const struct oev_conf_mistake *mistake, const char *file, char *out, size_t size)
{
	snprintf(out, size, "%s:%" PRIu32 ":%" PRIu32 ": %s%s%s", file, mistake->line, mistake->column,
		 mistake->key, mistake->key[0] != '\0' ? ": " : "", mistake->text);
}

static json_t *list_of(const struct oev_conf_mistake *mistake, uint32_t count)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < count; i++)
		json_array_append_new(list,
				      json_pack("{s:I, s:I, s:s, s:s}", "line", (json_int_t)mistake[i].line,
						"column", (json_int_t)mistake[i].column, "key",
						mistake[i].key, "detail", mistake[i].text));
	return list;
}

json_t *oev_conf_errors_json(const struct oev_conf_errors *errors)
{
	return json_pack("{s:b, s:I, s:o, s:o}", "valid", errors->all == 0, "errors_found",
			 (json_int_t)errors->all, "errors", list_of(errors->list, errors->count), "warnings",
			 list_of(errors->warning, errors->warned));
}
