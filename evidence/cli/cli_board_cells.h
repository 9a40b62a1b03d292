/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One value of the API as the text of a cell; a value that is not there leaves the cell as it is.
 */
#pragma once

#include "cli_board.h"

/* A number of @object; @fallback when it is not there. */
double cli_number(const json_t *object, const char *key, double fallback);
bool cli_is(const json_t *object, const char *key, const char *text);
/* @part of @whole; -1 when that is not known. */
double cli_ratio(const json_t *object, const char *part, const char *whole);

void cli_cell_text(char *cell, const char *text);
/* A name that is too long is cut in the middle, where names differ least. */
void cli_cell_name(char *cell, const char *text);
/* "12,410", followed by @unit. */
void cli_cell_count(char *cell, const json_t *object, const char *key, const char *unit);
/* Below 0: not known. */
void cli_cell_percent(char *cell, double ratio, int decimals);
void cli_cell_seconds(char *cell, const json_t *object, const char *key);
/* "30 %", or "50/s". */
void cli_cell_asked(char *cell, const json_t *state);

/* What the text of a cell says as number, to sort by; -1 for "-". */
double cli_cell_value(const char *cell);

/* "12,410". */
const char *cli_grouped(double value, char *out, size_t size);
