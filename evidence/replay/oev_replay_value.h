/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * JSON values as the results of replay and what-if write them.
 */
#pragma once

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

json_t *oev_value_number(uint64_t value);
/* null for 0 and UINT64_MAX. */
json_t *oev_value_time(uint64_t wall_us);
/* What is not UTF-8 becomes a mark, never a missing key. */
json_t *oev_value_text(const char *text);
/* null for "". */
json_t *oev_value_name(const char *text);
/* [{"path":...}] */
json_t *oev_value_inputs(const char *const *inputs, size_t count);

/* Writes @object and a line's end, and gives it back. 0 or -1. */
int oev_value_write(json_t *object, FILE *out);
