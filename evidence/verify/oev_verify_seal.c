/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a seal is worth.
 */
#include <gcrypt.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_verify_parts.h"

enum oev_seal_state oev_verify_seal_judge(const struct oev_verify_run *run, const char *text, size_t len,
					  struct oev_seal *out, struct oev_why *why)
{
	char fingerprint[OEV_FINGERPRINT_LEN + 1];
	struct oev_note note;

	if (text == NULL) {
		oev_why(why, OC_EIO, "it cannot be read");
		return OEV_SEAL_BROKEN;
	}
	if (oev_note_parse(text, len, &note, why) != OC_OK ||
	    oev_seal_open(text, len, NULL, out, why) != OC_OK)
		return OEV_SEAL_BROKEN;
	if (!run->has_signer || oev_note_check(&note, &run->signer, why) == OC_OK)
		return OEV_SEAL_GOOD;
	oev_public_fingerprint(run->signer.key, fingerprint);
	return strcmp(note.fingerprint, fingerprint) != 0 ? OEV_SEAL_FOREIGN_KEY : OEV_SEAL_BROKEN;
}

/* As table meta of store/ has it: SHA-256 of the texts in sqlite_schema in order of rowid, each ended by a
 * newline. */
static int schema_digest(sqlite3 *db, struct oev_hash *out)
{
	sqlite3_stmt *stmt = NULL;
	gcry_md_hd_t md = NULL;
	int step = SQLITE_ERROR;

	if (gcry_md_open(&md, GCRY_MD_SHA256, 0) != 0)
		return OC_ENOMEM;
	if (sqlite3_prepare_v2(db, "SELECT sql FROM sqlite_schema ORDER BY rowid", -1, &stmt, NULL) ==
	    SQLITE_OK)
		while ((step = sqlite3_step(stmt)) == SQLITE_ROW) {
			const char *text = (const char *)sqlite3_column_text(stmt, 0);
			if (text == NULL)
				continue;
			gcry_md_write(md, text, (size_t)sqlite3_column_bytes(stmt, 0));
			gcry_md_write(md, "\n", 1);
		}
	sqlite3_finalize(stmt);
	memcpy(out->octets, gcry_md_read(md, GCRY_MD_SHA256), OEV_HASH_OCTETS);
	gcry_md_close(md);
	return step == SQLITE_DONE ? OC_OK : OC_EIO;
}

bool oev_verify_schema_is_known(struct oev_verify_work *work)
{
	struct oev_hash is;

	return work->facts.has_schema && schema_digest(work->db, &is) == OC_OK &&
	       oev_hash_equal(&is, &work->facts.schema_sha256) && oev_layout_is_as_told(work->db);
}
