/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The questions asked of a segment, and what its first rows say about it.
 */
#include "oev_query.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../agent/oc_policy.h"
#include "oev_query_open.h"

#define DECISION_COLUMNS                                                                                     \
	"id, mono_ns, wall_us, app_id, client, dest_host, dest_realm, realm_version, realm_share,"           \
	" host_version, host_share, peer_version, peer_share, verdict, why, selected_by, class, flags,"      \
	" first_choice, next_hop, realm_nth, host_nth, peer_nth, origin_host"

/* All SQL of the offline side. */
static const char *const questions[OEV_Q_COUNT] = {
	[OEV_Q_META] = "SELECT key, value FROM meta",
	[OEV_Q_LAST] = "SELECT max(wall_us), max(mono_ns), (SELECT coalesce(max(id), 0) FROM decision),"
		       " (SELECT coalesce(max(id), 0) FROM name) FROM ("
		       "SELECT wall_us, mono_ns FROM (SELECT wall_us, mono_ns FROM decision ORDER BY id DESC "
		       "LIMIT 1)"
		       " UNION ALL SELECT max(wall_us), max(mono_ns) FROM clock"
		       " UNION ALL SELECT max(wall_us), max(mono_ns) FROM report"
		       " UNION ALL SELECT max(wall_us), max(mono_ns) FROM ocs_change)",
	[OEV_Q_POLICY] = "SELECT text FROM policy",
	[OEV_Q_NAME_TEXT] = "SELECT text FROM name WHERE id = ?1",
	[OEV_Q_NAME_ID] = "SELECT id FROM name WHERE text = ?1 COLLATE NOCASE LIMIT 1",
	[OEV_Q_REPORT] =
		"SELECT r.id, r.mono_ns, r.wall_us, p.text, r.app_id, r.type, s.text, r.sequence,"
		" r.reduction_pct, r.validity_s, r.rate_rps, r.algorithm, r.verdict, r.reason, r.version,"
		" r.raw, r.raw_total, coalesce((SELECT sum(count) FROM report_repeat WHERE report = r.id), 0)"
		" FROM report r LEFT JOIN name p ON p.id = r.peer LEFT JOIN name s ON s.id = r.subject"
		" ORDER BY r.id",
	[OEV_Q_VERSION] =
		"SELECT o.version, o.report, o.replaces, o.type, o.app_id, o.subject, s.text, o.sequence,"
		" o.algorithm, o.reduction_pct, o.rate_rps, o.validity_s, o.from_ns, o.from_us, o.expires_ns,"
		" o.origin, c.text FROM ocs_version o LEFT JOIN name s ON s.id = o.subject"
		" LEFT JOIN name c ON c.id = o.origin ORDER BY o.version",
	[OEV_Q_VERSION_1] =
		"SELECT o.version, o.report, o.replaces, o.type, o.app_id, o.subject, s.text, o.sequence,"
		" o.algorithm, o.reduction_pct, o.rate_rps, o.validity_s, o.from_ns, o.from_us, o.expires_ns,"
		" NULL, NULL FROM ocs_version o LEFT JOIN name s ON s.id = o.subject ORDER BY o.version",
	[OEV_Q_CHANGE] =
		"SELECT version, mono_ns, how, matched, selected, expected_ppm, remembered FROM ocs_change"
		" ORDER BY mono_ns, rowid",
	/* A gap row is written when the database works again; what it counts was lost since the recorder was last seen at
	 * work, which a clock row tells. */
	[OEV_Q_GAP] = "SELECT wall_us, events, reason, (SELECT c.wall_us FROM clock c"
		      " WHERE c.mono_ns < gap.mono_ns ORDER BY c.mono_ns DESC LIMIT 1)"
		      " FROM gap ORDER BY mono_ns",
	[OEV_Q_DECISION] = "SELECT " DECISION_COLUMNS " FROM decision WHERE id <= ?1 ORDER BY id",
	[OEV_Q_DECISION_TAKE] =
		"SELECT oev_take(" DECISION_COLUMNS ") FROM decision WHERE id <= ?1 ORDER BY id",
	[OEV_Q_OUTCOME] = "SELECT id, result_code, maker, from_peer, attempts FROM outcome ORDER BY id",
};

