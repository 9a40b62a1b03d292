/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the recorder: segments that follow each other in one life, and what retention removes.
 */
#include "help_recorder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/oev_clock.h"
#include "help_log.h"

void test_oev_recorder_parts_suite(void);

static struct help_log checked; /* by the running test */
static char paths[64][1024];

static struct oev_recorder_conf told_conf(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();

	conf.mono_ns = help_recorder_mono_ns;
	conf.wall_us = help_recorder_wall_us;
	return conf;
}

static bool path_has_changed(void)
{
	char path[1024];

	oev_recorder_path(help_recorder.recorder, path, sizeof(path));
	return strcmp(path, help_recorder.path) != 0;
}

/* Has time pass until the next segment has begun, which becomes help_recorder.path. */
static void wait_for_next_part(void)
{
	atomic_fetch_add(&help_recorder_ns, 100000000000u);
	CU_ASSERT_EQUAL_FATAL(help_recorder_wait(path_has_changed), 0);
	oev_recorder_path(help_recorder.recorder, help_recorder.path, sizeof(help_recorder.path));
}

static void append_event(struct oc_event *event)
{
	event->mono_ns = atomic_load(&help_recorder_ns);
	CU_ASSERT_EQUAL(oev_journal_append(help_recorder.journal, event), OC_OK);
}

static void append_name(uint32_t id)
{
	struct oc_event event = { .kind = OC_EVENT_NAME };

	event.u.name = (struct oc_event_name){ .id = id, .text = "x.example" };
	append_event(&event);
}

static void test_oev_recorder_parts_follow_by_age(void)
{
	struct oev_recorder_conf conf = told_conf();

	conf.segment_max_s = 100;
	help_recorder_start(&conf);
	append_name(2);
	for (uint64_t id = 1; id <= 30; id++) {
		help_recorder_append(id);
		if (id % 10 == 0)
			wait_for_next_part();
	}
	help_recorder_append(31);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_EQUAL(help_recorder_segments(paths, 64), 4);
	CU_ASSERT(help_log_folder(&checked, help_recorder.folder));
	CU_ASSERT_EQUAL(help_recorder_ask_all("SELECT count(*) FROM decision"), 31);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM decision"), 1);
	HELP_ASSERT_TEXT("SELECT group_concat(value, ' ') FROM (SELECT value FROM meta WHERE key IN ('part',"
			 " 'closed_how', 'flow_from', 'ending_from') ORDER BY key)",
			 "stopped 1 4 4");
	CU_ASSERT_EQUAL(help_ask_int(paths[0], "SELECT count(*) FROM meta WHERE value = 'rotated'"), 1);
	HELP_ASSERT_TEXT("SELECT group_concat(tbl||rows) FROM carried", "policy1,name1");
	CU_ASSERT_EQUAL(help_recorder_ask_all("SELECT count(DISTINCT value) FROM meta WHERE key = 'run'"), 4);
	CU_ASSERT_EQUAL(atomic_load(&help_recorder.errors) + atomic_load(&help_recorder.notices), 0);
}

static void test_oev_recorder_parts_follow_by_size(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	uint64_t id = 0;

	conf.segment_max_mb = 1;
	help_recorder_start(&conf);
	while (!path_has_changed() && id < 200000)
		if (help_recorder_append(++id) != OC_OK)
			oev_clock_sleep_us(1000);
	oev_recorder_stop(help_recorder.recorder);
	size_t count = help_recorder_segments(paths, 64);
	struct stat found;
	CU_ASSERT(count >= 2);
	CU_ASSERT_EQUAL(stat(help_recorder.path, &found), 0); /* the first one */
	CU_ASSERT(found.st_size >= 1048576 && found.st_size < 3 * 1048576);
	CU_ASSERT(help_log_folder(&checked, help_recorder.folder));
	CU_ASSERT_EQUAL(help_recorder_ask_all("SELECT count(*) FROM decision") +
				help_recorder_ask_all("SELECT coalesce(sum(events), 0) FROM gap"),
			(long long)id);
}

