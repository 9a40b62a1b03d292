/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The steps of a transaction, one after the other.
 */
#include "scn_drive.h"

#include <string.h>

void scn_clear_tally(struct scn_world *w)
{
	w->tally = (struct scn_tally){ 0 };
	for (uint32_t i = 0; i < w->peer_count; i++)
		w->peers[i].sent = 0;
}

/* Peers that are up; the one that is the Destination-Host scores far higher, and the others only remain
 * for it when it is no peer of ours. */
static uint32_t candidates_for(struct scn_world *w, uint32_t dest_host, struct oc_candidate *out)
{
	uint32_t count = 0;
	bool is_adjacent = false;

	for (uint32_t i = 0; i < w->peer_count; i++)
		is_adjacent |= dest_host != 0 && w->peers[i].name == dest_host;
	for (uint32_t i = 0; i < w->peer_count; i++) {
		if (!w->peers[i].is_up || (is_adjacent && w->peers[i].name != dest_host))
			continue;
		out[count].peer = w->peers[i].name;
		out[count++].score = w->peers[i].score;
	}
	return count;
}

/* An answer made on this node leaves. */
static void answer_here(struct scn_world *w, struct scn_pending *p, enum oc_maker maker, uint32_t result)
{
	struct scn_answer answer;
	struct help_wire wire;

	scn_answer_init(&answer);
	answer.host = "agent.example.net";
	answer.realm = "example.net";
	answer.result = result;
	answer.caps.kind = SCN_CAPS_NONE;
	scn_answer_build(&answer, p->request.app_id, p->request.command, &wire);
	w->edit = (struct oc_answer_edit){ 0 };
	oc_agent_on_own_answer(w->agent, &p->txn, w->now_ns, &w->edit);
	scn_leave_answer(w, &wire);
	oc_agent_on_answer_leaving(w->agent, &p->txn, maker, result, w->now_ns);
	oc_agent_on_gone(w->agent, &p->txn, w->now_ns);
}

/* An answer arrives from @peer and leaves again. */
static void relay(struct scn_world *w, struct scn_pending *p, const struct scn_answer *answer, uint32_t peer)
{
	struct help_wire wire;
	struct oc_msg msg;

	scn_answer_build(answer, p->request.app_id, p->request.command, &wire);
	scn_scan(w, &wire, &msg);
	w->edit = (struct oc_answer_edit){ 0 };
	oc_agent_on_answer(w->agent, &msg, peer, w->now_ns, &p->txn, &w->edit);
	scn_leave_answer(w, &wire);
	oc_agent_on_answer_leaving(w->agent, &p->txn, OC_MADE_UPSTREAM, 0, w->now_ns);
	oc_agent_on_gone(w->agent, &p->txn, w->now_ns);
}

static void reply_plainly(struct scn_world *w, struct scn_pending *p)
{
	uint32_t peer = p->txn.counted_peer;
	const struct scn_peer *from = scn_peer_of(w, peer);
	struct scn_answer answer = from && from->has_reply ? from->reply : w->reply;
	uint32_t host = p->request.dest_host ? p->request.dest_host : peer;

	if (!answer.host)
		answer.host = oc_names_text(w->names, host);
	if (!answer.realm)
		answer.realm = oc_names_text(w->names, p->request.dest_realm);
	relay(w, p, &answer, peer);
}

/* Steps 3 and 4. False: it is answered or lost already. @wire: its octets, NULL when it was sent before. */
static bool route(struct scn_world *w, struct scn_pending *p, const struct help_wire *wire,
		  const struct oc_group *caps)
{
	struct oc_candidate candidates[SCN_PEERS_MAX];
	uint32_t pick;
	uint32_t count = candidates_for(w, p->request.dest_host, candidates);
	enum oc_verdict verdict = oc_agent_on_candidates(w->agent, &p->request, candidates, count, w->now_ns,
							 scn_random(&w->chance), &p->txn, &pick);

	if (verdict != OC_REFUSE && pick < count) {
		uint32_t peer = candidates[pick].peer;
		scn_peer_of(w, peer)->sent++;
		if (wire)
			scn_leave_request(w, wire, caps, &p->txn, peer);
		oc_agent_on_sent(w->agent, &p->txn, peer, w->now_ns);
		return true;
	}
	bool is_refused = verdict == OC_REFUSE;
	answer_here(w, p, is_refused ? OC_MADE_AGENT : OC_MADE_DAEMON,
		    is_refused ? p->txn.decision.result_code : OC_RC_UNABLE_TO_DELIVER);
	return false;
}

