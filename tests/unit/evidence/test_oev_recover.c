/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of recovery: what a life finds in its folder, and how its log goes on.
 */
#include "help_recorder.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/oev_clock.h"
#include "evidence/store/oev_journal_ring.h"
#include "help_journal.h"
#include "help_log.h"

void test_oev_recover_suite(void);

static struct help_log checked; /* by the running test */
static char paths[64][1024];

static void execute(const char *path, const char *sql)
{
	sqlite3 *db = NULL;
	char *error = NULL;

	CU_ASSERT_EQUAL_FATAL(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
	sqlite3_exec(db, sql, NULL, NULL, &error);
	if (error)
		fprintf(stderr, "  %s in %s\n", error, sql);
	sqlite3_free(error);
	sqlite3_close(db);
}

static bool is_drained(void)
{
	return oev_journal_fill(help_recorder.journal) == 0;
}

/* A life in a child that is killed: @stored decisions have rows, @waiting more are in the journal alone. */
static void live_and_die(uint64_t stored, uint64_t waiting)
{
	int status;

	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		struct oev_recorder_conf conf = help_recorder_conf();
		struct oev_recorder *recorder = NULL;
		char error[HELP_TEXT_MAX] = "";
		conf.log = NULL;
		conf.mono_ns = help_recorder_mono_ns; /* stands still: only whole batches are written */
		conf.wall_us = help_recorder_wall_us;
		conf.batch_max_rows = (uint32_t)(stored > 0 ? stored : 200);
		if (!help_recorder_journal(1024) || oev_recorder_start(&recorder, help_recorder.journal,
								       &conf, error, sizeof(error)) != OC_OK)
			_exit(1);
		for (uint64_t id = 1; id <= stored; id++)
			help_recorder_append(id);
		if (stored > 0 && help_recorder_wait(is_drained) != 0)
			_exit(1);
		for (uint64_t id = stored + 1; id <= stored + waiting; id++)
			help_recorder_append(id);
		kill(getpid(), SIGKILL);
	}
	waitpid(child, &status, 0);
	CU_ASSERT_FATAL(WIFSIGNALED(status));
}

static void test_oev_recover_finishes_what_was_cut_off(void)
{
	char text[HELP_TEXT_MAX];

	live_and_die(200, 50);
	CU_ASSERT_EQUAL(help_recorder_segments(paths, 64), 1);
	help_recorder_live(251, 260);
	CU_ASSERT_EQUAL(help_ask_int(paths[0], "SELECT count(*) FROM decision"), 250);
	CU_ASSERT_STRING_EQUAL(help_ask_text(paths[0], "SELECT events||' '||torn FROM recovery", text),
			       "50 0");
	CU_ASSERT_STRING_EQUAL(
		help_ask_text(paths[0], "SELECT value FROM meta WHERE key = 'closed_how'", text),
		"recovered");
	CU_ASSERT_EQUAL(help_ask_int(paths[0], "SELECT max(journal) FROM batch"), 250);
	CU_ASSERT_EQUAL(
		help_ask_int(paths[0],
			     "SELECT count(*) FROM v_decision WHERE mono_ns = 6000000000 + id * 1000"),
		250);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM decision"), 10);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM recovery"), 0);
	CU_ASSERT(help_log_folder(&checked, help_recorder.folder));
	CU_ASSERT(checked.checkpoints >= 2);
	CU_ASSERT(help_recorder_is_sealed(paths[0]));
	CU_ASSERT_EQUAL(atomic_load(&help_recorder.notices), 1);
	CU_ASSERT_EQUAL(atomic_load(&help_recorder.errors), 0);
}

static void test_oev_recover_log_goes_on_through_lives(void)
{
	help_recorder_live(1, 10);
	uint64_t first_rows = 0;
	CU_ASSERT(help_log_folder(&checked, help_recorder.folder));
	first_rows = checked.ledger.rows;
	help_recorder_live(11, 20);
	CU_ASSERT_EQUAL((uint64_t)help_recorder_ask("SELECT value FROM meta WHERE key = 'log_rows'"),
			first_rows);
	help_recorder_live(21, 30);
	CU_ASSERT(help_log_folder(&checked, help_recorder.folder));
	CU_ASSERT_EQUAL(help_recorder_segments(paths, 64), 3);
	CU_ASSERT_EQUAL(checked.checkpoints, 3);
	CU_ASSERT_EQUAL(atomic_load(&help_recorder.notices) + atomic_load(&help_recorder.errors), 0);
}

static void test_oev_recover_life_without_events_is_finished_too(void)
{
	live_and_die(0, 0);
	help_recorder_live(1, 1);
	CU_ASSERT(help_log_folder(&checked, help_recorder.folder));
	CU_ASSERT_EQUAL(help_recorder_ask_all("SELECT count(*) FROM recovery WHERE events = 0"), 1);
}

