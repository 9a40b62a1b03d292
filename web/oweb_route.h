/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which resource answers which method and path: one table.
 *
 * To add a resource
 *   1. Write its handler in a file of its own, web/resources/oweb_NAME.c: void oweb_NAME_get(struct oweb_request *request). It reads
 *      request->part, ->query, ->json and fills the reply (oweb_reply.h). It runs in one of the server's two threads, so it answers within
 *      milliseconds: what takes longer is a job, or rows (oweb_reply_rows) whose next() does a bounded piece of work.
 *   2. Declare it in web/oweb_resources.h, and add its parameters and its row in oweb_route_table.c. The core checks the role, the
 *      parameters, the body's kind and size, If-Match's presence, Origin and CSRF before the handler is called: say them in the row.
 *   3. Describe it in web/openapi.yaml: a test holds table and document against each other, both ways.
 *   4. What a resource keeps between requests hangs on the server (oweb_inner.h), made and freed in oweb_server.c. Evidence is asked
 *      through oweb_request's server->shelf.
 *
 * A GET changes nothing. A path that is there answers HEAD like GET without a body, OPTIONS with what it allows, other methods with 405.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "oweb_request.h"

typedef void (*oweb_handler)(struct oweb_request *request);

enum oweb_route_flag {
	OWEB_TAKES_JSON = 0x1,	  /* a JSON object as body; 415 otherwise */
	OWEB_TAKES_YAML = 0x2,	  /* or application/yaml */
	OWEB_BODY_OPTIONAL = 0x4, /* no body is fine too */
	OWEB_IF_MATCH = 0x8,	  /* 428 without If-Match; the handler compares (oweb_request_matches) */
	OWEB_OPEN = 0x10,	  /* asks for no role and no session word: how one logs in */
	OWEB_TAKES_TABLE = 0x20	  /* rows as text/csv or application/json, which the handler itself reads */
};

struct oweb_route {
	const char *method;  /* GET, POST, PUT, DELETE */
	const char *pattern; /* "/api/v1/pools/{pool}/nodes/{node}:out" */
	enum oweb_role role; /* at least */
	oweb_handler handler;
	const char *summary;		 /* one line; the same in openapi.yaml */
	const struct oweb_param *params; /* NULL none */
	unsigned flags;			 /* enum oweb_route_flag */
	size_t body_max;		 /* 0: the server's */
};

/* The table; its last row has method NULL. */
extern const struct oweb_route oweb_routes[];

/* Whether @path fits @pattern; then the parts are filled. A part that is a whole segment has no colon in it. */
bool oweb_route_fits(const char *pattern, const char *path, struct oweb_part parts[static OWEB_PARTS_MAX],
		     uint32_t *part_count);

/* Finds the row of @routes for @method and the request's path, and its parts. Otherwise fills the reply: 404, 405, or for OPTIONS 204. */
bool oweb_route_find(const struct oweb_route *routes, struct oweb_request *request, const char *method);
