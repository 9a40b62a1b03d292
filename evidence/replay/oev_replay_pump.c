/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Three readers of the parts of a life, none ahead of what the others need.
 */
#include "oev_replay_pump.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../audit/oev_feed.h"
#include "../conf/oev_conf.h"
#include "oev_replay_events.h"
#include "oev_replay_numbers.h"
#include "oev_replay_rows.h"

#define READERS 3u

/* One segment while somebody reads it. */
struct part {
	uint32_t number; /* of life->parts */
	uint32_t readers;
	struct oev_segment segment;
	struct oev_replay_numbers numbers;
};

/* Where one reader stands. */
struct reader {
	struct part *part;     /* NULL: before the first one, or after the last */
	uint32_t next;	       /* number of the part to open next */
	struct oev_feed *feed; /* of decisions or outcomes */
	uint64_t last_id;      /* highest decision of this part that was read */
};

struct pump {
	const struct oev_pump_conf *conf;
	struct oev_pump_counts *counts;
	struct part parts[READERS];
	struct reader decisions, outcomes, others;
	struct oev_replay_events events;
	sqlite3_stmt *policies;		   /* stands at the next one; NULL after the last */
	struct oev_whole_outcome *waiting; /* read, its decision is not given yet */
	uint64_t given_ns;		   /* time of the decision given last; UINT64_MAX after all */
	uint64_t marks[OEV_PUMP_FAR];	   /* the same some blocks ago */
	uint64_t blocks;
};

static int fail(struct pump *pump, int rc, const struct part *part, const char *what)
{
	if (pump->conf->error[0] == '\0')
		snprintf(pump->conf->error, OEV_REPLAY_ERROR_MAX, "%s: %s",
			 part != NULL ? part->segment.path : pump->conf->life->parts[0].path, what);
	return rc;
}

/* --- parts --- */

static int open_part(struct pump *pump, struct part *part, uint32_t number)
{
	char *error = pump->conf->error;
	int rc = oev_segment_open(&part->segment, pump->conf->life->parts[number].path, error,
				  OEV_REPLAY_ERROR_MAX);

	part->number = number;
	if (rc != OC_OK)
		return rc;
	rc = oev_replay_numbers_load(&part->numbers, &part->segment);
	return rc == OC_OK ? OC_OK : fail(pump, rc, part, "its tables profile and candidates cannot be read");
}

static void close_part(struct part *part)
{
	oev_replay_numbers_fini(&part->numbers);
	oev_segment_fini(&part->segment);
	part->readers = 0;
}

/* The reader goes on with the next part, which others may have open. */
static int enter(struct pump *pump, struct reader *reader)
{
	struct part *room = NULL;
	int rc = OC_OK;

	for (size_t i = 0; reader->part == NULL && i < READERS; i++) {
		struct part *part = &pump->parts[i];
		if (part->readers == 0)
			room = part;
		else if (part->number == reader->next)
			reader->part = part;
	}
	if (reader->part == NULL) { /* one reader without a part: there is room */
		rc = open_part(pump, room, reader->next);
		if (rc != OC_OK) {
			close_part(room);
			return rc;
		}
		reader->part = room;
	}
	reader->part->readers++;
	reader->next++;
	return OC_OK;
}

static void leave(struct reader *reader)
{
	if (reader->part != NULL && --reader->part->readers == 0)
		close_part(reader->part);
	reader->part = NULL;
}

static bool is_last(const struct pump *pump, const struct reader *reader)
{
	return reader->next >= pump->conf->life->part_count;
}

/* --- decisions and outcomes --- */

static int start_feed(struct pump *pump, struct reader *reader, const struct oev_read_kind *kind)
{
	int rc = enter(pump, reader);

	if (rc != OC_OK)
		return rc;
	static const struct oev_times no_times = { 0 }; /* whole rows have no wall time */
	const struct oev_segment *segment = &reader->part->segment;
	bool is_decision = kind == &oev_replay_decisions;
	reader->last_id = 0;
	rc = oev_feed_start(&reader->feed, kind, segment, &no_times,
			    is_decision ? segment->decisions : segment->outcomes,
			    oev_segment_carried(segment, is_decision ? "decision" : "outcome"),
			    pump->conf->error, OEV_REPLAY_ERROR_MAX);
	return rc == OC_OK ? OC_OK : fail(pump, rc, reader->part, "cannot be read");
}

static int stop_feed(struct pump *pump, struct reader *reader)
{
	int rc = oev_feed_stop(reader->feed);

	reader->feed = NULL;
	if (rc != OC_OK)
		fail(pump, rc, reader->part, "cannot be read to its end (damaged?)");
	leave(reader);
	return rc;
}

