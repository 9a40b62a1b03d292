/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Making, filling and finishing segment files.
 */
#include "oev_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../../agent/oc_event.h"

#ifndef DOIC_VERSION
#define DOIC_VERSION "0.1.0"
#endif

#define SCHEMA_VERSION "4"
#define NUMBER_MAX 24

static int put_meta(struct oev_db *db, const char *key, const char *value)
{
	struct oev_row row = oev_db_row(db, OEV_TABLE_META);

	oev_row_text(&row, key);
	oev_row_text(&row, value ? value : "");
	return oev_row_put(&row);
}

static int put_meta_number(struct oev_db *db, const char *key, uint64_t value)
{
	char text[NUMBER_MAX];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	return put_meta(db, key, text);
}

static int put_meta_hex(struct oev_db *db, const char *key, uint64_t value)
{
	char text[NUMBER_MAX];

	snprintf(text, sizeof(text), "%016" PRIx64, value);
	return put_meta(db, key, text);
}

/* Who writes this, and what. */
static int put_origin(struct oev_db *db, const struct oev_recorder_conf *conf)
{
	struct utsname system;
	const char *host = uname(&system) == 0 ? system.nodename : "";
	const struct oev_fact facts[] = {
		{ "schema", SCHEMA_VERSION },
		{ "product", "doic-agent" },
		{ "version", DOIC_VERSION },
		{ "kind", conf->kind ? conf->kind : "agent" },
		{ "node", conf->node },
		{ "realm", conf->realm },
		{ "host", host },
	};
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < sizeof(facts) / sizeof(facts[0]); i++)
		rc = put_meta(db, facts[i].key, facts[i].value);
	for (size_t i = 0; rc == OC_OK && i < conf->fact_count; i++)
		rc = put_meta(db, conf->facts[i].key, conf->facts[i].value);
	return rc;
}

static int put_part(struct oev_db *db, const struct oev_part *part)
{
	const struct {
		const char *key;
		uint64_t value;
	} numbers[] = {
		{ "pid", (uint64_t)getpid() },
		{ "part", part->number },
		{ "base_ns", part->now.mono_ns },
		{ "started_us", part->now.wall_us },
		{ "journal_records", part->journal_records },
		{ "flow_from", part->flow_from },
		{ "way_from", part->way_from },
		{ "ending_from", part->ending_from },
		{ "lost_before", part->lost_before },
	};
	int rc = put_meta_hex(db, "run", part->run_id);

	for (size_t i = 0; rc == OC_OK && i < sizeof(numbers) / sizeof(numbers[0]); i++)
		rc = put_meta_number(db, numbers[i].key, numbers[i].value);
	return rc;
}

/* The log as it is before this segment. */
static int put_log(struct oev_db *db, const struct oev_part *part)
{
	char edge[OEV_FRONTIER_TEXT_MAX], chain[OEV_HASH_HEX];
	int rc = put_meta(db, "previous", part->previous);

	oev_frontier_text(&part->ledger->frontier, edge);
	oev_hash_hex(&part->ledger->chain, chain);
	if (rc == OC_OK)
		rc = put_meta_number(db, "log_size", part->ledger->number);
	if (rc == OC_OK)
		rc = put_meta_number(db, "log_rows", part->ledger->rows);
	if (rc == OC_OK)
		rc = put_meta(db, "log_chain", chain);
	if (rc == OC_OK)
		rc = put_meta(db, "log_frontier", edge);
	return rc == OC_OK && part->broken ? put_meta(db, "log_broken", part->broken) : rc;
}

static int put_schema_hash(struct oev_db *db)
{
	struct oev_hash hash;
	char text[OEV_HASH_HEX];
	int rc = oev_db_schema_hash(db, &hash);

	if (rc != OC_OK)
		return rc;
	oev_hash_hex(&hash, text);
	return put_meta(db, "schema_sha256", text);
}

