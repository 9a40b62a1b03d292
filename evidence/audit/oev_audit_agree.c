/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The table of independent counters: traffic generator, servers and evidence, message by message.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../../agent/oc_err.h"
#include "../../agent/oc_types.h"
#include "oev_audit_parts.h"

static int by_node(const void *a, const void *b)
{
	const struct oev_counters *left = a, *right = b;
	int order = strcmp(left->node, right->node);

	if (order == 0)
		order = (int)left->role - (int)right->role;
	return order != 0 ? order : strcmp(left->path, right->path);
}

int oev_audit_agree_init(struct oev_audit *audit)
{
	if (audit->counters_count > 1)
		qsort(audit->counters, audit->counters_count, sizeof(*audit->counters), by_node);
	for (size_t i = 0; i < audit->counters_count; i++) {
		const struct oev_counters *file = &audit->counters[i];
		for (size_t j = 0; j < file->app_count; j++) {
			struct oev_agreement *row =
				oev_audit_grow(&audit->agreements, &audit->agreement_count, sizeof(*row));
			if (row == NULL)
				return OC_ENOMEM;
			row->file = file;
			row->app_id = file->apps[j].app_id;
			row->counter_requests = file->apps[j].requests;
			row->counter_answers = file->apps[j].answers;
			row->counter_unanswered = file->apps[j].unanswered;
			row->has_answers = file->apps[j].has_answers;
		}
	}
	for (size_t i = 0; i < audit->claim_count; i++)
		oev_audit_arrivals(audit, &audit->claims[i]);
	return OC_OK;
}

/* Requests outside what the segments tell of, by the file's own series; true when that is known to be none. */
static bool quiet_outside(const struct oev_counters *file, uint64_t from_us, uint64_t until_us)
{
	if (file->series_count == 0)
		return false;
	for (size_t i = 0; i < file->series_count; i++) {
		uint64_t start_us = file->series_start_us + i * file->series_interval_us;
		bool outside = start_us + file->series_interval_us <= from_us || start_us >= until_us;
		if (outside && file->series[i] > 0)
			return false;
	}
	return true;
}

/* A segment that was never closed while evidence goes on after it: the node was killed, and what it had not written yet, and
 * what was sent to it until it was back, is in no segment. */
static bool lost_its_end(const struct oev_segment *segment, const struct oev_counters *file,
			 uint64_t until_us)
{
	return segment->closed_us == 0 && segment->last_us < until_us &&
	       segment->started_us <= file->ended_us && segment->last_us >= file->started_us;
}

static bool is_covered(const struct oev_audit *audit, const struct oev_counters *file)
{
	uint64_t from_us = UINT64_MAX, until_us = 0;

	for (size_t i = 0; i < audit->segment_count; i++) {
		const struct oev_segment *segment = &audit->segments[i];
		uint64_t end_us = oev_segment_until(segment);
		from_us = segment->started_us < from_us ? segment->started_us : from_us;
		until_us = end_us > until_us ? end_us : until_us;
	}
	for (size_t i = 0; i < audit->segment_count; i++)
		if (lost_its_end(&audit->segments[i], file, until_us))
			return false;
	for (size_t i = 0; i < audit->gap_count; i++)
		if (audit->gaps[i].wall_us >= file->started_us)
			return false;
	return (from_us <= file->started_us && file->ended_us <= until_us) ||
	       quiet_outside(file, from_us, until_us);
}

/* @more, @less: how many more, or fewer, the counter may say for a reason that is known. */
static bool near(const struct oev_audit *audit, uint64_t counter, uint64_t evidence, uint64_t more,
		 uint64_t less)
{
	uint64_t large = counter > evidence ? counter : evidence,
		 small = counter > evidence ? evidence : counter;
	uint64_t slack = (counter >= evidence ? more : less) +
			 (uint64_t)((double)large * audit->options.tolerance_ppm / 1e6);

	return large - small <= slack;
}

/* Each success that came back was given: the node cannot have given fewer. @less: but for those at the ends. */
static bool success_fits(const struct oev_audit *audit, const struct oev_agreement *row, uint64_t less)
{
	const struct oev_counter_app *app = oev_counters_app(row->file, row->app_id);

	return app == NULL || !app->has_success || row->evidence_success <= app->success ||
	       near(audit, app->success, row->evidence_success, 0, less);
}

/* Equal numbers agree; other ones that could be as far apart as they are large say nothing. */
static bool is_vague(const struct oev_audit *audit, const struct oev_agreement *row)
{
	uint64_t large = row->counter_requests > row->evidence_requests ? row->counter_requests
									: row->evidence_requests;

	return row->counter_requests != row->evidence_requests && row->resent + row->edge >= large &&
	       near(audit, row->counter_requests, row->evidence_requests, row->resent + row->edge,
		    row->edge) &&
	       success_fits(audit, row, row->edge);
}

uint64_t oev_agreement_apart(const struct oev_agreement *row)
{
	uint64_t ends = row->slack.more > row->slack.less ? row->slack.more : row->slack.less;

	return row->resent + (row->is_vague ? row->edge : ends);
}

