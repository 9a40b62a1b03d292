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

static void apply(struct oev_sampler *sampler, const struct oev_draw *draw)
{
	int64_t share_ppm = draw->share_ppm;

	sampler->error_ppm += (draw->selected ? (int64_t)OC_PPM : 0) - share_ppm;
	sampler->variance_ppm += share_ppm * ((int64_t)OC_PPM - share_ppm) / OC_PPM;
	if (size_of(sampler->error_ppm) > sampler->error_max_ppm)
		sampler->error_max_ppm = size_of(sampler->error_ppm);
	if (draw->asked_ppm != OEV_NOT_ASKED)
		owe(sampler, draw);
	if (draw->is_admission)
		admit(sampler, draw);
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
	sampler->reordered = true;
	return OC_OK;
}

int oev_sampler_take(struct oev_sampler *sampler, const struct oev_draw *draw)
{
	int rc = OC_OK;

	if (draw->nth <= sampler->done)
		rc = OC_EINVAL;
	else if (draw->nth != sampler->done + 1)
		rc = wait_for_turn(sampler, draw);
	else
		apply(sampler, draw);
	sampler->faulty |= rc != OC_OK;
	while (sampler->waiting_count > 0) {
		struct oev_draw *next = &sampler->waiting[(sampler->done + 1) % sampler->size];
		if (next->nth != sampler->done + 1)
			break;
		apply(sampler, next);
		next->nth = 0;
		sampler->waiting_count--;
	}
	return rc;
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
