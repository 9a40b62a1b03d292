/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * CSV.
 */
#include "oweb_csv.h"

#include <stdlib.h>
#include <string.h>

#include "oweb_reply.h"

#define LINE_END "\r\n"

static void add_quoted(struct oweb_text *text, const char *cell)
{
	oweb_text_put(text, "\"");
	/* Tab and carriage return too: some programs skip them and look at what follows. */
	if (cell[0] != '\0' && strchr("=+-@\t\r", cell[0]) != NULL)
		oweb_text_put(text, "'");
	for (size_t len; *cell != '\0'; cell += len) {
		len = strcspn(cell, "\"");
		oweb_text_add(text, cell, len);
		if (cell[len] == '"') {
			oweb_text_put(text, "\"\"");
			len++;
		}
	}
	oweb_text_put(text, "\"");
}

static void add_value(struct oweb_text *text, const json_t *value)
{
	if (value == NULL || json_is_null(value))
		return;
	if (json_is_string(value)) {
		add_quoted(text, json_string_value(value));
		return;
	}
	char *plain = json_dumps(value, OWEB_JSON_DUMP | JSON_ENCODE_ANY);
	if (plain != NULL && json_is_number(value))
		oweb_text_put(text, plain);
	else if (plain != NULL)
		add_quoted(text, plain);
	free(plain);
}

void oweb_csv_head(struct oweb_text *text, const char *const *columns)
{
	for (size_t i = 0; columns[i] != NULL; i++) {
		if (i > 0)
			oweb_text_put(text, ",");
		add_quoted(text, columns[i]);
	}
	oweb_text_put(text, LINE_END);
}

void oweb_csv_row(struct oweb_text *text, const char *const *columns, const json_t *row)
{
	for (size_t i = 0; columns[i] != NULL; i++) {
		if (i > 0)
			oweb_text_put(text, ",");
		add_value(text, json_object_get(row, columns[i]));
	}
	oweb_text_put(text, LINE_END);
}
