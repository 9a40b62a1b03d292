/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sums of the phases of a claim.
 */
#include "oev_effect.h"

#include <string.h>

#include "oev_follow.h"

const char *oev_phase_text(enum oev_phase phase)
{
	static const char *const words[] = { "before", "during", "ramp", "after", "apart" };
	_Static_assert(sizeof(words) / sizeof(words[0]) == OEV_PHASE_COUNT, "one word per phase");
	return words[phase];
}

const char *oev_class_of_answer_text(enum oev_class_of_answer kind)
{
	static const char *const words[] = {
		"success", "protocol", "busy", "transient", "permanent", "other"
	};
	_Static_assert(sizeof(words) / sizeof(words[0]) == OEV_ANSWER_COUNT, "one word per class");
	return words[kind];
}

enum oev_class_of_answer oev_class_of_result(uint32_t result_code)
{
	switch (result_code / 1000) {
	case 2:
		return OEV_ANSWER_SUCCESS;
	case 3:
		return result_code == OC_RC_TOO_BUSY ? OEV_ANSWER_BUSY : OEV_ANSWER_PROTOCOL;
	case 4:
		return OEV_ANSWER_TRANSIENT;
	case 5:
		return OEV_ANSWER_PERMANENT;
	default:
		return OEV_ANSWER_OTHER;
	}
}

