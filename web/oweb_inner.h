/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Inside the server: what its files share. Included by web/ alone.
 */
#pragma once

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

#include "oweb_auth.h"
#include "oweb_events.h"
#include "oweb_jobs.h"
#include "oweb_link.h"
#include "oweb_listen.h"
#include "oweb_server.h"

struct oev_shelf;

struct oweb_fresh;

struct oweb_server {
	struct oweb_conf conf;
	const struct oweb_node *node;
	const struct oweb_route *routes; /* oweb_routes; a test may have others */
	struct oev_watch *watch;
	void (*log)(void *ctx, int error, const char *text);
	void *log_ctx;
	struct oweb_address address; /* of TCP; host "" none */
	struct oweb_local local;
	unsigned port;
	char *tls_cert, *tls_key; /* texts, while the server runs */
	struct MHD_Daemon *tcp, *over_unix;
	struct oweb_links *links;
	struct oweb_auth auth;
	struct oweb_events *events;
	struct oweb_jobs *jobs;
	atomic_bool is_importing; /* counters from outside, by one request at a time */
	atomic_ullong folded;	  /* peers without a label of their own, over all readings of the metrics */
	struct oweb_fresh *fresh; /* replies of a moment ago, and what they are packed */
	struct oev_shelf *shelf;  /* NULL: no evidence folder */
	uint64_t started_us;
};

/* One line to whoever keeps the log. */
void oweb_log(const struct oweb_server *server, int error, const char *text);

/* The clock of the node, or the system's. */
uint64_t oweb_server_wall_us(const struct oweb_server *server);
uint64_t oweb_server_now_ns(const struct oweb_server *server);

/* oweb_http.c: what libmicrohttpd calls. @ctx: the server. */
void *oweb_http_begin(void *ctx, const char *uri, struct MHD_Connection *connection);
enum MHD_Result oweb_http_request(void *ctx, struct MHD_Connection *connection, const char *url,
				  const char *method, const char *version, const char *data, size_t *size,
				  void **request);
void oweb_http_end(void *ctx, struct MHD_Connection *connection, void **request,
		   enum MHD_RequestTerminationCode how);
void oweb_http_connection(void *ctx, struct MHD_Connection *connection, void **link,
			  enum MHD_ConnectionNotificationCode what);

/* oweb_admit.c: holds the head of a request against its route. False: the reply says why not. */
bool oweb_admit(struct oweb_request *request, const char *method);
/* The body is whole: reads it as JSON where the route wants that. False: likewise. */
bool oweb_admit_body(struct oweb_request *request);

/* oweb_send.c: makes the library's response of the reply and queues it. */
enum MHD_Result oweb_send(struct oweb_request *request);

/* oweb_pack.c: gzip; malloc()ed, NULL when it gains nothing. */
char *oweb_pack(const char *data, size_t len, size_t *packed_len);

/* oweb_rows.c: the response that sends rows while they are made; takes the reply's rows. */
struct MHD_Response *oweb_rows_response(struct oweb_request *request);
