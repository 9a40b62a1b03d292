/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Octets of the page: text escaped, numbers and times as people read them, tables cell by cell.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* @text from evidence: markup and control characters become harmless. */
void oev_page_text(FILE *out, const char *text);

/* One cell, escaped: <td>, right-aligned when @is_number. */
void oev_page_cell(FILE *out, const char *text, bool is_number);

/* One cell with a grouped number. */
void oev_page_number(FILE *out, uint64_t value);

/* One cell "12.3/s", or a dash when @span_us is 0. */
void oev_page_rate(FILE *out, uint64_t count, uint64_t span_us);

/* One cell with a duration, or a dash for 0. */
void oev_page_duration(FILE *out, uint64_t us);

/* <table> with caption and heads; a head that begins with '>' is a number's. Ends with a NULL head. */
void oev_page_table(FILE *out, const char *caption, const char *const *heads);
void oev_page_table_end(FILE *out);
