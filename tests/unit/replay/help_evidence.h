/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Questions to the first segment of a folder, and alterations of it that the recorder never made.
 */
#pragma once

#include <stdint.h>

/* First column of the first row; aborts when there is none. */
int64_t help_evidence_get(const char *folder, const char *sql);

/* Runs @sql on it, whatever its permissions say. Aborts when that fails. */
void help_evidence_alter(const char *folder, const char *sql);