/* Whatever is true of a part is true when it is read without the others. */
static void test_oev_recorder_part_can_be_read_alone(void)
{
	struct oev_recorder_conf conf = told_conf();
	struct oc_event version = { .kind = OC_EVENT_OCS_VERSION }, report = { .kind = OC_EVENT_REPORT },
			profile = { .kind = OC_EVENT_PROFILE }, decision = help_decision(1, 6000000000u);

	conf.segment_max_s = 100;
	report.u.report.report = 1;
	version.u.ocs_version = (struct oc_event_ocs_version){ .report = 1, .version = 3 };
	profile.u.profile.id = 9;
	decision.u.decision.host = (struct oc_look){ 3, 300000, 1 };
	decision.u.decision.profile = 9;
	help_recorder_start(&conf);
	for (uint32_t id = 1; id <= 6; id++)
		append_name(id);
	append_event(&report);
	append_event(&version);
	append_event(&profile);
	append_event(&decision);
	wait_for_next_part();
	decision.u.decision.id = 2;
	decision.u.decision.host.nth = 2;
	append_event(&decision);
	oev_recorder_policy(help_recorder.recorder, "second\n", 4, 7);
	wait_for_next_part();
	decision.u.decision.id = 3;
	decision.u.decision.host.nth = 3;
	append_event(&decision);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT(help_log_folder(&checked, help_recorder.folder));
	CU_ASSERT_EQUAL(
		help_recorder_ask("SELECT count(*) FROM v_decision d JOIN v_ocs o ON o.version = "
				  "d.host_version JOIN v_report r ON r.id = o.report WHERE d.client = "
				  "'x.example' AND d.origin_host = 'x.example'"),
		1);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM decision JOIN flow f ON f.id = flow JOIN "
					  "profile p ON p.id = f.profile"),
			1);
	HELP_ASSERT_TEXT("SELECT group_concat(version) FROM policy", "3,4");
	HELP_ASSERT_TEXT("SELECT matched||' '||expected_ppm FROM carried_version WHERE version = 3",
			 "2 600000");
	HELP_ASSERT_TEXT("SELECT group_concat(tbl||rows) FROM carried",
			 "policy2,name6,report1,ocs_version1,profile1");
}

/* Takes, or gives back, every name that the next segment could have. */
static void take_names(bool take)
{
	char path[HELP_PATH_MAX + 64];

	for (unsigned n = 1; n <= 1000; n++) {
		char number[16] = "";
		if (n > 1)
			snprintf(number, sizeof(number), "-%u", n);
		snprintf(path, sizeof(path), "%s/seg-20260807T221645%s.db", help_recorder.folder, number);
		if (take)
			close(open(path, O_CREAT | O_WRONLY, 0600));
		else
			unlink(path);
	}
}

static bool has_said_an_error(void)
{
	return atomic_load(&help_recorder.errors) > 0;
}

static void test_oev_recorder_parts_go_on_when_the_next_cannot_be_made(void)
{
	struct oev_recorder_conf conf = told_conf();

	conf.segment_max_s = 100;
	help_recorder_start(&conf);
	help_recorder_append(1);
	take_names(true);
	atomic_fetch_add(&help_recorder_ns, 100000000000u);
	CU_ASSERT_EQUAL(help_recorder_wait(has_said_an_error), 0);
	help_recorder_append(2);
	take_names(false);
	wait_for_next_part(); /* seconds later it is tried again */
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_EQUAL(help_recorder_segments(paths, 64), 2);
	CU_ASSERT(help_log_folder(&checked, help_recorder.folder));
	CU_ASSERT_EQUAL(help_recorder_ask_all("SELECT count(*) FROM decision"), 2);
	CU_ASSERT_EQUAL(atomic_load(&help_recorder.errors), 1);
}

static bool has_removed(void)
{
	atomic_fetch_add(&help_recorder_ns, 2000000000u); /* rows of removals come with a clock row */
	return help_recorder_segments(paths, 64) == 3;
}

