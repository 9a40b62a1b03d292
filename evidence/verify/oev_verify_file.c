/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One file of the folder from outside: its seal, its size, its digest, and what lies beside it.
 */
#include <errno.h>
#include <fcntl.h>
#include <gcrypt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_file.h"
#include "oev_source.h"
#include "oev_verify_parts.h"

#define BLOCK ((size_t)1 << 20)

static uint64_t size_beside(const char *path, const char *suffix)
{
	struct stat info;
	char *beside = oev_verify_join(path, suffix);
	uint64_t size = 0;

	if (beside != NULL && stat(beside, &info) == 0 && S_ISREG(info.st_mode))
		size = (uint64_t)info.st_size;
	free(beside);
	return size;
}

/* Whatever a reader of SQLite would take for part of a file that is complete without it. */
static void look_beside(struct oev_verify_work *work)
{
	static const char *const suffixes[] = { "-wal", "-journal" };

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		uint64_t size = size_beside(work->file->path, suffixes[i]);
		if (size > 0)
			oev_verify_find(
				work->run, work, OEV_VERIFY_LEFTOVER, OEV_KIND_LEFTOVER,
				"%.100s%s (%" PRIu64
				" octets) lies beside a sealed segment: readers might take it for part of it",
				work->file->name, suffixes[i], size);
	}
}

