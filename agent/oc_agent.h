/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The agent: one object that decides about every request and learns from every answer.
 *
 * The story of one transaction
 *   1. A request arrives. The caller has scanned it (oc_msg_scan) and keeps one struct oc_txn beside it.
 *      oc_agent_on_request() notes who sent it, whether it speaks DOIC and how much it matters, then holds it
 *      against our own overload (if the client's side cannot be told), the realm report (if it came without
 *      Destination-Host) and the host report (if it came with one).
 *      OC_REFUSE: answer it now with txn->decision.result_code; nothing else will be asked.
 *   2. oc_agent_caps_for_request() says what to do with OC-Supported-Features before it travels on,
 *      oc_agent_drmp_for_request() what to do with DRMP.
 *   3. The caller knows the peers it could go to. oc_agent_on_candidates() picks one, by load where it is known: it
 *      leaves out peers with too many unanswered requests, holds the pick of a realm-routed request against
 *      that host's report, and what is left against the next hop's own report (D-241): divert to a
 *      candidate with no active report, else refuse.
 *   4. It leaves: oc_agent_on_sent(). The peer's count of unanswered requests goes up and the one
 *      DECISION event is made. After a failover steps 3 and 4 come again: nothing is drawn twice (D-158).
 *   5. The answer arrives: oc_agent_on_answer() checks trust, scope and sequence, takes reports and loads in, and says what
 *      may travel on to the client and what of ours goes with it. For an answer made on this node
 *      oc_agent_on_own_answer() says the same.
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
 *
 * One time per step. Every step that reads or changes the shared state gets a time of its own under L1: @now_ns, or a nanosecond after
 * the last step when that is later. It works with that time and its events say it, so recorded times give the order in which
 * the steps were done. What falls due is settled by whoever comes next and depends on the time it was due, not on who looked when; the one
 * exception, what time makes of reports of our own, is told by an event of its step (OWN_REPORT). oc_replay.h does a life again
 * from its events.
 */
#pragma once

#include "balance/oc_load.h"
#include "doic/oc_report.h"
#include "oc_event.h"
#include "oc_policy.h"
#include "wire/oc_encode.h"
#include "wire/oc_msg.h"
#include "wire/oc_names.h"

struct oc_agent;

struct oc_agent_conf {
	const char *identity;	 /* our DiameterIdentity; copied */
	struct oc_names *names;	 /* borrowed; must outlive the agent */
	uint32_t ocs_max;	 /* overload control states held at once */
	uint32_t retry_memory;	 /* remembered refusals (power of two), 0 = no memory of session attempts */
	uint32_t session_memory; /* sessions whose class is remembered (power of two), 0 = none */
	uint32_t load_nodes;	 /* nodes whose load is remembered, 0 = 64 */
	uint64_t
		first_sequence; /* OC-Sequence-Number of our first report: above all of earlier lives (D-093) */
	const char *realm;	/* our realm; may be NULL */
	uint64_t now_ns;	/* time of birth: orders of the policy are in force from then */
	bool is_replay; /* a life lived again by one thread (oc_replay.h): what falls due is done by oc_agent_fall_due() alone */
	oc_event_fn emit; /* receives events; may be NULL */
	void *emit_ctx;
};

