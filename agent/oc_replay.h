/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Replay: what an agent told of its life, done once more by a fresh agent, step by step in the order of recorded times.
 *
 * Every step of the core has a time no other step has, and its events say it. So a single thread can do the same steps in the same
 * order: a request (decision.at_ns), the choice of its peer (decision.out_ns), its answer (decision.at_ns + outcome.took_ns), peers
 * coming and going, orders, policies, and what falls due of reports of our own (OWN_REPORT). What the host decided
 * is input: which candidates there were, and, since counts of unanswered requests are no state of the core, who had room and who
 * was the emptiest of equals.
 *
 * How to use it
 *   1. oc_replay_new() with the conf and the first policy of that life. conf.names must give every name the number it had.
 *   2. Give it what was recorded, in any order: each thing waits for its time.
 *   3. oc_replay_run(until) does all that lies before @until. The caller has given everything recorded for that time by then. Each
 *      decision that was made again is handed out together with the recorded one.
 *   4. oc_replay_run(UINT64_MAX) at the end, then oc_replay_free().
 *
 * What-if is the same with another policy: answers and reports of others come as they were recorded, what the agent makes of
 * them is new. The recorded first choice is then a hint only, and the number of unanswered requests of each peer is modelled: up
 * when a request goes there, down at the recorded time of its answer; a request of which no answer was recorded, since
 * it was refused then, is taken to be answered at once. Its pulse is that of the life wherever OWN_REPORT tells of one.
 *
 * Not for the way of a message: it allocates as it needs. One thread at a time. No clock, no chance, no files.
 */
#pragma once

#include "oc_agent.h"

struct oc_replay;

enum oc_replay_mode {
	OC_REPLAY_EXACT = 0, /* the same policy, each decision must come out the same */
	OC_REPLAY_WHAT_IF = 1
};

/* A decision was made again. @recorded as it was given, both valid during the call only. Must not call back. */
typedef void (*oc_replay_fn)(void *ctx, const struct oc_decision *recorded,
			     const struct oc_decision *replayed);

struct oc_replay_conf {
	struct oc_agent_conf
		agent; /* as that life had it: identity, realm, first_sequence, now_ns (its birth), sizes;
				     * names is borrowed; emit gets the new agent's events and may be NULL */
	enum oc_replay_mode mode;
	oc_replay_fn decided;
	void *ctx;
};

struct oc_replay_counts {
	uint64_t decisions; /* made again */
	uint64_t differing; /* of them */
	uint64_t
		inexact; /* of them, the candidates were not recorded: what came of step 3 was taken as given */
	uint64_t
		late; /* given when their time was over: done at once, so the order was not that of the life */
	uint64_t
		orphans; /* reports and loads in answers of which nothing else is known: taken in all the same */
	uint64_t unknown; /* outcomes of decisions that were not given */
};

/* NULL when out of memory or the conf is incomplete. Copies @policy, the one in force at birth. */
struct oc_replay *oc_replay_new(const struct oc_replay_conf *conf, const struct oc_policy *policy);
void oc_replay_free(struct oc_replay *replay);

/* One request as it was decided. @profile: what decision->profile stands for, NULL when it is 0. @candidates: what
 * decision->candidates stands for, NULL when it is 0. Copies all. OC_OK, OC_ENOMEM. */
int oc_replay_decision(struct oc_replay *replay, const struct oc_decision *decision,
		       const struct oc_profile *profile, const struct oc_event_candidates *candidates);

/* How it ended; after its decision. @profile: what outcome->profile stands for, NULL when it is 0. OC_OK, OC_ENOMEM, OC_ENOENT: there
 * is no such decision, or its outcome was given before. */
int oc_replay_outcome(struct oc_replay *replay, const struct oc_event_outcome *outcome,
		      const struct oc_profile *profile);

/* @policy is in force from @at_ns, the time oc_agent_set_policy() gave. Copied. OC_OK, OC_ENOMEM. */
int oc_replay_policy(struct oc_replay *replay, const struct oc_policy *policy, uint64_t at_ns);

/* Any event. REPORT (then its REPORT_RAW), LOAD, PEER, ORDER and OWN_REPORT wait for mono_ns; those that only tell what
 * the core did (OCS_VERSION, OCS_CHANGE, CAPABILITY ...) are passed over. For a life held in memory whole PROFILE,
 * CANDIDATES, DECISION and OUTCOME are taken too: numbers before those who use them. OC_OK, OC_ENOMEM, OC_ENOENT as above. */
int oc_replay_feed(struct oc_replay *replay, const struct oc_event *event);

/* Does everything that lies before @until_ns, in order. OC_OK, OC_ENOMEM. */
int oc_replay_run(struct oc_replay *replay, uint64_t until_ns);

struct oc_replay_counts oc_replay_counts(const struct oc_replay *replay);

/* The agent that lives again: for snapshots. Borrowed; nothing but reading is allowed. */
struct oc_agent *oc_replay_agent(struct oc_replay *replay);

/* Name of the first field in which a decision made again differs from the recorded one, NULL when there is none. What
 * is input (times, chance, parties) is not compared, nor what became of a request that had to move (OC_DEC_MOVED) after step 3. */
const char *oc_replay_difference(const struct oc_decision *recorded, const struct oc_decision *replayed);