/* Steps 1 and 2. False: it was refused and answered. */
static bool arrive(struct scn_world *w, struct scn_pending *p, const struct scn_request *request,
		   struct help_wire *wire, struct oc_group *caps)
{
	uint32_t client = scn_name(w, request->client);

	scn_request_build(request, wire);
	scn_scan(w, wire, &p->request);
	if (oc_agent_on_request(w->agent, &p->request, client, w->now_ns, scn_random(&w->chance), &p->txn) ==
	    OC_REFUSE) {
		answer_here(w, p, OC_MADE_AGENT, p->txn.decision.result_code);
		return false;
	}
	w->caps_action = oc_agent_caps_for_request(w->agent, &p->request, &p->txn, caps);
	w->drmp_action = oc_agent_drmp_for_request(&p->txn);
	return true;
}

void scn_send_one(struct scn_world *w, struct scn_send *send, uint32_t kind, uint64_t nth)
{
	struct scn_request *request = &send->kinds[kind];
	struct scn_pending now = { .kind = kind };
	struct scn_pending *p =
		send->is_kept && w->pending_count < SCN_PENDING_MAX ? &w->pending[w->pending_count] : &now;
	struct help_wire wire;
	struct oc_group caps;
	uint64_t session = request->session;

	*p = now;
	w->kind = kind;
	if (session && !send->is_same_session)
		request->session += nth;
	bool is_let_in = arrive(w, p, request, &wire, &caps);
	request->session = session;
	if (!is_let_in || !route(w, p, &wire, &caps))
		return;
	if (p != &now)
		w->pending_count++;
	else if (!send->answers_late || !(p->txn.decision.flags & OC_DEC_PROBE))
		reply_plainly(w, p);
	else
		oc_agent_on_gone(w->agent, &p->txn, w->now_ns);
}

bool scn_answer_one(struct scn_world *w, const struct scn_request *request, struct scn_answer *answer,
		    const struct scn_reply *reply)
{
	struct scn_pending p = { 0 };
	struct help_wire wire;
	struct oc_group caps;
	uint32_t sent_to = reply->is_elsewhere ? scn_name(w, "elsewhere") : reply->peer;

	p.request.app_id = request->app_id;
	p.request.command = request->command;
	if (reply->is_due) {
		if (!arrive(w, &p, request, &wire, &caps))
			return false;
		scn_leave_request(w, &wire, &caps, &p.txn, sent_to);
		p.txn.announced &= reply->is_announced;
		oc_agent_on_sent(w->agent, &p.txn, sent_to, w->now_ns);
	}
	if (!answer->host)
		answer->host = oc_names_text(w->names, reply->peer);
	if (!answer->realm)
		answer->realm = "example.net";
	relay(w, &p, answer, reply->peer);
	return true;
}

void scn_own_answer(struct scn_world *w, const struct scn_request *request, uint32_t result, bool is_routed)
{
	struct scn_pending p = { 0 };
	struct help_wire wire;
	struct oc_group caps;

	if (is_routed) {
		if (arrive(w, &p, request, &wire, &caps))
			answer_here(w, &p, OC_MADE_DAEMON, result);
		return;
	}
	scn_request_build(request, &wire);
	scn_scan(w, &wire, &p.request);
	oc_agent_on_unrouted(w->agent, &p.request, scn_name(w, request->client), w->now_ns, &p.txn);
	answer_here(w, &p, OC_MADE_DAEMON, result);
}

void scn_fail(struct scn_world *w, uint32_t peer)
{
	uint32_t kept = 0;

	scn_clear_tally(w);
	scn_peer_of(w, peer)->is_up = false;
	oc_agent_on_peer(w->agent, peer, false, w->now_ns);
	for (uint32_t i = 0; i < w->pending_count; i++) {
		struct scn_pending *p = &w->pending[i];
		w->kind = p->kind;
		bool stays = p->txn.counted_peer != peer || route(w, p, NULL, NULL);
		if (!stays)
			w->tally.verdict[OC_REFUSE] += p->txn.decision.verdict == OC_REFUSE;
		else
			w->pending[kept++] = *p;
	}
	w->pending_count = kept;
}

void scn_settle(struct scn_world *w)
{
	for (uint32_t i = 0; i < w->pending_count; i++)
		reply_plainly(w, &w->pending[i]);
	w->pending_count = 0;
}
