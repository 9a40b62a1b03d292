/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The inside of a replay, shared by oc_replay*.c only: what waits for its time, and the requests that are open.
 */
#pragma once

#include "oc_replay.h"
#include "oc_replay_shared.h"

/* What is to be done, in this order at the same time: what an answer brought comes before the answer. */
enum oc_replay_kind {
	OC_REPLAY_POLICY = 0,
	OC_REPLAY_REPORT = 1,
	OC_REPLAY_LOAD = 2,
	OC_REPLAY_REQUEST = 3, /* step 1 */
	OC_REPLAY_CHOICE = 4,  /* step 3 */
	OC_REPLAY_ANSWER = 5,  /* step 5 */
	OC_REPLAY_PEER = 6,
	OC_REPLAY_ORDER = 7,
	OC_REPLAY_DUE = 8, /* reports of our own */
	OC_REPLAY_KIND_COUNT
};

struct oc_replay_item {
	uint64_t at_ns;
	uint64_t order; /* kind, then the order in which things were given */
	uint32_t ref;	/* place of the call or of what is kept */
};

#define OC_REPLAY_LANES 4u /* of requests, reports, loads, answers */

/* Items in the order of their times: items[first .. end). */
struct oc_replay_lane {
	struct oc_replay_item *items;
	uint32_t first;
	uint32_t end;
	uint32_t room;
};

static inline enum oc_replay_kind oc_replay_kind_of(const struct oc_replay_item *item)
{
	return (enum oc_replay_kind)(item->order >> 56);
}

/* One recorded request and what the new agent keeps beside it. */
struct oc_replay_call {
	struct oc_decision decision; /* recorded; id 0 = free */
	struct oc_event_outcome outcome;
	uint32_t profile;	 /* of the request: its place, or OC_REPLAY_NOWHERE; likewise below */
	uint32_t answer_profile; /* of the answer */
	uint32_t candidates;
	bool has_outcome;
	bool is_answer_put; /* it is in the queue */
	bool is_begun;	    /* step 1 was done: what follows it is in the queue */
	bool is_finished;   /* the decision was made again */
	bool is_over;	    /* nothing more is to come; the place is free when nothing waits for it */
	uint8_t waiting;    /* items that mean this call */
	uint32_t next;	    /* free place */
	struct oc_txn txn;
};

/* Where the call of a decision is. */
struct oc_replay_slot {
	uint32_t place; /* OC_REPLAY_NOWHERE: free */
	uint32_t
		id; /* lower half of decision.id: looking at a call that is not the one meant costs a memory access */
};

/* A report, load, peer, order or policy that waits. */
struct oc_replay_kept {
	struct oc_event event;
	struct oc_policy *policy; /* owned */
	uint16_t raw_len;
	uint8_t raw[OC_MSG_RAW_MAX];
	uint32_t next;
};

#define OC_REPLAY_HEARD_MAX (OC_MSG_OLR_MAX + OC_MSG_LOAD_MAX)
#define OC_REPLAY_SETS 256u
#define OC_REPLAY_NEAR 65536u

/* Candidates that requests for one destination had the last time. */
struct oc_replay_set {
	uint32_t app_id;
	uint32_t dest_host;
	uint32_t dest_realm;
	bool is_known;
	struct oc_event_candidates candidates;
};

struct oc_replay {
	struct oc_replay_conf conf;
	struct oc_agent *agent;
	uint32_t self;		  /* its name */
	uint32_t outstanding_max; /* of the policy in force */
	struct oc_replay_counts counts;
	uint64_t now_ns;     /* of the last thing done */
	uint64_t stepped_ns; /* of the last step */
	uint64_t settled_ns;
	uint64_t full_ns;      /* then there was no room for a state of our own */
	bool is_full;	       /* likewise now */
	uint64_t due_given_ns; /* last OWN_REPORT given */
	uint64_t ticked_ns;    /* what-if */
	/* oc_replay_queue.c */
	struct oc_replay_lane lanes[OC_REPLAY_LANES];
	struct oc_replay_item front; /* before all in the heap, when has_front */
	bool has_front;
	struct oc_replay_item *items; /* a heap */
	uint32_t item_count;
	uint32_t item_room;
	uint64_t next_order;
	/* oc_replay_store.c */
	struct oc_replay_call *calls;
	uint32_t call_room;
	uint32_t free_call;
	uint32_t *near; /* places of calls by decision.id modulo OC_REPLAY_NEAR, or OC_REPLAY_NOWHERE */
	struct oc_replay_slot *slots; /* power of two, at most half in use */
	uint32_t slot_mask;
	uint32_t in_slots;
	struct oc_replay_shared profile_pool;
	struct oc_replay_shared candidate_pool;
	struct oc_replay_kept *kept;
	uint32_t kept_room;
	uint32_t free_kept;
	uint32_t last_report; /* place of the report given last */
	/* what was heard at now_ns and waits for the answer that brought it */
	uint32_t heard[OC_REPLAY_HEARD_MAX];
	uint32_t heard_count;
	uint64_t heard_ns;
	/* what the new agent told */
	struct oc_decision told; /* of the step at hand, when is_told */
	bool is_told;
	uint32_t *subjects; /* of states, by version */
	uint32_t subject_room;
	struct oc_replay_set sets[OC_REPLAY_SETS];
	/* numbers given out in the life, for oc_replay_feed() */
	struct oc_profile *profiles;
	uint32_t profile_room;
	struct oc_event_candidates *candidates;
	uint32_t candidates_room;
};

