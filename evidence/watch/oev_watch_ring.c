/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The rings of the watch: seconds, members and their counts, and how they move on.
 */
#include "oev_watch_inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

#define US_PER_S 1000000u

static void clear(struct oev_watch *watch, uint64_t second)
{
	uint64_t at = second % OEV_WATCH_SECONDS;

	watch->seconds[at] = (struct oev_watch_second){ .second = second, .population.asked_pct = -1 };
	for (uint32_t i = 0; i < watch->member_count; i++) {
		struct oev_watch_member *m = &watch->members[i];
		for (int side = 0; side < 2; side++)
			if (m->seconds[side])
				m->seconds[side][at] = (struct oev_watch_count){ 0 };
		if (m->took)
			memset(m->took[second % OEV_WATCH_TOOK_S], 0, sizeof(m->took[0]));
	}
}

/* A jump beyond the ring leaves nothing of what was. */
static void move_on(struct oev_watch *watch, uint64_t second)
{
	uint64_t from = watch->last + 1;

	if (second - watch->last > OEV_WATCH_SECONDS)
		from = second - OEV_WATCH_SECONDS + 1;
	for (uint64_t s = from; s <= second; s++)
		clear(watch, s);
	watch->last = second;
	if (watch->first + OEV_WATCH_SECONDS <= second)
		watch->first = second - OEV_WATCH_SECONDS + 1;
}

static void shift(uint64_t *at_us, uint64_t us)
{
	*at_us = *at_us > us ? *at_us - us : 0;
}

void oev_watch_set_back(struct oev_watch *watch, uint64_t us)
{
	uint64_t seconds = us / US_PER_S;
	uint64_t second = watch->last > seconds ? watch->last - seconds : 1;
	uint64_t from = seconds < OEV_WATCH_SECONDS ? second + 1 : watch->last - OEV_WATCH_SECONDS + 1;

	if (watch->last == 0)
		return;
	for (uint64_t s = from; s <= watch->last; s++)
		clear(watch, s);
	if (second < watch->first) {
		watch->first = watch->reached = second;
		clear(watch, second);
	}
	watch->last = second;
	if (watch->reached > second)
		watch->reached = second;
	if (watch->begun > second)
		watch->begun = second;
	oev_watch_steps_set_back(watch, second);
	oev_watch_heed_set_back(watch);
	for (uint32_t i = 0; i < OEV_WATCH_VERSIONS; i++)
		shift(&watch->version[i].expires_us, us);
	for (uint32_t i = 0; i < watch->member_count; i++) {
		shift(&watch->members[i].node.load_at_us, us);
		shift(&watch->members[i].node.first_us, us);
		shift(&watch->members[i].node.last_us, us);
	}
}

struct oev_watch_second *oev_watch_at(struct oev_watch *watch, uint64_t wall_us)
{
	uint64_t second = wall_us / US_PER_S;

	if (watch->last == 0) {
		watch->first = watch->last = watch->reached = second;
		clear(watch, second);
	}
	if (second > watch->last)
		move_on(watch, second);
	if (second + OEV_WATCH_SECONDS <= watch->last || second < watch->first)
		return NULL;
	return &watch->seconds[second % OEV_WATCH_SECONDS];
}

struct oev_watch_member *oev_watch_member(struct oev_watch *watch, uint32_t name)
{
	if (name <= OC_NAME_OVERFLOW || name >= watch->member_of_size)
		return NULL;
	if (watch->member_of[name] == 0) {
		if (watch->member_count == OEV_WATCH_NODES_MAX)
			return NULL;
		watch->members[watch->member_count].node =
			(struct oev_watch_node){ .name = name, .load = -1 };
		watch->member_of[name] = ++watch->member_count;
	}
	return &watch->members[watch->member_of[name] - 1];
}

struct oev_watch_count *oev_watch_count_of(struct oev_watch *watch, uint32_t name, enum oev_watch_side side,
					   uint64_t wall_us, struct oev_watch_count **total)
{
	struct oev_watch_member *m = oev_watch_member(watch, name);

	if (!m || !oev_watch_at(watch, wall_us))
		return NULL;
	if (!m->seconds[side])
		m->seconds[side] = calloc(OEV_WATCH_SECONDS, sizeof(struct oev_watch_count));
	if (!m->seconds[side])
		return NULL;
	if (m->node.first_us == 0)
		m->node.first_us = wall_us;
	if (wall_us > m->node.last_us)
		m->node.last_us = wall_us;
	*total = &m->total[side];
	return &m->seconds[side][wall_us / US_PER_S % OEV_WATCH_SECONDS];
}

void *oev_watch_took_new(void)
{
	return calloc(OEV_WATCH_TOOK_S, sizeof(uint32_t[OEV_WATCH_TOOK]));
}

int oev_watch_new(struct oev_watch **out, const struct oc_names *names)
{
	struct oev_watch *watch = calloc(1, sizeof(*watch));

	if (!watch)
		return OC_ENOMEM;
	pthread_mutex_init(&watch->lock, NULL);
	watch->names = names;
	watch->member_of_size = oc_names_capacity(names);
	watch->seconds = calloc(OEV_WATCH_SECONDS, sizeof(*watch->seconds));
	watch->members = calloc(OEV_WATCH_NODES_MAX, sizeof(*watch->members));
	watch->member_of = calloc(watch->member_of_size, sizeof(*watch->member_of));
	watch->open = calloc(OEV_WATCH_OPEN, sizeof(*watch->open));
	watch->steps = oev_watch_steps_new();
	watch->pairs = oev_watch_pairs_new();
	watch->heed = oev_watch_heed_new();
	if (!watch->seconds || !watch->members || !watch->member_of || !watch->open || !watch->steps ||
	    !watch->pairs || !watch->heed) {
		oev_watch_free(watch);
		return OC_ENOMEM;
	}
	*out = watch;
	return OC_OK;
}

void oev_watch_set_self(struct oev_watch *watch, const char *identity)
{
	pthread_mutex_lock(&watch->lock);
	snprintf(watch->self, sizeof(watch->self), "%s", identity);
	pthread_mutex_unlock(&watch->lock);
}

void oev_watch_free(struct oev_watch *watch)
{
	if (!watch)
		return;
	for (uint32_t i = 0; watch->members && i < watch->member_count; i++) {
		free(watch->members[i].seconds[0]);
		free(watch->members[i].seconds[1]);
		free(watch->members[i].took);
	}
	free(watch->seconds);
	free(watch->members);
	free(watch->member_of);
	free(watch->open);
	free(watch->steps);
	oev_watch_pairs_free(watch->pairs);
	oev_watch_heed_free(watch->heed);
	pthread_mutex_destroy(&watch->lock);
	free(watch);
}
