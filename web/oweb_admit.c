/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The way in: every request is held against these, in this order, before a resource sees it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../agent/oc_err.h"
#include "oweb_inner.h"
#include "oweb_route.h"

/* Headers that say where a message ends and to whom it goes. Two answers to that are how requests are smuggled. */
struct framing {
	unsigned hosts, lengths, encodings, authorizations, types;
	const char *length, *encoding, *type;
	bool has_odd_name; /* "Transfer-Encoding " is read by some as if the blank were not there */
};

static enum MHD_Result count(void *ctx, enum MHD_ValueKind kind, const char *key, const char *value)
{
	static const char token[] =
		"!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct framing *framing = ctx;

	(void)kind;
	if (key[0] == '\0' || key[strspn(key, token)] != '\0')
		framing->has_odd_name = true;
	else if (strcasecmp(key, "Host") == 0)
		framing->hosts++;
	else if (strcasecmp(key, "Authorization") == 0)
		framing->authorizations++;
	else if (strcasecmp(key, "Content-Length") == 0) {
		framing->lengths++;
		framing->length = value;
	} else if (strcasecmp(key, "Transfer-Encoding") == 0) {
		framing->encodings++;
		framing->encoding = value;
	} else if (strcasecmp(key, "Content-Type") == 0) {
		framing->types++;
		framing->type = value;
	}
	return MHD_YES;
}

static bool refuse(struct oweb_request *request, const char *detail)
{
	oweb_problem(request, OWEB_P_BAD_REQUEST, "%s", detail);
	request->reply.closes = true;
	return false;
}

static bool admit_framing(struct oweb_request *request, const struct framing *framing)
{
	if (framing->has_odd_name)
		return refuse(request, "a header has a name that is none");
	if (framing->hosts > 1 || framing->lengths > 1 || framing->encodings > 1 || framing->types > 1 ||
	    framing->authorizations > 1)
		return refuse(request, "a header that may come once came twice");
	if (framing->lengths + framing->encodings > 1)
		return refuse(request, "Content-Length and Transfer-Encoding contradict each other");
	if (framing->encoding != NULL && strcasecmp(framing->encoding, "chunked") != 0)
		return refuse(request, "the transfer encoding is not chunked");
	if (framing->length != NULL &&
	    (framing->length[0] == '\0' || framing->length[strspn(framing->length, "0123456789")] != '\0' ||
	     strlen(framing->length) > 18))
		return refuse(request, "Content-Length is no number");
	return true;
}

static bool admit_target(struct oweb_request *request, const char *method)
{
	size_t len = strcspn(request->raw, "?");

	if (request->is_long) {
		oweb_problem(request, OWEB_P_TARGET_TOO_LONG, "path and query are longer than %u octets",
			     OWEB_TARGET_MAX - 1);
		request->reply.closes = true;
		return false;
	}
	if (oweb_path_clean(request->raw, len, request->path) == OC_OK)
		return true;
	snprintf(request->path, sizeof(request->path), "/");
	if (strcmp(method, "OPTIONS") == 0 && strcmp(request->raw, "*") == 0) {
		oweb_reply_empty(request, 204);
		oweb_reply_header(request, "Allow", "GET, HEAD, POST, PUT, DELETE, OPTIONS");
		return false;
	}
	return refuse(request, "the path is not a plain one");
}

static bool admit_query(struct oweb_request *request)
{
	const char *mark = strchr(request->raw, '?');
	struct oweb_query_error error;

	if (oweb_query_read(&request->query, mark == NULL ? NULL : mark + 1, request->route->params,
			    oweb_request_wall_us(request), &error) == OC_OK)
		return true;
	oweb_problem(request, error.is_unknown ? OWEB_P_UNKNOWN_PARAMETER : OWEB_P_BAD_PARAMETER, "%s%s%s",
		     error.parameter, error.parameter[0] == '\0' ? "" : ": ", error.detail);
	oweb_problem_at(request, "parameter", error.parameter, error.detail);
	if (error.nearest[0] != '\0')
		oweb_problem_try(request, "Did you mean %s?", error.nearest);
	return false;
}

static bool is_type(const char *header, const char *type)
{
	size_t len = strlen(type);

	return header != NULL && strncasecmp(header, type, len) == 0 && strchr("; \t", header[len]) != NULL;
}