sqlite3_stmt *oev_query_new(const struct oev_segment *segment, enum oev_question question)
{
	sqlite3_stmt *stmt = NULL;

	if (question == OEV_Q_VERSION && segment->schema == 1)
		question = OEV_Q_VERSION_1;
	if (sqlite3_prepare_v2(segment->db, questions[question], -1, &stmt, NULL) != SQLITE_OK)
		return NULL;
	return stmt;
}

/* Never NULL, whatever the file holds. */
static const char *column_word(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text != NULL ? text : "";
}

int oev_query_name(const struct oev_segment *segment, uint32_t id, char *buf, size_t size)
{
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_NAME_TEXT);
	int rc = stmt == NULL ? OC_EIO : OC_ENOENT;

	buf[0] = '\0';
	if (stmt != NULL && sqlite3_bind_int64(stmt, 1, id) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW) {
		snprintf(buf, size, "%s", column_word(stmt, 0));
		rc = OC_OK;
	}
	sqlite3_finalize(stmt);
	return rc;
}

uint32_t oev_query_name_id(const struct oev_segment *segment, const char *name)
{
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_NAME_ID);
	uint32_t id = 0;

	if (stmt != NULL && sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		id = (uint32_t)sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return id;
}

static int copy_text(char **out, const char *text)
{
	free(*out);
	*out = strdup(text != NULL ? text : "");
	return *out != NULL ? OC_OK : OC_ENOMEM;
}

static int take_meta(struct oev_segment *segment, const char *key, const char *value, uint64_t *schema)
{
	if (strcmp(key, "schema") == 0)
		*schema = strtoull(value, NULL, 10);
	else if (strcmp(key, "started_us") == 0)
		segment->started_us = strtoull(value, NULL, 10);
	else if (strcmp(key, "closed_us") == 0)
		segment->closed_us = strtoull(value, NULL, 10);
	else if (strcmp(key, "node") == 0)
		return copy_text(&segment->node, value);
	else if (strcmp(key, "realm") == 0)
		return copy_text(&segment->realm, value);
	return OC_OK;
}

static int read_meta(struct oev_segment *segment, char *error, size_t error_size)
{
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_META);
	uint64_t schema = 0;
	int rc = OC_OK, step = SQLITE_ERROR;

	while (stmt != NULL && rc == OC_OK && (step = sqlite3_step(stmt)) == SQLITE_ROW)
		rc = take_meta(segment, column_word(stmt, 0), column_word(stmt, 1), &schema);
	sqlite3_finalize(stmt);
	if (rc == OC_OK && (step != SQLITE_DONE || schema == 0 || segment->node == NULL)) {
		snprintf(error, error_size,
			 "%s: not an evidence segment (no table meta with schema and node)", segment->path);
		return OC_EMALFORMED;
	}
	if (rc == OC_OK && schema > OEV_SCHEMA_VERSION) {
		snprintf(error, error_size, "%s: schema %llu, this program reads up to %d; use a newer doic",
			 segment->path, (unsigned long long)schema, OEV_SCHEMA_VERSION);
		return OC_EVERSION;
	}
	segment->schema = (uint32_t)schema;
	return rc;
}

/* The value after "@key:" in the policy's YAML; NULL when the key does not occur. */
static const char *policy_value(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	if (at == NULL)
		return NULL;
	at += strlen(key);
	return at + strspn(at, " \t\"'");
}

/* The number after @key in thousandths, or @fallback; the first of a list in brackets. */
static uint32_t policy_permille(const char *text, const char *key, uint32_t fallback)
{
	const char *at = policy_value(text, key);
	char *end;

	if (at == NULL)
		return fallback;
	at += strspn(at, "[ \t\r\n-"); /* of a list either way of writing it */
	double value = strtod(at, &end);
	return end != at && value >= 0 && value <= 1e6 ? (uint32_t)(value * 1000 + 0.5) : fallback;
}

