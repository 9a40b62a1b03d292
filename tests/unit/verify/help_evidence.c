/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Evidence as a recorder would write it, by way of the proof library alone.
 */
#include "help_evidence.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_batch.h"
#include "evidence/proof/oev_merkle.h"
#include "evidence/proof/oev_seal.h"
#include "evidence/verify/oev_sweep.h"

#define LEAVES_MAX 20000u

static bool run_file(sqlite3 *db, const char *path)
{
	static char text[1 << 16];
	FILE *file = fopen(path, "r");
	size_t len = file != NULL ? fread(text, 1, sizeof(text) - 1, file) : 0;

	if (file != NULL)
		fclose(file);
	text[len] = '\0';
	return len > 0 && sqlite3_exec(db, text, NULL, NULL, NULL) == SQLITE_OK;
}

bool help_evidence_rekey(struct help_evidence *evidence, const char *name)
{
	char path[160];
	bool made;
	struct oev_why why;

	oev_key_free(evidence->key);
	evidence->key = NULL;
	snprintf(path, sizeof(path), "%s/%s", evidence->base, name);
	if (oev_key_open(path, &evidence->key, &made, &why) != OC_OK) {
		fprintf(stderr, "help_evidence: %s\n", why.text);
		return false;
	}
	memcpy(evidence->public_key.key, oev_key_public(evidence->key), sizeof(evidence->public_key.key));
	snprintf(evidence->public_key.node, sizeof(evidence->public_key.node), "%s", evidence->node);
	return true;
}

bool help_evidence_new(struct help_evidence *evidence)
{
	*evidence = (struct help_evidence){ .base = "/tmp/doic-verify-XXXXXX",
					    .node = HELP_NODE,
					    .schema = 4,
					    .page_size = 4096,
					    .wall_us = HELP_WALL_US };
	oev_gcrypt_ready();
	if (mkdtemp(evidence->base) == NULL)
		return false;
	snprintf(evidence->folder, sizeof(evidence->folder), "%s/evidence", evidence->base);
	snprintf(evidence->beside, sizeof(evidence->beside), "%s.checkpoints", evidence->folder);
	snprintf(evidence->key_path, sizeof(evidence->key_path), "%s/public-key.txt", evidence->base);
	snprintf(evidence->folder_key, sizeof(evidence->folder_key), "%s/public-key.txt", evidence->folder);
	return mkdir(evidence->folder, 0755) == 0 && help_evidence_rekey(evidence, "key") &&
	       oev_public_write(evidence->base, &evidence->public_key, NULL) == OC_OK &&
	       oev_public_write(evidence->folder, &evidence->public_key, NULL) == OC_OK;
}

static void remove_folder(const char *folder)
{
	char path[1024];
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		unlink(path);
	}
	if (dir != NULL)
		closedir(dir);
	rmdir(folder);
}

void help_leave(struct help_evidence *evidence)
{
	sqlite3_close(evidence->db);
	free(evidence->layout);
	evidence->db = NULL;
	evidence->layout = NULL;
}

void help_evidence_remove(struct help_evidence *evidence)
{
	help_leave(evidence);
	oev_key_free(evidence->key);
	remove_folder(evidence->folder);
	remove_folder(evidence->base);
}

bool help_sql(struct help_evidence *evidence, const char *format, ...)
{
	char *error = NULL;
	va_list args;

	va_start(args, format);
	char *sql = sqlite3_vmprintf(format, args);
	va_end(args);
	int rc = sqlite3_exec(evidence->db, sql, NULL, NULL, &error);
	if (rc != SQLITE_OK)
		fprintf(stderr, "help_evidence: %s in: %.200s\n", error, sql);
	sqlite3_free(error);
	sqlite3_free(sql);
	return rc == SQLITE_OK;
}

