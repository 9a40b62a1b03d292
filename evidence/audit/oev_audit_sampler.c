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

static void apply(struct oev_sampler *sampler, const struct oev_draw *draw)
{
	struct oev_class *at = &sampler->class[draw->klass < OEV_CLASS_MAX ? draw->klass : OEV_CLASS_MAX - 1];
	int64_t share_ppm = draw->share_ppm;

	at->error_ppm += (draw->selected ? (int64_t)OC_PPM : 0) - share_ppm;
	at->variance_ppm += share_ppm * ((int64_t)OC_PPM - share_ppm) / OC_PPM;
	int64_t size = at->error_ppm < 0 ? -at->error_ppm : at->error_ppm;
	if (size > at->error_max_ppm)
		at->error_max_ppm = size;
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
	int64_t most = 0;

	for (size_t i = 0; i < OEV_CLASS_MAX; i++)
		most = sampler->class[i].error_max_ppm > most ? sampler->class[i].error_max_ppm : most;
	return most;
}

bool oev_sampler_holds(const struct oev_sampler *sampler)
{
	return !sampler->faulty && sampler->waiting_count == 0 &&
	       oev_sampler_error_max(sampler) < (int64_t)OC_PPM;
}

bool oev_sampler_random_holds(const struct oev_sampler *sampler)
{
	for (size_t i = 0; i < OEV_CLASS_MAX; i++) {
		double error = (double)sampler->class[i].error_ppm / 1e6;
		double variance = (double)sampler->class[i].variance_ppm / 1e6;
		if (error * error > 25.0 * variance + 1.0)
			return false;
	}
	return !sampler->faulty && sampler->waiting_count == 0;
}

void oev_sampler_fini(struct oev_sampler *sampler)
{
	free(sampler->waiting);
	*sampler = (struct oev_sampler){ 0 };
}
