/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * From event to row: one function per kind, in a table.
 *
 * Inside one transaction: oev_bind_start(), oev_bind_event() for every event, oev_bind_end(). Decisions and outcomes
 * gather in groups that go into their table by one statement; should a row of a group be refused, the rest of
 * the group is written row by row, so that only what cannot be kept is left out.
 */
#pragma once

#include "../../agent/oc_event.h"
#include "oev_db.h"

struct oev_group {
	struct oev_row row; /* of the group's statement */
	uint32_t count;
	const struct oc_event *events[OEV_GROUP_ROWS];
};

struct oev_bind {
	struct oev_db *db;
	int64_t offset_us;
	uint64_t refused; /* events left out so far: the table does not take them, or their kind is unknown */
	struct oev_group decisions;
	struct oev_group outcomes;
};

/* @offset_us: wall clock minus monotonic clock in microseconds; no clock is read per row. */
void oev_bind_start(struct oev_bind *bind, struct oev_db *db, int64_t offset_us);

/* Takes @event, which must stay where it is until oev_bind_end(). Returns OC_OK, also when it is left out; OC_EIO. */
int oev_bind_event(struct oev_bind *bind, const struct oc_event *event);

/* Writes what still waits in a group. OC_OK or OC_EIO. */
int oev_bind_end(struct oev_bind *bind);
