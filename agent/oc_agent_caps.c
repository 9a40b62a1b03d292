/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * OC-Supported-Features on its way through: hop by hop where it speaks of a hop, end to end where it does not
 * (RFC 7683 sections 5.1.1 to 5.1.3, RFC 8581 sections 6.1.1, 6.1.2).
 */
#include "oc_agent_inner.h"

#include <stdatomic.h>

#include "doic/oc_caps.h"
#include "oc_err.h"

void oc_agent_make_caps(struct oc_agent *agent)
{
	const uint64_t vector = OC_FV_LOSS | OC_FV_PEER_REPORT;

	(void)oc_encode_caps(&agent->own_caps[false], vector, agent->identity, 0);
	(void)oc_encode_caps(&agent->own_caps[true], vector | OC_FV_RATE, agent->identity, 0);
}

/* Whether rate is announced, asked without L1. */
static bool is_rate_on(const struct oc_agent *agent)
{
	return atomic_load_explicit(&agent->is_rate_on, memory_order_relaxed);
}

static struct oc_bytes whole_of(const struct oc_msg *msg)
{
	return (struct oc_bytes){ .data = msg->raw + msg->caps.raw_at, .len = msg->caps.raw_len };
}

/* Writes what is received with @vector, our SourceID when @is_ours and @peer_algo; what cannot be rewritten is said in
 * our own words. */
static void rewrite(const struct oc_agent *agent, const struct oc_msg *msg, uint64_t vector, bool is_ours,
		    uint64_t peer_algo, struct oc_group *out)
{
	const char *source = is_ours ? agent->identity : NULL;

	if ((msg->caps.has & OC_CAPS_RAW_CUT) ||
	    oc_encode_caps_rewrite(out, whole_of(msg), vector, source, peer_algo) != OC_OK)
		(void)oc_encode_caps(out, vector, source, peer_algo);
}

/* What a request of a client that speaks DOIC should announce: its algorithms, our hop (D-037..D-039, D-180..D-182, D-196). */
static uint64_t request_vector(const struct oc_agent *agent, const struct oc_msg *msg,
			       const struct oc_txn *txn, bool *is_odd)
{
	bool is_reacting = msg->dest_host == OC_NAME_NONE || (txn->decision.flags & OC_DEC_REACTING_FOR);
	uint64_t vector = oc_caps_vector(&msg->caps, is_odd) | OC_FV_LOSS | OC_FV_PEER_REPORT;

	return is_reacting && !is_rate_on(agent) ? vector & ~OC_FV_RATE : vector;
}

enum oc_caps_action oc_agent_caps_for_request(struct oc_agent *agent, const struct oc_msg *msg,
					      struct oc_txn *txn, struct oc_group *out)
{
	bool is_odd = (msg->caps.has & OC_CAPS_REPEATED) != 0;
	bool is_there = (msg->caps.has & OC_CAPS_PRESENT) != 0;

	/* Not in the base protocol's own messages (D-007). */
	if (msg->app_id == 0)
		return OC_CAPS_KEEP;
	txn->announced = 1;
	if (!txn->doic_down) {
		const struct oc_group *own = &agent->own_caps[is_rate_on(agent)];
		out->len = own->len;
		memcpy(out->data, own->data, own->len);
		return is_there ? OC_CAPS_REPLACE : OC_CAPS_ADD;
	}
	rewrite(agent, msg, request_vector(agent, msg, txn, &is_odd), true, 0, out);
	if (is_odd)
		agent->stats[OC_STAT_PROTOCOL_WARNINGS]++;
	return OC_CAPS_REPLACE;
}

/* Features in our own words, for an answer of ours or one whose server said nothing (D-193). */
static void add_own(const struct oc_agent *agent, const struct oc_txn *txn, enum oc_algo algorithm,
		    enum oc_algo peer_algorithm, struct oc_answer_edit *edit)
{
	bool is_peer = (txn->state & OC_TXN_PEER_DOWN) != 0;
	uint64_t vector = oc_caps_bit(algorithm) | (is_peer ? OC_FV_PEER_REPORT : 0);

	(void)oc_encode_caps(&edit->caps, vector, is_peer ? agent->identity : NULL,
			     is_peer ? oc_caps_bit(peer_algorithm) : 0);
	edit->add_caps = true;
}

void oc_agent_edit_caps(struct oc_agent *agent, const struct oc_msg *answer, const struct oc_txn *txn,
			enum oc_algo algorithm, enum oc_algo peer_algorithm, struct oc_answer_edit *edit)
{
	bool is_peer = (txn->state & OC_TXN_PEER_DOWN) != 0;

	if (!txn->doic_down)
		return;
	if (!answer || edit->strip_caps || !(answer->caps.has & OC_CAPS_PRESENT)) {
		if (!answer || is_peer || edit->own_count != 0)
			add_own(agent, txn, algorithm, peer_algorithm, edit);
		return;
	}
	const struct oc_caps *caps = &answer->caps;
	uint64_t said = caps->has & OC_CAPS_HAS_VECTOR ? caps->vector : 0;
	uint64_t vector = oc_caps_answer_vector(caps, algorithm, is_peer);
	bool speaks_of_hop = (caps->has & (OC_CAPS_HAS_SOURCE | OC_CAPS_HAS_PEER_ALGO)) != 0;
	if (!is_peer && !speaks_of_hop && vector == said && !(caps->has & OC_CAPS_REPEATED))
		return;
	rewrite(agent, answer, vector, is_peer, is_peer ? oc_caps_bit(peer_algorithm) : 0, &edit->caps);
	edit->strip_caps = true;
	edit->add_caps = true;
}
