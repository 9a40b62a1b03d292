/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tables for people.
 */
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

struct libscols_table *cli_table_new(bool color, const char *const *columns)
{
	struct libscols_table *table = scols_new_table();

	if (table == NULL)
		return NULL;
	scols_table_enable_colors(table, color);
	scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER);
	scols_table_set_column_separator(table, "  ");
	for (; *columns != NULL; columns++)
		scols_table_new_column(table, *columns[0] == '>' ? *columns + 1 : *columns, 0,
				       *columns[0] == '>' ? SCOLS_FL_RIGHT : 0);
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
