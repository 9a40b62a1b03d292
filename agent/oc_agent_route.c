/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Picking the peer a request goes to, and holding it against that peer's own report.
 */
#include "oc_agent_inner.h"

#include "doic/oc_match.h"

/* What to choose by. */
struct choice {
	const struct oc_candidate *candidates;
	uint32_t count;
	uint32_t outstanding_max; /* 0 = do not look */
	bool avoids_reports;	  /* leave out hosts whose report asks for less now (D-140) */
	uint32_t only;		  /* the one peer that will do; 0 = any */
	uint32_t app_id;
	uint64_t now_ns;
	uint64_t random;
};

/* Decides among equals: every peer gets its own number, and the lowest wins. */
static uint64_t lot(uint64_t random, uint32_t peer)
{
	uint64_t x = (random ^ peer) * 0x9e3779b97f4a7c15ull;

	x ^= x >> 32;
	return x * 0xd6e8feb86659fd93ull;
}

static bool is_full(const struct oc_agent *agent, uint32_t outstanding_max, uint32_t peer)
{
	return outstanding_max != 0 && oc_peers_outstanding(agent->peers, peer) >= outstanding_max;
}

static bool asks_for_less(const struct oc_agent *agent, const struct choice *c, uint32_t peer)
{
	struct oc_ocs_key key = { .app_id = c->app_id, .subject = peer, .type = OC_REPORT_HOST };

	return oc_decide_share(agent->ocs, &key, &agent->policy, c->now_ns) > 0;
}

/* Best usable candidate: highest score, then fewest unanswered requests, then chance. @count when none. */
static uint32_t best(const struct oc_agent *agent, const struct choice *c)
{
	uint32_t pick = c->count;
	uint32_t pick_outstanding = 0;

	for (uint32_t i = 0; i < c->count; i++) {
		const struct oc_candidate *a = &c->candidates[i];
		const struct oc_candidate *b = pick < c->count ? &c->candidates[pick] : NULL;
		uint32_t outstanding = oc_peers_outstanding(agent->peers, a->peer);
		if (a->score < 0 || (b && a->score < b->score) || (c->only && a->peer != c->only))
			continue;
		if (c->outstanding_max != 0 && outstanding >= c->outstanding_max)
			continue;
		bool is_equal = b && a->score == b->score;
		if (is_equal &&
		    (outstanding > pick_outstanding ||
		     (outstanding == pick_outstanding && lot(c->random, a->peer) >= lot(c->random, b->peer))))
			continue;
		if (c->avoids_reports && asks_for_less(agent, c, a->peer))
			continue;
		pick = i;
		pick_outstanding = outstanding;
	}
	return pick;
}

/* A Destination-Host that is a neighbour is the only place for its requests: another server could only refuse them
 * (RFC 6733 section 6.1.6). Returns its number, or 0 when the host is not among the candidates. */
static uint32_t only_peer(const struct oc_msg *msg, const struct choice *c)
{
	if (msg->dest_host == OC_NAME_NONE)
		return 0;
	for (uint32_t i = 0; i < c->count; i++) {
		if (c->candidates[i].peer == msg->dest_host)
			return msg->dest_host;
	}
	return 0;
}

/* A realm probe that goes no further was none: the next request may be one. */
static void unprobe(struct oc_decision *d)
{
	if (!(d->flags & OC_DEC_PROBE))
		return;
	d->flags &= (uint16_t)~OC_DEC_PROBE;
	d->selected_by = OC_SCOPE_NONE;
	d->realm = (struct oc_look){ 0 };
}

/* Keeps the choice under the cap of unanswered requests: *@pick may move. False: the request goes no further. */
static bool apply_cap(struct oc_agent *agent, struct choice *c, struct oc_txn *txn, uint32_t *pick)
{
	struct oc_decision *d = &txn->decision;
	uint32_t max = agent->policy.outstanding_max;

	if (!is_full(agent, max, c->candidates[*pick].peer))
		return true;
	d->why = OC_WHY_OUTSTANDING;
	if (agent->policy.mode == OC_MODE_OBSERVE) {
		d->flags |= OC_DEC_OBSERVED;
		return false;
	}
	c->outstanding_max = max;
	uint32_t other = best(agent, c);
	if (other < c->count) {
		d->verdict = OC_DIVERT;
		*pick = other;
		return true;
	}
	unprobe(d);
	d->verdict = OC_REFUSE;
	d->result_code = agent->policy.refusal_code_outstanding;
	return false;
}

