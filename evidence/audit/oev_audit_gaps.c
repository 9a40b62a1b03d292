/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Where the evidence is not complete: what the node says it lost, and what nobody could write down.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_audit_parts.h"
#include "oev_cover.h"

static int add_gap(struct oev_audit *audit, uint32_t segment, enum oev_gap_kind kind, uint64_t since_us,
		   uint64_t until_us, const char *reason)
{
	struct oev_gap *gap = oev_audit_grow(&audit->gaps, &audit->gap_count, sizeof(*gap));

	if (gap == NULL)
		return OC_ENOMEM;
	gap->segment = segment;
	gap->kind = kind;
	gap->since_us = since_us;
	gap->wall_us = until_us;
	snprintf(gap->reason, sizeof(gap->reason), "%s", reason);
	return OC_OK;
}

/* Parts between two that are there. */
static int add_parts(struct oev_audit *audit, const struct oev_life *life)
{
	int rc = OC_OK;

	for (uint32_t i = life->first + 1; rc == OC_OK && i < life->first + life->count; i++) {
		const struct oev_segment *before = &audit->segments[i - 1], *after = &audit->segments[i];
		char reason[96];
		if (oev_life_follows(audit, i))
			continue;
		if (after->part > before->part + 2)
			snprintf(reason, sizeof(reason),
				 "parts %" PRIu64 " to %" PRIu64 " of this life are not here",
				 before->part + 1, after->part - 1);
		else
			snprintf(reason, sizeof(reason), "part %" PRIu64 " of this life is not here",
				 before->part + 1);
		rc = add_gap(audit, i, OEV_GAP_PART, oev_segment_until(before), after->started_us, reason);
	}
	return rc;
}

/* When the evidence of the same node goes on after @us; UINT64_MAX when it does not. */
static uint64_t next_start(const struct oev_audit *audit, const char *node, uint64_t us)
{
	uint64_t next_us = UINT64_MAX;

	for (size_t i = 0; i < audit->segment_count; i++)
		if (strcmp(audit->segments[i].node, node) == 0 && audit->segments[i].started_us >= us &&
		    audit->segments[i].started_us < next_us)
			next_us = audit->segments[i].started_us;
	return next_us;
}

static int add_cut(struct oev_audit *audit, const struct oev_life *life)
{
	uint32_t last = life->first + life->count - 1;
	const struct oev_segment *segment = &audit->segments[last];
	uint64_t next_us = life->is_open ? next_start(audit, segment->node, segment->last_us) : UINT64_MAX;

	if (next_us == UINT64_MAX)
		return OC_OK; /* still recording, or nothing tells that it is not */
	return add_gap(audit, last, OEV_GAP_CUT, segment->last_us, next_us,
		       "cut off, and never finished from its journal");
}

static void place_in_window(struct oev_audit *audit, struct oev_gap *gap)
{
	gap->in_window = gap->wall_us >= audit->options.from_us && gap->since_us < audit->options.until_us;
	audit->gaps_in_window += gap->in_window;
}

int oev_audit_part_gone(struct oev_audit *audit, uint32_t segment)
{
	struct oev_segment *gone = &audit->segments[segment];
	const char *slash = strrchr(gone->path, '/');
	char reason[96];

	gone->is_gone = true;
	snprintf(reason, sizeof(reason), "%.50s was removed while it was read",
		 slash != NULL ? slash + 1 : gone->path);
	int rc = add_gap(audit, segment, OEV_GAP_PART, gone->started_us, oev_segment_until(gone), reason);
	if (rc == OC_OK)
		place_in_window(audit, &audit->gaps[audit->gap_count - 1]);
	return rc;
}

int oev_audit_gaps(struct oev_audit *audit)
{
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < audit->life_count; i++) {
		rc = add_parts(audit, &audit->lives[i]);
		if (rc == OC_OK)
			rc = add_cut(audit, &audit->lives[i]);
	}
	for (size_t i = 0; i < audit->gap_count; i++)
		place_in_window(audit, &audit->gaps[i]);
	return rc;
}

/* From the first version of @claim to the last effect of any, wall time; versions outside the window do not count. */
static struct oev_span lived(const struct oev_audit *audit, const struct oev_claim *claim)
{
	struct oev_span span = { UINT64_MAX, 0 };

	for (uint32_t i = 0; i < claim->version_count; i++) {
		const struct oev_version *version = &audit->versions[claim->version_first + i];
		uint64_t last_ns = version->effect_ns != UINT64_MAX ? version->effect_ns
								    : audit->lives[version->life].last_ns;
		uint64_t until_us =
			oev_audit_wall(version, last_ns > version->end_ns ? last_ns : version->end_ns);
		if (!version->in_window)
			continue;
		span.from_us = version->from_us < span.from_us ? version->from_us : span.from_us;
		span.until_us = until_us > span.until_us ? until_us : span.until_us;
	}
	return span;
}

static bool touches(const struct oev_gap *gap, uint64_t from_us, uint64_t until_us)
{
	return gap->wall_us >= from_us && gap->since_us <= until_us;
}

/* Sums that were carried over a missing part are known; events lost inside a part are in no sum. What was lost after all effect of
 * the claim was over took nothing from it. */
bool oev_audit_has_gap(const struct oev_audit *audit, const struct oev_claim *claim)
{
	struct oev_span span = lived(audit, claim);
	uint64_t until_us = span.until_us < audit->options.until_us ? span.until_us : audit->options.until_us;
	uint64_t window_us = span.from_us > audit->options.from_us ? span.from_us : audit->options.from_us;

	for (size_t i = 0; i < audit->gap_count; i++) {
		const struct oev_gap *gap = &audit->gaps[i];
		uint64_t since_us = gap->kind == OEV_GAP_EVENTS ? span.from_us : window_us;
		if (gap->kind != OEV_GAP_CUT && touches(gap, since_us, until_us) &&
		    strcmp(audit->segments[gap->segment].node, claim->recorded_by) == 0)
			return true;
	}
	return false;
}

bool oev_audit_has_gap_between(const struct oev_audit *audit, const struct oev_claim *claim, uint64_t from_us,
			       uint64_t until_us)
{
	for (size_t i = 0; i < audit->gap_count; i++)
		if (audit->gaps[i].in_window && touches(&audit->gaps[i], from_us, until_us) &&
		    strcmp(audit->segments[audit->gaps[i].segment].node, claim->recorded_by) == 0)
			return true;
	return false;
}

bool oev_audit_has_gap_in_effect(const struct oev_audit *audit, const struct oev_claim *claim)
{
	struct oev_span span = lived(audit, claim);

	return oev_audit_has_gap_between(audit, claim, span.from_us, span.until_us);
}
