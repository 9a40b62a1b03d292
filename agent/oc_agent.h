/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The agent: one object that decides about every request and learns from every answer.
 *
 * The story of one transaction
 *   1. A request arrives. The caller has scanned it (oc_msg_scan) and keeps one struct oc_txn beside it.
 *      oc_agent_on_request() notes who sent it and whether it speaks DOIC, then holds it against the
 *      realm report (if it came without Destination-Host) and the host report (if it came with one).
 *      OC_REFUSE: answer it now with txn->decision.result_code; nothing else will be asked.
 *   2. oc_agent_caps_for_request() says what to do with OC-Supported-Features before it travels on.
 *   3. The caller knows the peers it could go to. oc_agent_on_candidates() picks one: it leaves out
 *      peers with too many unanswered requests, and holds the pick of a realm-routed request against that
 *      host's report: divert to a candidate with no active report, else refuse.
 *   4. It leaves: oc_agent_on_sent(). The peer's count of unanswered requests goes up and the one
 *      DECISION event is made. After a failover steps 3 and 4 come again: nothing is drawn twice (D-158).
 *   5. The answer arrives: oc_agent_on_answer() checks trust, scope and sequence, takes reports into the
 *      overload control state, and says which DOIC AVPs may travel on to the client.
 *   6. An answer leaves (that one, or an error made here): oc_agent_on_answer_leaving() makes the one
 *      OUTCOME event.
 *   7. The request's memory goes: oc_agent_on_gone() makes whichever of the two events is still owed, so every
 *      request has exactly one DECISION and one OUTCOME, whatever happened to it.
 *
 * Threads and locks. Any thread may call any function. One mutex inside (L1) guards the overload control
 * state, samplers and statistics; no function allocates, makes a system call or calls out while holding
 * it; events are collected under it and emitted after. The oc_txn belongs to its message: the caller never
 * uses one txn from two threads at a time. Time (monotonic ns) and chance come in as parameters; with the same state,
 * request, time and chance the decision is the same bit for bit.
 */
#pragma once

#include "oc_event.h"
#include "oc_policy.h"
#include "wire/oc_encode.h"
#include "wire/oc_msg.h"
#include "wire/oc_names.h"

struct oc_agent;

struct oc_agent_conf {
	const char *identity;	/* our DiameterIdentity; copied */
	struct oc_names *names; /* borrowed; must outlive the agent */
	uint32_t ocs_max;	/* overload control states held at once */
	uint32_t retry_memory;	/* remembered refusals (power of two), 0 = no memory of session attempts */
	oc_event_fn emit;	/* receives events; may be NULL */
	void *emit_ctx;
};

/* What the agent keeps beside one request, from its arrival to its last octet. Zero is valid. */
struct oc_txn {
	struct oc_decision decision;
	uint64_t received_ns;
	uint64_t sent_ns;      /* last time it was sent, 0 = never */
	uint32_t counted_peer; /* peer in whose unanswered count it is, 0 = none */
	uint32_t answered_by;  /* filled by oc_agent_on_answer */
	uint32_t answer_peer;
	uint32_t result_code;
	uint8_t state; /* private to oc_agent.c */
	uint8_t attempts;
	uint8_t announced; /* 1: the request left with OC-Supported-Features */
	uint8_t doic_down; /* 1: the client announced DOIC and is trusted with it */
};

struct oc_candidate {
	uint32_t peer; /* name number of the peer */
	int32_t score; /* the host's routing score; only the highest are equal choices, lower ones are fall-backs */
};

enum oc_caps_action {
	OC_CAPS_KEEP = 0,   /* leave the message's OC-Supported-Features as it is */
	OC_CAPS_ADD = 1,    /* there is none: add *@out as its value */
	OC_CAPS_REPLACE = 2 /* remove every OC-Supported-Features, then add *@out */
};

/* What to do with the DOIC AVPs of an answer on its way to the client. */
struct oc_answer_edit {
	bool strip_caps;    /* remove every OC-Supported-Features */
	uint8_t strip_olr;  /* bit i: remove the i-th OC-OLR of the answer */
	bool strip_all_olr; /* remove every OC-OLR, those beyond OC_MSG_OLR_MAX too */
};

enum oc_stat {
	OC_STAT_REQUESTS = 0,
	OC_STAT_FORWARDED,
	OC_STAT_DIVERTED,
	OC_STAT_REFUSED,
	OC_STAT_REFUSED_OUTSTANDING,
	OC_STAT_ANSWERS,
	OC_STAT_REPORTS_NEW,
	OC_STAT_REPORTS_UPDATED,
	OC_STAT_REPORTS_STALE,
	OC_STAT_REPORTS_REPEATED,
	OC_STAT_REPORTS_REFUSED,
	OC_STAT_PROTOCOL_WARNINGS, /* vector 0, several algorithms, repeated AVPs ... */
	OC_STAT_FAILOPEN,
	OC_STAT_OCS_HELD,   /* gauge: entries held, ended ones included */
	OC_STAT_OCS_ACTIVE, /* gauge */
	OC_STAT_COUNT
};