/* The word of a new log: its first segment says why, and counts from 1. */
static void expect_new_log(const char *word)
{
	char text[HELP_TEXT_MAX];

	CU_ASSERT_EQUAL(help_recorder_ask("SELECT min(number) FROM batch"), 1);
	help_ask_text(help_recorder.path, "SELECT value FROM meta WHERE key = 'log_broken'", text);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, word));
	if (!strstr(text, word))
		fprintf(stderr, "  it says: %s\n", text);
	CU_ASSERT(atomic_load(&help_recorder.errors) > 0);
}

static void test_oev_recover_log_that_was_cut_is_told(void)
{
	char shell[1100];

	help_recorder_live(1, 10);
	help_recorder_live(11, 20);
	snprintf(shell, sizeof(shell), "rm -f '%s'*", help_recorder.path);
	CU_ASSERT_EQUAL(system(shell), 0);
	help_recorder_live(21, 30);
	expect_new_log("told outside up to batch");
	snprintf(shell, sizeof(shell), "%s", help_recorder.path);
	help_recorder_live(31, 40); /* and the new one goes on, not the old one */
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM meta WHERE key = 'log_broken'"), 0);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT min(number) FROM batch"),
			1 + help_ask_int(shell, "SELECT max(number) FROM batch"));
}

static void test_oev_recover_log_whose_end_was_altered_is_told(void)
{
	help_recorder_live(1, 10);
	chmod(help_recorder.path, 0644);
	execute(help_recorder.path, "UPDATE batch SET wall_us = wall_us + 1 WHERE number = 2");
	help_recorder_live(11, 20);
	expect_new_log("batch 2 does not follow");
}

static void test_oev_recover_log_that_was_signed_by_another_is_told(void)
{
	struct oev_why why;
	char path[HELP_PATH_MAX + 16];
	bool made;

	help_recorder_live(1, 10);
	oev_key_free(help_recorder.key);
	snprintf(path, sizeof(path), "%s/other.key", help_recorder.base);
	CU_ASSERT_EQUAL_FATAL(oev_key_open(path, &help_recorder.key, &made, &why), OC_OK);
	help_recorder_live(11, 20);
	expect_new_log("another key was in force");
	help_recorder_live(21, 30);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM meta WHERE key = 'log_broken'"), 0);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT min(number) > 1 FROM batch"), 1);
}

/* Nothing is written into tables that somebody else changed. */
static void test_oev_recover_segment_with_a_foreign_trigger_is_left(void)
{
	live_and_die(200, 50);
	CU_ASSERT_EQUAL(help_recorder_segments(paths, 64), 1);
	execute(paths[0], "CREATE TRIGGER t AFTER INSERT ON recovery BEGIN DELETE FROM decision; END");
	help_recorder_live(251, 260);
	CU_ASSERT_EQUAL(help_ask_int(paths[0], "SELECT count(*) FROM decision"), 200);
	expect_new_log("not those it was made with");
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT events FROM gap WHERE reason LIKE '%the journal lies in "
					  "journal.ring.undrained-1'"),
			50);
}

static void test_oev_recover_events_without_their_segment_are_kept_aside(void)
{
	char shell[4 * HELP_PATH_MAX];

	live_and_die(200, 50);
	snprintf(shell, sizeof(shell), "rm -f '%s'/seg-*", help_recorder.folder);
	CU_ASSERT_EQUAL(system(shell), 0);
	help_recorder_live(251, 260);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT events FROM gap"), 50);
	snprintf(shell, sizeof(shell), "%s/journal.ring.undrained-1", help_recorder.folder);
	CU_ASSERT_EQUAL(access(shell, F_OK), 0);
	CU_ASSERT(atomic_load(&help_recorder.errors) > 0);
}

/* The last @count events in the ring are not what a producer wrote. */
static void damage_events(uint64_t count)
{
	struct help_journal h = { 0 };
	size_t octets;

	snprintf(h.path, sizeof(h.path), "%.200s/" OEV_JOURNAL_FILE, help_recorder.folder);
	struct oev_ring *ring = help_journal_map(&h, &octets);
	uint64_t tail = atomic_load(&ring->tail);
	for (uint64_t position = tail - count; position < tail; position++)
		ring->slots[position & (ring->kind.records - 1)].sum ^= 1;
	help_journal_unmap(ring, octets);
}

