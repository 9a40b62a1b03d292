/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Parts of a revelation: the key, the segments, the two directions. Private to the folder.
 *
 * Functions that return a code fill reveal->error when it is not OC_OK.
 */
#pragma once

#include <sqlite3.h>

#include "oev_candidates.h"
#include "oev_pseudonym.h"
#include "oev_reveal.h"

struct oev_reveal_run {
	struct oev_reveal *reveal;
	struct oev_pseudonyms pseudonyms; /* when reveal->key is UNKNOWN or SAME */
	uint64_t done_bytes, total_bytes;
	bool is_contradicted; /* table identity has a pseudonym that the key does not give */
};

/* oev_reveal_key.c: reads the key and holds it against the folder's. OC_OK whatever reveal->key becomes; OC_ENOENT (the key that was
 * named), OC_EREFUSED, OC_EMALFORMED, OC_EVERSION, OC_EIO, OC_ENOMEM. */
int oev_reveal_take_key(struct oev_reveal_run *run);

/* oev_reveal_folder.c: which segments there are. OC_OK, OC_ENOENT, OC_EIO, OC_ENOMEM. */
int oev_reveal_list(struct oev_reveal_run *run);

/* Opens segment @at for reading; the caller closes it. OC_OK; OC_EREFUSED: it is left out, segment->why says why; OC_ENOMEM. */
int oev_reveal_open(struct oev_reveal_run *run, uint32_t at, sqlite3 **db);

/* Calls @read for every segment that can be opened. OC_OK, OC_ENOMEM, OC_EINTERRUPTED. @read: OC_OK; OC_EIO: the rest of the segment cannot be
 * read; others end it all. */
int oev_reveal_each(struct oev_reveal_run *run,
		    int (*read)(struct oev_reveal_run *run, uint32_t at, sqlite3 *db));

/* Says that octets up to @part of @parts of segment @at are done; OC_OK or OC_EINTERRUPTED. */
int oev_reveal_tell(struct oev_reveal_run *run, uint32_t at, uint64_t part, uint64_t parts);

/* oev_reveal_table.c: calls @take for every row of table identity. OC_OK, OC_EIO, or what @take returns but OC_OK. */
typedef int (*oev_reveal_row_fn)(struct oev_reveal_run *run, uint64_t pseudonym, unsigned kind,
				 const char *text, size_t len);
int oev_reveal_table(struct oev_reveal_run *run, sqlite3 *db, oev_reveal_row_fn take);

/* oev_reveal_table.c: a pass over the tables identity: finds pseudonyms of what was asked for, and whether they are of the key. */
int oev_reveal_by_table(struct oev_reveal_run *run);
/* Another one: gives the sessions found their texts. */
int oev_reveal_name_sessions(struct oev_reveal_run *run);

/* oev_reveal_scan.c: the pass over all decisions. */
int oev_reveal_scan(struct oev_reveal_run *run);

/* oev_reveal_back.c: from pseudonyms to identities. */
int oev_reveal_backward(struct oev_reveal_run *run);
