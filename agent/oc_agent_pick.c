/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which of the peers a request could go to: by the host's score, then by load where it is known, else by unanswered requests.
 */
#include "oc_agent_inner.h"

#define EQUALS_MAX 64u /* peers of one score looked at */

struct equals {
	int32_t score;
	uint32_t count;
	uint32_t at[EQUALS_MAX]; /* positions among the candidates */
};

/* Decides among equals: every peer gets its own number, and the lowest wins. */
static uint64_t lot(uint64_t random, uint32_t peer)
{
	uint64_t x = (random ^ peer) * 0x9e3779b97f4a7c15ull;

	x ^= x >> 32;
	return x * 0xd6e8feb86659fd93ull;
}

static bool asks_for_less(const struct oc_agent *agent, const struct oc_choice *c, uint32_t peer)
{
	if (c->msg->dest_host == OC_NAME_NONE &&
	    oc_agent_share(agent, c->msg, OC_REPORT_HOST, peer, c->now_ns) > 0)
		return true;
	return oc_ocs_of_type(agent->ocs, OC_REPORT_PEER) != 0 &&
	       oc_agent_share(agent, c->msg, OC_REPORT_PEER, peer, c->now_ns) > 0;
}

/* Whether it would do, if it has room. */
static bool is_usable(const struct oc_agent *agent, const struct oc_choice *c, const struct oc_candidate *a)
{
	if (a->score < 0 || (c->only && a->peer != c->only))
		return false;
	return !c->avoids_reports || !asks_for_less(agent, c, a->peer);
}

void oc_agent_look_at_counts(const struct oc_agent *agent, struct oc_choice *c)
{
	for (uint32_t i = 0; i < c->count && i < OC_CHOICE_COUNTED; i++)
		c->filling[i] = oc_peers_filling(agent->peers, c->candidates[i].peer);
}

static uint32_t filling_of(const struct oc_agent *agent, const struct oc_choice *c, uint32_t i)
{
	return i < OC_CHOICE_COUNTED ? c->filling[i] : oc_peers_filling(agent->peers, c->candidates[i].peer);
}

uint32_t oc_agent_count_of(const struct oc_agent *agent, const struct oc_choice *c, uint32_t i)
{
	return oc_peers_count_in(filling_of(agent, c, i));
}

static bool has_room(const struct oc_agent *agent, const struct oc_choice *c, uint32_t i)
{
	return c->outstanding_max == 0 || oc_agent_count_of(agent, c, i) < c->outstanding_max;
}

static void collect(const struct oc_agent *agent, struct oc_choice *c, struct equals *equals)
{
	int32_t best_full = -1;

	equals->count = 0;
	equals->score = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		const struct oc_candidate *a = &c->candidates[i];
		if ((equals->count && a->score < equals->score) || !is_usable(agent, c, a))
			continue;
		if (!has_room(agent, c, i)) {
			best_full = a->score > best_full && a->peer != c->left ? a->score : best_full;
			continue;
		}
		if (equals->count && a->score > equals->score)
			equals->count = 0;
		equals->score = a->score;
		if (equals->count < EQUALS_MAX)
			equals->at[equals->count++] = i;
	}
	c->is_no_room |= best_full >= 0 && (equals->count == 0 || best_full >= equals->score);
}

/* In proportion to free capacity (L-19). False: nobody's load is known. */
static bool by_load(const struct oc_agent *agent, struct oc_choice *c, const struct equals *equals,
		    uint32_t *pick)
{
	uint32_t weights[EQUALS_MAX];
	bool is_any_known = false;

	for (uint32_t i = 0; i < equals->count; i++) {
		bool is_known = false;
		weights[i] = oc_loads_weight(agent->loads, &agent->policy.load,
					     c->candidates[equals->at[i]].peer, c->now_ns, &is_known);
		is_any_known |= is_known;
	}
	if (!is_any_known)
		return false;
	*pick = equals->at[oc_load_pick(weights, equals->count, oc_agent_stir(c->random))];
	c->is_by_chance = true;
	return true;
}

static uint32_t by_outstanding(const struct oc_agent *agent, const struct oc_choice *c,
			       const struct equals *equals)
{
	uint64_t random = oc_agent_stir(c->random);
	uint32_t pick = equals->at[0];
	uint32_t fewest = filling_of(agent, c, pick);

	for (uint32_t i = 1; i < equals->count; i++) {
		uint32_t peer = c->candidates[equals->at[i]].peer;
		uint32_t filling = filling_of(agent, c, equals->at[i]);
		if (filling > fewest)
			continue;
		if (filling == fewest && lot(random, peer) >= lot(random, c->candidates[pick].peer))
			continue;
		pick = equals->at[i];
		fewest = filling;
	}
	return pick;
}

/* In a replay: whether one of them is known to have been picked. */
static bool is_given(const struct oc_agent *agent, struct oc_choice *c, const struct equals *equals)
{
	bool is_found = false;

	for (uint32_t i = 0; agent->is_replay && c->outstanding_max != 0 && i < equals->count; i++)
		is_found |= oc_peers_rank_in(filling_of(agent, c, equals->at[i])) == OC_ROOM_GIVEN;
	return is_found;
}

uint32_t oc_agent_pick(const struct oc_agent *agent, struct oc_choice *choice)
{
	struct equals equals;
	uint32_t pick;

	collect(agent, choice, &equals);
	if (equals.count == 0)
		return choice->count;
	if (equals.count == 1)
		return equals.at[0];
	if (agent->is_load_known && agent->policy.load.balances && !is_given(agent, choice, &equals) &&
	    by_load(agent, choice, &equals, &pick))
		return pick;
	return by_outstanding(agent, choice, &equals);
}
