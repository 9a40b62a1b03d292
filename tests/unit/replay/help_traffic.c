/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Requests and answers, one after the other, as the host would bring them.
 */
#include "help_traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "agent/wire/oc_avp.h"
#include "evidence/conf/oev_conf.h"

#define TICK_NS 100000000ull
#define NAMES_MAX 4096u

const char help_policy[] = "recovery:\n"
			   "  ramp_ms: 2000\n"
			   "trust:\n"
			   "  peers:\n"
			   "  - peer: \"*\"\n"
			   "    send_reports: true\n"
			   "    relay_reports: true\n"
			   "    receive_reports: true\n"
			   "    drmp: relayed\n"
			   "    load: relayed\n";

static uint64_t roll(struct help_traffic *t)
{
	uint64_t z = (t->chance += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static uint32_t name(struct help_traffic *t, const char *text)
{
	struct oc_bytes bytes = { .data = (const uint8_t *)text, .len = strlen(text) };
	bool is_new;
	uint32_t id = oc_names_id(t->names, bytes, &is_new);

	if (is_new)
		oc_agent_on_new_names(t->agent, &id, 1, t->now_ns);
	return id;
}

static void parse(const char *text, struct oc_policy *out)
{
	char error[OEV_CONF_ERROR_MAX];

	if (oev_conf_policy_parse(text, strlen(text), "policy", out, error) == OC_OK)
		return;
	fprintf(stderr, "%s\n", error);
	abort();
}

static void add_parties(struct help_traffic *t)
{
	char text[64];

	t->realm = name(t, "example.net");
	for (uint32_t i = 0; i < HELP_CLIENTS; i++) {
		snprintf(text, sizeof(text), "c%u.example.net", i + 1);
		t->clients[i] = name(t, text);
		oc_agent_on_peer(t->agent, t->clients[i], true, t->now_ns);
	}
	for (uint32_t i = 0; i < HELP_SERVERS; i++) {
		struct help_server *server = &t->servers[i];
		snprintf(text, sizeof(text), "s%u.example.net", i + 1);
		server->name = name(t, text);
		server->is_up = true;
		server->calls = calloc(HELP_PENDING, sizeof(*server->calls));
		if (!server->calls)
			abort();
		oc_agent_on_peer(t->agent, server->name, true, t->now_ns);
	}
}

void help_traffic_begin(struct help_traffic *t, const char *folder, uint64_t start_ns, const char *policy)
{
	struct oc_agent_conf conf = { .identity = "agent.example.net",
				      .realm = "example.net",
				      .ocs_max = 256,
				      .retry_memory = 1024,
				      .session_memory = 4096,
				      .load_nodes = 64,
				      .first_sequence = start_ns << 4,
				      .now_ns = start_ns,
				      .emit = help_record_event,
				      .emit_ctx = &t->record };

	*t = (struct help_traffic){ .now_ns = start_ns,
				    .ticked_ns = start_ns,
				    .chance = start_ns + 7,
				    .gap_ns = 100000,
				    .latency_ns = 5000000,
				    .apps = 1 };
	parse(policy, &t->policy);
	t->names = oc_names_new(NAMES_MAX, 1);
	conf.names = t->names;
	help_record_begin(&t->record, folder, &conf, policy);
	t->agent = oc_agent_new(&conf, &t->policy);
	if (!t->names || !t->agent)
		abort();
	add_parties(t);
}

/* --- requests --- */

/* A number below 2^47, never 0. */
static uint64_t pseudonym(uint64_t number)
{
	return (number + 1) * 0x9e3779b97f4a7c15ull >> 17 | 1;
}

static void make_session(struct help_traffic *t, struct oc_msg *m)
{
	uint64_t r = roll(t);

	m->session_hash = r >> 17 | 1;
	if (t->sessions == 0)
		return;
	m->session_hash = pseudonym(r % t->sessions);
	m->subscriber_hash = pseudonym(UINT32_MAX + r % t->sessions / 4);
}

static void make_request(struct help_traffic *t, struct oc_msg *m, uint32_t *client)
{
	static const uint32_t apps[] = { OC_APP_GX, OC_APP_S6A, OC_APP_GY };
	uint64_t r = roll(t);
	uint32_t c = (uint32_t)(r % HELP_CLIENTS);

	memset(m, 0, offsetof(struct oc_msg, olr));
	*client = t->clients[c];
	m->app_id = apps[(r >> 8) % t->apps];
	m->command = m->app_id == OC_APP_S6A ? 316 : 272;
	m->flags = OC_FLAG_REQUEST | OC_FLAG_PROXIABLE;
	m->origin_host = t->clients[(c + (r >> 12 & 1)) % HELP_CLIENTS];
	m->origin_realm = t->realm;
	m->dest_realm = t->realm;
	if (r >> 13 & 1)
		m->dest_host = t->servers[(r >> 14) % HELP_SERVERS].name;
	m->end_to_end = (uint32_t)(r >> 32);
	make_session(t, m);
	m->drmp = r >> 16 & 3 ? OC_DRMP_NONE : (uint8_t)(r >> 18 & 15);
	m->cc_request_type = (uint8_t)(1 + (r >> 22) % 3);
	if (m->drmp != OC_DRMP_NONE)
		m->hints |= OC_HINT_DRMP;
	if ((r >> 24 & 63) == 0)
		m->hints |= OC_HINT_EMERGENCY;
	if (m->app_id == OC_APP_S6A && (r >> 24 & 7) == 1)
		m->hints |= OC_HINT_INITIAL_ATTACH;
	if (c % 2 != 0)
		return;
	m->caps = (struct oc_caps){ .vector = OC_FV_LOSS | (c % 4 == 0 ? OC_FV_RATE : 0),
				    .has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR };
	m->doic_avps = 1;
}

static uint32_t candidates(const struct help_traffic *t, const struct oc_msg *m, struct oc_candidate *out)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < HELP_SERVERS; i++)
		if (t->servers[i].is_up)
			out[count++] =
				(struct oc_candidate){ .peer = t->servers[i].name,
						       .score = t->servers[i].name == m->dest_host ? 9 : 5 };
	return count;
}

