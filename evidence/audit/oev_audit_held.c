/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The first two steps: that a reduction was asked for, and that the node held it as long as it was asked.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../../agent/oc_event.h"
#include "oev_audit_parts.h"

#define SECOND_NS 1000000000ull
#define VALIDITY_DEFAULT_S 30u /* RFC 7683 section 7.5: absent or above a day */
#define VALIDITY_MAX_S 86400u

static uint32_t validity_of(const struct oev_report *report)
{
	if (!report->has_validity || report->validity_s > VALIDITY_MAX_S)
		return VALIDITY_DEFAULT_S;
	return report->validity_s;
}

static bool counts(const struct oev_audit *audit, const struct oev_report *report,
		   const struct oev_claim *claim)
{
	uint64_t until_us = report->wall_us + (uint64_t)validity_of(report) * 1000000u;

	return report->claim == (int32_t)(claim - audit->claims) &&
	       report->wall_us < audit->options.until_us && until_us >= audit->options.from_us;
}

struct asked {
	const struct oev_report *first, *last;
	uint32_t validity_s; /* of the last that asks for something, not of the end it tells */
	uint64_t with_raw, partial, differs;
	bool several_peers;
};

static void count_report(struct oev_audit *audit, struct oev_claim *claim, const struct oev_report *report,
			 struct asked *asked)
{
	claim->reports++;
	claim->receptions += 1 + report->repeats;
	asked->with_raw += report->raw_kept > 0;
	asked->partial += report->raw_kept > 0 && report->raw_partial;
	asked->several_peers |= asked->last != NULL && strcmp(asked->last->peer, report->peer) != 0;
	asked->first = asked->first != NULL ? asked->first : report;
	asked->last = report;
	asked->validity_s = validity_of(report) > 0 ? validity_of(report) : asked->validity_s;
	if (!report->raw_differs)
		return;
	struct oev_exception found = { .kind = OEV_X_REPORT_RAW,
				       .claim = report->claim,
				       .segment = report->segment,
				       .id = report->id,
				       .wall_us = report->wall_us };
	snprintf(found.detail, sizeof(found.detail), "report %" PRIu64 ": %s", report->id,
		 report->raw_detail);
	asked->differs++;
	oev_audit_except(audit, &found);
}

static void asked_ok(const struct oev_claim *claim, const struct asked *asked, struct oev_finding *finding)
{
	const struct oev_report *last = asked->last;
	char sequence[64], asked_for[64], number[32], number2[32], times[48] = "";

	oev_number_text(claim->reports, number);
	if (claim->receptions > claim->reports)
		snprintf(times, sizeof(times), " (%s times)", oev_number_text(claim->receptions, number2));
	snprintf(finding->receipt, sizeof(finding->receipt), "%s report%s%s, raw octets, from %.48s%s",
		 number, claim->reports == 1 ? "" : "s", times, last->peer,
		 asked->several_peers ? " and others" : "");
	if (asked->first == last)
		snprintf(sequence, sizeof(sequence), "%s", last->sequence);
	else
		snprintf(sequence, sizeof(sequence), "%s to %s", asked->first->sequence, last->sequence);
	oev_audit_asked_text(claim, asked_for, sizeof(asked_for));
	snprintf(finding->value, sizeof(finding->value), "%s, sequence %s, %" PRIu32 " s", asked_for,
		 sequence, asked->validity_s);
	finding->status = OEV_OK;
}

void oev_audit_judge_asked(struct oev_audit *audit, struct oev_claim *claim)
{
	struct oev_finding *finding = &claim->step[OEV_STEP_ASKED];
	struct asked asked = { 0 };

	for (size_t i = 0; i < audit->report_count; i++) {
		const struct oev_report *report = &audit->reports[i];
		if (counts(audit, report, claim))
			count_report(audit, claim, report, &asked);
		else if (report->refused && report->type == claim->type && report->app_id == claim->app_id &&
			 strcmp(report->subject, claim->subject) == 0)
			claim->refused++;
	}
	snprintf(finding->bound, sizeof(finding->bound), "-");
	if (asked.last == NULL) {
		snprintf(finding->receipt, sizeof(finding->receipt), "no report");
		snprintf(finding->why, sizeof(finding->why), "no row of table report tells of it");
		return;
	}
	asked_ok(claim, &asked, finding);
	if (asked.differs > 0) {
		finding->status = OEV_REFUTED;
		snprintf(finding->why, sizeof(finding->why),
			 "raw octets and columns disagree in %" PRIu64 " of %" PRIu64 " reports",
			 asked.differs, claim->reports);
	} else if (asked.with_raw < claim->reports || asked.partial > 0) {
		finding->status = asked.with_raw == 0 ? OEV_MISSING : OEV_UNSURE;
		snprintf(finding->why, sizeof(finding->why),
			 "raw octets were kept whole for %" PRIu64 " of %" PRIu64 " reports only",
			 asked.with_raw - asked.partial, claim->reports);
	}
}

