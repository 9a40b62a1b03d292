/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Rows as CSV (RFC 4180): every text quoted, and one that a spreadsheet would take for a formula begins with an apostrophe.
 */
#pragma once

#include <jansson.h>

#include "oweb_text.h"

/* @columns: NULL-terminated, likewise below. */
void oweb_csv_head(struct oweb_text *text, const char *const *columns);

/* The values of @row by the names of the columns; null and absent are empty cells. */
void oweb_csv_row(struct oweb_text *text, const char *const *columns, const json_t *row);
