/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the notary: notes outside the folder, whole and in order, and seals.
 */
#include <CUnit/CUnit.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/oev_clock.h"
#include "evidence/store/oev_notary.h"
#include "evidence/store/oev_sealing.h"
#include "help_trail.h"

void test_oev_notary_suite(void);

struct fixture {
	char folder[HELP_PATH_MAX];
	char notes[HELP_PATH_MAX + 16];
	char segment[HELP_PATH_MAX + 16];
	struct oev_key *key;
	struct oev_public signer;
	atomic_uint errors;
	char said[OEV_SAY_TEXT_MAX];
	uint32_t keep_mb;
};

static struct fixture fix; /* of the running test */

static void say(void *ctx, int error, const char *text)
{
	(void)ctx;
	atomic_fetch_add(&fix.errors, error);
	snprintf(fix.said, sizeof(fix.said), "%s", text);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs(text, file);
	fclose(file);
}

static void set_up(void)
{
	char path[HELP_PATH_MAX + 16];
	struct oev_why why;
	bool made;

	oev_gcrypt_ready();
	help_folder_make(fix.folder);
	atomic_store(&fix.errors, 0);
	fix.keep_mb = 0;
	snprintf(path, sizeof(path), "%s/key", fix.folder);
	snprintf(fix.notes, sizeof(fix.notes), "%s/notes", fix.folder);
	snprintf(fix.segment, sizeof(fix.segment), "%s/seg-1.db", fix.folder);
	CU_ASSERT_EQUAL_FATAL(oev_key_open(path, &fix.key, &made, &why), OC_OK);
	fix.signer = (struct oev_public){ .node = "dra1.example" };
	memcpy(fix.signer.key, oev_key_public(fix.key), sizeof(fix.signer.key));
	write_file(fix.segment, "abc");
}

static void tear_down(void)
{
	oev_key_free(fix.key);
	help_folder_remove(fix.folder);
}

static struct oev_notary *start(const char *checkpoint_path)
{
	const struct oev_notary_conf conf = { .checkpoint_path = checkpoint_path,
					      .push = OEV_PUSH_WAL,
					      .folder = fix.folder,
					      .self = fix.signer,
					      .limits = { .keep_mb = fix.keep_mb },
					      .signer = { .key = fix.key, .node = "dra1.example" },
					      .voice = { .log = say },
					      .mono_ns = oev_clock_mono_ns,
					      .wall_us = oev_clock_wall_us };
	struct oev_notary *notary = NULL;

	CU_ASSERT_EQUAL_FATAL(oev_notary_start(&notary, &conf), OC_OK);
	return notary;
}

static const char *notes(void)
{
	static char text[65536];
	FILE *file = fopen(fix.notes, "r");
	size_t got = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	if (file)
		fclose(file);
	text[got] = '\0';
	return text;
}

static void test_oev_notary_adds_every_note_in_order(void)
{
	char expected[4096] = "old\n";
	struct stat found;

	write_file(fix.notes, "old\n");
	struct oev_notary *notary = start(fix.notes);
	for (unsigned i = 0; i < 100; i++) {
		char note[32];
		snprintf(note, sizeof(note), "note %u\n", i);
		strcat(expected, note);
		CU_ASSERT_EQUAL(oev_notary_note(notary, fix.segment, note), OC_OK);
	}
	oev_notary_stop(notary);
	CU_ASSERT_STRING_EQUAL(notes(), expected);
	unlink(fix.notes);
	notary = start(fix.notes);
	oev_notary_note(notary, fix.segment, "x\n");
	oev_notary_stop(notary);
	CU_ASSERT_EQUAL(stat(fix.notes, &found), 0);
	CU_ASSERT_EQUAL(found.st_mode & 0777 & ~0640u, 0);
}

static void test_oev_notary_seal_says_what_the_file_is(void)
{
	const struct oev_seal given = { .first = 3, .last = 8, .root = { { 1, 2, 3 } } };
	struct oev_notary *notary = start(fix.notes);
	struct oev_seal seal;
	struct oev_hash hash;
	struct stat found;

	CU_ASSERT_EQUAL(oev_notary_seal(notary, fix.segment, &given), OC_OK);
	oev_notary_stop(notary);
	CU_ASSERT_EQUAL_FATAL(oev_sealing_read(fix.segment, &fix.signer, &seal, NULL), OC_OK);
	oev_hash_of("abc", 3, &hash);
	CU_ASSERT(oev_hash_equal(&seal.sha256, &hash));
	CU_ASSERT(oev_hash_equal(&seal.root, &given.root));
	CU_ASSERT_EQUAL(seal.bytes, 3);
	CU_ASSERT_EQUAL(seal.first, 3);
	CU_ASSERT_EQUAL(seal.last, 8);
	CU_ASSERT_STRING_EQUAL(seal.segment, "seg-1.db");
	CU_ASSERT_EQUAL(stat(fix.segment, &found), 0);
	CU_ASSERT_EQUAL(found.st_mode & 0777, 0444);
	CU_ASSERT_PTR_NOT_NULL(strstr(notes(), "doic.seal/1\n"));
	CU_ASSERT_EQUAL(atomic_load(&fix.errors), 0);
}