/* Common length of [a, b) in wall time with the window, microseconds. */
static uint64_t inside_us(const struct oev_audit *audit, const struct oev_version *version, uint64_t until_ns)
{
	uint64_t from_us =
		version->from_us > audit->options.from_us ? version->from_us : audit->options.from_us;
	uint64_t until_us = oev_audit_wall(version, until_ns);

	if (until_us > audit->options.until_us)
		until_us = audit->options.until_us;
	return until_us > from_us ? until_us - from_us : 0;
}

static void fault(struct oev_finding *finding, const struct oev_version *version, const char *text)
{
	if (finding->status == OEV_REFUTED)
		return; /* the first fault is the one told */
	finding->status = OEV_REFUTED;
	snprintf(finding->why, sizeof(finding->why), "version %" PRIu32 ": %s", version->number, text);
}

/* @version against the report that made it (RFC 7683 section 5.2.1.3; spec rows D-080 to D-083). */
static void check_version(const struct oev_report *report, const struct oev_version *version,
			  struct oev_finding *finding)
{
	uint64_t length_ns = (uint64_t)version->validity_s * SECOND_NS;

	if (strcmp(version->sequence, report->sequence) != 0)
		fault(finding, version, "its sequence number is not its report's");
	else if (version->validity_s > 0 && !version->is_rate &&
		 version->reduction_pct != report->reduction_pct)
		fault(finding, version, "its percentage is not its report's");
	else if (version->validity_s > 0 && version->is_rate && version->rate_rps != report->rate_rps)
		fault(finding, version, "its rate is not its report's");
	else if (version->validity_s != validity_of(report))
		fault(finding, version, "its validity is not its report's (absent or above 86400: 30 s)");
	else if (version->from_ns + OEV_EDGE_NS < report->mono_ns ||
		 version->from_ns > report->mono_ns + OEV_EDGE_NS)
		fault(finding, version, "does not begin with the first reception of its report (D-082)");
	else if (version->expires_ns != version->from_ns + length_ns)
		fault(finding, version, "its expiry is not first reception plus validity (D-082)");
	else if (version->expired_ns != 0 && version->expired_ns + OEV_EDGE_NS < version->expires_ns)
		fault(finding, version, "ended as expired before its validity ran out");
}

static bool made_by(const struct oev_version *version, const struct oev_report *report)
{
	return version->life == report->life && version->report == report->id;
}

/* Next accepted report of the same claim in the same life: what it asked for before is promised no longer. */
static const struct oev_report *next_accepted(const struct oev_audit *audit, size_t index)
{
	const struct oev_report *report = &audit->reports[index];

	for (size_t i = index + 1; i < audit->report_count; i++)
		if (audit->reports[i].claim == report->claim && audit->reports[i].accepted)
			return audit->reports[i].life == report->life ? &audit->reports[i] : NULL;
	return NULL;
}

static uint64_t promised_until(const struct oev_audit *audit, size_t index)
{
	const struct oev_report *report = &audit->reports[index], *next = next_accepted(audit, index);
	const struct oev_life *life = &audit->lives[report->life];
	uint64_t until_ns = report->mono_ns + (uint64_t)validity_of(report) * SECOND_NS;

	if (next != NULL && next->mono_ns < until_ns)
		until_ns = next->mono_ns;
	return life->last_ns < until_ns ? life->last_ns : until_ns;
}

/* A rate allotted to one client ends before its time when a loss for all takes its place, which is a claim of its own: some
 * accepted report says so at that moment. */
static bool gave_way(const struct oev_audit *audit, const struct oev_claim *claim,
		     const struct oev_version *version)
{
	if (version->origin == 0 || strcmp(version->how, "replaced") != 0)
		return false;
	for (size_t i = 0; i < audit->report_count; i++) {
		const struct oev_report *report = &audit->reports[i];
		if (report->accepted && report->life == version->life && report->type == claim->type &&
		    report->app_id == claim->app_id && strcmp(report->algorithm, "rate") != 0 &&
		    strcasecmp(report->subject, claim->subject) == 0 &&
		    report->mono_ns + OEV_EDGE_NS >= version->end_ns &&
		    report->mono_ns <= version->end_ns + OEV_EDGE_NS)
			return true;
	}
	return false;
}

/* A report that was accepted must be held until it runs out or another takes its place. */
static void check_report(const struct oev_audit *audit, struct oev_claim *claim, size_t index, uint32_t *at)
{
	const struct oev_report *report = &audit->reports[index];
	const struct oev_version *versions = &audit->versions[claim->version_first];
	struct oev_finding *finding = &claim->step[OEV_STEP_HELD];
	uint64_t until_ns = promised_until(audit, index);

	while (*at < claim->version_count &&
	       (versions[*at].life < report->life ||
		(versions[*at].life == report->life && versions[*at].report < report->id)))
		(*at)++;
	if (*at >= claim->version_count || !made_by(&versions[*at], report)) {
		if (validity_of(report) == 0 || finding->status == OEV_REFUTED)
			return; /* an end needs no version of its own */
		finding->status = OEV_REFUTED;
		snprintf(finding->why, sizeof(finding->why),
			 "hole: report %" PRIu64 " was accepted, but no version was held for it", report->id);
		return;
	}
	const struct oev_version *version = &versions[*at];
	check_version(report, version, finding);
	if (version->end_ns < until_ns && gave_way(audit, claim, version))
		until_ns = version->end_ns;
	claim->asked_us +=
		inside_us(audit, version, until_ns > version->from_ns ? until_ns : version->from_ns);
	if (version->end_ns + OEV_EDGE_NS < until_ns && strcmp(version->how, "shutdown") != 0)
		fault(finding, version, "hole: it was let go while its report was still valid");
}

