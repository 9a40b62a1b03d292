/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Means and medians of the seconds of a node.
 */
#include "oweb_past.h"

#include <math.h>
#include <stdlib.h>

struct oweb_past *oweb_past_new(struct oev_watch *watch)
{
	uint64_t last = watch == NULL ? 0 : oev_watch_latest(watch);
	struct oweb_past *past = last == 0 ? NULL : calloc(1, sizeof(*past));
	struct oev_watch_second *second = past == NULL ? NULL : calloc(OEV_WATCH_SECONDS, sizeof(*second));

	if (second == NULL) {
		free(past);
		return NULL;
	}
	past->watch = watch;
	past->last = last;
	oev_watch_seconds_of_nodes(watch, last, OEV_WATCH_SECONDS, second);
	for (uint32_t i = 0; i < OEV_WATCH_SECONDS; i++)
		past->is_known[i] = second[i].is_known;
	free(second);
	past->nodes = oev_watch_nodes(watch, past->node, OEV_WATCH_NODES_MAX);
	return past;
}

void oweb_past_look(struct oweb_past *past, uint32_t node, enum oev_watch_side side)
{
	oev_watch_node_seconds(past->watch, node, side, past->last, OEV_WATCH_SECONDS, past->count);
}

static uint32_t value_of(const struct oev_watch_count *count, enum oweb_column column)
{
	switch (column) {
	case OWEB_COLUMN_REQUESTS:
		return count->requests;
	case OWEB_COLUMN_REFUSED:
		return count->refused;
	case OWEB_COLUMN_SENT:
		return count->sent;
	case OWEB_COLUMN_ANSWERS:
		return count->answers;
	default:
		return count->useful;
	}
}

/* Copies the known seconds of the stretch; how many there are. */
static size_t known(const struct oweb_past *past, enum oweb_column column, struct oweb_span span,
		    uint32_t out[static OEV_WATCH_SECONDS])
{
	const int size = OEV_WATCH_SECONDS;
	size_t count = 0;

	for (int ago = span.from_ago < size ? span.from_ago : size - 1; ago >= 0 && ago >= span.until_ago;
	     ago--)
		if (past->is_known[size - 1 - ago])
			out[count++] = value_of(&past->count[size - 1 - ago], column);
	return count;
}

double oweb_past_mean(const struct oweb_past *past, enum oweb_column column, struct oweb_span span)
{
	uint32_t value[OEV_WATCH_SECONDS];
	size_t count = known(past, column, span, value);
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += value[i];
	return count > 0 ? sum / (double)count : NAN;
}

/* The value that would stand at @place if they were sorted. */
static uint32_t at_place(uint32_t *value, size_t count, size_t place)
{
	size_t low = 0, high = count - 1;

	while (low < high) {
		uint32_t pivot = value[low + (high - low) / 2];
		size_t left = low, right = high;
		for (;;) {
			while (value[left] < pivot)
				left++;
			while (value[right] > pivot)
				right--;
			if (left >= right)
				break;
			uint32_t other = value[left];
			value[left++] = value[right];
			value[right--] = other;
		}
		if (place <= right)
			high = right;
		else
			low = right + 1;
	}
	return value[place];
}

double oweb_past_median(const struct oweb_past *past, enum oweb_column column, struct oweb_span span)
{
	uint32_t value[OEV_WATCH_SECONDS];
	size_t count = known(past, column, span, value);

	return count > 0 ? (double)at_place(value, count, count / 2) : NAN;
}
