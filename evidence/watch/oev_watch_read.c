/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Copies of what the watch holds, for those who look.
 */
#include "oev_watch_inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_kept(const struct oev_watch *watch, uint64_t second)
{
	return watch->last && second >= watch->first && second <= watch->last &&
	       second + OEV_WATCH_SECONDS > watch->last;
}

const char *oev_watch_name(const struct oev_watch *watch, uint32_t name)
{
	return oc_names_text(watch->names, name);
}

const char *oev_watch_self(const struct oev_watch *watch)
{
	return watch->self;
}

uint64_t oev_watch_latest(struct oev_watch *watch)
{
	pthread_mutex_lock(&watch->lock);
	uint64_t latest = watch->reached > watch->first ? watch->reached - 1 : 0;
	pthread_mutex_unlock(&watch->lock);
	return latest;
}

void oev_watch_seconds(struct oev_watch *watch, uint64_t last, uint32_t count, struct oev_watch_second *out)
{
	pthread_mutex_lock(&watch->lock);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t second = last + 1 - count + i;
		out[i] = (struct oev_watch_second){ .second = second, .population.asked_pct = -1 };
		if (is_kept(watch, second))
			out[i] = watch->seconds[second % OEV_WATCH_SECONDS];
	}
	pthread_mutex_unlock(&watch->lock);
}

void oev_watch_seconds_of_nodes(struct oev_watch *watch, uint64_t last, uint32_t count,
				struct oev_watch_second *out)
{
	oev_watch_seconds(watch, last, count, out);
	pthread_mutex_lock(&watch->lock);
	uint64_t begun = watch->begun;
	pthread_mutex_unlock(&watch->lock);
	for (uint32_t i = 0; i < count; i++)
		if (out[i].second < begun)
			out[i] = (struct oev_watch_second){ .second = out[i].second,
							    .population.asked_pct = -1 };
}

uint32_t oev_watch_nodes(struct oev_watch *watch, struct oev_watch_node *out, uint32_t max)
{
	pthread_mutex_lock(&watch->lock);
	uint32_t count = watch->member_count;
	for (uint32_t i = 0; i < count && i < max; i++)
		out[i] = watch->members[i].node;
	pthread_mutex_unlock(&watch->lock);
	return count;
}

void oev_watch_node_seconds(struct oev_watch *watch, uint32_t node, enum oev_watch_side side, uint64_t last,
			    uint32_t count, struct oev_watch_count *out)
{
	memset(out, 0, count * sizeof(*out));
	pthread_mutex_lock(&watch->lock);
	const struct oev_watch_count *of =
		node < watch->member_count ? watch->members[node].seconds[side] : NULL;
	for (uint32_t i = 0; of && i < count; i++) {
		uint64_t second = last + 1 - count + i;
		if (is_kept(watch, second))
			out[i] = of[second % OEV_WATCH_SECONDS];
	}
	pthread_mutex_unlock(&watch->lock);
}

void oev_watch_node_took(struct oev_watch *watch, uint32_t node, uint32_t out[static OEV_WATCH_TOOK])
{
	memset(out, 0, OEV_WATCH_TOOK * sizeof(*out));
	pthread_mutex_lock(&watch->lock);
	const struct oev_watch_member *m = node < watch->member_count ? &watch->members[node] : NULL;
	for (uint32_t s = 0; m && m->took && s < OEV_WATCH_TOOK_S; s++)
		for (uint32_t b = 0; b < OEV_WATCH_TOOK; b++)
			out[b] += m->took[s][b];
	pthread_mutex_unlock(&watch->lock);
}

void oev_watch_node_total(struct oev_watch *watch, uint32_t node, enum oev_watch_side side,
			  struct oev_watch_count *out)
{
	*out = (struct oev_watch_count){ 0 };
	pthread_mutex_lock(&watch->lock);
	if (node < watch->member_count)
		*out = watch->members[node].total[side];
	pthread_mutex_unlock(&watch->lock);
}

void oev_watch_totals(struct oev_watch *watch, struct oev_watch_totals *out)
{
	pthread_mutex_lock(&watch->lock);
	*out = watch->totals;
	pthread_mutex_unlock(&watch->lock);
}

static int newest_first(const void *a, const void *b)
{
	const struct oev_watch_decision *x = a, *y = b;

	return (x->decision.id < y->decision.id) - (x->decision.id > y->decision.id);
}

uint32_t oev_watch_last(struct oev_watch *watch, struct oev_watch_decision *out, uint32_t max)
{
	struct oev_watch_decision all[OEV_WATCH_LAST];
	uint32_t count = 0;

	pthread_mutex_lock(&watch->lock);
	memcpy(all, watch->decision, sizeof(all));
	pthread_mutex_unlock(&watch->lock);
	qsort(all, OEV_WATCH_LAST, sizeof(all[0]), newest_first);
	for (; count < max && count < OEV_WATCH_LAST && all[count].decision.id; count++)
		out[count] = all[count];
	return count;
}

uint32_t oev_watch_changes(struct oev_watch *watch, uint64_t after_number, struct oev_watch_change *out,
			   uint32_t max)
{
	uint32_t count = 0;

	pthread_mutex_lock(&watch->lock);
	for (uint64_t n = watch->changes; n > after_number && count < max && count < OEV_WATCH_CHANGES; n--)
		out[count++] = watch->change[(n - 1) % OEV_WATCH_CHANGES];
	pthread_mutex_unlock(&watch->lock);
	return count;
}

uint64_t oev_watch_quantile_ns(const uint32_t took[static OEV_WATCH_TOOK], unsigned permille)
{
	uint64_t all = 0, seen = 0;

	for (unsigned i = 0; i < OEV_WATCH_TOOK; i++)
		all += took[i];
	for (unsigned i = 0; i < OEV_WATCH_TOOK && all; i++) {
		seen += took[i];
		if (seen * 1000u >= all * permille)
			return oev_watch_took_floor_ns(i + 1);
	}
	return 0;
}

uint64_t oev_watch_trouble(struct oev_watch *watch, char *why, size_t size)
{
	pthread_mutex_lock(&watch->lock);
	uint64_t since_us = watch->stuck_us;
	snprintf(why, size, "%s", watch->stuck);
	pthread_mutex_unlock(&watch->lock);
	return since_us;
}
