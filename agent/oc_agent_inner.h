/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The agent's inside, shared by oc_agent*.c only: its state and how events of it are made.
 */
#pragma once

#include <pthread.h>

#include "doic/oc_decide.h"
#include "doic/oc_retry.h"
#include "oc_agent.h"
#include "oc_batch.h"
#include "oc_peers.h"
#include "oc_repeats.h"

struct oc_agent {
	pthread_mutex_t lock; /* L1: guards all below, except names, stats and the atomics in peers */
	struct oc_names *names;
	oc_event_fn emit;
	void *emit_ctx;
	struct oc_ocs *ocs;
	struct oc_retry *retry;
	struct oc_peers *peers;
	uint64_t next_decision;
	uint64_t next_report;
	uint32_t next_version;
	uint32_t tick_at; /* where the walk of oc_agent_tick() goes on */
	uint64_t flushed_ns;
	_Atomic uint64_t stats[OC_STAT_COUNT];
	struct oc_repeats repeats;
	struct oc_policy policy;
	char identity[OC_IDENT_MAX + 1];
};

/* Bits of oc_txn.state. */
enum oc_txn_state {
	OC_TXN_BEGUN = 0x01,	/* step 1 was done */
	OC_TXN_DECIDED = 0x02,	/* the DECISION event was made */
	OC_TXN_FINISHED = 0x04, /* the OUTCOME event was made */
	OC_TXN_RECEIVES = 0x08, /* the client may receive reports */
	OC_TXN_CHOSEN = 0x10	/* step 3 was done once: nothing more is drawn */
};

/* Opens and closes a step: lock; unlock and emit what @batch holds. */
void oc_agent_enter(struct oc_agent *agent, struct oc_batch *batch);
void oc_agent_leave(struct oc_agent *agent, struct oc_batch *batch);

/* Emits what @batch holds. Never under L1. */
void oc_agent_emit(const struct oc_agent *agent, const struct oc_batch *batch);

/* The rest under L1. Entry of @key brought up to @now_ns, NULL when there is none; tells its changes. */
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

/* Makes the one DECISION event if it is still owed, and counts it. With L1 or without: it speaks of the request alone. */
void oc_agent_tell_decision(struct oc_agent *agent, struct oc_txn *txn, uint64_t now_ns,
			    struct oc_batch *batch);

/* Holds the request of @txn against the state of @key. True: it is to be treated; decision.selected_by and flags say why. */
bool oc_agent_hold(struct oc_agent *agent, const struct oc_msg *msg, const struct oc_ocs_key *key,
		   uint64_t now_ns, struct oc_txn *txn, struct oc_batch *batch);

/* Refuses the request for the report of decision.selected_by, and remembers it. */
void oc_agent_refuse(struct oc_agent *agent, const struct oc_msg *msg, struct oc_txn *txn);

/* Judges and takes the @i-th report of @msg. @way: OC_REASON_NONE, or why it is refused whatever it says. */
enum oc_report_reason oc_agent_intake(struct oc_agent *agent, const struct oc_msg *msg, uint32_t i,
				      uint32_t from_peer, enum oc_report_reason way, uint64_t now_ns,
				      struct oc_batch *batch);
