/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tables for people.
 */
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "../app/oev_cut.h"
#include "cli.h"

struct libscols_table *cli_table_new(bool color, const char *const *columns)
{
	struct libscols_table *table = scols_new_table();

	if (table == NULL)
		return NULL;
	scols_table_enable_colors(table, color);
	scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER);
	scols_table_set_column_separator(table, "  ");
	for (; *columns != NULL; columns++) {
		int flags = *columns[0] == '>' ? SCOLS_FL_RIGHT : *columns[0] == '~' ? SCOLS_FL_WRAP : 0;
		struct libscols_column *column =
			scols_table_new_column(table, flags != 0 ? *columns + 1 : *columns, 0, flags);
		if (column == NULL || flags != SCOLS_FL_WRAP)
			continue;
		scols_column_set_safechars(column, "\n");
		scols_column_set_wrapfunc(column, scols_wrapnl_chunksize, scols_wrapnl_nextchunk, NULL);
	}
	return table;
}

void cli_table_print(struct libscols_table *table, FILE *out)
{
	char *text = NULL;

	if (table == NULL || scols_print_table_to_string(table, &text) != 0 || text == NULL) {
		scols_unref_table(table);
		return;
	}
	for (char *line = text, *end; *line != '\0'; line = end) {
		end = strchr(line, '\n');
		end = end != NULL ? end + 1 : line + strlen(line);
		fprintf(out, "  %.*s", (int)(end - line), line);
	}
	if (text[0] != '\0' && text[strlen(text) - 1] != '\n')
		fputc('\n', out);
	free(text);
	scols_unref_table(table);
}

/* Length of the next line of @text: up to @room, at a space if there is one. */
static size_t line_length(const char *text, size_t room)
{
	size_t length = strlen(text), cut = room;

	if (length <= room)
		return length;
	while (cut > 0 && text[cut] != ' ')
		cut--;
	return cut > 0 ? cut : (size_t)oev_cut(text, room);
}

void cli_table_wrap(struct libscols_line *line, size_t column, const char *text, size_t room)
{
	char buf[600];
	size_t at = 0;

	for (bool first = true; (first || *text != '\0') && at + room + 2 < sizeof(buf); first = false) {
		size_t length = line_length(text, room);
		at += (size_t)snprintf(buf + at, sizeof(buf) - at, "%s%.*s", first ? "" : "\n", (int)length,
				       text);
		text += length;
		text += *text == ' ';
	}
	scols_line_set_data(line, column, buf);
}

void cli_print_wrapped(const char *head, const char *text, FILE *out)
{
	size_t indent = strlen(head), room = CLI_WIDTH - indent;
	const char *before = head;

	do {
		size_t cut = line_length(text, room);
		fprintf(out, "%s%.*s\n", before, (int)cut, text);
		text += cut;
		text += *text == ' ';
		before = "                                "; /* as long as any head */
		before += strlen(before) > indent ? strlen(before) - indent : 0;
	} while (*text != '\0');
}
