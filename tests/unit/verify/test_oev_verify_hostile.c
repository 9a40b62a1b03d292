/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of segments made to harm whoever checks them: no crash, bounded time and memory, and never "intact".
 */
#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "help_evidence.h"

#define MUTANTS 150u

void test_oev_verify_hostile_suite(void);

/* An open segment, so that no digest says at once what is wrong; @sql goes to it. */
static void expect_no_harm(const char *sql)
{
	struct help_evidence evidence;
	struct oev_verify_result result;
	char path[256];

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_begin(&evidence) && help_fill(&evidence, 3) &&
			help_batch(&evidence) && help_checkpoint(&evidence));
	help_path(&evidence, 1, path);
	CU_ASSERT(help_alter(&evidence, path, sql));
	help_verify(&evidence, NULL, &result);
	CU_ASSERT(result.outcome > OEV_VERIFY_UNWITNESSED);
	CU_ASSERT(result.findings_all > 0 || result.error[0] != '\0');
	CU_ASSERT(result.seconds < 20);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

static void test_other_tables_and_columns_do_no_harm(void)
{
	static const char *const changes[] = {
		"DROP TABLE decision",
		"DROP TABLE meta",
		"DROP TABLE batch",
		"DROP TABLE checkpoint; CREATE TABLE checkpoint (batch, wall_us, note)",
		"DROP TABLE checkpoint; CREATE VIEW checkpoint AS SELECT 1 AS batch, 2 AS wall_us, 3 AS note",
		"DROP TABLE meta; CREATE VIEW meta AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + "
		"1 FROM n)"
		" SELECT 'schema' AS key, i AS value FROM n",
		"DROP TABLE removal; CREATE TABLE removal (first_batch TEXT, last_batch TEXT)",
		"DROP TABLE decision; CREATE TABLE decision (id INTEGER PRIMARY KEY, x REAL);"
		" INSERT INTO decision VALUES (1, 1.5), (2, 1e300), (3, 0.0)",
		"DROP TABLE decision; CREATE TABLE decision (x PRIMARY KEY) WITHOUT ROWID",
		"CREATE VIRTUAL TABLE seg USING fts5(x)",
		"ALTER TABLE batch RENAME COLUMN root TO roots",
		"ALTER TABLE way ADD COLUMN more TEXT",
		"DROP TABLE flow; CREATE TABLE flow (id INTEGER PRIMARY KEY, y AS (zeroblob(1000000)) "
		"STORED);"
		" INSERT INTO flow (id) VALUES (1)",
	};

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
		expect_no_harm(changes[i]);
}

static void test_absurd_values_do_no_harm(void)
{
	static const char *const changes[] = {
		"UPDATE batch SET leaves = 9223372036854775807",
		"UPDATE batch SET leaves = -1, rows = 'decision 0-9223372036854775807'",
		"UPDATE batch SET number = 9223372036854775807",
		"UPDATE batch SET number = -5",
		"UPDATE batch SET rows = 'nothing 1-9223372036854775807', leaves = 9223372036854775807",
		"UPDATE batch SET rows = 'batch 1', leaves = 1",
		"UPDATE batch SET rows = '', leaves = 0, marks = x''",
		"UPDATE batch SET rows = replace(hex(zeroblob(3000000)), '0', ',')",
		"UPDATE meta SET value = '18446744073709551616' WHERE key = 'log_size'",
		"UPDATE meta SET value = hex(zeroblob(3000000)) WHERE key = 'log_frontier'",
		"UPDATE meta SET value = '-3' WHERE key = 'schema'",
		"UPDATE meta SET value = hex(zeroblob(100000)) WHERE key = 'node'",
		"UPDATE checkpoint SET note = hex(zeroblob(3000000))",
		"UPDATE checkpoint SET batch = -1",
		"UPDATE policy SET text = hex(zeroblob(30000000))",
		"UPDATE report SET raw = zeroblob(60000000)",
		"INSERT INTO removal SELECT 1, 'x', -1, 0x7fffffffffffffff, 'x', 'age' FROM decision, flow",
		"UPDATE decision SET id = -id",
		"UPDATE decision SET id = 9223372036854775807 WHERE id = 3",
	};

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
		expect_no_harm(changes[i]);
}

/* The largest values together stay below what a small machine has. */
static void test_memory_stays_bounded(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
#ifndef __SANITIZE_ADDRESS__
	CU_ASSERT(usage.ru_maxrss < 256 * 1024);
#endif
}

static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* Octets changed, pages exchanged, the end cut off, each in a way that the seed decides. */
static void mutate(uint8_t *file, size_t *len, uint32_t seed)
{
	uint32_t state = seed, count = 1 + next(&state) % 20;

	for (uint32_t i = 0; i < count; i++) {
		size_t page = next(&state) % (*len / 4096), other = next(&state) % (*len / 4096);
		size_t at = page * 4096 + (next(&state) % 3 == 0 ? next(&state) % 4096 : next(&state) % 64);
		switch (next(&state) % 4) {
		case 0:
			file[at] = (uint8_t)next(&state);
			break;
		case 1:
			file[at] ^= (uint8_t)(1u << next(&state) % 8);
			break;
		case 2:
			memcpy(file + page * 4096, file + other * 4096, next(&state) % 4096);
			break;
		default:
			if (i == 0 && next(&state) % 4 == 0)
				*len -= next(&state) % (*len / 2);
			break;
		}
	}
}

static void test_mutants_do_no_harm(void)
{
	struct help_evidence evidence;
	struct oev_verify_memory *memory = oev_verify_memory_new();
	struct stat info;
	char path[256];

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_begin(&evidence) && help_fill(&evidence, 3) &&
			help_batch(&evidence) && help_checkpoint(&evidence));
	help_path(&evidence, 1, path);
	CU_ASSERT(help_sql(&evidence, "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode=DELETE"));
	help_leave(&evidence);
	int fd = open(path, O_RDWR);
	CU_ASSERT_FATAL(fd >= 0 && fstat(fd, &info) == 0);
	size_t size = (size_t)info.st_size;
	uint8_t *good = malloc(size), *bad = malloc(size);
	CU_ASSERT_EQUAL_FATAL(pread(fd, good, size, 0), (ssize_t)size);
	for (uint32_t seed = 1; seed <= MUTANTS; seed++) {
		struct oev_verify_result result;
		size_t len = size;
		memcpy(bad, good, size);
		mutate(bad, &len, seed);
		CU_ASSERT(pwrite(fd, bad, len, 0) == (ssize_t)len && ftruncate(fd, (off_t)len) == 0);
		help_verify(&evidence,
			    &(struct oev_verify_options){
				    .path = evidence.folder, .memory = memory, .deep = true },
			    &result);
		CU_ASSERT(result.outcome < OEV_VERIFY_OUTCOME_COUNT);
		oev_verify_fini(&result);
	}
	close(fd);
	free(good);
	free(bad);
	oev_verify_memory_free(memory);
	help_evidence_remove(&evidence);
}

void test_oev_verify_hostile_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_verify_hostile", NULL, NULL);

	CU_add_test(suite, "other_tables_and_columns_do_no_harm", test_other_tables_and_columns_do_no_harm);
	CU_add_test(suite, "absurd_values_do_no_harm", test_absurd_values_do_no_harm);
	CU_add_test(suite, "memory_stays_bounded", test_memory_stays_bounded);
	CU_add_test(suite, "mutants_do_no_harm", test_mutants_do_no_harm);
}
