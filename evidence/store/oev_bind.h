/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * From event to row: one function per kind, in a table. Decisions and outcomes are not among them (oev_traffic.h).
 */
#pragma once

#include "../../agent/oc_event.h"
#include "oev_db.h"

/* Writes @event into its table, inside a transaction. @offset_us: wall clock minus monotonic clock in microseconds; no clock is
 * read per row. Returns OC_OK; OC_EREFUSED: it is left out, the table does not take it or its kind is unknown; OC_EIO. */
int oev_bind(struct oev_db *db, const struct oc_event *event, int64_t offset_us);
