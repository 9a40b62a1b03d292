/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Opening and closing parts as readers come and go.
 */
#include "oev_replay_parts.h"

#include <stdio.h>

#include "../../agent/oc_err.h"
#include "oev_replay_rows.h"

int oev_life_fail(struct oev_life_parts *parts, int rc, const struct oev_life_part *part, const char *what)
{
	if (parts->error[0] == '\0')
		snprintf(parts->error, OEV_REPLAY_ERROR_MAX, "%s: %s",
			 part != NULL ? part->segment.path : parts->life->parts[0].path, what);
	return rc;
}

int oev_replay_open(struct oev_segment *out, const char *path, char error[static OEV_REPLAY_ERROR_MAX])
{
	int rc = oev_segment_open(out, path, error, OEV_REPLAY_ERROR_MAX);

	if (rc == OC_EIO && oev_segment_is_absent(path))
		snprintf(error, OEV_REPLAY_ERROR_MAX,
			 "%.300s was removed while the folder was read; once more, and what is left is "
			 "replayed",
			 path);
	return rc;
}

static int open_part(struct oev_life_parts *parts, struct oev_life_part *part, uint32_t number)
{
	char *error = parts->error;
	int rc = oev_replay_open(&part->segment, parts->life->parts[number].path, error);

	part->number = number;
	if (rc != OC_OK)
		return rc;
	rc = oev_replay_numbers_load(&part->numbers, &part->segment);
	return rc == OC_OK
		       ? OC_OK
		       : oev_life_fail(parts, rc, part, "its tables profile and candidates cannot be read");
}

static void close_part(struct oev_life_part *part)
{
	oev_replay_numbers_fini(&part->numbers);
	oev_segment_fini(&part->segment);
	part->readers = 0;
}

/* The reader goes on with the next part, which others may have open. */
int oev_life_enter(struct oev_life_parts *parts, struct oev_life_reader *reader)
{
	struct oev_life_part *room = NULL;
	int rc = OC_OK;

	for (size_t i = 0; reader->part == NULL && i < OEV_READERS; i++) {
		struct oev_life_part *part = &parts->open[i];
		if (part->readers == 0)
			room = part;
		else if (part->number == reader->next)
			reader->part = part;
	}
	if (reader->part == NULL) { /* one reader without a part: there is room */
		if (room == NULL)
			return OC_EINVAL;
		rc = open_part(parts, room, reader->next);
		if (rc != OC_OK) {
			close_part(room);
			return rc;
		}
		reader->part = room;
	}
	reader->part->readers++;
	reader->next++;
	return OC_OK;
}

void oev_life_leave(struct oev_life_reader *reader)
{
	if (reader->part != NULL && --reader->part->readers == 0)
		close_part(reader->part);
	reader->part = NULL;
}

bool oev_life_is_last(const struct oev_life_parts *parts, const struct oev_life_reader *reader)
{
	return reader->next >= parts->life->part_count;
}

static int start_feed(struct oev_life_parts *parts, struct oev_life_reader *reader,
		      const struct oev_read_kind *kind)
{
	int rc = oev_life_enter(parts, reader);

	if (rc != OC_OK)
		return rc;
	static const struct oev_times no_times = { 0 }; /* whole rows have no wall time */
	const struct oev_segment *segment = &reader->part->segment;
	bool is_decision = kind == &oev_replay_decisions;
	reader->last_id = 0;
	rc = oev_feed_start(&reader->feed, kind, segment, &no_times,
			    is_decision ? segment->decisions : segment->outcomes,
			    oev_segment_carried(segment, is_decision ? "decision" : "outcome"), parts->error,
			    OEV_REPLAY_ERROR_MAX);
	return rc == OC_OK ? OC_OK : oev_life_fail(parts, rc, reader->part, "cannot be read");
}

static int stop_feed(struct oev_life_parts *parts, struct oev_life_reader *reader)
{
	int rc = oev_feed_stop(reader->feed);

	reader->feed = NULL;
	if (rc != OC_OK)
		oev_life_fail(parts, rc, reader->part, "cannot be read to its end (damaged?)");
	oev_life_leave(reader);
	return rc;
}

/* The next row of the life in *@row, NULL after the last. */
int oev_life_next(struct oev_life_parts *parts, struct oev_life_reader *reader,
		  const struct oev_read_kind *kind, void **row)
{
	int rc = OC_OK;

	*row = reader->feed != NULL ? oev_feed_next(reader->feed) : NULL;
	while (rc == OC_OK && *row == NULL) {
		if (reader->feed != NULL)
			rc = stop_feed(parts, reader);
		if (rc != OC_OK || oev_life_is_last(parts, reader))
			break;
		rc = start_feed(parts, reader, kind);
		if (rc == OC_OK)
			*row = oev_feed_next(reader->feed);
	}
	return rc;
}

void oev_life_reader_stop(struct oev_life_reader *reader)
{
	oev_feed_stop(reader->feed);
	reader->feed = NULL;
	oev_life_leave(reader);
}
