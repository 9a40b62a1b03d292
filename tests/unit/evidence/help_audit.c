/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Runs of the audit for tests.
 */
#include "help_audit.h"

#include <stdlib.h>

/* An audit with the list of inputs its options point to. */
struct held {
	struct oev_audit audit; /* first, so that one pointer frees both */
	const char *inputs[1];
};

struct oev_audit *help_audit(const struct help_segment *segment, struct oev_audit_options options)
{
	struct held *held = calloc(1, sizeof(*held));
	struct oev_audit *audit = &held->audit;

	held->inputs[0] = segment->folder;
	options.inputs = held->inputs;
	options.input_count = 1;
	if (options.until_us == 0)
		options.until_us = UINT64_MAX;
	if (options.parts == 0)
		options.parts = OEV_PART_ALL;
	if (options.required == OEV_STEP_ASKED)
		options.required = OEV_STEP_ARRIVED;
	oev_audit_run(audit, &options);
	return audit;
}

void help_audit_drop(struct oev_audit *audit)
{
	oev_audit_fini(audit);
	free(audit);
}

bool help_segment_step(sqlite3_stmt *stmt, const int64_t *values, int count)
{
	int rc = stmt != NULL ? SQLITE_OK : SQLITE_ERROR;

	for (int i = 0; rc == SQLITE_OK && i < count; i++)
		rc = values[i] < 0 ? sqlite3_bind_null(stmt, i + 1)
				   : sqlite3_bind_int64(stmt, i + 1, values[i]);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	sqlite3_reset(stmt);
	return rc == SQLITE_DONE;
}

uint64_t help_chance(uint64_t *seed, uint64_t below)
{
	*seed += 0x9e3779b97f4a7c15u;
	uint64_t n = *seed;

	n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9u;
	n = (n ^ (n >> 27)) * 0x94d049bb133111ebu;
	return (n ^ (n >> 31)) % below;
}

bool help_segment_basics(struct help_segment *segment, const char *policy)
{
	return help_segment_sql(
		segment,
		"INSERT INTO meta VALUES ('schema', '4'), ('node', 'dra-01.example.net'),"
		" ('realm', 'example.net'), ('started_us', '%lld'), ('base_ns', '%lld'),"
		" ('closed_us', '%lld');"
		"INSERT INTO name VALUES (2, 'dra-01.example.net'), (3, 's1.example.net'),"
		" (4, 's2.example.net'), (5, 'c1.example.net'), (6, 'example.net'), (7, 'example.org');"
		"WITH RECURSIVE n(i) AS (SELECT 8 UNION ALL SELECT i + 1 FROM n WHERE i < 30)"
		" INSERT INTO name SELECT i, 'n' || i || '.example.net' FROM n;"
		"INSERT INTO policy VALUES (1, %lld, %lld, '00', %Q);"
		"INSERT INTO clock VALUES (%lld, %lld)",
		HELP_WALL_US, HELP_MONO_NS, HELP_WALL_US + 80000000, HELP_MONO_NS, HELP_WALL_US, policy,
		HELP_MONO_NS, HELP_WALL_US);
}

bool help_segment_report(struct help_segment *segment, uint64_t at_us, unsigned percent, unsigned validity_s)
{
	uint64_t at_ns = HELP_MONO_NS + at_us * 1000;

	return help_segment_sql(
		segment,
		"INSERT INTO report VALUES (1, %lld, %lld, 3, %u, 0, 3, 3, 6, '5', %u, %u, NULL, 'loss',"
		" 'new', '', 1, x'0000026f0000003c00000270000000100000000000000005"
		"000002720000000c00000000000002730000000c%08x000002710000000c%08x', 60);"
		"INSERT INTO ocs_version VALUES (1, 1, NULL, 'host', %u, 3, '5', 'loss', %u, NULL, %u,"
		" %lld, %lld, %lld, NULL)",
		at_ns, HELP_WALL_US + at_us, HELP_GX, percent, validity_s, percent, validity_s, HELP_GX,
		percent, validity_s, at_ns, HELP_WALL_US + at_us, at_ns + validity_s * 1000000000ull);
}