/* The words for the small numbers of decision and outcome, from the same tables the program uses. */
static const struct {
	const char *kind;
	unsigned count;
	const char *(*text)(unsigned value);
} codes[] = {
	{ "verdict", OC_VERDICT_COUNT, oc_verdict_text },
	{ "why", OC_WHY_COUNT, oc_why_text },
	{ "scope", OC_SCOPE_COUNT, oc_scope_text },
	{ "maker", OC_MADE_COUNT, oc_maker_text },
};

static int put_code(struct oev_db *db, const char *kind, unsigned value, const char *text)
{
	struct oev_row row = oev_db_row(db, OEV_TABLE_CODE);

	oev_row_text(&row, kind);
	oev_row_int(&row, value);
	oev_row_text(&row, text);
	return oev_row_put(&row);
}

static int put_codes(struct oev_db *db)
{
	int rc = OC_OK;

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		for (unsigned value = 0; rc == OC_OK && value < codes[i].count; value++)
			rc = put_code(db, codes[i].kind, value, codes[i].text(value));
	return rc;
}

int oev_writer_put_policy(struct oev_writer *segment, const char *text, uint32_t version,
			  const struct oev_moment *from)
{
	struct oev_row row = oev_db_row(segment->db, OEV_TABLE_POLICY);
	char digest[OEV_HASH_HEX];
	struct oev_hash hash;

	oev_hash_of(text, strlen(text), &hash);
	oev_hash_hex(&hash, digest);
	oev_row_int(&row, version);
	oev_row_bits(&row, from->mono_ns);
	oev_row_bits(&row, from->wall_us);
	oev_row_text(&row, digest);
	oev_row_text(&row, text);
	return oev_row_put(&row);
}

/* The clock's key is its monotonic time: a pair of the same moment is there already. */
int oev_writer_put_clock(struct oev_writer *segment, const struct oev_moment *now)
{
	struct oev_row row = oev_db_row(segment->db, OEV_TABLE_CLOCK);

	oev_row_bits(&row, now->mono_ns);
	oev_row_bits(&row, now->wall_us);
	int rc = oev_row_put(&row);
	return rc == OC_EREFUSED ? OC_OK : rc;
}

int oev_writer_put_gap(struct oev_writer *segment, const struct oev_moment *now, uint64_t events,
		       const char *reason)
{
	if (events == 0)
		return OC_OK;
	struct oev_row row = oev_db_row(segment->db, OEV_TABLE_GAP);
	oev_row_bits(&row, now->mono_ns);
	oev_row_bits(&row, now->wall_us);
	oev_row_bits(&row, events);
	oev_row_text(&row, reason);
	return oev_row_put(&row);
}

int oev_writer_put_first(struct oev_writer *segment, const struct oev_recorder_conf *conf,
			 const struct oev_part *part)
{
	int rc = put_origin(segment->db, conf);

	if (rc == OC_OK)
		rc = put_schema_hash(segment->db);
	if (rc == OC_OK)
		rc = put_part(segment->db, part);
	if (rc == OC_OK)
		rc = put_log(segment->db, part);
	return rc == OC_OK ? put_codes(segment->db) : rc;
}

int oev_writer_open(struct oev_writer *out, const struct oev_recorder_conf *conf, uint64_t wall_us,
		    char *error, size_t error_size)
{
	int rc = oev_place_make(conf->folder, error, error_size);

	if (rc == OC_OK)
		rc = oev_place_segment(conf->folder, wall_us, out->path, error, error_size);
	if (rc != OC_OK)
		return rc;
	rc = oev_db_create(&out->db, out->path, conf->synchronous, error, error_size);
	if (rc != OC_OK)
		oev_writer_discard(out);
	return rc;
}

int oev_writer_put_end(struct oev_writer *segment, const struct oev_moment *now, const char *how)
{
	int rc = put_meta_number(segment->db, "closed_us", now->wall_us);

	return rc == OC_OK ? put_meta(segment->db, "closed_how", how) : rc;
}

const char *oev_writer_name(const struct oev_writer *segment)
{
	return oev_place_name(segment->path);
}

void oev_writer_close(struct oev_writer *segment)
{
	oev_db_free(segment->db);
	segment->db = NULL;
}

void oev_writer_discard(struct oev_writer *segment)
{
	oev_writer_close(segment);
	oev_place_discard(segment->path);
}
