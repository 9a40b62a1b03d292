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
#include "../conf/oev_conf.h"
#include "oev_replay_events.h"
#include "oev_replay_parts.h"
#include "oev_replay_rows.h"

struct pump {
	const struct oev_pump_conf *conf;
	struct oev_pump_counts *counts;
	struct oev_life_parts parts;
	struct oev_life_reader decisions, outcomes, others;
	struct oev_replay_events events;
	sqlite3_stmt *policies;		   /* stands at the next one; NULL after the last */
	struct oev_whole_outcome *waiting; /* read, its decision is not given yet */
	uint64_t given_ns;		   /* time of the decision given last; UINT64_MAX after all */
	uint64_t marks[OEV_PUMP_FAR];	   /* the same some blocks ago */
	uint64_t blocks;
};

static int broken(struct pump *pump, const struct oev_life_part *part, const char *row, uint64_t id)
{
	char what[96];

	snprintf(what, sizeof(what), "%s of decision %" PRIu64 " names a row that is not there (doic verify)",
		 row, id);
	return oev_life_fail(&pump->parts, OC_EMALFORMED, part, what);
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
	struct oev_life_part *part = pump->decisions.part;
	const struct oc_decision *d = &row->decision;

	if (row->is_broken)
		return broken(pump, part, "the row", d->id);
	note_number(pump, d->id);
	pump->decisions.last_id = d->id;
	if (d->at_ns > pump->given_ns)
		pump->given_ns = d->at_ns;
	return oev_group_decision(&pump->conf->group, d, oev_replay_profile(&part->numbers, d->profile),
				  oev_replay_candidates(&part->numbers, d->candidates));
}

/* One block of them; given_ns is UINT64_MAX when there are no more. */
static int give_decisions(struct pump *pump)
{
	int rc = OC_OK;

	for (uint32_t i = 0; rc == OC_OK && i < OEV_PUMP_BLOCK; i++) {
		void *row;
		rc = oev_life_next(&pump->parts, &pump->decisions, &oev_replay_decisions, &row);
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
	const struct oev_life_reader *decisions = &pump->decisions;

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
			rc = oev_life_next(&pump->parts, &pump->outcomes, &oev_replay_outcomes, &row);
		if (rc != OC_OK || row == NULL)
			return rc;
		const struct oev_whole_outcome *whole = pump->waiting = row;
		if (!is_due(pump, &whole->outcome))
			return OC_OK;
		if (whole->is_broken)
			return broken(pump, pump->outcomes.part, "the outcome", whole->outcome.id);
		pump->waiting = NULL;
		pump->counts->outcomes++;
		rc = oev_group_outcome(
			&pump->conf->group, &whole->outcome,
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
				   : oev_life_fail(&pump->parts, OC_EIO, pump->others.part,
						   "its policies cannot be read");
}

/* The first policy of the life is in force from its birth: it is no event. */
static int open_policies(struct pump *pump)
{
	const struct oev_life_part *part = pump->others.part;
	uint64_t skip = part->number == 0 ? 1 : oev_segment_carried(&part->segment, "policy");

	if (pump->conf->other_policy)
		return OC_OK;
	pump->policies = oev_query_new(&part->segment, OEV_Q_ALL_POLICIES);
	if (pump->policies == NULL || sqlite3_bind_int64(pump->policies, 1, (int64_t)skip) != SQLITE_OK)
		return oev_life_fail(&pump->parts, OC_EIO, part, "its policies cannot be read");
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
		rc = oev_group_policy(&pump->conf->group, policy,
				      (uint64_t)sqlite3_column_int64(pump->policies, 1));
	} else if (rc != OC_ENOMEM) {
		rc = oev_life_fail(&pump->parts, OC_EMALFORMED, pump->others.part, why);
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
	int rc = oev_life_enter(&pump->parts, &pump->others);

	if (rc == OC_OK)
		rc = oev_replay_events_open(&pump->events, &pump->others.part->segment);
	return rc == OC_OK ? open_policies(pump) : rc;
}

static void leave_others(struct pump *pump)
{
	oev_replay_events_fini(&pump->events);
	sqlite3_finalize(pump->policies);
	pump->policies = NULL;
	oev_life_leave(&pump->others);
}

/* Rare events up to given_ns, through as many parts as it takes. */
static int give_others(struct pump *pump)
{
	for (;;) {
		int rc = pump->others.part == NULL && !oev_life_is_last(&pump->parts, &pump->others)
				 ? enter_others(pump)
				 : OC_OK;
		if (rc != OC_OK || pump->others.part == NULL)
			return rc;
		rc = oev_replay_events_give(&pump->events, pump->given_ns, &pump->conf->group);
		if (rc == OC_OK)
			rc = give_policies(pump);
		if (rc != OC_OK)
			return oev_life_fail(&pump->parts, rc, pump->others.part,
					     "its events cannot be read");
		if (pump->policies != NULL || !oev_replay_events_over(&pump->events) ||
		    oev_life_is_last(&pump->parts, &pump->others))
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
			rc = oev_group_run(&conf->group, until_ns);
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
	pump->parts = (struct oev_life_parts){ .life = conf->life, .error = conf->error };
	int rc = work(pump);
	if (rc != OC_OK && rc != OC_EINTERRUPTED)
		oev_life_fail(&pump->parts, rc, pump->decisions.part, oc_err_text(rc));
	leave_others(pump);
	oev_life_reader_stop(&pump->decisions);
	oev_life_reader_stop(&pump->outcomes);
	free(pump);
	return rc;
}