static struct help_server *server_of(struct help_traffic *t, uint32_t peer)
{
	for (uint32_t i = 0; i < HELP_SERVERS; i++)
		if (t->servers[i].name == peer)
			return &t->servers[i];
	return NULL;
}

static void over(struct help_traffic *t, struct help_call *call, enum oc_maker maker, uint32_t result)
{
	struct oc_answer_edit edit = { 0 };

	oc_agent_on_own_answer(t->agent, &call->txn, t->now_ns, &edit);
	oc_agent_on_answer_leaving(t->agent, &call->txn, maker, result, t->now_ns);
	oc_agent_on_gone(t->agent, &call->txn, t->now_ns);
}

static void send_to(struct help_traffic *t, struct help_server *server, const struct help_call *call)
{
	if (!server || server->count == HELP_PENDING)
		abort();
	struct help_call *kept = &server->calls[(server->first + server->count++) % HELP_PENDING];
	*kept = *call;
	kept->due_ns = t->now_ns + t->latency_ns + (t->jitter_ns ? roll(t) % t->jitter_ns : 0);
	if (kept->due_ns <= server->due_ns) /* a connection keeps the order */
		kept->due_ns = server->due_ns + 1;
	server->due_ns = kept->due_ns;
	oc_agent_on_sent(t->agent, &kept->txn, server->name, t->now_ns);
	server->sent++;
}

static void route(struct help_traffic *t, struct help_call *call)
{
	struct oc_candidate set[HELP_SERVERS];
	uint32_t count = candidates(t, &call->request, set), pick = count;
	enum oc_verdict verdict = oc_agent_on_candidates(t->agent, &call->request, set, count, t->now_ns,
							 roll(t), &call->txn, &pick);

	t->diverted += verdict == OC_DIVERT;
	if (verdict == OC_REFUSE) {
		t->refused++;
		over(t, call, OC_MADE_AGENT, call->txn.decision.result_code);
	} else if (pick == count) {
		over(t, call, OC_MADE_DAEMON, OC_RC_UNABLE_TO_DELIVER);
	} else {
		send_to(t, server_of(t, set[pick].peer), call);
	}
}

