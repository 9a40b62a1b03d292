/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Step 3: the peer a request goes to, held against that server's report and then that next hop's (D-241).
 */
#include "oc_agent_inner.h"

#include "doic/oc_match.h"

/* A Destination-Host that is a neighbour is the only place for its requests: another server could only refuse them
 * (RFC 6733 section 6.1.6). Returns its number, or 0 when the host is not among the candidates. */
static uint32_t only_peer(const struct oc_choice *c)
{
	for (uint32_t i = 0; i < c->count; i++) {
		if (oc_name_is_same(c->candidates[i].peer, c->msg->dest_host))
			return c->msg->dest_host;
	}
	return 0;
}

static struct oc_look *probed_look(struct oc_decision *d)
{
	if (d->selected_by == OC_SCOPE_REALM)
		return &d->realm;
	return d->selected_by == OC_SCOPE_HOST ? &d->host : &d->peer;
}

/* A probe that goes no further was none: the next request may be one. */
static void unprobe(struct oc_decision *d)
{
	if (!(d->flags & OC_DEC_PROBE))
		return;
	*probed_look(d) = (struct oc_look){ 0 };
	d->flags &= (uint16_t)~OC_DEC_PROBE;
	d->selected_by = OC_SCOPE_NONE;
}

/* Keeps the choice under the cap of unanswered requests: *@pick may move. False: the request goes no further. */
static bool apply_cap(struct oc_agent *agent, struct oc_choice *c, struct oc_txn *txn, uint32_t *pick)
{
	struct oc_decision *d = &txn->decision;
	uint32_t max = agent->policy.outstanding_max;

	if (max == 0 || oc_agent_count_of(agent, c, *pick) < max)
		return true;
	d->why = OC_WHY_OUTSTANDING;
	d->flags |= OC_DEC_FULL;
	if (oc_agent_observes(agent, c->candidates[*pick].peer)) {
		d->flags |= OC_DEC_OBSERVED;
		return false;
	}
	c->outstanding_max = max;
	c->left = c->candidates[*pick].peer;
	uint32_t other = oc_agent_pick(agent, c);
	c->left = OC_NAME_NONE;
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

/* Another place to send to, or @count. A remembered refusal is a refusal again. */
static uint32_t other_place(struct oc_agent *agent, struct oc_choice *c, const struct oc_txn *txn)
{
	if ((txn->decision.flags & OC_DEC_REMEMBERED) || (txn->state & OC_TXN_SHADOW))
		return c->count;
	c->avoids_reports = true;
	c->outstanding_max = agent->policy.outstanding_max;
	return oc_agent_pick(agent, c);
}

/* Holds the pick against the state of @key: divert if that helps (D-137, D-140, D-236), else refuse (D-138, D-237). False: it is
 * not to be treated. */
static bool apply_report(struct oc_agent *agent, const struct oc_ocs_key *key, struct oc_choice *c,
			 struct oc_txn *txn, uint32_t *pick, struct oc_batch *batch)
{
	struct oc_decision *d = &txn->decision;
	struct oc_decision before = *d;

	bool is_selected = oc_agent_hold(agent, c->msg, key, c->now_ns, txn, batch);
	/* One flag cannot speak of two probes, nor of one that is taken away here. */
	if ((before.flags & OC_DEC_PROBE) && d->selected_by != before.selected_by) {
		enum oc_scope scope = (enum oc_scope)d->selected_by;
		d->selected_by = before.selected_by;
		*probed_look(d) = (struct oc_look){ 0 };
		d->selected_by = (uint8_t)scope;
		d->flags &= is_selected ? (uint16_t)~OC_DEC_PROBE : 0xffffu;
	}
	if (!is_selected)
		return false;
	uint32_t other = other_place(agent, c, txn);
	if (other == c->count) {
		oc_agent_refuse(agent, c->msg, txn);
		return true;
	}
	d->why = OC_WHY_REPORT;
	d->verdict = OC_DIVERT;
	*pick = other;
	return true;
}

/* The server the agent chose: it is the reacting node of its report, whoever the client is (D-041). */
static void apply_host_report(struct oc_agent *agent, struct oc_choice *c, struct oc_txn *txn, uint32_t *pick,
			      struct oc_batch *batch)
{
	struct oc_ocs_key key;
	uint32_t peer = c->candidates[*pick].peer;

	if (oc_match_on_pick(c->msg, peer, &key) && apply_report(agent, &key, c, txn, pick, batch) &&
	    !(txn->decision.flags & OC_DEC_OBSERVED))
		oc_agent_credit(agent, c->msg->app_id, peer, c->now_ns, batch);
}

/* The next hop itself: for every request to it, whoever the client is (D-126, D-244). */
static void apply_peer_report(struct oc_agent *agent, struct oc_choice *c, struct oc_txn *txn, uint32_t *pick,
			      struct oc_batch *batch)
{
	struct oc_ocs_key key = { .app_id = c->msg->app_id,
				  .subject = c->candidates[*pick].peer,
				  .type = OC_REPORT_PEER };

	if (key.app_id != 0 && oc_ocs_of_type(agent->ocs, OC_REPORT_PEER) != 0)
		(void)apply_report(agent, &key, c, txn, pick, batch);
}

/* A next hop under a report gives way whole to its standby, if the policy says so and there is one (D-239). */
static void apply_standby(struct oc_agent *agent, struct oc_choice *c, struct oc_decision *d, uint32_t *pick)
{
	const struct oc_candidate *first = &c->candidates[*pick];

	if (!agent->policy.standby_takes_all || oc_agent_observes(agent, first->peer) ||
	    oc_agent_share(agent, c->msg, OC_REPORT_PEER, first->peer, c->now_ns) == 0)
		return;
	c->avoids_reports = true;
	uint32_t other = oc_agent_pick(agent, c);
	c->avoids_reports = false;
	if (other == c->count || c->candidates[other].score >= first->score)
		return;
	/* One that left its first choice for want of room did so for that, wherever it ends. */
	if (d->verdict != OC_DIVERT)
		d->why = OC_WHY_REPORT;
	d->verdict = OC_DIVERT;
	*pick = other;
}

/* First choice of a request not sent before. */
static void choose(struct oc_agent *agent, struct oc_choice *c, struct oc_txn *txn, uint32_t *pick,
		   struct oc_batch *batch)
{
	struct oc_decision *d = &txn->decision;

	*pick = oc_agent_pick(agent, c);
	if (*pick == c->count)
		return;
	d->first_choice = c->candidates[*pick].peer;
	/* Under observation a request that was selected on arrival would not have come this far. */
	if ((d->flags & OC_DEC_OBSERVED) || !apply_cap(agent, c, txn, pick))
		return;
	apply_standby(agent, c, d, pick);
	apply_host_report(agent, c, txn, pick, batch);
	if (d->verdict == OC_REFUSE || (d->flags & OC_DEC_OBSERVED))
		return;
	apply_peer_report(agent, c, txn, pick, batch);
	if (d->verdict != OC_REFUSE)
		oc_agent_note_via(agent, c->msg, txn, c->candidates[*pick].peer, c->now_ns, batch);
}

/* The first choice, and what there is to tell of it. */
static void choose_first(struct oc_agent *agent, struct oc_choice *c, struct oc_txn *txn, uint32_t *pick,
			 struct oc_batch *batch)
{
	struct oc_decision *d = &txn->decision;

	txn->state |= OC_TXN_CHOSEN;
	d->out_ns = c->now_ns;
	d->random |= c->random & ~(uint64_t)UINT32_MAX;
	d->candidates = oc_agent_tell_candidates(agent, c->candidates, c->count, c->now_ns, batch);
	choose(agent, c, txn, pick, batch);
	txn->picked = d->verdict != OC_REFUSE && *pick < c->count ? c->candidates[*pick].peer : OC_NAME_NONE;
	txn->state |= c->is_by_chance ? OC_TXN_USED_HIGH : 0;
	d->flags |= c->is_no_room ? OC_DEC_NO_ROOM : 0;
}

/* A later choice, after a peer was lost: nothing is drawn again (D-158), but those under a report are avoided. */
static void choose_again(struct oc_agent *agent, struct oc_choice *c, struct oc_txn *txn, uint32_t *pick)
{
	bool is_enforcing = agent->policy.mode == OC_MODE_ENFORCE;

	if (!(txn->state & OC_TXN_DECIDED))
		oc_agent_note_move(txn);
	c->outstanding_max = is_enforcing ? agent->policy.outstanding_max : 0;
	c->avoids_reports = is_enforcing && c->msg->app_id != 0;
	*pick = oc_agent_pick(agent, c);
	if (*pick < c->count)
		return;
	c->avoids_reports = false;
	*pick = oc_agent_pick(agent, c);
	if (*pick < c->count || c->outstanding_max == 0)
		return;
	c->outstanding_max = 0;
	if (oc_agent_pick(agent, c) == c->count)
		return;
	txn->decision.result_code = agent->policy.refusal_code_outstanding;
	txn->decision.verdict = OC_REFUSE;
	if (!(txn->state & OC_TXN_DECIDED))
		txn->decision.why = OC_WHY_OUTSTANDING;
}

void oc_agent_assume_moved(struct oc_txn *txn)
{
	oc_agent_note_move(txn);
}

enum oc_verdict oc_agent_on_candidates(struct oc_agent *agent, const struct oc_msg *msg,
				       const struct oc_candidate *candidates, uint32_t count, uint64_t now_ns,
				       uint64_t random, struct oc_txn *txn, uint32_t *pick)
{
	struct oc_batch batch;
	struct oc_choice c = { .candidates = candidates, .count = count, .msg = msg, .random = random };
	struct oc_decision *d = &txn->decision;

	c.only = only_peer(&c);
	c.now_ns = oc_agent_enter(agent, &batch, now_ns);
	oc_agent_look_at_counts(agent, &c);
	/* Of one whose decision was told nothing more is drawn, even if it was for an answer that could not be made. */
	if (txn->state & (OC_TXN_CHOSEN | OC_TXN_DECIDED))
		choose_again(agent, &c, txn, pick);
	else
		choose_first(agent, &c, txn, pick, &batch);
	if (d->verdict == OC_REFUSE)
		oc_agent_tell_decision(agent, txn, c.now_ns, &batch);
	oc_agent_leave(agent, &batch);
	return (enum oc_verdict)d->verdict;
}
