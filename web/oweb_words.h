/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Numbers and times as they stand in sentences. Each fills @buf and returns it; negative values are taken for 0.
 */
#pragma once

#include <stdint.h>

#define OWEB_WORDS_MAX 40u

/* "12,410". */
const char *oweb_words_count(double value, char buf[static OWEB_WORDS_MAX]);
/* "12,410/s"; below ten with one decimal, unless it is whole. */
const char *oweb_words_rate(double per_s, char buf[static OWEB_WORDS_MAX]);
/* "8 s", "4 m 12 s", "2 h 10 m", "3 d 4 h". */
const char *oweb_words_time(uint64_t seconds, char buf[static OWEB_WORDS_MAX]);