static void request(struct help_traffic *t)
{
	struct help_call call;
	struct oc_group caps;
	uint32_t client;

	memset(&call.txn, 0, sizeof(call.txn));
	make_request(t, &call.request, &client);
	t->requests++;
	if (oc_agent_on_request(t->agent, &call.request, client, t->now_ns, roll(t), &call.txn) ==
	    OC_REFUSE) {
		t->refused++;
		over(t, &call, OC_MADE_AGENT, call.txn.decision.result_code);
		return;
	}
	(void)oc_agent_caps_for_request(t->agent, &call.request, &call.txn, &caps);
	route(t, &call);
}

/* --- answers --- */

static void make_answer(struct help_traffic *t, const struct help_server *server,
			const struct oc_msg *request_, struct oc_msg *m)
{
	bool is_rate = server->has_olr && (server->olr.has & OC_OLR_HAS_RATE);

	memset(m, 0, offsetof(struct oc_msg, olr));
	m->app_id = request_->app_id;
	m->command = request_->command;
	m->flags = OC_FLAG_PROXIABLE;
	m->end_to_end = request_->end_to_end;
	m->session_hash = request_->session_hash;
	m->result_code = roll(t) % 50 ? OC_RC_SUCCESS : OC_RC_UNABLE_TO_COMPLY;
	m->origin_host = server->name;
	m->origin_realm = t->realm;
	m->drmp = OC_DRMP_NONE;
	m->caps = (struct oc_caps){ .vector = is_rate ? OC_FV_RATE : OC_FV_LOSS,
				    .peer_algo = is_rate ? OC_FV_RATE : OC_FV_LOSS,
				    .source = server->name,
				    .has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR | OC_CAPS_HAS_SOURCE |
					   OC_CAPS_HAS_PEER_ALGO };
	m->caps.vector |= OC_FV_PEER_REPORT;
	m->doic_avps = 1;
	if (server->has_olr) {
		m->olr[m->olr_count++] = server->olr;
		m->doic_avps++;
		memcpy(m->raw, server->raw, server->raw_len);
		m->raw_len = server->raw_len;
	}
	if (server->has_load) {
		m->load[m->load_count++] = (struct oc_load_avp){ .value = server->load,
								 .type = OC_LOAD_PEER,
								 .source = server->name,
								 .has = OC_LOAD_HAS_TYPE | OC_LOAD_HAS_VALUE |
									OC_LOAD_HAS_SOURCE };
		m->load_avps = 1;
	}
}

static void answer(struct help_traffic *t, struct help_server *server)
{
	struct help_call *call = &server->calls[server->first];
	struct oc_answer_edit edit = { 0 };
	struct oc_msg m;

	server->first = (server->first + 1) % HELP_PENDING;
	server->count--;
	make_answer(t, server, &call->request, &m);
	oc_agent_on_answer(t->agent, &m, server->name, t->now_ns, &call->txn, &edit);
	oc_agent_on_answer_leaving(t->agent, &call->txn, OC_MADE_UPSTREAM, m.result_code, t->now_ns);
	oc_agent_on_gone(t->agent, &call->txn, t->now_ns);
}

/* Everything that is due until @until_ns, in order. */
static void go_on(struct help_traffic *t, uint64_t until_ns)
{
	for (;;) {
		struct help_server *next = NULL;
		uint64_t at_ns = t->ticked_ns + TICK_NS;
		for (uint32_t i = 0; i < HELP_SERVERS; i++) {
			struct help_server *server = &t->servers[i];
			if (server->count > 0 && server->calls[server->first].due_ns < at_ns) {
				next = server;
				at_ns = server->calls[server->first].due_ns;
			}
		}
		if (at_ns > until_ns)
			break;
		t->now_ns = at_ns;
		if (next) {
			answer(t, next);
			continue;
		}
		t->ticked_ns = at_ns;
		help_record_clock(at_ns);
		oc_agent_tick(t->agent, at_ns);
	}
	t->now_ns = until_ns;
}

void help_traffic_run(struct help_traffic *t, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		go_on(t, t->now_ns + t->gap_ns);
		request(t);
	}
}

void help_traffic_pass(struct help_traffic *t, uint64_t ns)
{
	go_on(t, t->now_ns + ns);
}

