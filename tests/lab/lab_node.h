/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What nodes do with messages; each kind in a file of its own.
 */
#pragma once

#include "lab_world.h"

/* --- lab_call.c: the way of a call --- */

struct lab_call *lab_call_new(struct lab_world *w, struct lab_node *client);
void lab_call_free(struct lab_world *w, struct lab_call *call);
/* The call goes on from its last hop to @to, with what that hop put out. */
void lab_call_forward(struct lab_world *w, struct lab_call *call, struct lab_node *to);
/* The node of the last hop looks for a next one, for the first time or again. */
void lab_call_route(struct lab_world *w, struct lab_call *call);
/* @answer leaves the last hop, which is done with, and goes down to the client. The call is over. */
void lab_call_answer(struct lab_world *w, struct lab_call *call, struct lab_octets *answer);
/* An answer of the node at the last hop: an error when @result is not 2001. */
void lab_call_begin_answer(const struct lab_call *call, uint32_t result, struct lab_octets *answer);
/* @node dies: what it held is gone, its neighbours send again what they had sent there. */
void lab_node_down(struct lab_world *w, struct lab_node *node);
void lab_node_up(struct lab_world *w, struct lab_node *node);

/* --- lab_agent.c --- */

bool lab_agent_start(struct lab_world *w, struct lab_node *node);
void lab_agent_stop(struct lab_world *w, struct lab_node *node);
void lab_agent_apply_policy(struct lab_world *w, struct lab_node *node);
void lab_agent_request(struct lab_world *w, struct lab_call *call);
void lab_agent_route(struct lab_world *w, struct lab_call *call);
void lab_agent_answer(struct lab_world *w, struct lab_hop *hop, const struct lab_node *from,
		      struct lab_octets *answer);
/* The call will never be answered here. */
void lab_agent_gone(struct lab_world *w, struct lab_hop *hop);

/* --- lab_client.c --- */

/* Sends the request of @call, whose wishes are filled in, unless a report held says no. */
void lab_client_send(struct lab_world *w, struct lab_call *call);
void lab_client_answer(struct lab_world *w, struct lab_call *call, const struct lab_octets *answer,
		       struct lab_node *from);

/* --- lab_server.c --- */

void lab_server_request(struct lab_world *w, struct lab_call *call);
/* The first call in the queue is answered. */
void lab_server_ready(struct lab_world *w, struct lab_node *node);
void lab_server_drop(struct lab_node *node, struct lab_call *call);
void lab_server_talk(struct lab_world *w, struct lab_node *node);
/* Reports what it is asked beyond its capacity, once a second. */
void lab_server_tick(struct lab_world *w, struct lab_node *node);
