/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The last step of every request: headers every reply has, ETag, 304, gzip, and the library's response.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../evidence/proof/oev_hash.h"
#include "oweb_fresh.h"
#include "oweb_inner.h"

#define PACK_MIN 1400u /* what fits into one segment gains nothing */
#define SECOND_NS 1000000000ull

static const char api_policy[] =
	"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
static const char page_policy[] =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
	"connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action "
	"'self'";

/* Its style is inside; nothing else may happen in it. */
static const char report_policy[] = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
				    "frame-ancestors 'self'; base-uri 'none'; sandbox";

static void put(struct MHD_Response *response, const char *name, const char *value)
{
	(void)MHD_add_response_header(response, name, value);
}

static void put_common(struct MHD_Response *response, const struct oweb_reply *reply)
{
	put(response, "Content-Security-Policy",
	    reply->is_page     ? page_policy
	    : reply->is_report ? report_policy
			       : api_policy);
	put(response, "X-Content-Type-Options", "nosniff");
	put(response, "X-Frame-Options", "DENY");
	put(response, "Referrer-Policy", "no-referrer");
	put(response, "Cross-Origin-Resource-Policy", "same-origin");
	put(response, "Cross-Origin-Opener-Policy", "same-origin");
	put(response, "Cache-Control",
	    reply->is_immutable ? "public, max-age=31536000, immutable"
	    : reply->is_page	? "no-cache"
				: "no-store");
	if (reply->type != NULL)
		put(response, "Content-Type", reply->type);
	if (reply->etag[0] != '\0')
		put(response, "ETag", reply->etag);
	for (unsigned i = 0; i < reply->header_count; i++)
		put(response, reply->header[i].name, reply->header[i].value);
	if (reply->closes)
		put(response, "Connection", "close");
}

/* A problem becomes octets at last: whoever filled the reply may have added to it. */
static void write_problem(struct oweb_request *request)
{
	static const char none[] = "{\"type\":\"about:blank\",\"title\":\"out of memory\",\"status\":500}";
	struct oweb_reply *reply = &request->reply;

	if (reply->type == NULL || strcmp(reply->type, "application/problem+json") != 0)
		return;
	char *text = reply->problem == NULL ? NULL : json_dumps(reply->problem, OWEB_JSON_DUMP);
	free(reply->owned);
	reply->owned = text;
	reply->octets = text != NULL ? text : none;
	reply->len = strlen(reply->octets);
	reply->kind = OWEB_BODY_OCTETS;
}

static void name_content(struct oweb_reply *reply)
{
	struct oev_hash hash;
	char hex[OEV_HASH_HEX];

	oev_hash_of(reply->octets, reply->len, &hash);
	oev_hash_hex(&hash, hex);
	snprintf(reply->etag, sizeof(reply->etag), "\"%.32s\"", hex);
}

/* Whether the client names gzip, and not with q=0. */
static bool takes_gzip(const struct oweb_request *request)
{
	const char *at = oweb_request_header(request, "Accept-Encoding");

	for (; at != NULL && *at != '\0'; at += strspn(at, ", ")) {
		size_t len = strcspn(at, ",");
		if (strncmp(at, "gzip", 4) == 0 && strchr(",; ", at[4]) != NULL) {
			const char *q = strstr(at, "q=0");
			return q == NULL || q > at + len || strspn(q + 3, ".0") < strcspn(q + 3, ",; ");
		}
		at += len;
	}
	return false;
}

/* What many get for a moment is packed once: the same name, the same octets. The rest would only take its place. */
static char *packed_once(const struct oweb_request *request, size_t *packed_len)
{
	const struct oweb_reply *reply = &request->reply;
	struct oweb_fresh *fresh = request->server->fresh;
	uint64_t now_ns = oweb_server_now_ns(request->server);

	if (!reply->is_kept)
		return oweb_pack(reply->octets, reply->len, packed_len);
	char *packed = oweb_fresh_get(fresh, reply->etag, now_ns, packed_len);
	if (packed != NULL)
		return packed;
	packed = oweb_pack(reply->octets, reply->len, packed_len);
	if (packed != NULL)
		oweb_fresh_put(fresh, reply->etag, now_ns, packed, *packed_len);
	return packed;
}

