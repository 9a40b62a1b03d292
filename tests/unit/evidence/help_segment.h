/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * For tests of the trail: a folder of their own, questions to a segment, ready-made events.
 */
#pragma once

#include "agent/oc_event.h"

#define HELP_PATH_MAX 256
#define HELP_TEXT_MAX 512

/* Makes an empty folder under TMPDIR or /tmp. */
void help_folder_make(char path[static HELP_PATH_MAX]);

/* Removes a folder of plain files. */
void help_folder_remove(const char *path);

/* First column of the first row; -999 when the query fails or has no row. NULL counts as 0. */
long long help_ask_int(const char *db_path, const char *sql);

/* The same as text; "(null)" for NULL, "(none)" without a row. */
const char *help_ask_text(const char *db_path, const char *sql, char out[static HELP_TEXT_MAX]);

struct oc_event help_decision(uint64_t id, uint64_t mono_ns);
struct oc_event help_outcome(uint64_t id, uint64_t mono_ns);
