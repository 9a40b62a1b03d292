/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The agent's inside, shared by oc_agent*.c only: its state, and what its files ask of each other.
 */
#pragma once

#include <pthread.h>

#include "balance/oc_load_own.h"
#include "doic/oc_decide.h"
#include "doic/oc_retry.h"
#include "doic/oc_sessions.h"
#include "oc_agent.h"
#include "oc_batch.h"
#include "oc_candidate_sets.h"
#include "oc_peers.h"
#include "oc_profiles.h"
#include "oc_repeats.h"
#include "oc_sent.h"

/* Our own overload told to those who cannot be told: the sampler of one PEER order. */
struct oc_gate {
	struct oc_report_key key; /* type OC_REPORT_PEER */
	bool is_used;
	bool has_rate; /* the order has a rate only: this node's part of it */
	struct oc_loss loss;
	struct oc_debt debt;
	struct oc_rate rate;
};

#define OC_GATES_MAX OC_REPORT_ORDERS_MAX

/* Orders of a policy document. */
#define OC_ORDERS_EVENTS (OC_POLICY_ORDERS_MAX + OC_REPORT_ORDERS_MAX + OC_POLICY_ORDERS_MAX)
struct oc_policy_orders {
	uint32_t count;
	struct oc_order_policy order[OC_POLICY_ORDERS_MAX];
};

struct oc_agent {
	pthread_mutex_t
		lock; /* L1: guards all below, except names, atomics, those in peers too, and what never changes */
	struct oc_names *names;
	oc_event_fn emit;
	void *emit_ctx;
	struct oc_ocs *ocs;
	struct oc_retry *retry;
	struct oc_sessions *sessions;
	struct oc_peers *peers;
	struct oc_loads *loads;
	struct oc_load_own *own_load;
	struct oc_reports *reports;
	struct oc_profiles *profiles;
	struct oc_candidate_sets *sets;
	uint64_t last_ns; /* time of the last step */
	uint64_t next_decision;
	uint64_t next_report;
	uint32_t next_version;
	uint32_t tick_at; /* where the walk of oc_agent_tick() goes on */
	uint64_t flushed_ns;
	_Atomic uint64_t stats[OC_STAT_COUNT];
	struct oc_repeats repeats;
	struct oc_sent sent;
	struct oc_gate gates[OC_GATES_MAX];
	uint32_t next_gate; /* gives way when all are used */
	struct oc_policy policy;
	struct oc_group own_caps[2]; /* announced for clients that announce none: without, with rate; stays */
	_Atomic bool is_rate_on;     /* policy.rate.is_on, for those who do not hold L1 */
	uint32_t self;		     /* name number of identity */
	uint32_t self_realm;
	uint64_t plain_ns; /* last request of a client that cannot react to host and realm reports, 0 never */
	uint64_t untold_ns;   /* of a neighbour that cannot be told of our own overload */
	uint32_t told_load;   /* last value of our own load in the trail */
	bool is_load_known;   /* some node's load was ever heard of */
	bool is_full_assumed; /* there was no room for further states of our own reports; in a replay */
	bool is_replay; /* what falls due is done when it is told, not by itself; by one thread, without lock */
	bool has_any_app;     /* states for every application are held: of our own orders */
	bool has_peer_states; /* some next hop's own report was ever held */
	char identity[OC_IDENT_MAX + 1];
};

/* Bits of oc_txn.state. */
enum oc_txn_state {
	OC_TXN_BEGUN = 0x01,	     /* step 1 was done */
	OC_TXN_DECIDED = 0x02,	     /* the DECISION event was made */
	OC_TXN_FINISHED = 0x04,	     /* the OUTCOME event was made */
	OC_TXN_RECEIVES = 0x08,	     /* the client may receive reports */
	OC_TXN_CHOSEN = 0x10,	     /* step 3 was done once: nothing more is drawn */
	OC_TXN_PEER_DOWN = 0x20,     /* the client's neighbour supports peer reports (D-184) */
	OC_TXN_STARTS = 0x40,	     /* begins a session whose class is worth remembering */
	OC_TXN_ENDS = 0x80,	     /* ends a remembered session */
	OC_TXN_DRMP_STRIP = 0x100,   /* its DRMP goes */
	OC_TXN_DRMP_REWRITE = 0x200, /* or becomes drmp_to */
	OC_TXN_TAKES_LOAD = 0x400,   /* the client's neighbour may receive load */
	OC_TXN_TAKES_DRMP = 0x800,   /* and DRMP */
	OC_TXN_USED_LOW = 0x1000,    /* something was left to the chance of step 1 */
	OC_TXN_USED_HIGH = 0x2000,   /* of step 3 */
	OC_TXN_SHADOW = 0x4000	     /* the state that selected it is about a subject that is only observed */
};

