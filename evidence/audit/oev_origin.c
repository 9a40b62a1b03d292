/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Offers of each origin about a claim, and what they say of its obedience.
 */
#include "oev_origin.h"

#include <math.h>
#include <stdlib.h>

#include "../../agent/oc_err.h"
#include "oev_follow.h"

#define SIGMAS 5.0
#define TOO_FEW 25.0 /* expected at the old rate: below, five deviations are more than all of them */

const char *oev_obedience_text(enum oev_obedience obedience)
{
	static const char *const words[] = { "obeyed", "went_on", "held_here", "too_few", "not_told" };
	_Static_assert(sizeof(words) / sizeof(words[0]) == OEV_OBEDIENCE_COUNT, "one word per kind");
	return words[obedience];
}

/* The row of @row's origin under the claim of @follow; NULL when there is no room for a new one. */
static struct oev_origin *origin_of(struct oev_scan *scan, const struct oev_follow *follow,
				    const struct oev_row *row)
{
	struct oev_audit *audit = scan->audit;
	bool has_room = audit->origin_count < OEV_ORIGINS_MAX;
	uint32_t name = oev_follow_name(scan, row->origin_host, has_room);
	uint64_t key = (uint64_t)follow->claim << 32 | name;
	uint64_t at = name != 0 ? oev_index_get(&audit->origin_index, key) : 0;

	if (at != 0)
		return &audit->origins[at - 1];
	if (name == 0 || !has_room)
		return NULL;
	struct oev_origin *origin = oev_audit_grow(&audit->origins, &audit->origin_count, sizeof(*origin));
	if (origin == NULL || oev_index_put(&audit->origin_index, key, audit->origin_count) != OC_OK)
		return NULL;
	origin->claim = follow->claim;
	origin->name = name;
	return origin;
}

void oev_origin_request(struct oev_scan *scan, const struct oev_follow *follow,
			const struct oev_concern *concern, const struct oev_row *row)
{
	bool reacts = (row->flags & OC_DEC_DOIC_CLIENT) != 0 && (row->flags & OC_DEC_REACTING_FOR) == 0;
	uint64_t times = concern->times;

	if (!concern->is_offered)
		return;
	struct oev_origin *origin = origin_of(scan, follow, row);
	if (origin == NULL) {
		scan->audit->origins_unlisted += times;
		return;
	}
	origin->before += concern->phase == OEV_PHASE_BEFORE ? times : 0;
	origin->after += concern->phase == OEV_PHASE_AFTER ? times : 0;
	origin->during += concern->phase == OEV_PHASE_DURING ? times : 0;
	origin->reacting += concern->phase == OEV_PHASE_DURING && reacts ? times : 0;
}

void oev_origin_answer(struct oev_scan *scan, const struct oev_follow *follow,
		       const struct oev_concern *concern, const struct oev_row *row,
		       const struct oev_answer *answer)
{
	if (!concern->is_offered || concern->phase != OEV_PHASE_DURING || answer->result_code == 0)
		return;
	struct oev_origin *origin = origin_of(scan, follow, row);
	if (origin != NULL)
		origin->told += concern->times;
}

/* Requests that the versions of @claim would let one origin offer, of @usual at its old rate. */
static double allowed(const struct oev_audit *audit, const struct oev_claim *claim, double usual)
{
	double active_s = 0, share_s = 0, rate_s = 0;

	for (uint32_t i = 0; i < claim->version_count; i++) {
		const struct oev_version *version = &audit->versions[claim->version_first + i];
		double for_s = (double)(version->end_ns - version->from_ns) / 1e9;
		if (!version->in_window || version->validity_s == 0)
			continue;
		active_s += for_s;
		share_s += version->is_rate ? 0 : for_s * version->reduction_pct / 100.0;
		rate_s += version->is_rate ? for_s * version->rate_rps : 0;
	}
	double left = active_s > 0 ? usual * (1.0 - share_s / active_s) : usual;
	return rate_s > 0 && rate_s < left ? rate_s : left;
}

static void judge(const struct oev_audit *audit, struct oev_origin *origin)
{
	const struct oev_traffic *phase = audit->effects[origin->claim].phase;
	double before_us = (double)phase[OEV_PHASE_BEFORE].span_us;
	double during_us = (double)phase[OEV_PHASE_DURING].span_us;
	double usual = before_us > 0 ? (double)origin->before * during_us / before_us : 0;
	double seen = (double)origin->during;

	origin->expected = allowed(audit, &audit->claims[origin->claim], usual);
	if (origin->reacting * 2 < origin->during)
		origin->obedience = OEV_HELD_HERE;
	else if (origin->told == 0)
		origin->obedience = OEV_NOT_TOLD;
	else if (usual < TOO_FEW || usual - origin->expected < SIGMAS * sqrt(usual))
		origin->obedience = OEV_TOO_FEW;
	else if (seen > (usual + origin->expected) / 2 &&
		 seen > origin->expected + SIGMAS * sqrt(origin->expected))
		origin->obedience = OEV_WENT_ON;
	else
		origin->obedience = OEV_OBEYED;
}

/* By claim; those that went on first, then by what they offered. */
static int by_weight(const void *a, const void *b)
{
	const struct oev_origin *left = a, *right = b;
	bool left_on = left->obedience == OEV_WENT_ON, right_on = right->obedience == OEV_WENT_ON;

	if (left->claim != right->claim)
		return left->claim < right->claim ? -1 : 1;
	if (left_on != right_on)
		return left_on ? -1 : 1;
	if (left->during != right->during)
		return left->during > right->during ? -1 : 1;
	return left->name < right->name ? -1 : left->name > right->name;
}

void oev_origins_end(struct oev_audit *audit)
{
	for (size_t i = 0; i < audit->origin_count; i++)
		judge(audit, &audit->origins[i]);
	if (audit->origin_count > 1)
		qsort(audit->origins, audit->origin_count, sizeof(*audit->origins), by_weight);
}
