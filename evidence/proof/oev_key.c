/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The file of secrets, and what is made with them.
 */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "oev_key.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <gcrypt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "oev_armor.h"
#include "oev_file.h"
#include "oev_fresh.h"
#include "oev_hash.h"
#include "oev_lines.h"

#define SECRET_OCTETS 32u
#define FILE_MODE 0600
#define TEXT_MAX 256u

struct oev_key {
	uint8_t seed[OEV_ED25519_SEED];
	uint8_t pseudonym[SECRET_OCTETS];
	uint8_t public_key[OEV_ED25519_PUBLIC];
};

static int parse(const char *text, size_t len, struct oev_key *key, struct oev_why *why)
{
	struct oev_lines lines;

	oev_lines_start(&lines, text, len, why);
	oev_lines_title(&lines, "doic.key");
	oev_lines_base64(&lines, "ed25519-seed", key->seed, sizeof(key->seed));
	oev_lines_base64(&lines, "pseudonym-key", key->pseudonym, sizeof(key->pseudonym));
	return oev_lines_end(&lines);
}

/* A key that others know proves nothing. */
static int check_mode(int fd, const char *path, struct oev_why *why)
{
	struct stat info;

	if (fstat(fd, &info) != 0)
		return oev_why(why, OC_EIO, "%s: %s", path, strerror(errno));
	if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0)
		return oev_why(
			why, OC_EREFUSED,
			"%s has mode %04o, so that others than its owner can get at the key; it must be 0600 "
			"(chmod 600; if somebody may have read it, move it away and a new one is made)",
			path, (unsigned)(info.st_mode & 07777));
	return OC_OK;
}

static int load(int fd, const char *path, struct oev_key *key, struct oev_why *why)
{
	char text[TEXT_MAX];
	struct oev_why inner = { "longer than such a file can be" };
	size_t len = 0;
	int rc = check_mode(fd, path, why);

	if (rc != OC_OK)
		return rc;
	rc = oev_file_read(fd, text, sizeof(text), &len);
	if (rc == OC_EIO)
		snprintf(inner.text, sizeof(inner.text), "%s", strerror(errno));
	else
		rc = rc == OC_OK ? parse(text, len, key, &inner) : OC_EMALFORMED;
	explicit_bzero(text, sizeof(text));
	if (rc == OC_OK)
		rc = oev_ed25519_public(key->seed, key->public_key);
	return rc == OC_OK ? OC_OK : oev_why(why, rc, "%s: %s", path, inner.text);
}

int oev_key_read(const char *path, struct oev_key **out, struct oev_why *why)
{
	struct oev_key *key;
	int fd = oev_file_open(path);

	if (fd < 0)
		return oev_why(why, errno == ENOENT ? OC_ENOENT : OC_EIO, "%s: %s", path,
			       oev_file_problem(errno));
	oev_gcrypt_ready();
	key = calloc(1, sizeof(*key));
	int rc = key != NULL ? load(fd, path, key, why) : oev_why(why, OC_ENOMEM, "out of memory");
	close(fd);
	if (rc == OC_OK)
		*out = key;
	else
		oev_key_free(key);
	return rc;
}

/* OC_OK, OC_EBUSY (somebody was quicker), OC_EIO. */
static int make(const char *path)
{
	uint8_t secrets[2][SECRET_OCTETS];
	char seed[OEV_BASE64_LEN(SECRET_OCTETS) + 1], pseudonym[sizeof(seed)], text[TEXT_MAX];
	int rc = oev_file_folders(path);

	if (rc != OC_OK)
		return rc;
	oev_gcrypt_ready();
	gcry_randomize(secrets, sizeof(secrets), GCRY_VERY_STRONG_RANDOM);
	oev_armor_base64(secrets[0], SECRET_OCTETS, seed);
	oev_armor_base64(secrets[1], SECRET_OCTETS, pseudonym);
	int len = snprintf(text, sizeof(text), "doic.key/1\ned25519-seed %s\npseudonym-key %s\n", seed,
			   pseudonym);
	rc = oev_file_put(path, text, (size_t)len, FILE_MODE, OEV_FILE_NEW);
	int error = errno;
	explicit_bzero(secrets, sizeof(secrets));
	explicit_bzero(seed, sizeof(seed));
	explicit_bzero(pseudonym, sizeof(pseudonym));
	explicit_bzero(text, sizeof(text));
	errno = error;
	return rc;
}

int oev_key_open(const char *path, struct oev_key **out, bool *made, struct oev_why *why)
{
	oev_fresh_sweep(path); /* a secret nobody looks after */
	int rc = oev_key_read(path, out, why);

	*made = false;
	if (rc != OC_ENOENT)
		return rc;
	rc = make(path);
	if (rc == OC_EIO)
		return oev_why(why, rc, "%s: a key cannot be made here: %s", path, strerror(errno));
	*made = rc == OC_OK;
	return oev_key_read(path, out, why);
}

void oev_key_free(struct oev_key *key)
{
	if (key == NULL)
		return;
	explicit_bzero(key, sizeof(*key));
	free(key);
}

const uint8_t *oev_key_public(const struct oev_key *key)
{
	return key->public_key;
}

void oev_key_pseudonym(const struct oev_key *key, uint8_t out[static OEV_PSEUDONYM_OCTETS])
{
	static const char purpose[] = "doic.pseudonym/1";
	struct oev_hash hash;
	const gcry_buffer_t parts[] = {
		{ .data = (void *)(uintptr_t)key->pseudonym, .len = SECRET_OCTETS },
		{ .data = (void *)(uintptr_t)purpose, .len = sizeof(purpose) - 1 },
	};

	gcry_error_t error = gcry_md_hash_buffers(GCRY_MD_SHA256, GCRY_MD_FLAG_HMAC, hash.octets, parts, 2);
	assert(error == 0); /* fails only when the arguments are wrong */
	memcpy(out, hash.octets, OEV_PSEUDONYM_OCTETS);
	explicit_bzero(&hash, sizeof(hash));
}

int oev_key_sign(const struct oev_key *key, const void *data, size_t len,
		 uint8_t out[static OEV_ED25519_SIGNATURE])
{
	return oev_ed25519_sign(key->seed, key->public_key, data, len, out);
}
