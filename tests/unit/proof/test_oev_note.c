/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of signed notes and checkpoints: one text, every bit of it signed.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_checkpoint.h"
#include "help_proof.h"

#define NODE "dra.example.net"

void test_oev_note_suite(void);

static char folder[HELP_PATH_MAX];
static struct oev_key *key;
static struct oev_public signer;
static char note[OEV_NOTE_MAX];
static struct oev_why why;

static void set_up(void)
{
	oev_gcrypt_ready();
	help_folder_make(folder);
	key = help_key(folder, "key", NODE, &signer);
}

static void tear_down(void)
{
	oev_key_free(key);
	help_folder_remove(folder);
}

static struct oev_checkpoint example(void)
{
	struct oev_checkpoint checkpoint = { .origin = NODE,
					     .size = 812,
					     .segment = "doic-20261129T140000Z.sqlite",
					     .rows = 3326976,
					     .mono_ns = 84211003321987u,
					     .wall_us = 1796047407114000u };

	help_leaf(1, &checkpoint.root);
	help_leaf(2, &checkpoint.chain);
	return checkpoint;
}

static int believe(const char *text, size_t len)
{
	struct oev_note parsed;
	int rc = oev_note_parse(text, len, &parsed, &why);

	return rc == OC_OK ? oev_note_check(&parsed, &signer, &why) : rc;
}

static void test_note_is_believed_with_its_key_alone(void)
{
	struct oev_public other;
	struct oev_key *foreign = help_key(folder, "foreign", NODE, &other);
	struct oev_note parsed;

	CU_ASSERT_EQUAL(oev_note_sign(key, NODE, "doic.seal/1\nsegment a.sqlite\n", note, sizeof(note), &why),
			OC_OK);
	CU_ASSERT_EQUAL(strncmp(note, "doic.seal/1\nsegment a.sqlite\n\n- " NODE " ", 48), 0);
	CU_ASSERT_EQUAL(oev_note_parse(note, strlen(note), &parsed, &why), OC_OK);
	CU_ASSERT_EQUAL(parsed.body_len, 29);
	CU_ASSERT_EQUAL(oev_note_check(&parsed, &signer, &why), OC_OK);
	CU_ASSERT_EQUAL(oev_note_check(&parsed, &other, &why), OC_EREFUSED);
	CU_ASSERT_PTR_NOT_NULL(strstr(why.text, "foreign key"));
	other = signer;
	other.node[0] = 'x';
	CU_ASSERT_EQUAL(oev_note_check(&parsed, &other, &why), OC_EREFUSED);
	CU_ASSERT_PTR_NOT_NULL(strstr(why.text, "in the name of"));
	oev_key_free(foreign);
}

static void test_every_bit_of_a_note_counts(void)
{
	size_t len;
	unsigned held = 0;

	CU_ASSERT_EQUAL(oev_note_sign(key, NODE, "doic.seal/1\nsegment a.sqlite\n", note, sizeof(note), &why),
			OC_OK);
	len = strlen(note);
	CU_ASSERT_EQUAL(believe(note, len), OC_OK);
	for (size_t bit = 0; bit < len * 8; bit++) {
		note[bit / 8] ^= (char)(1 << bit % 8);
		held += believe(note, len) == OC_OK;
		note[bit / 8] ^= (char)(1 << bit % 8);
	}
	for (size_t cut = 0; cut < len; cut++)
		held += believe(note, cut) == OC_OK;
	note[len] = '\n';
	held += believe(note, len + 1) == OC_OK;
	CU_ASSERT_EQUAL(held, 0);
}

static void test_only_lines_of_printable_ascii_are_signed(void)
{
	static const char *const bad[] = { "",	       "\n",	 "a",	   "a\n\n",  "\na\n",
					   "a\n\nb\n", "a\tb\n", "a\rb\n", "\x7f\n", "\xc3\xa9\n" };
	char small[160];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT_EQUAL(oev_note_sign(key, NODE, bad[i], note, sizeof(note), &why), OC_EINVAL);
	CU_ASSERT_EQUAL(oev_note_sign(key, "a b", "a\n", note, sizeof(note), &why), OC_EINVAL);
	CU_ASSERT_EQUAL(oev_note_sign(key, "", "a\n", note, sizeof(note), &why), OC_EINVAL);
	for (size_t size = 0; size < sizeof(small); size++) {
		int rc = oev_note_sign(key, NODE, "a\n", small, size, &why);

		CU_ASSERT(rc == OC_ENOSPC || (rc == OC_OK && strlen(small) < size));
	}
}

static void test_longest_note_fits(void)
{
	char *body = malloc(OEV_NOTE_BODY_MAX + 2), name[OEV_NODE_MAX + 2];

	memset(body, 'b', OEV_NOTE_BODY_MAX + 2);
	memset(name, 'n', sizeof(name));
	name[OEV_NODE_MAX] = '\0';
	body[OEV_NOTE_BODY_MAX - 1] = '\n';
	body[OEV_NOTE_BODY_MAX] = '\0';
	CU_ASSERT_EQUAL(oev_note_sign(key, name, body, note, sizeof(note), &why), OC_OK);
	CU_ASSERT_EQUAL(strlen(note) + 1, sizeof(note));
	body[OEV_NOTE_BODY_MAX - 1] = 'b';
	body[OEV_NOTE_BODY_MAX] = '\n';
	body[OEV_NOTE_BODY_MAX + 1] = '\0';
	CU_ASSERT_EQUAL(oev_note_sign(key, name, body, note, sizeof(note), &why), OC_EINVAL);
	free(body);
}

