/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Drives the agent as the host would: arrival, features, choice, sending, answer, end.
 */
#include "scn_world.h"

#include <stdlib.h>
#include <string.h>

#include "agent/wire/oc_encode.h"

static uint64_t chance(struct scn_world *w)
{
	uint64_t z = (w->chance += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static void on_decision(struct scn_world *w, const struct oc_decision *d)
{
	w->tally.verdict[d->verdict]++;
	w->tally.unrouted += d->why == OC_WHY_UNROUTED;
	w->tally.why_outstanding += d->why == OC_WHY_OUTSTANDING;
	w->tally.code_3004 += d->result_code == OC_RC_TOO_BUSY;
	w->tally.code_5012 += d->result_code == OC_RC_UNABLE_TO_COMPLY;
	for (unsigned i = 0; i < 8; i++)
		w->tally.flag[i] += (d->flags >> i) & 1u;
}

static void on_event(void *ctx, const struct oc_event *event)
{
	struct scn_world *w = ctx;

	w->events[event->kind]++;
	if (event->kind == OC_EVENT_DECISION)
		on_decision(w, &event->u.decision);
	if (event->kind == OC_EVENT_REPORT)
		w->report = event->u.report;
	if (event->kind == OC_EVENT_OCS_CHANGE) {
		w->change = event->u.ocs_change;
		w->ends[event->u.ocs_change.how]++;
	}
}

struct scn_world *scn_world_new(void)
{
	struct scn_world *w = calloc(1, sizeof(*w));
	if (!w)
		return NULL;
	w->pending = calloc(SCN_PENDING_MAX, sizeof(*w->pending));
	w->names = oc_names_new(512, 1);
	w->now_ns = 1000000000000ull;
	w->chance = 20260101;
	w->app_id = 16777238;
	oc_policy_init(&w->policy);
	w->policy.ramp_ms = 0;
	w->policy.outstanding_max = 0;
	struct oc_agent_conf conf = { .identity = "agent.example.net",
				      .names = w->names,
				      .ocs_max = 256,
				      .retry_memory = 1024,
				      .session_memory = 1024,
				      .emit = on_event,
				      .emit_ctx = w };
	w->agent = oc_agent_new(&conf, &w->policy);
	return w;
}

void scn_world_free(struct scn_world *w)
{
	oc_agent_free(w->agent, w->now_ns);
	oc_names_free(w->names);
	free(w->pending);
	free(w);
}

void scn_apply_policy(struct scn_world *w)
{
	w->policy.version++;
	oc_agent_set_policy(w->agent, &w->policy, w->now_ns);
}

uint32_t scn_name(struct scn_world *w, const char *text)
{
	char full[OC_IDENT_MAX + 1];
	size_t len = strlen(text);

	if (len + sizeof(".example.net") > sizeof(full))
		return OC_NAME_NONE;
	memcpy(full, text, len + 1);
	if (!strchr(text, '.'))
		memcpy(full + len, ".example.net", sizeof(".example.net"));
	struct oc_bytes bytes = { .data = (const uint8_t *)full, .len = strlen(full) };
	return oc_names_id(w->names, bytes, NULL);
}

struct scn_peer *scn_peer_of(struct scn_world *w, uint32_t name)
{
	for (uint32_t i = 0; i < w->peer_count; i++)
		if (w->peers[i].name == name)
			return &w->peers[i];
	if (w->peer_count == SCN_PEERS_MAX)
		return NULL;
	w->peers[w->peer_count] = (struct scn_peer){ .name = name };
	return &w->peers[w->peer_count++];
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

static void reply_plainly(struct scn_world *w, struct scn_pending *p)
{
	uint32_t peer = p->txn.counted_peer;
	struct oc_msg answer = { .app_id = p->request.app_id, .result_code = OC_RC_SUCCESS };

	answer.origin_host = p->request.dest_host ? p->request.dest_host : peer;
	answer.origin_realm = p->request.dest_realm;
	answer.caps = (struct oc_caps){ .vector = OC_FV_LOSS, .has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR };
	oc_agent_on_answer(w->agent, &answer, peer, w->now_ns, &p->txn, &w->edit);
	oc_agent_on_answer_leaving(w->agent, &p->txn, OC_MADE_UPSTREAM, 0, w->now_ns);
	oc_agent_on_gone(w->agent, &p->txn, w->now_ns);
}

/* Steps 3 and 4. False: it is answered or lost already. */
static bool route(struct scn_world *w, struct scn_pending *p)
{
	struct oc_candidate candidates[SCN_PEERS_MAX];
	uint32_t pick;
	uint32_t count = candidates_for(w, p->request.dest_host, candidates);
	enum oc_verdict verdict = oc_agent_on_candidates(w->agent, &p->request, candidates, count, w->now_ns,
							 chance(w), &p->txn, &pick);

	if (verdict != OC_REFUSE && pick < count) {
		scn_peer_of(w, candidates[pick].peer)->sent++;
		oc_agent_on_sent(w->agent, &p->txn, candidates[pick].peer, w->now_ns);
		return true;
	}
	bool is_refused = verdict == OC_REFUSE;
	oc_agent_on_answer_leaving(w->agent, &p->txn, is_refused ? OC_MADE_AGENT : OC_MADE_DAEMON,
				   is_refused ? p->txn.decision.result_code : OC_RC_UNABLE_TO_DELIVER,
				   w->now_ns);
	oc_agent_on_gone(w->agent, &p->txn, w->now_ns);
	return false;
}

static void send_one(struct scn_world *w, const struct scn_send *send, uint64_t session)
{
	struct scn_pending now = { 0 };
	struct scn_pending *p =
		send->is_kept && w->pending_count < SCN_PENDING_MAX ? &w->pending[w->pending_count] : &now;

	*p = now;
	p->request = (struct oc_msg){ .app_id = send->app_id,
				      .command = 272,
				      .flags = 0xc0,
				      .drmp = OC_DRMP_NONE,
				      .origin_host = send->client,
				      .dest_host = send->dest_host,
				      .dest_realm = send->dest_realm,
				      .session_hash = session,
				      .cc_request_type = send->is_initial,
				      .caps = send->caps };
	if (oc_agent_on_request(w->agent, &p->request, send->client, w->now_ns, chance(w), &p->txn) ==
	    OC_REFUSE) {
		oc_agent_on_answer_leaving(w->agent, &p->txn, OC_MADE_AGENT, p->txn.decision.result_code,
					   w->now_ns);
		oc_agent_on_gone(w->agent, &p->txn, w->now_ns);
		return;
	}
	w->caps_action = oc_agent_caps_for_request(w->agent, &p->request, &p->txn, &w->announced);
	if (!route(w, p))
		return;
	if (p != &now)
		w->pending_count++;
	else if (!send->answers_late || !(p->txn.decision.flags & OC_DEC_PROBE))
		reply_plainly(w, p);
	else
		oc_agent_on_gone(w->agent, &p->txn, w->now_ns);
}

static void clear_tally(struct scn_world *w)
{
	w->tally = (struct scn_tally){ 0 };
	for (uint32_t i = 0; i < w->peer_count; i++)
		w->peers[i].sent = 0;
}

void scn_send(struct scn_world *w, const struct scn_send *send)
{
	clear_tally(w);
	for (uint64_t i = 0; i < send->count; i++) {
		uint64_t offset = send->is_same_session ? 0 : i;
		send_one(w, send, send->session ? send->session + (offset << 20) : 0);
		w->now_ns += send->step_ns;
	}
}

void scn_answer(struct scn_world *w, const struct oc_msg *answer, const struct scn_reply *reply)
{
	struct oc_txn txn = { 0 };
	struct oc_group group;
	struct oc_msg request = { .app_id = answer->app_id, .flags = 0xc0, .caps = reply->caps };

	request.dest_host = reply->dest_host;
	if (reply->is_due) {
		oc_agent_on_request(w->agent, &request, reply->client, w->now_ns, chance(w), &txn);
		w->caps_action = oc_agent_caps_for_request(w->agent, &request, &txn, &group);
		txn.announced &= reply->is_announced;
		oc_agent_on_sent(w->agent, &txn, reply->is_elsewhere ? scn_name(w, "elsewhere") : reply->peer,
				 w->now_ns);
	}
	w->edit = (struct oc_answer_edit){ 0 };
	oc_agent_on_answer(w->agent, answer, reply->peer, w->now_ns, &txn, &w->edit);
	oc_agent_on_answer_leaving(w->agent, &txn, OC_MADE_UPSTREAM, 0, w->now_ns);
	oc_agent_on_gone(w->agent, &txn, w->now_ns);
}

void scn_fail(struct scn_world *w, uint32_t peer)
{
	uint32_t kept = 0;

	clear_tally(w);
	scn_peer_of(w, peer)->is_up = false;
	oc_agent_on_peer(w->agent, peer, false, w->now_ns);
	for (uint32_t i = 0; i < w->pending_count; i++) {
		struct scn_pending *p = &w->pending[i];
		bool stays = p->txn.counted_peer != peer || route(w, p);
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
