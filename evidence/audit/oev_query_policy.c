/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the policies of a segment say of ramps, samplers and bounds.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_policy.h"
#include "oev_query_open.h"

/* The value after "@key:" in the policy's YAML; NULL when the key does not occur. */
static const char *policy_value(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	if (at == NULL)
		return NULL;
	at += strlen(key);
	return at + strspn(at, " \t\"'");
}

/* The number after @key in thousandths, or @fallback; the first of a list in brackets. */
static uint32_t policy_permille(const char *text, const char *key, uint32_t fallback)
{
	const char *at = policy_value(text, key);
	char *end;

	if (at == NULL)
		return fallback;
	at += strspn(at, "[ \t\r\n-"); /* of a list either way of writing it */
	double value = strtod(at, &end);
	return end != at && value >= 0 && value <= 1e6 ? (uint32_t)(value * 1000 + 0.5) : fallback;
}

static uint32_t more_of(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* What the bounds of selection depend on; of several policies what allows most. The defaults are the policy's own. */
static void read_bounds(struct oev_segment *segment, const char *text)
{
	static const struct {
		const char *slack, *threshold, *resonance;
	} keys = { "slack_requests:", "thresholds:", "anti_resonance:" };
	struct oc_policy policy;

	oc_policy_init(&policy);
	uint32_t slack = policy_permille(text, keys.slack, policy.priorities.slack * 1000) / 1000;
	uint32_t threshold = policy_permille(text, keys.threshold, policy.rate.threshold_permille[0]);
	const char *resonance = policy_value(text, keys.resonance);
	segment->slack = more_of(segment->slack, slack);
	segment->threshold_permille = more_of(segment->threshold_permille, threshold);
	segment->anti_resonant |= resonance != NULL && strncmp(resonance, "true", 4) == 0;
}

void oev_query_policies(struct oev_segment *segment)
{
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_POLICY);

	segment->ramp_ms = 0;
	while (stmt != NULL && sqlite3_step(stmt) == SQLITE_ROW) {
		const char *text = oev_query_word(stmt, 0);
		const char *sampler = policy_value(text, "sampler:"), *ramp = policy_value(text, "ramp_ms:");
		uint64_t ramp_ms = ramp != NULL ? strtoull(ramp, NULL, 10) : 30000; /* the policy's default */
		if (sampler != NULL && strncmp(sampler, "random", 6) == 0)
			segment->sampler_random = true;
		if (ramp_ms > segment->ramp_ms)
			segment->ramp_ms = ramp_ms;
		read_bounds(segment, text);
	}
	sqlite3_finalize(stmt);
	if (segment->ramp_ms == 0)
		segment->ramp_ms = 30000;
}
