/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The files written message by message.
 */
#include "dt_notes.h"

#include <errno.h>
#include <string.h>

#include "dt_record.h"

int dt_notes_open(struct dt_notes *notes, const struct dt_common *common)
{
	const char *path = common->dump_path;
	if (path && !(notes->dump = dt_dump_open(path)))
		goto out;
	path = common->record_path;
	if (path && !(notes->record = fopen(path, "w")))
		goto out;
	path = common->receipts_path;
	if (path && !(notes->receipts = dt_receipts_open(path, common->me.host)))
		goto out;
	return OC_OK;
out:
	fprintf(stderr, "doic-traffic: cannot write %s: %s\n", path, strerror(errno));
	return OC_EIO;
}

void dt_notes_msg(const struct dt_notes *notes, struct dt_flow *flow, bool sent, const uint8_t *msg,
		  size_t len)
{
	if (notes->dump)
		dt_dump_msg(notes->dump, flow, sent, msg, len);
	if (dt_msg_is_base(msg))
		return;
	if (notes->record)
		dt_record_msg(notes->record, sent, msg, len);
	if (notes->receipts)
		dt_receipts_msg(notes->receipts, sent, msg, len);
}

int dt_notes_close(struct dt_notes *notes)
{
	int rc = notes->dump ? fclose(notes->dump) : 0;
	if (notes->record)
		rc |= fclose(notes->record);
	rc |= dt_receipts_close(notes->receipts);
	*notes = (struct dt_notes){ 0 };
	return rc == 0 ? OC_OK : OC_EIO;
}
