/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Likeness of words by their edit distance.
 */
#include "oev_nearest.h"

#include <string.h>

#define WORD_MAX 64u
#define DISTANCE_MAX 2u /* farther is no likeness, nor is half the longer word */

/* Edit distance with swapped neighbours as one step. */
static size_t distance(const char *a, size_t length_a, const char *b, size_t length_b)
{
	size_t rows[3][WORD_MAX + 1];

	if (length_a > WORD_MAX || length_b > WORD_MAX)
		return WORD_MAX;
	for (size_t j = 0; j <= length_b; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= length_a; i++) {
		size_t *now = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
		now[0] = i;
		for (size_t j = 1; j <= length_b; j++) {
			size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
			best = above[j] + 1 < best ? above[j] + 1 : best;
			best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < best)
				best = before[j - 2] + 1;
			now[j] = best;
		}
	}
	return rows[length_a % 3][length_b];
}

size_t oev_likeness(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t away = distance(a, a_len, b, b_len);

	return away <= DISTANCE_MAX && 2 * away < (a_len > b_len ? a_len : b_len) ? away : OEV_UNLIKE;
}

const char *oev_nearest(const char *word, const char *const *words)
{
	const char *nearest = NULL;
	size_t least = OEV_UNLIKE;

	for (; *words != NULL; words++) {
		size_t away = oev_likeness(word, strlen(word), *words, strlen(*words));
		if (away < least) {
			least = away;
			nearest = *words;
		}
	}
	return nearest;
}
