/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Words and numbers of the audit, as people read them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_event.h"
#include "../app/oev_app.h"
#include "../oev_time.h"
#include "oev_audit_parts.h"

const char *oev_outcome_text(enum oev_outcome outcome)
{
	static const char *const words[] = { "holds",	 "refuted", "cannot_tell", "no_claim",
					     "unusable", "usage",   "interrupted", "internal_error" };
	_Static_assert(sizeof(words) / sizeof(words[0]) == OEV_OUTCOME_COUNT, "one word per outcome");
	return words[outcome];
}

int oev_audit_exit(enum oev_outcome outcome)
{
	static const int codes[] = { 0, 1, 3, 3, 4, 2, 130, 70 };
	_Static_assert(sizeof(codes) / sizeof(codes[0]) == OEV_OUTCOME_COUNT, "one code per outcome");
	return codes[outcome];
}

const char *oev_status_text(enum oev_status status)
{
	static const char *const words[] = { "missing", "ok", "cannot tell", "refuted" };
	return words[status];
}

const char *oev_step_text(enum oev_step step)
{
	static const char *const words[] = { "asked", "held", "selected", "arrived", "useful" };
	_Static_assert(sizeof(words) / sizeof(words[0]) == OEV_STEP_COUNT, "one word per step");
	return words[step];
}

const char *oev_exception_text(enum oev_exception_kind kind)
{
	static const char *const words[] = {
		"outside_scope",  "not_in_force", "unknown_version",   "not_compared", "share_not_asked",
		"after_recovery", "raw_differs",  "counters_disagree", "broken",       "answered_twice",
	};
	_Static_assert(sizeof(words) / sizeof(words[0]) == OEV_X_COUNT, "one word per kind");
	return words[kind];
}

const char *oev_gap_kind_text(enum oev_gap_kind kind)
{
	static const char *const words[] = { "events", "part", "cut" };
	_Static_assert(sizeof(words) / sizeof(words[0]) == OEV_GAP_KIND_COUNT, "one word per kind");
	return words[kind];
}

const char *oev_loose_text(enum oev_loose why)
{
	static const char *const words[] = { "recording", "cut", "part", "gap", "unexplained" };
	_Static_assert(sizeof(words) / sizeof(words[0]) == OEV_LOOSE_COUNT, "one word per reason");
	return words[why];
}

const char *oev_number_text(uint64_t value, char *buf)
{
	char digits[24];
	size_t length = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, value), at = 0;

	for (size_t i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			buf[at++] = ',';
		buf[at++] = digits[i];
	}
	buf[at] = '\0';
	return buf;
}

const char *oev_share_text(uint64_t part, uint64_t whole, char *buf)
{
	if (whole == 0)
		snprintf(buf, 32, "-");
	else
		snprintf(buf, 32, "%.2f %%", 100.0 * (double)part / (double)whole);
	return buf;
}

static size_t range_text(uint32_t least, uint32_t most, const char *unit, char *buf, size_t size)
{
	int length = least == most ? snprintf(buf, size, "%" PRIu32 "%s", most, unit)
				   : snprintf(buf, size, "%" PRIu32 " to %" PRIu32 "%s", least, most, unit);

	return length > 0 && (size_t)length < size ? (size_t)length : size - 1;
}

void oev_audit_asked_text(const struct oev_claim *claim, char *buf, size_t size)
{
	size_t at = 0;

	if (!claim->asked_loss && !claim->asked_rate)
		snprintf(buf, size, "an end");
	if (claim->asked_loss)
		at = range_text(claim->asked_pct_min, claim->asked_pct_max, " %", buf, size);
	if (claim->asked_loss && claim->asked_rate)
		at += (size_t)snprintf(buf + at, size - at, " and ");
	if (claim->asked_rate && at < size)
		range_text(claim->asked_rps_min, claim->asked_rps_max, "/s", buf + at, size - at);
}

static void claim_text(const struct oev_claim *claim, char *buf, size_t size)
{
	char asked[64], app[16];

	oev_audit_asked_text(claim, asked, sizeof(asked));
	snprintf(buf, size, "%.127s asked %.127s%sfor %s%s%.127s (%s, %s, %s) for %.0f s",
		 claim->is_own ? claim->recorded_by : claim->subject, claim->origin,
		 claim->origin[0] != '\0' ? " " : "", asked, claim->is_own ? " on behalf of " : "",
		 claim->is_own ? claim->subject : "",
		 claim->algorithm[0] != '\0' ? claim->algorithm : "no algorithm",
		 oc_report_type_text(claim->type), oev_app_text(claim->app_id, app),
		 (double)claim->active_us / 1e6);
}

