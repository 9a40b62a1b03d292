/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a watch knows of hours and days outlives its process: its sums lie in a file that is read at the start, written every ten minutes
 * and at the end. They are for looking; evidence is what the segments say.
 */
#pragma once

#include "oev_watch.h"

#define OEV_WATCH_PAST_FILE "history.sums"
#define OEV_WATCH_PAST_ERROR 512u

struct oev_watch_past;

/* Fills @watch, which has taken nothing yet, with what the file in @folder tells of the same node up to @wall_us, and begins a thread that keeps
 * the file. No file is no error; one that is damaged or of another version or node is left aside, and *@error says so. @watch: borrowed
 * until _stop. OC_OK (*@error may be a sentence), OC_ENOMEM, OC_EIO (the folder cannot be made). */
int oev_watch_past_start(struct oev_watch_past **out, struct oev_watch *watch, const char *folder,
			 uint64_t wall_us, char error[static OEV_WATCH_PAST_ERROR]);

/* Writes the file a last time. False: that failed, *@error says why. NULL is allowed. */
bool oev_watch_past_stop(struct oev_watch_past *past, char error[static OEV_WATCH_PAST_ERROR]);
