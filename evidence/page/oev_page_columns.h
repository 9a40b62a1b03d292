/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The points of a series as rates per second, few enough to be drawn; what nobody tells stays untold.
 */
#pragma once

#include "../audit/oev_series.h"

#define OEV_COLUMNS_MAX 400u

enum oev_column {
	OEV_COLUMN_OFFERED = 0,
	OEV_COLUMN_SELECTED,
	OEV_COLUMN_ARRIVED,
	OEV_COLUMN_USEFUL,
	OEV_COLUMN_ALTERNATIVES,
	OEV_COLUMN_COUNTED, /* by the subject's own count */
	OEV_COLUMN_SHARE,   /* selected, percent of matched */
	OEV_COLUMN_COUNT
};

struct oev_columns {
	uint64_t start_us;
	uint64_t step_us;
	uint32_t count;
	double *value[OEV_COLUMN_COUNT]; /* below 0: not known */
	bool is_used[OEV_COLUMN_COUNT];	 /* some value is above 0 */
};

/* Free with oev_columns_free. OC_OK, OC_ENOMEM. */
int oev_columns_make(struct oev_columns *out, const struct oev_series *series);
void oev_columns_free(struct oev_columns *columns);

/* Highest rate of all, without the share. */
double oev_columns_highest(const struct oev_columns *columns);
uint64_t oev_columns_middle_us(const struct oev_columns *columns, uint32_t i);
const char *oev_column_text(enum oev_column column);