static void claim_verdict(const struct oev_audit *audit, const struct oev_claim *claim, char *buf,
			  size_t size)
{
	char what[576];
	const char *last = claim->reached >= 0 ? oev_step_text((enum oev_step)claim->reached) : "nothing";

	claim_text(claim, what, sizeof(what));
	if (claim->outcome == OEV_HOLDS) {
		snprintf(buf, size, "HOLDS up to \"%s\"  %s", last, what);
	} else if (claim->outcome == OEV_CLAIM_REFUTED) {
		const struct oev_finding *finding;
		const char *step = oev_audit_refuted_at(audit, claim, &finding);
		snprintf(buf, size, "REFUTED at \"%s\"  %s: %s", step, what, finding->why);
	} else {
		const struct oev_finding *next = claim->reached + 1 < (int)OEV_STEP_COUNT
							 ? &claim->step[claim->reached + 1]
							 : &claim->step[OEV_STEP_COUNT - 1];
		snprintf(buf, size, "CANNOT TELL beyond \"%s\": %s (required: %s)  %s", last, next->why,
			 oev_step_text(audit->options.required), what);
	}
}

/* The claim that decides the whole: the first refuted, else the first that cannot be told, else the first. */
static const struct oev_claim *deciding(const struct oev_audit *audit)
{
	for (size_t i = 0; i < audit->claim_count; i++)
		if (audit->claims[i].outcome == audit->outcome)
			return &audit->claims[i];
	return NULL;
}

/* What the first claim of the outcome says, without its outcome: "at "held"  s1.example.net asked ...". */
static void first_text(const struct oev_audit *audit, const char *word, char *buf, size_t size)
{
	const struct oev_claim *claim = deciding(audit);
	char line[1024];

	buf[0] = '\0';
	if (claim == NULL)
		return;
	claim_verdict(audit, claim, line, sizeof(line));
	if (strncmp(line, word, strlen(word)) == 0)
		snprintf(buf, size, "; the first%s", line + strlen(word));
}

static void several_verdict(const struct oev_audit *audit, char *buf, size_t size)
{
	char first[1024];
	size_t count[OEV_OUTCOME_COUNT] = { 0 };
	static const char *const words[] = { "HOLDS", "REFUTED", "CANNOT TELL" };

	for (size_t i = 0; i < audit->claim_count; i++)
		count[audit->claims[i].outcome]++;
	if (audit->outcome == OEV_HOLDS) {
		snprintf(buf, size, "HOLDS up to \"%s\"  %zu claims",
			 oev_step_text((enum oev_step)(audit->reached >= 0 ? audit->reached : 0)),
			 audit->claim_count);
	} else {
		const char *word = words[audit->outcome];
		first_text(audit, word, first, sizeof(first));
		snprintf(buf, size, "%s  %zu of %zu claims%s%s", word, count[audit->outcome],
			 audit->claim_count,
			 audit->stray > 0 && audit->outcome == OEV_CLAIM_REFUTED
				 ? "; evidence that belongs to no claim contradicts itself (see exceptions)"
				 : "",
			 first);
	}
}

void oev_audit_aside_text(const struct oev_aside *aside, const char *word, char *buf, size_t size)
{
	size_t named = aside->count < OEV_ASIDE_NAMED ? aside->count : OEV_ASIDE_NAMED;
	size_t at = (size_t)snprintf(buf, size, "%zu %s:", aside->count, word);
	char app[16];

	for (size_t i = 0; i < named && at < size; i++)
		at += (size_t)snprintf(buf + at, size - at, "%s %.127s (%s, %s)", i > 0 ? "," : "",
				       aside->named[i].subject, oc_report_type_text(aside->named[i].type),
				       oev_app_text(aside->named[i].app_id, app));
	if (named < aside->count && at < size)
		snprintf(buf + at, size - at, ", ...");
}

/* What the filters ask about: "s1.example.net, gx". */
static void filter_text(const struct oev_audit_options *options, char *buf, size_t size)
{
	const char *host = options->host, *realm = options->realm;
	char app[16];

	snprintf(buf, size, "%.127s%s%.127s%s%s", host != NULL ? host : "",
		 host != NULL && realm != NULL ? ", " : "", realm != NULL ? realm : "",
		 (host != NULL || realm != NULL) && options->has_app ? ", " : "",
		 options->has_app ? oev_app_text(options->app_id, app) : "");
}

