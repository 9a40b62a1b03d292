/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A hop for tests: requests and answers made by hand, features and reports read back by the scanner.
 */
#include "help_hop.h"

#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_wire.h"

void help_hop_say(struct help_core *core, struct oc_msg *msg, uint64_t vector, const char *source,
		  uint64_t peer_algo)
{
	struct oc_group group;
	size_t len = 0;

	CU_ASSERT_EQUAL_FATAL(oc_encode_caps(&group, vector, source, peer_algo), OC_OK);
	CU_ASSERT_EQUAL_FATAL(oc_encode_group(&group, OC_AVP_SUPPORTED_FEATURES, msg->raw + msg->raw_len,
					      sizeof(msg->raw) - msg->raw_len, &len),
			      OC_OK);
	msg->caps = (struct oc_caps){
		.vector = vector,
		.peer_algo = peer_algo,
		.source = source ? help_name(core, source) : 0,
		.raw_at = msg->raw_len,
		.raw_len = (uint16_t)len,
		.has = (uint8_t)(OC_CAPS_PRESENT | (vector ? OC_CAPS_HAS_VECTOR : 0) |
				 (source ? OC_CAPS_HAS_SOURCE : 0) | (peer_algo ? OC_CAPS_HAS_PEER_ALGO : 0)),
	};
	msg->raw_len = (uint16_t)(msg->raw_len + len);
}

struct oc_msg help_hop_plain_answer(struct help_core *core, const char *host)
{
	struct oc_msg msg = help_answer(core, host);

	msg.caps = (struct oc_caps){ 0 };
	return msg;
}

struct oc_olr *help_hop_peer_report(struct help_core *core, struct oc_msg *answer, const char *source,
				    uint64_t sequence, uint32_t pct, uint32_t validity_s)
{
	struct oc_olr *olr = help_olr(answer, OC_REPORT_PEER, sequence, pct, validity_s);

	if (source) {
		olr->source = help_name(core, source);
		olr->has |= OC_OLR_HAS_SOURCE;
	}
	return olr;
}

void help_hop_load(struct help_core *core, struct oc_msg *answer, enum oc_load_type type, uint64_t value,
		   const char *source)
{
	answer->load[answer->load_count++] = (struct oc_load_avp){
		.value = value,
		.type = type,
		.source = source ? help_name(core, source) : 0,
		.has = (uint8_t)(OC_LOAD_HAS_TYPE | OC_LOAD_HAS_VALUE | (source ? OC_LOAD_HAS_SOURCE : 0))
	};
	answer->load_avps++;
}

struct help_hop help_hop_send(struct help_core *core, const struct oc_msg *request, const char *client,
			      const char *const *peers, const int32_t *scores, uint32_t count)
{
	struct help_hop hop = { .request = *request };
	struct oc_candidate candidates[4] = { 0 };
	uint32_t pick = count;

	for (uint32_t i = 0; i < count; i++)
		candidates[i] = (struct oc_candidate){ help_name(core, peers[i]), scores ? scores[i] : 0 };
	hop.verdict = oc_agent_on_request(core->agent, request, help_name(core, client), core->now_ns,
					  help_random(&core->chance), &hop.txn);
	if (hop.verdict != OC_REFUSE) {
		hop.action = oc_agent_caps_for_request(core->agent, request, &hop.txn, &hop.caps);
		hop.verdict = oc_agent_on_candidates(core->agent, request, candidates, count, core->now_ns,
						     help_random(&core->chance), &hop.txn, &pick);
	}
	if (hop.verdict == OC_REFUSE) {
		oc_agent_on_own_answer(core->agent, &hop.txn, core->now_ns, &hop.edit);
		oc_agent_on_answer_leaving(core->agent, &hop.txn, OC_MADE_AGENT, hop.txn.decision.result_code,
					   core->now_ns);
		oc_agent_on_gone(core->agent, &hop.txn, core->now_ns);
		return hop;
	}
	hop.went_to = candidates[pick < count ? pick : 0].peer;
	oc_agent_on_sent(core->agent, &hop.txn, hop.went_to, core->now_ns);
	return hop;
}

void help_hop_answer(struct help_core *core, struct help_hop *hop, const struct oc_msg *answer)
{
	oc_agent_on_answer(core->agent, answer, hop->went_to, core->now_ns, &hop->txn, &hop->edit);
	oc_agent_on_answer_leaving(core->agent, &hop->txn, OC_MADE_UPSTREAM, 0, core->now_ns);
	oc_agent_on_gone(core->agent, &hop->txn, core->now_ns);
}

struct help_hop help_hop_pair(struct help_core *core, const struct oc_msg *request, const char *client,
			      const char *peer, const struct oc_msg *answer)
{
	struct help_hop hop = help_hop_send(core, request, client, &peer, NULL, 1);

	if (hop.verdict != OC_REFUSE)
		help_hop_answer(core, &hop, answer);
	return hop;
}

struct help_hop_counts help_hop_many(struct help_core *core, const struct oc_msg *request, const char *client,
				     const char *const *peers, const int32_t *scores, uint32_t count,
				     uint32_t times)
{
	struct help_hop_counts counts = { 0 };

	for (uint32_t n = 0; n < times; n++) {
		struct help_hop hop = help_hop_send(core, request, client, peers, scores, count);
		counts.diverted += hop.verdict == OC_DIVERT;
		if (hop.verdict == OC_REFUSE) {
			counts.refused++;
			counts.result_code = hop.txn.decision.result_code;
			continue;
		}
		for (uint32_t i = 0; i < count; i++) {
			if (help_name(core, peers[i]) != hop.went_to)
				continue;
			struct oc_msg answer = help_answer(core, peers[i]);
			answer.app_id = request->app_id;
			help_hop_answer(core, &hop, &answer);
			counts.sent[i]++;
		}
	}
	return counts;
}

static struct oc_msg read_avp(struct help_core *core, uint32_t code, const struct oc_group *group)
{
	struct help_wire wire;
	struct oc_msg msg = { 0 };

	help_wire_begin(&wire, 0x40, HELP_APP);
	help_wire_avp(&wire, code, group->data, group->len);
	help_wire_end(&wire);
	CU_ASSERT_EQUAL(oc_msg_scan(help_wire_bytes(&wire), core->names, NULL, &msg, NULL), OC_OK);
	return msg;
}

struct oc_caps help_hop_read(struct help_core *core, const struct oc_group *group)
{
	return read_avp(core, OC_AVP_SUPPORTED_FEATURES, group).caps;
}

struct oc_olr help_hop_read_own(struct help_core *core, const struct oc_report_content *content)
{
	struct oc_group group;

	CU_ASSERT_EQUAL_FATAL(oc_agent_encode_own(core->agent, content, &group), OC_OK);
	return read_avp(core, OC_AVP_OLR, &group).olr[0];
}

struct oc_ocs_view help_hop_state(struct help_core *core, uint32_t app_id, uint8_t type, const char *subject)
{
	struct oc_ocs_view views[64];
	uint32_t count = oc_agent_snapshot(core->agent, core->now_ns, views, 64);

	for (uint32_t i = 0; i < count; i++)
		if (views[i].app_id == app_id && views[i].type == type &&
		    views[i].subject == help_name(core, subject))
			return views[i];
	return (struct oc_ocs_view){ 0 };
}
