/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A segment opened for somebody who trusts nothing in it.
 *
 * Nothing of the file's own SQL runs, its sizes are bounded, cells are checked as pages are read. One read
 * transaction spans the life of the connection. A sealed segment is opened immutable: no lock, no -wal, no
 * -shm, not even for its readers. Any other joins the writer's WAL, or is read as a private copy where that
 * cannot be.
 */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#define OEV_SOURCE_VALUE_MAX (32 << 20) /* octets of one value or row; honest ones stay far below */

/* Opens @path. OC_OK, OC_ENOENT (no such file), OC_EIO (cannot be read), OC_EMALFORMED (not a SQLite
 * database, or a broken one); *@error is a sentence without the path. The caller closes *@db with
 * sqlite3_close(). */
int oev_source_open(const char *path, bool is_sealed, sqlite3 **db, char *error, size_t size);
