/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A server: answers at once or as fast as its capacity allows, and reports what it is told to report or what its load asks
 * for.
 */
#include <stdio.h>
#include <string.h>

#include "agent/wire/oc_avp.h"
#include "lab_node.h"

#define AUTO_VALIDITY_S 10u
#define AUTO_AIM 0.9 /* of the capacity */

/* Reports go to those that announced DOIC; which algorithm is said follows from what was offered and is asked. */
static bool fits(const struct lab_report *r, const struct oc_msg *request, bool has_rate, bool is_peer_down)
{
	bool is_rate = (r->olr.has & OC_OLR_HAS_RATE) != 0;

	return r->is_used && (r->app_id == 0 || r->app_id == request->app_id) &&
	       (r->origin == 0 || r->origin == request->origin_host) && (!is_rate || has_rate) &&
	       (r->olr.type != OC_REPORT_PEER || is_peer_down || r->source[0]);
}

static void add_reports(const struct lab_node *server, const struct oc_msg *request, bool is_peer_down,
			struct lab_octets *answer)
{
	bool has_rate = (request->caps.vector & server->vector & OC_FV_RATE) != 0;
	bool is_rate = false;

	for (uint32_t i = 0; i < LAB_HELD_MAX; i++)
		is_rate |= fits(&server->held[i], request, has_rate, is_peer_down) &&
			   (server->held[i].olr.has & OC_OLR_HAS_RATE);
	uint64_t algorithm = is_rate ? OC_FV_RATE : OC_FV_LOSS;
	lab_wire_caps(answer, algorithm | (is_peer_down ? OC_FV_PEER_REPORT : 0),
		      is_peer_down ? server->id : NULL, is_peer_down ? algorithm : 0);
	for (uint32_t i = 0; i < LAB_HELD_MAX; i++) {
		const struct lab_report *r = &server->held[i];
		bool is_peer = r->olr.type == OC_REPORT_PEER;
		if (fits(r, request, has_rate, is_peer_down))
			lab_wire_olr(answer, &r->olr,
				     is_peer ? (r->source[0] ? r->source : server->id) : NULL);
	}
}

static void respond(struct lab_world *w, struct lab_call *call)
{
	struct lab_hop *hop = &call->hops[call->depth - 1];
	struct lab_node *server = hop->node;
	uint32_t from = call->hops[call->depth - 2].node->name;
	struct lab_octets answer;
	struct oc_msg request = { 0 };
	struct oc_bytes bytes = { .data = hop->out.data, .len = hop->out.len };

	(void)oc_msg_scan(bytes, w->names, NULL, &request, NULL);
	lab_call_begin_answer(call, call->result, &answer);
	bool is_peer_down = server->tongue == LAB_PEER && (request.caps.has & OC_CAPS_HAS_SOURCE) &&
			    (request.caps.vector & OC_FV_PEER_REPORT) && request.caps.source == from;
	if (server->tongue != LAB_PLAIN && (request.caps.has & OC_CAPS_PRESENT))
		add_reports(server, &request, is_peer_down, &answer);
	if (server->host_load >= 0)
		lab_wire_load(&answer, OC_LOAD_HOST, (uint32_t)server->host_load, server->id);
	if (server->peer_load >= 0)
		lab_wire_load(&answer, OC_LOAD_PEER, (uint32_t)server->peer_load,
			      server->peer_load_source[0] ? server->peer_load_source : server->id);
	lab_call_answer(w, call, &answer);
}

static void enqueue(struct lab_node *server, struct lab_call *call)
{
	struct lab_service *s = &server->service;

	call->served_by = server;
	call->queue_next = NULL;
	if (s->first)
		s->last->queue_next = call;
	else
		s->first = call;
	s->last = call;
	s->queued++;
}

/* Work of @services services more; returns when it is done. */
static uint64_t work(struct lab_world *w, struct lab_service *s, double services)
{
	uint64_t from = s->busy_until_ns > w->now_ns ? s->busy_until_ns : w->now_ns;

	s->busy_until_ns = from + (uint64_t)(services * 1e9 / s->rps);
	return s->busy_until_ns;
}

void lab_server_request(struct lab_world *w, struct lab_call *call)
{
	struct lab_node *server = call->hops[call->depth - 1].node;
	struct lab_service *s = &server->service;

	s->window_count++;
	call->result = OC_RC_SUCCESS;
	call->ready_ns = w->now_ns;
	if (s->is_mute) {
		enqueue(server, call);
		return;
	}
	if (s->rps <= 0.0) {
		respond(w, call);
		return;
	}
	if (s->queued >= s->queue_max) {
		call->result = OC_RC_TOO_BUSY;
		(void)work(w, s, s->refusal_cost);
		respond(w, call);
		return;
	}
	call->ready_ns = work(w, s, 1.0);
	enqueue(server, call);
}

void lab_server_ready(struct lab_world *w, struct lab_node *node)
{
	struct lab_call *call = node->service.first;

	lab_server_drop(node, call);
	respond(w, call);
}

void lab_server_drop(struct lab_node *node, struct lab_call *call)
{
	struct lab_service *s = &node->service;
	struct lab_call **at = &s->first;
	struct lab_call *before = NULL;

	while (*at != call) {
		before = *at;
		at = &(*at)->queue_next;
	}
	*at = call->queue_next;
	if (s->last == call)
		s->last = before;
	call->served_by = NULL;
	s->queued--;
}

void lab_server_talk(struct lab_world *w, struct lab_node *node)
{
	node->service.is_mute = false;
	while (node->service.first)
		lab_server_ready(w, node);
}

static void tell(struct lab_world *w, struct lab_node *server, uint32_t pct)
{
	struct lab_service *s = &server->service;

	server->held[0].is_used = true;
	server->held[0].olr = (struct oc_olr){ .sequence = ++server->sequence,
					       .type = OC_REPORT_HOST,
					       .reduction_pct = pct,
					       .validity_s = pct ? AUTO_VALIDITY_S : 0,
					       .has = OC_OLR_HAS_REDUCTION };
	s->pct = pct;
	s->told_ns = w->now_ns;
}

/* What would arrive without the reduction in force, held against what the server can do. */
void lab_server_tick(struct lab_world *w, struct lab_node *server)
{
	struct lab_service *s = &server->service;

	if (!s->is_reporting || w->now_ns < s->window_ns + LAB_NS)
		return;
	double seconds = (double)(w->now_ns - s->window_ns) / 1e9;
	double demand = (double)s->window_count / seconds / (1.0 - s->pct / 100.0);
	double excess = demand > s->rps * AUTO_AIM ? 1.0 - s->rps * AUTO_AIM / demand : 0.0;
	uint32_t pct = (uint32_t)(excess * 100.0 + 0.5);
	bool is_aged = w->now_ns >= s->told_ns + AUTO_VALIDITY_S * LAB_NS / 2;
	bool is_moved = pct > s->pct + 2 || pct + 2 < s->pct;

	s->window_ns = w->now_ns;
	s->window_count = 0;
	pct = pct > 90 ? 90 : pct;
	if ((is_moved && (pct > s->pct || pct + 2 < s->pct)) || (pct != 0 && is_aged))
		tell(w, server, pct);
}
