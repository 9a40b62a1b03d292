/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the nodes' agents tell: states for the summary, and the stream for the sink.
 */
#include "oev_model_inner.h"

#include <stdlib.h>

#include "../../agent/doic/oc_match.h"
#include "../../agent/oc_err.h"

#define NS_PER_S 1000000000ull

static struct oev_state *state_at(const struct oev_capture_model *model, uint32_t number)
{
	return number != 0 ? &model->states[number - 1] : NULL;
}

static uint64_t version_print(uint32_t node, uint32_t version)
{
	return ((uint64_t)node << 32 | version) * 0x9e3779b97f4a7c15ull >> 3;
}

/* The state of @version of the node. */
static struct oev_state *state_of(const struct oev_capture_model *model, const struct oev_node_inner *inner,
				  uint32_t version)
{
	struct oev_map_walk walk = oev_map_first(&model->by_version, version_print(inner->index, version));

	for (uint32_t i; (i = oev_map_next(&walk)) != 0;)
		if (model->states[i - 1].node == inner->index &&
		    model->states[i - 1].version.version == version)
			return &model->states[i - 1];
	return NULL;
}

static struct oev_state *add_state(struct oev_capture_model *model, uint64_t print)
{
	if (model->state_count == model->state_room) {
		uint32_t room = model->state_room != 0 ? model->state_room * 2 : 64;
		struct oev_state *grown =
			room <= OEV_STATES_MAX ? realloc(model->states, room * sizeof(*grown)) : NULL;
		if (grown == NULL) {
			model->states_left_out++;
			return NULL;
		}
		model->states = grown;
		model->state_room = room;
	}
	if (oev_map_add(&model->by_version, print, model->state_count + 1) != OC_OK) {
		model->states_left_out++;
		return NULL;
	}
	return &model->states[model->state_count++];
}

static struct oc_ocs_key key_of(const struct oc_event_ocs_version *version)
{
	return (struct oc_ocs_key){ .app_id = version->app_id,
				    .subject = version->subject,
				    .origin = version->origin & 0xffffffu,
				    .type = version->type };
}

/* The rate before the condition began: of a newer report that of the one it replaces. */
static void take_before(const struct oev_state *old, const struct oev_flow *flow, struct oev_state *state)
{
	if (old != NULL && old->until_ns >= state->from_ns) {
		state->before = old->before;
		state->before_s = old->before_s;
	} else {
		state->before = oev_flow_before(flow, state->from_ns, &state->before_s);
	}
}

static void begin_state(struct oev_capture_model *model, struct oev_node_inner *inner,
			const struct oc_event_ocs_version *version, uint64_t now_ns)
{
	struct oc_ocs_key key = key_of(version);
	struct oev_flow *flow = oev_arrivals_flow(&inner->arrivals, &key, now_ns);
	uint64_t print = version_print(inner->index, version->version);
	struct oev_state *state = flow != NULL ? add_state(model, print) : NULL;

	model->nodes[inner->index].versions++;
	inner->origins += version->origin != 0;
	if (state == NULL)
		return;
	*state = (struct oev_state){ .version = *version,
				     .from_ns = now_ns,
				     .until_ns = version->expires_ns,
				     .node = inner->index,
				     .how = OC_END_SHUTDOWN };
	if (inner->answer != NULL) {
		state->frame = inner->answer->pdu->frame;
		state->origin_host = inner->answer->message->msg.origin_host;
	}
	take_before(state_at(model, flow->active), flow, state);
	if (version->validity_s == 0) {
		state->how = OC_END_ENDED;
		flow->after = flow->active != 0 ? flow->active : flow->after;
		flow->active = 0;
	} else {
		flow->active = model->state_count;
		flow->after = 0;
	}
}

static void change_state(const struct oev_capture_model *model, const struct oev_node_inner *inner,
			 const struct oc_event_ocs_change *change, uint64_t at_ns)
{
	struct oev_state *state = state_of(model, inner, change->version);
	bool is_end = change->how == OC_END_EXPIRED || change->how == OC_END_ENDED ||
		      change->how == OC_END_REPLACED || change->how == OC_END_SHUTDOWN;

	if (state == NULL || !is_end || state->version.validity_s == 0 || state->how != OC_END_SHUTDOWN)
		return;
	state->how = change->how;
	state->until_ns = at_ns < state->until_ns ? at_ns : state->until_ns;
}

/* Counts at one flow, and tells which state is in force there. */
static uint32_t count_at(struct oev_capture_model *model, struct oev_flow *flow, uint64_t now_ns)
{
	oev_flow_count(flow, now_ns);
	struct oev_state *state = state_at(model, flow->active);
	if (state != NULL && now_ns >= state->until_ns) {
		flow->after = flow->active;
		flow->active = 0;
		state = NULL;
	}
	if (state != NULL) {
		state->during++;
		return flow->active;
	}
	struct oev_state *over = state_at(model, flow->after);
	if (over != NULL && now_ns - over->until_ns < OEV_AFTER_S * NS_PER_S)
		over->after++;
	return 0;
}

