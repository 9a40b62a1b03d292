/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The known word that was perhaps meant.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define OEV_UNLIKE SIZE_MAX

/* The entry of @words (NULL-terminated) nearest to @word; NULL when none is like it. Any thread. */
const char *oev_nearest(const char *word, const char *const *words);

/* How many letters @a and @b differ by, two swapped ones counting once; OEV_UNLIKE: more than 2, or half of the longer one. Any thread. */
size_t oev_likeness(const char *a, size_t a_len, const char *b, size_t b_len);
