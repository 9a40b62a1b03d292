/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The known word that was perhaps meant.
 */
#pragma once

/* The entry of @words (NULL-terminated) nearest to @word; NULL when none is: at most 2 letters otherwise, and less than half of the longer
 * one. Any thread. */
const char *oev_nearest(const char *word, const char *const *words);