static void test_oev_recorder_retention_tells_before_it_removes(void)
{
	struct oev_recorder_conf conf = told_conf();
	char text[HELP_TEXT_MAX];

	for (unsigned life = 0; life < 3; life++) {
		help_recorder_start(&conf);
		help_recorder_append(life + 1);
		oev_recorder_stop(help_recorder.recorder);
		atomic_fetch_add(&help_recorder_ns, 1000000000u);
	}
	CU_ASSERT_EQUAL(help_recorder_segments(paths, 64), 3);
	CU_ASSERT(help_log_folder(&checked, help_recorder.folder));
	uint64_t last = checked.ledger.number;
	conf.keep_days = 2;
	conf.checkpoint_s = 0; /* and yet a removal is signed */
	atomic_fetch_add(&help_recorder_ns, 3 * 86400000000000u);
	for (unsigned life = 0; life < 2; life++) { /* that time has passed must be sealed twice */
		help_recorder_start(&conf);
		oev_recorder_stop(help_recorder.recorder);
		CU_ASSERT_EQUAL(help_recorder_segments(paths, 64), 4 + life);
		atomic_fetch_add(&help_recorder_ns, 1000000000u);
	}
	CU_ASSERT_EQUAL(atomic_load(&help_recorder.errors), 1);
	help_recorder_start(&conf);
	CU_ASSERT_EQUAL(help_recorder_wait(has_removed), 0);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_EQUAL(help_recorder_ask(
				"SELECT count(*) FROM removal WHERE reason = 'age' AND length(sha256) = 64"),
			3);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM batch JOIN checkpoint ON batch = number "
					  "WHERE instr(rows, 'removal') > 0"),
			1);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)last);
	HELP_ASSERT_TEXT("SELECT max(last_batch) FROM removal", text);
	CU_ASSERT(help_recorder_ask("SELECT min(number) FROM batch") > (long long)last + 1);
}

static void test_oev_recorder_retention_by_size_takes_the_oldest(void)
{
	struct oev_recorder_conf conf = told_conf();
	char first[1024];

	conf.segment_max_s = 100;
	help_recorder_start(&conf);
	snprintf(first, sizeof(first), "%s", help_recorder.path);
	for (uint64_t id = 1; id <= 20000; id++)
		while (help_recorder_append(id) != OC_OK)
			oev_clock_sleep_us(1000);
	for (unsigned part = 0; part < 3; part++)
		wait_for_next_part();
	oev_recorder_stop(help_recorder.recorder);
	conf.keep_mb = 1;
	conf.segment_max_s = 0;
	help_recorder_start(&conf);
	for (unsigned i = 0; i < 2000 && access(first, F_OK) == 0; i++) {
		atomic_fetch_add(&help_recorder_ns, 1000000000u);
		oev_clock_sleep_us(1000);
	}
	CU_ASSERT_NOT_EQUAL(access(first, F_OK), 0);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_EQUAL(help_recorder_segments(paths, 64), 4);
	HELP_ASSERT_TEXT("SELECT count(*)||' '||min(reason) FROM removal", "1 size");
}

void test_oev_recorder_parts_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_recorder_parts", NULL, NULL,
							       help_recorder_set_up, help_recorder_tear_down);

	CU_add_test(suite, "by_age", test_oev_recorder_parts_follow_by_age);
	CU_add_test(suite, "by_size", test_oev_recorder_parts_follow_by_size);
	CU_add_test(suite, "read_alone", test_oev_recorder_part_can_be_read_alone);
	CU_add_test(suite, "next_cannot_be_made", test_oev_recorder_parts_go_on_when_the_next_cannot_be_made);
	CU_add_test(suite, "retention_by_age", test_oev_recorder_retention_tells_before_it_removes);
	CU_add_test(suite, "retention_by_size", test_oev_recorder_retention_by_size_takes_the_oldest);
}