static bool has_aside(void)
{
	char path[HELP_PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/journal.ring.undrained-1", help_recorder.folder);
	return access(path, F_OK) == 0;
}

/* None of them can be read, but they were there. */
static void test_oev_recover_damaged_events_without_their_segment_are_kept_aside(void)
{
	char shell[4 * HELP_PATH_MAX];

	live_and_die(200, 50);
	damage_events(50);
	snprintf(shell, sizeof(shell), "rm -f '%s'/seg-*", help_recorder.folder);
	CU_ASSERT_EQUAL(system(shell), 0);
	help_recorder_live(251, 260);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT coalesce(sum(events), 0) FROM gap"), 50);
	CU_ASSERT(has_aside());
	CU_ASSERT(atomic_load(&help_recorder.errors) > 0);
}

static void test_oev_recover_damaged_events_count_beside_those_that_wait(void)
{
	live_and_die(200, 50);
	CU_ASSERT_EQUAL(help_recorder_segments(paths, 64), 1);
	damage_events(20);
	execute(paths[0], "CREATE TRIGGER t AFTER INSERT ON recovery BEGIN DELETE FROM decision; END");
	help_recorder_live(251, 260);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT coalesce(sum(events), 0) FROM gap"), 50);
	CU_ASSERT(has_aside());
}

static void test_oev_recover_damaged_events_are_told_once(void)
{
	live_and_die(200, 50);
	CU_ASSERT_EQUAL(help_recorder_segments(paths, 64), 1);
	damage_events(20);
	help_recorder_live(251, 260);
	CU_ASSERT_EQUAL(help_ask_int(paths[0], "SELECT sum(events) FROM gap"), 20);
	CU_ASSERT_EQUAL(help_ask_int(paths[0], "SELECT count(*) FROM decision"), 230);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM gap"), 0);
	CU_ASSERT_FALSE(has_aside());
	CU_ASSERT_EQUAL(atomic_load(&help_recorder.errors), 0);
}

static void test_oev_recover_journal_that_cannot_be_read_is_kept_aside(void)
{
	char path[HELP_PATH_MAX + 64], text[HELP_TEXT_MAX];

	live_and_die(200, 50);
	snprintf(path, sizeof(path), "%s/%s", help_recorder.folder, OEV_JOURNAL_FILE);
	CU_ASSERT_EQUAL(truncate(path, 5000), 0);
	help_recorder_live(251, 260);
	help_ask_text(help_recorder.path, "SELECT reason FROM gap", text);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "journal.ring.unreadable-1"));
	CU_ASSERT(help_log_folder(&checked, help_recorder.folder));
	CU_ASSERT_EQUAL(help_recorder_ask_all("SELECT count(*) FROM decision"), 210);
}

/* Losing power may take what was committed last, while the ring is a file that the system had written. */
static void test_oev_recover_commits_that_the_database_lost_are_a_gap(void)
{
	live_and_die(200, 50);
	CU_ASSERT_EQUAL(help_recorder_segments(paths, 64), 1);
	/* The last batch, which is the only one with events, as if its frames had never reached the disk. */
	execute(paths[0], "DELETE FROM batch WHERE journal > 0; DELETE FROM decision; DELETE FROM flow; "
			  "DELETE FROM way");
	help_recorder_live(251, 260);
	CU_ASSERT_EQUAL(
		help_ask_int(paths[0], "SELECT events FROM gap WHERE reason = 'lost by the database'"), 200);
	CU_ASSERT_EQUAL(help_ask_int(paths[0], "SELECT count(*) FROM decision"), 50);
	CU_ASSERT(help_log_folder(&checked, help_recorder.folder));
}

static void test_oev_recover_seals_what_an_older_agent_left(void)
{
	char path[HELP_PATH_MAX + 64];

	help_recorder_put(path,
			  "PRAGMA journal_mode = WAL; CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);"
			  "INSERT INTO meta VALUES ('schema', '2'), ('node', 'dra1.example')");
	help_recorder_live(1, 10);
	CU_ASSERT(help_recorder_is_sealed(path));
	CU_ASSERT_EQUAL(help_ask_int(path, "SELECT count(*) FROM meta"), 2);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM meta WHERE key = 'log_broken'"), 0);
}

/* A reader was in the way of a seal, then came the kill. */
static void test_oev_recover_seal_that_waited_says_when_it_was_due(void)
{
	char seal[1100], text[4096] = "";
	unsigned long long wall_us = 0;

	help_recorder_live(1, 10);
	CU_ASSERT_EQUAL_FATAL(help_recorder_segments(paths, 64), 1);
	snprintf(seal, sizeof(seal), "%s.seal", paths[0]);
	CU_ASSERT(unlink(seal) == 0 && chmod(paths[0], 0600) == 0);
	int64_t closed_us = help_ask_int(paths[0], "SELECT value FROM meta WHERE key = 'closed_us'");
	help_recorder_live(11, 20);
	FILE *file = fopen(seal, "r");
	CU_ASSERT_FATAL(file != NULL);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	const char *at = strstr(text, "\nwall_us ");
	CU_ASSERT(at != NULL && sscanf(at, "\nwall_us %llu", &wall_us) == 1);
	CU_ASSERT_EQUAL(wall_us, (unsigned long long)closed_us);
}

