/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Hashing a file and writing its seal.
 */
#include "oev_sealing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_file.h"
#include "oev_digest.h"
#include "oev_past.h"
#include "oev_place.h"

#define SEALED_MODE 0444
#define NOTE_MODE 0444
#define PIECE_OCTETS ((size_t)1 << 18)
#define SEAL_PATH_MAX (OEV_PLACE_PATH_MAX + 8)

static bool has_wal(const char *path)
{
	char wal[OEV_PLACE_PATH_MAX + 8];

	return snprintf(wal, sizeof(wal), "%s-wal", path) < (int)sizeof(wal) && access(wal, F_OK) == 0;
}

int oev_sealing_fold(const char *path)
{
	sqlite3 *db = oev_past_open(path);
	sqlite3_stmt *stmt = NULL;
	bool is_folded =
		db && sqlite3_exec(db, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL) == SQLITE_OK &&
		sqlite3_prepare_v2(db, "PRAGMA journal_mode = DELETE", -1, &stmt, NULL) == SQLITE_OK &&
		sqlite3_step(stmt) == SQLITE_ROW &&
		strcmp((const char *)sqlite3_column_text(stmt, 0), "delete") == 0;

	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return is_folded || !has_wal(path) ? OC_OK : OC_EBUSY;
}

static int hash_pieces(int fd, struct oev_digest *digest, uint8_t *piece, uint64_t *octets)
{
	ssize_t got;

	while ((got = read(fd, piece, PIECE_OCTETS)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return OC_EIO;
		oev_digest_add(digest, piece, (size_t)got);
		*octets += (uint64_t)got;
	}
	return OC_OK;
}

static int hash_file(int fd, struct oev_seal *seal)
{
	struct oev_digest *digest = oev_digest_new();
	uint8_t *piece = malloc(PIECE_OCTETS);
	int rc = digest && piece ? OC_OK : OC_ENOMEM;

	seal->bytes = 0;
	if (rc == OC_OK)
		rc = hash_pieces(fd, digest, piece, &seal->bytes);
	if (digest)
		oev_digest_end(digest, &seal->sha256);
	free(piece);
	return rc;
}

/* Read-only and on the disk, then hashed: nothing of ours changes it from here on. */
static int take_file(const char *path, struct oev_seal *seal, struct oev_why *why)
{
	int fd = oev_file_open(path);
	int rc = OC_OK;

	if (fd < 0)
		return oev_why(why, OC_EIO, "it cannot be opened: %s", oev_file_problem(errno));
	if (fchmod(fd, SEALED_MODE) != 0 || fsync(fd) != 0)
		rc = oev_why(why, OC_EIO, "it cannot be made read-only: %s", strerror(errno));
	if (rc == OC_OK && hash_file(fd, seal) != OC_OK)
		rc = oev_why(why, OC_EIO, "it cannot be read: %s", strerror(errno));
	close(fd);
	return rc;
}

int oev_sealing(const char *path, struct oev_seal *seal, const struct oev_signer *signer, uint64_t wall_us,
		char note[static OEV_NOTE_MAX], struct oev_why *why)
{
	char beside[SEAL_PATH_MAX];
	int rc = take_file(path, seal, why);

	if (rc != OC_OK)
		return rc;
	seal->wall_us = wall_us;
	snprintf(seal->origin, sizeof(seal->origin), "%s", signer->node);
	snprintf(seal->segment, sizeof(seal->segment), "%s", oev_place_name(path));
	rc = oev_seal_sign(seal, signer->key, note, OEV_NOTE_MAX, why);
	if (rc != OC_OK)
		return rc;
	snprintf(beside, sizeof(beside), "%s" OEV_SEAL_SUFFIX, path);
	if (oev_file_put(beside, note, strlen(note), NOTE_MODE, OEV_FILE_OVER) != OC_OK)
		return oev_why(why, OC_EIO, "its seal cannot be written: %s", strerror(errno));
	return OC_OK;
}

int oev_sealing_read(const char *path, const struct oev_public *signer, struct oev_seal *out,
		     struct oev_why *why)
{
	char beside[SEAL_PATH_MAX];

	snprintf(beside, sizeof(beside), "%s" OEV_SEAL_SUFFIX, path);
	int rc = oev_seal_read(beside, signer, out, why);
	if (rc == OC_OK && strcmp(out->segment, oev_place_name(path)) != 0)
		return oev_why(why, OC_EMALFORMED, "%s speaks of another file, %s", beside, out->segment);
	return rc;
}