/* As schema.sql says of meta schema_sha256. */
static void schema_digest(sqlite3 *db, char hex[static OEV_HASH_HEX])
{
	sqlite3_stmt *stmt = NULL;
	sqlite3_str *all = sqlite3_str_new(NULL);
	struct oev_hash hash;

	sqlite3_prepare_v2(db, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid", -1,
			   &stmt, NULL);
	while (sqlite3_step(stmt) == SQLITE_ROW)
		sqlite3_str_appendf(all, "%s\n", sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	oev_hash_of(sqlite3_str_value(all), (size_t)sqlite3_str_length(all), &hash);
	oev_hash_hex(&hash, hex);
	sqlite3_free(sqlite3_str_finish(all));
}

static bool put_meta(struct help_evidence *evidence, const char *previous)
{
	char frontier[OEV_FRONTIER_TEXT_MAX], chain[OEV_HASH_HEX], schema[OEV_HASH_HEX];

	oev_frontier_text(&evidence->log.frontier, frontier);
	oev_hash_hex(&evidence->log.chain, chain);
	schema_digest(evidence->db, schema);
	return help_sql(evidence,
			"INSERT INTO meta VALUES ('schema', '%d'), ('schema_sha256', %Q), ('kind', 'agent'), "
			"('node', %Q),"
			" ('realm', 'example.net'), ('run', '1'), ('part', '%u'), ('base_ns', '0'), "
			"('started_us', '%llu'),"
			" ('previous', %Q), ('log_size', '%llu'), ('log_rows', '%llu'), ('log_chain', %Q), "
			"('log_frontier', %Q)",
			evidence->schema, schema, evidence->node, evidence->segments,
			(unsigned long long)evidence->wall_us, previous,
			(unsigned long long)evidence->log.frontier.size,
			(unsigned long long)evidence->log.rows, chain, frontier);
}

/* As they are, or as they were in schema 3. */
static bool make_tables(struct help_evidence *evidence)
{
	if (evidence->schema == 3)
		return run_file(evidence->db, DOIC_SOURCE_DIR "/tests/unit/evidence/schema/3.sql");
	return run_file(evidence->db, DOIC_SOURCE_DIR "/evidence/schema.sql") &&
	       run_file(evidence->db, DOIC_SOURCE_DIR "/evidence/views.sql");
}

bool help_begin(struct help_evidence *evidence)
{
	char previous[64], what[100];

	help_leave(evidence);
	snprintf(previous, sizeof(previous), "%s", evidence->name);
	evidence->segments++;
	memset(evidence->covered, 0, sizeof(evidence->covered));
	evidence->first = evidence->log.frontier.size + 1;
	snprintf(evidence->name, sizeof(evidence->name), "seg-20261129T1400%02u.db", evidence->segments);
	snprintf(evidence->path, sizeof(evidence->path), "%s/%s", evidence->folder, evidence->name);
	return sqlite3_open(evidence->path, &evidence->db) == SQLITE_OK &&
	       help_sql(evidence, "PRAGMA page_size=%u; PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF",
			evidence->page_size) &&
	       make_tables(evidence) &&
	       oev_layout_read(evidence->db, &evidence->layout, what, sizeof(what)) == OC_OK &&
	       put_meta(evidence, previous);
}

int64_t help_last_row(struct help_evidence *evidence, const char *table)
{
	char sql[128];
	sqlite3_stmt *stmt = NULL;
	int64_t last = -1;

	snprintf(sql, sizeof(sql), "SELECT coalesce(max(rowid), 0) FROM [%s]", table);
	if (sqlite3_prepare_v2(evidence->db, sql, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		last = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return last;
}

/* Leaf hashes of the rows of @spans. */
static uint64_t make_leaves(struct help_evidence *evidence, const char *spans, struct oev_hash *leaves)
{
	struct oev_spans_reader reader;
	struct oev_span span;
	struct oev_canon canon;
	uint64_t count = 0;

	oev_canon_init(&canon);
	oev_spans_open(&reader, spans, strlen(spans));
	while (oev_spans_next(&reader, &span) == OC_OK) {
		const struct oev_layout_table *table =
			&evidence->layout->tables[oev_layout_find(evidence->layout, span.table)];
		char sql[OEV_LAYOUT_SQL_MAX];
		sqlite3_stmt *stmt = NULL;
		oev_layout_select(table, "WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid", sql);
		sqlite3_prepare_v2(evidence->db, sql, -1, &stmt, NULL);
		sqlite3_bind_int64(stmt, 1, span.first);
		sqlite3_bind_int64(stmt, 2, span.last);
		while (sqlite3_step(stmt) == SQLITE_ROW && count < LEAVES_MAX &&
		       oev_sweep_row(&canon, table, stmt, sqlite3_column_int64(stmt, 0)) == OC_OK)
			oev_canon_hash(&canon, OEV_MERKLE_TAG_LEAF, &leaves[count++]);
		sqlite3_finalize(stmt);
	}
	oev_canon_fini(&canon);
	return count;
}

static bool put_batch(struct help_evidence *evidence, const struct oev_batch *batch, const uint8_t *marks)
{
	sqlite3_stmt *stmt = NULL;
	int at = 1;

	if (sqlite3_prepare_v2(evidence->db, "INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", -1,
			       &stmt, NULL) != SQLITE_OK)
		return false;
	sqlite3_bind_int64(stmt, at++, (int64_t)batch->number);
	sqlite3_bind_int64(stmt, at++, (int64_t)batch->first_ns);
	sqlite3_bind_int64(stmt, at++, (int64_t)batch->last_ns);
	sqlite3_bind_int64(stmt, at++, (int64_t)batch->wall_us);
	sqlite3_bind_int64(stmt, at++, (int64_t)batch->journal);
	sqlite3_bind_int64(stmt, at++, (int64_t)batch->leaves);
	sqlite3_bind_text(stmt, at++, batch->rows, (int)batch->rows_len, SQLITE_STATIC);
	sqlite3_bind_blob(stmt, at++, batch->root.octets, OEV_HASH_OCTETS, SQLITE_STATIC);
	sqlite3_bind_blob(stmt, at++, evidence->log.chain.octets, OEV_HASH_OCTETS, SQLITE_STATIC);
	sqlite3_bind_blob(stmt, at, marks, (int)(2 * batch->leaves), SQLITE_STATIC);
	bool done = sqlite3_step(stmt) == SQLITE_DONE;
	sqlite3_finalize(stmt);
	return done;
}

/* Record, chain and log leaf. */
static bool chain_batch(struct help_evidence *evidence, struct oev_batch *batch)
{
	struct oev_canon canon;
	struct oev_hash leaf;
	size_t len;

	oev_canon_init(&canon);
	batch->previous = evidence->log.chain;
	bool done = oev_batch_octets(batch, &canon) == OC_OK;
	if (done) {
		const uint8_t *octets = oev_canon_octets(&canon, &len);
		oev_batch_chain(octets, len, &evidence->log.chain);
		oev_batch_leaf(octets, len, &leaf);
		oev_frontier_append(&evidence->log.frontier, &leaf);
		evidence->log.rows += batch->leaves;
	}
	oev_canon_fini(&canon);
	return done;
}

bool help_batch_of(struct help_evidence *evidence, const char *spans)
{
	struct oev_hash *leaves = calloc(LEAVES_MAX, sizeof(*leaves));
	uint8_t *marks = malloc(2 * LEAVES_MAX);
	uint64_t count = make_leaves(evidence, spans, leaves);
	struct oev_batch batch = { .number = evidence->log.frontier.size + 1,
				   .first_ns = 1000 * evidence->log.frontier.size,
				   .last_ns = 1000 * evidence->log.frontier.size + 999,
				   .wall_us = evidence->wall_us += 250000,
				   .journal = evidence->log.rows + count,
				   .leaves = count,
				   .rows = spans,
				   .rows_len = strlen(spans) };

	for (uint64_t i = 0; i < count; i++)
		memcpy(marks + 2 * i, leaves[i].octets, 2);
	snprintf(batch.segment, sizeof(batch.segment), "%s", evidence->name);
	oev_merkle_root(leaves, count, &batch.root);
	bool done = chain_batch(evidence, &batch) && put_batch(evidence, &batch, marks);
	free(leaves);
	free(marks);
	return done;
}

bool help_batch(struct help_evidence *evidence)
{
	struct oev_spans spans;
	const char *text;
	size_t len;

	oev_spans_init(&spans);
	oev_spans_begin(&spans);
	for (unsigned i = 0; i < evidence->layout->count; i++) {
		const struct oev_layout_table *table = &evidence->layout->tables[i];
		int64_t last = help_last_row(evidence, table->name);
		if (table->is_log || last == evidence->covered[i])
			continue;
		oev_spans_table(&spans, table->name);
		oev_spans_add_range(&spans, evidence->covered[i] + 1, last);
		evidence->covered[i] = last;
	}
	bool done = oev_spans_end(&spans, &text, &len) == OC_OK && help_batch_of(evidence, text);
	oev_spans_fini(&spans);
	return done;
}

bool help_checkpoint(struct help_evidence *evidence)
{
	struct oev_checkpoint checkpoint = { .size = evidence->log.frontier.size,
					     .rows = evidence->log.rows,
					     .mono_ns = 1000 * evidence->log.frontier.size,
					     .wall_us = evidence->wall_us,
					     .chain = evidence->log.chain };
	char note[OEV_NOTE_MAX];

	snprintf(checkpoint.origin, sizeof(checkpoint.origin), "%s", evidence->node);
	snprintf(checkpoint.segment, sizeof(checkpoint.segment), "%s", evidence->name);
	oev_frontier_root(&evidence->log.frontier, &checkpoint.root);
	if (oev_checkpoint_sign(&checkpoint, evidence->key, note, sizeof(note), NULL) != OC_OK ||
	    !help_sql(evidence, "INSERT INTO checkpoint VALUES (%llu, %llu, %Q)",
		      (unsigned long long)checkpoint.size, (unsigned long long)checkpoint.wall_us, note))
		return false;
	FILE *file = fopen(evidence->beside, "a");
	bool done = file != NULL && fputs(note, file) >= 0;
	return file != NULL && fclose(file) == 0 && done;
}

bool help_close(struct help_evidence *evidence, const char *how)
{
	return help_sql(evidence, "INSERT INTO meta VALUES ('closed_us', '%llu'), ('closed_how', %Q)",
			(unsigned long long)evidence->wall_us, how) &&
	       help_batch(evidence) && help_checkpoint(evidence) &&
	       help_sql(evidence, "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode=DELETE");
}

static bool digest_file(const char *path, struct oev_hash *out, uint64_t *bytes)
{
	FILE *file = fopen(path, "rb");
	static uint8_t block[1 << 22];
	size_t len = file != NULL ? fread(block, 1, sizeof(block), file) : 0;

	if (file != NULL)
		fclose(file);
	oev_hash_of(block, len, out);
	*bytes = len;
	return len > 0 && len < sizeof(block);
}

static bool put_seal(struct help_evidence *evidence, const char *path, struct oev_seal *seal)
{
	char note[OEV_NOTE_MAX], name[300];

	if (!digest_file(path, &seal->sha256, &seal->bytes) ||
	    oev_seal_sign(seal, evidence->key, note, sizeof(note), NULL) != OC_OK)
		return false;
	snprintf(name, sizeof(name), "%s" OEV_SEAL_SUFFIX, path);
	FILE *file = fopen(name, "w");
	bool done = file != NULL && fputs(note, file) >= 0;
	return file != NULL && fclose(file) == 0 && done && chmod(path, 0444) == 0;
}

bool help_seal(struct help_evidence *evidence)
{
	struct oev_seal seal = { .first = evidence->first,
				 .last = evidence->log.frontier.size,
				 .wall_us = evidence->wall_us };

	help_leave(evidence);
	snprintf(seal.origin, sizeof(seal.origin), "%s", evidence->node);
	snprintf(seal.segment, sizeof(seal.segment), "%s", evidence->name);
	oev_frontier_root(&evidence->log.frontier, &seal.root);
	return put_seal(evidence, evidence->path, &seal);
}

bool help_seal_again(struct help_evidence *evidence, const char *path)
{
	char text[OEV_NOTE_MAX + 1], name[300];
	struct oev_seal seal;

	snprintf(name, sizeof(name), "%s" OEV_SEAL_SUFFIX, path);
	FILE *file = fopen(name, "r");
	size_t len = file != NULL ? fread(text, 1, OEV_NOTE_MAX, file) : 0;
	if (file != NULL)
		fclose(file);
	return oev_seal_open(text, len, NULL, &seal, NULL) == OC_OK && put_seal(evidence, path, &seal);
}

bool help_whole(struct help_evidence *evidence, unsigned count, unsigned batches, unsigned rows)
{
	for (unsigned i = 0; i < count; i++) {
		if (!help_begin(evidence))
			return false;
		for (unsigned batch = 0; batch < batches; batch++)
			if (!help_fill(evidence, rows) || !help_batch(evidence) ||
			    (batch % 2 == 1 && !help_checkpoint(evidence)))
				return false;
		if (!help_close(evidence, i + 1 < count ? "rotated" : "stopped") || !help_seal(evidence))
			return false;
	}
	return true;
}

void help_path(const struct help_evidence *evidence, unsigned number, char out[static 256])
{
	snprintf(out, 256, "%s/seg-20261129T1400%02u.db", evidence->folder, number);
}

bool help_alter(struct help_evidence *evidence, const char *path, const char *sql)
{
	char *error = NULL;

	help_leave(evidence);
	chmod(path, 0644);
	if (sqlite3_open(path, &evidence->db) != SQLITE_OK)
		return false;
	sqlite3_db_config(evidence->db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	bool done = sqlite3_exec(evidence->db, sql, NULL, NULL, &error) == SQLITE_OK;
	if (!done)
		fprintf(stderr, "help_evidence: %s in: %.200s\n", error, sql);
	sqlite3_free(error);
	sqlite3_close(evidence->db);
	evidence->db = NULL;
	return done && chmod(path, 0444) == 0;
}

void help_verify(const struct help_evidence *evidence, const struct oev_verify_options *options,
		 struct oev_verify_result *out)
{
	struct oev_verify_options all = { .path = evidence->folder, .key = evidence->key_path };

	oev_verify_folder(out, options != NULL ? options : &all);
}

bool help_copy(const char *from, const char *to)
{
	char command[1200];

	snprintf(command, sizeof(command), "cp -p '%s' '%s'", from, to);
	return system(command) == 0;
}

bool help_append(const char *path, const char *text)
{
	FILE *file = fopen(path, "a");
	bool done = file != NULL && fputs(text, file) >= 0;

	return file != NULL && fclose(file) == 0 && done;
}
