/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One request as a resource sees it: what was asked, by whom, and the reply that is to be filled (oweb_reply.h).
 *
 * When a resource is called everything about the request holds: its route matched, whoever asks has the role, the parameters are
 * what the route says, the body is whole and, where the route takes JSON, parsed.
 */
#pragma once

#include <jansson.h>

#include "../evidence/proof/oev_hash.h"
#include "oweb_node.h"
#include "oweb_query.h"
#include "oweb_reply.h"

#define OWEB_PARTS_MAX 4u

enum oweb_role { OWEB_ROLE_NONE = 0, OWEB_ROLE_OBSERVER = 1, OWEB_ROLE_ADMINISTRATOR = 2, OWEB_ROLE_COUNT };

enum oweb_how {
	OWEB_BY_NOBODY = 0, /* nothing was shown */
	OWEB_BY_SYSTEM = 1, /* the UNIX socket: the system's word */
	OWEB_BY_TOKEN = 2,  /* Authorization: Bearer */
	OWEB_BY_SESSION = 3 /* the page's cookie */
};

struct oweb_who {
	char name[OWEB_WHO_MAX]; /* of the token; "uid 1000"; "" nobody */
	enum oweb_role role;
	enum oweb_how how;
};

/* A {name} of the route's pattern. */
struct oweb_part {
	char name[24];
	char value[OC_IDENT_MAX + 1];
};

struct oweb_route;
struct oweb_server;
struct oweb_link;
struct MHD_Connection;

struct oweb_request {
	struct oweb_server *server;
	const struct oweb_conf *conf;
	const struct oweb_node *node; /* NULL: a finished folder */
	struct oev_watch *watch;      /* NULL: nothing is recorded */
	const struct oweb_route *route;
	struct oweb_who who;
	char path[OWEB_TARGET_MAX];
	uint32_t part_count;
	struct oweb_part part[OWEB_PARTS_MAX];
	struct oweb_query query;
	char *body; /* NUL-terminated; "" none */
	size_t body_len;
	json_t *json; /* the body, where it is JSON; NULL none */
	struct oweb_reply reply;
	char csrf[OEV_HASH_HEX];   /* of the session, when who.how says so */
	uint64_t session_until_ns; /* likewise */

	/* For the core alone. */
	struct MHD_Connection *connection;
	struct oweb_link *link;
	char raw[OWEB_TARGET_MAX]; /* target as sent */
	size_t body_size, body_max;
	uint64_t begun_ns; /* its head was there */
	bool is_seen, is_refused, is_long, has_body, is_too_big, is_head, is_write;
};

/* Value of {name}; "" when the route has no such part. */
const char *oweb_request_part(const struct oweb_request *request, const char *name);

/* A header of the request; NULL absent. */
const char *oweb_request_header(const struct oweb_request *request, const char *name);

/* Whether the header Accept names @type ("application/yaml") outright. */
bool oweb_request_accepts(const struct oweb_request *request, const char *type);

/* "reason" of a JSON body: fills *@by with it and with who asks. Without a usable one, which is refused with a problem when
 * @is_needed: false. */
bool oweb_request_actor(struct oweb_request *request, bool is_needed, struct oweb_actor *by);

/* Held against If-Match; @etag as it stands now, with quotes. 428 when the header is absent, 412 when it names another: then false, and the
 * reply is filled. */
bool oweb_request_matches(struct oweb_request *request, const char *etag);

/* The clock of the node, or the system's. */
uint64_t oweb_request_wall_us(const struct oweb_request *request);
uint64_t oweb_request_now_ns(const struct oweb_request *request);
