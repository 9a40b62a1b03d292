/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The server role: options, life and what it does with one request.
 */
#pragma once

#include <netinet/in.h>
#include <stdbool.h>

#include "dt_answer.h"
#include "dt_common.h"
#include "dt_conn.h"
#include "dt_control.h"
#include "dt_stats.h"
#include "dt_work.h"

#define DT_SERVER_CONNS_MAX 128u
#define DT_SERVER_CONSOLES_MAX 8u

struct dt_server_options {
	struct dt_common common;
	struct sockaddr_in listen;
	int listen_fd; /* -1, or a socket that listens already (tests) */
	struct dt_work_plan work;
	uint64_t capacity_rps;
	bool over_drop; /* silence instead of TOO_BUSY when the queue is full */
	struct dt_mix mix;
	bool doic_always;	/* answer SF and OLR whatever the request has (negative tests) */
	bool no_peer_reports;	/* as a node without RFC 8581 */
	bool has_answer_vector; /* answer_vector is sent as it is, whatever was asked for (negative tests) */
	bool has_peer_algo;	/* the same with peer_algo */
	uint64_t answer_vector;
	uint64_t peer_algo;
	struct dt_loads loads;
	struct dt_reports reports;
	bool from_first;	  /* the script's time starts with the first request */
	struct dt_octets raw;	  /* appended to every answer */
	const char *control_path; /* "-": standard input, NULL: none */
	bool telemetry;
};

struct dt_console {
	int fd; /* -1: free */
	int out_fd;
	size_t len;
	char line[1024];
};

struct dt_server {
	const struct dt_server_options *options;
	struct dt_stats *stats;
	struct dt_work *work; /* NULL: answered at once */
	struct dt_work_plan plan;
	struct dt_reports reports;
	struct dt_loads loads;
	struct dt_mix mix;
	struct dt_rng rng;
	struct dt_conn *conn[DT_SERVER_CONNS_MAX];
	uint32_t serial[DT_SERVER_CONNS_MAX];
	char neighbour[DT_SERVER_CONNS_MAX][DT_NAME_MAX]; /* identity of the peer, as it said in its CER */
	uint32_t watched[DT_SERVER_CONNS_MAX];		  /* epoll events asked for */
	struct dt_console console[DT_SERVER_CONSOLES_MAX];
	struct dt_notes notes;
	int epoll_fd;
	int listen_fd;
	int control_fd;
	int signal_fd;
	uint64_t script_ns; /* origin of the report script; 0 = waits for the first request */
	uint64_t stall_until_ns;
	uint64_t mute_until_ns;
	uint64_t mute_count;
	bool stalled;
	bool quit;
	bool die;
};

/* Runs until told to stop. Exit code for the program: 0, or 1 after one sentence on standard error. */
int dt_server_run(const struct dt_server_options *options);

/* dt_server_loop.c: runs until quit or die is set; drops one connection (none: nothing happens). */
void dt_server_loop(struct dt_server *server);
void dt_server_drop(struct dt_server *server, uint32_t slot);

/* dt_serve_doic.c: the overload part of the answer to @request of @origin on connection @slot. */
void dt_serve_doic(const struct dt_server *server, uint32_t slot, uint32_t app_id,
		   const struct dt_scan *request, const struct dt_name *origin, uint64_t now_ns,
		   struct dt_answer *answer);

/* Handles one message received on connection @slot. */
void dt_serve_msg(struct dt_server *server, uint32_t slot, const uint8_t *msg, uint32_t len, uint64_t now_ns);
/* Answers the job whose time has come. */
void dt_serve_job(struct dt_server *server, const struct dt_job *job, uint64_t now_ns);
/* The plan that follows from the options with capacity @capacity_rps. */
struct dt_work_plan dt_serve_plan(const struct dt_work_plan *base, uint64_t capacity_rps);

/* Consoles: opens what the options ask for (OC_OK or OC_EIO), accepts one, reads one, closes all. */
int dt_console_open(struct dt_server *server);
void dt_console_accept(struct dt_server *server);
void dt_console_read(struct dt_server *server, uint32_t index, uint64_t now_ns);
void dt_console_close(struct dt_server *server);

/* What an epoll event is about: kind in the high half, index in the low. */
enum dt_event_kind {
	DT_EVENT_LISTEN = 1,
	DT_EVENT_SIGNAL,
	DT_EVENT_CONTROL,
	DT_EVENT_CONSOLE,
	DT_EVENT_CONN
};
/* OC_OK or OC_EIO. */
int dt_server_watch(struct dt_server *server, int fd, enum dt_event_kind kind, uint32_t index);