static void count_key(struct oev_capture_model *model, struct oev_node_inner *inner,
		      const struct oc_ocs_key *key, uint64_t now_ns, struct oev_exchange *exchange)
{
	struct oev_flow *flow = oev_arrivals_flow(&inner->arrivals, key, now_ns);
	uint32_t state = flow != NULL ? count_at(model, flow, now_ns) : 0;

	if (state != 0)
		exchange->state[key->type] = state;
}

void oev_model_count_arrival(struct oev_capture_model *model, struct oev_node_inner *inner,
			     const struct oev_walked *walked, struct oev_exchange *exchange)
{
	const struct oc_msg *msg = &walked->message->msg;
	struct oc_ocs_key keys[OC_REPORT_COUNT] = {
		{ .app_id = msg->app_id, .subject = walked->to, .type = OC_REPORT_PEER }
	};
	uint32_t count = 1;

	count += oc_match_on_arrival(msg, true, &keys[count]);
	count += oc_match_on_pick(msg, walked->to, &keys[count]);
	for (uint32_t i = 0; i < count; i++) {
		count_key(model, inner, &keys[i], walked->time_ns, exchange);
		if (inner->origins == 0 || keys[i].type == OC_REPORT_PEER)
			continue;
		keys[i].origin =
			(keys[i].type == OC_REPORT_HOST ? msg->origin_host : msg->origin_realm) & 0xffffffu;
		if (keys[i].origin > OC_NAME_OVERFLOW)
			count_key(model, inner, &keys[i], walked->time_ns, exchange);
	}
}

void oev_model_count_answer(struct oev_capture_model *model, const struct oev_exchange *exchange,
			    const struct oc_msg *answer)
{
	for (unsigned type = 0; type < OC_REPORT_COUNT; type++) {
		struct oev_state *state = state_at(model, exchange->state[type]);
		if (state == NULL)
			continue;
		if (answer == NULL)
			state->unanswered++;
		else if (answer->result_code / 1000 == 2)
			state->success++;
		else if (answer->result_code == OC_RC_TOO_BUSY ||
			 answer->result_code == OC_RC_UNABLE_TO_COMPLY)
			state->busy++;
		else
			state->other++;
	}
}

void oev_model_close(struct oev_capture_model *model, struct oev_node_inner *inner)
{
	const uint64_t most_ns = OEV_AFTER_S * NS_PER_S;

	for (uint32_t i = 0; i < model->state_count; i++) {
		struct oev_state *state = &model->states[i];
		if (state->node != inner->index)
			continue;
		if (state->until_ns > model->now_ns)
			state->until_ns = model->now_ns;
		state->after_ns = model->now_ns - state->until_ns;
		if (state->after_ns > most_ns)
			state->after_ns = most_ns;
	}
}

static void count_report(struct oev_capture_model *model, const struct oev_node_inner *inner,
			 const struct oc_event_report *report)
{
	if (report->verdict < OC_INTAKE_COUNT)
		model->nodes[inner->index].reports[report->verdict]++;
}

static void count(struct oev_capture_model *model, struct oev_node_inner *inner, const struct oc_event *event)
{
	switch (event->kind) {
	case OC_EVENT_REPORT:
		count_report(model, inner, &event->u.report);
		break;
	case OC_EVENT_OCS_VERSION:
		begin_state(model, inner, &event->u.ocs_version, event->mono_ns);
		break;
	case OC_EVENT_OCS_CHANGE:
		change_state(model, inner, &event->u.ocs_change, event->mono_ns);
		break;
	default:
		break;
	}
}

/* What only the node itself could know is not there: no draw, no choice, no reacting on behalf of others. */
static void clean_decision(const struct oev_node_inner *inner, struct oc_decision *d)
{
	const unsigned seen =
		OC_DEC_DOIC_CLIENT | OC_DEC_REALM_ROUTED | OC_DEC_RETRANSMIT | OC_DEC_PEER_CLIENT;

	d->id = inner->decision;
	d->client_peer = inner->via;
	d->flags &= (uint16_t)seen;
	d->random = 0;
	d->first_choice = OC_NAME_NONE;
	d->why = OC_WHY_NONE;
	d->verdict = OC_FORWARD;
	d->selected_by = OC_SCOPE_NONE;
	d->realm = d->host = d->peer = (struct oc_look){ 0 };
}

static void clean_change(struct oc_event_ocs_change *change)
{
	change->matched = change->selected = change->expected_ppm = change->remembered = 0;
}

void oev_model_take_event(struct oev_capture_model *model, struct oev_node_inner *inner,
			  const struct oc_event *event)
{
	const struct oev_capture_sink *sink = model->conf.sink;
	struct oc_event clean = *event;

	if (inner->is_muted || model->error != OC_OK)
		return;
	count(model, inner, event);
	if (event->kind == OC_EVENT_DECISION)
		clean_decision(inner, &clean.u.decision);
	else if (event->kind == OC_EVENT_OCS_CHANGE)
		clean_change(&clean.u.ocs_change);
	else if (event->kind == OC_EVENT_OUTCOME)
		clean.u.outcome.id = inner->decision;
	else if (event->kind == OC_EVENT_NAME)
		return;
	model->error = sink->event(sink->ctx, inner->index, &clean);
}