uint64_t oev_version_normal(const struct oev_version *version)
{
	if (version->recovered_ns != 0)
		return version->recovered_ns;
	if (version->replaced_ns != 0)
		return version->replaced_ns;
	if (strcmp(version->how, "forgotten") == 0 ||
	    (version->effect_ns != UINT64_MAX && version->validity_s == 0))
		return version->effect_ns;
	return 0;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void take_version(const struct oev_audit *audit, struct oev_effect *effect,
			 const struct oev_version *version)
{
	uint64_t normal_ns = oev_version_normal(version);

	if (effect->first_us == 0 || version->from_us < effect->first_us)
		effect->first_us = version->from_us;
	effect->ended_us = later(effect->ended_us, oev_audit_wall(version, version->end_ns));
	if (normal_ns != 0)
		effect->normal_us = later(effect->normal_us, oev_audit_wall(version, normal_ns));
	(void)audit;
}

static uint64_t between(uint64_t value, uint64_t least, uint64_t most)
{
	return value < least ? least : value > most ? most : value;
}

void oev_effect_begin(struct oev_audit *audit, uint32_t claim)
{
	const struct oev_claim *of = &audit->claims[claim];
	struct oev_effect *effect = &audit->effects[claim];
	const struct oev_version *last = NULL;

	for (uint32_t i = 0; i < of->version_count; i++) {
		const struct oev_version *version = &audit->versions[of->version_first + i];
		if (!version->in_window)
			continue;
		take_version(audit, effect, version);
		last = version;
	}
	if (last == NULL)
		return;
	if (oev_version_normal(last) == 0) /* nothing tells when the last one was over */
		effect->normal_us = 0;
	effect->around_us =
		between(effect->ended_us - effect->first_us, OEV_EFFECT_LEAST_US, OEV_EFFECT_MOST_US);
	effect->is_adjacent = of->type != OC_REPORT_HOST;
}

bool oev_effect_is_useful(const struct oev_audit *audit, const struct oev_answer *answer)
{
	uint64_t patience_us = audit->options.patience_us != 0 ? audit->options.patience_us : OEV_PATIENCE_US;

	return answer->maker == OC_MADE_UPSTREAM && answer->result_code / 1000 == 2 &&
	       answer->took_ns / 1000 <= patience_us;
}

bool oev_effect_came_through(const struct oev_follow *follow, const struct oev_row *row,
			     const struct oev_answer *answer)
{
	return follow->type == OC_REPORT_HOST && answer->maker == OC_MADE_UPSTREAM && row->next_hop != 0 &&
	       row->next_hop != follow->subject &&
	       (answer->answered_by == follow->subject || answer->from_peer == follow->subject);
}

/* The place of next hop @id among the alternatives; NULL when there is no room for it. */
static struct oev_alternative *alternative_of(struct oev_scan *scan, struct oev_effect *effect, uint32_t id)
{
	uint32_t name = oev_follow_name(scan, id, effect->alternative_count < OEV_ALTERNATIVES_MAX);

	for (uint32_t i = 0; name != 0 && i < effect->alternative_count; i++)
		if (effect->alternative[i].name == name)
			return &effect->alternative[i];
	if (name == 0 || effect->alternative_count == OEV_ALTERNATIVES_MAX)
		return NULL;
	effect->alternative[effect->alternative_count].name = name;
	return &effect->alternative[effect->alternative_count++];
}

void oev_effect_request(struct oev_scan *scan, const struct oev_follow *follow,
			const struct oev_concern *concern, const struct oev_row *row, unsigned retried)
{
	struct oev_effect *effect = follow->effect;
	struct oev_traffic *traffic = &effect->phase[concern->phase];
	uint64_t times = concern->times;

	if (concern->is_offered) {
		traffic->offered += times;
		traffic->matched += concern->is_compared ? times : 0;
		traffic->selected += concern->is_selected ? times : 0;
		traffic->refused += row->verdict == OC_REFUSE ? times : 0;
		traffic->diverted += row->verdict == OC_DIVERT ? times : 0;
		traffic->retried += retried != 0 ? times : 0;
		traffic->passed += concern->is_arrival ? times : 0;
	}
	traffic->arrived += concern->is_arrival ? times : 0;
	effect->is_adjacent |= concern->is_arrival;
	if (!concern->is_alternative)
		return;
	struct oev_alternative *alternative = alternative_of(scan, effect, row->next_hop);
	traffic->alternatives += times;
	if (alternative != NULL)
		alternative->sent[concern->phase] += times;
	else
		effect->alternatives_unlisted += times;
}

void oev_effect_answer(struct oev_scan *scan, const struct oev_follow *follow,
		       const struct oev_concern *concern, const struct oev_row *row,
		       const struct oev_answer *answer)
{
	struct oev_effect *effect = follow->effect;
	struct oev_traffic *traffic = &effect->phase[concern->phase];
	uint64_t times = concern->times;
	bool useful = oev_effect_is_useful(scan->audit, answer);
	bool through = oev_effect_came_through(follow, row, answer);

	if (through) { /* somebody between passed it on */
		traffic->arrived += times;
		traffic->passed += concern->is_offered ? times : 0;
		traffic->alternatives -= concern->is_alternative ? times : 0;
	}
	if ((concern->is_arrival || through) && answer->maker == OC_MADE_UPSTREAM) {
		traffic->answers[oev_class_of_result(answer->result_code)] += times;
		traffic->useful += useful ? times : 0;
	}
	if (!concern->is_alternative)
		return;
	struct oev_alternative *alternative = alternative_of(scan, effect, row->next_hop);
	if (alternative != NULL) {
		alternative->sent[concern->phase] -= through ? times : 0;
		alternative->useful[concern->phase] += useful && !through ? times : 0;
	} else if (through) {
		effect->alternatives_unlisted -= times;
	}
	traffic->alternatives_useful += useful && !through ? times : 0;
}

/* Common length of [@from_us, @until_us) with the window and the evidence of the node, microseconds. */
static uint64_t told_us(const struct oev_audit *audit, const struct oev_claim *claim, uint64_t from_us,
			uint64_t until_us)
{
	from_us = later(from_us, audit->options.from_us);
	until_us = until_us < audit->options.until_us ? until_us : audit->options.until_us;
	return until_us > from_us ? oev_lives_cover(audit, claim->recorded_by, from_us, until_us) : 0;
}

static void end_version(const struct oev_audit *audit, struct oev_effect *effect,
			const struct oev_claim *claim, const struct oev_version *version)
{
	uint64_t normal_ns = oev_version_normal(version), end_us = oev_audit_wall(version, version->end_ns);
	uint64_t effect_ns =
		version->effect_ns != UINT64_MAX ? version->effect_ns : audit->lives[version->life].last_ns;

	effect->phase[OEV_PHASE_DURING].span_us += told_us(audit, claim, version->from_us, end_us);
	if (effect_ns > version->end_ns)
		effect->phase[OEV_PHASE_RAMP].span_us +=
			told_us(audit, claim, end_us, oev_audit_wall(version, effect_ns));
	if (version->selected_ns != 0) {
		uint64_t selected_us = oev_audit_wall(version, version->selected_ns);
		if (effect->selected_us == 0 || selected_us < effect->selected_us)
			effect->selected_us = selected_us;
		if (version->selected_ns > version->from_ns)
			effect->slowest_effect_us = later(effect->slowest_effect_us,
							  (version->selected_ns - version->from_ns) / 1000);
	}
	if (normal_ns != 0 && version->replaced_ns == 0) {
		effect->has_normal = true;
		if (normal_ns > version->end_ns)
			effect->slowest_normal_us =
				later(effect->slowest_normal_us, (normal_ns - version->end_ns) / 1000);
	}
}

void oev_effect_end(struct oev_audit *audit, uint32_t claim)
{
	const struct oev_claim *of = &audit->claims[claim];
	struct oev_effect *effect = &audit->effects[claim];
	uint64_t over_us = effect->normal_us != 0 ? effect->normal_us : effect->ended_us;

	for (uint32_t i = 0; i < of->version_count; i++)
		if (audit->versions[of->version_first + i].in_window)
			end_version(audit, effect, of, &audit->versions[of->version_first + i]);
	if (effect->first_us == 0)
		return;
	effect->phase[OEV_PHASE_BEFORE].span_us =
		told_us(audit, of, effect->first_us - effect->around_us, effect->first_us);
	effect->phase[OEV_PHASE_AFTER].span_us = told_us(audit, of, over_us, over_us + effect->around_us);
}