/* --- oc_agent_tell.c --- */

/* Takes L1, unless it is a replay: that has one thread, and millions of steps to do. oc_agent_leave() gives it back. */
void oc_agent_lock(struct oc_agent *agent);

/* Opens a step: takes L1. Returns its time: @now_ns, or the next nanosecond when another step had that or a later one. No two
 * steps have the same, so that the order of their times is the order in which they were done. */
uint64_t oc_agent_enter(struct oc_agent *agent, struct oc_batch *batch, uint64_t now_ns);

/* Closes it: gives L1 back and emits what @batch holds. */
void oc_agent_leave(struct oc_agent *agent, struct oc_batch *batch);

/* Emits what @batch holds. Never under L1. */
void oc_agent_emit(const struct oc_agent *agent, const struct oc_batch *batch);

/* The rest under L1. */

/* Entry of @key brought up to @now_ns, NULL when there is none; tells its changes. */
struct oc_ocs_entry *oc_agent_entry(struct oc_agent *agent, const struct oc_ocs_key *key, uint64_t now_ns,
				    struct oc_batch *batch);

/* Brings @entry up to @now_ns and tells its changes. False: it was forgotten. */
bool oc_agent_settle(struct oc_agent *agent, struct oc_ocs_entry *entry, uint64_t now_ns,
		     struct oc_batch *batch);

void oc_agent_tell_change(struct oc_agent *agent, struct oc_ocs_entry *entry, enum oc_ocs_end how,
			  uint64_t at_ns, struct oc_batch *batch);
void oc_agent_tell_repeat(struct oc_repeat *repeat, uint64_t now_ns, struct oc_batch *batch);
void oc_agent_tell_caps(struct oc_agent *agent, const struct oc_msg *msg, uint32_t peer, uint64_t now_ns,
			struct oc_batch *batch);

/* Number of what @msg says of itself, with @hints in place of its own, told when it is new. 0 when nobody listens. */
uint32_t oc_agent_tell_profile(struct oc_agent *agent, const struct oc_msg *msg, uint16_t hints,
			       uint64_t now_ns, struct oc_batch *batch);

/* Likewise of a set of candidates. */
uint32_t oc_agent_tell_candidates(struct oc_agent *agent, const struct oc_candidate *candidates,
				  uint32_t count, uint64_t now_ns, struct oc_batch *batch);

/* Makes the one DECISION event if it is still owed, and counts it. With L1 or without: it speaks of the request alone. */
void oc_agent_tell_decision(struct oc_agent *agent, struct oc_txn *txn, uint64_t now_ns,
			    struct oc_batch *batch);

/* --- oc_agent_hold.c --- */

/* Holds the request of @txn against the state of @key. True: it is to be treated; decision.selected_by and flags say why. */
bool oc_agent_hold(struct oc_agent *agent, const struct oc_msg *msg, const struct oc_ocs_key *key,
		   uint64_t now_ns, struct oc_txn *txn, struct oc_batch *batch);

/* Whether what is decided about @subject is recorded only (policy: mode, shadow). */
bool oc_agent_observes(const struct oc_agent *agent, uint32_t subject);

/* Refuses the request for the report of decision.selected_by, and remembers it. */
void oc_agent_refuse(struct oc_agent *agent, const struct oc_msg *msg, struct oc_txn *txn);

/* The request will not come to @peer since another report removed it: counts as removed for @peer's own report too (D-243). */
void oc_agent_credit(struct oc_agent *agent, uint32_t app_id, uint32_t peer, uint64_t now_ns,
		     struct oc_batch *batch);

/* The same for a request refused on arrival: the next hop is the one the state's other requests take. */
void oc_agent_credit_arrival(struct oc_agent *agent, const struct oc_ocs_key *key, const struct oc_txn *txn,
			     uint64_t now_ns, struct oc_batch *batch);

