/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A sweep over beginnings and ends.
 */
#include "oev_cover.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_audit.h"
#include "oev_audit_parts.h"

#define BETWEEN_PARTS_US 100000u /* one part closes a little before the next begins */

struct edge {
	uint64_t us;
	int8_t node; /* 1 a node is told of from here on, -1 no more */
	int8_t gap;
};

static int by_time(const void *a, const void *b)
{
	const struct edge *left = a, *right = b;

	if (left->us != right->us)
		return left->us < right->us ? -1 : 1;
	return (int)right->node - (int)left->node; /* beginnings first: touching spans are one */
}

static int by_start(const void *a, const void *b)
{
	const struct oev_span *left = a, *right = b;

	return (left->from_us > right->from_us) - (left->from_us < right->from_us);
}

static void add_pair(struct edge *edges, size_t *count, uint64_t from_us, uint64_t until_us, bool is_gap)
{
	edges[(*count)++] = (struct edge){ .us = from_us, .node = is_gap ? 0 : 1, .gap = is_gap };
	edges[(*count)++] = (struct edge){ .us = until_us, .node = is_gap ? 0 : -1, .gap = (int8_t)-is_gap };
}

/* All segments of one node, those that touch joined. */
static void add_node(const struct oev_audit *audit, size_t first, struct oev_span *spans, struct edge *edges,
		     size_t *count)
{
	const char *node = audit->segments[first].node;
	size_t found = 0;

	for (size_t i = first; i < audit->segment_count; i++)
		if (strcmp(audit->segments[i].node, node) == 0)
			spans[found++] = (struct oev_span){ audit->segments[i].started_us,
							    oev_segment_until(&audit->segments[i]) };
	qsort(spans, found, sizeof(*spans), by_start);
	for (size_t i = 0, next; i < found; i = next) {
		uint64_t until_us = spans[i].until_us;
		for (next = i + 1; next < found && spans[next].from_us <= until_us + BETWEEN_PARTS_US; next++)
			until_us = spans[next].until_us > until_us ? spans[next].until_us : until_us;
		if (until_us > spans[i].from_us)
			add_pair(edges, count, spans[i].from_us, until_us, false);
	}
}

static bool is_first_of_node(const struct oev_audit *audit, size_t segment)
{
	for (size_t i = 0; i < segment; i++)
		if (strcmp(audit->segments[i].node, audit->segments[segment].node) == 0)
			return false;
	return true;
}

static void sweep(struct oev_cover *cover, const struct edge *edges, size_t count, int nodes)
{
	int told = 0, lost = 0;

	for (size_t i = 0; i < count; i++) {
		bool was = told == nodes && lost == 0;
		told += edges[i].node;
		lost += edges[i].gap;
		bool is = told == nodes && lost == 0;
		if (is && !was)
			cover->spans[cover->count] = (struct oev_span){ edges[i].us, UINT64_MAX };
		else if (was && !is && edges[i].us > cover->spans[cover->count].from_us)
			cover->spans[cover->count++].until_us = edges[i].us;
	}
}

int oev_cover_make(struct oev_cover *cover, const struct oev_audit *audit)
{
	size_t room = audit->segment_count + audit->gap_count + 1, count = 0;
	struct oev_span *spans = calloc(room, sizeof(*spans));
	struct edge *edges = calloc(2 * room, sizeof(*edges));
	int nodes = 0;

	cover->spans = calloc(2 * room, sizeof(*cover->spans));
	bool done = spans != NULL && edges != NULL && cover->spans != NULL;
	for (size_t i = 0; done && i < audit->segment_count; i++)
		if (is_first_of_node(audit, i)) {
			add_node(audit, i, spans, edges, &count);
			nodes++;
		}
	for (size_t i = 0; done && i < audit->gap_count; i++)
		add_pair(edges, &count, audit->gaps[i].since_us, audit->gaps[i].wall_us + 1, true);
	if (done) {
		qsort(edges, count, sizeof(*edges), by_time);
		sweep(cover, edges, count, nodes);
	}
	free(spans);
	free(edges);
	return done ? OC_OK : OC_ENOMEM;
}

void oev_cover_fini(struct oev_cover *cover)
{
	free(cover->spans);
	*cover = (struct oev_cover){ 0 };
}

bool oev_cover_holds(const struct oev_cover *cover, uint64_t from_us, uint64_t until_us)
{
	size_t low = 0, high = cover->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (cover->spans[mid].from_us <= from_us)
			low = mid + 1;
		else
			high = mid;
	}
	return low > 0 && until_us <= cover->spans[low - 1].until_us;
}
