/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Asking a running agent over HTTP: its UNIX socket, or a URL with a token.
 */
#pragma once

#include <jansson.h>

#include "cli.h"

#define CLI_HTTP_SOCKET "/run/doic/http.sock"
#define CLI_HTTP_ERROR_MAX 1024u
#define CLI_HTTP_TOKEN_MAX 256u

/* Where to ask. */
struct cli_http_place {
	const char *socket; /* NULL: CLI_HTTP_SOCKET, unless there is a URL */
	const char *url;    /* "http://127.0.0.1:8868"; NULL: the socket */
	unsigned timeout_s;
};

struct cli_http;

struct cli_http_reply {
	long status; /* 0: no reply */
	char *body;  /* NUL-terminated; "" when there is none */
	size_t len;
	json_t *json;	/* NULL: not JSON */
	char etag[128]; /* as sent; "" none */
};

/* Prepares; nothing is sent. The token is read from the file that DOIC_TOKEN_FILE names. CLI_OK; CLI_USAGE or CLI_INPUT with a sentence. */
int cli_http_open(struct cli_http **out, const struct cli_http_place *place,
		  char error[static CLI_HTTP_ERROR_MAX]);
void cli_http_close(struct cli_http *http);

/* Asks; @path begins with "/", @body (borrowed, NULL none) is sent as JSON, @if_match NULL: no such header. Returns CLI_OK (2xx),
 * CLI_UNREACHABLE, CLI_REFUSED (the problem of the reply in words); then *@error is a sentence. *@reply is to be dropped in every case. */
int cli_http_ask(struct cli_http *http, const char *method, const char *path, const json_t *body,
		 const char *if_match, struct cli_http_reply *reply, char error[static CLI_HTTP_ERROR_MAX]);
void cli_http_drop(struct cli_http_reply *reply);

/* Follows the event stream at @path: @on_event gets name and data of each event until it says false, or SIGINT comes. Returns as above,
 * CLI_INTERRUPTED, and CLI_UNREACHABLE when the stream ends by itself. */
int cli_http_follow(struct cli_http *http, const char *path,
		    bool (*on_event)(void *ctx, const char *name, const char *data), void *ctx,
		    char error[static CLI_HTTP_ERROR_MAX]);

/* @text with everything but letters, digits, "-", "_" and "." written as %XX, for a path or a query. Cut to @size. */
void cli_http_escape(const char *text, char *out, size_t size);
