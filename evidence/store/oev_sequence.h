/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The file that keeps sequence numbers of our own reports rising from life to life (RFC 7683 section 7.4; spec row D-093).
 *
 * A reacting node ignores a report whose number is not above the one it holds, so after a crash, or with a clock that
 * was set back, numbering must not begin lower than it ended. The file holds a mark that no number given out so far
 * exceeds; it is moved ahead before numbers beyond it are used, in steps so large that a timer does it. A new mark is
 * written beside the file, pushed to the disk and renamed over it: whenever the process dies, one whole mark is there.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define OEV_SEQUENCE_AHEAD                                                                                   \
	(1ull << 20) /* numbers reserved at once: what a second of wall clock is worth, too */
#define OEV_SEQUENCE_TEXT_MAX 512u

/* Gives the first number of this life: above the mark in @path, and not below @wall_s (seconds since 1970) * 2^20, so that
 * a lost file does no harm while the clock is right. Numbers up to *@first + OEV_SEQUENCE_AHEAD are reserved.
 * *@first is filled whatever happens. Returns OC_OK with *@note ""; otherwise *@note is one sentence for the log:
 * OC_ENOENT (no file: a first start, or it was lost; written now), OC_EMALFORMED (the file is damaged; replaced), OC_EIO (the
 * reservation could not be written: the next life has only the clock to go by). */
int oev_sequence_open(const char *path, uint64_t wall_s, uint64_t *first, char *note, size_t note_size);

/* Reserves ahead again: every number up to @next + OEV_SEQUENCE_AHEAD. Call it in time, before @next reaches
 * what was reserved last, from a thread that may wait for the disk; one call at a time. Returns OC_OK or OC_EIO. */
int oev_sequence_reserve(const char *path, uint64_t next);
