/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The world of a scenario: one agent, some peers, a virtual clock, and what came of the last command.
 */
#pragma once

#include "agent/oc_agent.h"
#include "scn_say.h"
#include "tests/unit/agent/help_life.h"

#define SCN_PEERS_MAX 64u
#define SCN_PENDING_MAX 20000u
#define SCN_TEXTS_MAX 1024u
#define SCN_KINDS_MAX 16u
#define SCN_FLAGS 11u
#define SCN_START_NS 1000000000000ull /* time 0 of a story */

struct scn_peer {
	uint32_t name;
	int32_t score;
	bool is_up;
	bool has_reply;
	struct scn_answer reply; /* what its answers say, when has_reply */
	uint64_t sent;		 /* by the last send or fail */
};

struct scn_pending {
	struct oc_msg request;
	struct oc_txn txn;
	uint32_t kind;
};

/* Counts of the last send or fail command. */
struct scn_tally {
	uint64_t verdict[OC_VERDICT_COUNT];
	uint64_t by_class[OC_CLASSES][OC_VERDICT_COUNT];
	uint64_t by_kind[SCN_KINDS_MAX][OC_VERDICT_COUNT];
	uint64_t unrouted;
	uint64_t own;
	uint64_t why_outstanding;
	uint64_t flag[SCN_FLAGS]; /* by bit of enum oc_decision_flag */
	uint64_t code_3004;
	uint64_t code_5012;
	uint64_t
		announced; /* requests that left with one OC-Supported-Features, ours: bits 0x11 and our SourceID */
	uint64_t answers; /* that left for the client */
	uint64_t answers_sf;
	uint64_t answers_olr[OC_REPORT_COUNT];
	uint64_t answers_load[OC_LOAD_TYPE_COUNT];
};

/* One message as it left the agent. */
struct scn_left {
	struct help_wire wire;
	struct oc_msg msg;
};

struct scn_world {
	struct oc_names *names;
	struct oc_agent *agent;
	struct oc_policy policy;
	uint64_t now_ns;
	uint64_t chance;   /* what the agent gets */
	uint64_t arrivals; /* when requests come, and of which kind */
	uint32_t app_id;
	struct scn_peer peers[SCN_PEERS_MAX];
	uint32_t peer_count;
	struct scn_answer reply; /* of peers that have none of their own */
	struct scn_pending *pending;
	uint32_t pending_count;
	uint32_t kind; /* of the request at hand */
	struct scn_tally tally;
	struct oc_answer_edit edit;
	enum oc_caps_action caps_action;
	enum oc_drmp_action drmp_action;
	int order_result;	 /* of the last order or withdrawal */
	struct scn_left request; /* the last that left */
	struct scn_left answer;
	struct scn_left before; /* the answer before that */
	struct oc_decision decision;
	struct oc_event_report report; /* last REPORT event */
	struct oc_event_own_report own_report;
	struct oc_event_ocs_change change;
	uint64_t events[OC_EVENT_KIND_COUNT];
	uint64_t ends[OC_END_COUNT];
	char *texts[SCN_TEXTS_MAX]; /* words that must outlive their line */
	uint32_t text_count;
	struct help_life *life; /* all the agent told, to be lived again at its end */
	uint32_t lives_failed;
};

struct scn_world *scn_world_new(void);
void scn_world_free(struct scn_world *w);

/* The agent's life is over: it is lived again, and must go as it went. False: it does not; the first difference is printed. */
bool scn_end_life(struct scn_world *w);
void scn_apply_policy(struct scn_world *w);

/* A new life of the agent, under the same policy; its own reports begin with @first_sequence. */
void scn_restart(struct scn_world *w, uint64_t first_sequence);

/* Lets the clock go on to @to_ns, the agent ticking on the way. */
void scn_pass(struct scn_world *w, uint64_t to_ns);

uint64_t scn_random(uint64_t *state);

/* A copy of @text that lasts as long as the world. NULL when there is no room. */
const char *scn_keep(struct scn_world *w, const char *text);

/* @text as an identity; a word without a dot is a host of example.net. Lasts. */
const char *scn_identity(struct scn_world *w, const char *text);

/* Its number. */
uint32_t scn_name(struct scn_world *w, const char *text);
struct scn_peer *scn_peer_of(struct scn_world *w, uint32_t name);
