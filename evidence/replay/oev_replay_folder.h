/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which segments there are, and which of them are parts of one life.
 */
#pragma once

#include "oev_replay_life.h"

struct oev_replay_folder { /* zeroed: empty */
	struct oev_life_segment
		*segments; /* those of a life side by side, in order of part; lives by their begin */
	size_t count;
	uint64_t until_us; /* the latest moment any of them tells of */
};

/* Adds the segments in @path, a folder or one of them. Returns OC_OK, OC_ENOENT (there are none), OC_EIO, OC_EMALFORMED, OC_EVERSION,
 * OC_ENOMEM with *@error. Free with _fini, also then. */
int oev_replay_folder_add(struct oev_replay_folder *folder, const char *path,
			  char error[static OEV_REPLAY_ERROR_MAX]);
void oev_replay_folder_fini(struct oev_replay_folder *folder);

/* Leaves out all that is not of @node, and puts the rest in order. */
void oev_replay_folder_order(struct oev_replay_folder *folder, const char *node);

/* How many segments from @first on are of the same life. */
uint32_t oev_replay_folder_life(const struct oev_replay_folder *folder, size_t first);
