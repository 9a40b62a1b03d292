/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Round marks for time and value.
 */
#include "oev_page_axis.h"

#include <math.h>
#include <time.h>

#define TIME_MARKS 8u
#define VALUE_MARKS 5.0

double oev_axis_x(const struct oev_axis *axis, uint64_t at_us)
{
	double span = (double)(axis->until_us - axis->from_us);

	if (at_us <= axis->from_us || span <= 0)
		return axis->left;
	if (at_us >= axis->until_us)
		return axis->right;
	return axis->left + (axis->right - axis->left) * (double)(at_us - axis->from_us) / span;
}

double oev_scale_y(const struct oev_scale *scale, double value)
{
	double part = value / scale->max;

	return scale->bottom - (scale->bottom - scale->top) * (part < 0 ? 0 : part > 1 ? 1 : part);
}

struct oev_scale oev_scale_for(double highest, double top, double bottom)
{
	double least = (highest > 0 ? highest : 1) / VALUE_MARKS;
	double ten = pow(10, floor(log10(least)));
	double part = least / ten;
	double step = ten * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);

	return (struct oev_scale){ .max = step * ceil((highest > 0 ? highest : 1) / step),
				   .step = step,
				   .top = top,
				   .bottom = bottom };
}

/* Seconds between two marks. */
static uint64_t time_step(uint64_t span_us)
{
	static const uint64_t steps[] = { 1,   2,   5,	  10,	15,   30,    60,    120,  300,
					  600, 900, 1800, 3600, 7200, 14400, 43200, 86400 };

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (span_us / 1000000u / steps[i] <= TIME_MARKS)
			return steps[i];
	return (span_us / 1000000u / TIME_MARKS / 86400u + 1) * 86400u;
}

static void time_label(FILE *out, uint64_t at_us, uint64_t step_s)
{
	time_t at_s = (time_t)(at_us / 1000000u);
	struct tm utc = { 0 };
	char text[24];

	gmtime_r(&at_s, &utc);
	strftime(text, sizeof(text), step_s >= 86400 ? "%m-%d" : step_s >= 60 ? "%H:%M" : "%H:%M:%S", &utc);
	fputs(text, out);
}

void oev_axis_draw(FILE *out, const struct oev_axis *axis, double top, double bottom)
{
	uint64_t step_s = time_step(axis->until_us - axis->from_us);
	uint64_t at_us = (axis->from_us / 1000000u / step_s + 1) * step_s * 1000000u;

	for (; at_us < axis->until_us; at_us += step_s * 1000000u) {
		double x = oev_axis_x(axis, at_us);
		fprintf(out, "<path class=grid d='M%.1f %.1fV%.1f'/><text x=%.1f y=%.1f class=mid>", x, top,
			bottom, x, bottom + 14);
		time_label(out, at_us, step_s);
		fputs("</text>\n", out);
	}
}

void oev_scale_draw(FILE *out, const struct oev_scale *scale, const struct oev_axis *axis, const char *unit)
{
	for (unsigned i = 0; i * scale->step <= scale->max * 1.0001; i++) {
		double value = i * scale->step;
		double y = oev_scale_y(scale, value);
		fprintf(out,
			"<path class=grid d='M%.1f %.1fH%.1f'/><text x=%.1f y=%.1f class=end>%g%s</text>\n",
			axis->left, y, axis->right, axis->left - 5, y + 4, value, unit);
	}
}
