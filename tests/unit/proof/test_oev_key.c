/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of keys: made once and whole, kept from others, and signing as RFC 8032 says.
 */
#include <CUnit/CUnit.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_armor.h"
#include "evidence/proof/oev_key.h"
#include "help_proof.h"

void test_oev_key_suite(void);

static char folder[HELP_PATH_MAX];
static char path[HELP_PATH_MAX * 2];
static struct oev_why why;

static void set_up(void)
{
	oev_gcrypt_ready();
	help_folder_make(folder);
	snprintf(path, sizeof(path), "%s/of/node/key", folder);
	why = (struct oev_why){ "" };
}

static void tear_down(void)
{
	help_folder_remove(folder);
}

/* Opens and compares; the fingerprint comes back in @out. */
static int open_key(char out[static OEV_FINGERPRINT_LEN + 1], bool want_made)
{
	struct oev_key *key = NULL;
	bool made = false;
	int rc = oev_key_open(path, &key, &made, &why);

	CU_ASSERT_EQUAL(made, want_made);
	if (rc == OC_OK)
		oev_public_fingerprint(oev_key_public(key), out);
	oev_key_free(key);
	return rc;
}

static void test_first_start_makes_a_key_and_keeps_it(void)
{
	char first[OEV_FINGERPRINT_LEN + 1], second[OEV_FINGERPRINT_LEN + 1];
	struct stat info;

	CU_ASSERT_EQUAL(open_key(first, true), OC_OK);
	CU_ASSERT_EQUAL(stat(path, &info), 0);
	CU_ASSERT_EQUAL(info.st_mode & 07777, 0600);
	CU_ASSERT_EQUAL(open_key(second, false), OC_OK);
	CU_ASSERT_STRING_EQUAL(first, second);
	CU_ASSERT_EQUAL(strlen(first), OEV_FINGERPRINT_LEN);
	CU_ASSERT_EQUAL(unlink(path), 0);
	CU_ASSERT_EQUAL(open_key(second, true), OC_OK);
	CU_ASSERT_STRING_NOT_EQUAL(first, second);
}

static void test_reading_makes_nothing(void)
{
	struct oev_key *key = NULL;

	CU_ASSERT_EQUAL(oev_key_read(path, &key, &why), OC_ENOENT);
	CU_ASSERT_PTR_NULL(key);
	CU_ASSERT_PTR_NOT_NULL(strstr(why.text, path));
	CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
}

static void test_key_that_others_can_read_is_refused(void)
{
	static const mode_t modes[] = { 0640, 0604, 0620, 0602, 0610, 0601, 0666 };
	char fingerprint[OEV_FINGERPRINT_LEN + 1];

	CU_ASSERT_EQUAL(open_key(fingerprint, true), OC_OK);
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		char mode[8];

		CU_ASSERT_EQUAL(chmod(path, modes[i]), 0);
		CU_ASSERT_EQUAL(open_key(fingerprint, false), OC_EREFUSED);
		snprintf(mode, sizeof(mode), "%04o", (unsigned)modes[i]);
		CU_ASSERT_PTR_NOT_NULL(strstr(why.text, mode));
		CU_ASSERT_PTR_NOT_NULL(strstr(why.text, "chmod 600"));
	}
	CU_ASSERT_EQUAL(chmod(path, 0400), 0);
	CU_ASSERT_EQUAL(open_key(fingerprint, false), OC_OK);
}

static void put_key(const char *text, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL(write(fd, text, len), (ssize_t)len);
	close(fd);
}

static void test_damaged_key_is_never_replaced(void)
{
	char fingerprint[OEV_FINGERPRINT_LEN + 1];
	size_t len, now;

	CU_ASSERT_EQUAL(open_key(fingerprint, true), OC_OK);
	char *text = help_file(path, &len);
	for (size_t cut = 0; cut < len; cut++) {
		put_key(text, cut);
		CU_ASSERT_EQUAL(open_key(fingerprint, false), OC_EMALFORMED);
	}
	text[len] = 'x';
	put_key(text, len + 1);
	CU_ASSERT_EQUAL(open_key(fingerprint, false), OC_EMALFORMED);
	put_key(text, len);
	put_key("doic.key/2\n", 11);
	CU_ASSERT_EQUAL(open_key(fingerprint, false), OC_EVERSION);
	char *after = help_file(path, &now);
	CU_ASSERT_STRING_EQUAL(after, "doic.key/2\n");
	free(after);
	free(text);
}

