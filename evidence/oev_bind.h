/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * From event to row: one function per kind, in a table.
 */
#pragma once

#include "../agent/oc_event.h"
#include "oev_db.h"

/* Writes @event inside the transaction of @db. @offset_us: wall clock minus monotonic clock, microseconds.
 * Returns OC_OK; OC_EREFUSED or OC_ENOENT when this event cannot be kept (others of the transaction can); OC_EIO. */
int oev_bind_event(struct oev_db *db, const struct oc_event *event, int64_t offset_us);
