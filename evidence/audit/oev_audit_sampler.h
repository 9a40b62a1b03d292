/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The bounds of selection, checked draw by draw: |selected - expected| < 1 at every moment, over all classes together; how
 * far the shares drawn at lag behind the share asked (oc_debt.h); and for a rate the fullest state of a bucket.
 *
 * Decisions are numbered when the request arrives, but a host report may be drawn only after routing, so rows do not
 * come in the order of draws. Every draw carries its own number under its version (1, 2, 3...). Draws that come
 * early wait here until those before them have come; a number that never comes, or comes twice, is a fault.
 *
 * A version that goes on from a part of its life that is not there begins with a sum over so many draws, but not the first so many:
 * some later ones were written earlier. The first draws that come are therefore collected, and once enough have come, the numbers missing
 * among them are those of the sum. The bound is judged from there on.
 */
#pragma once

#include "oev_audit.h"

struct oev_draw {
	uint64_t nth;	  /* from 1 */
	uint64_t mono_ns; /* of the decision */
	uint32_t share_ppm;
	uint32_t asked_ppm; /* share of the report in force; OEV_NOT_ASKED on a ramp and under a rate */
	bool selected;
	bool is_admission; /* under a rate in force, and admitted */
};
#define OEV_NOT_ASKED UINT32_MAX

/* One draw, in any order. Returns OC_OK; OC_EINVAL (its number came before); OC_ENOSPC (too far ahead of one that
 * is missing), OC_ENOMEM: then the bound no longer holds. */
int oev_sampler_take(struct oev_sampler *sampler, const struct oev_draw *draw);

/* Begins anew with @sums over draws that will not come. */
void oev_sampler_carry(struct oev_sampler *sampler, const struct oev_tally *sums);

/* No more draws come. @cut: the node was cut off, or still writes: a few of the last draws may be missing. */
void oev_sampler_end(struct oev_sampler *sampler, bool cut);

/* After oev_sampler_end(). True when none is missing or double, and the bound held throughout. */
bool oev_sampler_holds(const struct oev_sampler *sampler);

/* The largest difference seen, parts per million of a request. */
int64_t oev_sampler_error_max(const struct oev_sampler *sampler);

/* For a random sampler: whether the sum ended within five standard deviations. */
bool oev_sampler_random_holds(const struct oev_sampler *sampler);

void oev_sampler_fini(struct oev_sampler *sampler);
