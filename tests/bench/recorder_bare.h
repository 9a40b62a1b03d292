/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the recorder is held against: SQLite alone, given the same rows of decision and outcome that a recorder wrote.
 *
 * Same tables, page size, cache, journal mode and transactions; no journal, no dictionaries, no leaves, no signatures. The rows
 * lie ready in memory before the clock starts.
 */
#pragma once

#include <stdint.h>

struct bare;

/* The rows of the segment @path. Ends the program when something fails, as does the next one. */
struct bare *bare_load(const char *path);
void bare_free(struct bare *bare);

/* Writes all rows into a new database at @path, which is removed again, @transaction rows at a time, by statements of @group
 * rows. Rows per second of processor time. */
double bare_run(const struct bare *bare, const char *path, uint32_t transaction, uint32_t group);
