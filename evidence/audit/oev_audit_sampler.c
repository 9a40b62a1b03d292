/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Following the running difference of selected and expected in the order of drawing.
 */
#include "oev_audit_sampler.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"
#include "../../agent/oc_types.h"

#define WAITING_FIRST 64u
#define WAITING_MAX (1u << 20) /* draws ahead of a missing one */
#define OPENING 8192u	       /* draws about a cut between parts whose order may differ */
#define MISSING_MAX 4096u      /* draws under way when a node was cut off */

static int64_t size_of(int64_t value)
{
	return value < 0 ? -value : value;
}

/* The fullest a bucket gets that every admission fills by 1 and that drains at the rate: the most any window has above
 * what the rate gives it. Stamps may run backwards a little; the sum does not mind. */
static void admit(struct oev_sampler *sampler, const struct oev_draw *draw)
{
	double passed_s = ((double)draw->mono_ns - (double)sampler->admitted_ns) / 1e9;
	double left = sampler->level - passed_s * sampler->rate_rps;

	sampler->level = (sampler->admitted++ > 0 && left > 0 ? left : 0) + 1;
	sampler->level_max = sampler->level > sampler->level_max ? sampler->level : sampler->level_max;
	sampler->admitted_ns = draw->mono_ns;
}

static void owe(struct oev_sampler *sampler, const struct oev_draw *draw)
{
	sampler->owed_ppm += (int64_t)draw->asked_ppm - draw->share_ppm;
	if (sampler->owed_ppm < sampler->owed_min_ppm)
		sampler->owed_min_ppm = sampler->owed_ppm;
	if (sampler->owed_ppm > sampler->owed_max_ppm)
		sampler->owed_max_ppm = sampler->owed_ppm;
}

static void note_error(struct oev_sampler *sampler)
{
	if (size_of(sampler->error_ppm) > sampler->error_max_ppm)
		sampler->error_max_ppm = size_of(sampler->error_ppm);
}

static void add_draw(struct oev_sampler *sampler, const struct oev_draw *draw)
{
	int64_t share_ppm = draw->share_ppm;

	sampler->error_ppm += (draw->selected ? (int64_t)OC_PPM : 0) - share_ppm;
	sampler->variance_ppm += share_ppm * ((int64_t)OC_PPM - share_ppm) / OC_PPM;
	if (draw->asked_ppm != OEV_NOT_ASKED)
		owe(sampler, draw);
	if (draw->is_admission)
		admit(sampler, draw);
}

static void apply(struct oev_sampler *sampler, const struct oev_draw *draw)
{
	add_draw(sampler, draw);
	note_error(sampler);
	sampler->done++;
}

/* Makes room for a draw @ahead numbers after the next one. */
static int grow(struct oev_sampler *sampler, uint64_t ahead)
{
	uint32_t size = sampler->size != 0 ? sampler->size : WAITING_FIRST;

	if (ahead >= WAITING_MAX)
		return OC_ENOSPC;
	while (size <= ahead)
		size *= 2;
	if (size == sampler->size)
		return OC_OK;
	struct oev_draw *waiting = calloc(size, sizeof(*waiting));
	if (waiting == NULL)
		return OC_ENOMEM;
	for (uint32_t i = 0; i < sampler->size; i++)
		if (sampler->waiting[i].nth != 0)
			waiting[sampler->waiting[i].nth % size] = sampler->waiting[i];
	free(sampler->waiting);
	sampler->waiting = waiting;
	sampler->size = size;
	return OC_OK;
}

static int wait_for_turn(struct oev_sampler *sampler, const struct oev_draw *draw)
{
	int rc = grow(sampler, draw->nth - sampler->done - 1);

	if (rc != OC_OK)
		return rc;
	struct oev_draw *slot = &sampler->waiting[draw->nth % sampler->size];
	if (slot->nth == draw->nth)
		return OC_EINVAL;
	*slot = *draw;
	sampler->waiting_count++;
	sampler->reordered |= !sampler->opening;
	return OC_OK;
}

static struct oev_draw *waiting_at(struct oev_sampler *sampler, uint64_t nth)
{
	struct oev_draw *draw = sampler->size > 0 ? &sampler->waiting[nth % sampler->size] : NULL;

	return draw != NULL && draw->nth == nth ? draw : NULL;
}

static void use_waiting(struct oev_sampler *sampler)
{
	struct oev_draw *next;

	while (sampler->waiting_count > 0 && (next = waiting_at(sampler, sampler->done + 1)) != NULL) {
		apply(sampler, next);
		next->nth = 0;
		sampler->waiting_count--;
	}
}

