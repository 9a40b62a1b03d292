/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Empty segments of every schema, and questions to them.
 */
#include "help_segment.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_event.h"

static char *read_all(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 1 << 16);

	if (file == NULL || text == NULL || fread(text, 1, (1 << 16) - 1, file) == 0) {
		free(text);
		text = NULL;
	}
	if (file != NULL)
		fclose(file);
	return text;
}

static bool run_file(sqlite3 *db, const char *path)
{
	char *sql = read_all(path);
	bool done = sql != NULL && sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;

	free(sql);
	return done;
}

#define SAME_FLOW                                                                                            \
	"app_id = NEW.app_id AND command = NEW.command AND client = NEW.client AND origin_host = "           \
	"NEW.origin_host AND dest_host IS NEW.dest_host AND dest_realm IS NEW.dest_realm AND drmp IS "       \
	"NEW.drmp AND cc_request_type IS NEW.cc_request_type"
#define SAME_WAY                                                                                             \
	"verdict = NEW.verdict AND why = NEW.why AND selected_by = NEW.selected_by AND class = NEW.class "   \
	"AND flags = NEW.flags AND first_choice IS NEW.first_choice AND next_hop IS NEW.next_hop AND "       \
	"result_code IS NEW.result_code"

static const char wide[] =
	"CREATE TEMP VIEW wide AS SELECT d.id, d.at_ns + %llu AS mono_ns, d.at_ns / 1000 + %llu AS wall_us,"
	" f.app_id, f.command, f.client, f.origin_host, f.dest_host, f.dest_realm, d.realm_version,"
	" d.realm_share, d.host_version, d.host_share, d.peer_version, d.peer_share, w.verdict, w.why,"
	" w.selected_by, w.class, w.flags, w.first_choice, w.next_hop, w.result_code, d.end_to_end, "
	"d.session,"
	" d.random, f.drmp, f.cc_request_type, d.realm_nth, d.host_nth, d.peer_nth, d.out_ns"
	" FROM main.decision d JOIN main.flow f ON f.id = d.flow JOIN main.way w ON w.id = d.way;"
	"CREATE TEMP VIEW wide_outcome AS SELECT o.rowid AS place, o.decision AS id, o.took_ns, "
	"e.result_code,"
	" e.maker, e.answered_by, e.answered_realm, e.from_peer, e.attempts FROM main.outcome o"
	" JOIN main.ending e ON e.id = o.ending;"
	"CREATE TEMP TRIGGER bend INSTEAD OF UPDATE ON wide BEGIN"
	" INSERT INTO flow SELECT (SELECT max(id) + 1 FROM flow), NEW.app_id, NEW.command, NEW.client,"
	" NEW.origin_host, 6, NEW.dest_host, NEW.dest_realm, NEW.drmp, NEW.cc_request_type, NULL"
	" WHERE NOT EXISTS (SELECT 1 FROM flow WHERE " SAME_FLOW ");"
	" INSERT INTO way SELECT (SELECT max(id) + 1 FROM way), NEW.verdict, NEW.why, NEW.selected_by,"
	" NEW.class, NEW.flags, NULL, NEW.first_choice, NEW.next_hop, NEW.result_code"
	" WHERE NOT EXISTS (SELECT 1 FROM way WHERE " SAME_WAY ");"
	" UPDATE decision SET flow = (SELECT id FROM flow WHERE " SAME_FLOW "), way = (SELECT id FROM way"
	" WHERE " SAME_WAY "), realm_version = NEW.realm_version, realm_share = NEW.realm_share,"
	" realm_nth = NEW.realm_nth, host_version = NEW.host_version, host_share = NEW.host_share,"
	" host_nth = NEW.host_nth, peer_version = NEW.peer_version, peer_share = NEW.peer_share,"
	" peer_nth = NEW.peer_nth, end_to_end = NEW.end_to_end, session = NEW.session WHERE id = OLD.id;"
	"END";

/* Nothing of it need survive a crash, and one thread writes. */
static bool open_fast(struct help_segment *segment)
{
	int how = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;

	return sqlite3_open_v2(segment->path, &segment->db, how, NULL) == SQLITE_OK &&
	       help_segment_sql(segment, "PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY");
}

static bool open_db(struct help_segment *segment)
{
	return open_fast(segment) && run_file(segment->db, DOIC_SOURCE_DIR "/evidence/schema.sql") &&
	       run_file(segment->db, DOIC_SOURCE_DIR "/evidence/views.sql") &&
	       help_segment_sql(segment, wide, HELP_MONO_NS, HELP_WALL_US);
}

bool help_segment_new(struct help_segment *segment)
{
	*segment = (struct help_segment){ .folder = "/tmp/doic-test-XXXXXX" };
	if (mkdtemp(segment->folder) == NULL)
		return false;
	snprintf(segment->path, sizeof(segment->path), "%s/seg-20261129T233320.db", segment->folder);
	return open_db(segment);
}

bool help_segment_beside(struct help_segment *segment, const struct help_segment *first, const char *name)
{
	*segment = (struct help_segment){ 0 };
	snprintf(segment->folder, sizeof(segment->folder), "%s", first->folder);
	snprintf(segment->path, sizeof(segment->path), "%s/%s", first->folder, name);
	return open_db(segment);
}

void help_segment_close(struct help_segment *segment)
{
	sqlite3_close(segment->db);
	segment->db = NULL;
}

static void remove_folder(const char *folder)
{
	char path[1024];
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		unlink(path);
	}
	if (dir != NULL)
		closedir(dir);
	rmdir(folder);
}

void help_segment_remove(struct help_segment *segment)
{
	char counters[300];

	help_segment_close(segment);
	snprintf(counters, sizeof(counters), "%s/counters", segment->folder);
	remove_folder(counters);
	remove_folder(segment->folder);
}

bool help_segment_sql(struct help_segment *segment, const char *format, ...)
{
	char *error = NULL;
	va_list args;

	va_start(args, format);
	char *sql = sqlite3_vmprintf(format, args);
	va_end(args);
	int rc = sqlite3_exec(segment->db, sql, NULL, NULL, &error);
	if (rc != SQLITE_OK)
		fprintf(stderr, "help_segment: %s in: %s\n", error, sql);
	sqlite3_free(error);
	sqlite3_free(sql);
	return rc == SQLITE_OK;
}

int64_t help_segment_get(struct help_segment *segment, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	int64_t value = -1;

	if (sqlite3_prepare_v2(segment->db, sql, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		value = sqlite3_column_int64(stmt, 0);
	else
		fprintf(stderr, "help_segment: %s in: %s\n", sqlite3_errmsg(segment->db), sql);
	sqlite3_finalize(stmt);
	return value;
}

bool help_segment_file(const struct help_segment *segment, const char *name, const char *text)
{
	char path[600];

	snprintf(path, sizeof(path), "%s/counters", segment->folder);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/%s", segment->folder, name);
	FILE *file = fopen(path, "w");
	bool done = file != NULL && fputs(text, file) >= 0;
	return file != NULL && fclose(file) == 0 && done;
}

bool help_segment_age(struct help_segment *segment, uint32_t schema)
{
	char path[512];

	snprintf(path, sizeof(path), DOIC_SOURCE_DIR "/tests/unit/evidence/schema/%u.sql", schema);
	sqlite3_close(segment->db);
	unlink(segment->path);
	return open_fast(segment) && run_file(segment->db, path);
}
