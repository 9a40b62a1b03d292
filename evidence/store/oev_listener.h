/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Whoever wants to know what was recorded, as soon as it is. Called by the recorder thread, which waits: be short.
 */
#pragma once

#include <stdint.h>

#include "../../agent/oc_event.h"

struct oev_listener {
	void *ctx;
	/* @count events have their rows now, those of one kind in the order of the batch. @offset_us: wall clock minus monotonic clock. */
	void (*took)(void *ctx, const struct oc_event *const *events, uint32_t count, int64_t offset_us);
	/* All events made before @wall_us have been taken. */
	void (*reached)(void *ctx, uint64_t wall_us);
	/* @events events of about @wall_us have no rows, and why. */
	void (*lost)(void *ctx, uint64_t wall_us, uint64_t events, const char *reason);
	/* Nothing can be recorded at the moment: why; "" it goes on. */
	void (*stuck)(void *ctx, uint64_t wall_us, const char *why);
};
