/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Retention: which sealed segments are too old, or too many. Unsealed ones, and those of others, are never among them.
 */
#pragma once

#include "../proof/oev_seal.h"
#include "oev_place.h"

struct oev_retain_limits {
	uint32_t keep_days; /* at least; 0: for ever */
	uint32_t keep_mb;   /* MiB of all sealed segments together; 0: no limit */
	uint64_t before_us; /* what ended then or later stays; UINT64_MAX: all may go */
};

struct oev_removal {
	char path[OEV_PLACE_PATH_MAX];
	struct oev_seal seal;
	uint64_t order_us; /* of choosing by size */
	bool is_by_age;	   /* else by size */
};

struct oev_retained {
	struct oev_removal *removals; /* oldest first; to be freed */
	size_t count;
	bool is_doubted; /* the clock is beyond the age of even the newest seal: nothing goes by that alone */
};

/* The segments in @folder that go at @now_us. By age only what is old by the clock and by the second newest seal: time has passed when
 * two segments have been sealed since. @self is this node. OC_OK, OC_EIO, OC_ENOMEM. */
int oev_retain(const char *folder, const struct oev_public *self, const struct oev_retain_limits *limits,
	       uint64_t now_us, struct oev_retained *out);

/* Removes the file and its seal. OC_OK or OC_EIO (errno). */
int oev_retain_remove(const struct oev_removal *removal);
