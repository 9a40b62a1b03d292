/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The ring as a file: who may have it, making it, reading one that was left, moving aside what cannot be read.
 *
 * Everywhere: @error (size @size) is one sentence when the result is not OC_OK. One process at a time works on a path, the
 * one that has its lock; threads: one call at a time.
 */
#pragma once

#include "oev_journal_ring.h"

/* What a file must say of itself to be read by this program. The layout of events goes in with every size they have. */
struct oev_ring_kind oev_ring_kind_of(uint32_t records);

/* A ring in memory, every page of it there. NULL when out of memory. */
struct oev_ring *oev_ring_new(uint32_t records);
void oev_ring_free(struct oev_ring *ring, uint32_t records);

/* Locks PATH.lock, which holds the number of the process. Returns OC_OK with *@lock, OC_EBUSY or OC_EIO. */
int oev_journal_file_lock(const char *path, int *lock, char *error, size_t size);

/* Gives the lock back; @lock -1 is fine. */
void oev_journal_file_unlock(const char *path, int lock);

/* Makes an empty ring beside @path, all its room taken and every page written to, and moves it there. Mapped into *@out.
 * Returns OC_OK or OC_EIO. */
int oev_journal_file_make(const char *path, uint32_t records, struct oev_ring **out, char *error,
			  size_t size);

/* Maps the ring at @path. Returns OC_OK; OC_ENOENT; OC_EMALFORMED: not to be trusted, *@why says for what reason (constant
 * text); OC_EIO. */
int oev_journal_file_load(const char *path, struct oev_ring **out, const char **why, char *error,
			  size_t size);

/* Renames @path to the first free "PATH.WORD-N", @aside. Returns OC_OK or OC_EIO. */
int oev_journal_file_aside(const char *path, const char *word, char aside[static OEV_JOURNAL_PATH_MAX],
			   char *error, size_t size);
