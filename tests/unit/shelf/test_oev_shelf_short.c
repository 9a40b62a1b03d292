/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the index of sessions when something is short: descriptors, room on its disk, memory.
 */
#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/oev_clock.h"
#include "evidence/shelf/oev_shelf_index.h"
#include "help_shelf.h"

void test_oev_shelf_short_suite(void);

#define FDS_MAX 4096
#define SMALL 20000u /* octets a file may have: fewer than any of the index takes */

static size_t count_files(const char *folder, const char *pattern)
{
	char whole[HELP_FOLDER_MAX + 48];
	glob_t found;

	snprintf(whole, sizeof(whole), "%s/%s", folder, pattern);
	size_t count = glob(whole, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
	globfree(&found);
	return count;
}

/* Numbers of the files of the index, all added up. */
static uint64_t inodes(const struct help_shelf *h)
{
	char pattern[HELP_FOLDER_MAX + 32];
	uint64_t sum = 0;
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/*.sessions", h->index);
	CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct stat info;
		CU_ASSERT_EQUAL(stat(found.gl_pathv[i], &info), 0);
		sum += info.st_ino;
	}
	globfree(&found);
	return sum;
}

static size_t take_descriptors(int *fds)
{
	size_t count = 0;

	while (count < FDS_MAX && (fds[count] = open("/dev/null", O_RDONLY)) >= 0)
		count++;
	return count;
}

static bool take(void *ctx, const struct oev_shelf_session *row)
{
	(void)row;
	++*(unsigned *)ctx;
	return true;
}

/* 64 files stay open, the others are opened for each search: those that cannot be are as good as before once they can. */
static void test_oev_shelf_index_without_descriptors_is_asked_again(void)
{
	static int fds[FDS_MAX];
	const struct oev_shelf_session_filter any = { 0 };
	struct help_shelf *h = help_shelf_new();
	struct oev_shelf_session one;
	struct oev_shelf_page page;
	struct rlimit before, few = { .rlim_cur = 1024 };
	unsigned rows = 0;

	help_shelf_record(h);
	uint64_t session = (uint64_t)help_shelf_ask(h, help_shelf_segments(h) - 1,
						    "SELECT session FROM decision LIMIT 1");
	help_shelf_multiply(h, 70);
	help_shelf_open(h, true);
	CU_ASSERT_EQUAL(oev_shelf_session(h->shelf, session, &one, h->error), OC_OK);
	uint64_t decisions = one.decisions, files = inodes(h);
	getrlimit(RLIMIT_NOFILE, &before);
	few.rlim_max = before.rlim_max;
	setrlimit(RLIMIT_NOFILE, &few);
	size_t count = take_descriptors(fds);
	CU_ASSERT_EQUAL(oev_shelf_session(h->shelf, session, &one, h->error), OC_EBUSY);
	CU_ASSERT_PTR_NOT_NULL(strstr(h->error, "too many files are open"));
	CU_ASSERT_EQUAL(oev_shelf_sessions(h->shelf, &any, "", 10, take, &rows, &page, h->error), OC_EBUSY);
	while (count > 0)
		close(fds[--count]);
	setrlimit(RLIMIT_NOFILE, &before);
	CU_ASSERT_EQUAL(oev_shelf_session(h->shelf, session, &one, h->error), OC_OK);
	CU_ASSERT_EQUAL(one.decisions, decisions);
	oev_clock_sleep_us(1200000); /* the index was at it twice */
	CU_ASSERT_EQUAL(inodes(h), files);
	help_shelf_free(h);
}

/* Trouble of segment @name; "none" when it has none, or is not there. */
static void trouble_of(struct help_shelf *h, const char *name, char out[static OEV_SHELF_TEXT_MAX])
{
	struct oev_shelf_segment *segments = NULL;
	size_t count = 0;

	snprintf(out, OEV_SHELF_TEXT_MAX, "none");
	(void)oev_shelf_segments(h->shelf, &segments, &count);
	for (size_t i = 0; i < count; i++)
		if (strcmp(segments[i].name, name) == 0 && segments[i].trouble[0] != '\0')
			snprintf(out, OEV_SHELF_TEXT_MAX, "%s", segments[i].trouble);
	free(segments);
}

/* A sealed segment never changes: what was said of it while it could not be opened must not stay. */
static void test_oev_shelf_segment_without_descriptors_is_looked_at_again(void)
{
	static const char name[] = "seg-20990101T000000Z-1.db";
	static int fds[FDS_MAX];
	struct help_shelf *h = help_shelf_whole();
	struct rlimit before, few = { .rlim_cur = 1024 };
	char file[HELP_FOLDER_MAX], copy[HELP_FOLDER_MAX + 40], trouble[OEV_SHELF_TEXT_MAX];

	help_shelf_text(h, 0, "SELECT file FROM pragma_database_list WHERE name = 'main'", file,
			sizeof(file));
	snprintf(copy, sizeof(copy), "%s/%s", h->folder, name);
	getrlimit(RLIMIT_NOFILE, &before);
	few.rlim_max = before.rlim_max;
	setrlimit(RLIMIT_NOFILE, &few);
	size_t count = take_descriptors(fds);
	close(fds[--count]); /* for the folder */
	CU_ASSERT_EQUAL(link(file, copy), 0);
	for (int i = 0; i < 20; i++) {
		oev_clock_sleep_us(100000);
		trouble_of(h, name, trouble);
		if (strcmp(trouble, "none") != 0)
			break;
	}
	CU_ASSERT_STRING_NOT_EQUAL(trouble, "none");
	while (count > 0)
		close(fds[--count]);
	setrlimit(RLIMIT_NOFILE, &before);
	oev_clock_sleep_us(600000);
	trouble_of(h, name, trouble);
	CU_ASSERT_STRING_EQUAL(trouble, "none");
	help_shelf_free(h);
}

/* No file grows beyond @octets; 0: as before. */
static void limit_files(rlim_t octets)
{
	struct rlimit limit;

	signal(SIGXFSZ, octets != 0 ? SIG_IGN : SIG_DFL);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = octets != 0 ? octets : limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
}

static bool is_in_trouble(struct help_shelf *h)
{
	struct oev_shelf_find_state state;

	oev_shelf_find_state(h->shelf, &state);
	return state.trouble[0] != '\0';
}

static void test_oev_shelf_index_without_room_is_in_memory_and_says_so(void)
{
	struct help_shelf *h = help_shelf_new();
	struct oev_shelf_find_state state;
	struct oev_shelf_session one;

	help_shelf_record(h);
	uint64_t session = (uint64_t)help_shelf_ask(h, 1, "SELECT session FROM decision LIMIT 1");
	limit_files(SMALL);
	help_shelf_open(h, true);
	oev_clock_sleep_us(1200000); /* it is said as long as it is so */
	oev_shelf_find_state(h->shelf, &state);
	CU_ASSERT_PTR_NOT_NULL(strstr(state.trouble, "cannot be written"));
	CU_ASSERT_PTR_NOT_NULL(strstr(state.trouble, h->index));
	CU_ASSERT_EQUAL(count_files(h->index, "*"), 0);
	CU_ASSERT_EQUAL(oev_shelf_session(h->shelf, session, &one, h->error), OC_OK);
	limit_files(0);
	for (unsigned i = 0; i < 500 && is_in_trouble(h); i++)
		oev_clock_sleep_us(20000);
	CU_ASSERT_FALSE(is_in_trouble(h));
	CU_ASSERT_TRUE(count_files(h->index, "*.sessions") >= 4);
	CU_ASSERT_EQUAL(count_files(h->index, "*.tmp"), 0);
	uint64_t decisions = one.decisions;
	CU_ASSERT_EQUAL(oev_shelf_session(h->shelf, session, &one, h->error), OC_OK);
	CU_ASSERT_EQUAL(one.decisions, decisions);
	help_shelf_free(h);
}

/* What a shelf and its thread do, one step at a time. */
struct steps {
	struct help_shelf *h;
	struct oev_shelf_catalog *catalog;
	struct oev_shelf_slot *slot;
	bool is_news;
	char error[OEV_SHELF_TEXT_MAX];
};

static int step(struct steps *s)
{
	static const _Atomic bool never;

	s->error[0] = '\0';
	return oev_shelf_slot_step(s->slot, s->h->shelf, &s->catalog->parts[0], s->h->index, &never,
				   &s->is_news, s->error);
}

/* Of a shelf whose own index is in memory, and is done. */
static void begin(struct steps *s)
{
	*s = (struct steps){ .h = help_shelf_new() };
	help_shelf_record(s->h);
	CU_ASSERT_EQUAL_FATAL(oev_shelf_open(&s->h->shelf, s->h->folder, NULL, s->h->error), OC_OK);
	help_shelf_wait(s->h);
	CU_ASSERT_EQUAL_FATAL(mkdir(s->h->index, 0700), 0);
	s->catalog = oev_shelf_catalog_get(s->h->shelf);
	s->slot = oev_shelf_slot_new(&s->catalog->parts[0]);
	CU_ASSERT_PTR_NOT_NULL_FATAL(s->slot);
}

static void end(struct steps *s)
{
	oev_shelf_slot_free(s->slot);
	CU_ASSERT_EQUAL(atomic_load(&s->h->shelf->held), 0);
	oev_shelf_catalog_put(s->catalog);
	help_shelf_free(s->h);
}

/* Where neither a file nor memory is left for it, its rows are not read over and over. */
static void test_oev_shelf_index_without_room_or_memory_waits(void)
{
	struct steps s;

	begin(&s);
	s.h->shelf->held_max = 1000;
	limit_files(SMALL);
	CU_ASSERT_EQUAL(step(&s), OC_EIO);
	CU_ASSERT_PTR_NOT_NULL(strstr(s.error, "cannot be written"));
	CU_ASSERT_EQUAL(s.slot->count, 0);
	CU_ASSERT_FALSE(s.is_news);
	uint64_t uses = s.h->shelf->uses;
	for (int i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(step(&s), OC_EIO);
		CU_ASSERT_PTR_NOT_NULL(strstr(s.error, "finds no room"));
	}
	CU_ASSERT_EQUAL(s.h->shelf->uses, uses);
	CU_ASSERT_EQUAL(atomic_load(&s.h->shelf->held), 0);
	CU_ASSERT_EQUAL(count_files(s.h->index, "*"), 0);
	limit_files(0);
	CU_ASSERT_EQUAL(step(&s), OC_OK);
	CU_ASSERT_TRUE(s.is_news && s.slot->is_done);
	CU_ASSERT_EQUAL(count_files(s.h->index, "*.sessions"), 1);
	end(&s);
}

static void test_oev_shelf_index_without_room_is_read_once_and_written_later(void)
{
	struct steps s;

	begin(&s);
	limit_files(SMALL);
	CU_ASSERT_EQUAL(step(&s), OC_OK);
	CU_ASSERT_PTR_NOT_NULL(strstr(s.error, "cannot be written"));
	CU_ASSERT_TRUE(s.is_news && s.slot->is_done);
	CU_ASSERT_EQUAL_FATAL(s.slot->count, 1);
	CU_ASSERT_EQUAL(atomic_load(&s.h->shelf->held), s.slot->runs[0]->size);
	uint64_t uses = s.h->shelf->uses;
	CU_ASSERT_EQUAL(step(&s), OC_OK);
	CU_ASSERT_FALSE(s.is_news);
	limit_files(0);
	CU_ASSERT_EQUAL(step(&s), OC_OK);
	CU_ASSERT_TRUE(s.is_news);
	CU_ASSERT_EQUAL(s.h->shelf->uses, uses);
	CU_ASSERT_EQUAL(atomic_load(&s.h->shelf->held), 0);
	CU_ASSERT_EQUAL(count_files(s.h->index, "*.sessions"), 1);
	CU_ASSERT_EQUAL(step(&s), OC_OK);
	CU_ASSERT_FALSE(s.is_news);
	end(&s);
}

void test_oev_shelf_short_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_shelf_short", NULL, NULL);

	CU_ADD_TEST(suite, test_oev_shelf_index_without_descriptors_is_asked_again);
	CU_ADD_TEST(suite, test_oev_shelf_segment_without_descriptors_is_looked_at_again);
	CU_ADD_TEST(suite, test_oev_shelf_index_without_room_is_in_memory_and_says_so);
	CU_ADD_TEST(suite, test_oev_shelf_index_without_room_or_memory_waits);
	CU_ADD_TEST(suite, test_oev_shelf_index_without_room_is_read_once_and_written_later);
}
