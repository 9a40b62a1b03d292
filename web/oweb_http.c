/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What libmicrohttpd calls in the course of a connection and of each request on it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oweb_fresh.h"
#include "oweb_inner.h"
#include "oweb_route.h"

#define SECOND_NS 1000000000ull
#define BODY_FIRST 4096u
#define EXCESS 4u /* a body may go on so many times beyond its bound before the connection is cut */

static uint64_t deadline(const struct oweb_server *server, unsigned times)
{
	return oweb_server_now_ns(server) + (uint64_t)times * server->conf.timeout_s * SECOND_NS;
}

void oweb_http_connection(void *ctx, struct MHD_Connection *connection, void **link,
			  enum MHD_ConnectionNotificationCode what)
{
	struct oweb_server *server = ctx;

	if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
		if (*link != NULL)
			oweb_link_close(*link);
		*link = NULL;
		return;
	}
	const union MHD_ConnectionInfo *fd =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	if (fd != NULL)
		*link = oweb_link_open(server->links, fd->connect_fd, server->tls_cert != NULL,
				       deadline(server, 2));
}

static struct oweb_link *link_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info == NULL ? NULL : info->socket_context;
}

/* We read the query ourselves, and the library is not to: it keeps each parameter in the connection's memory, and when that is full it
 * neither answers nor closes (0.9.75: the state of its error reply is overwritten, and what follows is discarded until the timeout). What
 * it hands out lies in its own buffer, and is read after this. */
static void hide_query(const char *uri)
{
	char *mark = strchr((char *)(uintptr_t)uri, '?');

	if (mark != NULL)
		mark[1] = '\0';
}

void *oweb_http_begin(void *ctx, const char *uri, struct MHD_Connection *connection)
{
	struct oweb_server *server = ctx;
	struct oweb_request *request = calloc(1, sizeof(*request));

	if (request == NULL)
		return NULL;
	request->server = server;
	request->conf = &server->conf;
	request->node = server->node;
	request->watch = server->watch;
	request->connection = connection;
	request->link = link_of(connection);
	if (uri == NULL) /* a line of a method alone */
		return request;
	request->is_long =
		snprintf(request->raw, sizeof(request->raw), "%s", uri) >= (int)sizeof(request->raw);
	hide_query(uri);
	return request;
}

void oweb_http_end(void *ctx, struct MHD_Connection *connection, void **context,
		   enum MHD_RequestTerminationCode how)
{
	struct oweb_request *request = *context;

	(void)connection;
	(void)how;
	*context = NULL;
	if (request == NULL)
		return;
	if (request->link != NULL)
		oweb_link_deadline(request->link, deadline(ctx, 2));
	oweb_reply_drop(&request->reply);
	json_decref(request->json);
	free(request->body);
	free(request);
}

/* Takes a piece of the body. False: there is far too much of it, or no memory. */
static bool take(struct oweb_request *request, const char *data, size_t len)
{
	size_t whole = request->body_len + len;

	if (request->is_too_big || whole > request->body_max) {
		request->is_too_big = true;
		request->body_len = whole;
		return whole <= EXCESS * request->body_max;
	}
	if (whole + 1 > request->body_size) {
		size_t size = request->body_size == 0 ? BODY_FIRST : request->body_size;
		while (size < whole + 1)
			size *= 2;
		char *body = realloc(request->body, size);
		if (body == NULL)
			return false;
		request->body = body;
		request->body_size = size;
	}
	memcpy(request->body + request->body_len, data, len);
	request->body_len = whole;
	request->body[whole] = '\0';
	return true;
}

static enum MHD_Result answer(struct oweb_request *request)
{
	if (!request->is_refused && oweb_admit_body(request))
		request->route->handler(request);
	if (request->is_write)
		oweb_fresh_forget(request->server->fresh);
	if (request->reply.status == 0)
		oweb_problem(request, OWEB_P_INTERNAL, "the resource gave no answer");
	return oweb_send(request);
}

enum MHD_Result oweb_http_request(void *ctx, struct MHD_Connection *connection, const char *url,
				  const char *method, const char *version, const char *data, size_t *size,
				  void **context)
{
	struct oweb_request *request = *context;

	(void)connection;
	(void)url;
	(void)version;
	if (request == NULL || request->link == NULL)
		return MHD_NO; /* out of memory when it began */
	if (!request->is_seen) {
		request->is_seen = true;
		request->begun_ns = oweb_request_now_ns(request);
		oweb_link_deadline(request->link, deadline(ctx, 2));
		request->is_refused = !oweb_admit(request, method);
		/* A reply before a body closes the connection; without one it can wait until the library is there. */
		return request->is_refused && request->reply.closes ? oweb_send(request) : MHD_YES;
	}
	if (*size > 0) {
		bool ok = take(request, data, *size);
		*size = 0;
		return ok ? MHD_YES : MHD_NO;
	}
	return answer(request);
}