/* The next row of the life in *@row, NULL after the last. */
static int next_row(struct pump *pump, struct reader *reader, const struct oev_read_kind *kind, void **row)
{
	int rc = OC_OK;

	*row = reader->feed != NULL ? oev_feed_next(reader->feed) : NULL;
	while (rc == OC_OK && *row == NULL) {
		if (reader->feed != NULL)
			rc = stop_feed(pump, reader);
		if (rc != OC_OK || is_last(pump, reader))
			break;
		rc = start_feed(pump, reader, kind);
		if (rc == OC_OK)
			*row = oev_feed_next(reader->feed);
	}
	return rc;
}

static int broken(struct pump *pump, const struct part *part, const char *row, uint64_t id)
{
	char what[96];

	snprintf(what, sizeof(what), "%s of decision %" PRIu64 " names a row that is not there (doic verify)",
		 row, id);
	return fail(pump, OC_EMALFORMED, part, what);
}

static void note_number(struct pump *pump, uint64_t id)
{
	struct oev_pump_counts *counts = pump->counts;

	counts->decisions++;
	if (id > counts->last_id) {
		if (id != counts->last_id + 1 && counts->hole_id == 0)
			counts->hole_id = counts->last_id + 1;
		counts->last_id = id;
	}
	counts->missing = counts->last_id > counts->decisions ? counts->last_id - counts->decisions : 0;
}

static int give_decision(struct pump *pump, const struct oev_whole_decision *row)
{
	struct part *part = pump->decisions.part;
	const struct oc_decision *d = &row->decision;

	if (row->is_broken)
		return broken(pump, part, "the row", d->id);
	note_number(pump, d->id);
	pump->decisions.last_id = d->id;
	if (d->at_ns > pump->given_ns)
		pump->given_ns = d->at_ns;
	return oc_replay_decision(pump->conf->replay, d, oev_replay_profile(&part->numbers, d->profile),
				  oev_replay_candidates(&part->numbers, d->candidates));
}

/* One block of them; given_ns is UINT64_MAX when there are no more. */
static int give_decisions(struct pump *pump)
{
	int rc = OC_OK;

	for (uint32_t i = 0; rc == OC_OK && i < OEV_PUMP_BLOCK; i++) {
		void *row;
		rc = next_row(pump, &pump->decisions, &oev_replay_decisions, &row);
		if (rc == OC_OK && row == NULL) {
			pump->given_ns = UINT64_MAX;
			return OC_OK;
		}
		if (rc == OC_OK)
			rc = give_decision(pump, row);
	}
	return rc;
}

/* Whether the decision of @outcome was given, if there is one: it stands in the same part or an earlier one. */
static bool is_due(const struct pump *pump, const struct oc_event_outcome *outcome)
{
	const struct reader *decisions = &pump->decisions;

	if (pump->given_ns == UINT64_MAX || pump->outcomes.next < decisions->next)
		return true;
	return pump->outcomes.next == decisions->next && outcome->id <= decisions->last_id;
}

/* Those whose decision was given. */
static int give_outcomes(struct pump *pump)
{
	int rc = OC_OK;

	for (;;) {
		void *row = pump->waiting;
		if (row == NULL)
			rc = next_row(pump, &pump->outcomes, &oev_replay_outcomes, &row);
		if (rc != OC_OK || row == NULL)
			return rc;
		const struct oev_whole_outcome *whole = pump->waiting = row;
		if (!is_due(pump, &whole->outcome))
			return OC_OK;
		if (whole->is_broken)
			return broken(pump, pump->outcomes.part, "the outcome", whole->outcome.id);
		pump->waiting = NULL;
		pump->counts->outcomes++;
		rc = oc_replay_outcome(
			pump->conf->replay, &whole->outcome,
			oev_replay_profile(&pump->outcomes.part->numbers, whole->outcome.profile));
		if (rc != OC_OK && rc != OC_ENOENT) /* that one is counted by the replay */
			return rc;
	}
}

/* --- the rest --- */

static int next_policy(struct pump *pump)
{
	int step = sqlite3_step(pump->policies);

	if (step == SQLITE_ROW)
		return OC_OK;
	sqlite3_finalize(pump->policies);
	pump->policies = NULL;
	return step == SQLITE_DONE ? OC_OK
				   : fail(pump, OC_EIO, pump->others.part, "its policies cannot be read");
}

/* The first policy of the life is in force from its birth: it is no event. */
static int open_policies(struct pump *pump)
{
	const struct part *part = pump->others.part;
	uint64_t skip = part->number == 0 ? 1 : oev_segment_carried(&part->segment, "policy");

	if (pump->conf->other_policy)
		return OC_OK;
	pump->policies = oev_query_new(&part->segment, OEV_Q_ALL_POLICIES);
	if (pump->policies == NULL || sqlite3_bind_int64(pump->policies, 1, (int64_t)skip) != SQLITE_OK)
		return fail(pump, OC_EIO, part, "its policies cannot be read");
	return next_policy(pump);
}

