/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the sequence file: numbers rise from life to life, whatever happens to file, clock and process.
 */
#include <CUnit/CUnit.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/store/oev_sequence.h"
#include "help_trail.h"

#define WALL_S 1796000000ull
#define AHEAD OEV_SEQUENCE_AHEAD

void test_oev_sequence_suite(void);

static char folder[HELP_PATH_MAX];
static char path[HELP_PATH_MAX * 2];
static char note[OEV_SEQUENCE_TEXT_MAX];

static void set_up(void)
{
	help_folder_make(folder);
	snprintf(path, sizeof(path), "%s/sequence", folder);
}

static void tear_down(void)
{
	chmod(folder, 0700);
	help_folder_remove(folder);
}

static uint64_t first_of(uint64_t wall_s, int want)
{
	uint64_t first = 0;
	int rc = oev_sequence_open(path, wall_s, &first, note, sizeof(note));

	CU_ASSERT_EQUAL(rc, want);
	CU_ASSERT_EQUAL(rc == OC_OK, note[0] == '\0');
	return first;
}

static void put_file(const char *name, const char *text, size_t len)
{
	FILE *file = fopen(name, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_EQUAL(fwrite(text, 1, len, file), len);
	fclose(file);
}

static void test_first_start_takes_the_clock(void)
{
	CU_ASSERT_EQUAL(first_of(WALL_S, OC_ENOENT), WALL_S << 20);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(note, "is not there yet, or was lost; sequence numbers start from the wall clock"));
	/* the same second again: above everything that was reserved */
	CU_ASSERT_EQUAL(first_of(WALL_S, OC_OK), (WALL_S << 20) + AHEAD + 1);
	/* an hour later: the clock leads */
	CU_ASSERT_EQUAL(first_of(WALL_S + 3600, OC_OK), (WALL_S + 3600) << 20);
}

static void test_clock_that_went_back_changes_nothing(void)
{
	uint64_t last = first_of(WALL_S, OC_ENOENT);

	for (uint64_t back = 1; back < 2000000000; back *= 7) {
		uint64_t wall_s = back < WALL_S ? WALL_S - back : 0;
		uint64_t first = first_of(wall_s, OC_OK);
		CU_ASSERT(first > last + AHEAD);
		last = first;
	}
}

static void test_reserving_moves_the_mark(void)
{
	uint64_t first = first_of(WALL_S, OC_ENOENT);

	CU_ASSERT_EQUAL(oev_sequence_reserve(path, first + AHEAD - 10), OC_OK);
	CU_ASSERT_EQUAL(first_of(0, OC_OK), first + 2 * AHEAD - 10 + 1);
}

