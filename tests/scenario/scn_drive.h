/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Drives the agent as the host would: arrival, features, choice, sending, answer, end. All messages are octets: those that
 * arrive are scanned, those that leave are edited as the agent says and can be looked at.
 */
#pragma once

#include "scn_world.h"

/* How to send. */
struct scn_send {
	uint32_t kind_count;
	struct scn_request kinds[SCN_KINDS_MAX];
	bool is_pause[SCN_KINDS_MAX]; /* nothing is sent in its turn */
	bool is_same_session;	      /* do not count sessions up */
	bool is_kept;		      /* leave the requests unanswered */
	bool answers_late;	      /* answer only the requests that are not probes */
};

/* Sends one request of @kind; @nth counts them. */
void scn_send_one(struct scn_world *w, struct scn_send *send, uint32_t kind, uint64_t nth);

/* What comes back without a story of its own is a success of the Destination-Host or the peer. */
struct scn_reply {
	uint32_t peer;
	bool is_announced; /* false: as if the request had left without OC-Supported-Features */
	bool is_due;	   /* false: there was no request */
	bool is_elsewhere; /* the request had been sent to another peer */
};

/* Lets @answer come to @request. False: the request was refused. */
bool scn_answer_one(struct scn_world *w, const struct scn_request *request, struct scn_answer *answer,
		    const struct scn_reply *reply);

/* @request is answered on this node with @result, before routing asks the agent when not @is_routed. */
void scn_own_answer(struct scn_world *w, const struct scn_request *request, uint32_t result, bool is_routed);

/* The connection of @peer breaks: its unanswered requests are sent again. */
void scn_fail(struct scn_world *w, uint32_t peer);

/* Everything unanswered is answered. */
void scn_settle(struct scn_world *w);

void scn_clear_tally(struct scn_world *w);

/* --- scn_edit.c: what leaves --- */

void scn_scan(struct scn_world *w, const struct help_wire *wire, struct oc_msg *out);

/* The request @in as it leaves for @peer: features by @action and @caps, DRMP by the transaction. */
void scn_leave_request(struct scn_world *w, const struct help_wire *in, const struct oc_group *caps,
		       const struct oc_txn *txn, uint32_t peer);

/* The answer @in under w->edit, as the client receives it. */
void scn_leave_answer(struct scn_world *w, const struct help_wire *in);