/* Notes that requests under the states @txn was held against on arrival go to @peer. */
void oc_agent_note_via(struct oc_agent *agent, const struct oc_msg *msg, const struct oc_txn *txn,
		       uint32_t peer, uint64_t now_ns, struct oc_batch *batch);

/* Share that a report of @type about @subject asks of @msg now, 0 when there is none (D-140). */
uint32_t oc_agent_share(const struct oc_agent *agent, const struct oc_msg *msg, uint8_t type,
			uint32_t subject, uint64_t now_ns);

/* --- oc_agent_prio.c: class, rank and DRMP of a request that came from a peer of @trust --- */
void oc_agent_take_priority(struct oc_agent *agent, const struct oc_msg *msg, uint32_t trust,
			    struct oc_txn *txn);

/* What @drmp from @peer, which is of @trust, becomes under the plan of priorities here (P-20). */
uint8_t oc_agent_mapped_drmp(const struct oc_agent *agent, uint8_t drmp, uint32_t peer, uint32_t trust);

/* Whether the DRMP of @msg counts, coming from @from_peer of @trust: its own, or that of a node behind it (P-18, P-19). */
bool oc_agent_believes_drmp(const struct oc_msg *msg, uint32_t from_peer, uint32_t trust);

/* Remembers or forgets the session of an answered request. */
void oc_agent_follow_session(struct oc_agent *agent, const struct oc_msg *answer, struct oc_txn *txn);

/* --- oc_agent_caps.c --- */

/* Works out own_caps; call once, before there are other threads. */
void oc_agent_make_caps(struct oc_agent *agent);

/* What of OC-Supported-Features goes to the client with @answer (NULL: made here), under @algorithm for host and realm
 * reports and @peer_algorithm for peer reports of ours. */
void oc_agent_edit_caps(struct oc_agent *agent, const struct oc_msg *answer, const struct oc_txn *txn,
			enum oc_algo algorithm, enum oc_algo peer_algorithm, struct oc_answer_edit *edit);

/* --- oc_agent_orders.c: reports of our own that are in force --- */

/* Puts the policy's orders in force and withdraws those of the document before that it does not have, and all those
 * that it does not allow. At most OC_ORDERS_EVENTS events. */
void oc_agent_orders_from(struct oc_agent *agent, const struct oc_policy_orders *old, uint64_t now_ns,
			  struct oc_batch *batch);

/* Whether the client reacts by itself, but not to a rate, and an order of ours about where @msg goes has nothing else: then it
 * cannot be told, and this node reacts for it. */
bool oc_agent_is_left_out(const struct oc_agent *agent, const struct oc_msg *msg, const struct oc_txn *txn);

/* --- oc_agent_own.c: what they mean for requests and answers --- */

#define OC_OWN_STEP_EVENTS 72u

/* Does what is due of our reports and tells it, in at most OC_OWN_STEP_EVENTS events. True while there may be more. */
bool oc_agent_own_step(struct oc_agent *agent, uint64_t now_ns, struct oc_batch *batch);

/* All of it, step by step, unless it is a replay. Not under L1. */
void oc_agent_step_own(struct oc_agent *agent, uint64_t now_ns);

/* This node keeps its part of the rates: somebody of those it stands for may have been heard of now. */
void oc_agent_own_heard(struct oc_agent *agent, uint64_t now_ns);

/* Adds our reports for the client to @edit: about the answer's @host (0: made here) and @realm, and our own overload. *@algorithm:
 * of host and realm reports; may be changed unless @is_fixed. *@peer_algorithm gets the one of peer reports. */
void oc_agent_edit_own(struct oc_agent *agent, struct oc_txn *txn, uint32_t host, uint32_t realm,
		       bool is_fixed, uint64_t now_ns, enum oc_algo *algorithm, enum oc_algo *peer_algorithm,
		       struct oc_answer_edit *edit, struct oc_batch *batch);

/* --- oc_agent_gate.c: our own overload, for those it cannot be told --- */

/* Keeps this node's part of a rate that @content of a PEER order allots or ends. */
void oc_agent_gate_follow(struct oc_agent *agent, const struct oc_report_content *content, uint64_t now_ns);