/* Another host to send to, or @count. A remembered refusal is a refusal again. */
static uint32_t other_host(struct oc_agent *agent, struct choice *c, const struct oc_decision *d)
{
	if ((d->flags & OC_DEC_REMEMBERED) || agent->policy.mode == OC_MODE_OBSERVE)
		return c->count;
	c->avoids_reports = true;
	c->outstanding_max = agent->policy.outstanding_max;
	return best(agent, c);
}

/* Holds the pick against its own host report: divert if that helps (D-137, D-140), else refuse (D-138). */
static void apply_host_report(struct oc_agent *agent, const struct oc_msg *msg, struct choice *c,
			      struct oc_txn *txn, uint32_t *pick, struct oc_batch *batch)
{
	struct oc_decision *d = &txn->decision;
	const struct oc_decision before = *d;
	struct oc_ocs_key key;

	if (!oc_match_on_pick(msg, c->candidates[*pick].peer, &key))
		return;
	bool is_selected = oc_agent_hold(agent, msg, &key, c->now_ns, txn, batch);
	/* One flag cannot speak of two probes, nor of one that is taken away here. */
	if ((before.flags & OC_DEC_PROBE) && d->selected_by == OC_SCOPE_HOST) {
		d->realm = (struct oc_look){ 0 };
		d->flags &= is_selected ? (uint16_t)~OC_DEC_PROBE : 0xffffu;
	}
	if (!is_selected)
		return;
	uint32_t other = other_host(agent, c, d);
	if (other == c->count) {
		oc_agent_refuse(agent, msg, txn);
		return;
	}
	d->why = OC_WHY_REPORT;
	d->verdict = OC_DIVERT;
	*pick = other;
}

/* First choice of a request not sent before. */
static void choose_first(struct oc_agent *agent, const struct oc_msg *msg, struct choice *c,
			 struct oc_txn *txn, uint32_t *pick, struct oc_batch *batch)
{
	struct oc_decision *d = &txn->decision;

	txn->state |= OC_TXN_CHOSEN;
	/* The host's draw of a request with Destination-Host was made in step 1, with the chance of then. */
	if (msg->dest_host == OC_NAME_NONE)
		d->random = (c->random & 0xffffffff00000000ull) | (uint32_t)d->random;
	*pick = best(agent, c);
	if (*pick == c->count)
		return;
	d->first_choice = c->candidates[*pick].peer;
	/* Under observation a request the realm's report selected would not have come this far. */
	if ((d->flags & OC_DEC_OBSERVED) || !apply_cap(agent, c, txn, pick))
		return;
	apply_host_report(agent, msg, c, txn, pick, batch);
}

/* A later choice, after a peer was lost: nothing is drawn again (D-158), but hosts under a report are avoided. */
static void choose_again(struct oc_agent *agent, const struct oc_msg *msg, struct choice *c,
			 struct oc_txn *txn, uint32_t *pick)
{
	bool is_enforcing = agent->policy.mode == OC_MODE_ENFORCE;

	c->outstanding_max = is_enforcing ? agent->policy.outstanding_max : 0;
	c->avoids_reports = is_enforcing && msg->app_id != 0 && msg->dest_host == OC_NAME_NONE;
	*pick = best(agent, c);
	if (*pick < c->count)
		return;
	c->avoids_reports = false;
	*pick = best(agent, c);
	if (*pick < c->count || c->outstanding_max == 0)
		return;
	c->outstanding_max = 0;
	if (best(agent, c) == c->count)
		return;
	txn->decision.result_code = agent->policy.refusal_code_outstanding;
	txn->decision.verdict = OC_REFUSE;
	if (!(txn->state & OC_TXN_DECIDED))
		txn->decision.why = OC_WHY_OUTSTANDING;
}

enum oc_verdict oc_agent_on_candidates(struct oc_agent *agent, const struct oc_msg *msg,
				       const struct oc_candidate *candidates, uint32_t count, uint64_t now_ns,
				       uint64_t random, struct oc_txn *txn, uint32_t *pick)
{
	struct oc_batch batch;
	struct choice c = { .candidates = candidates,
			    .count = count,
			    .app_id = msg->app_id,
			    .now_ns = now_ns,
			    .random = random };
	struct oc_decision *d = &txn->decision;

	c.only = only_peer(msg, &c);
	oc_agent_enter(agent, &batch);
	if (txn->state & OC_TXN_CHOSEN)
		choose_again(agent, msg, &c, txn, pick);
	else
		choose_first(agent, msg, &c, txn, pick, &batch);
	if (d->verdict == OC_REFUSE)
		oc_agent_tell_decision(agent, txn, now_ns, &batch);
	oc_agent_leave(agent, &batch);
	return (enum oc_verdict)d->verdict;
}