/* The last number up to @last that can wait: a row may carry any number at all, and those that wait have room. */
static uint64_t last_waiting(const struct oev_sampler *sampler, uint64_t last)
{
	if (last <= sampler->done)
		return sampler->done;
	return last - sampler->done > sampler->size ? sampler->done + sampler->size : last;
}

/* The last of the numbers that the carried sum must hold, since they are above it and did not come. */
static uint64_t last_carried(struct oev_sampler *sampler)
{
	uint64_t late = 0, nth = sampler->carried, last = last_waiting(sampler, nth);

	for (uint64_t at = sampler->done + 1; at <= last; at++)
		late += waiting_at(sampler, at) != NULL;
	while (late > 0)
		late -= waiting_at(sampler, ++nth) == NULL;
	return nth;
}

/* What came up to there joins the sum, whose prefix is whole then. */
static void settle(struct oev_sampler *sampler)
{
	uint64_t until = last_carried(sampler), last = last_waiting(sampler, until);

	for (uint64_t nth = sampler->done + 1; nth <= last; nth++) {
		struct oev_draw *draw = waiting_at(sampler, nth);
		if (draw == NULL)
			continue;
		add_draw(sampler, draw);
		draw->nth = 0;
		sampler->waiting_count--;
	}
	note_error(sampler);
	sampler->done = until;
	sampler->opening = false;
	use_waiting(sampler);
}

int oev_sampler_take(struct oev_sampler *sampler, const struct oev_draw *draw)
{
	int rc = OC_OK;

	if (draw->nth <= sampler->done)
		rc = OC_EINVAL;
	else if (sampler->opening || draw->nth != sampler->done + 1)
		rc = wait_for_turn(sampler, draw);
	else
		apply(sampler, draw);
	sampler->faulty |= rc != OC_OK;
	if (!sampler->opening) {
		use_waiting(sampler);
		return rc;
	}
	sampler->farthest = draw->nth > sampler->farthest ? draw->nth : sampler->farthest;
	if (sampler->farthest >= sampler->carried + OPENING)
		settle(sampler);
	return rc;
}

void oev_sampler_carry(struct oev_sampler *sampler, const struct oev_tally *sums)
{
	int64_t mean_ppm = sums->matched > 0 ? (int64_t)(sums->expected_ppm / sums->matched) : 0;

	for (uint32_t i = 0; i < sampler->size; i++)
		sampler->waiting[i].nth = 0;
	sampler->waiting_count = 0;
	sampler->carried = sums->matched;
	sampler->done = sums->matched > OPENING ? sums->matched - OPENING : 0;
	sampler->farthest = 0;
	sampler->opening = true;
	sampler->error_ppm = (int64_t)(sums->selected * OC_PPM) - (int64_t)sums->expected_ppm;
	sampler->variance_ppm =
		(int64_t)((double)sums->expected_ppm * (double)((int64_t)OC_PPM - mean_ppm) / OC_PPM);
}

void oev_sampler_end(struct oev_sampler *sampler, bool cut)
{
	uint32_t missing = 0;

	if (sampler->opening)
		settle(sampler);
	if (!cut)
		return;
	for (uint64_t nth = sampler->done + 1; sampler->waiting_count > 0 && missing <= MISSING_MAX; nth++) {
		struct oev_draw *draw = waiting_at(sampler, nth);
		missing += draw == NULL;
		if (draw == NULL)
			continue;
		draw->nth = 0;
		sampler->waiting_count--;
	}
	sampler->missing = missing;
}

int64_t oev_sampler_error_max(const struct oev_sampler *sampler)
{
	return sampler->error_max_ppm;
}

bool oev_sampler_holds(const struct oev_sampler *sampler)
{
	return !sampler->faulty && sampler->waiting_count == 0 &&
	       oev_sampler_error_max(sampler) < (int64_t)OC_PPM;
}

bool oev_sampler_random_holds(const struct oev_sampler *sampler)
{
	double error = (double)sampler->error_ppm / 1e6;
	double variance = (double)sampler->variance_ppm / 1e6;

	return error * error <= 25.0 * variance + 1.0 && !sampler->faulty && sampler->waiting_count == 0;
}

void oev_sampler_fini(struct oev_sampler *sampler)
{
	free(sampler->waiting);
	*sampler = (struct oev_sampler){ 0 };
}