static void test_oev_notary_seal_of_another_file_is_not_taken(void)
{
	struct oev_notary *notary = start(fix.notes);
	struct oev_seal seal = { .first = 1, .last = 1 };
	char other[HELP_PATH_MAX + 16], shell[4 * HELP_PATH_MAX];

	oev_notary_seal(notary, fix.segment, &seal);
	oev_notary_stop(notary);
	snprintf(other, sizeof(other), "%s/seg-2.db", fix.folder);
	snprintf(shell, sizeof(shell), "cp '%s.seal' '%s.seal'", fix.segment, other);
	CU_ASSERT_EQUAL(system(shell), 0);
	CU_ASSERT_EQUAL(oev_sealing_read(other, &fix.signer, &seal, NULL), OC_EMALFORMED);
	fix.signer.key[0] ^= 1;
	CU_ASSERT_EQUAL(oev_sealing_read(fix.segment, &fix.signer, &seal, NULL), OC_EREFUSED);
	CU_ASSERT_EQUAL(oev_sealing_read("/nowhere/seg-1.db", &fix.signer, &seal, NULL), OC_ENOENT);
}

/* Other work comes all the time. */
static bool has_sealed(struct oev_notary *notary)
{
	for (unsigned ms = 0; ms < 20000 && oev_notary_sealed(notary) == 0; ms++) {
		if (ms % 100 == 0)
			oev_notary_note(notary, fix.segment, "note\n");
		oev_clock_sleep_us(1000);
	}
	return oev_notary_sealed(notary) == 1;
}

/* Somebody may be reading just when a segment ends. */
static void test_oev_notary_seals_when_the_reader_is_gone(void)
{
	struct oev_notary *notary;
	struct oev_seal seal = { .first = 1, .last = 1 };
	sqlite3 *writer = NULL, *reader = NULL;

	unlink(fix.segment);
	CU_ASSERT_EQUAL_FATAL(sqlite3_open(fix.segment, &writer), SQLITE_OK);
	sqlite3_exec(writer, "PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)", NULL,
		     NULL, NULL);
	CU_ASSERT_EQUAL_FATAL(sqlite3_open(fix.segment, &reader), SQLITE_OK);
	sqlite3_exec(reader, "BEGIN; SELECT * FROM t", NULL, NULL, NULL);
	sqlite3_exec(writer, "INSERT INTO t VALUES (2)", NULL, NULL, NULL);
	sqlite3_close(writer);
	notary = start(fix.notes);
	oev_notary_seal(notary, fix.segment, &seal);
	oev_clock_sleep_us(200000);
	CU_ASSERT_EQUAL(oev_notary_sealed(notary), 0);
	sqlite3_close(reader);
	uint64_t gone_ns = oev_clock_mono_ns();
	CU_ASSERT(has_sealed(notary));
	CU_ASSERT(oev_clock_mono_ns() - gone_ns < 3000000000u); /* who verifies waits for it */
	oev_notary_stop(notary);
	CU_ASSERT_EQUAL(help_ask_int(fix.segment, "SELECT sum(x) FROM t"), 3);
	CU_ASSERT_EQUAL(atomic_load(&fix.errors), 0);
}

