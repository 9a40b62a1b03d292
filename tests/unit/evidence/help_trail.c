/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Folders, questions and events for tests of the trail.
 */
#include "help_trail.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void help_folder_make(char path[static HELP_PATH_MAX])
{
	const char *tmp = getenv("TMPDIR");

	snprintf(path, HELP_PATH_MAX, "%s/doic-test-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(path))
		abort();
}

void help_folder_remove(const char *path)
{
	char file[HELP_PATH_MAX * 3];
	struct dirent *entry;
	DIR *folder = opendir(path);

	while (folder && (entry = readdir(folder)) != NULL) {
		snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
		if (entry->d_name[0] != '.')
			unlink(file);
	}
	if (folder)
		closedir(folder);
	rmdir(path);
}

const char *help_ask_text(const char *db_path, const char *sql, char out[static HELP_TEXT_MAX])
{
	sqlite3 *db = NULL;
	sqlite3_stmt *stmt = NULL;

	snprintf(out, HELP_TEXT_MAX, "(none)");
	if (sqlite3_open_v2(db_path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
	    sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(stmt, 0);
		snprintf(out, HELP_TEXT_MAX, "%s", text ? text : "(null)");
	}
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return out;
}

long long help_ask_int(const char *db_path, const char *sql)
{
	char text[HELP_TEXT_MAX];

	help_ask_text(db_path, sql, text);
	return text[0] == '(' ? (text[2] == 'u' ? 0 : -999) : strtoll(text, NULL, 10);
}

struct oc_event help_decision(uint64_t id, uint64_t mono_ns)
{
	struct oc_event event = { .kind = OC_EVENT_DECISION, .mono_ns = mono_ns };
	struct oc_decision *d = &event.u.decision;

	d->id = id;
	d->at_ns = mono_ns;
	d->session_hash = (0x9e3779b97f4a7c15u * id) >> 17; /* pseudonyms are below 2^47 */
	d->random = 0xd1342543de82ef95u * id;
	d->app_id = 16777238;
	d->command = 272;
	d->client_peer = 2;
	d->origin_host = 3;
	d->dest_realm = 4;
	d->next_hop = 5;
	d->drmp = OC_DRMP_NONE;
	return event;
}

struct oc_event help_outcome(uint64_t id, uint64_t mono_ns)
{
	struct oc_event event = { .kind = OC_EVENT_OUTCOME, .mono_ns = mono_ns };

	event.u.outcome = (struct oc_event_outcome){ .id = id,
						     .took_ns = 1000000,
						     .result_code = 2001,
						     .answered_by = 6,
						     .from_peer = 5,
						     .attempts = 1 };
	return event;
}
