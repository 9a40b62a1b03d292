/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Hours and days in longer steps: each second that is told is added to one step of each length, so a request costs nothing more.
 */
#include "oev_watch_inner.h"

#include <stdlib.h>

static const struct {
	uint32_t step_s, count;
} lengths[OEV_WATCH_LENGTHS] = { { 10, OEV_WATCH_STEPS_10 },
				 { 60, OEV_WATCH_STEPS_60 },
				 { 600, OEV_WATCH_STEPS_600 } };

struct oev_watch_steps {
	uint64_t since; /* first second of all that was told; 0 none */
	struct oev_watch_step step10[OEV_WATCH_STEPS_10];
	struct oev_watch_step step60[OEV_WATCH_STEPS_60];
	struct oev_watch_step step600[OEV_WATCH_STEPS_600];
};

struct oev_watch_steps *oev_watch_steps_new(void)
{
	return calloc(1, sizeof(struct oev_watch_steps));
}

static struct oev_watch_step *ring_of(struct oev_watch_steps *steps, unsigned length)
{
	return length == 0 ? steps->step10 : length == 1 ? steps->step60 : steps->step600;
}

static struct oev_watch_step *step_at(struct oev_watch_steps *steps, unsigned length, uint64_t second)
{
	return &ring_of(steps, length)[second / lengths[length].step_s % lengths[length].count];
}

static uint64_t begin_of(unsigned length, uint64_t second)
{
	return second - second % lengths[length].step_s;
}

static struct oev_watch_step empty(uint64_t begin)
{
	return (struct oev_watch_step){ .sum = { .second = begin, .population.asked_pct = -1 } };
}

static void add_count(struct oev_watch_count *sum, const struct oev_watch_count *of)
{
	sum->requests += of->requests;
	sum->refused += of->refused;
	sum->diverted += of->diverted;
	sum->sent += of->sent;
	sum->answers += of->answers;
	sum->useful += of->useful;
	sum->lost += of->lost;
}

static void add_population(struct oev_watch_population *sum, const struct oev_watch_population *of)
{
	sum->matched += of->matched;
	sum->survivors += of->survivors;
	sum->matched_peer += of->matched_peer;
	sum->observed += of->observed;
	sum->drawn += of->drawn;
	sum->selected += of->selected;
	sum->share_ppm += of->share_ppm;
	sum->asked_pct = of->asked_pct > sum->asked_pct ? of->asked_pct : sum->asked_pct;
	for (unsigned i = 0; i < OC_SCOPE_COUNT; i++)
		sum->refused_by[i] += of->refused_by[i];
	for (unsigned i = 0; i < OC_WHY_COUNT; i++)
		sum->refused_why[i] += of->refused_why[i];
	for (unsigned i = 0; i < OEV_WATCH_TOOK; i++)
		sum->took[i] += of->took[i];
}

void oev_watch_fold(struct oev_watch *watch, const struct oev_watch_second *second)
{
	struct oev_watch_steps *steps = watch->steps;

	if (steps->since == 0)
		steps->since = second->second;
	for (unsigned length = 0; length < OEV_WATCH_LENGTHS; length++) {
		struct oev_watch_step *step = step_at(steps, length, second->second);
		uint64_t begin = begin_of(length, second->second);
		if (step->sum.second != begin)
			*step = empty(begin);
		step->known_s++;
		step->sum.is_known = true;
		step->sum.is_gap = step->sum.is_gap || second->is_gap;
		add_count(&step->sum.count, &second->count);
		add_population(&step->sum.population, &second->population);
	}
}

void oev_watch_fold_gap(struct oev_watch *watch, uint64_t second)
{
	for (unsigned length = 0; length < OEV_WATCH_LENGTHS; length++) {
		struct oev_watch_step *step = step_at(watch->steps, length, second);
		if (step->sum.second == begin_of(length, second))
			step->sum.is_gap = true;
	}
}

void oev_watch_steps_set_back(struct oev_watch *watch, uint64_t second)
{
	struct oev_watch_steps *steps = watch->steps;

	for (unsigned length = 0; length < OEV_WATCH_LENGTHS; length++)
		for (uint32_t i = 0; i < lengths[length].count; i++) {
			struct oev_watch_step *step = &ring_of(steps, length)[i];
			if (step->sum.second + lengths[length].step_s > second)
				*step = empty(0);
		}
	if (steps->since > second)
		steps->since = 0;
}

size_t oev_watch_steps_size(void)
{
	return sizeof(struct oev_watch_steps);
}

static bool is_sound(const struct oev_watch_step *step, unsigned length, uint32_t place, uint64_t now)
{
	uint64_t begin = step->sum.second;

	return begin != 0 && begin % lengths[length].step_s == 0 &&
	       begin / lengths[length].step_s % lengths[length].count == place && begin < now &&
	       step->known_s <= lengths[length].step_s;
}

void oev_watch_steps_make_sound(struct oev_watch *watch, uint64_t now)
{
	struct oev_watch_steps *steps = watch->steps;
	uint64_t first = UINT64_MAX;

	for (unsigned length = 0; length < OEV_WATCH_LENGTHS; length++)
		for (uint32_t i = 0; i < lengths[length].count; i++) {
			struct oev_watch_step *step = &ring_of(steps, length)[i];
			if (!is_sound(step, length, i, now)) {
				*step = empty(0);
				continue;
			}
			oev_watch_make_sound(&step->sum);
			first = step->sum.second < first ? step->sum.second : first;
		}
	if (first == UINT64_MAX)
		steps->since = 0;
	else if (steps->since < first || steps->since >= now)
		steps->since = first;
}

uint64_t oev_watch_since(struct oev_watch *watch)
{
	pthread_mutex_lock(&watch->lock);
	uint64_t since = watch->steps->since;
	pthread_mutex_unlock(&watch->lock);
	return since;
}

bool oev_watch_step_read(struct oev_watch *watch, uint32_t step_s, uint64_t last, uint32_t count,
			 struct oev_watch_step *out)
{
	unsigned length = 0;

	while (length < OEV_WATCH_LENGTHS && lengths[length].step_s != step_s)
		length++;
	if (length == OEV_WATCH_LENGTHS)
		return false;
	pthread_mutex_lock(&watch->lock);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t begin = begin_of(length, last) - (uint64_t)(count - 1 - i) * step_s;
		const struct oev_watch_step *step = step_at(watch->steps, length, begin);
		out[i] = i + lengths[length].count >= count && step->sum.second == begin ? *step
											 : empty(begin);
	}
	pthread_mutex_unlock(&watch->lock);
	return true;
}