static bool admit_type(struct oweb_request *request, const struct framing *framing)
{
	unsigned flags = request->route->flags;

	if ((flags & (OWEB_TAKES_JSON | OWEB_TAKES_TABLE) && is_type(framing->type, "application/json")) ||
	    (flags & OWEB_TAKES_YAML && is_type(framing->type, "application/yaml")) ||
	    (flags & OWEB_TAKES_TABLE && is_type(framing->type, "text/csv")))
		return true;
	oweb_problem(request, OWEB_P_MEDIA_TYPE, "the body is to be application/json%s",
		     flags & OWEB_TAKES_YAML	? " or application/yaml"
		     : flags & OWEB_TAKES_TABLE ? " or text/csv"
						: "");
	if (flags & OWEB_TAKES_TABLE)
		oweb_problem_try(request, "Send Content-Type: text/csv or application/json.");
	request->reply.closes = true;
	return false;
}

static bool admit_length(struct oweb_request *request, const struct framing *framing)
{
	bool has_body = framing->encoding != NULL ||
			(framing->length != NULL && strtoull(framing->length, NULL, 10) > 0);

	request->body_max =
		request->route->body_max != 0 ? request->route->body_max : request->conf->body_max;
	request->has_body = has_body;
	if (!(request->route->flags & (OWEB_TAKES_JSON | OWEB_TAKES_YAML | OWEB_TAKES_TABLE)))
		return !has_body || refuse(request, "no body is expected here");
	if (!has_body && request->route->flags & OWEB_BODY_OPTIONAL)
		return true;
	if (!has_body) {
		oweb_problem(request, OWEB_P_BAD_BODY, "a body is missing");
		return false;
	}
	if (framing->length != NULL && strtoull(framing->length, NULL, 10) > request->body_max) {
		oweb_problem(request, OWEB_P_TOO_LARGE, "a body has at most %zu octets here",
			     request->body_max);
		request->reply.closes = true;
		return false;
	}
	return admit_type(request, framing);
}

static bool admit_if_match(struct oweb_request *request)
{
	if (!(request->route->flags & OWEB_IF_MATCH) || oweb_request_header(request, "If-Match") != NULL)
		return true;
	oweb_problem(request, OWEB_P_NEEDS_IF_MATCH, "the header If-Match is missing");
	return false;
}

bool oweb_admit(struct oweb_request *request, const char *method)
{
	struct framing framing = { 0 };

	MHD_get_connection_values(request->connection, MHD_HEADER_KIND, count, &framing);
	request->is_head = strcmp(method, "HEAD") == 0;
	request->is_write = !request->is_head && strcmp(method, "GET") != 0 && strcmp(method, "OPTIONS") != 0;
	snprintf(request->path, sizeof(request->path), "/");
	bool ok = admit_framing(request, &framing) && admit_target(request, method) &&
		  oweb_origin_allows(request) && oweb_route_find(request->server->routes, request, method) &&
		  oweb_auth_identify(request) && oweb_auth_allows(request) && admit_query(request) &&
		  admit_if_match(request) && admit_length(request, &framing);
	/* What is left of a refused request is not read as another one. */
	request->reply.closes |= !ok && (framing.encoding != NULL || framing.length != NULL);
	return ok;
}

static bool refuse_json(struct oweb_request *request, const char *detail)
{
	oweb_problem(request, OWEB_P_BAD_BODY, "%s", detail);
	oweb_problem_at(request, "pointer", "", detail);
	return false;
}

bool oweb_admit_body(struct oweb_request *request)
{
	char detail[JSON_ERROR_TEXT_LENGTH + 64];
	json_error_t error;
	const char *type = oweb_request_header(request, "Content-Type");

	if (request->is_too_big) {
		oweb_problem(request, OWEB_P_TOO_LARGE, "a body has at most %zu octets here",
			     request->body_max);
		return false;
	}
	if (request->body_len == 0 && request->has_body && !(request->route->flags & OWEB_BODY_OPTIONAL))
		return refuse_json(request, "the body is empty");
	if (request->body_len == 0 || request->route->flags & OWEB_TAKES_TABLE ||
	    !is_type(type, "application/json"))
		return true;
	request->json = json_loadb(request->body, request->body_len, JSON_REJECT_DUPLICATES, &error);
	if (request->json == NULL) {
		snprintf(detail, sizeof(detail), "the body is no JSON: line %d, column %d: %s", error.line,
			 error.column, error.text);
		return refuse_json(request, detail);
	}
	return json_is_object(request->json) || refuse_json(request, "the body is no JSON object");
}
