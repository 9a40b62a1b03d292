/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the recorder: everything it wrote is proven, and told outside.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/oev_clock.h"
#include "evidence/proof/oev_seal.h"
#include "help_log.h"
#include "help_recorder.h"

void test_oev_recorder_proof_suite(void);

static struct help_log checked; /* by the running test */

/* The text of a file beside the folder, "" when it is not there. */
static const char *text_of(const char *name, char out[static 65536])
{
	char path[HELP_PATH_MAX + 64];
	size_t got = 0;

	snprintf(path, sizeof(path), "%s/%s", help_recorder.base, name);
	FILE *file = fopen(path, "r");
	if (file) {
		got = fread(out, 1, 65535, file);
		fclose(file);
	}
	out[got] = '\0';
	return out;
}

static unsigned count_of(const char *text, const char *word)
{
	unsigned count = 0;

	for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
		count++;
	return count;
}

static void test_oev_recorder_proves_every_row(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	struct oc_event name = { .kind = OC_EVENT_NAME, .mono_ns = 6 };

	name.u.name = (struct oc_event_name){ 4, "s1.example" };
	conf.batch_max_rows = 100;
	help_recorder_start(&conf);
	oev_journal_append(help_recorder.journal, &name);
	oev_journal_append(help_recorder.journal, &name); /* the second one is refused: a gap row */
	for (uint64_t id = 1; id <= 900; id++)
		help_recorder_append(id);
	oev_recorder_policy(help_recorder.recorder, "another policy", 9, 7);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT(help_log_folder(&checked, help_recorder.folder));
	CU_ASSERT(checked.ledger.number >= 10);
	CU_ASSERT(checked.rows > 900);
	CU_ASSERT_EQUAL(checked.rows, checked.ledger.rows);
	CU_ASSERT_EQUAL(checked.checkpoints, 1);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT max(journal) FROM batch"), 902);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT min(first_ns) FROM batch WHERE first_ns > 0"), 6);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT max(last_ns) FROM batch"), 6000000000 + 900 * 1000);
}

static void test_oev_recorder_schema_has_its_digest(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	char shell[HELP_TEXT_MAX * 4], text[HELP_TEXT_MAX];

	help_recorder_start(&conf);
	oev_recorder_stop(help_recorder.recorder);
	snprintf(shell, sizeof(shell),
		 "test \"$(sqlite3 -readonly '%s' 'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER "
		 "BY rowid'"
		 " | sha256sum | cut -c1-64)\" = '%s'",
		 help_recorder.path,
		 help_ask_text(help_recorder.path, "SELECT value FROM meta WHERE key = 'schema_sha256'",
			       text));
	if (system("command -v sqlite3 >/dev/null") == 0)
		CU_ASSERT_EQUAL(system(shell), 0);
	CU_ASSERT_EQUAL(strlen(text), 64);
}

static bool has_three_checkpoints(void)
{
	atomic_fetch_add(&help_recorder_ns, 100000000u);
	return help_recorder_ask("SELECT count(*) FROM checkpoint") >= 3;
}

static void test_oev_recorder_signs_in_time_and_tells_it_outside(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	static char text[65536];

	conf.mono_ns = help_recorder_mono_ns;
	conf.wall_us = help_recorder_wall_us;
	conf.checkpoint_s = 10;
	help_recorder_start(&conf);
	CU_ASSERT_EQUAL(help_recorder_wait(has_three_checkpoints), 0);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT(help_log_folder(&checked, help_recorder.folder));
	CU_ASSERT_EQUAL((uint64_t)help_recorder_ask("SELECT count(*) FROM checkpoint"), checked.checkpoints);
	CU_ASSERT(help_recorder_ask(
			  "SELECT min(wall_us - lag) FROM (SELECT wall_us, lag(wall_us) OVER (ORDER BY"
			  " batch) AS lag FROM checkpoint ORDER BY batch LIMIT 3)") >= 10000000);
	text_of("e.checkpoints", text);
	CU_ASSERT_EQUAL(count_of(text, "doic.checkpoint/1\n"), checked.checkpoints);
	CU_ASSERT_EQUAL(count_of(text, "doic.seal/1\n"), 1);
	CU_ASSERT_EQUAL(count_of(text, "\n- dra1.example "), checked.checkpoints + 1);
	CU_ASSERT_EQUAL(text[strlen(text) - 1], '\n');
}

static void test_oev_recorder_seals_at_stop(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	char path[1100];
	struct stat found;

	help_recorder_start(&conf);
	help_recorder_append(1);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT(help_log_folder(&checked, help_recorder.folder));
	snprintf(path, sizeof(path), "%s.seal", help_recorder.path);
	CU_ASSERT_EQUAL(stat(path, &found), 0);
	CU_ASSERT_EQUAL(found.st_mode & 0777, 0444);
	CU_ASSERT_EQUAL(stat(help_recorder.path, &found), 0);
	CU_ASSERT_EQUAL(found.st_mode & 0777, 0444);
}

/* One file more than the folder: the handed over folder has no secret in it. */
static void test_oev_recorder_folder_has_the_public_key_alone(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	static char text[65536];
	char path[HELP_PATH_MAX + 64];

	help_recorder_start(&conf);
	oev_recorder_stop(help_recorder.recorder);
	snprintf(path, sizeof(path), "%s/e.key", help_recorder.folder);
	CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
	text_of("e/public-key.txt", text);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "node dra1.example\n"));
	CU_ASSERT_PTR_NULL(strstr(text, "seed"));
}

static void test_oev_recorder_start_wants_a_key_and_a_name(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	struct oev_recorder *recorder = NULL;
	char error[HELP_TEXT_MAX] = "";

	conf.key = NULL;
	CU_ASSERT_EQUAL(oev_recorder_start(&recorder, help_recorder.journal, &conf, error, sizeof(error)),
			OC_EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "no key"));
	conf = help_recorder_conf();
	conf.node = "two words";
	CU_ASSERT_EQUAL(oev_recorder_start(&recorder, help_recorder.journal, &conf, error, sizeof(error)),
			OC_EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "name"));
}

/* The recorder never waits for the place outside, and the operator is told. */
static void test_oev_recorder_goes_on_when_the_place_outside_fails(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();

	conf.checkpoint_path = "/nowhere/at/all";
	help_recorder_start(&conf);
	help_recorder_append(1);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT(help_log_folder(&checked, help_recorder.folder));
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM decision"), 1);
	CU_ASSERT_EQUAL(atomic_load(&help_recorder.errors), 1);
}

void test_oev_recorder_proof_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_recorder_proof", NULL, NULL,
							       help_recorder_set_up, help_recorder_tear_down);

	CU_add_test(suite, "every_row", test_oev_recorder_proves_every_row);
	CU_add_test(suite, "schema_digest", test_oev_recorder_schema_has_its_digest);
	CU_add_test(suite, "signs_in_time", test_oev_recorder_signs_in_time_and_tells_it_outside);
	CU_add_test(suite, "seals_at_stop", test_oev_recorder_seals_at_stop);
	CU_add_test(suite, "public_key_alone", test_oev_recorder_folder_has_the_public_key_alone);
	CU_add_test(suite, "key_and_name", test_oev_recorder_start_wants_a_key_and_a_name);
	CU_add_test(suite, "outside_fails", test_oev_recorder_goes_on_when_the_place_outside_fails);
}