/* What the clocks leave open. Returns whether the requests agree. */
static bool judge_ends(struct oev_audit *audit, struct oev_agreement *row)
{
	const struct oev_counters *file = row->file;
	struct oev_ends_slack success =
		oev_ends_allow(&row->success_ends, file->knows_before, file->knows_after);
	uint64_t resent = file->role == OEV_ROLE_SERVER ? row->resent : 0;

	row->slack = oev_ends_allow(&row->ends, file->knows_before, file->knows_after);
	row->is_vague = is_vague(audit, row);
	bool requests = near(audit, row->counter_requests, row->evidence_requests, resent + row->slack.more,
			     row->slack.less);
	row->is_success_short = requests && !success_fits(audit, row, success.less);
	return requests && !row->is_success_short;
}

/* A part that was removed while it was read tells of some of its time. */
static bool is_part_gone(const struct oev_audit *audit, const struct oev_counters *file)
{
	for (size_t i = 0; i < audit->segment_count; i++) {
		const struct oev_segment *segment = &audit->segments[i];
		if (segment->is_gone && segment->started_us <= file->ended_us &&
		    oev_segment_until(segment) >= file->started_us)
			return true;
	}
	return false;
}

static void judge_row(struct oev_audit *audit, struct oev_agreement *row)
{
	bool server = row->file->role == OEV_ROLE_SERVER;
	bool requests = judge_ends(audit, row);
	/* a server's answer may come after the deadline; a client that left did not see all answers */
	bool answers = server || near(audit, row->counter_answers, row->evidence_answers, 0, 0) ||
		       (row->evidence_answers > row->counter_answers &&
			row->evidence_answers - row->counter_answers <= row->counter_unanswered);

	/* a request nobody answered may have been on its way when the node was stopped: it proves nothing */
	bool unanswered =
		!server && !requests &&
		near(audit, row->counter_requests, row->evidence_requests, row->counter_unanswered, 0);

	/* of a node that this one never sends to, others must tell */
	bool stranger = row->file->is_imported && row->evidence_requests == 0 && row->edge == 0;

	row->covered = (row->file->is_imported ? !stranger && !is_part_gone(audit, row->file)
					       : is_covered(audit, row->file)) &&
		       !unanswered;
	row->status = row->is_vague			    ? OEV_UNSURE
		      : requests && answers		    ? OEV_OK
		      : row->covered && !audit->interrupted ? OEV_REFUTED
							    : OEV_UNSURE;
}

static void note(struct oev_audit *audit, const struct oev_agreement *row)
{
	struct oev_exception found = { .kind = OEV_X_COUNTERS, .claim = -1, .wall_us = row->file->ended_us };
	char app[16];

	for (size_t i = 0; i < audit->claim_count; i++)
		if (row->file->role == OEV_ROLE_SERVER && oev_audit_covers(&audit->claims[i], row->app_id) &&
		    strcasecmp(audit->claims[i].subject, row->file->node) == 0)
			found.claim = (int32_t)i;
	if (row->is_success_short)
		snprintf(found.detail, sizeof(found.detail),
			 "server %.60s, %s: it gave %" PRIu64 " answers with 2xxx, %" PRIu64 " came back",
			 row->file->node, oev_app_text(row->app_id, app),
			 oev_counters_app(row->file, row->app_id)->success, row->evidence_success);
	else
		snprintf(found.detail, sizeof(found.detail),
			 "%s %.60s, %s: it counted %" PRIu64 " requests, evidence %" PRIu64
			 "; answers %" PRIu64 ", %" PRIu64,
			 row->file->role == OEV_ROLE_SERVER ? "server" : "client", row->file->node,
			 oev_app_text(row->app_id, app), row->counter_requests, row->evidence_requests,
			 row->counter_answers, row->evidence_answers);
	oev_audit_except(audit, &found);
}

void oev_audit_agree(struct oev_audit *audit)
{
	for (size_t i = 0; i < audit->agreement_count; i++) {
		struct oev_agreement *row = &audit->agreements[i];
		judge_row(audit, row);
		if (row->status == OEV_REFUTED && oev_audit_wants_app(audit, row->app_id))
			note(audit, row);
	}
}

/* Only a series of one application can be held against decisions of one application. */
void oev_audit_arrivals(struct oev_audit *audit, struct oev_claim *claim)
{
	for (size_t i = 0; claim->type == OC_REPORT_HOST && i < audit->counters_count; i++) {
		const struct oev_counters *file = &audit->counters[i];
		if (file->role != OEV_ROLE_SERVER || file->app_count != 1 ||
		    !oev_audit_covers(claim, file->apps[0].app_id) ||
		    strcasecmp(file->node, claim->subject) != 0)
			continue;
		for (uint32_t j = 0; j < claim->version_count; j++) {
			struct oev_version *version = &audit->versions[claim->version_first + j];
			uint64_t from_us = version->from_us,
				 until_us = oev_audit_wall(version, version->end_ns);
			struct oev_counter_span span;
			from_us = from_us > audit->options.from_us ? from_us : audit->options.from_us;
			until_us = until_us < audit->options.until_us ? until_us : audit->options.until_us;
			if (!version->in_window || from_us >= until_us || version->inner_until_us != 0 ||
			    !oev_counters_between(file, from_us, until_us, &span))
				continue;
			version->inner_from_us = span.first_us;
			version->inner_until_us = span.last_us;
			version->inner_arrived = span.sum;
		}
	}
}