struct oc_stats {
	uint64_t value[OC_STAT_COUNT];
};

/* One held state, for snapshots. */
struct oc_ocs_view {
	uint64_t sequence;
	uint64_t since_ns;
	uint64_t expires_ns;
	uint64_t matched;
	uint64_t selected;
	uint32_t version;
	uint32_t app_id;
	uint32_t subject;
	uint32_t reduction_pct;
	uint32_t share_ppm; /* applied now: the reduction while active, less on the ramp, 0 when over */
	uint8_t type;
	uint8_t algorithm;
	uint8_t active; /* 1 within validity, 0 ended or expired */
};

/* NULL when out of memory or @conf is incomplete. Copies @policy. */
struct oc_agent *oc_agent_new(const struct oc_agent_conf *conf, const struct oc_policy *policy);

/* Emits OC_END_SHUTDOWN changes for what is still held (at @now_ns), then frees. No other call may be running. */
void oc_agent_free(struct oc_agent *agent, uint64_t now_ns);

/* Replaces the policy whole. Held states stay. */
void oc_agent_set_policy(struct oc_agent *agent, const struct oc_policy *policy);

/* Tells that names were given out (events for the trail). @count numbers at @id. */
void oc_agent_on_new_names(struct oc_agent *agent, const uint32_t *id, uint32_t count, uint64_t now_ns);

/* A peer's connection opened or closed. Its unanswered count is not touched: each request gives its own back. */
void oc_agent_on_peer(struct oc_agent *agent, uint32_t peer, bool up, uint64_t now_ns);

/* Step 1. @client_peer: adjacent peer it came from. @random: 64 fresh random bits. Fills @txn. */
enum oc_verdict oc_agent_on_request(struct oc_agent *agent, const struct oc_msg *msg, uint32_t client_peer,
				    uint64_t now_ns, uint64_t random, struct oc_txn *txn);

/* Step 2 (RFC 7683 sections 5.1.1, 5.1.3; spec rows D-010, D-031, D-032, D-037, D-284). */
enum oc_caps_action oc_agent_caps_for_request(struct oc_agent *agent, const struct oc_msg *msg,
					      struct oc_txn *txn, struct oc_group *out);

/* Step 3. @candidates: those the host could use, any order, @count of them (0 is allowed). On OC_FORWARD and
 * OC_DIVERT *@pick is the index to use, or @count when the agent has no opinion. On OC_REFUSE answer with
 * txn->decision.result_code. @random as in step 1, fresh. */
enum oc_verdict oc_agent_on_candidates(struct oc_agent *agent, const struct oc_msg *msg,
				       const struct oc_candidate *candidates, uint32_t count, uint64_t now_ns,
				       uint64_t random, struct oc_txn *txn, uint32_t *pick);

/* Step 4. @peer: where it really goes. */
void oc_agent_on_sent(struct oc_agent *agent, struct oc_txn *txn, uint32_t peer, uint64_t now_ns);

/* Step 5. @from_peer: adjacent peer the answer came from. @txn: of the request it answers. Fills *@edit. */
void oc_agent_on_answer(struct oc_agent *agent, const struct oc_msg *answer, uint32_t from_peer,
			uint64_t now_ns, struct oc_txn *txn, struct oc_answer_edit *edit);

/* Step 6. @maker says who made the answer, @result_code what it says (0: take what step 5 saw). */
void oc_agent_on_answer_leaving(struct oc_agent *agent, struct oc_txn *txn, enum oc_maker maker,
				uint32_t result_code, uint64_t now_ns);

/* Instead of step 1, when the host answers or drops a request before routing asks this agent (a Destination-Host that is
 * the host itself, say): the request is noted, held against nothing, and gets its two events like any other.
 * Nothing happens when step 1 was done. */
void oc_agent_on_unrouted(struct oc_agent *agent, const struct oc_msg *msg, uint32_t client_peer,
			  uint64_t now_ns, struct oc_txn *txn);

/* Whether nothing is owed for the request any more: step 7 would change and tell nothing. */
bool oc_agent_is_over(const struct oc_txn *txn);

/* Step 7. Idempotent. */
void oc_agent_on_gone(struct oc_agent *agent, struct oc_txn *txn, uint64_t now_ns);

/* The agent could not do its work on this request and lets it pass (callbacks fail open). */
void oc_agent_on_failopen(struct oc_agent *agent, struct oc_txn *txn);

/* Ends what has run out, forgets what may be forgotten, reports repeats. Call about ten times a second;
 * decisions are right without it, only events would be late. */
void oc_agent_tick(struct oc_agent *agent, uint64_t now_ns);

void oc_agent_stats(struct oc_agent *agent, struct oc_stats *out);

/* Copies up to @max held states as they stand at @now_ns; returns how many there are. */
uint32_t oc_agent_snapshot(struct oc_agent *agent, uint64_t now_ns, struct oc_ocs_view *out, uint32_t max);

/* Unanswered requests of @peer now. */
uint32_t oc_agent_outstanding(const struct oc_agent *agent, uint32_t peer);
