/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Life by life under other policies.
 */
#include "oev_whatif.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_replay_parts.h"
#include "oev_replay_pump.h"
#include "oev_whatif_tally.h"

/* One of the agents that live the life at hand. */
struct side {
	struct course *course;
	struct oc_replay *replay;
	unsigned number; /* of enum: 0 before, 1 after */
};

struct course {
	struct oev_whatif *whatif;
	struct oev_lives lives;
	const struct oev_replay_life *life;
	struct oev_whatif_book book;
	struct side sides[OEV_SIDES];
};

static bool is_against_record(const struct course *course)
{
	return course->whatif->options.against == NULL;
}

static void on_decided(void *ctx, const struct oc_decision *recorded, const struct oc_decision *replayed)
{
	struct side *side = ctx;
	struct course *course = side->course;
	struct oev_whatif_book *book = &course->book;

	if (recorded->at_ns < course->life->since_ns || recorded->at_ns >= course->life->until_ns)
		return;
	oev_book_decision(book, side->number, replayed);
	if (!is_against_record(course)) {
		oev_book_pair(book, side->number, replayed);
		return;
	}
	oev_book_decision(book, 0, recorded);
	oev_book_compare(book, recorded, replayed);
}

static void on_event(void *ctx, const struct oc_event *event)
{
	struct side *side = ctx;

	if (event->kind == OC_EVENT_OCS_VERSION)
		oev_book_version(&side->course->book, side->number, &event->u.ocs_version);
}

static bool on_stop(void *ctx)
{
	const struct course *course = ctx;

	return course->book.rc != OC_OK || oev_lives_stop(&course->lives);
}

static void on_progress(void *ctx, uint64_t done)
{
	const struct course *course = ctx;

	oev_lives_progress(&course->lives, done);
}

/* --- versions of the record --- */

static uint8_t word(const char *at, const char *(*text)(unsigned value), uint8_t count)
{
	uint8_t value = 0;

	while (value < count && strcmp(text(value), at) != 0)
		value++;
	return value;
}

static int take_versions(struct course *course, const struct oev_segment *segment)
{
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_ALL_VERSIONS);
	int step = SQLITE_ERROR;

	while (stmt != NULL && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		const struct oc_event_ocs_version version = {
			.version = oev_query_up_to(stmt, 0, UINT32_MAX),
			.type = word(oev_query_word(stmt, 1), oc_report_type_text, OC_REPORT_COUNT),
			.app_id = oev_query_up_to(stmt, 2, UINT32_MAX),
			.subject = oev_query_up_to(stmt, 3, UINT32_MAX),
			.algorithm = word(oev_query_word(stmt, 4), oc_algo_text, OC_ALGO_COUNT),
		};
		oev_book_version(&course->book, 0, &version);
	}
	sqlite3_finalize(stmt);
	return step == SQLITE_DONE ? course->book.rc : OC_EIO;
}

static int take_recorded(struct course *course)
{
	struct oev_whatif *whatif = course->whatif;
	int rc = OC_OK;

	for (uint32_t i = 0; rc == OC_OK && i < course->life->part_count; i++) {
		struct oev_segment segment = { 0 };
		rc = oev_replay_open(&segment, course->life->parts[i].path, whatif->error);
		if (rc == OC_OK)
			rc = take_versions(course, &segment);
		oev_segment_fini(&segment);
	}
	return rc;
}

/* --- one life --- */

static int begin_side(struct course *course, unsigned number, const struct oc_policy *policy)
{
	struct side *side = &course->sides[number];
	struct oc_replay_conf conf = {
		.agent = course->life->conf, .mode = OC_REPLAY_WHAT_IF, .decided = on_decided, .ctx = side
	};

	*side = (struct side){ .course = course, .number = number };
	conf.agent.emit = on_event;
	conf.agent.emit_ctx = side;
	side->replay = oc_replay_new(&conf, policy);
	if (side->replay != NULL)
		return OC_OK;
	snprintf(course->whatif->error, sizeof(course->whatif->error),
		 "%s: an agent cannot begin as its meta core.* says, or memory is out",
		 course->life->parts[0].path);
	return OC_EMALFORMED;
}

static int begin(struct course *course)
{
	const struct oev_whatif_options *options = &course->whatif->options;
	int rc = begin_side(course, 1, options->policy);

	if (rc == OC_OK && is_against_record(course))
		return take_recorded(course);
	if (rc == OC_OK)
		rc = begin_side(course, 0, options->against);
	course->book.pairs = calloc(OEV_PAIRS, sizeof(*course->book.pairs));
	return course->book.pairs != NULL ? rc : OC_ENOMEM;
}

