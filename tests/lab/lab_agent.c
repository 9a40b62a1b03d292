/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * An agent node: drives the core as its host would, and does to the octets what the core says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/wire/oc_avp.h"
#include "lab_node.h"

static void on_event(void *ctx, const struct oc_event *event)
{
	struct lab_node *node = ctx;

	help_life_event(node->life, event);
	if (event->kind == OC_EVENT_DECISION) {
		node->counts.decisions++;
		node->counts.verdict[event->u.decision.verdict]++;
	}
	node->counts.outcomes += event->kind == OC_EVENT_OUTCOME;
}

/* Everybody is trusted with everything, nothing is delayed and nothing capped, until a story says otherwise. */
static void init_policy(struct oc_policy *policy)
{
	oc_policy_init(policy);
	policy->ramp_ms = 0;
	policy->outstanding_max = 0;
	policy->load.slow_start_ms = 0;
	policy->default_trust = OC_TRUST_DOIC | OC_TRUST_SEND_REPORTS | OC_TRUST_RELAY_REPORTS |
				OC_TRUST_RECEIVE_REPORTS | OC_TRUST_DRMP | OC_TRUST_RELAY_DRMP |
				OC_TRUST_RECEIVE_DRMP | OC_TRUST_SEND_LOAD | OC_TRUST_RELAY_LOAD |
				OC_TRUST_RECEIVE_LOAD;
	policy->version = 1;
}

bool lab_agent_start(struct lab_world *w, struct lab_node *node)
{
	if (node->policy.version == 0)
		init_policy(&node->policy);
	node->names = oc_names_new(512, 1);
	/* Milliseconds: a later life begins above all numbers of the earlier ones (D-093). */
	struct oc_agent_conf conf = { .identity = node->id,
				      .realm = node->realm,
				      .names = node->names,
				      .ocs_max = 256,
				      .retry_memory = 1024,
				      .session_memory = 1024,
				      .first_sequence = w->now_ns / 1000000u,
				      .now_ns = w->now_ns,
				      .emit = on_event,
				      .emit_ctx = node };
	node->life = help_life_begin(&conf, &node->policy);
	node->agent = node->names && node->life ? oc_agent_new(&conf, &node->policy) : NULL;
	return node->agent != NULL;
}

/* Its life is over, and must go as it went when it is lived again. */
static void live_again(struct lab_world *w, struct lab_node *node)
{
	char text[HELP_LIFE_TEXT_MAX];
	struct oc_replay_counts counts = help_life_again(node->life, text);

	help_life_free(node->life);
	node->life = NULL;
	if (counts.differing == 0 && counts.inexact == 0 && counts.late == 0 && counts.unknown == 0)
		return;
	w->lives_failed++;
	printf("%s lived again: %llu of %llu decisions differ, %llu inexact, %llu late, %llu unknown; %s\n",
	       node->id, (unsigned long long)counts.differing, (unsigned long long)counts.decisions,
	       (unsigned long long)counts.inexact, (unsigned long long)counts.late,
	       (unsigned long long)counts.unknown, text);
}

void lab_agent_stop(struct lab_world *w, struct lab_node *node)
{
	if (!node->agent)
		return;
	oc_agent_free(node->agent, w->now_ns);
	live_again(w, node);
	oc_names_free(node->names);
	node->agent = NULL;
	node->names = NULL;
}

void lab_agent_apply_policy(struct lab_world *w, struct lab_node *node)
{
	node->policy.version++;
	if (node->agent)
		help_life_policy(node->life, &node->policy,
				 oc_agent_set_policy(node->agent, &node->policy, w->now_ns));
}

static const struct oc_keyed_key key = { { 1 } };

static void scan(const struct lab_node *node, const struct lab_octets *octets, struct oc_msg *msg)
{
	struct oc_bytes bytes = { .data = octets->data, .len = octets->len };

	memset(msg, 0, sizeof(*msg));
	if (oc_msg_scan(bytes, node->names, &key, msg, NULL) != 0)
		abort();
}

/* An error made on this node, by the agent or by its host. */
static void answer_here(struct lab_world *w, struct lab_call *call, enum oc_maker maker, uint32_t result)
{
	struct lab_hop *hop = &call->hops[call->depth - 1];
	struct lab_node *node = hop->node;
	struct lab_octets answer;
	struct oc_answer_edit edit = { 0 };

	lab_call_begin_answer(call, result, &answer);
	oc_agent_on_own_answer(node->agent, &hop->txn, w->now_ns, &edit);
	lab_wire_edit(&answer, node->agent, &edit);
	oc_agent_on_answer_leaving(node->agent, &hop->txn, maker, result, w->now_ns);
	lab_agent_gone(w, hop);
	lab_call_answer(w, call, &answer);
}