static bool path_has_changed(void)
{
	char path[1024];

	oev_recorder_path(help_recorder.recorder, path, sizeof(path));
	return strcmp(path, help_recorder.path) != 0;
}

/* A page that is not where the schema says. */
static void test_oev_recover_damaged_segment_is_followed_by_another(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	struct oc_event name = { .kind = OC_EVENT_NAME };

	name.u.name = (struct oc_event_name){ .id = 2, .text = "x.example" };
	CU_ASSERT_FATAL(help_recorder_journal(1024));
	help_recorder_start(&conf);
	oev_journal_append(help_recorder.journal, &name);
	for (uint64_t id = 1; id <= 10; id++)
		help_recorder_append(id);
	CU_ASSERT_EQUAL(help_recorder_wait(is_drained), 0);
	execute(help_recorder.path,
		"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 99999 WHERE name ="
		" 'decision'; PRAGMA schema_version = 4711");
	for (uint64_t id = 11; id <= 20; id++)
		help_recorder_append(id);
	CU_ASSERT_EQUAL(help_recorder_wait(path_has_changed), 0);
	oev_recorder_path(help_recorder.recorder, help_recorder.path, sizeof(help_recorder.path));
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM decision"), 10);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM name"), 1);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT events FROM gap WHERE reason LIKE 'seg-%.db is damaged%'"),
			11);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT value FROM meta WHERE key = 'part'"), 2);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT min(number) > 1 FROM batch"), 1);
	CU_ASSERT_EQUAL(help_recorder_segments(paths, 64), 2);
	CU_ASSERT(atomic_load(&help_recorder.errors) >= 2);
}

static bool has_failed(void)
{
	struct oev_recorder_stats stats;

	oev_recorder_stats(help_recorder.recorder, &stats);
	return stats.failures > 0;
}

static void test_oev_recover_locked_database_loses_nothing(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	sqlite3 *other = NULL;

	CU_ASSERT_FATAL(help_recorder_journal(1024));
	help_recorder_start(&conf);
	CU_ASSERT_EQUAL_FATAL(sqlite3_open(help_recorder.path, &other), SQLITE_OK);
	CU_ASSERT_EQUAL_FATAL(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	for (uint64_t id = 1; id <= 500; id++)
		help_recorder_append(id);
	CU_ASSERT_EQUAL(help_recorder_wait(has_failed), 0);
	CU_ASSERT_EQUAL(oev_journal_fill(help_recorder.journal), 500);
	sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL);
	sqlite3_close(other);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM decision"), 500);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM gap"), 0);
	CU_ASSERT(help_log_folder(&checked, help_recorder.folder));
}

void test_oev_recover_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_recover", NULL, NULL,
							       help_recorder_set_up, help_recorder_tear_down);

	CU_add_test(suite, "finishes", test_oev_recover_finishes_what_was_cut_off);
	CU_add_test(suite, "log_goes_on", test_oev_recover_log_goes_on_through_lives);
	CU_add_test(suite, "no_events", test_oev_recover_life_without_events_is_finished_too);
	CU_add_test(suite, "log_cut", test_oev_recover_log_that_was_cut_is_told);
	CU_add_test(suite, "log_altered", test_oev_recover_log_whose_end_was_altered_is_told);
	CU_add_test(suite, "log_of_another_key", test_oev_recover_log_that_was_signed_by_another_is_told);
	CU_add_test(suite, "foreign_trigger", test_oev_recover_segment_with_a_foreign_trigger_is_left);
	CU_add_test(suite, "segment_gone", test_oev_recover_events_without_their_segment_are_kept_aside);
	CU_add_test(suite, "damaged_segment_gone",
		    test_oev_recover_damaged_events_without_their_segment_are_kept_aside);
	CU_add_test(suite, "damaged_and_waiting",
		    test_oev_recover_damaged_events_count_beside_those_that_wait);
	CU_add_test(suite, "damaged_once", test_oev_recover_damaged_events_are_told_once);
	CU_add_test(suite, "journal_unreadable", test_oev_recover_journal_that_cannot_be_read_is_kept_aside);
	CU_add_test(suite, "commits_lost", test_oev_recover_commits_that_the_database_lost_are_a_gap);
	CU_add_test(suite, "older_agent", test_oev_recover_seals_what_an_older_agent_left);
	CU_add_test(suite, "seal_that_waited", test_oev_recover_seal_that_waited_says_when_it_was_due);
	CU_add_test(suite, "damaged_segment", test_oev_recover_damaged_segment_is_followed_by_another);
	CU_add_test(suite, "locked_database", test_oev_recover_locked_database_loses_nothing);
}
