/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of consistency bundles: a log that grew, and one that was made anew.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_log.h"
#include "help_proof.h"

void test_oev_growth_suite(void);

static char folder[HELP_PATH_MAX];
static struct oev_key *key, *foreign;
static struct oev_public signer, stranger;
static struct help_log built;
static char public_key[OEV_PUBLIC_TEXT_MAX];
static struct oev_trust trust;
static struct oev_verdict verdict;

static void set_up(void)
{
	oev_gcrypt_ready();
	help_folder_make(folder);
	key = help_key(folder, "key", HELP_NODE, &signer);
	foreign = help_key(folder, "foreign", HELP_NODE, &stranger);
	help_log_init(&built, 5);
	oev_public_text(&signer, public_key);
	trust = (struct oev_trust){ .signer = &signer };
}

static void tear_down(void)
{
	help_log_fini(&built);
	oev_key_free(key);
	oev_key_free(foreign);
	help_folder_remove(folder);
}

static char *growth_text(uint64_t older, uint64_t newer, const struct help_log *from,
			 const struct oev_key *by)
{
	char old_note[OEV_NOTE_MAX], new_note[OEV_NOTE_MAX];
	struct oev_growth growth = { .older = old_note, .newer = new_note, .public_key = public_key };

	help_log_checkpoint(from, older, by, old_note);
	help_log_checkpoint(&built, newer, key, new_note);
	growth.older_len = strlen(old_note);
	growth.newer_len = strlen(new_note);
	growth.public_key_len = strlen(public_key);
	growth.proof.count = 0;
	if (older > 0)
		oev_merkle_growth(built.leaves, newer > older ? newer : older, older < newer ? older : newer,
				  &growth.proof);
	return oev_growth_text(&growth);
}

static enum oev_bundle_step growth_step(uint64_t older, uint64_t newer, const struct help_log *from,
					const struct oev_key *by)
{
	char *text = growth_text(older, newer, from, by);

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	CU_ASSERT_EQUAL(oev_growth_check(text, strlen(text), &trust, &verdict),
			verdict.step == OEV_BUNDLE_STEP_HOLDS);
	CU_ASSERT(verdict.why.text[0] != '\0');
	free(text);
	return verdict.step;
}

static void test_log_that_only_grew(void)
{
	for (uint64_t newer = 0; newer <= HELP_BATCHES; newer++)
		for (uint64_t older = 0; older <= newer; older++)
			CU_ASSERT_EQUAL(growth_step(older, newer, &built, key), OEV_BUNDLE_STEP_HOLDS);
	CU_ASSERT_EQUAL(growth_step(5, 4, &built, key), OEV_BUNDLE_STEP_LOG);
}

static void test_log_that_was_made_anew(void)
{
	struct help_log other;

	help_log_init(&other, 6);
	for (uint64_t older = 1; older <= HELP_BATCHES; older++)
		CU_ASSERT_EQUAL(growth_step(older, HELP_BATCHES, &other, key), OEV_BUNDLE_STEP_LOG);
	CU_ASSERT_EQUAL(growth_step(3, HELP_BATCHES, &built, foreign), OEV_BUNDLE_STEP_SIGNATURE);
	trust.signer = &stranger;
	CU_ASSERT_EQUAL(growth_step(3, HELP_BATCHES, &built, key), OEV_BUNDLE_STEP_KEY);
	help_log_fini(&other);
}

static void test_rows_never_become_fewer(void)
{
	struct help_log boasting = built;

	boasting.rows_each = 100;
	CU_ASSERT_EQUAL(growth_step(3, HELP_BATCHES, &boasting, key), OEV_BUNDLE_STEP_LOG);
}

static void test_every_bit_of_a_consistency_bundle_counts(void)
{
	char *text = growth_text(3, HELP_BATCHES, &built, key);
	size_t len = strlen(text);
	unsigned held = 0;

	for (size_t bit = 0; bit < len * 8; bit++) {
		text[bit / 8] ^= (char)(1 << bit % 8);
		held += oev_growth_check(text, len, &trust, &verdict);
		text[bit / 8] ^= (char)(1 << bit % 8);
	}
	for (size_t cut = 0; cut < len; cut++)
		held += oev_growth_check(text, cut, &trust, &verdict);
	CU_ASSERT_EQUAL(held, 0);
	CU_ASSERT(oev_growth_check(text, len, &trust, &verdict));
	free(text);
}

void test_oev_growth_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_growth", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "log_that_only_grew", test_log_that_only_grew);
	CU_add_test(suite, "log_that_was_made_anew", test_log_that_was_made_anew);
	CU_add_test(suite, "rows_never_become_fewer", test_rows_never_become_fewer);
	CU_add_test(suite, "every_bit_of_a_consistency_bundle_counts",
		    test_every_bit_of_a_consistency_bundle_counts);
}
