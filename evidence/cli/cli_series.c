/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Means and medians of the seconds of a node.
 */
#include "cli_series.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>

json_t *cli_series_ask(struct cli_http *http)
{
	char error[CLI_HTTP_ERROR_MAX];
	struct cli_http_reply reply;
	json_t *series = NULL;

	if (cli_http_ask(http, "GET", "/api/v1/series/nodes", NULL, NULL, &reply, error) == CLI_OK)
		series = json_incref(reply.json);
	cli_http_drop(&reply);
	return series;
}

const json_t *cli_series_node(const json_t *series, const char *node)
{
	json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(series, "nodes"), i, entry)
	{
		const char *name = json_string_value(json_object_get(entry, "node"));
		if (name != NULL && strcasecmp(name, node) == 0)
			return entry;
	}
	return NULL;
}

/* Copies the known seconds of the stretch into @out; how many there are. */
static size_t known(const json_t *entry, const char *side, const char *column, struct cli_span span,
		    double out[static CLI_SERIES_SECONDS])
{
	const json_t *values = json_object_get(json_object_get(entry, side), column);
	int size = (int)json_array_size(values);
	size_t count = 0;

	for (int ago = span.from_ago < size ? span.from_ago : size - 1; ago >= 0 && ago >= span.until_ago;
	     ago--) {
		const json_t *value = json_array_get(values, (size_t)(size - 1 - ago));
		if (json_is_number(value) && count < CLI_SERIES_SECONDS)
			out[count++] = json_number_value(value);
	}
	return count;
}

double cli_series_mean(const json_t *entry, const char *side, const char *column, struct cli_span span)
{
	double value[CLI_SERIES_SECONDS], sum = 0;
	size_t count = known(entry, side, column, span, value);

	for (size_t i = 0; i < count; i++)
		sum += value[i];
	return count > 0 ? sum / (double)count : NAN;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double cli_series_median(const json_t *entry, const char *side, const char *column, struct cli_span span)
{
	double value[CLI_SERIES_SECONDS];
	size_t count = known(entry, side, column, span, value);

	if (count == 0)
		return NAN;
	qsort(value, count, sizeof(*value), by_value);
	return value[count / 2];
}
