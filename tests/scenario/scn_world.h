/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The world of a scenario: one agent, some peers, a virtual clock, and what came of the last command.
 */
#pragma once

#include "agent/oc_agent.h"

#define SCN_PEERS_MAX 64u
#define SCN_PENDING_MAX 20000u

struct scn_peer {
	uint32_t name;
	int32_t score;
	bool is_up;
	uint64_t sent; /* by the last send or fail */
};

struct scn_pending {
	struct oc_msg request;
	struct oc_txn txn;
};

/* Counts of the last send or fail command. */
struct scn_tally {
	uint64_t verdict[OC_VERDICT_COUNT];
	uint64_t unrouted;
	uint64_t why_outstanding;
	uint64_t flag[8]; /* by bit of enum oc_decision_flag */
	uint64_t code_3004;
	uint64_t code_5012;
};

struct scn_world {
	struct oc_names *names;
	struct oc_agent *agent;
	struct oc_policy policy;
	uint64_t now_ns;
	uint64_t chance;
	uint32_t app_id;
	struct scn_peer peers[SCN_PEERS_MAX];
	uint32_t peer_count;
	struct scn_pending *pending;
	uint32_t pending_count;
	struct scn_tally tally;
	struct oc_answer_edit edit;
	enum oc_caps_action caps_action;
	struct oc_group announced;     /* of the last request */
	struct oc_event_report report; /* last REPORT event */
	struct oc_event_ocs_change change;
	uint64_t events[OC_EVENT_KIND_COUNT];
	uint64_t ends[OC_END_COUNT];
};

/* What to send. Names are numbers, 0 = none. */
struct scn_send {
	uint64_t count;
	uint64_t step_ns; /* clock between two requests */
	uint32_t client;
	uint32_t app_id;
	uint32_t dest_host;
	uint32_t dest_realm;
	uint64_t session;     /* session hash of the first request, counting up; 0 = none */
	bool is_same_session; /* do not count up */
	bool is_initial;
	bool is_kept;	   /* leave the requests unanswered */
	bool answers_late; /* answer only the requests that are not probes */
	struct oc_caps caps;
};

struct scn_world *scn_world_new(void);
void scn_world_free(struct scn_world *w);
void scn_apply_policy(struct scn_world *w);

/* Number of @text; a word without a dot is a host of example.net. */
uint32_t scn_name(struct scn_world *w, const char *text);
struct scn_peer *scn_peer_of(struct scn_world *w, uint32_t name);

void scn_send(struct scn_world *w, const struct scn_send *send);

/* Lets @answer come from @peer, to a request of @client whose features are @caps. @is_announced false: as if the
 * request had left without OC-Supported-Features. @is_due false: there was no request. */
struct scn_reply {
	uint32_t peer;
	uint32_t client;
	struct oc_caps caps;
	uint32_t dest_host;
	bool is_announced;
	bool is_due;
	bool is_elsewhere; /* the request had been sent to another peer */
};
void scn_answer(struct scn_world *w, const struct oc_msg *answer, const struct scn_reply *reply);

/* The connection of @peer breaks: its unanswered requests are sent again. */
void scn_fail(struct scn_world *w, uint32_t peer);

/* Everything unanswered is answered, without reports. */
void scn_settle(struct scn_world *w);
