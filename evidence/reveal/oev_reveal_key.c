/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The key of the pseudonyms, and whether it is the one of this folder.
 */
#define _DEFAULT_SOURCE /* realpath */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_public.h"
#include "../store/oev_place.h"
#include "oev_reveal_parts.h"

/* The folder that is looked into: the path itself, or where the segment lies; whole, since the key stands beside it. NULL: out of memory,
 * or there is none (which is said when it is read). */
static char *folder_of(const char *path)
{
	struct stat info;
	char *whole = realpath(path, NULL);

	if (whole != NULL && stat(whole, &info) == 0 && !S_ISDIR(info.st_mode)) {
		char *slash = strrchr(whole, '/');
		slash[slash == whole] = '\0';
	}
	return whole;
}

static int say(struct oev_reveal *reveal, int rc, const char *text)
{
	snprintf(reveal->error, sizeof(reveal->error), "%s", text);
	return rc;
}

/* Beside @folder, or beside the one above it, which holds the folders of several nodes when they came out of a capture. */
static int path_beside(struct oev_reveal *reveal, const char *folder)
{
	char above[OEV_PLACE_PATH_MAX], path[OEV_PLACE_PATH_MAX];
	const char *slash = strrchr(folder, '/');
	int rc = oev_place_beside(folder, ".key", reveal->key_path);

	if (rc != OC_OK || slash == folder || access(reveal->key_path, F_OK) == 0)
		return rc;
	snprintf(above, sizeof(above), "%.*s", (int)(slash - folder), folder);
	if (oev_place_beside(above, ".key", path) == OC_OK && access(path, F_OK) == 0)
		memcpy(reveal->key_path, path, sizeof(path));
	return OC_OK;
}

/* Into reveal->key_path. OC_EIO: too long. */
static int choose_path(struct oev_reveal *reveal, const char *folder)
{
	const char *named = reveal->options.key_path;
	int rc = OC_OK;

	_Static_assert(sizeof(reveal->key_path) >= OEV_PLACE_PATH_MAX, "a path beside the folder fits");
	if (named == NULL)
		rc = path_beside(reveal, folder);
	else if ((size_t)snprintf(reveal->key_path, sizeof(reveal->key_path), "%s", named) >=
		 sizeof(reveal->key_path))
		rc = OC_EINVAL;
	return rc == OC_OK ? OC_OK : say(reveal, OC_EIO, "the path of the key is too long");
}

/* Holds @key against the public key of @folder. */
static void compare(struct oev_reveal *reveal, const struct oev_key *key, const char *folder)
{
	char path[OEV_PLACE_PATH_MAX + sizeof(OEV_PUBLIC_FILE)];
	struct oev_public theirs;
	struct oev_why why;

	oev_public_fingerprint(oev_key_public(key), reveal->key_print);
	reveal->key = OEV_REVEAL_KEY_UNKNOWN;
	snprintf(path, sizeof(path), "%s/%s", folder, OEV_PUBLIC_FILE);
	if (oev_public_read(path, &theirs, &why) != OC_OK) {
		snprintf(reveal->error, sizeof(reveal->error),
			 "it cannot be told whether this is the key of the folder: %s", why.text);
		return;
	}
	oev_public_fingerprint(theirs.key, reveal->folder_print);
	if (memcmp(theirs.key, oev_key_public(key), sizeof(theirs.key)) == 0) {
		reveal->key = OEV_REVEAL_KEY_SAME;
		return;
	}
	reveal->key = OEV_REVEAL_KEY_FOREIGN;
	snprintf(reveal->error, sizeof(reveal->error),
		 "the key in %.300s (%s) is not the one of this folder (%s)", reveal->key_path,
		 reveal->key_print, reveal->folder_print);
}

static int take(struct oev_reveal_run *run, const char *folder)
{
	struct oev_reveal *reveal = run->reveal;
	struct oev_key *key = NULL;
	struct oev_why why;
	int rc = choose_path(reveal, folder);

	if (rc != OC_OK)
		return rc;
	rc = oev_key_read(reveal->key_path, &key, &why);
	if (rc == OC_ENOENT && reveal->options.key_path == NULL) {
		snprintf(reveal->error, sizeof(reveal->error), "there is no key (%.300s); name it with --key",
			 reveal->key_path);
		return OC_OK;
	}
	if (rc != OC_OK)
		return say(reveal, rc, why.text);
	compare(reveal, key, folder);
	oev_pseudonyms_init(&run->pseudonyms, key);
	oev_key_free(key);
	return OC_OK;
}

int oev_reveal_take_key(struct oev_reveal_run *run)
{
	const char *path = run->reveal->options.path;
	char *folder = folder_of(path);
	int rc;

	if (folder == NULL) {
		rc = errno == ENOMEM ? OC_ENOMEM : errno == ENOENT ? OC_ENOENT : OC_EIO;
		snprintf(run->reveal->error, sizeof(run->reveal->error), "%.400s: %s", path, strerror(errno));
		return rc;
	}
	rc = take(run, folder);
	free(folder);
	return rc;
}
