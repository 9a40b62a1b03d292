/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a seal is worth.
 */
#include <string.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_lines.h"
#include "oev_verify_parts.h"

static int parse(const char *body, size_t len, struct oev_seal *out, struct oev_why *why)
{
	struct oev_lines lines;
	struct oev_seal seal = { .octets = 0 };

	oev_lines_start(&lines, body, len, why);
	oev_lines_title(&lines, "doic.seal");
	oev_lines_word(&lines, "origin", seal.origin, OEV_NODE_MAX);
	oev_lines_word(&lines, "segment", seal.segment, OEV_SEGMENT_MAX);
	oev_lines_number(&lines, "octets", &seal.octets);
	oev_lines_hash(&lines, "sha256", &seal.sha256);
	oev_lines_hash(&lines, "schema_sha256", &seal.schema_sha256);
	oev_lines_number(&lines, "first_batch", &seal.first_batch);
	oev_lines_number(&lines, "last_batch", &seal.last_batch);
	oev_lines_number(&lines, "rows", &seal.rows);
	oev_lines_hash(&lines, "chain", &seal.chain);
	oev_lines_number(&lines, "wall_us", &seal.wall_us);
	int rc = oev_lines_end(&lines);
	if (rc == OC_OK)
		*out = seal;
	return rc;
}

enum oev_seal_state oev_verify_seal_judge(const struct oev_verify_run *run, const char *text, size_t len,
					  struct oev_seal *out, struct oev_why *why)
{
	char fingerprint[OEV_FINGERPRINT_LEN + 1];
	struct oev_note note;

	if (text == NULL) {
		oev_why(why, OC_EIO, "it cannot be read");
		return OEV_SEAL_BROKEN;
	}
	if (oev_note_parse(text, len, &note, why) != OC_OK || parse(note.text, note.body_len, out, why) != OC_OK)
		return OEV_SEAL_BROKEN;
	if (!run->has_signer || oev_note_check(&note, &run->signer, why) == OC_OK)
		return OEV_SEAL_GOOD;
	oev_public_fingerprint(run->signer.key, fingerprint);
	return strcmp(note.fingerprint, fingerprint) != 0 ? OEV_SEAL_FOREIGN_KEY : OEV_SEAL_BROKEN;
}
