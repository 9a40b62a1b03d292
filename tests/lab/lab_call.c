/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The way of a call up to a server and of its answer back, and what happens to both when a node dies.
 */
#include <stdlib.h>
#include <string.h>

#include "agent/wire/oc_avp.h"
#include "agent/wire/oc_octets.h"
#include "lab_node.h"

struct lab_call *lab_call_new(struct lab_world *w, struct lab_node *client)
{
	struct lab_call *call = w->spare;

	if (call)
		w->spare = call->next;
	else
		call = malloc(sizeof(*call));
	if (!call)
		abort();
	memset(call, 0, sizeof(*call));
	call->client = client;
	call->drmp = OC_DRMP_NONE;
	call->app_id = w->app_id;
	call->born_ns = w->now_ns;
	call->next = w->calls;
	if (w->calls)
		w->calls->prev = call;
	w->calls = call;
	return call;
}

void lab_call_free(struct lab_world *w, struct lab_call *call)
{
	if (call->prev)
		call->prev->next = call->next;
	else
		w->calls = call->next;
	if (call->next)
		call->next->prev = call->prev;
	call->next = w->spare;
	w->spare = call;
}

static struct lab_hop *last_hop(struct lab_call *call)
{
	return &call->hops[call->depth - 1];
}

/* A relay and a client know nothing: they take their ways in turn, the best score first. */
static void route_in_turn(struct lab_world *w, struct lab_call *call)
{
	struct lab_node *node = last_hop(call)->node;
	struct lab_link ways[LAB_LINKS_MAX];
	struct lab_link best[LAB_LINKS_MAX];
	uint32_t count = lab_ways(w, call, node, ways);
	uint32_t equals = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (equals && ways[i].score > best[0].score)
			equals = 0;
		if (equals == 0 || ways[i].score == best[0].score)
			best[equals++] = ways[i];
	}
	if (equals > 0) {
		lab_call_forward(w, call, best[node->turn++ % equals].to);
		return;
	}
	if (node->kind == LAB_CLIENT) {
		node->counts.lost++;
		lab_call_free(w, call);
		return;
	}
	struct lab_octets answer;
	lab_call_begin_answer(call, OC_RC_UNABLE_TO_DELIVER, &answer);
	lab_call_answer(w, call, &answer);
}

void lab_call_route(struct lab_world *w, struct lab_call *call)
{
	if (last_hop(call)->node->kind == LAB_AGENT)
		lab_agent_route(w, call);
	else
		route_in_turn(w, call);
}

void lab_call_forward(struct lab_world *w, struct lab_call *call, struct lab_node *to)
{
	struct lab_hop *from = last_hop(call);
	struct lab_hop *hop = &call->hops[call->depth];

	if (call->depth == LAB_HOPS_MAX)
		abort();
	memset(hop, 0, sizeof(*hop));
	hop->node = to;
	hop->out = from->out;
	call->depth++;
	lab_note_add(w, to, from->node, &hop->out);
	switch (to->kind) {
	case LAB_AGENT:
		lab_agent_request(w, call);
		break;
	case LAB_SERVER:
		lab_server_request(w, call);
		break;
	default:
		route_in_turn(w, call);
		break;
	}
}

void lab_call_begin_answer(const struct lab_call *call, uint32_t result, struct lab_octets *answer)
{
	const struct lab_hop *hop = &call->hops[call->depth - 1];
	uint8_t flags = OC_FLAG_PROXIABLE | (result == OC_RC_SUCCESS ? 0 : OC_FLAG_ERROR);

	lab_wire_begin(answer, flags, call->app_id, oc_octets_u32(hop->out.data + 16));
	lab_wire_text(answer, OC_AVP_ORIGIN_HOST, hop->node->id);
	lab_wire_text(answer, OC_AVP_ORIGIN_REALM, hop->node->realm);
	lab_wire_u32(answer, OC_AVP_RESULT_CODE, result);
}

void lab_call_answer(struct lab_world *w, struct lab_call *call, struct lab_octets *answer)
{
	for (uint32_t i = call->depth - 1; i > 0; i--) {
		struct lab_node *from = call->hops[i].node;
		struct lab_hop *hop = &call->hops[i - 1];
		lab_note_add(w, hop->node, from, answer);
		if (hop->node->kind == LAB_AGENT)
			lab_agent_answer(w, hop, from, answer);
		else if (hop->node->kind == LAB_CLIENT)
			lab_client_answer(w, call, answer, from);
	}
}

/* Forgets the hops from @first on. */
static void cut(struct lab_world *w, struct lab_call *call, uint32_t first)
{
	if (call->served_by)
		lab_server_drop(call->served_by, call);
	for (uint32_t i = first; i < call->depth; i++)
		lab_agent_gone(w, &call->hops[i]);
	call->depth = first;
}

/* Position of @node on the way of @call, or its depth. */
static uint32_t place_of(const struct lab_call *call, const struct lab_node *node)
{
	uint32_t at = 0;

	while (at < call->depth && call->hops[at].node != node)
		at++;
	return at;
}

static void tell_pair(struct lab_world *w, struct lab_node *node, struct lab_node *other, bool is_up)
{
	if (other->agent)
		oc_agent_on_peer(other->agent, lab_name(other->names, node->id), is_up, w->now_ns);
	if (node->agent && is_up && other->is_up)
		oc_agent_on_peer(node->agent, lab_name(node->names, other->id), true, w->now_ns);
}

static void tell_neighbours(struct lab_world *w, struct lab_node *node, bool is_up)
{
	for (uint32_t i = 0; i < w->node_count; i++)
		for (uint32_t k = 0; k < w->nodes[i].link_count; k++)
			if (w->nodes[i].links[k].to == node)
				tell_pair(w, node, &w->nodes[i], is_up);
	for (uint32_t k = 0; k < node->link_count; k++)
		tell_pair(w, node, node->links[k].to, is_up);
}

void lab_node_down(struct lab_world *w, struct lab_node *node)
{
	struct lab_call *next;

	node->is_up = false;
	tell_neighbours(w, node, false);
	for (struct lab_call *call = w->calls; call; call = next) {
		uint32_t at = place_of(call, node);
		next = call->next;
		if (at == call->depth)
			continue;
		cut(w, call, at);
		if (at == 0) {
			lab_call_free(w, call);
			continue;
		}
		call->hops[at - 1].out.data[4] |= OC_FLAG_RETRANSMIT;
		lab_call_route(w, call);
	}
	lab_agent_stop(w, node);
}

void lab_node_up(struct lab_world *w, struct lab_node *node)
{
	node->is_up = true;
	if (node->kind == LAB_AGENT && !lab_agent_start(w, node))
		abort();
	tell_neighbours(w, node, true);
}
