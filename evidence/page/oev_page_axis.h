/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Scales of a drawing: where a time or a value lies, and which round ones are marked.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

struct oev_axis {
	uint64_t from_us, until_us;
	double left, right; /* of the plot, in drawing units */
};

struct oev_scale {
	double max; /* value at the top; round */
	double step;
	double top, bottom;
};

double oev_axis_x(const struct oev_axis *axis, uint64_t at_us);
double oev_scale_y(const struct oev_scale *scale, double value);

/* A scale from 0 up to at least @highest with 3 to 6 round steps. */
struct oev_scale oev_scale_for(double highest, double top, double bottom);

/* Lines and labels of the two. @unit is added to the numbers ("/s", " %"). */
void oev_axis_draw(FILE *out, const struct oev_axis *axis, double top, double bottom);
void oev_scale_draw(FILE *out, const struct oev_scale *scale, const struct oev_axis *axis, const char *unit);
