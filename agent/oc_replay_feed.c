/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What was recorded comes in: each thing is kept until its time.
 */
#include <stdlib.h>
#include <string.h>

#include "oc_err.h"
#include "oc_replay_inner.h"

int oc_replay_decision(struct oc_replay *replay, const struct oc_decision *decision,
		       const struct oc_profile *profile, const struct oc_event_candidates *candidates)
{
	uint32_t place = oc_replay_call_new(replay, decision->id);

	if (place == OC_REPLAY_NOWHERE)
		return OC_ENOMEM;
	struct oc_replay_call *call = &replay->calls[place];
	call->decision = *decision;
	if (oc_replay_shared_hold(&replay->profile_pool, decision->profile, profile, &call->profile) !=
		    OC_OK ||
	    oc_replay_shared_hold(&replay->candidate_pool, decision->candidates, candidates,
				  &call->candidates) != OC_OK)
		return OC_ENOMEM;
	return oc_replay_put(replay, decision->at_ns, OC_REPLAY_REQUEST, place);
}

/* The answer of @place goes into the queue: when its request was made, or before if it is no earlier than the answers there. Told
 * in the order in which they came, nearly all are. */
static int put_answer(struct oc_replay *replay, uint32_t place)
{
	struct oc_replay_call *call = &replay->calls[place];
	uint64_t at_ns = call->decision.at_ns + call->outcome.took_ns;
	bool is_in_order =
		at_ns >= call->decision.at_ns && oc_replay_is_last(replay, at_ns, OC_REPLAY_ANSWER);

	if (call->is_answer_put || (!call->is_begun && !is_in_order))
		return OC_OK;
	call->is_answer_put = true;
	return oc_replay_put(replay, at_ns, OC_REPLAY_ANSWER, place);
}

int oc_replay_put_rest(struct oc_replay *replay, uint32_t place)
{
	struct oc_replay_call *call = &replay->calls[place];
	int rc = OC_OK;

	call->is_begun = true;
	if (!call->is_finished && call->decision.out_ns != 0)
		rc = oc_replay_put(replay, call->decision.out_ns, OC_REPLAY_CHOICE, place);
	return rc == OC_OK && call->has_outcome ? put_answer(replay, place) : rc;
}

int oc_replay_outcome(struct oc_replay *replay, const struct oc_event_outcome *outcome,
		      const struct oc_profile *profile)
{
	uint32_t place = oc_replay_call_find(replay, outcome->id);

	if (place == OC_REPLAY_NOWHERE || replay->calls[place].has_outcome) {
		replay->counts.unknown++;
		return OC_ENOENT;
	}
	struct oc_replay_call *call = &replay->calls[place];
	call->outcome = *outcome;
	call->has_outcome = true;
	if (oc_replay_shared_hold(&replay->profile_pool, outcome->profile, profile, &call->answer_profile) !=
	    OC_OK)
		return OC_ENOMEM;
	return put_answer(replay, place);
}

int oc_replay_policy(struct oc_replay *replay, const struct oc_policy *policy, uint64_t at_ns)
{
	uint32_t place = oc_replay_kept_new(replay);
	struct oc_policy *copy = malloc(sizeof(*copy));

	if (place == OC_REPLAY_NOWHERE || !copy) {
		free(copy);
		return OC_ENOMEM;
	}
	*copy = *policy;
	replay->kept[place].policy = copy;
	return oc_replay_put(replay, at_ns, OC_REPLAY_POLICY, place);
}

static int keep(struct oc_replay *replay, const struct oc_event *event, enum oc_replay_kind kind)
{
	uint32_t place = oc_replay_kept_new(replay);

	if (place == OC_REPLAY_NOWHERE)
		return OC_ENOMEM;
	struct oc_replay_kept *kept = &replay->kept[place];
	memcpy(&kept->event, event, oc_event_size(event));
	if (kind == OC_REPLAY_REPORT) {
		const struct oc_event_report *e = &event->u.report;
		kept->raw_len = e->raw_len < OC_EVENT_RAW_MAX ? e->raw_len : OC_EVENT_RAW_MAX;
		memcpy(kept->raw, e->raw, kept->raw_len);
		replay->last_report = place;
	}
	return oc_replay_put(replay, event->mono_ns, kind, place);
}

static bool is_report(const struct oc_replay *replay, uint32_t place, uint64_t report)
{
	const struct oc_event *event = &replay->kept[place].event;

	return event->kind == OC_EVENT_REPORT && event->u.report.report == report;
}