/* What the agent keeps beside one request, from its arrival to its last octet. Zero is valid. */
struct oc_txn {
	struct oc_decision decision;
	uint64_t answered_ns;  /* time of step 5, 0 = not yet */
	uint32_t counted_peer; /* peer in whose unanswered count it is, 0 = none */
	uint32_t picked;       /* peer step 3 first chose, 0 = none */
	uint32_t answered_by;  /* filled by oc_agent_on_answer, likewise the next four */
	uint32_t answered_realm;
	uint32_t answer_peer;
	uint32_t answer_profile;
	uint32_t result_code;
	uint16_t state; /* private to oc_agent*.c */
	uint8_t attempts;
	uint8_t announced; /* 1: the request left with OC-Supported-Features */
	uint8_t doic_down; /* 1: the client announced DOIC and is trusted with it */
	uint8_t offered;   /* private: algorithms the client's side can apply, bit 1 << enum oc_algo */
	uint8_t rank;	   /* of priority */
	uint8_t drmp_to;   /* what DRMP becomes, when it is rewritten */
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

enum oc_drmp_action {
	OC_DRMP_KEEP = 0,
	OC_DRMP_STRIP = 1,  /* remove every DRMP: its sender is not trusted with it (P-19) */
	OC_DRMP_REWRITE = 2 /* its value becomes txn->drmp_to (P-20) */
};

#define OC_ANSWER_OWN_MAX 3u /* reports of ours in one answer: host, realm, peer (D-116) */

/* What to do with the overload and load AVPs of an answer on its way to the client. */
struct oc_answer_edit {
	bool strip_caps;     /* remove every OC-Supported-Features */
	bool strip_all_olr;  /* remove every OC-OLR, those beyond OC_MSG_OLR_MAX too */
	bool strip_all_load; /* remove every Load */
	bool strip_drmp;     /* remove every DRMP */
	bool rewrite_drmp;   /* its value becomes drmp_to (P-20) */
	uint8_t drmp_to;
	uint8_t strip_olr;  /* bit i: remove the i-th OC-OLR of the answer */
	uint8_t strip_load; /* bit i: remove the i-th Load */
	bool add_caps;	    /* then add caps as the value of OC-Supported-Features */
	bool add_load;	    /* add a PEER Load of load_value (oc_agent_encode_load) */
	uint8_t own_count;  /* reports of ours to add (oc_agent_encode_own) */
	uint32_t load_value;
	struct oc_report_content own[OC_ANSWER_OWN_MAX];
	struct oc_group caps; /* valid with add_caps */
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
	OC_STAT_REPORT_CLASHES, /* reports of others about what this agent reports for (D-113) */
	OC_STAT_OWN_REPORTS,	/* reports of ours put into answers */
	OC_STAT_LOADS_TAKEN,	/* Load values used */
	OC_STAT_LOADS_IGNORED,	/* Load values not used: range, sender, trust */
	OC_STAT_DRMP_STRIPPED,
	OC_STAT_DRMP_ODD, /* DRMP outside 0..15 (P-23) */
	OC_STAT_CLASS_0,  /* requests by class of priority (P-22) */
	OC_STAT_CLASS_1,
	OC_STAT_CLASS_2,
	OC_STAT_CLASS_3,
	OC_STAT_CLASS_4,
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
	uint64_t since_ns; /* this version */
	uint64_t begun_ns; /* its condition: the first of the unbroken versions before it */
	uint64_t expires_ns;
	uint64_t matched;
	uint64_t selected;
	uint64_t same_matched, same_selected; /* through all unbroken versions that ask the same */
	uint32_t version;
	uint32_t app_id;
	uint32_t subject;
	uint32_t origin; /* client or realm a rate was allotted to, 0 = all */
	uint32_t reduction_pct;
	uint32_t rate_rps;
	uint32_t share_ppm; /* applied now: the reduction while active, less on the ramp, 0 when over */
	uint8_t type;
	uint8_t algorithm;
	uint8_t active; /* 1 within validity, 0 ended or expired */
	uint8_t is_own; /* 1 this agent's own order, held here for those who cannot react; 0 a report of others */
	uint8_t is_observed; /* 1 what is decided under it is recorded only (policy: mode, shadow) */
};

/* Load of one node, for snapshots. */
struct oc_load_view {
	uint32_t node;
	int32_t host_value; /* fresh Load-Value of the type, -1 not known; likewise below */
	int32_t peer_value;
	uint32_t weight; /* as a next hop, now */
};

/* NULL when out of memory or @conf is incomplete. Copies @policy. */
struct oc_agent *oc_agent_new(const struct oc_agent_conf *conf, const struct oc_policy *policy);

/* Emits OC_END_SHUTDOWN changes for what is still held (at @now_ns), then frees. No other call may be running. */
void oc_agent_free(struct oc_agent *agent, uint64_t now_ns);

/* Replaces the policy whole. Held states stay, brought up to now under the old one; orders of the old document that the new one does
 * not have, and orders it does not allow, are withdrawn. Returns the time from which it is in force. */
uint64_t oc_agent_set_policy(struct oc_agent *agent, const struct oc_policy *policy, uint64_t now_ns);

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

/* Step 2, priority (RFC 7944 sections 8, 12.3; spec rows P-6, P-7, P-15, P-18..P-20). */
enum oc_drmp_action oc_agent_drmp_for_request(const struct oc_txn *txn);

/* Whether DRMP may travel on to @peer (P-20). To be asked when a request with DRMP leaves. */
bool oc_agent_may_carry_drmp(struct oc_agent *agent, uint32_t peer);

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

/* Step 5 for an answer made on this node (RFC 7683 section 5.1.2, RFC 8581 section 6.2.4; spec rows D-021, D-168, D-230). Fills
 * *@edit, which the caller gives zeroed. */
void oc_agent_on_own_answer(struct oc_agent *agent, struct oc_txn *txn, uint64_t now_ns,
			    struct oc_answer_edit *edit);

/* Values of the AVPs that *@edit asks to add: OC-OLR, Load. OC_OK, or what the encoder says. No lock. */
int oc_agent_encode_own(const struct oc_agent *agent, const struct oc_report_content *content,
			struct oc_group *out);
int oc_agent_encode_load(const struct oc_agent *agent, uint32_t value, struct oc_group *out);

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

/* Who asks for a report, and why: for the trail. */
struct oc_order_origin {
	uint8_t by;	      /* enum oc_order_by */
	uint32_t actor;	      /* see there */
	uint32_t calculation; /* version of the way it was worked out, 0 = given by hand */
	const char
		*reason; /* may be NULL; what is longer than OC_ORDER_TEXT_MAX - 1 is cut; likewise below */
	const char *inputs; /* "name=value name=value" */
};

/* Reports this agent makes (see oc_report.h for @order, errors and what a withdrawal does). HOST orders are for hosts the
 * policy names as reached by this path alone, REALM orders for realms it names this agent the reporting
 * node of (D-035, D-113): else OC_EREFUSED. Clients without DOIC are abated here under the same report. @origin NULL: by hand,
 * nothing is known of it. What is done is told by an ORDER event. */
int oc_agent_order(struct oc_agent *agent, const struct oc_report_order *order,
		   const struct oc_order_origin *origin, uint64_t now_ns);
int oc_agent_withdraw(struct oc_agent *agent, const struct oc_report_key *key,
		      const struct oc_order_origin *origin, uint64_t now_ns);
uint32_t oc_agent_orders(struct oc_agent *agent, struct oc_report_view *out, uint32_t max);

/* OC-Sequence-Number our next report will carry: what is kept for the next life must stay above it. */
uint64_t oc_agent_next_sequence(struct oc_agent *agent);

/* Our own Load-Value, set by hand; above OC_LOAD_IDLE: measured again. */
void oc_agent_set_load(struct oc_agent *agent, uint32_t value);

/* The value as it is now; *@is_set: by hand. */
uint32_t oc_agent_own_load(struct oc_agent *agent, uint64_t now_ns, bool *is_set);

/* Copies up to @max nodes whose load was heard of or who came up; returns how many there are. */
uint32_t oc_agent_loads(struct oc_agent *agent, uint64_t now_ns, struct oc_load_view *out, uint32_t max);

void oc_agent_stats(struct oc_agent *agent, struct oc_stats *out);

/* Copies up to @max held states as they stand at @now_ns, or after the last step when that is later; returns how many there are. The lock
 * is taken for a few at a time: of a state that comes or goes meanwhile, the copy has either. */
uint32_t oc_agent_snapshot(struct oc_agent *agent, uint64_t now_ns, struct oc_ocs_view *out, uint32_t max);

/* Unanswered requests of @peer now. */
uint32_t oc_agent_outstanding(const struct oc_agent *agent, uint32_t peer);

/* --- for a replay, where choices are input --- */

enum oc_room {
	OC_ROOM_EMPTIEST = 0,
	OC_ROOM_GIVEN = 1, /* goes before load too, where unanswered requests count */
	OC_ROOM_NEXT = 2,
	OC_ROOM_OTHERS = 3
};

/* From now on @peer has @count unanswered requests; among equals the one of the lowest @room (enum oc_room) is taken for the
 * emptiest, whatever the counts. */
void oc_agent_assume_outstanding(struct oc_agent *agent, uint32_t peer, uint32_t count, enum oc_room room);

/* From now on there is no room for further states of our own reports, or there is. */
void oc_agent_assume_full(struct oc_agent *agent, bool is_full);

/* Whether the report of the next hop @peer asks for less in @app_id now. */
bool oc_agent_peer_asks(struct oc_agent *agent, uint32_t app_id, uint32_t peer, uint64_t now_ns);

/* The request of @txn, of which step 3 was done, is not going to be sent where that said (OC_DEC_MOVED). */
void oc_agent_assume_moved(struct oc_txn *txn);

/* Does what is due of reports of our own, a bounded part of it: one step. True while there may be more. */
bool oc_agent_fall_due(struct oc_agent *agent, uint64_t now_ns);

/* Settles and forgets what ran out by @now_ns, which is no step: it changes nothing but when it is told. */
void oc_agent_settle_due(struct oc_agent *agent, uint64_t now_ns);
