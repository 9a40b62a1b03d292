/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A file that gets its name when it is whole: until then it stands beside that name, as NAME.doic-new.
 *
 * Its writer holds a lock on it that ends with the process, so whoever comes next can tell what a killed one left, which is removed, from
 * what somebody is writing, who is waited for. So there is never more than one of a name, and none that nobody knows of.
 */
#pragma once

#include <stddef.h>

#define OEV_FRESH_SUFFIX ".doic-new"
#define OEV_FRESH_PATH_MAX 4096u

/* Makes it, empty, mode 0600, for file @path; its own path is in @fresh. A descriptor for reading and writing, or -1 (errno; EWOULDBLOCK:
 * somebody else writes it, for longer than a second). The lock ends with the descriptor, which is closed last: after the file has its name,
 * or is unlinked. Any thread. */
int oev_fresh_open(const char *path, char fresh[static OEV_FRESH_PATH_MAX]);

/* Removes what a killed process left of file @path. Nothing, when somebody is writing it. Any thread. */
void oev_fresh_sweep(const char *path);