/* Whether who was heard of at @heard_ns (0 never) gave its part of a rate back. */
bool oc_agent_is_idle(const struct oc_agent *agent, uint64_t heard_ns, uint64_t now_ns);

/* Notes whom this node reacts for, as others are noted when they are answered. True: somebody was not there lately. */
bool oc_agent_gate_note(struct oc_agent *agent, uint64_t now_ns, const struct oc_txn *txn);

/* Whether the request must be refused since we ask for less ourselves and its side cannot be told (Q-18, D-288). */
bool oc_agent_gate_refuses(struct oc_agent *agent, const struct oc_msg *msg, uint64_t now_ns,
			   struct oc_txn *txn);

/* Chance of step 3 out of @random: its upper half alone, stirred. */
static inline uint64_t oc_agent_stir(uint64_t random)
{
	uint64_t x = (random >> 32) * 0xbf58476d1ce4e5b9ull;

	x = (x ^ (x >> 32)) * 0x94d049bb133111ebull;
	return x ^ (x >> 31);
}

/* --- oc_agent_load.c --- */

/* Takes the loads of @answer in; bit i of the result: the i-th may travel on as far as its sender is concerned. */
uint8_t oc_agent_take_loads(struct oc_agent *agent, const struct oc_msg *answer, uint32_t from_peer,
			    uint32_t trust, uint64_t now_ns, struct oc_batch *batch);

/* Adds our own load for the client @peer to @edit, if it is to be told. */
void oc_agent_edit_load(struct oc_agent *agent, uint32_t peer, uint64_t now_ns, struct oc_answer_edit *edit,
			struct oc_batch *batch);

/* A request that is not told yet goes elsewhere than step 3 chose: what it chose is what counts for later ones. */
static inline void oc_agent_note_move(struct oc_txn *txn)
{
	txn->decision.flags |= OC_DEC_MOVED;
	if (txn->picked != OC_NAME_NONE)
		txn->decision.first_choice = txn->picked;
}

/* --- oc_agent_pick.c: which candidate --- */

#define OC_CHOICE_COUNTED 64u /* candidates whose counts are looked at once */

/* What to choose by. A step looks several times for a candidate, while other threads send and answer: it sees the counts as they were
 * when it began, or it could leave a peer for want of room and come back to it. */
struct oc_choice {
	const struct oc_candidate *candidates;
	uint32_t count;
	uint32_t filling[OC_CHOICE_COUNTED]; /* oc_peers_filling() of each when the step began */
	uint32_t outstanding_max;	     /* 0 = do not look */
	bool avoids_reports;		     /* leave out those whose report asks for less now (D-140) */
	uint32_t only;			     /* the one peer that will do; 0 = any */
	uint32_t left;			     /* the one it is to leave for want of room; 0 = none */
	const struct oc_msg *msg;
	uint64_t now_ns;
	uint64_t random;
	bool is_by_chance; /* out: a pick was drawn by load */
	bool is_no_room;   /* out: another one would have done as well or better, but for outstanding_max */
};

/* Looks at the counts of unanswered requests, once for all picks of the step. */
void oc_agent_look_at_counts(const struct oc_agent *agent, struct oc_choice *choice);

/* Unanswered requests of the @i-th candidate then. */
uint32_t oc_agent_count_of(const struct oc_agent *agent, const struct oc_choice *choice, uint32_t i);

/* Best usable candidate: highest score, then by load or by fewest unanswered requests, then chance. @choice->count when none. */
uint32_t oc_agent_pick(const struct oc_agent *agent, struct oc_choice *choice);

/* --- oc_agent_intake.c --- */

/* Judges and takes the @i-th report of @msg. @way: OC_REASON_NONE, or why it is refused whatever it says. @txn: of the
 * request an answer belongs to. */
enum oc_report_reason oc_agent_intake(struct oc_agent *agent, const struct oc_msg *msg, uint32_t i,
				      uint32_t from_peer, enum oc_report_reason way, const struct oc_txn *txn,
				      uint64_t now_ns, struct oc_batch *batch);

/* Holds @value for @key as a report of our own about others, so that clients without DOIC are abated too. */
void oc_agent_hold_own(struct oc_agent *agent, const struct oc_ocs_key *key, const struct oc_olr_value *value,
		       uint64_t now_ns, struct oc_batch *batch);
