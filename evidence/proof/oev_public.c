/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Public keys: fingerprint, text, file.
 */
#include "oev_public.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "oev_armor.h"
#include "oev_file.h"
#include "oev_hash.h"
#include "oev_lines.h"

#define FINGERPRINT_OCTETS 8u
#define PATH_SIZE 4096u
#define FILE_MODE 0644

void oev_public_fingerprint(const uint8_t key[static OEV_ED25519_PUBLIC],
			    char out[static OEV_FINGERPRINT_LEN + 1])
{
	struct oev_hash hash;

	oev_hash_of(key, OEV_ED25519_PUBLIC, &hash);
	for (size_t i = 0; i < FINGERPRINT_OCTETS; i++) {
		oev_armor_hex(&hash.octets[i], 1, out + 3 * i);
		out[3 * i + 2] = ':';
	}
	out[OEV_FINGERPRINT_LEN] = '\0';
}

size_t oev_public_text(const struct oev_public *public_key, char out[static OEV_PUBLIC_TEXT_MAX])
{
	char base64[OEV_BASE64_LEN(OEV_ED25519_PUBLIC) + 1];
	char fingerprint[OEV_FINGERPRINT_LEN + 1];

	if (!oev_lines_is_word(public_key->node, OEV_NODE_MAX))
		return 0;
	oev_armor_base64(public_key->key, OEV_ED25519_PUBLIC, base64);
	oev_public_fingerprint(public_key->key, fingerprint);
	return (size_t)snprintf(out, OEV_PUBLIC_TEXT_MAX,
				"doic.public-key/1\nalgorithm ed25519\nnode %s\nkey %s\nfingerprint %s\n",
				public_key->node, base64, fingerprint);
}

int oev_public_parse(const char *text, size_t len, struct oev_public *out, struct oev_why *why)
{
	struct oev_public key = { { 0 }, { 0 } };
	char algorithm[16], fingerprint[OEV_FINGERPRINT_LEN + 1], same[OEV_PUBLIC_TEXT_MAX];
	struct oev_lines lines;

	oev_lines_start(&lines, text, len, why);
	oev_lines_title(&lines, "doic.public-key");
	oev_lines_word(&lines, "algorithm", algorithm, sizeof(algorithm) - 1);
	oev_lines_word(&lines, "node", key.node, OEV_NODE_MAX);
	oev_lines_base64(&lines, "key", key.key, sizeof(key.key));
	oev_lines_word(&lines, "fingerprint", fingerprint, OEV_FINGERPRINT_LEN);
	if (oev_lines_end(&lines) != OC_OK)
		return lines.rc;
	if (strcmp(algorithm, "ed25519") != 0)
		return oev_why(why, OC_EVERSION, "algorithm %s is unknown, only ed25519 is", algorithm);
	if (oev_public_text(&key, same) != len || memcmp(text, same, len) != 0)
		return oev_why(why, OC_EMALFORMED, "fingerprint %s is not the one of this key", fingerprint);
	if (!oev_ed25519_is_key(key.key))
		return oev_why(why, OC_EMALFORMED, "the key is no point of the curve that can sign");
	*out = key;
	return OC_OK;
}

int oev_public_read(const char *path, struct oev_public *out, struct oev_why *why)
{
	static const char secret[] = "doic.key/"; /* oev_key.h */
	char text[OEV_PUBLIC_TEXT_MAX];
	struct oev_why inner = { "longer than such a file can be" };
	size_t len = 0;
	int fd = oev_file_open(path);

	if (fd < 0)
		return oev_why(why, errno == ENOENT ? OC_ENOENT : OC_EIO, "%s: %s", path,
			       oev_file_problem(errno));
	int rc = oev_file_read(fd, text, sizeof(text), &len);
	if (rc == OC_EIO)
		snprintf(inner.text, sizeof(inner.text), "%s", strerror(errno));
	close(fd);
	if (rc == OC_ERANGE)
		rc = OC_EMALFORMED;
	else if (rc == OC_OK && len > sizeof(secret) - 1 && memcmp(text, secret, sizeof(secret) - 1) == 0)
		rc = oev_why(
			&inner, OC_EMALFORMED,
			"this is the node's secret key, which nobody else should have: name its public key, "
			"the file " OEV_PUBLIC_FILE " of its evidence folder");
	else if (rc == OC_OK)
		rc = oev_public_parse(text, len, out, &inner);
	return rc == OC_OK ? OC_OK : oev_why(why, rc, "%s: %s", path, inner.text);
}

/* What stands in @path is @public_key, or a sentence says what else. */
static int compare(const char *path, const struct oev_public *public_key, struct oev_why *why)
{
	struct oev_public there;
	char ours[OEV_FINGERPRINT_LEN + 1], theirs[OEV_FINGERPRINT_LEN + 1];
	int rc = oev_public_read(path, &there, why);

	if (rc != OC_OK)
		return rc;
	if (memcmp(there.key, public_key->key, sizeof(there.key)) == 0 &&
	    strcmp(there.node, public_key->node) == 0)
		return OC_OK;
	oev_public_fingerprint(public_key->key, ours);
	oev_public_fingerprint(there.key, theirs);
	return oev_why(why, OC_EREFUSED,
		       "%s is of node %s and key %s, this is node %s with key %s: evidence of two keys does "
		       "not go into one folder",
		       path, there.node, theirs, public_key->node, ours);
}

int oev_public_write(const char *folder, const struct oev_public *public_key, struct oev_why *why)
{
	char path[PATH_SIZE], text[OEV_PUBLIC_TEXT_MAX];
	size_t len = oev_public_text(public_key, text);

	if (len == 0)
		return oev_why(why, OC_EINVAL, "the node's name cannot stand in %s", OEV_PUBLIC_FILE);
	if (snprintf(path, sizeof(path), "%s/%s", folder, OEV_PUBLIC_FILE) >= (int)sizeof(path))
		return oev_why(why, OC_EIO, "%.80s...: the path is too long", folder);
	int rc = oev_file_put(path, text, len, FILE_MODE, OEV_FILE_NEW);
	if (rc == OC_EBUSY)
		return compare(path, public_key, why);
	return rc == OC_OK ? OC_OK : oev_why(why, rc, "%s: %s", path, strerror(errno));
}