static void test_folders_and_pipes_are_no_keys(void)
{
	char fingerprint[OEV_FINGERPRINT_LEN + 1];

	snprintf(path, sizeof(path), "%s", folder);
	CU_ASSERT_EQUAL(open_key(fingerprint, false), OC_EIO);
	snprintf(path, sizeof(path), "%s/pipe", folder);
	CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
	CU_ASSERT_EQUAL(open_key(fingerprint, false), OC_EIO);
	CU_ASSERT_PTR_NOT_NULL(strstr(why.text, "not a regular file"));
	snprintf(path, sizeof(path), "%s/pipe/key", folder);
	CU_ASSERT_EQUAL(open_key(fingerprint, false), OC_EIO);
	CU_ASSERT_PTR_NOT_NULL(strstr(why.text, strerror(ENOTDIR)));
}

/* Eight processes start at once: one makes the key, all have the same. */
static void test_processes_that_start_together_share_one_key(void)
{
	char all[8][OEV_FINGERPRINT_LEN + 1];
	unsigned makers = 0;
	int ends[2];

	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	for (unsigned i = 0; i < 8; i++)
		if (fork() == 0) {
			struct oev_key *key = NULL;
			bool made = false;
			char message[OEV_FINGERPRINT_LEN + 1] = "";

			if (oev_key_open(path, &key, &made, NULL) == OC_OK)
				oev_public_fingerprint(oev_key_public(key), message);
			message[OEV_FINGERPRINT_LEN] = made;
			ssize_t put = write(ends[1], message, sizeof(message));
			_exit(put == sizeof(message) ? 0 : 1);
		}
	for (unsigned i = 0; i < 8; i++) {
		CU_ASSERT_EQUAL(read(ends[0], all[i], sizeof(all[i])), sizeof(all[i]));
		makers += all[i][OEV_FINGERPRINT_LEN];
		CU_ASSERT_EQUAL(memcmp(all[i], all[0], OEV_FINGERPRINT_LEN), 0);
	}
	for (unsigned i = 0; i < 8; i++)
		wait(NULL);
	CU_ASSERT_EQUAL(makers, 1);
	close(ends[0]);
	close(ends[1]);
}

static void test_pseudonym_subkey_is_an_hmac(void)
{
	struct oev_key *key = NULL;
	uint8_t subkey[OEV_PSEUDONYM_OCTETS];
	char hex[2 * OEV_PSEUDONYM_OCTETS + 1];
	bool made;
	struct stat info;

	CU_ASSERT_EQUAL(mkdir(strcat(strcpy(path, folder), "/k"), 0700), 0);
	strcat(path, "/key");
	put_key("doic.key/1\ned25519-seed AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n"
		"pseudonym-key ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=\n",
		128);
	CU_ASSERT_EQUAL(stat(path, &info), 0);
	CU_ASSERT_EQUAL_FATAL(oev_key_open(path, &key, &made, &why), OC_OK);
	oev_key_pseudonym(key, subkey);
	oev_armor_hex(subkey, sizeof(subkey), hex);
	CU_ASSERT_STRING_EQUAL(hex, "09319efd23260ca6d974b56d12948696");
	oev_armor_hex(oev_key_public(key), 16, hex);
	CU_ASSERT_STRING_EQUAL(hex, "03a107bff3ce10be1d70dd18e74bc099");
	oev_key_free(key);
}

struct rfc8032 {
	const char *seed;
	const char *public_key;
	const char *message;
	const char *signature;
};

