/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * States that were valid when a life of the node ended, and that the lives after it did not hold.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../../agent/oc_err.h"
#include "../oev_time.h"
#include "oev_audit_parts.h"

static bool is_stopped(const struct oev_version *version)
{
	return strcmp(version->how, "shutdown") == 0;
}

/* Whether the end of its life ended it, and nothing else. What the node itself reports ends with the node; a capture knows no lives; and
 * in a part that is not here it may have ended. */
static bool was_left(const struct oev_audit *audit, const struct oev_version *version)
{
	const struct oev_life *life = &audit->lives[version->life];

	return (is_stopped(version) || strcmp(version->how, "open") == 0) && version->validity_s > 0 &&
	       version->end_ns < version->expires_ns && !life->is_capture && !life->lacks_end &&
	       !audit->claims[version->claim].is_own;
}

/* Whether @report speaks of the same subject as @claim: a rate of one client gives way to what is told to all. */
static bool speaks_of(const struct oev_report *report, uint32_t number, const struct oev_claim *claim)
{
	if (report->claim == (int32_t)number)
		return true;
	return claim->origin[0] != '\0' && report->type == claim->type && report->app_id == claim->app_id &&
	       strcmp(report->algorithm, "rate") != 0 && strcasecmp(report->subject, claim->subject) == 0;
}

/* When @life was told anew what to do for @claim; UINT64_MAX never. */
static uint64_t told_us(const struct oev_audit *audit, uint32_t life, uint32_t claim)
{
	uint64_t first_us = UINT64_MAX;

	for (size_t i = 0; i < audit->report_count; i++) {
		const struct oev_report *report = &audit->reports[i];
		if (report->life == life && report->accepted && report->wall_us < first_us &&
		    speaks_of(report, claim, &audit->claims[claim]))
			first_us = report->wall_us;
	}
	for (size_t i = 0; i < audit->version_count; i++) {
		const struct oev_version *version = &audit->versions[i];
		if (version->life == life && version->claim == claim && version->from_us < first_us)
			first_us = version->from_us;
	}
	return first_us;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static int add(struct oev_audit *audit, struct oev_version *version, uint32_t life, uint64_t until_us,
	       uint64_t told)
{
	const struct oev_life *at = &audit->lives[life];
	const struct oev_audit_options *options = &audit->options;
	struct oev_lapse lapse = { .claim = version->claim,
				   .life = life,
				   .held_in = version->life,
				   .number = version->number,
				   .valid_until_us = until_us,
				   .was_stopped = is_stopped(version),
				   .is_renewed = told < least(until_us, at->until_us) };

	lapse.from_us = at->started_us > options->from_us ? at->started_us : options->from_us;
	lapse.until_us = least(least(least(until_us, at->until_us), told), options->until_us);
	if (lapse.until_us <= lapse.from_us)
		return OC_OK;
	struct oev_lapse *added = oev_audit_grow(&audit->lapses, &audit->lapse_count, sizeof(*added));
	if (added == NULL)
		return OC_ENOMEM;
	*added = lapse;
	if (version->lapsed_until_us == 0)
		version->lapsed_from_us = lapse.from_us;
	version->lapsed_until_us = lapse.until_us;
	return OC_OK;
}

/* @version through the lives after its own, until one of them is told something, or it would have expired. */
static int follow(struct oev_audit *audit, struct oev_version *version)
{
	uint64_t until_us = version->from_us + (uint64_t)version->validity_s * 1000000u;
	uint32_t life = oev_life_after(audit, version->life);
	int rc = OC_OK;

	/* what a part that is not here was told may be over, and then no later part repeats it */
	while (rc == OC_OK && life != UINT32_MAX && audit->lives[life].started_us < until_us &&
	       !audit->lives[life].lacks_beginning) {
		uint64_t told = told_us(audit, life, version->claim);
		rc = add(audit, version, life, until_us, told);
		if (told != UINT64_MAX)
			break;
		life = oev_life_after(audit, life);
	}
	return rc;
}

int oev_lapses_make(struct oev_audit *audit)
{
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && audit->life_count > 1 && i < audit->version_count; i++)
		if (was_left(audit, &audit->versions[i]))
			rc = follow(audit, &audit->versions[i]);
	return rc;
}

struct oev_lapse *oev_lapse_of(const struct oev_audit *audit, uint32_t claim, uint32_t life)
{
	for (size_t i = 0; i < audit->lapse_count; i++)
		if (audit->lapses[i].claim == claim && audit->lapses[i].life == life)
			return &audit->lapses[i];
	return NULL;
}

const char *oev_lapse_text(const struct oev_audit *audit, const struct oev_lapse *lapse, char *buf,
			   size_t size)
{
	char from[OEV_TIME_TEXT_MAX], until[OEV_TIME_TEXT_MAX], number[32];
	bool one = lapse->requests == 1;

	oev_time_text(lapse->from_us / 1000 * 1000, from);
	oev_time_text(lapse->until_us / 1000 * 1000, until);
	snprintf(buf, size,
		 "life %" PRIu32 " did not hold version #%" PRIu32 " of life %" PRIu32
		 " (%s), still valid: from %s to %s%s, %s request%s in scope %s not compared",
		 oev_life_number(audit, lapse->life), lapse->number, oev_life_number(audit, lapse->held_in),
		 lapse->was_stopped ? "stopped" : "killed", from, until,
		 lapse->is_renewed ? ", when a report came" : "", oev_number_text(lapse->requests, number),
		 one ? "" : "s", one ? "was" : "were");
	return buf;
}

const char *oev_version_ended(const struct oev_audit *audit, const struct oev_version *version)
{
	if (strcmp(version->how, "open") != 0 || version->end_ns >= version->expires_ns)
		return version->how;
	const struct oev_life *life = &audit->lives[version->life];
	bool over = life->was_cut || oev_life_after(audit, version->life) != UINT32_MAX;

	return over && !life->is_capture ? "cut off" : version->how;
}

bool oev_claim_has_lives(const struct oev_audit *audit, const struct oev_claim *claim)
{
	const struct oev_version *versions = &audit->versions[claim->version_first], *first = NULL;

	for (uint32_t i = 0; i < claim->version_count; i++) {
		if (!versions[i].in_window)
			continue;
		first = first != NULL ? first : &versions[i];
		if (versions[i].life != first->life)
			return true;
	}
	return false;
}
