/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One segment file: its first rows (meta, code), rows that are not events (policy, clock, gap), and its last ones.
 *
 * Every oev_writer_put_*() is inside a transaction, which oev_commit() ends.
 */
#pragma once

#include "oev_db.h"
#include "oev_ledger.h"
#include "oev_place.h"

/* Reasons of gap rows. */
#define OEV_GAP_JOURNAL "journal full"
#define OEV_GAP_REFUSED "refused by the database"
#define OEV_GAP_DATABASE "lost by the database"
#define OEV_GAP_DAMAGED "damaged in the journal"

struct oev_writer {
	struct oev_db *db;
	char path[OEV_PLACE_PATH_MAX];
};

/* Which part of which life a segment is, and what came before it. */
struct oev_part {
	uint64_t run_id;
	uint32_t number; /* from 1 */
	uint32_t journal_records;
	struct oev_moment now; /* of its beginning; times of decisions count from here */
	uint64_t flow_from;    /* first numbers of the dictionaries in this part */
	uint64_t way_from;
	uint64_t ending_from;
	uint64_t lost_before; /* events that gap rows of earlier parts tell of as lost in the journal */
	const struct oev_ledger *ledger; /* before its first batch */
	const char *previous;		 /* name of the segment before, "" none */
	const char
		*broken; /* why the log does not go on with an earlier one; NULL: it does, or is the first */
};

/* Makes a new file in @folder, with a transaction left open for its first rows. Without a commit the file has nothing in it:
 * oev_writer_discard(). On failure nothing is left behind and *@error is one sentence. Returns OC_OK, OC_EINVAL, OC_EIO, OC_ENOMEM. */
int oev_writer_open(struct oev_writer *out, const struct oev_recorder_conf *conf, uint64_t wall_us,
		    char *error, size_t error_size);

/* Writes the rows of meta and code. OC_OK, OC_EIO, OC_ENOMEM, OC_EREFUSED (a fact twice). */
int oev_writer_put_first(struct oev_writer *segment, const struct oev_recorder_conf *conf,
			 const struct oev_part *part);

/* Writes one row of table policy, in force since @from. Returns OC_EREFUSED when the version is there already. */
int oev_writer_put_policy(struct oev_writer *segment, const char *text, uint32_t version,
			  const struct oev_moment *from);

/* Writes one row of table clock, unless there is one of that moment. */
int oev_writer_put_clock(struct oev_writer *segment, const struct oev_moment *now);

/* Writes one row of table gap unless @events is 0. */
int oev_writer_put_gap(struct oev_writer *segment, const struct oev_moment *now, uint64_t events,
		       const char *reason);

/* Writes meta closed_us and closed_how (@how). */
int oev_writer_put_end(struct oev_writer *segment, const struct oev_moment *now, const char *how);

/* The file's name without its folder. */
const char *oev_writer_name(const struct oev_writer *segment);

/* Closes the connection, finished or not. */
void oev_writer_close(struct oev_writer *segment);

/* Closes and removes a file whose first rows were not committed. */
void oev_writer_discard(struct oev_writer *segment);
