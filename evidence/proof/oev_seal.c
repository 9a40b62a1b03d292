/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Seals to and from notes.
 */
#include "oev_seal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "oev_file.h"
#include "oev_lines.h"

int oev_seal_text(const struct oev_seal *seal, char out[static OEV_SEAL_MAX])
{
	char sha256[OEV_HASH_HEX], root[OEV_HASH_HEX];

	if (!oev_lines_is_word(seal->origin, OEV_NODE_MAX) ||
	    !oev_lines_is_word(seal->segment, OEV_SEGMENT_MAX))
		return OC_EINVAL;
	oev_hash_hex(&seal->sha256, sha256);
	oev_hash_hex(&seal->root, root);
	snprintf(out, OEV_SEAL_MAX,
		 "doic.seal/1\norigin %s\nsegment %s\nbytes %" PRIu64 "\nsha256 %s\nfirst %" PRIu64
		 "\nlast %" PRIu64 "\nroot %s\nwall_us %" PRIu64 "\n",
		 seal->origin, seal->segment, seal->bytes, sha256, seal->first, seal->last, root,
		 seal->wall_us);
	return OC_OK;
}

int oev_seal_parse(const char *body, size_t len, struct oev_seal *out, struct oev_why *why)
{
	struct oev_seal read = { .bytes = 0 };
	struct oev_lines lines;

	oev_lines_start(&lines, body, len, why);
	oev_lines_title(&lines, "doic.seal");
	oev_lines_word(&lines, "origin", read.origin, OEV_NODE_MAX);
	oev_lines_word(&lines, "segment", read.segment, OEV_SEGMENT_MAX);
	oev_lines_number(&lines, "bytes", &read.bytes);
	oev_lines_hash(&lines, "sha256", &read.sha256);
	oev_lines_number(&lines, "first", &read.first);
	oev_lines_number(&lines, "last", &read.last);
	oev_lines_hash(&lines, "root", &read.root);
	oev_lines_number(&lines, "wall_us", &read.wall_us);
	if (oev_lines_end(&lines) == OC_OK)
		*out = read;
	return lines.rc;
}

int oev_seal_sign(const struct oev_seal *seal, const struct oev_key *key, char *out, size_t size,
		  struct oev_why *why)
{
	char body[OEV_SEAL_MAX];

	if (oev_seal_text(seal, body) != OC_OK)
		return oev_why(why, OC_EINVAL,
			       "the name of the node or of the segment cannot stand in a seal");
	return oev_note_sign(key, seal->origin, body, out, size, why);
}

int oev_seal_open(const char *note, size_t len, const struct oev_public *signer, struct oev_seal *out,
		  struct oev_why *why)
{
	struct oev_seal read;
	struct oev_note parsed;
	int rc = oev_note_parse(note, len, &parsed, why);

	if (rc == OC_OK)
		rc = oev_seal_parse(parsed.text, parsed.body_len, &read, why);
	if (rc != OC_OK)
		return rc;
	if (strcmp(parsed.node, read.origin) != 0)
		return oev_why(why, OC_EMALFORMED, "a seal of %.64s cannot be signed in the name of %.64s",
			       read.origin, parsed.node);
	if (signer != NULL)
		rc = oev_note_check(&parsed, signer, why);
	if (rc == OC_OK)
		*out = read;
	return rc;
}

int oev_seal_read(const char *path, const struct oev_public *signer, struct oev_seal *out,
		  struct oev_why *why)
{
	char note[OEV_NOTE_MAX];
	size_t len = 0;
	int fd = oev_file_open(path);

	if (fd < 0)
		return oev_why(why, errno == ENOENT ? OC_ENOENT : OC_EIO, "%s: %s", path,
			       oev_file_problem(errno));
	int rc = oev_file_read(fd, note, sizeof(note), &len);
	close(fd);
	if (rc != OC_OK)
		return oev_why(why, rc == OC_ERANGE ? OC_EMALFORMED : rc, "%s cannot be read", path);
	return oev_seal_open(note, len, signer, out, why);
}
