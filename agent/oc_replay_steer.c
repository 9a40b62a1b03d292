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

static uint32_t subject_of(const struct oc_replay *replay, uint32_t version)
{
	return version < replay->subject_room ? replay->subjects[version] : OC_NAME_NONE;
}

/* Places a request passed in step 3, as far as they are known; 0: none, or not known. */
struct way {
	uint32_t first;
	uint32_t between; /* a look was there */
	uint32_t last;
};

/* The place a look of step 3 was at, if it is none of @a and @b. */
static uint32_t look_other(const struct oc_replay *replay, const struct oc_decision *d, uint32_t a,
			   uint32_t b)
{
	uint32_t host = d->dest_host == OC_NAME_NONE ? subject_of(replay, d->host.version) : OC_NAME_NONE;
	uint32_t peer = subject_of(replay, d->peer.version);

	if (host != OC_NAME_NONE && host != a && host != b)
		return host;
	return peer != a && peer != b ? peer : OC_NAME_NONE;
}

static const struct way *way_of(const struct oc_replay *replay, const struct oc_decision *d, struct way *way)
{
	*way = (struct way){ .first = d->first_choice, .last = d->next_hop };
	bool stayed = (d->flags & OC_DEC_OBSERVED) && (d->flags & OC_DEC_FULL);
	if ((d->flags & OC_DEC_MOVED) && !stayed) {
		/* The record has where step 3 sent it; where from is known if there was a look, and else of no account. */
		way->last = d->first_choice;
		way->first = look_other(replay, d, way->last, OC_NAME_NONE);
		if (way->first == OC_NAME_NONE && !(d->flags & OC_DEC_FULL))
			way->first = way->last;
		else if (d->flags & OC_DEC_FULL)
			*way = (struct way){ .between = way->first, .last = way->last };
		return way;
	}
	way->between = look_other(replay, d, way->first, way->last);
	return way;
}

/* Who is taken for a first choice without room that is not known: the best but for those that had room. */
static uint32_t best_but(const struct way *way, const struct oc_event_candidates *candidates)
{
	uint32_t best = OC_NAME_NONE;
	int32_t score = -1;

	for (uint32_t i = 0; i < candidates->count; i++) {
		uint32_t peer = candidates->peer[i];
		if (candidates->score[i] <= score || peer == way->last || peer == way->between)
			continue;
		best = peer;
		score = candidates->score[i];
	}
	return best;
}

static int32_t score_of(const struct oc_event_candidates *candidates, uint32_t peer)
{
	for (uint32_t i = 0; i < candidates->count; i++)
		if (candidates->peer[i] == peer)
			return candidates->score[i];
	return -1;
}

/* One better than the last place that gave way to it whole, as its standby (D-239): there was no look then. */
static uint32_t standby_of(const struct oc_replay *replay, const struct oc_decision *d, const struct way *way,
			   const struct oc_event_candidates *candidates)
{
	int32_t last = score_of(candidates, way->last);
	uint32_t best = OC_NAME_NONE;
	int32_t score = last;

	for (uint32_t i = 0; last >= 0 && i < candidates->count; i++) {
		uint32_t peer = candidates->peer[i];
		if (candidates->score[i] > score && peer != d->first_choice &&
		    oc_agent_peer_asks(replay->agent, d->app_id, peer, d->out_ns)) {
			best = peer;
			score = candidates->score[i];
		}
	}
	return best;
}

static void steer_by_record(struct oc_replay *replay, const struct oc_decision *d,
			    const struct oc_event_candidates *candidates)
{
	const uint16_t full_unasked = OC_DEC_FULL | OC_DEC_OBSERVED;
	const uint16_t full_moved = OC_DEC_FULL | OC_DEC_MOVED;
	uint32_t full = replay->outstanding_max;
	struct way way;

	way_of(replay, d, &way);
	/* Under observation nobody looked for room elsewhere, but the first choice was the emptiest. */
	bool is_full_elsewhere = (d->flags & OC_DEC_NO_ROOM) || (d->flags & full_unasked) == full_unasked ||
				 (d->flags & full_moved) == full_moved;
	if (!is_full_elsewhere && (d->flags & OC_DEC_FULL) && way.between == OC_NAME_NONE)
		way.between = standby_of(replay, d, &way, candidates);
	else if ((d->flags & full_moved) == OC_DEC_MOVED && way.first == way.last &&
		 standby_of(replay, d, &way, candidates) != OC_NAME_NONE)
		way.first = standby_of(replay, d, &way, candidates);
	if (way.first == OC_NAME_NONE && (d->flags & OC_DEC_FULL))
		way.first = best_but(&way, candidates);
	for (uint32_t i = 0; i < candidates->count; i++) {
		uint32_t peer = candidates->peer[i];
		enum oc_room room = peer == way.first	  ? OC_ROOM_EMPTIEST
				    : peer == way.between ? OC_ROOM_GIVEN
				    : peer == way.last	  ? OC_ROOM_NEXT
							  : OC_ROOM_OTHERS;
		bool is_full = room == OC_ROOM_EMPTIEST ? (d->flags & OC_DEC_FULL) != 0
							: room == OC_ROOM_OTHERS && is_full_elsewhere;
		oc_agent_assume_outstanding(replay->agent, peer, is_full ? full : 0, room);
	}
}

/* Counts are modelled; among equals the recorded first choice goes first. */
static void steer_by_model(struct oc_replay *replay, const struct oc_decision *d,
			   const struct oc_event_candidates *candidates)
{
	for (uint32_t i = 0; i < candidates->count; i++) {
		uint32_t peer = candidates->peer[i];
		oc_agent_assume_outstanding(replay->agent, peer, oc_agent_outstanding(replay->agent, peer),
					    peer == d->first_choice ? OC_ROOM_EMPTIEST : OC_ROOM_OTHERS);
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
	const struct oc_event_candidates *given =
		oc_replay_shared_at(&replay->candidate_pool, call->candidates);

	*is_exact = given != NULL;
	out->count = 0;
	if (given) {
		copy_set(out, given);
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
