/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The segments that lie in an evidence folder when an agent starts: which there are, and in what state they were left.
 */
#pragma once

#include "../proof/oev_public.h"
#include "oev_ledger.h"
#include "oev_place.h"

#define OEV_FOUND_HOW_MAX 16u

enum oev_found_state {
	OEV_FOUND_SEALED = 0,	/* by us */
	OEV_FOUND_UNSEALED = 1, /* ours, of a schema whose rows are proven */
	OEV_FOUND_OLD = 2,	/* ours, without a seal, of an older schema */
	OEV_FOUND_EMPTY = 3,	/* nothing was ever stored in it */
	OEV_FOUND_FOREIGN = 4,	/* another node's, another key's, or no agent's */
	OEV_FOUND_UNREADABLE = 5
};

struct oev_found_segment {
	char path[OEV_PLACE_PATH_MAX];
	enum oev_found_state state;
	uint64_t first; /* batches in it, 0 and 0: none */
	uint64_t last;
	uint64_t bytes;			    /* of the file */
	uint64_t changed_us;		    /* when it was written last, or sealed */
	struct oev_hash sha256;		    /* of a sealed one */
	char previous[OEV_SEGMENT_MAX + 1]; /* the segment it follows, "" none */
	/* Of an unsealed one alone. */
	uint64_t run_id;
	uint64_t part;
	char closed_how[OEV_FOUND_HOW_MAX]; /* "" it was not finished */
	uint64_t closed_us;		    /* when it ended; 0 it did not, or is sealed */
};

struct oev_folder {
	struct oev_found_segment *segments; /* by last batch, those without any in front */
	size_t count;
};

/* Looks at @folder; @signer is this node. Empty for a folder that is not there. OC_OK, OC_EIO, OC_ENOMEM. */
int oev_folder_scan(struct oev_folder *out, const char *folder, const struct oev_public *signer);
void oev_folder_fini(struct oev_folder *folder);

/* The segment that holds the end of the log: no other follows it. (Numbers alone do not tell: a log that could not be continued was
 * followed by one that counts from 1 again.) NULL: there is none yet. */
struct oev_found_segment *oev_folder_tip(const struct oev_folder *folder);