static int give_policy(struct pump *pump)
{
	char why[OEV_CONF_ERROR_MAX] = "", name[OEV_REPLAY_WORD_MAX];
	struct oc_policy *policy = calloc(1, sizeof(*policy));
	const char *text = oev_query_word(pump->policies, 2);
	uint32_t version = oev_query_up_to(pump->policies, 0, UINT32_MAX);

	if (policy == NULL)
		return OC_ENOMEM;
	snprintf(name, sizeof(name), "policy v%" PRIu32, version);
	int rc = oev_conf_policy_parse(text, strlen(text), name, policy, why);
	if (rc == OC_OK) {
		policy->version = pump->counts->policy_version = version;
		rc = oc_replay_policy(pump->conf->replay, policy,
				      (uint64_t)sqlite3_column_int64(pump->policies, 1));
	} else if (rc != OC_ENOMEM) {
		rc = fail(pump, OC_EMALFORMED, pump->others.part, why);
	}
	free(policy);
	return rc;
}

static int give_policies(struct pump *pump)
{
	int rc = OC_OK;

	while (rc == OC_OK && pump->policies != NULL &&
	       (uint64_t)sqlite3_column_int64(pump->policies, 1) <= pump->given_ns) {
		rc = give_policy(pump);
		if (rc == OC_OK)
			rc = next_policy(pump);
	}
	return rc;
}

static int enter_others(struct pump *pump)
{
	int rc = enter(pump, &pump->others);

	if (rc == OC_OK)
		rc = oev_replay_events_open(&pump->events, &pump->others.part->segment);
	return rc == OC_OK ? open_policies(pump) : rc;
}

static void leave_others(struct pump *pump)
{
	oev_replay_events_fini(&pump->events);
	sqlite3_finalize(pump->policies);
	pump->policies = NULL;
	leave(&pump->others);
}

/* Rare events up to given_ns, through as many parts as it takes. */
static int give_others(struct pump *pump)
{
	for (;;) {
		int rc = pump->others.part == NULL && !is_last(pump, &pump->others) ? enter_others(pump)
										    : OC_OK;
		if (rc != OC_OK || pump->others.part == NULL)
			return rc;
		rc = oev_replay_events_give(&pump->events, pump->given_ns, pump->conf->replay);
		if (rc == OC_OK)
			rc = give_policies(pump);
		if (rc != OC_OK)
			return fail(pump, rc, pump->others.part, "its events cannot be read");
		if (pump->policies != NULL || !oev_replay_events_over(&pump->events) ||
		    is_last(pump, &pump->others))
			return OC_OK;
		leave_others(pump);
	}
}

/* --- all together --- */

/* Time up to which everything is given, however far from its place it stood. */
static uint64_t safe_until(struct pump *pump)
{
	uint64_t *mark = &pump->marks[pump->blocks++ % pump->conf->ahead];
	uint64_t until_ns = *mark; /* 0 while the first ones are read */

	*mark = pump->given_ns;
	return pump->given_ns == UINT64_MAX ? UINT64_MAX : until_ns;
}

static int work(struct pump *pump)
{
	const struct oev_pump_conf *conf = pump->conf;
	uint64_t until_ns = 0;
	int rc = OC_OK;

	while (rc == OC_OK && until_ns != UINT64_MAX) {
		rc = give_decisions(pump);
		if (rc == OC_OK)
			rc = give_others(pump);
		if (rc == OC_OK)
			rc = give_outcomes(pump);
		until_ns = safe_until(pump);
		if (rc == OC_OK)
			rc = oc_replay_run(conf->replay, until_ns);
		if (rc == OC_OK && conf->progress != NULL)
			conf->progress(conf->ctx, pump->counts->decisions);
		if (rc == OC_OK && conf->stop != NULL && conf->stop(conf->ctx))
			rc = OC_EINTERRUPTED;
		if (until_ns != UINT64_MAX && until_ns > conf->life->until_ns) {
			pump->counts->is_cut = true;
			return rc;
		}
	}
	return rc;
}

int oev_pump_run(const struct oev_pump_conf *conf, struct oev_pump_counts *counts)
{
	struct pump *pump = calloc(1, sizeof(*pump));

	*counts = (struct oev_pump_counts){ 0 };
	if (pump == NULL)
		return OC_ENOMEM;
	pump->conf = conf;
	pump->counts = counts;
	int rc = work(pump);
	if (rc != OC_OK && rc != OC_EINTERRUPTED)
		fail(pump, rc, pump->decisions.part, oc_err_text(rc));
	oev_feed_stop(pump->decisions.feed);
	oev_feed_stop(pump->outcomes.feed);
	leave_others(pump);
	leave(&pump->decisions);
	leave(&pump->outcomes);
	free(pump);
	return rc;
}
