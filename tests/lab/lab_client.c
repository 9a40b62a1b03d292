/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A client: asks, is told of overload, and reacts by itself when it speaks DOIC (RFC 7683 section 5.2.1.1, RFC 8582 section
 * 7.3); written apart from the agent, so that it can judge it.
 */
#include <stdio.h>
#include <string.h>

#include "agent/wire/oc_avp.h"
#include "lab_node.h"

#define RETRY_NS (LAB_NS / 20)
#define BUCKET_DEPTH 5.0 /* requests, as RFC 8582 section 8.3.1 has TAU = 4 T */

static struct lab_report *held_of(struct lab_node *client, uint32_t app_id, uint32_t type, uint32_t subject)
{
	for (uint32_t i = 0; i < LAB_HELD_MAX; i++) {
		struct lab_report *r = &client->held[i];
		if (r->is_used && r->app_id == app_id && r->olr.type == type && r->subject == subject)
			return r;
	}
	return NULL;
}

static struct lab_report *room_for(struct lab_node *client)
{
	for (uint32_t i = 0; i < LAB_HELD_MAX; i++)
		if (!client->held[i].is_used)
			return &client->held[i];
	return NULL;
}

static bool is_selected(struct lab_world *w, struct lab_report *held)
{
	if (!held || held->until_ns <= w->now_ns)
		return false;
	if (!(held->olr.has & OC_OLR_HAS_RATE))
		return lab_chance_unit(w) * 100.0 < held->olr.reduction_pct;
	double drained = (double)(w->now_ns - held->last_ns) / 1e9 * held->olr.rate_rps;
	held->level = held->level > drained ? held->level - drained : 0.0;
	held->last_ns = w->now_ns;
	if (held->level + 1.0 > BUCKET_DEPTH)
		return true;
	held->level += 1.0;
	return false;
}

/* The report of the host or realm first, then that of the neighbour; one neighbour has to be known for it. */
static bool is_throttled(struct lab_world *w, const struct lab_call *call)
{
	struct lab_node *client = call->client;
	bool has_host = call->dest_host[0] != '\0';
	uint32_t subject = lab_name(w->names, has_host ? call->dest_host : call->dest_realm);

	if (client->tongue == LAB_PLAIN)
		return false;
	if (is_selected(w,
			held_of(client, call->app_id, has_host ? OC_REPORT_HOST : OC_REPORT_REALM, subject)))
		return true;
	return client->tongue == LAB_PEER && client->link_count == 1 &&
	       is_selected(w, held_of(client, call->app_id, OC_REPORT_PEER, client->links[0].to->name));
}

static void build(struct lab_world *w, const struct lab_call *call, struct lab_octets *out)
{
	const struct lab_node *client = call->client;
	char session[LAB_NAME_MAX + 32];

	snprintf(session, sizeof(session), "%s;1;%u", client->id, ++w->end_to_end);
	lab_wire_begin(out, OC_FLAG_REQUEST | OC_FLAG_PROXIABLE, call->app_id, w->end_to_end);
	lab_wire_text(out, OC_AVP_SESSION_ID, session);
	lab_wire_text(out, OC_AVP_ORIGIN_HOST, client->id);
	lab_wire_text(out, OC_AVP_ORIGIN_REALM, client->realm);
	lab_wire_text(out, OC_AVP_DESTINATION_REALM, call->dest_realm);
	if (call->dest_host[0])
		lab_wire_text(out, OC_AVP_DESTINATION_HOST, call->dest_host);
	if (call->drmp != OC_DRMP_NONE)
		lab_wire_u32(out, OC_AVP_DRMP, call->drmp);
	if (client->tongue == LAB_DOIC)
		lab_wire_caps(out, client->vector, NULL, 0);
	if (client->tongue == LAB_PEER)
		lab_wire_caps(out, client->vector | OC_FV_PEER_REPORT, client->id, 0);
}

void lab_client_send(struct lab_world *w, struct lab_call *call)
{
	struct lab_node *client = call->client;

	if (is_throttled(w, call)) {
		client->counts.throttled++;
		lab_call_free(w, call);
		return;
	}
	client->counts.sent++;
	memset(&call->hops[0], 0, sizeof(call->hops[0]));
	call->hops[0].node = client;
	call->depth = 1;
	build(w, call, &call->hops[0].out);
	lab_call_route(w, call);
}

/* D-082, D-094: newer than what is held, or nothing happens. */
static void take(struct lab_world *w, struct lab_node *client, const struct oc_msg *answer,
		 const struct oc_olr *olr, uint32_t subject)
{
	struct lab_report *held = held_of(client, answer->app_id, olr->type, subject);
	uint32_t validity_s = olr->has & OC_OLR_HAS_VALIDITY ? olr->validity_s : 30;

	if (held && held->until_ns > w->now_ns && olr->sequence <= held->olr.sequence)
		return;
	if (!held)
		held = room_for(client);
	if (!held)
		return;
	bool is_new_rate = !held->is_used || !(held->olr.has & OC_OLR_HAS_RATE);
	held->olr = *olr;
	held->app_id = answer->app_id;
	held->subject = subject;
	held->until_ns = w->now_ns + validity_s * LAB_NS;
	held->is_used = true;
	if (is_new_rate) {
		held->level = 0.0;
		held->last_ns = w->now_ns;
	}
}

static void learn(struct lab_world *w, struct lab_node *client, const struct oc_msg *answer,
		  const struct lab_node *from)
{
	if (client->tongue == LAB_PLAIN || !(answer->caps.has & OC_CAPS_PRESENT))
		return;
	for (uint32_t i = 0; i < answer->olr_count; i++) {
		const struct oc_olr *olr = &answer->olr[i];
		if (olr->type == OC_REPORT_HOST)
			take(w, client, answer, olr, answer->origin_host);
		else if (olr->type == OC_REPORT_REALM)
			take(w, client, answer, olr, answer->origin_realm);
		else if (olr->type == OC_REPORT_PEER && client->tongue == LAB_PEER &&
			 olr->source == from->name)
			take(w, client, answer, olr, from->name);
	}
}

/* TOO_BUSY invites another try; it begins a little later. */
static bool tries_again(struct lab_world *w, struct lab_call *call, uint32_t result)
{
	if (result != OC_RC_TOO_BUSY || call->tries >= call->client->retries)
		return false;
	call->tries++;
	call->depth = 0;
	call->ready_ns = w->now_ns + RETRY_NS;
	call->queue_next = NULL;
	if (w->retry_first)
		w->retry_last->queue_next = call;
	else
		w->retry_first = call;
	w->retry_last = call;
	return true;
}

void lab_client_answer(struct lab_world *w, struct lab_call *call, const struct lab_octets *answer,
		       struct lab_node *from)
{
	struct lab_node *client = call->client;
	struct oc_bytes bytes = { .data = answer->data, .len = answer->len };
	struct oc_msg msg = { 0 };

	(void)oc_msg_scan(bytes, w->names, NULL, &msg, NULL);
	learn(w, client, &msg, from);
	if (tries_again(w, call, msg.result_code))
		return;
	if (msg.result_code == OC_RC_SUCCESS) {
		bool is_late = (double)(w->now_ns - call->born_ns) > client->patience_s * 1e9;
		client->counts.late += is_late;
		client->counts.useful += !is_late;
	}
	lab_call_free(w, call);
}
