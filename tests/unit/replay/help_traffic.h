/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A relay's traffic on a virtual clock, decided by the real core and kept by the real recorder: clients with and without DOIC,
 * servers that answer a while later, reports, loads, orders, policies, peers that go.
 */
#pragma once

#include "help_record.h"

#define HELP_SERVERS 4u
#define HELP_CLIENTS 8u	   /* every other one speaks DOIC */
#define HELP_PENDING 4096u /* of one server */

extern const char help_policy[]; /* trusts everybody with everything; ramp 2 s */

struct help_call {
	struct oc_msg request;
	struct oc_txn txn;
	uint64_t due_ns;
};

/* What the answers of one server say. */
struct help_server {
	uint32_t name;
	bool is_up;
	bool has_olr;
	bool has_load;
	struct oc_olr olr;
	uint8_t raw[128]; /* of the olr */
	uint16_t raw_len;
	uint64_t load;
	uint64_t sequence;
	uint64_t sent;
	uint64_t due_ns;	 /* of the last one sent to it */
	struct help_call *calls; /* in the order they are due */
	uint32_t first, count;
};

struct help_traffic {
	struct help_record record;
	struct oc_names *names;
	struct oc_agent *agent;
	struct oc_policy policy;
	uint64_t now_ns, ticked_ns;
	uint64_t chance;
	uint64_t gap_ns;     /* between two requests */
	uint64_t latency_ns; /* of servers */
	uint64_t jitter_ns;  /* and up to so much more */
	uint32_t apps;	     /* how many applications are in use, 1..3 */
	uint32_t
		sessions; /* so many, of a fourth as many subscribers; 0: each request has its own, of nobody known */
	uint32_t realm, self;
	uint32_t clients[HELP_CLIENTS];
	struct help_server servers[HELP_SERVERS];
	uint64_t requests, refused, diverted;
};

/* An agent is born at @start_ns, its evidence goes to @folder. Aborts when that fails. */
void help_traffic_begin(struct help_traffic *t, const char *folder, uint64_t start_ns, const char *policy);
/* Everything unanswered is answered, the agent ends. */
void help_traffic_end(struct help_traffic *t);
/* It dies: what is unanswered has neither outcome nor, before it was sent, a decision; what is held is not told of. */
void help_traffic_kill(struct help_traffic *t);

/* @count requests, one each gap_ns, and the answers that are due. */
void help_traffic_run(struct help_traffic *t, uint64_t count);
/* Only time. */
void help_traffic_pass(struct help_traffic *t, uint64_t ns);

/* From now on the answers of server @i carry such a report, with a new number. */
void help_traffic_loss(struct help_traffic *t, uint32_t i, enum oc_report_type type, uint32_t pct,
		       uint32_t validity_s);
void help_traffic_rate(struct help_traffic *t, uint32_t i, uint32_t rps, uint32_t validity_s);
/* None. */
void help_traffic_quiet(struct help_traffic *t, uint32_t i);

/* Another document is in force. */
void help_traffic_policy(struct help_traffic *t, const char *policy, uint32_t version);
/* A server's connection breaks, or opens: its unanswered requests go elsewhere. */
void help_traffic_peer(struct help_traffic *t, uint32_t i, bool is_up);
/* A report of our own about ourselves, by the control socket. */
void help_traffic_order(struct help_traffic *t, uint32_t pct);
void help_traffic_withdraw(struct help_traffic *t);