static void announce(const struct lab_node *node, struct lab_hop *hop)
{
	struct oc_group group;
	enum oc_caps_action action = oc_agent_caps_for_request(node->agent, &hop->msg, &hop->txn, &group);

	if (action == OC_CAPS_KEEP)
		return;
	if (action == OC_CAPS_REPLACE)
		lab_wire_remove(&hop->out, OC_AVP_SUPPORTED_FEATURES, 0, true);
	lab_wire_avp(&hop->out, OC_AVP_SUPPORTED_FEATURES, group.data, group.len);
}

static void edit_drmp(struct lab_hop *hop)
{
	enum oc_drmp_action action = oc_agent_drmp_for_request(&hop->txn);

	if (action == OC_DRMP_KEEP)
		return;
	lab_wire_remove(&hop->out, OC_AVP_DRMP, 0, true);
	if (action == OC_DRMP_REWRITE)
		lab_wire_u32(&hop->out, OC_AVP_DRMP, hop->txn.drmp_to);
}

void lab_agent_request(struct lab_world *w, struct lab_call *call)
{
	struct lab_hop *hop = &call->hops[call->depth - 1];
	struct lab_node *node = hop->node;
	uint32_t from = lab_name(node->names, call->hops[call->depth - 2].node->id);

	scan(node, &hop->out, &hop->msg);
	hop->is_begun = true;
	lab_wire_remove(&hop->out, OC_AVP_OLR, 0, true);
	if (oc_agent_on_request(node->agent, &hop->msg, from, w->now_ns, lab_chance(w), &hop->txn) ==
	    OC_REFUSE) {
		answer_here(w, call, OC_MADE_AGENT, hop->txn.decision.result_code);
		return;
	}
	announce(node, hop);
	edit_drmp(hop);
	lab_agent_route(w, call);
}

/* The host prefers a neighbour that is the Destination-Host by far. */
static uint32_t candidates_of(struct lab_world *w, const struct lab_call *call, struct lab_node *node,
			      struct lab_link ways[LAB_LINKS_MAX], struct oc_candidate out[LAB_LINKS_MAX])
{
	uint32_t count = lab_ways(w, call, node, ways);

	for (uint32_t i = 0; i < count; i++) {
		bool is_wanted = strcmp(ways[i].to->id, call->dest_host) == 0;
		out[i].peer = lab_name(node->names, ways[i].to->id);
		out[i].score = ways[i].score + (is_wanted ? 100 : 0);
	}
	return count;
}

static uint32_t best_of(const struct oc_candidate *candidates, uint32_t count)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < count; i++)
		if (candidates[i].score > candidates[best].score)
			best = i;
	return best;
}

void lab_agent_route(struct lab_world *w, struct lab_call *call)
{
	struct lab_hop *hop = &call->hops[call->depth - 1];
	struct lab_node *node = hop->node;
	struct lab_link ways[LAB_LINKS_MAX];
	struct oc_candidate candidates[LAB_LINKS_MAX];
	uint32_t count = candidates_of(w, call, node, ways, candidates);
	uint32_t pick = count;

	if (oc_agent_on_candidates(node->agent, &hop->msg, candidates, count, w->now_ns, lab_chance(w),
				   &hop->txn, &pick) == OC_REFUSE) {
		answer_here(w, call, OC_MADE_AGENT, hop->txn.decision.result_code);
		return;
	}
	if (count == 0) {
		answer_here(w, call, OC_MADE_DAEMON, OC_RC_UNABLE_TO_DELIVER);
		return;
	}
	if (pick >= count)
		pick = best_of(candidates, count);
	oc_agent_on_sent(node->agent, &hop->txn, candidates[pick].peer, w->now_ns);
	if (!oc_agent_may_carry_drmp(node->agent, candidates[pick].peer))
		lab_wire_remove(&hop->out, OC_AVP_DRMP, 0, true);
	lab_call_forward(w, call, ways[pick].to);
}

void lab_agent_answer(struct lab_world *w, struct lab_hop *hop, const struct lab_node *from,
		      struct lab_octets *answer)
{
	struct lab_node *node = hop->node;
	struct oc_answer_edit edit = { 0 };
	struct oc_msg msg;

	scan(node, answer, &msg);
	oc_agent_on_answer(node->agent, &msg, lab_name(node->names, from->id), w->now_ns, &hop->txn, &edit);
	lab_wire_edit(answer, node->agent, &edit);
	oc_agent_on_answer_leaving(node->agent, &hop->txn, OC_MADE_UPSTREAM, 0, w->now_ns);
	lab_agent_gone(w, hop);
}

void lab_agent_gone(struct lab_world *w, struct lab_hop *hop)
{
	if (hop->is_begun && hop->node->agent)
		oc_agent_on_gone(hop->node->agent, &hop->txn, w->now_ns);
	hop->is_begun = false;
}
