/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Checkpoints to and from notes.
 */
#include "oev_checkpoint.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_lines.h"

int oev_checkpoint_text(const struct oev_checkpoint *checkpoint, char out[static OEV_CHECKPOINT_MAX])
{
	char root[OEV_HASH_HEX], chain[OEV_HASH_HEX];

	if (!oev_lines_is_word(checkpoint->origin, OEV_NODE_MAX) ||
	    !oev_lines_is_word(checkpoint->segment, OEV_SEGMENT_MAX))
		return OC_EINVAL;
	oev_hash_hex(&checkpoint->root, root);
	oev_hash_hex(&checkpoint->chain, chain);
	snprintf(out, OEV_CHECKPOINT_MAX,
		 "doic.checkpoint/1\norigin %s\nsize %" PRIu64 "\nroot %s\nsegment %s\nrows %" PRIu64
		 "\nmono_ns %" PRIu64 "\nwall_us %" PRIu64 "\nchain %s\n",
		 checkpoint->origin, checkpoint->size, root, checkpoint->segment, checkpoint->rows,
		 checkpoint->mono_ns, checkpoint->wall_us, chain);
	return OC_OK;
}

int oev_checkpoint_parse(const char *body, size_t len, struct oev_checkpoint *out, struct oev_why *why)
{
	struct oev_checkpoint read = { .size = 0 };
	struct oev_lines lines;

	oev_lines_start(&lines, body, len, why);
	oev_lines_title(&lines, "doic.checkpoint");
	oev_lines_word(&lines, "origin", read.origin, OEV_NODE_MAX);
	oev_lines_number(&lines, "size", &read.size);
	oev_lines_hash(&lines, "root", &read.root);
	oev_lines_word(&lines, "segment", read.segment, OEV_SEGMENT_MAX);
	oev_lines_number(&lines, "rows", &read.rows);
	oev_lines_number(&lines, "mono_ns", &read.mono_ns);
	oev_lines_number(&lines, "wall_us", &read.wall_us);
	oev_lines_hash(&lines, "chain", &read.chain);
	if (oev_lines_end(&lines) == OC_OK)
		*out = read;
	return lines.rc;
}

int oev_checkpoint_sign(const struct oev_checkpoint *checkpoint, const struct oev_key *key, char *out,
			size_t size, struct oev_why *why)
{
	char body[OEV_CHECKPOINT_MAX];

	if (oev_checkpoint_text(checkpoint, body) != OC_OK)
		return oev_why(why, OC_EINVAL,
			       "the name of the node or of the segment cannot stand in a checkpoint");
	return oev_note_sign(key, checkpoint->origin, body, out, size, why);
}

int oev_checkpoint_open(const char *note, size_t len, const struct oev_public *signer,
			struct oev_checkpoint *out, struct oev_why *why)
{
	struct oev_checkpoint read;
	struct oev_note parsed;
	int rc = oev_note_parse(note, len, &parsed, why);

	if (rc == OC_OK)
		rc = oev_checkpoint_parse(parsed.text, parsed.body_len, &read, why);
	if (rc != OC_OK)
		return rc;
	if (strcmp(parsed.node, read.origin) != 0)
		return oev_why(why, OC_EMALFORMED,
			       "a checkpoint of %.64s cannot be signed in the name of %.64s", read.origin,
			       parsed.node);
	if (signer != NULL)
		rc = oev_note_check(&parsed, signer, why);
	if (rc == OC_OK)
		*out = read;
	return rc;
}
