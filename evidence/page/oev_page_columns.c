/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Points summed up into columns.
 */
#include "oev_page_columns.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"

/* Sums over the points of one column; a column is as well known as the worst of its points. */
struct sum {
	uint64_t offered, matched, selected, arrived, useful, alternatives, counted;
	bool is_counted;
};

static void add_point(struct sum *sum, const struct oev_series_point *point)
{
	sum->offered += point->offered;
	sum->matched += point->matched;
	sum->selected += point->selected;
	sum->arrived += point->arrived;
	sum->useful += point->useful;
	sum->alternatives += point->alternatives;
	sum->is_counted &= point->counted != OEV_SERIES_UNKNOWN;
	sum->counted += point->counted;
}

static void put_column(struct oev_columns *out, uint32_t i, const struct sum *sum, double seconds)
{
	out->value[OEV_COLUMN_OFFERED][i] = (double)sum->offered / seconds;
	out->value[OEV_COLUMN_SELECTED][i] = (double)sum->selected / seconds;
	out->value[OEV_COLUMN_ARRIVED][i] = (double)sum->arrived / seconds;
	out->value[OEV_COLUMN_USEFUL][i] = (double)sum->useful / seconds;
	out->value[OEV_COLUMN_ALTERNATIVES][i] = (double)sum->alternatives / seconds;
	out->value[OEV_COLUMN_COUNTED][i] = sum->is_counted ? (double)sum->counted / seconds : -1;
	out->value[OEV_COLUMN_SHARE][i] =
		sum->matched ? 100.0 * (double)sum->selected / (double)sum->matched : -1;
	for (int column = 0; column < OEV_COLUMN_COUNT; column++)
		out->is_used[column] |= out->value[column][i] > 0;
}

int oev_columns_make(struct oev_columns *out, const struct oev_series *series)
{
	uint32_t group = (series->count + OEV_COLUMNS_MAX - 1) / OEV_COLUMNS_MAX;

	*out = (struct oev_columns){ .start_us = series->start_us, .step_us = series->step_us * group };
	out->count = (series->count + group - 1) / group;
	for (int column = 0; column < OEV_COLUMN_COUNT; column++) {
		out->value[column] = calloc(out->count, sizeof(double));
		if (out->value[column] == NULL) {
			oev_columns_free(out);
			return OC_ENOMEM;
		}
	}
	for (uint32_t i = 0; i < out->count; i++) {
		struct sum sum = { .is_counted = true };
		uint32_t first = i * group,
			 last = first + group < series->count ? first + group : series->count;
		for (uint32_t at = first; at < last; at++)
			add_point(&sum, &series->points[at]);
		put_column(out, i, &sum, (double)series->step_us * (last - first) / 1e6);
	}
	return OC_OK;
}

void oev_columns_free(struct oev_columns *columns)
{
	for (int column = 0; column < OEV_COLUMN_COUNT; column++)
		free(columns->value[column]);
	*columns = (struct oev_columns){ 0 };
}

double oev_columns_highest(const struct oev_columns *columns)
{
	double highest = 0;

	for (int column = 0; column < OEV_COLUMN_SHARE; column++)
		for (uint32_t i = 0; i < columns->count; i++)
			if (columns->value[column][i] > highest)
				highest = columns->value[column][i];
	return highest;
}

uint64_t oev_columns_middle_us(const struct oev_columns *columns, uint32_t i)
{
	return columns->start_us + i * columns->step_us + columns->step_us / 2;
}

const char *oev_column_text(enum oev_column column)
{
	static const char *const texts[OEV_COLUMN_COUNT] = {
		"offered",     "selected", "arrived", "useful", "at alternatives", "counted by the subject",
		"selected, %",
	};

	return texts[column];
}
