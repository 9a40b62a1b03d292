/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of revelations where something is amiss: parts that cannot be read, hostile rows, a recorder at work, an early end.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "help_life.h"

static struct help_life life;

static void set_up(void)
{
	help_life_make(&life);
}

static void tear_down(void)
{
	help_life_remove(&life);
}

static void test_a_part_that_cannot_be_read_makes_no_definite_no(void)
{
	struct oev_reveal reveal;
	char path[320];
	FILE *file;

	help_life_record(&life);
	snprintf(path, sizeof(path), "%s/seg-20990101T000000.db", life.folder);
	file = fopen(path, "w");
	fputs("this is no database, and long enough to be looked at as one by whoever opens it: it is not.",
	      file);
	fclose(file);
	help_reveal(&life, help_imsis, NULL, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_CANNOT_TELL);
	CU_ASSERT_EQUAL(oev_reveal_of(&reveal, &reveal.asked.items[0]), OEV_REVEAL_FOUND);
	CU_ASSERT_EQUAL(reveal.segment_count, 3);
	CU_ASSERT_NOT_EQUAL(reveal.segments[2].why[0], '\0');
	oev_reveal_fini(&reveal);
}

static void test_segments_of_older_agents_are_left_out_and_said(void)
{
	struct oev_reveal reveal;

	help_life_record(&life);
	help_life_sql(&life, "UPDATE meta SET value = '2' WHERE key = 'schema'");
	help_reveal(&life, help_imsis, NULL, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_UNUSABLE);
	CU_ASSERT_PTR_NOT_NULL(strstr(reveal.error, "older agent"));
	oev_reveal_fini(&reveal);
}

static void test_hostile_rows_do_no_harm(void)
{
	static const char *const changes[] = {
		"UPDATE decision SET at_ns = -9223372036854775807, session = -1",
		"UPDATE decision SET way = 99999999",
		"DELETE FROM clock",
		"INSERT INTO clock VALUES (1, 9223372036854775807)",
		"UPDATE meta SET value = 'nonsense' WHERE key = 'base_ns'",
		"INSERT INTO identity VALUES (5, 'session', CAST(x'00ff0a' AS TEXT)), (6, 'nonsense', 'x')",
		"DROP TABLE way",
		"DROP TABLE identity",
	};
	struct oev_reveal reveal;
	char *text = NULL;
	size_t size;

	life.is_clear = true;
	help_life_record(&life);
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		FILE *out = open_memstream(&text, &size);
		help_life_sql(&life, changes[i]);
		help_reveal(&life, help_imsis, NULL, &reveal);
		CU_ASSERT_EQUAL(oev_reveal_json(&reveal, "doic test", out), OC_OK);
		fclose(out);
		json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
		CU_ASSERT_PTR_NOT_NULL(root);
		json_decref(root);
		free(text);
		oev_reveal_fini(&reveal);
	}
}

static bool stop_at_once(void *ctx)
{
	(void)ctx;
	return true;
}

static void with_stop(struct oev_reveal_options *options)
{
	options->stop = stop_at_once;
}

static void test_it_ends_early_when_told(void)
{
	struct oev_reveal reveal;

	help_life_record(&life);
	help_reveal(&life, help_imsis, with_stop, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_INTERRUPTED);
	CU_ASSERT_EQUAL(oev_reveal_exit(reveal.outcome), 130);
	oev_reveal_fini(&reveal);
}

static void test_it_reads_beside_a_recorder_that_writes(void)
{
	struct oev_reveal reveal;
	const char *const words[] = { help_imsis[0], NULL };
	enum oev_reveal_outcome outcome = OEV_REVEAL_BUG;

	help_life_begin(&life, 0);
	help_life_request(&life, HELP_SESSION_1, help_imsis[0], OC_REFUSE);
	for (int i = 0; i < 1000 && outcome != OEV_REVEAL_FOUND; i++) {
		help_reveal(&life, words, NULL, &reveal);
		outcome = reveal.outcome;
		oev_reveal_fini(&reveal);
		help_life_request(&life, NULL, NULL, OC_FORWARD); /* time goes on */
		usleep(5000);
	}
	CU_ASSERT_EQUAL(outcome, OEV_REVEAL_FOUND);
	help_life_end(&life);
}

static void test_no_evidence_is_unusable(void)
{
	struct oev_reveal reveal;

	help_reveal(&life, help_imsis, NULL, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_UNUSABLE);
	CU_ASSERT_PTR_NOT_NULL(strstr(reveal.error, "No such file"));
	oev_reveal_fini(&reveal);
	mkdir(life.folder, 0755);
	help_reveal(&life, help_imsis, NULL, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_UNUSABLE);
	CU_ASSERT_PTR_NOT_NULL(strstr(reveal.error, "no segment"));
	oev_reveal_fini(&reveal);
}

void test_oev_reveal_odd_suite(void);

void test_oev_reveal_odd_suite(void)
{
	CU_pSuite suite =
		CU_add_suite_with_setup_and_teardown("oev_reveal_odd", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "a_part_that_cannot_be_read_makes_no_definite_no",
		    test_a_part_that_cannot_be_read_makes_no_definite_no);
	CU_add_test(suite, "segments_of_older_agents_are_left_out_and_said",
		    test_segments_of_older_agents_are_left_out_and_said);
	CU_add_test(suite, "hostile_rows_do_no_harm", test_hostile_rows_do_no_harm);
	CU_add_test(suite, "it_ends_early_when_told", test_it_ends_early_when_told);
	CU_add_test(suite, "it_reads_beside_a_recorder_that_writes",
		    test_it_reads_beside_a_recorder_that_writes);
	CU_add_test(suite, "no_evidence_is_unusable", test_no_evidence_is_unusable);
}