/* --- oc_replay_feed.c --- */

/* Queues what follows a request that was made: its choice, and its answer unless that is there. OC_OK, OC_ENOMEM. */
int oc_replay_put_rest(struct oc_replay *replay, uint32_t place);

/* --- oc_replay_queue.c: what is next --- */

/* A thing to be done at @at_ns; of a request @ref is its call, which stays as long as something waits for it. OC_OK, OC_ENOMEM. */
int oc_replay_put(struct oc_replay *replay, uint64_t at_ns, enum oc_replay_kind kind, uint32_t ref);

/* Whether an item of @kind at @at_ns would only have to be put behind others. */
bool oc_replay_is_last(const struct oc_replay *replay, uint64_t at_ns, enum oc_replay_kind kind);

/* The next item before @until_ns. False: there is none. */
bool oc_replay_take(struct oc_replay *replay, uint64_t until_ns, struct oc_replay_item *item);

/* --- oc_replay_store.c: places for what waits --- */

/* Room for at least @count elements of @size at *@array, which has @room; what is new is zero. OC_OK, OC_ENOMEM. */
int oc_replay_grow(void **array, uint32_t *room, uint32_t count, size_t size);

/* A free place, zeroed, or OC_REPLAY_NOWHERE when out of memory. */
uint32_t oc_replay_call_new(struct oc_replay *replay, uint64_t id);
void oc_replay_call_drop(struct oc_replay *replay, uint32_t place);
/* Place of the open call of decision @id, or OC_REPLAY_NOWHERE. */
uint32_t oc_replay_call_find(const struct oc_replay *replay, uint64_t id);
uint32_t oc_replay_kept_new(struct oc_replay *replay);
void oc_replay_kept_drop(struct oc_replay *replay, uint32_t place);
/* On failure too the store is to be freed. OC_OK, OC_ENOMEM. */
int oc_replay_store_init(struct oc_replay *replay);
void oc_replay_store_free(struct oc_replay *replay);

/* --- oc_replay_message.c: messages out of what was recorded --- */

void oc_replay_request(const struct oc_replay *replay, const struct oc_replay_call *call, struct oc_msg *msg);

/* The answer of @call with what was heard at its time. *@is_announced, *@is_due: what the reports say of the way they came. */
void oc_replay_answer(const struct oc_replay *replay, const struct oc_replay_call *call, struct oc_msg *msg,
		      bool *is_announced, bool *is_due);

/* Puts one kept REPORT or LOAD into @msg, as far as there is room. */
void oc_replay_hear(const struct oc_replay_kept *kept, struct oc_msg *msg);

/* --- oc_replay_steps.c: a thing is done --- */

void oc_replay_do_request(struct oc_replay *replay, uint32_t place, uint64_t at_ns);
void oc_replay_do_choice(struct oc_replay *replay, uint32_t place, uint64_t at_ns);
void oc_replay_do_answer(struct oc_replay *replay, uint32_t place, uint64_t at_ns);

/* What was heard and belongs to no answer that is known. */
void oc_replay_do_orphans(struct oc_replay *replay);

/* Forgets what was heard. */
void oc_replay_drop_heard(struct oc_replay *replay);

/* --- oc_replay_steer.c: who had room --- */

/* Makes the agent see the peers as full as they must have been for what was recorded of @call. */
void oc_replay_steer(struct oc_replay *replay, const struct oc_replay_call *call,
		     const struct oc_event_candidates *candidates);

/* Candidates of @call: the recorded ones; else what stands for them, with *@is_exact false. */
void oc_replay_candidates(struct oc_replay *replay, const struct oc_replay_call *call,
			  struct oc_event_candidates *out, bool *is_exact);