/* Place of a report that waits: the one given last, unless other threads told something in between. */
static uint32_t find_report(const struct oc_replay *replay, uint64_t report)
{
	if (replay->last_report != OC_REPLAY_NOWHERE && is_report(replay, replay->last_report, report))
		return replay->last_report;
	for (uint32_t i = 0; i < replay->kept_room; i++)
		if (is_report(replay, i, report))
			return i;
	return OC_REPLAY_NOWHERE;
}

/* More octets of a report. */
static void keep_raw(struct oc_replay *replay, const struct oc_event_report_raw *e)
{
	uint32_t place = find_report(replay, e->report);

	if (place == OC_REPLAY_NOWHERE)
		return;
	struct oc_replay_kept *kept = &replay->kept[place];
	if (e->at != kept->raw_len || e->at + e->raw_len > OC_MSG_RAW_MAX || e->raw_len > OC_EVENT_RAW_MAX)
		return;
	memcpy(kept->raw + e->at, e->raw, e->raw_len);
	kept->raw_len = (uint16_t)(kept->raw_len + e->raw_len);
}

static int learn_profile(struct oc_replay *replay, const struct oc_event_profile *e)
{
	int rc = oc_replay_grow((void **)&replay->profiles, &replay->profile_room, e->id + 1,
				sizeof(*replay->profiles));

	if (rc == OC_OK)
		replay->profiles[e->id] = e->profile;
	return rc;
}

static int learn_candidates(struct oc_replay *replay, const struct oc_event_candidates *e)
{
	int rc = oc_replay_grow((void **)&replay->candidates, &replay->candidates_room, e->id + 1,
				sizeof(*replay->candidates));

	if (rc == OC_OK)
		replay->candidates[e->id] = *e;
	return rc;
}

static const struct oc_profile *profile_of(const struct oc_replay *replay, uint32_t id)
{
	return id != 0 && id < replay->profile_room ? &replay->profiles[id] : NULL;
}

static int give_decision(struct oc_replay *replay, const struct oc_decision *d)
{
	bool is_known = d->candidates != 0 && d->candidates < replay->candidates_room;

	return oc_replay_decision(replay, d, profile_of(replay, d->profile),
				  is_known ? &replay->candidates[d->candidates] : NULL);
}

/* One step may have made several contents. */
static int give_due(struct oc_replay *replay, uint64_t at_ns)
{
	if (replay->due_given_ns == at_ns)
		return OC_OK;
	replay->due_given_ns = at_ns;
	return oc_replay_put(replay, at_ns, OC_REPLAY_DUE, OC_REPLAY_NOWHERE);
}

/* Nor is our own report to ourselves, but that there was no room for it is. */
static int give_report(struct oc_replay *replay, const struct oc_event *event)
{
	const struct oc_event_report *e = &event->u.report;
	bool is_known = e->peer == replay->self && e->reason != OC_REASON_TABLE_FULL;

	return is_known ? OC_OK : keep(replay, event, OC_REPLAY_REPORT);
}

int oc_replay_feed(struct oc_replay *replay, const struct oc_event *event)
{
	switch (event->kind) {
	case OC_EVENT_DECISION:
		return give_decision(replay, &event->u.decision);
	case OC_EVENT_OUTCOME:
		return oc_replay_outcome(replay, &event->u.outcome,
					 profile_of(replay, event->u.outcome.profile));
	case OC_EVENT_REPORT:
		return give_report(replay, event);
	case OC_EVENT_REPORT_RAW:
		keep_raw(replay, &event->u.report_raw);
		return OC_OK;
	case OC_EVENT_LOAD: /* our own is no news to us */
		return event->u.load.peer == OC_NAME_NONE ? OC_OK : keep(replay, event, OC_REPLAY_LOAD);
	case OC_EVENT_PEER:
		return keep(replay, event, OC_REPLAY_PEER);
	case OC_EVENT_ORDER: /* those of the policy come with it */
		return event->u.order.by == OC_BY_POLICY ? OC_OK : keep(replay, event, OC_REPLAY_ORDER);
	case OC_EVENT_OWN_REPORT:
		return give_due(replay, event->mono_ns);
	case OC_EVENT_PROFILE:
		return learn_profile(replay, &event->u.profile);
	case OC_EVENT_CANDIDATES:
		return learn_candidates(replay, &event->u.candidates);
	default:
		return OC_OK;
	}
}