static void pack(struct oweb_request *request)
{
	struct oweb_reply *reply = &request->reply;
	size_t packed_len, len = strlen(reply->etag);

	if (reply->len < PACK_MIN || reply->len > UINT32_MAX)
		return;
	oweb_reply_header(request, "Vary", "Accept-Encoding");
	char *packed = takes_gzip(request) ? packed_once(request, &packed_len) : NULL;
	if (packed == NULL)
		return;
	free(reply->owned);
	reply->owned = packed;
	reply->octets = packed;
	reply->len = packed_len;
	oweb_reply_header(request, "Content-Encoding", "gzip");
	if (len > 1 && len + 3 < sizeof(reply->etag)) /* other octets, another name */
		snprintf(reply->etag + len - 1, sizeof(reply->etag) - len + 1, "-gz\"");
}

/* If-None-Match, of which "W/" is not looked at. */
static bool is_known(const struct oweb_request *request)
{
	const char *at = oweb_request_header(request, "If-None-Match");
	size_t len = strlen(request->reply.etag);

	if (at != NULL && strcmp(at, "*") == 0)
		return true;
	for (; at != NULL && *at != '\0'; at += strspn(at, ", ")) {
		at += strncmp(at, "W/", 2) == 0 ? 2 : 0;
		if (strncmp(at, request->reply.etag, len) == 0)
			return true;
		at += strcspn(at, ",");
	}
	return false;
}

static void settle(struct oweb_request *request)
{
	struct oweb_reply *reply = &request->reply;

	write_problem(request);
	if (reply->kind != OWEB_BODY_OCTETS)
		return;
	if (reply->status == 200 && !request->is_write && reply->etag[0] == '\0')
		name_content(reply);
	pack(request);
	if (reply->status == 200 && !request->is_write && is_known(request)) {
		reply->status = 304;
		reply->kind = OWEB_BODY_NONE;
		reply->type = NULL;
	}
}

static struct MHD_Response *make(struct oweb_request *request)
{
	struct oweb_reply *reply = &request->reply;
	struct MHD_Response *response;

	if (reply->kind == OWEB_BODY_ROWS && !request->is_head)
		return oweb_rows_response(request);
	if (reply->kind == OWEB_BODY_EVENTS && !request->is_head)
		return oweb_events_response(request);
	if (reply->kind != OWEB_BODY_OCTETS)
		return MHD_create_response_from_buffer(0, (void *)(uintptr_t) "", MHD_RESPMEM_PERSISTENT);
	bool is_owned = reply->owned != NULL;
	response = MHD_create_response_from_buffer(reply->len, (void *)(uintptr_t)reply->octets,
						   is_owned ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
	if (response != NULL && is_owned)
		reply->owned = NULL;
	return response;
}

/* A whole reply has to be taken in time; rows and events take theirs, and the library looks that something moves. */
static void set_deadline(struct oweb_request *request)
{
	bool is_long = request->reply.kind == OWEB_BODY_ROWS || request->reply.kind == OWEB_BODY_EVENTS;
	uint64_t patience = 4ull * request->conf->timeout_s * SECOND_NS;

	oweb_link_deadline(request->link, is_long ? 0 : oweb_request_now_ns(request) + patience);
}

/* From the head of the request to the reply, packed and named; browsers and proxies show it. How long a refusal took is nobody's business. */
static void tell_time(struct oweb_request *request)
{
	uint64_t took_ns = oweb_request_now_ns(request) - request->begun_ns;
	char text[32];

	if (request->reply.status >= 400 || request->begun_ns == 0)
		return;
	snprintf(text, sizeof(text), "total;dur=%.3f", (double)took_ns / 1e6);
	oweb_reply_header(request, "Server-Timing", text);
}

enum MHD_Result oweb_send(struct oweb_request *request)
{
	settle(request);
	tell_time(request);
	struct MHD_Response *response = make(request);
	if (response == NULL)
		return MHD_NO;
	put_common(response, &request->reply);
	set_deadline(request);
	enum MHD_Result queued = MHD_queue_response(request->connection, request->reply.status, response);
	MHD_destroy_response(response);
	return queued;
}
