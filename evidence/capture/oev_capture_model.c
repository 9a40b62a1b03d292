/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One agent per node, fed with what was seen; its events cleaned and passed on.
 */
#include "oev_model_inner.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

#define OCS_MAX 4096u
#define TICK_NS 100000000ull

struct oev_capture_model *oev_capture_model_new(const struct oev_model_conf *conf)
{
	struct oev_capture_model *model = calloc(1, sizeof(*model));

	if (model == NULL)
		return NULL;
	model->conf = *conf;
	return model;
}

void oev_capture_model_free(struct oev_capture_model *model)
{
	if (model == NULL)
		return;
	model->error = OC_EINTERRUPTED; /* whatever agents still have to say goes nowhere */
	for (uint32_t i = 0; i < model->node_count; i++) {
		oc_agent_free(model->inner[i]->agent, model->now_ns);
		oev_arrivals_fini(&model->inner[i]->arrivals);
		free(model->inner[i]);
	}
	oev_map_fini(&model->by_name);
	oev_map_fini(&model->by_version);
	free(model->states);
	free(model);
}

/* Everybody is believed, nothing is treated, a report is over when it says so: what RFC 7683 asks of any reacting node, without this
 * product's own ways. */
static void set_policy(struct oc_policy *policy)
{
	oc_policy_init(policy);
	policy->version = 1;
	policy->mode = OC_MODE_OBSERVE;
	policy->ramp_ms = 0;
	policy->outstanding_max = 0;
	policy->rate.is_on = true;
	policy->load.send = OC_LOAD_SEND_OFF;
	policy->default_trust = OC_TRUST_DOIC | OC_TRUST_SEND_REPORTS | OC_TRUST_RELAY_REPORTS |
				OC_TRUST_RECEIVE_REPORTS | OC_TRUST_DRMP | OC_TRUST_RELAY_DRMP |
				OC_TRUST_RECEIVE_DRMP | OC_TRUST_SEND_LOAD | OC_TRUST_RELAY_LOAD |
				OC_TRUST_RECEIVE_LOAD;
}

static void on_event(void *ctx, const struct oc_event *event)
{
	struct oev_node_inner *inner = ctx;

	oev_model_take_event(inner->model, inner, event);
}

static int begin_node(struct oev_capture_model *model, uint32_t name, uint64_t now_ns)
{
	struct oev_node_inner *inner = calloc(1, sizeof(*inner));
	struct oc_policy *policy = malloc(sizeof(*policy));
	int rc = inner != NULL && policy != NULL ? OC_OK : OC_ENOMEM;

	if (rc == OC_OK) {
		set_policy(policy);
		inner->model = model;
		inner->index = model->node_count;
		inner->agent = oc_agent_new(
			&(struct oc_agent_conf){ .identity = oc_names_text(model->conf.names, name),
						 .names = model->conf.names,
						 .ocs_max = OCS_MAX,
						 .now_ns = now_ns,
						 .emit = on_event,
						 .emit_ctx = inner },
			policy);
		rc = inner->agent != NULL ? oev_map_add(&model->by_name, name, model->node_count + 1)
					  : OC_ENOMEM;
	}
	free(policy);
	if (rc != OC_OK) {
		if (inner != NULL)
			oc_agent_free(inner->agent, now_ns);
		free(inner);
		return rc;
	}
	model->nodes[model->node_count] = (struct oev_node){ .name = name };
	model->inner[model->node_count++] = inner;
	return model->conf.sink->begin(model->conf.sink->ctx, inner->index, name, now_ns);
}

static void note_error(struct oev_capture_model *model, int rc)
{
	if (model->error == OC_OK)
		model->error = rc;
}

/* Index + 1 of the node called @name, which begins now if it is new; 0: there are too many. */
static uint32_t node_of(struct oev_capture_model *model, uint32_t name, uint64_t now_ns)
{
	struct oev_map_walk walk = oev_map_first(&model->by_name, name);

	for (uint32_t i; (i = oev_map_next(&walk)) != 0;)
		if (model->nodes[i - 1].name == name)
			return i;
	if (model->node_count == OEV_NODES_MAX || model->error != OC_OK || name <= OC_NAME_OVERFLOW)
		return 0;
	int rc = begin_node(model, name, now_ns);
	if (rc != OC_OK)
		note_error(model, rc);
	return rc == OC_OK ? model->node_count : 0;
}

/* Lets time go on for the node. */
static void tick(struct oev_capture_model *model, struct oev_node_inner *inner, uint64_t now_ns)
{
	model->now_ns = now_ns > model->now_ns ? now_ns : model->now_ns;
	if (now_ns < inner->ticked_ns + TICK_NS)
		return;
	inner->ticked_ns = now_ns;
	oc_agent_tick(inner->agent, now_ns);
}

/* A request with OC-Supported-Features is the one of a node that reacts by itself: the core holds it against nothing. One without is
 * noted as if it had not been routed, with the same effect. */
static void tell_request(struct oev_node_inner *inner, const struct oev_walked *walked, struct oc_txn *txn)
{
	const struct oc_msg *msg = &walked->message->msg;
	bool is_announced = (msg->caps.has & OC_CAPS_PRESENT) != 0;

	if (is_announced)
		(void)oc_agent_on_request(inner->agent, msg, walked->from, walked->time_ns, 0, txn);
	else
		oc_agent_on_unrouted(inner->agent, msg, walked->from, walked->time_ns, txn);
	txn->announced = is_announced;
}

