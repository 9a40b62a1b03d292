/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which page of a file SQLite stumbles over: its own check is asked, once per segment, and only when
 * something is wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oev_verify_parts.h"

/* "Tree 12 page 45 cell 3: ..." and the like; the first number after "page ". */
static uint64_t page_in(const char *text)
{
	const char *at = strstr(text, "page ");

	if (at == NULL)
		at = strstr(text, "Page ");
	return at != NULL ? strtoull(at + strlen("page "), NULL, 10) : 0;
}

static void ask(struct oev_verify_work *work)
{
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(work->db, "PRAGMA integrity_check(8)", -1, &stmt, NULL) == SQLITE_OK)
		while (work->page == 0 && sqlite3_step(stmt) == SQLITE_ROW) {
			const char *text = (const char *)sqlite3_column_text(stmt, 0);
			if (text == NULL || strcmp(text, "ok") == 0)
				continue;
			work->page = page_in(text);
			const char *line = strrchr(text, '\n'); /* the first line may be a heading */
			snprintf(work->page_text, sizeof(work->page_text), "%s",
				 strncmp(text, "***", 3) == 0 && line != NULL ? line + 1 : text);
		}
	if (work->page_text[0] == '\0')
		snprintf(work->page_text, sizeof(work->page_text), "%s", sqlite3_errmsg(work->db));
	sqlite3_finalize(stmt);
}

void oev_verify_page(struct oev_verify_work *work, struct oev_verify_finding *finding, const char *table)
{
	if (!work->is_page_known) {
		work->is_page_known = true;
		ask(work);
	}
	finding->page = work->page;
	snprintf(finding->what, sizeof(finding->what), "%s%.48s cannot be read on: %.150s",
		 table[0] != '\0' ? "table " : "the file", table, work->page_text);
	for (char *c = finding->what; *c != '\0'; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
}