static uint32_t more_of(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* What the bounds of selection depend on; of several policies what allows most. The defaults are the policy's own. */
static void read_bounds(struct oev_segment *segment, const char *text)
{
	static const struct {
		const char *slack, *threshold, *resonance;
	} keys = { "slack_requests:", "thresholds:", "anti_resonance:" };
	struct oc_policy policy;

	oc_policy_init(&policy);
	uint32_t slack = policy_permille(text, keys.slack, policy.priorities.slack * 1000) / 1000;
	uint32_t threshold = policy_permille(text, keys.threshold, policy.rate.threshold_permille[0]);
	const char *resonance = policy_value(text, keys.resonance);
	segment->slack = more_of(segment->slack, slack);
	segment->threshold_permille = more_of(segment->threshold_permille, threshold);
	segment->anti_resonant |= resonance != NULL && strncmp(resonance, "true", 4) == 0;
}

static void read_policy(struct oev_segment *segment)
{
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_POLICY);

	segment->ramp_ms = 0;
	while (stmt != NULL && sqlite3_step(stmt) == SQLITE_ROW) {
		const char *text = column_word(stmt, 0);
		const char *sampler = policy_value(text, "sampler:"), *ramp = policy_value(text, "ramp_ms:");
		uint64_t ramp_ms = ramp != NULL ? strtoull(ramp, NULL, 10) : 30000; /* the policy's default */
		if (sampler != NULL && strncmp(sampler, "random", 6) == 0)
			segment->sampler_random = true;
		if (ramp_ms > segment->ramp_ms)
			segment->ramp_ms = ramp_ms;
		read_bounds(segment, text);
	}
	sqlite3_finalize(stmt);
	if (segment->ramp_ms == 0)
		segment->ramp_ms = 30000;
}

static int read_last(struct oev_segment *segment, char *error, size_t error_size)
{
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_LAST);
	int rc = OC_EMALFORMED;

	if (stmt != NULL && sqlite3_step(stmt) == SQLITE_ROW) {
		segment->last_us = (uint64_t)sqlite3_column_int64(stmt, 0);
		segment->last_ns = (uint64_t)sqlite3_column_int64(stmt, 1);
		segment->decisions = (uint64_t)sqlite3_column_int64(stmt, 2);
		segment->name_max = (uint32_t)sqlite3_column_int64(stmt, 3);
		rc = OC_OK;
	}
	sqlite3_finalize(stmt);
	for (int q = OEV_Q_NAME_TEXT; rc == OC_OK && q <= OEV_Q_OUTCOME; q++) {
		stmt = oev_query_new(segment, (enum oev_question)q);
		if (stmt == NULL)
			rc = OC_EMALFORMED;
		sqlite3_finalize(stmt);
	}
	if (rc != OC_OK)
		snprintf(error, error_size, "%s: not an evidence segment (%s)", segment->path,
			 sqlite3_errmsg(segment->db));
	return rc;
}

int oev_segment_open(struct oev_segment *out, const char *path, char *error, size_t error_size)
{
	int rc = copy_text(&out->path, path);

	if (rc == OC_OK)
		rc = oev_query_open(path, &out->db, error, error_size);
	if (rc == OC_OK)
		rc = read_meta(out, error, error_size);
	if (rc == OC_OK && out->realm == NULL)
		rc = copy_text(&out->realm, "");
	if (rc == OC_OK)
		rc = read_last(out, error, error_size);
	if (rc == OC_OK)
		read_policy(out);
	return rc;
}

void oev_segment_fini(struct oev_segment *segment)
{
	sqlite3_close(segment->db);
	free(segment->path);
	free(segment->node);
	free(segment->realm);
	*segment = (struct oev_segment){ 0 };
}

static bool fits(const char *name, const char *prefix, const char *suffix)
{
	size_t length = strlen(name), head = strlen(prefix), tail = strlen(suffix);

	return length >= head + tail && strncmp(name, prefix, head) == 0 &&
	       strcmp(name + length - tail, suffix) == 0;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add_path(char ***paths, size_t *count, const char *folder, const char *name)
{
	char **bigger = realloc(*paths, (*count + 1) * sizeof(**paths));
	size_t size = strlen(folder) + strlen(name) + 2;

	if (bigger == NULL)
		return OC_ENOMEM;
	*paths = bigger;
	bigger[*count] = malloc(size);
	if (bigger[*count] == NULL)
		return OC_ENOMEM;
	snprintf(bigger[*count], size, "%s/%s", folder, name);
	(*count)++;
	return OC_OK;
}

int oev_paths_list(const char *folder, const char *prefix, const char *suffix, char ***paths, size_t *count)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	int rc = OC_OK;

	*paths = NULL;
	*count = 0;
	if (dir == NULL)
		return OC_EIO;
	while (rc == OC_OK && (entry = readdir(dir)) != NULL)
		if (fits(entry->d_name, prefix, suffix))
			rc = add_path(paths, count, folder, entry->d_name);
	closedir(dir);
	if (*count > 1)
		qsort(*paths, *count, sizeof(**paths), by_text);
	return rc;
}

void oev_paths_free(char **paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
}
