/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sessions and subscribers of an evidence folder, by pseudonym.
 *
 * Evidence has no index of them, so the shelf makes one beside it, in a thread of low priority: of sealed segments once, in files of
 * the index folder that are bound to the segment by its digest; of others in memory, following. A file that is damaged or of
 * another segment is made anew. What is there can be asked for at once; oev_shelf_find_state() says how far it came.
 */
#pragma once

#include "oev_shelf.h"

struct oev_shelf_find_state {
	uint64_t decisions; /* in the folder, as far as it can be read */
	uint64_t indexed;
	bool is_whole;			  /* all that was there when it was looked at last */
	char trouble[OEV_SHELF_TEXT_MAX]; /* why it does not go on; "" it does */
};
void oev_shelf_find_state(struct oev_shelf *shelf, struct oev_shelf_find_state *out);

struct oev_shelf_session {
	uint64_t session;
	uint64_t subscriber; /* 0 not known */
	uint64_t first_us, last_us;
	uint64_t decisions, refused;
};

struct oev_shelf_session_filter {
	uint64_t subscriber;	    /* 0 any */
	uint64_t from_us, until_us; /* of the last decision; until 0: no end */
};

typedef bool (*oev_shelf_session_fn)(void *ctx, const struct oev_shelf_session *row);

/* A page of sessions, the one with the newest decision first; as oev_shelf_decisions(). OC_EBUSY: not now, for too many files are open. */
int oev_shelf_sessions(struct oev_shelf *shelf, const struct oev_shelf_session_filter *filter,
		       const char *cursor, uint32_t limit, oev_shelf_session_fn take, void *ctx,
		       struct oev_shelf_page *page, char error[static OEV_SHELF_TEXT_MAX]);

/* One session. OC_OK, OC_ENOENT; OC_EIO: the index cannot be read; OC_EBUSY: not now, for too many files are open. */
int oev_shelf_session(struct oev_shelf *shelf, uint64_t session, struct oev_shelf_session *out,
		      char error[static OEV_SHELF_TEXT_MAX]);

/* Its decisions in the order of time. *@is_whole: the index knows all. OC_OK, OC_EIO, OC_EBUSY (as above), OC_ENOMEM. */
typedef bool (*oev_shelf_retry_fn)(void *ctx, const struct oev_shelf_retry *row);
int oev_shelf_of_session(struct oev_shelf *shelf, uint64_t session, oev_shelf_retry_fn take, void *ctx,
			 bool *is_whole, char *error);

/* The pseudonym of a Session-Id or a subscriber's identity @text, by the key file of the node. It stays in memory no longer than the
 * call. OC_OK, OC_ENOENT, OC_EREFUSED, OC_EMALFORMED, OC_EVERSION, OC_EIO, OC_ENOMEM, OC_EINVAL (no text). */
int oev_shelf_pseudonym(const char *key_path, const char *text, uint64_t *out,
			char error[static OEV_SHELF_TEXT_MAX]);