/* --- the ends --- */

static void put_down(struct help_traffic *t)
{
	for (uint32_t i = 0; i < HELP_SERVERS; i++)
		free(t->servers[i].calls);
	oc_names_free(t->names);
}

void help_traffic_end(struct help_traffic *t)
{
	help_traffic_pass(t, t->latency_ns);
	oc_agent_free(t->agent, t->now_ns);
	help_record_clock(t->now_ns);
	help_record_end(&t->record);
	put_down(t);
}

void help_traffic_kill(struct help_traffic *t)
{
	help_record_clock(t->now_ns);
	help_record_end(&t->record); /* what is told from now on nobody hears */
	oc_agent_free(t->agent, t->now_ns);
	put_down(t);
}

/* --- what servers and operators do --- */

static void next_olr(struct help_traffic *t, uint32_t i, const struct oc_olr *olr)
{
	struct help_server *server = &t->servers[i];
	struct oc_group group;
	size_t len = 0;

	server->olr = *olr;
	server->olr.sequence = ++server->sequence;
	server->olr.source = server->name;
	server->olr.has |= OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_VALIDITY;
	server->olr.has |= olr->type == OC_REPORT_PEER ? OC_OLR_HAS_SOURCE : 0;
	if (oc_encode_olr(&group, &server->olr, oc_names_text(t->names, server->name)) != OC_OK ||
	    oc_encode_group(&group, OC_AVP_OLR, server->raw, sizeof(server->raw), &len) != OC_OK)
		abort();
	server->raw_len = server->olr.raw_len = (uint16_t)len;
	server->has_olr = true;
}

void help_traffic_loss(struct help_traffic *t, uint32_t i, enum oc_report_type type, uint32_t pct,
		       uint32_t validity_s)
{
	const struct oc_olr olr = {
		.type = type, .reduction_pct = pct, .validity_s = validity_s, .has = OC_OLR_HAS_REDUCTION
	};

	next_olr(t, i, &olr);
}

void help_traffic_rate(struct help_traffic *t, uint32_t i, uint32_t rps, uint32_t validity_s)
{
	const struct oc_olr olr = {
		.type = OC_REPORT_HOST, .rate_rps = rps, .validity_s = validity_s, .has = OC_OLR_HAS_RATE
	};

	next_olr(t, i, &olr);
}

void help_traffic_quiet(struct help_traffic *t, uint32_t i)
{
	t->servers[i].has_olr = false;
}

void help_traffic_policy(struct help_traffic *t, const char *policy, uint32_t version)
{
	parse(policy, &t->policy);
	t->policy.version = version;
	uint64_t at_ns = oc_agent_set_policy(t->agent, &t->policy, t->now_ns);
	if (oev_recorder_policy(t->record.recorder, policy, version, at_ns) != OC_OK)
		abort();
}

void help_traffic_peer(struct help_traffic *t, uint32_t i, bool is_up)
{
	struct help_server *server = &t->servers[i];
	uint32_t lost = server->count;

	server->is_up = is_up;
	oc_agent_on_peer(t->agent, server->name, is_up, t->now_ns);
	for (; !is_up && lost > 0; lost--) {
		struct help_call call = server->calls[server->first];
		server->first = (server->first + 1) % HELP_PENDING;
		server->count--;
		route(t, &call);
	}
}

void help_traffic_order(struct help_traffic *t, uint32_t pct)
{
	const struct oc_report_order order = { .key = { .app_id = OC_APP_ANY, .type = OC_REPORT_PEER },
					       .has_reduction = true,
					       .reduction_pct = pct,
					       .validity_s = 10 };
	const struct oc_order_origin origin = { .by = OC_BY_CONTROL, .actor = 1000, .reason = "a test" };

	if (oc_agent_order(t->agent, &order, &origin, t->now_ns) != OC_OK)
		abort();
}

void help_traffic_withdraw(struct help_traffic *t)
{
	const struct oc_report_key key = { .app_id = OC_APP_ANY, .type = OC_REPORT_PEER };

	if (oc_agent_withdraw(t->agent, &key, NULL, t->now_ns) != OC_OK)
		abort();
}
