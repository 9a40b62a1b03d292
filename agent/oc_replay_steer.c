/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Who had room: counts of unanswered requests are no state of the core, so they are made up such that what was recorded could come
 * of them. What the counts do not decide, reports, loads, scores and chance, is left to the agent.
 *
 * A request passes up to four places: the first choice; the one it took when that had no room; the one it was held against as a host
 * or as a next hop, known by the version of the look; the one it was sent to. Flags say whether the first choice had no
 * room (OC_DEC_FULL) and whether any other place that would have done had none (OC_DEC_NO_ROOM).
 */
#include <string.h>

#include "oc_replay_inner.h"

/* Places among equals: the lower the number the emptier. */
enum rank { RANK_FIRST = 0, RANK_BETWEEN = 1, RANK_NEXT = 2, RANK_OTHERS = 3 };

static uint32_t subject_of(const struct oc_replay *replay, uint32_t version)
{
	return version < replay->subject_room ? replay->subjects[version] : OC_NAME_NONE;
}

/* A place between the first and the last that a look of step 3 was at, or 0. */
static uint32_t between(const struct oc_replay *replay, const struct oc_decision *d, uint32_t next)
{
	uint32_t host = d->dest_host == OC_NAME_NONE ? subject_of(replay, d->host.version) : OC_NAME_NONE;
	uint32_t peer = subject_of(replay, d->peer.version);

	if (host != OC_NAME_NONE && host != d->first_choice && host != next)
		return host;
	return peer != d->first_choice && peer != next ? peer : OC_NAME_NONE;
}

static void steer_by_record(struct oc_replay *replay, const struct oc_decision *d,
			    const struct oc_event_candidates *candidates)
{
	uint32_t next = d->flags & OC_DEC_MOVED ? OC_NAME_NONE : d->next_hop;
	uint32_t middle = between(replay, d, next);
	uint32_t full = replay->outstanding_max;
	/* Under observation nobody looked for room elsewhere, but the first choice was the emptiest. */
	bool is_full_elsewhere =
		(d->flags & OC_DEC_NO_ROOM) ||
		(d->flags & (OC_DEC_FULL | OC_DEC_OBSERVED)) == (OC_DEC_FULL | OC_DEC_OBSERVED);

	for (uint32_t i = 0; i < candidates->count; i++) {
		uint32_t peer = candidates->peer[i];
		if (peer == d->first_choice)
			oc_agent_assume_outstanding(replay->agent, peer, d->flags & OC_DEC_FULL ? full : 0,
						    RANK_FIRST);
		else if (peer == middle)
			oc_agent_assume_outstanding(replay->agent, peer, 0, RANK_BETWEEN);
		else if (peer == next)
			oc_agent_assume_outstanding(replay->agent, peer, 0, RANK_NEXT);
		else
			oc_agent_assume_outstanding(replay->agent, peer, is_full_elsewhere ? full : 0,
						    RANK_OTHERS);
	}
}

/* Counts are modelled; among equals the recorded first choice goes first. */
static void steer_by_model(struct oc_replay *replay, const struct oc_decision *d,
			   const struct oc_event_candidates *candidates)
{
	for (uint32_t i = 0; i < candidates->count; i++) {
		uint32_t peer = candidates->peer[i];
		oc_agent_assume_outstanding(replay->agent, peer, oc_agent_outstanding(replay->agent, peer),
					    peer == d->first_choice ? RANK_FIRST : RANK_OTHERS);
	}
}

void oc_replay_steer(struct oc_replay *replay, const struct oc_replay_call *call,
		     const struct oc_event_candidates *candidates)
{
	if (replay->conf.mode == OC_REPLAY_EXACT)
		steer_by_record(replay, &call->decision, candidates);
	else
		steer_by_model(replay, &call->decision, candidates);
}

static struct oc_replay_set *set_of(struct oc_replay *replay, const struct oc_decision *d)
{
	uint64_t x = ((uint64_t)d->app_id << 32 ^ (uint64_t)d->dest_realm << 16 ^ d->dest_host) *
		     0x9e3779b97f4a7c15ull;

	return &replay->sets[(x >> 40) % OC_REPLAY_SETS];
}

static void copy_set(struct oc_event_candidates *to, const struct oc_event_candidates *from)
{
	to->count = from->count < OC_CANDIDATES_MAX ? from->count : OC_CANDIDATES_MAX;
	memcpy(to->peer, from->peer, to->count * sizeof(to->peer[0]));
	memcpy(to->score, from->score, to->count * sizeof(to->score[0]));
}

static void remember(struct oc_replay *replay, const struct oc_decision *d,
		     const struct oc_event_candidates *candidates)
{
	struct oc_replay_set *set = set_of(replay, d);

	set->app_id = d->app_id;
	set->dest_host = d->dest_host;
	set->dest_realm = d->dest_realm;
	set->is_known = true;
	copy_set(&set->candidates, candidates);
}

static void add(struct oc_event_candidates *set, uint32_t peer, int32_t score)
{
	if (peer == OC_NAME_NONE)
		return;
	set->peer[set->count] = peer;
	set->score[set->count++] = score;
}

void oc_replay_candidates(struct oc_replay *replay, const struct oc_replay_call *call,
			  struct oc_event_candidates *out, bool *is_exact)
{
	const struct oc_decision *d = &call->decision;
	const struct oc_replay_set *set = set_of(replay, d);

	*is_exact = call->has_candidates;
	out->count = 0;
	if (call->has_candidates) {
		copy_set(out, &call->candidates);
		if (replay->conf.mode == OC_REPLAY_WHAT_IF)
			remember(replay, d, out);
	} else if (replay->conf.mode == OC_REPLAY_WHAT_IF && set->is_known && set->app_id == d->app_id &&
		   set->dest_host == d->dest_host && set->dest_realm == d->dest_realm) {
		copy_set(out, &set->candidates);
	} else {
		add(out, d->first_choice, 1);
		add(out, d->next_hop != d->first_choice ? d->next_hop : OC_NAME_NONE, 0);
	}
}
