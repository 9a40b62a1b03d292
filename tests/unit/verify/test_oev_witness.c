/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of files of checkpoints: several nodes, torn ends, rubbish.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/verify/oev_witness.h"
#include "help_evidence.h"

void test_oev_witness_suite(void);

/* Sizes of the notes of HELP_NODE in a file of @text, as "1 2 3". */
static void read_sizes(const struct help_evidence *evidence, const char *text, const char *expected,
		       struct oev_witness *witness)
{
	char path[200], sizes[200] = "";

	snprintf(path, sizeof(path), "%s/notes", evidence->base);
	unlink(path);
	CU_ASSERT(help_append(path, text));
	CU_ASSERT_EQUAL_FATAL(oev_witness_init(witness, OEV_WITNESS_GIVEN, path), OC_OK);
	while (oev_witness_next(witness, HELP_NODE) == OC_OK && witness->has_next)
		snprintf(sizes + strlen(sizes), sizeof(sizes) - strlen(sizes), "%s%llu",
			 sizes[0] != '\0' ? " " : "", (unsigned long long)witness->next.size);
	CU_ASSERT_STRING_EQUAL(sizes, expected);
}

static char *read_file(const char *path)
{
	char *text = calloc(1, 1 << 16);
	FILE *file = fopen(path, "r");

	if (file != NULL) {
		CU_ASSERT(fread(text, 1, (1 << 16) - 1, file) > 0);
		fclose(file);
	}
	return text;
}

static void test_notes_are_read_one_after_the_other(void)
{
	struct help_evidence evidence;
	struct oev_witness witness;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 1, 6, 1));
	char *text = read_file(evidence.beside);
	read_sizes(&evidence, text, "2 4 6 7", &witness);
	CU_ASSERT_EQUAL(witness.notes, 4);
	CU_ASSERT_EQUAL(witness.broken, 0);
	oev_witness_fini(&witness);
	free(text);
	help_evidence_remove(&evidence);
}

static void test_a_torn_end_is_not_there_yet(void)
{
	struct help_evidence evidence;
	struct oev_witness witness;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 1, 6, 1));
	char *text = read_file(evidence.beside);
	text[strlen(text) - 1] = '\0'; /* all but the newline */
	read_sizes(&evidence, text, "2 4 6", &witness);
	CU_ASSERT_EQUAL(witness.broken, 0);
	oev_witness_fini(&witness);
	free(text);
	help_evidence_remove(&evidence);
}

static void test_rubbish_and_other_nodes_are_passed_over(void)
{
	struct help_evidence evidence, other;
	struct oev_witness witness;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 1, 4, 1));
	CU_ASSERT_FATAL(help_evidence_new(&other));
	other.node = "dra-02.example.net";
	CU_ASSERT(help_whole(&other, 1, 4, 1));
	char *mine = read_file(evidence.beside), *theirs = read_file(other.beside);
	char *all = calloc(1, 1 << 18);
	memset(all, 'x', 40000); /* longer than any note, in one line */
	snprintf(all + 40000, 1000, "\n\n- what this is nobody knows\n\n\n");
	strcat(all, theirs);
	strcat(all, "\n\n");
	strcat(all, mine);
	read_sizes(&evidence, all, "2 4 5", &witness);
	CU_ASSERT_EQUAL(witness.others, 3);
	CU_ASSERT_EQUAL(witness.broken, 1);
	oev_witness_fini(&witness);
	free(mine);
	free(theirs);
	free(all);
	help_evidence_remove(&other);
	help_evidence_remove(&evidence);
}

static void test_a_seal_counts_as_a_checkpoint_of_the_end(void)
{
	struct help_evidence evidence;
	struct oev_witness witness;
	char path[300];

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 1, 4, 1));
	help_path(&evidence, 1, path);
	strcat(path, ".seal");
	char *text = read_file(path);
	read_sizes(&evidence, text, "5", &witness);
	oev_witness_fini(&witness);
	free(text);
	help_evidence_remove(&evidence);
}

/* As it stands there when a reader was in the way of the first seal. */
static void test_a_seal_that_comes_late_begins_no_log(void)
{
	struct help_evidence evidence;
	struct oev_witness witness;
	char path[300];

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 2, 4, 1));
	help_path(&evidence, 1, path);
	strcat(path, ".seal");
	char *notes = read_file(evidence.beside), *seal = read_file(path);
	strcat(notes, seal);
	read_sizes(&evidence, notes, "2 4 5 7 9 10", &witness);
	CU_ASSERT_FALSE(witness.begins_anew);
	CU_ASSERT_EQUAL(witness.notes, 7);
	oev_witness_fini(&witness);
	free(notes);
	free(seal);
	help_evidence_remove(&evidence);
}

/* What the recorder appends after the file was opened speaks of batches that a segment read before cannot
 * have. */
static void test_what_is_written_later_is_not_read(void)
{
	struct help_evidence evidence;
	struct oev_witness witness;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 1, 4, 1));
	CU_ASSERT_EQUAL_FATAL(oev_witness_init(&witness, OEV_WITNESS_BESIDE, evidence.beside), OC_OK);
	CU_ASSERT(help_whole(&evidence, 1, 4, 1));
	unsigned count = 0;
	while (oev_witness_next(&witness, "") == OC_OK && witness.has_next)
		count++;
	CU_ASSERT_EQUAL(count, 3);
	oev_witness_fini(&witness);
	help_evidence_remove(&evidence);
}

void test_oev_witness_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_witness", NULL, NULL);

	CU_add_test(suite, "notes_are_read_one_after_the_other", test_notes_are_read_one_after_the_other);
	CU_add_test(suite, "a_torn_end_is_not_there_yet", test_a_torn_end_is_not_there_yet);
	CU_add_test(suite, "rubbish_and_other_nodes_are_passed_over",
		    test_rubbish_and_other_nodes_are_passed_over);
	CU_add_test(suite, "a_seal_counts_as_a_checkpoint_of_the_end",
		    test_a_seal_counts_as_a_checkpoint_of_the_end);
	CU_add_test(suite, "a_seal_that_comes_late_begins_no_log", test_a_seal_that_comes_late_begins_no_log);
	CU_add_test(suite, "what_is_written_later_is_not_read", test_what_is_written_later_is_not_read);
}
