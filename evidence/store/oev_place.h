/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Where evidence lies: the folder, names of segments in it, and what stands beside it.
 *
 * Everywhere: @error (size @size) is one sentence when the result is not OC_OK. Any thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OEV_PLACE_PATH_MAX 1024u

/* Makes @folder (mode 0750) and those above it. OC_OK (also when it is there), OC_EINVAL, OC_EIO. */
int oev_place_make(const char *folder, char *error, size_t size);

/* A new empty file (mode 0640) "seg-YYYYMMDDTHHMMSS.db" (UTC; "-2", "-3"... when taken). OC_OK, OC_EINVAL, OC_EIO. */
int oev_place_segment(const char *folder, uint64_t wall_us, char path[static OEV_PLACE_PATH_MAX], char *error,
		      size_t size);

/* Removes a segment that never got a row, with what SQLite put beside it. */
void oev_place_discard(const char *path);

/* "FOLDER" and @suffix, whatever slashes @folder ends with: things that are not to be handed over with the folder. OC_OK or
 * OC_EINVAL (too long). */
int oev_place_beside(const char *folder, const char *suffix, char path[static OEV_PLACE_PATH_MAX]);

/* Whether a file of that name is a segment. */
bool oev_place_is_segment(const char *name);

/* What follows the last slash. */
const char *oev_place_name(const char *path);