static void test_truncated_file_is_no_mark(void)
{
	char text[128];

	first_of(WALL_S, OC_ENOENT);
	FILE *file = fopen(path, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	size_t len = fread(text, 1, sizeof(text), file);
	fclose(file);
	for (size_t cut = 0; cut < len; cut++) {
		put_file(path, text, cut);
		CU_ASSERT_EQUAL(first_of(WALL_S + 5, OC_EMALFORMED), (WALL_S + 5) << 20);
		CU_ASSERT_PTR_NOT_NULL(
			strstr(note, "is damaged; sequence numbers start from the wall clock"));
	}
	for (size_t at = 0; at < len; at++) { /* one flipped bit, everywhere */
		text[at] ^= 1;
		put_file(path, text, len);
		first_of(WALL_S, OC_EMALFORMED);
		text[at] ^= 1;
	}
	CU_ASSERT_EQUAL(first_of(0, OC_OK) >> 20, WALL_S + 1); /* and whole again */
}

static void test_hostile_files_are_no_marks(void)
{
	static const char *const texts[] = {
		"doic.sequence/1 18446744073709551615 18446744073709551615 end\n",
		"doic.sequence/1 -5 -5 end\n",
		"doic.sequence/1 007 007 end\n",
		"doic.sequence/1 99999999999999999999999 99999999999999999999999 end\n",
		"doic.sequence/2 7 7 end\n",
		"doic.sequence/1 7 8 end\n",
		"doic.sequence/1 7 7 end\n ",
		"doic.sequence/1 7 7 end",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		put_file(path, texts[i], strlen(texts[i]));
		CU_ASSERT_EQUAL(first_of(WALL_S, OC_EMALFORMED), WALL_S << 20);
	}
	char *large = calloc(1, 1 << 20);
	CU_ASSERT_PTR_NOT_NULL_FATAL(large);
	put_file(path, large, 1 << 20);
	CU_ASSERT_EQUAL(first_of(WALL_S, OC_EMALFORMED), WALL_S << 20);
	free(large);
}

static void test_folder_that_cannot_be_written_is_told(void)
{
	uint64_t first = first_of(WALL_S, OC_ENOENT);

	if (geteuid() != 0) {
		chmod(folder, 0500);
		CU_ASSERT_EQUAL(first_of(WALL_S, OC_EIO), first + AHEAD + 1); /* read, but not moved */
		CU_ASSERT_PTR_NOT_NULL(strstr(note, "cannot be written"));
		CU_ASSERT_EQUAL(oev_sequence_reserve(path, first), OC_EIO);
		chmod(folder, 0700);
	}
	snprintf(path, sizeof(path), "/proc/doic-sequence"); /* nobody may make files there */
	CU_ASSERT_EQUAL(first_of(WALL_S, OC_EIO), WALL_S << 20);
	CU_ASSERT_PTR_NOT_NULL(strstr(note, "cannot be written"));
	snprintf(path, sizeof(path), "%s/sequence/below", folder);
	CU_ASSERT_EQUAL(first_of(WALL_S, OC_EIO), WALL_S << 20);
	CU_ASSERT_PTR_NOT_NULL(strstr(note, "cannot be read: Not a directory"));
}

/* Killed after the new file was written and before it took the old one's place: nobody had its numbers yet. */
static void test_kill_between_write_and_rename(void)
{
	char fresh[HELP_PATH_MAX * 2 + 8];
	uint64_t first = first_of(WALL_S, OC_ENOENT);

	snprintf(fresh, sizeof(fresh), "%s.new", path);
	put_file(fresh, "doic.sequence/1 99", 18);
	CU_ASSERT_EQUAL(first_of(0, OC_OK), first + AHEAD + 1);
	CU_ASSERT_NOT_EQUAL(access(fresh, F_OK), 0);
}

/* One life: takes numbers and reserves ahead, telling each mark it got, until it is killed. */
static void live(int fd)
{
	uint64_t number;
	char text[OEV_SEQUENCE_TEXT_MAX];

	oev_sequence_open(path, 1, &number, text, sizeof(text));
	for (;;) {
		if (write(fd, &number, sizeof(number)) != (ssize_t)sizeof(number))
			_exit(1);
		uint64_t next = number + AHEAD - 1;
		if (oev_sequence_reserve(path, next) != OC_OK)
			_exit(2);
		number = next;
	}
}

static void test_kill_at_any_moment_never_repeats_a_number(void)
{
	uint64_t highest = 0;
	unsigned seed = 7;

	for (unsigned life = 0; life < 25; life++) {
		int ends[2];
		CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
		pid_t child = fork();
		if (child == 0) {
			close(ends[0]);
			live(ends[1]);
		}
		close(ends[1]);
		uint64_t number = 0, first = 0;
		seed = seed * 1103515245u + 12345u;
		for (unsigned n = 0; n <= seed / 65536 % 8 && read(ends[0], &number, 8) == 8; n++)
			first = first == 0 ? number : first;
		CU_ASSERT(first > highest);
		usleep(seed % 500);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		while (read(ends[0], &number, 8) == 8)
			continue;
		highest = number;
		close(ends[0]);
	}
}

void test_oev_sequence_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_sequence", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "D-093 first_start_takes_the_clock", test_first_start_takes_the_clock);
	CU_add_test(suite, "D-093 clock_that_went_back", test_clock_that_went_back_changes_nothing);
	CU_add_test(suite, "D-093 reserving_moves_the_mark", test_reserving_moves_the_mark);
	CU_add_test(suite, "truncated_file_is_no_mark", test_truncated_file_is_no_mark);
	CU_add_test(suite, "hostile_files_are_no_marks", test_hostile_files_are_no_marks);
	CU_add_test(suite, "folder_that_cannot_be_written", test_folder_that_cannot_be_written_is_told);
	CU_add_test(suite, "kill_between_write_and_rename", test_kill_between_write_and_rename);
	CU_add_test(suite, "D-093 kill_at_any_moment", test_kill_at_any_moment_never_repeats_a_number);
}