/* Others were asked for, or some were over before. */
static void none_here_verdict(const struct oev_audit *audit, char *buf, size_t size)
{
	char about[300], names[512];
	size_t at;

	filter_text(&audit->options, about, sizeof(about));
	at = (size_t)snprintf(buf, size, "CANNOT TELL  %s%s in this window",
			      about[0] != '\0' ? "none about " : "nobody asked for a reduction", about);
	if (audit->filtered.count > 0 && at < size) {
		oev_audit_aside_text(&audit->filtered, audit->filtered.count == 1 ? "other" : "others", names,
				     sizeof(names));
		at += (size_t)snprintf(buf + at, size - at, "; there %s %s",
				       audit->filtered.count == 1 ? "is" : "are", names);
	}
	if (audit->ended.count > 0 && at < size) {
		oev_audit_aside_text(&audit->ended, "ended before the window", names, sizeof(names));
		snprintf(buf + at, size - at, "; %s", names);
	}
}

/* A window beside what was recorded is a mistake of the question, or the wrong folder: the times tell which. */
static void no_claim_verdict(const struct oev_audit *audit, char *buf, size_t size)
{
	char from[OEV_TIME_TEXT_MAX], until[OEV_TIME_TEXT_MAX];
	uint64_t first_us = UINT64_MAX, last_us = 0;

	for (size_t i = 0; i < audit->segment_count; i++) {
		uint64_t end_us = oev_segment_until(&audit->segments[i]);
		if (audit->segments[i].started_us < first_us)
			first_us = audit->segments[i].started_us;
		last_us = end_us > last_us ? end_us : last_us;
	}
	oev_time_text(first_us, from);
	oev_time_text(last_us, until);
	if (first_us < last_us && (audit->options.until_us <= first_us || audit->options.from_us > last_us))
		snprintf(buf, size,
			 "CANNOT TELL  nothing was recorded in this window: the evidence is of %s to %s",
			 from, until);
	else if (audit->filtered.count > 0 || audit->ended.count > 0)
		none_here_verdict(audit, buf, size);
	else
		snprintf(buf, size,
			 "CANNOT TELL  nobody asked for a reduction in this window: no overload report,"
			 " so there is no claim to check");
}

/* What cannot be told may be so because of what was taken out of the evidence. */
static void add_integrity(const struct oev_audit *audit, char *buf, size_t size)
{
	size_t at = strlen(buf);

	if (audit->integrity.weight == OEV_INTEGRITY_PARTIAL)
		snprintf(buf + at, size - at, "; the evidence itself: %s%s%s", audit->integrity.input,
			 audit->integrity.input[0] != '\0' ? ": " : "", audit->integrity.line);
}

static void whole_verdict(const struct oev_audit *audit, char *buf, size_t size)
{
	char number[32], tail[OEV_INTEGRITY_TAIL_MAX];

	if (audit->outcome == OEV_NO_CLAIM)
		no_claim_verdict(audit, buf, size);
	else if (audit->outcome == OEV_INTERRUPTED)
		snprintf(buf, size, "INTERRUPTED  %s decisions were read; what follows covers those only",
			 oev_number_text(audit->scanned, number));
	else if (audit->outcome >= OEV_UNUSABLE)
		snprintf(buf, size, "UNUSABLE  %s", audit->error);
	else if (audit->integrity_decides)
		snprintf(buf, size, "%s at \"integrity\"  %s%s%s",
			 audit->outcome == OEV_CLAIM_REFUTED ? "REFUTED" : "CANNOT TELL",
			 audit->integrity.input, audit->integrity.input[0] != '\0' ? ": " : "",
			 audit->integrity.weight == OEV_INTEGRITY_GOOD && !audit->integrity.is_key_of_folder
				 ? oev_integrity_tail_text(&audit->integrity, tail, sizeof(tail))
				 : audit->integrity.line);
	else if (audit->claim_count == 1 && deciding(audit) != NULL)
		claim_verdict(audit, deciding(audit), buf, size);
	else
		several_verdict(audit, buf, size);
}

void oev_audit_verdict(const struct oev_audit *audit, const struct oev_claim *claim, char *buf, size_t size)
{
	if (claim != NULL) {
		claim_verdict(audit, claim, buf, size);
		return;
	}
	whole_verdict(audit, buf, size);
	if (!audit->integrity_decides && audit->outcome <= OEV_NO_CLAIM)
		add_integrity(audit, buf, size);
}
