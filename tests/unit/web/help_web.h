/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * For tests of the web server: a running agent that is made up, a server over it, and a client of raw octets.
 */
#pragma once

#include <CUnit/CUnit.h>
#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>

#include "web/oweb_server.h"
#include "web/oweb_token.h"

#define HELP_REPLY_MAX (2u * 1024u * 1024u)
#define HELP_PEERS_MAX 700u

/* What the made-up agent says, and what was asked of it. */
struct help_node {
	struct oweb_node node;
	struct oc_names *names;
	struct oev_watch *watch;
	pthread_mutex_t lock;
	struct oweb_facts facts;
	struct oc_stats stats;
	struct oc_ocs_view state[4];
	uint32_t states;
	struct oc_load_view load[4];
	uint32_t loads;
	struct oc_report_view order[4];
	uint32_t orders;
	struct oweb_peer peer[HELP_PEERS_MAX];
	uint32_t peers;
	char policy[256];
	uint32_t policy_version;
	const char *policy_then; /* what another writer puts in force right after; NULL nobody does */
	uint32_t writes;	 /* policy_apply, policy_reload, want: asked */
	uint32_t acts;
	char act[200]; /* the last: "WHAT OBJECT WHO REASON" */
	struct oweb_actor by;
	enum oweb_done done; /* what orders come to */
	uint64_t ahead_ns;   /* of the system's clock */
};

struct help_web {
	char folder[64];
	struct oweb_conf conf;
	struct help_node *agent;
	struct oweb_server *server;
	unsigned port;
	char observer[OWEB_TOKEN_MAX], administrator[OWEB_TOKEN_MAX];
	char log[2048]; /* lines, one after the other */
};

struct help_reply {
	int status; /* 0: none came */
	char *text; /* the whole, NUL-terminated; free() by help_reply_drop() */
	size_t len;
	const char *body;
	size_t body_len;
	json_t *json; /* NULL: no JSON */
};

extern struct help_web help_web; /* of the running test */

/* Suites: a server on 127.0.0.1 and a UNIX socket, over the made-up agent, with two tokens. */
void help_web_set_up(void);
void help_web_tear_down(void);
/* The same, once more, after help_web.conf was changed. */
void help_web_restart(void);
void help_web_stop(void);
/* The same for a finished folder: no agent, only what its last minutes were. */
void help_web_restart_without_agent(void);

/* A connection to the server: TCP, or the UNIX socket. -1. */
int help_web_connect(void);
int help_web_connect_local(void);

bool help_web_send(int fd, const char *text, size_t len);
/* Reads until the end, or @ms milliseconds of nothing; closes @fd. */
struct help_reply help_web_read(int fd, int ms);
void help_reply_drop(struct help_reply *reply);

/* One request with "Connection: close" and a good Host; @headers: further lines, each ended; @body may be NULL. */
struct help_reply help_web_ask(const char *method, const char *target, const char *headers, const char *body);
struct help_reply help_web_ask_local(const char *method, const char *target, const char *headers,
				     const char *body);
/* Raw octets over TCP. */
struct help_reply help_web_raw(const char *octets);

/* Status of such a request. */
int help_web_status(const char *method, const char *target, const char *headers, const char *body);
int help_web_status_local(const char *method, const char *target, const char *headers, const char *body);

/* Whether the reply has a line "NAME: VALUE"; with @value NULL a line of that name. */
bool help_reply_has(const struct help_reply *reply, const char *name, const char *value);
/* Value of the header in @out; "" absent. */
void help_reply_header(const struct help_reply *reply, const char *name, char *out, size_t size);
/* Text at "a/b/0/c" of the JSON; "" none. */
const char *help_reply_text(const struct help_reply *reply, const char *path);

/* "Authorization: Bearer TOKEN\r\n", in a buffer of its own for each of the last four calls. */
const char *help_web_bearer(const char *token);

/* Name number of @name. */
uint32_t help_web_name(const char *name);
