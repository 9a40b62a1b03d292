/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which segments belong together.
 */
#include "oev_life.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_audit.h"
#include "oev_audit_parts.h"

static bool same_life(const struct oev_segment *a, const struct oev_segment *b)
{
	return a->run[0] != '\0' && strcmp(a->run, b->run) == 0 && strcmp(a->node, b->node) == 0;
}

/* Moves the segment at @from down to @to; those between make room. */
static void move_to(struct oev_segment *segments, size_t from, size_t to)
{
	struct oev_segment moved = segments[from];

	memmove(&segments[to + 1], &segments[to], (from - to) * sizeof(*segments));
	segments[to] = moved;
}

/* Parts of one life side by side, in their order; lives in the order their first one was found. */
static void order_segments(struct oev_audit *audit)
{
	struct oev_segment *segments = audit->segments;

	for (size_t i = 1; i < audit->segment_count; i++) {
		size_t to = i;
		for (size_t j = i; j-- > 0;)
			if (same_life(&segments[j], &segments[i])) {
				to = j + 1;
				while (to > 0 && same_life(&segments[to - 1], &segments[i]) &&
				       segments[to - 1].part > segments[i].part)
					to--;
				break;
			}
		if (to != i)
			move_to(segments, i, to);
	}
}

bool oev_life_follows(const struct oev_audit *audit, uint32_t segment)
{
	const struct oev_segment *at = &audit->segments[segment];

	return segment > 0 && same_life(at - 1, at) && at->part == at[-1].part + 1 && !at[-1].is_gone;
}

static void take_part(struct oev_life *life, const struct oev_segment *segment)
{
	uint64_t until_us = oev_segment_until(segment);

	if (life->count++ == 0) {
		life->started_us = segment->started_us;
		life->lacks_beginning = segment->part > 1;
	}
	life->until_us = until_us > life->until_us ? until_us : life->until_us;
	life->last_ns = segment->last_ns > life->last_ns ? segment->last_ns : life->last_ns;
	life->ramp_ms = segment->ramp_ms > life->ramp_ms ? segment->ramp_ms : life->ramp_ms;
	life->slack = segment->slack > life->slack ? segment->slack : life->slack;
	if (segment->threshold_permille > life->threshold_permille)
		life->threshold_permille = segment->threshold_permille;
	life->anti_resonant |= segment->anti_resonant;
	life->sampler_random |= segment->sampler_random;
	life->is_capture |= segment->is_capture;
	life->was_cut =
		strcmp(segment->closed_how, "recovered") == 0 || strcmp(segment->closed_how, "damaged") == 0;
	life->is_open = segment->closed_us == 0;
	life->lacks_end = strcmp(segment->closed_how, "rotated") == 0;
}

int oev_lives_make(struct oev_audit *audit)
{
	struct oev_life *life = NULL;

	order_segments(audit);
	for (uint32_t i = 0; i < audit->segment_count; i++) {
		const struct oev_segment *segment = &audit->segments[i];
		if (life == NULL || !same_life(segment - 1, segment)) {
			life = oev_audit_grow(&audit->lives, &audit->life_count, sizeof(*life));
			if (life == NULL)
				return OC_ENOMEM;
			life->first = i;
		}
		take_part(life, segment);
	}
	return OC_OK;
}

static const struct oev_segment *first_of(const struct oev_audit *audit, uint32_t life)
{
	return &audit->segments[audit->lives[life].first];
}

/* Whether the log says in which order the lives of @node happened. */
static bool has_log(const struct oev_audit *audit, const char *node)
{
	for (size_t i = 0; i < audit->segment_count; i++)
		if (strcmp(audit->segments[i].node, node) == 0 &&
		    (!audit->segments[i].has_log || audit->segments[i].is_log_broken))
			return false;
	return true;
}

static bool is_before(const struct oev_segment *a, const struct oev_segment *b, bool by_log)
{
	if (by_log && a->log_size != b->log_size)
		return a->log_size < b->log_size;
	return a->started_us < b->started_us || (a->started_us == b->started_us && a < b);
}

uint32_t oev_life_after(const struct oev_audit *audit, uint32_t life)
{
	const struct oev_segment *at = first_of(audit, life);
	bool by_log = has_log(audit, at->node);
	uint32_t next = UINT32_MAX;

	for (uint32_t i = 0; i < audit->life_count; i++)
		if (strcmp(first_of(audit, i)->node, at->node) == 0 &&
		    is_before(at, first_of(audit, i), by_log) &&
		    (next == UINT32_MAX || is_before(first_of(audit, i), first_of(audit, next), by_log)))
			next = i;
	return next;
}

uint32_t oev_life_number(const struct oev_audit *audit, uint32_t life)
{
	const struct oev_segment *at = first_of(audit, life);
	bool by_log = has_log(audit, at->node);
	uint32_t number = 1;

	for (uint32_t i = 0; i < audit->life_count; i++)
		number += strcmp(first_of(audit, i)->node, at->node) == 0 &&
			  is_before(first_of(audit, i), at, by_log);
	return number;
}

uint32_t oev_life_name_id(const struct oev_audit *audit, uint32_t life, const char *name)
{
	const struct oev_life *at = &audit->lives[life];
	uint32_t id = 0;

	for (uint32_t i = 0; id == 0 && i < at->count; i++)
		id = oev_query_name_id(&audit->segments[at->first + i], name);
	return id;
}

void oev_life_name(const struct oev_audit *audit, uint32_t life, uint32_t id, char *buf, size_t size)
{
	const struct oev_life *at = &audit->lives[life];

	buf[0] = '\0';
	for (uint32_t i = at->count; buf[0] == '\0' && i-- > 0;)
		oev_query_name(&audit->segments[at->first + i], id, buf, size);
}

uint64_t oev_lives_cover(const struct oev_audit *audit, const char *node, uint64_t from_us, uint64_t until_us)
{
	uint64_t covered_us = 0;

	for (size_t i = 0; i < audit->segment_count; i++) {
		const struct oev_segment *segment = &audit->segments[i];
		uint64_t since_us = segment->started_us > from_us ? segment->started_us : from_us;
		uint64_t to_us =
			oev_segment_until(segment) < until_us ? oev_segment_until(segment) : until_us;
		if (strcmp(segment->node, node) == 0 && !segment->is_gone && to_us > since_us)
			covered_us += to_us - since_us;
	}
	return covered_us;
}