/* Retention takes what is oldest: a segment that was sealed late is, and while it waits nothing newer goes. */
static void test_oev_notary_a_late_seal_keeps_its_place(void)
{
	const struct oev_seal first = { .first = 1, .last = 1 }, second = { .first = 2, .last = 2 };
	char newer[HELP_PATH_MAX + 16];
	sqlite3 *writer = NULL, *reader = NULL;
	struct oev_seal seals[2];
	size_t count = 0;

	unlink(fix.segment);
	CU_ASSERT_EQUAL_FATAL(sqlite3_open(fix.segment, &writer), SQLITE_OK);
	sqlite3_exec(writer, "PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)", NULL,
		     NULL, NULL);
	CU_ASSERT_EQUAL_FATAL(sqlite3_open(fix.segment, &reader), SQLITE_OK);
	sqlite3_exec(reader, "BEGIN; SELECT * FROM t", NULL, NULL, NULL);
	sqlite3_exec(writer, "INSERT INTO t VALUES (2)", NULL, NULL, NULL);
	sqlite3_close(writer);
	snprintf(newer, sizeof(newer), "%s/seg-2.db", fix.folder);
	write_file(newer, "");
	CU_ASSERT_EQUAL(truncate(newer, 3 << 20), 0);
	fix.keep_mb = 1;
	struct oev_notary *notary = start(fix.notes);
	oev_notary_seal(notary, fix.segment, &first);
	oev_notary_seal(notary, newer, &second);
	for (unsigned ms = 0; ms < 20000 && oev_notary_sealed(notary) == 0; ms++)
		oev_clock_sleep_us(1000);
	oev_clock_sleep_us(200000);
	CU_ASSERT_PTR_NULL(oev_notary_removals(notary, &count));
	sqlite3_close(reader);
	oev_notary_stop(notary);
	CU_ASSERT_EQUAL(oev_sealing_read(fix.segment, &fix.signer, &seals[0], NULL), OC_OK);
	CU_ASSERT_EQUAL(oev_sealing_read(newer, &fix.signer, &seals[1], NULL), OC_OK);
	CU_ASSERT(seals[0].wall_us <= seals[1].wall_us);
}

static bool has_failed(void)
{
	for (unsigned ms = 0; ms < 20000 && atomic_load(&fix.errors) == 0; ms++)
		oev_clock_sleep_us(1000);
	return atomic_load(&fix.errors) == 1;
}

/* A folder of its name: as if the disk did not take the seal. */
static void test_oev_notary_seals_when_the_disk_takes_it_again(void)
{
	struct oev_notary *notary = start(fix.notes);
	struct oev_seal seal = { .first = 1, .last = 1 };
	char beside[HELP_PATH_MAX + 32];

	snprintf(beside, sizeof(beside), "%s.seal", fix.segment);
	CU_ASSERT_EQUAL(mkdir(beside, 0755), 0);
	oev_notary_seal(notary, fix.segment, &seal);
	CU_ASSERT(has_failed());
	CU_ASSERT_EQUAL(rmdir(beside), 0);
	CU_ASSERT(has_sealed(notary));
	oev_notary_stop(notary);
	CU_ASSERT_EQUAL(oev_sealing_read(fix.segment, &fix.signer, &seal, NULL), OC_OK);
	CU_ASSERT_EQUAL(atomic_load(&fix.errors), 1);
}

static void test_oev_notary_says_what_fails_once_and_goes_on(void)
{
	struct oev_notary *notary = start("/nowhere/notes");
	struct oev_seal seal = { .first = 1, .last = 1 };

	for (unsigned i = 0; i < 5; i++)
		oev_notary_note(notary, fix.segment, "note\n");
	oev_notary_stop(notary);
	CU_ASSERT_EQUAL(atomic_load(&fix.errors), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(fix.said, "file=/nowhere/notes"));
	notary = start(fix.notes);
	oev_notary_seal(notary, "/nowhere/seg-1.db", &seal);
	oev_notary_seal(notary, fix.segment, &seal);
	oev_notary_stop(notary);
	CU_ASSERT_EQUAL(atomic_load(&fix.errors), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(fix.said, "is not sealed"));
	CU_ASSERT_EQUAL(oev_sealing_read(fix.segment, &fix.signer, &seal, NULL), OC_OK);
}

/* Opening a pipe that nobody reads would never end, nor would the daemon. */
static void test_oev_notary_does_not_wait_for_a_pipe(void)
{
	alarm(20);
	CU_ASSERT_EQUAL_FATAL(mkfifo(fix.notes, 0600), 0);
	struct oev_notary *notary = start(fix.notes);
	oev_notary_note(notary, fix.segment, "note\n");
	oev_notary_stop(notary);
	CU_ASSERT_EQUAL(atomic_load(&fix.errors), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(fix.said, "cannot be kept outside"));
	unlink(fix.notes);
	alarm(0);
}

void test_oev_notary_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_notary", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "notes_in_order", test_oev_notary_adds_every_note_in_order);
	CU_add_test(suite, "seal", test_oev_notary_seal_says_what_the_file_is);
	CU_add_test(suite, "seal_of_another", test_oev_notary_seal_of_another_file_is_not_taken);
	CU_add_test(suite, "reader_gone", test_oev_notary_seals_when_the_reader_is_gone);
	CU_add_test(suite, "late_seal", test_oev_notary_a_late_seal_keeps_its_place);
	CU_add_test(suite, "disk_takes_it_again", test_oev_notary_seals_when_the_disk_takes_it_again);
	CU_add_test(suite, "pipe", test_oev_notary_does_not_wait_for_a_pipe);
	CU_add_test(suite, "says_failures", test_oev_notary_says_what_fails_once_and_goes_on);
}