/* Two versions of one claim in one life: never both in force, never twice the same sequence in one life. */
static void check_pair(const struct oev_version *before, const struct oev_version *after,
		       struct oev_finding *finding)
{
	if (before->life != after->life)
		return;
	if (after->from_ns + OEV_EDGE_NS < before->end_ns)
		fault(finding, after, "began while the one before it was still in force");
	else if (after->from_ns < before->expires_ns && strcmp(after->sequence, before->sequence) == 0)
		fault(finding, after, "a repeat of the same sequence number was taken as new (D-082)");
}

/* What later lives did not hold is promised all the same; by whom it should have been held, and how many requests passed by it, is said. */
static void check_lapses(const struct oev_audit *audit, struct oev_claim *claim, struct oev_finding *finding)
{
	const struct oev_lapse *first = NULL;
	size_t more = 0, at;

	for (size_t i = 0; i < audit->lapse_count; i++) {
		const struct oev_lapse *lapse = &audit->lapses[i];
		if (lapse->claim != (uint32_t)(claim - audit->claims))
			continue;
		claim->asked_us += lapse->until_us - lapse->from_us;
		more += first != NULL;
		first = first != NULL ? first : lapse;
	}
	if (first == NULL || finding->status == OEV_REFUTED)
		return;
	finding->status = OEV_UNSURE;
	oev_lapse_text(audit, first, finding->why, sizeof(finding->why));
	at = strlen(finding->why);
	if (more > 0)
		snprintf(finding->why + at, sizeof(finding->why) - at, "; and %zu more", more);
	snprintf(finding->hint, sizeof(finding->hint),
		 "no report means no change (RFC 7683), but a life begins without states");
}

/* "#1 to #7"; of several lives "#1 of life 2 to #1 of life 3". */
static void range_text(const struct oev_audit *audit, const struct oev_claim *claim,
		       const struct oev_version *first, const struct oev_version *last, char buf[static 80])
{
	if (oev_claim_has_lives(audit, claim))
		snprintf(buf, 80, "#%" PRIu32 " of life %" PRIu32 " to #%" PRIu32 " of life %" PRIu32,
			 first->number, oev_life_number(audit, first->life), last->number,
			 oev_life_number(audit, last->life));
	else
		snprintf(buf, 80, "#%" PRIu32 " to #%" PRIu32, first->number, last->number);
}

static void held_value(const struct oev_audit *audit, const struct oev_claim *claim,
		       const struct oev_version *versions, struct oev_finding *finding)
{
	char range[80];
	uint32_t first = 0, last = claim->version_count - 1;

	while (first < last && !versions[first].in_window)
		first++;
	while (last > first && !versions[last].in_window)
		last--;
	range_text(audit, claim, &versions[first], &versions[last], range);
	versions += first;
	if (first == last)
		snprintf(finding->receipt, sizeof(finding->receipt), "OCS version #%" PRIu32 ", %s%s",
			 versions[0].number,
			 strcmp(versions[0].how, "open") == 0 ? "still held at the end" : versions[0].how,
			 finding->status == OEV_OK ? ", no hole" : "");
	else
		snprintf(finding->receipt, sizeof(finding->receipt), "%" PRIu32 " OCS versions %s%s",
			 claim->judged, range, finding->status == OEV_OK ? ", no hole" : "");
	snprintf(finding->value, sizeof(finding->value), "%.1f s of %.1f", (double)claim->active_us / 1e6,
		 (double)claim->asked_us / 1e6);
	snprintf(finding->bound, sizeof(finding->bound), "sequence, time");
}

void oev_audit_judge_held(struct oev_audit *audit, struct oev_claim *claim)
{
	struct oev_finding *finding = &claim->step[OEV_STEP_HELD];
	const struct oev_version *versions = &audit->versions[claim->version_first];
	uint32_t at = 0;

	if (claim->judged == 0) {
		snprintf(finding->receipt, sizeof(finding->receipt), "no OCS version");
		snprintf(finding->why, sizeof(finding->why), "no row of table ocs_version tells of it");
	} else {
		finding->status = OEV_OK;
	}
	for (size_t i = 0; i < audit->report_count; i++)
		if (counts(audit, &audit->reports[i], claim) && audit->reports[i].accepted)
			check_report(audit, claim, i, &at);
	for (uint32_t i = 0; i < claim->version_count; i++) {
		if (!versions[i].in_window)
			continue;
		claim->active_us += inside_us(audit, &versions[i], versions[i].end_ns);
		if (i > 0)
			check_pair(&versions[i - 1], &versions[i], finding);
	}
	check_lapses(audit, claim, finding);
	if (claim->judged > 0)
		held_value(audit, claim, versions, finding);
}
