/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The world of a laboratory story: nodes, links, calls on their way, a virtual clock, seeded chance, and a note of every
 * message that arrived somewhere.
 */
#pragma once

#include "agent/oc_agent.h"
#include "lab_wire.h"
#include "tests/unit/agent/help_life.h"

#define LAB_NODES_MAX 16u
#define LAB_LINKS_MAX 8u
#define LAB_HOPS_MAX 6u
#define LAB_HELD_MAX 16u
#define LAB_NOTE_OLR_MAX 3u
#define LAB_NOTE_LOAD_MAX 2u
#define LAB_NAME_MAX 64u
#define LAB_NS 1000000000ull
#define LAB_BIRTH_NS 1000000000000ull /* the clock's zero */

enum lab_kind { LAB_CLIENT, LAB_AGENT, LAB_RELAY, LAB_SERVER };

/* What an end of the network speaks. */
enum lab_tongue { LAB_PLAIN, LAB_DOIC, LAB_PEER };

struct lab_node;
struct lab_call;

struct lab_link {
	struct lab_node *to;
	int32_t score;
};

/* A report that a server sends or a client holds. */
struct lab_report {
	struct oc_olr olr;
	uint32_t app_id;  /* client: of the answer; server: 0 = every one */
	uint32_t subject; /* client: host, realm or peer it speaks of */
	uint32_t origin;  /* server: only for requests of this client, 0 = all */
	uint64_t until_ns;
	double level;	  /* of the rate bucket, in requests */
	uint64_t last_ns; /* when it was looked at last */
	char source[LAB_NAME_MAX];
	bool is_used;
};

/* A server's capacity: a queue in order of arrival, and refusals that cost a share of a service. */
struct lab_service {
	double rps; /* 0: answers at once */
	double refusal_cost;
	uint32_t queue_max;
	uint32_t queued;
	uint64_t busy_until_ns;
	bool is_mute;	   /* keeps what arrives until told to talk */
	bool is_reporting; /* reports what it is asked beyond its capacity */
	uint64_t window_ns;
	uint64_t window_count;
	uint32_t pct;
	uint64_t told_ns;
	struct lab_call *first;
	struct lab_call *last;
};

/* Counts since the last "send" of what has no message of its own. */
struct lab_counts {
	uint64_t verdict[OC_VERDICT_COUNT];
	uint64_t decisions;
	uint64_t outcomes;
	uint64_t sent;
	uint64_t throttled; /* by the client itself */
	uint64_t useful;    /* served in time */
	uint64_t late;
	uint64_t lost;
};

struct lab_node {
	char id[LAB_NAME_MAX]; /* DiameterIdentity */
	char realm[LAB_NAME_MAX];
	enum lab_kind kind;
	enum lab_tongue tongue;
	bool is_up;
	uint32_t name; /* number in the world's table */
	struct lab_link links[LAB_LINKS_MAX];
	uint32_t link_count;
	uint32_t turn; /* relays and clients take their links in turn */
	struct lab_counts counts;
	/* agents */
	struct oc_agent *agent;
	struct oc_names *names;
	struct oc_policy policy;
	struct help_life *life; /* what the agent told, to be lived again at its end */
	/* clients and servers */
	uint64_t vector;
	struct lab_report held[LAB_HELD_MAX];
	struct lab_service service;
	uint64_t sequence;
	double patience_s;
	uint32_t retries;
	int32_t host_load; /* -1: not told */
	int32_t peer_load;
	char peer_load_source[LAB_NAME_MAX];
};

/* One node a call has reached: what it got, and what it made of it. */
struct lab_hop {
	struct lab_node *node;
	struct oc_txn txn;
	struct oc_msg msg;
	struct lab_octets out;
	bool is_begun; /* an agent that owes its two events */
};

/* One request on its way, from its client (hop 0) to where it is now. */
struct lab_call {
	struct lab_hop hops[LAB_HOPS_MAX];
	uint32_t depth;
	uint32_t tries;
	uint64_t born_ns;
	uint64_t ready_ns; /* when the server answers, or the client tries again */
	uint32_t result;   /* the server's answer */
	uint32_t app_id;
	uint32_t drmp;
	char dest_host[LAB_NAME_MAX];
	char dest_realm[LAB_NAME_MAX];
	struct lab_node *client;
	struct lab_node *served_by; /* in whose queue it stands */
	struct lab_call *queue_next;
	struct lab_call *prev;
	struct lab_call *next;
};

/* One message that arrived at a node. */
struct lab_note {
	struct lab_node *node;
	struct lab_node *from;
	struct oc_caps caps;
	struct oc_olr olr[LAB_NOTE_OLR_MAX];
	struct oc_load_avp load[LAB_NOTE_LOAD_MAX];
	uint32_t origin_host;
	uint32_t result_code;
	uint8_t flags;
	uint8_t drmp;
	uint8_t olr_count; /* of the message; more than fit are not kept */
	uint8_t load_count;
};

struct lab_world {
	uint32_t lives_failed;
	struct lab_node nodes[LAB_NODES_MAX];
	uint32_t node_count;
	struct oc_names *names;
	uint64_t now_ns;
	uint64_t ticked_ns;
	uint64_t chance;
	uint32_t app_id;
	uint32_t end_to_end;
	struct lab_call *calls; /* all that are unanswered */
	struct lab_call *spare;
	struct lab_call *retry_first;
	struct lab_call *retry_last;
	struct lab_note *notes;
	size_t note_count;
	size_t note_room;
	bool is_tracing;
};

struct lab_world *lab_world_new(void);
/* How many lives of its agents did not go as they went, when they were lived again at their end. */
uint32_t lab_world_free(struct lab_world *w);

/* 64 fresh bits; a number from 0 to below 1. */
uint64_t lab_chance(struct lab_world *w);
double lab_chance_unit(struct lab_world *w);

/* Node called @word, by its identity or the first label of it; NULL when there is none. */
struct lab_node *lab_node_of(struct lab_world *w, const char *word);
/* A new node; NULL when there is no room or the name is taken. A name without a dot is of example.net. */
struct lab_node *lab_node_add(struct lab_world *w, const char *word, enum lab_kind kind);
void lab_full_name(const char *word, char out[LAB_NAME_MAX]);
uint32_t lab_name(struct oc_names *names, const char *text);

/* @x may send requests to @y. False: no room. */
bool lab_link_add(struct lab_world *w, struct lab_node *x, struct lab_node *y, int32_t score);
/* Neighbours @node could send a request to: up, and a way from there to the host or realm asked for. */
uint32_t lab_ways(struct lab_world *w, const struct lab_call *call, const struct lab_node *node,
		  struct lab_link out[LAB_LINKS_MAX]);

/* Lets the clock run to @until_ns: answers that are ready, second tries and the agents' ticks in their order. */
void lab_run_until(struct lab_world *w, uint64_t until_ns);

/* Counts and notes begin again. */
void lab_forget(struct lab_world *w);
/* Remembers that @octets arrived, and shows them while tracing. */
void lab_note_add(struct lab_world *w, struct lab_node *node, struct lab_node *from,
		  const struct lab_octets *octets);
