/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Numbers and times as they stand in sentences.
 */
#include "oweb_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define COUNT_MOST 1e15 /* of more nothing is counted here */

const char *oweb_words_count(double value, char buf[static OWEB_WORDS_MAX])
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%.0f", fmin(fmax(value, 0), COUNT_MOST));
	size_t at = 0;

	for (int i = 0; i < len && at + 2 < OWEB_WORDS_MAX; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			buf[at++] = ',';
		buf[at++] = digits[i];
	}
	buf[at] = '\0';
	return buf;
}

const char *oweb_words_rate(double per_s, char buf[static OWEB_WORDS_MAX])
{
	char whole[OWEB_WORDS_MAX];

	if (per_s >= 0.05 && per_s < 9.95 && fabs(per_s - round(per_s)) >= 0.05)
		snprintf(buf, OWEB_WORDS_MAX, "%.1f/s", per_s);
	else
		snprintf(buf, OWEB_WORDS_MAX, "%.30s/s", oweb_words_count(per_s, whole));
	return buf;
}

const char *oweb_words_time(uint64_t seconds, char buf[static OWEB_WORDS_MAX])
{
	uint64_t minutes = seconds / 60, hours = minutes / 60, days = hours / 24;

	if (seconds < 60)
		snprintf(buf, OWEB_WORDS_MAX, "%" PRIu64 " s", seconds);
	else if (minutes < 60)
		snprintf(buf, OWEB_WORDS_MAX, "%" PRIu64 " m %" PRIu64 " s", minutes, seconds % 60);
	else if (hours < 24)
		snprintf(buf, OWEB_WORDS_MAX, "%" PRIu64 " h %" PRIu64 " m", hours, minutes % 60);
	else
		snprintf(buf, OWEB_WORDS_MAX, "%" PRIu64 " d %" PRIu64 " h", days, hours % 24);
	return buf;
}
