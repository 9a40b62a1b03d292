/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reports and requests of those tests.
 */
#include "help_protocol.h"

uint32_t help_below(struct help_core *core, uint32_t n)
{
	return (uint32_t)(help_random(&core->chance) % n);
}

struct help_core *help_protocol_new(uint64_t seed)
{
	struct help_core *core = help_core_new();

	core->chance = seed;
	core->policy.outstanding_max = 0;
	core->policy.default_trust |= OC_TRUST_DRMP | OC_TRUST_RELAY_DRMP;
	help_core_apply_policy(core);
	return core;
}

void help_report_of(struct help_core *core, const char *peer, uint32_t type, uint64_t sequence, uint32_t pct,
		    uint32_t validity_s)
{
	struct oc_msg answer = help_answer(core, peer);
	struct oc_olr *olr = help_olr(&answer, type, sequence, pct, validity_s);

	answer.caps.has |= OC_CAPS_HAS_PEER_ALGO;
	answer.caps.peer_algo = OC_FV_LOSS;
	olr->source = help_name(core, peer);
	olr->has |= type == OC_REPORT_PEER ? OC_OLR_HAS_SOURCE : 0;
	(void)help_exchange(core, &answer, peer);
}

void help_report_rate_of(struct help_core *core, const char *peer, uint32_t type, uint64_t sequence,
			 uint32_t rps, uint32_t validity_s)
{
	struct oc_msg answer = help_answer(core, peer);
	struct oc_olr *olr = help_olr(&answer, type, sequence, 0, validity_s);

	answer.caps.has |= OC_CAPS_HAS_PEER_ALGO;
	answer.caps.vector = OC_FV_RATE;
	answer.caps.peer_algo = OC_FV_RATE;
	olr->rate_rps = rps;
	olr->has = (uint8_t)((olr->has & ~OC_OLR_HAS_REDUCTION) | OC_OLR_HAS_RATE);
	olr->source = help_name(core, peer);
	olr->has |= type == OC_REPORT_PEER ? OC_OLR_HAS_SOURCE : 0;
	(void)help_exchange(core, &answer, peer);
}

bool help_pass(struct help_core *core, struct help_going *g, const struct oc_candidate *to, uint32_t count)
{
	uint32_t pick = count;

	if (g->txn.attempts == 0 &&
	    oc_agent_on_request(core->agent, &g->msg, help_name(core, "client.example.net"), core->now_ns,
				help_random(&core->chance), &g->txn) == OC_REFUSE)
		return false;
	if (oc_agent_on_candidates(core->agent, &g->msg, to, count, core->now_ns, help_random(&core->chance),
				   &g->txn, &pick) == OC_REFUSE ||
	    pick == count)
		return false;
	oc_agent_on_sent(core->agent, &g->txn, to[pick].peer, core->now_ns);
	return true;
}