static void count_request(struct oev_node *node, const struct oev_walked *walked,
			  const struct oev_exchange *exchange)
{
	const struct oc_msg *msg = &walked->message->msg;

	node->requests++;
	node->again += exchange->is_again;
	node->in_requests += msg->olr_count > 0;
	if (!(msg->caps.has & OC_CAPS_PRESENT))
		return;
	node->with_doic++;
	node->vectors |= msg->caps.has & OC_CAPS_HAS_VECTOR ? msg->caps.vector : OC_FV_LOSS;
}

void oev_capture_model_request(void *ctx, const struct oev_walked *walked, struct oev_exchange *exchange)
{
	struct oev_capture_model *model = ctx;

	if (walked->message->msg.app_id == 0) /* of the connection itself: never under a report (D-007) */
		return;
	exchange->node = node_of(model, walked->from, walked->time_ns);
	if (exchange->node == 0) {
		model->left_out++;
		return;
	}
	struct oev_node_inner *inner = model->inner[exchange->node - 1];
	tick(model, inner, walked->time_ns);
	count_request(&model->nodes[exchange->node - 1], walked, exchange);
	oev_model_count_arrival(model, inner, walked, exchange);
	tell_request(inner, walked, &exchange->txn);
	exchange->decision = inner->decision = ++inner->requests;
	inner->via = walked->message->route_records > 0 ? walked->message->via : walked->from;
	oc_agent_on_sent(inner->agent, &exchange->txn, walked->to, walked->time_ns);
}

/* The answer to a request that is not in the capture: it was due all the same, and its request announced what it answers. Nothing is told
 * of the request. */
static void tell_unpaired(struct oev_node_inner *inner, const struct oev_walked *walked, struct oc_txn *txn)
{
	const struct oc_msg request = { .app_id = walked->message->msg.app_id,
					.command = walked->message->msg.command,
					.flags = 0x80,
					.drmp = OC_DRMP_NONE };

	inner->is_muted = true;
	oc_agent_on_unrouted(inner->agent, &request, walked->from, walked->time_ns, txn);
	inner->is_muted = false;
	txn->announced = 1;
	txn->counted_peer = OC_NAME_NONE;
}

static void tell_answer(struct oev_node_inner *inner, const struct oev_walked *walked, struct oc_txn *txn)
{
	struct oc_answer_edit edit = { 0 };

	inner->answer = walked;
	oc_agent_on_answer(inner->agent, &walked->message->msg, walked->from, walked->time_ns, txn, &edit);
	inner->answer = NULL;
}

void oev_capture_model_answer(void *ctx, const struct oev_walked *walked, struct oev_exchange *exchange)
{
	struct oev_capture_model *model = ctx;
	const struct oc_msg *msg = &walked->message->msg;
	struct oc_txn lone = { 0 };

	if (exchange != NULL ? exchange->node == 0 : msg->app_id == 0)
		return;
	uint32_t number = exchange != NULL ? exchange->node : node_of(model, walked->to, walked->time_ns);
	if (number == 0) {
		model->left_out++;
		return;
	}
	struct oev_node_inner *inner = model->inner[number - 1];
	struct oev_node *node = &model->nodes[number - 1];
	tick(model, inner, walked->time_ns);
	node->answers++;
	node->receptions += msg->olr_count + msg->olr_excess;
	node->unpaired += exchange == NULL;
	if (exchange == NULL) {
		tell_unpaired(inner, walked, &lone);
		tell_answer(inner, walked, &lone);
		return;
	}
	tell_answer(inner, walked, &exchange->txn);
	oev_model_count_answer(model, exchange, msg);
	inner->decision = exchange->decision;
	oc_agent_on_answer_leaving(inner->agent, &exchange->txn, OC_MADE_UPSTREAM, msg->result_code,
				   walked->time_ns);
}

void oev_capture_model_unanswered(void *ctx, const struct oev_exchange *exchange, uint64_t now_ns)
{
	struct oev_capture_model *model = ctx;
	struct oev_exchange over = *exchange;

	if (over.node == 0)
		return;
	model->nodes[over.node - 1].unanswered++;
	model->inner[over.node - 1]->decision = over.decision;
	oev_model_count_answer(model, &over, NULL);
	oc_agent_on_gone(model->inner[over.node - 1]->agent, &over.txn, now_ns);
}

void oev_capture_model_end(struct oev_capture_model *model, uint64_t now_ns)
{
	const struct oev_capture_sink *sink = model->conf.sink;

	model->now_ns = now_ns > model->now_ns ? now_ns : model->now_ns;
	for (uint32_t i = 0; i < model->node_count; i++) {
		oc_agent_tick(model->inner[i]->agent, model->now_ns);
		oc_agent_free(model->inner[i]->agent, model->now_ns);
		model->inner[i]->agent = NULL;
		oev_model_close(model, model->inner[i]);
		if (model->error == OC_OK)
			note_error(model, sink->end(sink->ctx, i, model->now_ns));
	}
}

int oev_capture_model_error(const struct oev_capture_model *model)
{
	return model->error;
}

const struct oev_node *oev_capture_model_nodes(const struct oev_capture_model *model, uint32_t *count)
{
	*count = model->node_count;
	return model->nodes;
}

const struct oev_state *oev_capture_model_states(const struct oev_capture_model *model, uint32_t *count)
{
	*count = model->state_count;
	return model->states;
}

uint64_t oev_capture_model_left_out(const struct oev_capture_model *model, uint64_t *versions)
{
	*versions = model->states_left_out;
	return model->left_out;
}
