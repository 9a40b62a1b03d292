/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The client role: connects, sends requests in a closed or an open loop, counts what comes back.
 *
 * A session (life of a session) has at most one request outstanding, so its requests arrive in order. Closed loop:
 * always as many requests outstanding as the window allows. Open loop: arrivals by the clock; latency counts from the
 *  moment a request was due, and an arrival that finds no room is counted as not sent. A request that a report keeps from
 * being sent is throttled: it counts among those due, and its session goes on as after a failure.
 */
#pragma once

#include <netinet/in.h>

#include "dt_common.h"
#include "dt_conn.h"
#include "dt_obey.h"
#include "dt_rng.h"
#include "dt_source.h"
#include "dt_stats.h"

#define DT_CLIENT_CONNS_MAX 64u
#define DT_OUTSTANDING_MAX 262144u /* a hop-by-hop identifier holds 18 bits of place and 14 of serial */

struct dt_client_options {
	struct dt_common common;
	struct sockaddr_in connect;
	uint64_t wait_ns;	 /* keep trying to connect that long */
	uint64_t wait_answer_ns; /* probe until the answer is not 3002, that long */
	uint64_t count;		 /* 0: no limit */
	uint32_t window;
	double rate_rps; /* 0: closed loop */
	bool paced;	 /* else Poisson */
	uint32_t max_outstanding;
	uint64_t timeout_ns;
	uint64_t drain_ns;
	uint32_t connections;
	uint32_t origins;
	const char *template;
	const char *dest_host; /* NULL: none given; "none"; "learn" */
	const char *dest_realm;
	uint32_t sessions;
	uint32_t updates;
	uint64_t subscribers;
	bool peer_reports;    /* announce OC_PEER_REPORT, with a SourceID */
	struct dt_mix drmp;   /* count 0: none */
	bool obey;	      /* throttle as the reports in answers ask */
	struct dt_octets raw; /* appended to every request */
	const char *capture_path;
	uint32_t capture_app;
	bool rewrite_origin;
	bool strip_dest_host;
	uint64_t multiply;
	bool idle;
};

struct dt_pending {
	uint64_t sent_ns;
	uint32_t hop;
	uint32_t end_to_end;
	uint32_t session;
	uint32_t serial;
	uint32_t next; /* in order of sending, or of the spare list; DT_NO_PENDING ends */
	uint32_t prev;
	struct dt_name *origin;
	uint8_t drmp; /* of the request, DT_DRMP_NONE: none */
	bool used;
};
#define DT_NO_PENDING UINT32_MAX

struct dt_session {
	struct dt_source_place place;
	uint64_t life; /* its number since the start */
};

struct dt_client {
	const struct dt_client_options *options;
	struct dt_source source;
	struct dt_stats *stats;
	struct dt_rng rng;
	char (*origin_name)[DT_NAME_MAX];
	const char **origin;
	const char **source_id;		/* per origin; NULL: none sent */
	char (*peer_name)[DT_NAME_MAX]; /* identity per connection */
	struct dt_conn *conn[DT_CLIENT_CONNS_MAX];
	char (*neighbour)[DT_NAME_MAX]; /* identity of the peer per connection, as it said in its CEA */
	struct dt_obey *obey;		/* NULL: reports have no effect */
	uint32_t refusals; /* closed loop: requests that may still be throttled before refusals_ns */
	uint64_t refusals_ns;
	bool blocked[DT_CLIENT_CONNS_MAX];
	uint32_t alive;
	struct dt_session *session;
	uint32_t sessions;
	uint32_t *ready; /* ring of session numbers */
	uint32_t ready_head;
	uint32_t ready_count;
	struct dt_pending *pending;
	uint32_t pending_size;
	uint32_t spare;
	uint32_t oldest;
	uint32_t newest;
	uint32_t outstanding;
	uint32_t end_to_end;
	uint32_t dests;
	uint64_t lives;	    /* begun so far */
	uint64_t lives_max; /* UINT64_MAX: they never end */
	uint64_t sent;
	uint64_t next_arrival_ns;
	uint64_t count; /* requests to send; UINT64_MAX: no limit */
	uint64_t end_ns;
	struct dt_notes notes;
	int epoll_fd;
	int signal_fd;
	bool stopping;
	bool failed;
};

/* Exit code for the program: 0, or 1 after one sentence on standard error. */
int dt_client_run(const struct dt_client_options *options);

/* dt_handshake.c: connects every connection and exchanges capabilities. OC_OK, or OC_EIO after a sentence. */
int dt_client_connect(struct dt_client *client);
/* Sends single requests until one is answered by something else than 3002. OC_OK, or OC_EIO after a sentence. */
int dt_client_probe(struct dt_client *client);
/* Says DPR everywhere and waits a moment for the answers. */
void dt_client_goodbye(struct dt_client *client);

/* dt_flow.c: sessions and requests. */
int dt_client_flow_init(struct dt_client *client);
void dt_client_flow_fini(struct dt_client *client);
bool dt_client_has_sent_all(const struct dt_client *client);
/* Sends what is due. */
void dt_client_send_due(struct dt_client *client, uint64_t now_ns);
void dt_client_receive(struct dt_client *client, uint32_t slot, uint64_t now_ns);
/* Gives up requests older than the timeout. */
void dt_client_expire(struct dt_client *client, uint64_t now_ns);
/* The next moment at which something is to be done without an event. */
uint64_t dt_client_next_ns(const struct dt_client *client);