static void test_checkpoint_comes_back_as_it_was(void)
{
	struct oev_checkpoint checkpoint = example(), read = { .size = 0 };

	CU_ASSERT_EQUAL(oev_checkpoint_sign(&checkpoint, key, note, sizeof(note), &why), OC_OK);
	CU_ASSERT_EQUAL(oev_checkpoint_open(note, strlen(note), &signer, &read, &why), OC_OK);
	CU_ASSERT_STRING_EQUAL(read.origin, checkpoint.origin);
	CU_ASSERT_STRING_EQUAL(read.segment, checkpoint.segment);
	CU_ASSERT_EQUAL(read.size, checkpoint.size);
	CU_ASSERT_EQUAL(read.rows, checkpoint.rows);
	CU_ASSERT_EQUAL(read.mono_ns, checkpoint.mono_ns);
	CU_ASSERT_EQUAL(read.wall_us, checkpoint.wall_us);
	CU_ASSERT(oev_hash_equal(&read.root, &checkpoint.root));
	CU_ASSERT(oev_hash_equal(&read.chain, &checkpoint.chain));
}

/* What is read is what would be written, bit by bit of the body. */
static void test_checkpoint_has_one_text(void)
{
	struct oev_checkpoint checkpoint = example(), read;
	char body[OEV_CHECKPOINT_MAX], again[OEV_CHECKPOINT_MAX];
	unsigned taken = 0;

	CU_ASSERT_EQUAL(oev_checkpoint_text(&checkpoint, body), OC_OK);
	size_t len = strlen(body);
	for (size_t bit = 0; bit < len * 8; bit++) {
		body[bit / 8] ^= (char)(1 << bit % 8);
		if (oev_checkpoint_parse(body, len, &read, &why) == OC_OK) {
			taken++;
			CU_ASSERT_EQUAL(oev_checkpoint_text(&read, again), OC_OK);
			CU_ASSERT_EQUAL(strncmp(again, body, len), 0);
		}
		body[bit / 8] ^= (char)(1 << bit % 8);
	}
	CU_ASSERT(taken > 200);
	for (size_t cut = 0; cut < len; cut++)
		CU_ASSERT_EQUAL(oev_checkpoint_parse(body, cut, &read, &why), OC_EMALFORMED);
}

static void refused(const char *was, const char *is, int want)
{
	struct oev_checkpoint checkpoint = example(), read;
	char body[OEV_CHECKPOINT_MAX], changed[OEV_CHECKPOINT_MAX * 2];

	oev_checkpoint_text(&checkpoint, body);
	char *at = strstr(body, was);
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	snprintf(changed, sizeof(changed), "%.*s%s%s", (int)(at - body), body, is, at + strlen(was));
	CU_ASSERT_EQUAL(oev_checkpoint_parse(changed, strlen(changed), &read, &why), want);
	CU_ASSERT(why.text[0] != '\0');
	why.text[0] = '\0';
}

static void test_other_writings_of_a_checkpoint_are_refused(void)
{
	refused("size 812", "size 0812", OC_EMALFORMED);
	refused("size 812", "size +812", OC_EMALFORMED);
	refused("size 812", "size 812 ", OC_EMALFORMED);
	refused("size 812", "size  812", OC_EMALFORMED);
	refused("size 812", "size", OC_EMALFORMED);
	refused("size 812", "size 18446744073709551616", OC_ERANGE);
	refused("rows 3326976\n", "", OC_EMALFORMED);
	refused("rows 3326976\n", "rows 3326976\nrows 3326976\n", OC_EMALFORMED);
	refused("rows ", "Rows ", OC_EMALFORMED);
	refused("checkpoint/1", "checkpoint/2", OC_EVERSION);
	refused("checkpoint/1", "checkpoint/11", OC_EVERSION);
	refused("checkpoint/1", "seal/1", OC_EMALFORMED);
}

static void test_checkpoint_is_signed_by_its_origin(void)
{
	struct oev_checkpoint checkpoint = example(), read;
	char body[OEV_CHECKPOINT_MAX];

	snprintf(checkpoint.origin, sizeof(checkpoint.origin), "other.example.net");
	CU_ASSERT_EQUAL(oev_checkpoint_text(&checkpoint, body), OC_OK);
	CU_ASSERT_EQUAL(oev_note_sign(key, NODE, body, note, sizeof(note), &why), OC_OK);
	CU_ASSERT_EQUAL(oev_checkpoint_open(note, strlen(note), &signer, &read, &why), OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_note_sign(key, NODE, "doic.seal/1\n", note, sizeof(note), &why), OC_OK);
	CU_ASSERT_EQUAL(oev_checkpoint_open(note, strlen(note), &signer, &read, &why), OC_EMALFORMED);
	snprintf(checkpoint.origin, sizeof(checkpoint.origin), "two words");
	CU_ASSERT_EQUAL(oev_checkpoint_text(&checkpoint, body), OC_EINVAL);
}

void test_oev_note_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_note", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "note_is_believed_with_its_key_alone", test_note_is_believed_with_its_key_alone);
	CU_add_test(suite, "every_bit_of_a_note_counts", test_every_bit_of_a_note_counts);
	CU_add_test(suite, "only_lines_of_printable_ascii_are_signed",
		    test_only_lines_of_printable_ascii_are_signed);
	CU_add_test(suite, "longest_note_fits", test_longest_note_fits);
	CU_add_test(suite, "checkpoint_comes_back_as_it_was", test_checkpoint_comes_back_as_it_was);
	CU_add_test(suite, "checkpoint_has_one_text", test_checkpoint_has_one_text);
	CU_add_test(suite, "other_writings_of_a_checkpoint_are_refused",
		    test_other_writings_of_a_checkpoint_are_refused);
	CU_add_test(suite, "checkpoint_is_signed_by_its_origin", test_checkpoint_is_signed_by_its_origin);
}
