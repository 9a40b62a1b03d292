/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Offers of each origin about a claim, and what it was told.
 */
#include "oev_origin.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"
#include "oev_follow.h"

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

static bool reacts(const struct oev_row *row)
{
	return (row->flags & OC_DEC_DOIC_CLIENT) != 0 && (row->flags & OC_DEC_REACTING_FOR) == 0;
}

/* Whether the one who sent it could know that a report of the claim means it (RFC 7683 section 2). */
static bool is_addressed(const struct oev_follow *follow, const struct oev_row *row)
{
	return follow->type != OC_REPORT_HOST || row->dest_host == follow->subject;
}

/* Whether the answer brought a report of the claim to a client. One of the recording node itself is in every answer about its
 * subject that goes to a client that reacts. */
static bool is_told(const struct oev_audit *audit, const struct oev_follow *follow, const struct oev_row *row,
		    const struct oev_answer *answer)
{
	bool is_relayed = answer->maker == OC_MADE_UPSTREAM;
	bool carries = audit->claims[follow->claim].is_own ? reacts(row) : is_relayed && answer->passes;

	if (!carries || answer->result_code == 0 ||
	    !oev_follow_is_in_force(audit, follow, row->mono_ns + answer->took_ns))
		return false;
	if (follow->type == OC_REPORT_HOST)
		return is_relayed && answer->answered_by == follow->subject;
	return follow->type == OC_REPORT_REALM && oev_answer_of_realm(row, answer);
}

void oev_origin_request(struct oev_scan *scan, const struct oev_follow *follow,
			const struct oev_concern *concern, const struct oev_row *row)
{
	bool is_during = concern->phase == OEV_PHASE_DURING, addressed = is_addressed(follow, row);
	uint64_t times = concern->times;

	if (!concern->is_offered)
		return;
	struct oev_origin *origin = origin_of(scan, follow, row);
	if (origin == NULL) {
		scan->audit->origins_unlisted += times;
		return;
	}
	if (concern->phase == OEV_PHASE_BEFORE && addressed) {
		if (origin->before == 0 || row->wall_us < origin->first_us)
			origin->first_us = row->wall_us;
		origin->before += times;
	}
	origin->after += concern->phase == OEV_PHASE_AFTER && addressed ? times : 0;
	origin->during += is_during && addressed ? times : 0;
	origin->unaddressed += is_during && !addressed ? times : 0;
	if (!is_during && concern->phase != OEV_PHASE_BEFORE)
		return;
	origin->seen += times;
	origin->reacting += reacts(row) ? times : 0;
}

void oev_origin_answer(struct oev_scan *scan, const struct oev_follow *follow,
		       const struct oev_concern *concern, const struct oev_row *row,
		       const struct oev_answer *answer)
{
	uint64_t at_us = row->wall_us + answer->took_ns / 1000;
	struct oev_origin *origin = concern->is_offered ? origin_of(scan, follow, row) : NULL;

	if (origin == NULL)
		return;
	if (concern->phase == OEV_PHASE_DURING && answer->result_code != 0)
		origin->answered += concern->times;
	if (!is_told(scan->audit, follow, row, answer))
		return;
	origin->told += concern->times;
	if (origin->told_us == 0 || at_us < origin->told_us)
		origin->told_us = at_us;
}

/* What the versions of @claim ask of one that was told at @told_us. */
static struct oev_demand asked_of(const struct oev_audit *audit, const struct oev_claim *claim,
				  uint64_t told_us)
{
	struct oev_demand asked = { 0 };

	for (uint32_t i = 0; i < claim->version_count; i++) {
		const struct oev_version *version = &audit->versions[claim->version_first + i];
		double all_s = (double)(version->end_ns - version->from_ns) / 1e9;
		if (!version->in_window || version->validity_s == 0)
			continue;
		double late_s = told_us > version->from_us ? (double)(told_us - version->from_us) / 1e6 : 0;
		double for_s = late_s < all_s ? all_s - late_s : 0;
		asked.active_s += all_s;
		asked.untold_s += all_s - for_s;
		asked.share_s += version->is_rate ? 0 : for_s * version->reduction_pct / 100.0;
		asked.allowed += version->is_rate ? for_s * version->rate_rps : 0;
	}
	return asked;
}

/* How many times as long as this origin's "before" the claim was in force; 0 it sent nothing before. */
static double times_before(const struct oev_audit *audit, const struct oev_origin *origin)
{
	const struct oev_effect *effect = &audit->effects[origin->claim];
	uint64_t before_us = effect->phase[OEV_PHASE_BEFORE].span_us, since_us = 0;

	if (origin->before > 0 && origin->first_us < effect->first_us)
		since_us = effect->first_us - origin->first_us;
	before_us = since_us < before_us ? since_us : before_us;
	return before_us > 0 ? (double)effect->phase[OEV_PHASE_DURING].span_us / (double)before_us : 0;
}

static bool has_loss(const struct oev_audit *audit, const struct oev_claim *claim,
		     const struct oev_effect *effect)
{
	return oev_audit_has_gap_between(audit, claim, effect->first_us - effect->around_us,
					 effect->ended_us);
}

static void judge(const struct oev_audit *audit, struct oev_origin *origin)
{
	const struct oev_claim *claim = &audit->claims[origin->claim];
	const struct oev_effect *effect = &audit->effects[origin->claim];
	const struct oev_conduct conduct = { .is_peer = claim->type == OC_REPORT_PEER,
					     .has_loss = has_loss(audit, claim, effect),
					     .knows_before = effect->phase[OEV_PHASE_BEFORE].span_us > 0,
					     .seen = origin->seen,
					     .reacting = origin->reacting,
					     .before = origin->before,
					     .during = origin->during,
					     .unaddressed = origin->unaddressed,
					     .told = origin->told,
					     .times_before = times_before(audit, origin),
					     .asked = asked_of(audit, claim, origin->told_us) };
	struct oev_judgement judgement = oev_obedience_judge(&conduct);

	origin->expected = judgement.expected;
	origin->obedience = judgement.obedience;
}

/* By claim and rank, then by what they offered. */
static int by_weight(const void *a, const void *b)
{
	const struct oev_origin *left = a, *right = b;

	if (left->claim != right->claim)
		return left->claim < right->claim ? -1 : 1;
	int rank = oev_obedience_rank(left->obedience) - oev_obedience_rank(right->obedience);
	if (rank != 0)
		return rank;
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
