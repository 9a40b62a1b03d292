/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One segment file: its name, its first rows (meta, code, policy, clock) and its clean end.
 */
#pragma once

#include "../oev_clock.h"
#include "oev_db.h"

#define OEV_SEGMENT_PATH_MAX 1024u

struct oev_writer {
	struct oev_db *db;
	char path[OEV_SEGMENT_PATH_MAX];
};

/* Which part of which life a segment is. */
struct oev_part {
	uint64_t run_id;
	uint32_t number; /* from 1 */
	uint32_t journal_records;
	struct oev_moment now; /* of its beginning; times of decisions count from here */
};

/* Makes a new file in @conf->folder, named after its beginning (never an existing one), mode 0640, and writes its first rows.
 * On failure nothing is left behind and *@error is one sentence. Returns OC_OK, OC_EINVAL, OC_EIO, OC_ENOMEM. */
int oev_writer_open(struct oev_writer *out, const struct oev_recorder_conf *conf, const struct oev_part *part,
		    char *error, size_t error_size);

/* Writes one row of table policy, in force since @from; inside a transaction, as the next two. Returns OC_EREFUSED when the version
 * is there already. */
int oev_writer_put_policy(struct oev_writer *segment, const char *text, uint32_t version,
			  const struct oev_moment *from);

/* Writes one row of table clock; inside a transaction. */
int oev_writer_put_clock(struct oev_writer *segment, const struct oev_moment *now);

/* Writes one row of table gap unless @events is 0; inside a transaction. */
int oev_writer_put_gap(struct oev_writer *segment, const struct oev_moment *now, uint64_t events,
		       const char *reason);

/* Writes the last rows: a clock pair, meta closed_us and closed_how (@how). Returns OC_OK, or OC_EIO: oev_db_error() says why; it
 * may be called again. oev_db_fold() comes next. */
int oev_writer_finish(struct oev_writer *segment, const struct oev_moment *now, const char *how);

/* Closes the connection, finished or not. */
void oev_writer_close(struct oev_writer *segment);