static void say_why(struct oev_whatif *whatif, const struct oev_replay_life *life,
		    const struct oev_pump_counts *counts)
{
	char why[OEV_REPLAY_ERROR_MAX] = "";

	if (life->lack != OEV_LACKS_NOTHING)
		snprintf(why, sizeof(why), "%s", oev_life_lack_text(life->lack));
	else if (life->gap_ns != UINT64_MAX)
		snprintf(why, sizeof(why), "%" PRIu64 " events were lost (table gap)", life->gap_events);
	else if (counts->missing > 0 && !life->was_cut)
		snprintf(why, sizeof(why), "%" PRIu64 " decisions are not in it", counts->missing);
	if (why[0] == '\0')
		return;
	whatif->lives_partly++;
	if (whatif->why[0] == '\0')
		memcpy(whatif->why, why, sizeof(why));
}

static int run(struct course *course)
{
	struct oev_whatif *whatif = course->whatif;
	struct oev_pump_counts counts = { 0 };
	struct oev_pump_conf conf = { .life = course->life,
				      .ahead = OEV_PUMP_NEAR,
				      .other_policy = true,
				      .stop = on_stop,
				      .progress = on_progress,
				      .ctx = course,
				      .error = whatif->error };

	for (unsigned i = 0; i < OEV_SIDES; i++)
		if (course->sides[i].replay != NULL)
			conf.group.members[conf.group.count++] = course->sides[i].replay;
	int rc = oev_pump_run(&conf, &counts);
	if (course->book.rc != OC_OK)
		rc = course->book.rc;
	whatif->inexact += oc_replay_counts(course->sides[1].replay).inexact;
	say_why(whatif, course->life, &counts);
	return rc;
}

static void end(struct course *course)
{
	for (unsigned i = 0; i < OEV_SIDES; i++) {
		oc_replay_free(course->sides[i].replay);
		course->sides[i] = (struct side){ 0 };
	}
	oev_book_fini(&course->book);
}

static int do_life(void *ctx, const struct oev_replay_life *life)
{
	struct course *course = ctx;
	struct oev_whatif *whatif = course->whatif;
	const struct oev_pump_counts none = { 0 };

	whatif->skipped += life->decisions_beyond;
	if (life->part_count == 0) {
		say_why(whatif, life, &none);
		return OC_OK;
	}
	whatif->lives++;
	course->life = life;
	course->book = (struct oev_whatif_book){ .whatif = whatif, .life = life };
	int rc = begin(course);
	if (rc == OC_OK)
		rc = run(course);
	end(course);
	return rc;
}

static void conclude(struct oev_whatif *whatif, int rc)
{
	oev_whatif_settle(whatif);
	if (rc == OC_ENOMEM)
		whatif->outcome = OEV_WHATIF_BUG;
	else if (rc == OC_EINTERRUPTED)
		whatif->outcome = OEV_WHATIF_INTERRUPTED;
	else if (rc != OC_OK)
		whatif->outcome = OEV_WHATIF_UNUSABLE;
	else if (whatif->lives_partly > 0 || whatif->total[1].decisions == 0)
		whatif->outcome = OEV_WHATIF_UNSURE;
	else
		whatif->outcome = whatif->changed > 0 ? OEV_WHATIF_CHANGES : OEV_WHATIF_SAME;
	if (rc != OC_OK && rc != OC_EINTERRUPTED && whatif->error[0] == '\0')
		snprintf(whatif->error, sizeof(whatif->error), "%s", oc_err_text(rc));
}

int oev_whatif_run(struct oev_whatif *out, const struct oev_whatif_options *options)
{
	struct course *course = calloc(1, sizeof(*course));
	int rc = OC_ENOMEM;

	out->options = *options;
	if (course != NULL) {
		course->whatif = out;
		course->lives = (struct oev_lives){
			.options = &options->lives, .error = out->error, .life = do_life, .ctx = course
		};
		rc = oev_lives_walk(&course->lives);
		out->options.lives.since_us = course->lives.window.since_us;
		out->options.lives.until_us = course->lives.window.until_us;
	}
	conclude(out, rc);
	free(course);
	return rc;
}

void oev_whatif_fini(struct oev_whatif *whatif)
{
	oev_names_fini(&whatif->names);
	free(whatif->clients);
	free(whatif->servers);
	free(whatif->reports);
	*whatif = (struct oev_whatif){ 0 };
}