/* RFC 8032 section 7.1, tests 1 to 3. */
static const struct rfc8032 vectors[] = {
	{ "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
	  "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
	  "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd2"
	  "5bf5f0595b"
	  "be24655141438e7a100b" },
	{ "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
	  "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
	  "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c38"
	  "7b2eaeb430"
	  "2aeeb00d291612bb0c00" },
	{ "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
	  "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
	  "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a"
	  "7c15e9716e"
	  "d28dc027beceea1ec40a" },
};

static void check_rfc8032(const struct rfc8032 *vector)
{
	uint8_t seed[32], want_public[32], public_key[32], message[8], want[64], signature[64];
	size_t len = strlen(vector->message) / 2;

	oev_armor_hex_parse(vector->seed, 64, seed, 32);
	oev_armor_hex_parse(vector->public_key, 64, want_public, 32);
	oev_armor_hex_parse(vector->signature, 128, want, 64);
	oev_armor_hex_parse(vector->message, 2 * len, message, len);
	CU_ASSERT_EQUAL(oev_ed25519_public(seed, public_key), OC_OK);
	CU_ASSERT_EQUAL(memcmp(public_key, want_public, 32), 0);
	CU_ASSERT_EQUAL(oev_ed25519_sign(seed, public_key, message, len, signature), OC_OK);
	CU_ASSERT_EQUAL(memcmp(signature, want, 64), 0);
	CU_ASSERT_EQUAL(oev_ed25519_verify(public_key, message, len, signature), OC_OK);
	CU_ASSERT_EQUAL(oev_ed25519_verify(public_key, "x", 1, signature), OC_EREFUSED);
	for (unsigned bit = 0; bit < 512; bit++) {
		signature[bit / 8] ^= (uint8_t)(1u << bit % 8);
		CU_ASSERT_NOT_EQUAL(oev_ed25519_verify(public_key, message, len, signature), OC_OK);
		signature[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}

static void test_signatures_of_rfc_8032(void)
{
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
		check_rfc8032(&vectors[i]);
}

/* Points with a small x or y, and octets that are no point: libgcrypt 1.10.1 ends the process for most of
 * them. */
static void test_hostile_keys_are_refused(void)
{
	static const char *const keys[] = {
		"0000000000000000000000000000000000000000000000000000000000000000", /* y = 0 */
		"0000000000000000000000000000000000000000000000000000000000000080",
		"0100000000000000000000000000000000000000000000000000000000000000", /* x = 0 */
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"0200000000000000000000000000000000000000000000000000000000000000", /* no point */
		"0300000000000000000000000000000000000000000000800000000000000000", /* y of 192 bits */
		"0300000000000000000000000000000000000000000000800000000000000080",
		"3126711e11ef574692935381d2cd2bbab5dd113c4010f91fd7c4dd7b12bf431a", /* x = 2 */
		"bcd98ee1ee10a8b96d6cac7e2d32d4454a22eec3bfef06e0283b2284ed40bc65",
		"95cef8cde8960ec2a0524d2a6a67d4ed4bbc360b94f5d336a71dd875bd710405", /* x of 191 bits */
		"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", /* y = p */
		"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	};
	uint8_t signature[OEV_ED25519_SIGNATURE] = { 1 };
	struct oev_public key = { .node = "n" }, read;
	char text[OEV_PUBLIC_TEXT_MAX];

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		oev_armor_hex_parse(keys[i], 64, key.key, 32);
		CU_ASSERT_FALSE(oev_ed25519_is_key(key.key));
		CU_ASSERT_EQUAL(oev_ed25519_verify(key.key, "x", 1, signature), OC_EREFUSED);
		CU_ASSERT_EQUAL(oev_public_parse(text, oev_public_text(&key, text), &read, &why),
				OC_EMALFORMED);
	}
}

static void test_public_key_file_stands_beside_the_evidence(void)
{
	char file[HELP_PATH_MAX * 2];
	struct oev_public ours, other, read = { .node = "" };
	struct oev_key *key = help_key(folder, "key", "dra.example.net", &ours);
	struct oev_key *key2 = help_key(folder, "key2", "dra.example.net", &other);
	struct stat info;

	snprintf(file, sizeof(file), "%s/%s", folder, OEV_PUBLIC_FILE);
	CU_ASSERT_EQUAL(oev_public_read(file, &read, &why), OC_ENOENT);
	CU_ASSERT_EQUAL(oev_public_write(folder, &ours, &why), OC_OK);
	CU_ASSERT_EQUAL(oev_public_write(folder, &ours, &why), OC_OK);
	CU_ASSERT_EQUAL(stat(file, &info), 0);
	CU_ASSERT_EQUAL(info.st_mode & 07777, 0644);
	CU_ASSERT_EQUAL(oev_public_read(file, &read, &why), OC_OK);
	CU_ASSERT_STRING_EQUAL(read.node, "dra.example.net");
	CU_ASSERT_EQUAL(memcmp(read.key, ours.key, sizeof(read.key)), 0);
	CU_ASSERT_EQUAL(oev_public_write(folder, &other, &why), OC_EREFUSED);
	CU_ASSERT_EQUAL(oev_public_read(file, &read, &why), OC_OK);
	CU_ASSERT_EQUAL(memcmp(read.key, ours.key, sizeof(read.key)), 0);
	snprintf(ours.node, sizeof(ours.node), "with space");
	CU_ASSERT_EQUAL(oev_public_write(folder, &ours, &why), OC_EINVAL);
	CU_ASSERT_EQUAL(oev_public_write("/nowhere/at/all", &other, &why), OC_EIO);
	oev_key_free(key);
	oev_key_free(key2);
}

static void test_every_bit_of_a_public_key_file_counts(void)
{
	struct oev_public ours, read;
	struct oev_key *key = help_key(folder, "key", "dra.example.net", &ours);
	char text[OEV_PUBLIC_TEXT_MAX], again[OEV_PUBLIC_TEXT_MAX];
	size_t len = oev_public_text(&ours, text);
	unsigned taken = 0;

	for (size_t bit = 0; bit < len * 8; bit++) {
		text[bit / 8] ^= (char)(1 << bit % 8);
		if (oev_public_parse(text, len, &read, &why) == OC_OK) {
			taken++; /* another visible node name: nothing but a signature can know */
			CU_ASSERT_EQUAL(oev_public_text(&read, again), len);
			CU_ASSERT_EQUAL(memcmp(text, again, len), 0);
			CU_ASSERT_STRING_NOT_EQUAL(read.node, ours.node);
		}
		text[bit / 8] ^= (char)(1 << bit % 8);
	}
	CU_ASSERT(taken > 0 && taken <= strlen(ours.node) * 8);
	oev_key_free(key);
}

void test_oev_key_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_key", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "first_start_makes_a_key_and_keeps_it", test_first_start_makes_a_key_and_keeps_it);
	CU_add_test(suite, "reading_makes_nothing", test_reading_makes_nothing);
	CU_add_test(suite, "key_that_others_can_read_is_refused", test_key_that_others_can_read_is_refused);
	CU_add_test(suite, "damaged_key_is_never_replaced", test_damaged_key_is_never_replaced);
	CU_add_test(suite, "folders_and_pipes_are_no_keys", test_folders_and_pipes_are_no_keys);
	CU_add_test(suite, "processes_that_start_together_share_one_key",
		    test_processes_that_start_together_share_one_key);
	CU_add_test(suite, "pseudonym_subkey_is_an_hmac", test_pseudonym_subkey_is_an_hmac);
	CU_add_test(suite, "signatures_of_rfc_8032", test_signatures_of_rfc_8032);
	CU_add_test(suite, "hostile_keys_are_refused", test_hostile_keys_are_refused);
	CU_add_test(suite, "public_key_file_stands_beside_the_evidence",
		    test_public_key_file_stands_beside_the_evidence);
	CU_add_test(suite, "every_bit_of_a_public_key_file_counts",
		    test_every_bit_of_a_public_key_file_counts);
}