/* SHA-256 of the file. OC_OK, OC_EIO, OC_ENOMEM, OC_EINTERRUPTED. */
static int digest(struct oev_verify_work *work, struct oev_hash *out)
{
	int fd = oev_file_open(work->file->path), rc = OC_OK;
	uint8_t *block = malloc(BLOCK);
	gcry_md_hd_t md = NULL;
	ssize_t got = 0;

	if (fd < 0)
		rc = OC_EIO;
	else if (block == NULL || gcry_md_open(&md, GCRY_MD_SHA256, 0) != 0)
		rc = OC_ENOMEM;
	while (rc == OC_OK && (got = read(fd, block, BLOCK)) > 0) {
		gcry_md_write(md, block, (size_t)got);
		if (!oev_verify_go_on(work->run, (uint64_t)got))
			rc = OC_EINTERRUPTED;
	}
	if (rc == OC_OK && got < 0)
		rc = OC_EIO;
	if (rc == OC_OK)
		memcpy(out->octets, gcry_md_read(md, GCRY_MD_SHA256), OEV_HASH_OCTETS);
	gcry_md_close(md);
	free(block);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* The seal's text, to be freed; NULL when there is none that can be read. */
static char *read_seal(const char *path, size_t *len)
{
	char *seal = oev_verify_join(path, OEV_SEAL_SUFFIX), *text = malloc(OEV_NOTE_MAX + 1);
	int fd = -1, rc = OC_ENOMEM;

	if (text != NULL && seal != NULL) {
		fd = oev_file_open(seal);
		rc = fd >= 0 ? oev_file_read(fd, text, OEV_NOTE_MAX, len) : OC_ENOENT;
	}
	if (fd >= 0)
		close(fd);
	free(seal);
	if (rc == OC_OK)
		return text;
	free(text);
	return NULL;
}

static void find_seal(struct oev_verify_work *work, enum oev_seal_state state, const struct oev_why *why)
{
	if (state == OEV_SEAL_FOREIGN_KEY)
		oev_verify_find(work->run, work, OEV_VERIFY_FOREIGN_KEY, OEV_KIND_KEY,
				"the seal is signed by another key: %.180s", why->text);
	else
		oev_verify_find(work->run, work, OEV_VERIFY_ALTERED, OEV_KIND_SEAL, "the seal: %.200s",
				why->text);
}

/* A shorter file explains all that cannot be read in it; a longer one is told when nothing says more
 * (oev_verify_file_end()). */
static void compare_size(struct oev_verify_work *work)
{
	if (work->segment->bytes >= work->seal.bytes)
		return;
	work->is_cut_short = true;
	oev_verify_find(work->run, work, OEV_VERIFY_CUT, OEV_KIND_SIZE,
			"the file was sealed with %" PRIu64 " octets and has %" PRIu64, work->seal.bytes,
			work->segment->bytes);
}

int oev_verify_file_seal(struct oev_verify_work *work)
{
	struct oev_why why = { "" };
	size_t len = 0;
	char *text = read_seal(work->file->path, &len);
	enum oev_seal_state state =
		oev_verify_seal_judge(work->run, text, text != NULL ? len : 0, &work->seal, &why);

	free(text);
	if (state != OEV_SEAL_GOOD)
		find_seal(work, state, &why);
	work->has_seal = state == OEV_SEAL_GOOD ||
			 state == OEV_SEAL_FOREIGN_KEY; /* of a file that cannot be read too */
	int rc = digest(work, &work->digest);
	if (rc != OC_OK)
		return rc;
	oev_hash_hex(&work->digest, work->segment->sha256);
	if (!work->has_seal)
		return OC_OK;
	compare_size(work);
	work->digest_differs = !oev_hash_equal(&work->digest, &work->seal.sha256);
	work->is_by_seal = work->run->options->by_seals && work->run->has_signer && state == OEV_SEAL_GOOD &&
			   !work->digest_differs;
	return OC_OK;
}

int oev_verify_file_open(struct oev_verify_work *work)
{
	char error[200] = "";
	int rc = OC_OK;

	work->segment->bytes = work->file->bytes;
	work->run->result->bytes += work->file->bytes;
	if (work->file->has_seal) {
		work->segment->state = OEV_SEGMENT_SEALED;
		look_beside(work);
		rc = oev_verify_file_seal(work);
	} else {
		work->has_wal = size_beside(work->file->path, "-wal") > 0;
		oev_verify_go_on(work->run, work->file->bytes);
	}
	if (rc == OC_OK)
		rc = oev_source_open(work->file->path, work->file->has_seal, &work->db, error, sizeof(error));
	if (rc == OC_OK || rc == OC_ENOMEM || rc == OC_EINTERRUPTED)
		return rc;
	if (rc == OC_EMALFORMED)
		oev_verify_find(work->run, work, oev_verify_broken(work), OEV_KIND_FORMAT,
				"it cannot be read as a SQLite database: %.150s", error);
	else
		oev_verify_find(work->run, work, OEV_VERIFY_UNREADABLE, OEV_KIND_FORMAT,
				"it cannot be read: %.170s", error[0] != '\0' ? error : strerror(errno));
	return rc;
}

/* The digest differs, and nothing that was looked at says why. */
static void find_digest(struct oev_verify_work *work)
{
	struct oev_verify_finding *finding =
		oev_verify_find(work->run, work, OEV_VERIFY_ALTERED, OEV_KIND_OUTSIDE_ROWS,
				work->is_judged ? "altered outside the rows: every row is what was signed, "
						  "the file is not what was sealed"
						: "the file is not what was sealed");
	char what[sizeof(finding->what)];

	snprintf(what, sizeof(what), "%s", finding->what);
	if (work->db != NULL)
		oev_verify_page(work, finding, "");
	snprintf(finding->what, sizeof(finding->what), "%s", what);
	if (finding->page != 0)
		snprintf(finding->what + strlen(what), sizeof(finding->what) - strlen(what),
			 ", at page %" PRIu64, finding->page);
	oev_hash_hex(&work->seal.sha256, finding->expected);
	oev_hash_hex(&work->digest, finding->found);
}

void oev_verify_file_end(struct oev_verify_work *work)
{
	if (!work->digest_differs || work->segment->outcome > OEV_VERIFY_LEFTOVER)
		return;
	if (work->segment->bytes > work->seal.bytes)
		oev_verify_find(work->run, work, OEV_VERIFY_ALTERED, OEV_KIND_SIZE,
				"the file was sealed with %" PRIu64 " octets and has %" PRIu64,
				work->seal.bytes, work->segment->bytes);
	else
		find_digest(work);
}
