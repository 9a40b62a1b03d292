/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Load in answers: taking in what others say of themselves, and saying ours (RFC 8583 sections 5.1, 6.1.2, 6.2).
 */
#include "oc_agent_inner.h"

#include "oc_err.h"

/* Whether the node itself is speaking: a PEER load is the neighbour's, a HOST load the answering host's (L-13, L-14). */
static bool is_own_word(const struct oc_load_avp *load, const struct oc_msg *answer, uint32_t from_peer)
{
	const uint8_t needed = OC_LOAD_HAS_TYPE | OC_LOAD_HAS_VALUE | OC_LOAD_HAS_SOURCE;

	if ((load->has & (needed | OC_LOAD_MALFORMED)) != needed || load->value > OC_LOAD_IDLE)
		return false;
	if (load->type == OC_LOAD_PEER)
		return oc_name_is_same(load->source, from_peer);
	return load->type == OC_LOAD_HOST && oc_name_is_same(load->source, answer->origin_host);
}

static bool is_trusted(const struct oc_load_avp *load, uint32_t from_peer, uint32_t trust)
{
	bool is_direct = oc_name_is_same(load->source, from_peer);

	return (trust & (is_direct ? OC_TRUST_SEND_LOAD | OC_TRUST_RELAY_LOAD : OC_TRUST_RELAY_LOAD)) != 0;
}

static void tell(struct oc_batch *batch, uint32_t node, uint32_t peer, uint8_t type, uint32_t value,
		 uint64_t now_ns)
{
	struct oc_event_load *e = &oc_batch_add(batch, OC_EVENT_LOAD, now_ns)->u.load;

	e->node = node;
	e->peer = peer;
	e->type = type;
	e->value = value;
}

static void take(struct oc_agent *agent, const struct oc_load_avp *load, uint32_t from_peer, uint64_t now_ns,
		 struct oc_batch *batch)
{
	uint32_t value = (uint32_t)load->value;
	enum oc_load_type type = (enum oc_load_type)load->type;

	agent->is_load_known = true;
	agent->stats[OC_STAT_LOADS_TAKEN]++;
	if (oc_loads_note(agent->loads, &agent->policy.load, load->source, type, value, now_ns))
		tell(batch, load->source, from_peer, (uint8_t)type, value, now_ns);
}

uint8_t oc_agent_take_loads(struct oc_agent *agent, const struct oc_msg *answer, uint32_t from_peer,
			    uint32_t trust, uint64_t now_ns, struct oc_batch *batch)
{
	uint8_t may_pass = 0;

	for (uint32_t i = 0; i < answer->load_count && i < OC_MSG_LOAD_MAX; i++) {
		const struct oc_load_avp *load = &answer->load[i];
		bool is_believed = is_own_word(load, answer, from_peer) && is_trusted(load, from_peer, trust);

		/* Odd HOST reports of a trusted sender travel on as they came: others may read them differently (L-17). */
		if (load->type == OC_LOAD_HOST && (load->has & OC_LOAD_HAS_TYPE) &&
		    is_trusted(load, from_peer, trust))
			may_pass |= (uint8_t)(1u << i);
		if (is_believed && agent->policy.load.balances)
			take(agent, load, from_peer, now_ns, batch);
		else
			agent->stats[OC_STAT_LOADS_IGNORED]++;
	}
	return may_pass;
}

void oc_agent_edit_load(struct oc_agent *agent, uint32_t peer, uint64_t now_ns, struct oc_answer_edit *edit,
			struct oc_batch *batch)
{
	uint32_t value = 0;

	if (agent->policy.load.send == OC_LOAD_SEND_OFF ||
	    !oc_load_own_tell(agent->own_load, &agent->policy.load, peer, now_ns, &value))
		return;
	edit->add_load = true;
	edit->load_value = value;
	if (value == agent->told_load)
		return;
	agent->told_load = value;
	tell(batch, agent->self, OC_NAME_NONE, OC_LOAD_PEER, value, now_ns);
}

int oc_agent_encode_load(const struct oc_agent *agent, uint32_t value, struct oc_group *out)
{
	return oc_encode_load(out, agent->identity, OC_LOAD_PEER, value);
}

void oc_agent_set_load(struct oc_agent *agent, uint32_t value)
{
	pthread_mutex_lock(&agent->lock);
	oc_load_own_set(agent->own_load, value);
	pthread_mutex_unlock(&agent->lock);
}

uint32_t oc_agent_own_load(struct oc_agent *agent, uint64_t now_ns, bool *is_set)
{
	pthread_mutex_lock(&agent->lock);
	uint32_t value = oc_load_own_value(agent->own_load, &agent->policy.load, now_ns);
	*is_set = oc_load_own_is_set(agent->own_load);
	pthread_mutex_unlock(&agent->lock);
	return value;
}

static void view(const struct oc_agent *agent, uint32_t node, uint64_t now_ns, struct oc_load_view *out)
{
	const struct oc_load_policy *policy = &agent->policy.load;
	bool is_known;

	out->node = node;
	out->host_value = oc_loads_value(agent->loads, policy, node, OC_LOAD_HOST, now_ns);
	out->peer_value = oc_loads_value(agent->loads, policy, node, OC_LOAD_PEER, now_ns);
	out->weight = oc_loads_weight(agent->loads, policy, node, now_ns, &is_known);
}

uint32_t oc_agent_loads(struct oc_agent *agent, uint64_t now_ns, struct oc_load_view *out, uint32_t max)
{
	uint32_t count = 0;

	pthread_mutex_lock(&agent->lock);
	for (uint32_t i = 0; i < oc_loads_places(agent->loads); i++) {
		uint32_t node = oc_loads_at(agent->loads, i);
		if (node == OC_NAME_NONE)
			continue;
		if (count < max)
			view(agent, node, now_ns, &out[count]);
		count++;
	}
	pthread_mutex_unlock(&agent->lock);
	return count;
}
