/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Problems (RFC 9457): what can go wrong as a table, and the object that says so.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "oweb_request.h"
#include "oweb_resources.h"
#include "oweb_text.h"

static const struct {
	unsigned status;
	const char *type;
	const char *title;
	const char *attempt; /* what to do */
} problems[] = {
	[OWEB_P_BAD_REQUEST] = { 400, "bad-request", "The request is malformed", "Correct the request." },
	[OWEB_P_UNKNOWN_PARAMETER] = { 400, "unknown-parameter", "A parameter is not known here",
				       "See the parameters of this path in /api/openapi.yaml." },
	[OWEB_P_BAD_PARAMETER] = { 400, "bad-parameter", "A parameter cannot be used",
				   "Give the parameter as described in /api/openapi.yaml." },
	[OWEB_P_BAD_BODY] = { 400, "bad-body", "The body cannot be used",
			      "Send the body as described in /api/openapi.yaml." },
	[OWEB_P_NEEDS_TOKEN] = { 401, "needs-token", "Nothing says who asks",
				 "Send a token (Authorization: Bearer), log in, or use the UNIX socket." },
	[OWEB_P_BAD_TOKEN] = { 401, "bad-token", "The token or session is not valid",
			       "Log in again, or ask the operator for a token." },
	[OWEB_P_NEEDS_ROLE] = { 403, "needs-role", "The role does not allow this",
				"Use a token that has the role." },
	[OWEB_P_FOREIGN_ORIGIN] = { 403, "foreign-origin", "Another page asks for this",
				    "Use this server's own page, or a token." },
	[OWEB_P_NEEDS_CSRF] = { 403, "needs-csrf", "The session's own word is missing",
				"Send the csrf value of GET /api/v1/session as X-CSRF-Token." },
	[OWEB_P_NOT_FOUND] = { 404, "not-found", "There is no such thing here", "See /api/openapi.yaml." },
	[OWEB_P_METHOD_NOT_ALLOWED] = { 405, "method-not-allowed", "The method does not fit",
					"Use a method of the Allow header." },
	[OWEB_P_CONFLICT] = { 409, "conflict", "It cannot be done as things stand",
			      "Look at the state, then try again." },
	[OWEB_P_CHANGED] = { 412, "changed", "It was changed by somebody else",
			     "Read it again, look at the difference, and send the new ETag." },
	[OWEB_P_TOO_LARGE] = { 413, "too-large", "The body is too large", "Send less." },
	[OWEB_P_TARGET_TOO_LONG] = { 414, "target-too-long", "The address is too long",
				     "Shorten the query." },
	[OWEB_P_MEDIA_TYPE] = { 415, "media-type", "The body is of another kind",
				"Send Content-Type: application/json." },
	[OWEB_P_FOREIGN_HOST] = { 421, "foreign-host", "The Host header is not a name of this server",
				  "Use the address the server listens on, or add the name to its "
				  "configuration." },
	[OWEB_P_REFUSED] = { 422, "refused", "It was read, and refused", "Correct what the detail names." },
	[OWEB_P_NEEDS_IF_MATCH] = { 428, "needs-if-match", "The change must say what it changes",
				    "Read it first and send its ETag as If-Match." },
	[OWEB_P_TOO_MANY] = { 429, "too-many", "Too many attempts", "Wait as long as Retry-After says." },
	[OWEB_P_INTERNAL] = { 500, "internal", "Something failed here", "Try again; see the daemon's log." },
	[OWEB_P_NOT_SERVED] = { 501, "not-served", "This server has no such thing",
				"Ask the server of a running agent." },
	[OWEB_P_UNAVAILABLE] = { 503, "unavailable", "Not now", "Try again in a moment." },
};
_Static_assert(sizeof(problems) / sizeof(problems[0]) == OWEB_P_COUNT, "every problem has its words");

void oweb_problem_get(struct oweb_request *request)
{
	const char *type = oweb_request_part(request, "type");
	struct oweb_text text = { 0 };

	for (unsigned i = 0; i < OWEB_P_COUNT; i++)
		if (strcmp(problems[i].type, type) == 0)
			oweb_text_format(&text, "%s\n%s (status %u)\n\nWhat to do: %s\n", type,
					 problems[i].title, problems[i].status, problems[i].attempt);
	if (text.len > 0)
		oweb_reply_text(request, 200, "text/plain; charset=utf-8", text.data, text.len);
	else
		oweb_problem(request, OWEB_P_NOT_FOUND, "there is no problem of that name");
}

/* Formatted text may have been cut inside a character. */
static void trim(char *text)
{
	size_t len = strlen(text);

	while (len > 0 && !oweb_is_utf8(text, len))
		text[--len] = '\0';
}

void oweb_problem(struct oweb_request *request, enum oweb_problem problem, const char *format, ...)
{
	char detail[600], type[64];
	va_list args;

	va_start(args, format);
	vsnprintf(detail, sizeof(detail), format, args);
	va_end(args);
	trim(detail);
	snprintf(type, sizeof(type), "/problems/%s", problems[problem].type);
	oweb_reply_empty(request, problems[problem].status);
	request->reply.type = "application/problem+json";
	request->reply.problem =
		json_pack("{s:s, s:s, s:i, s:s, s:s, s:[], s:s}", "type", type, "title",
			  problems[problem].title, "status", (int)problems[problem].status, "detail", detail,
			  "instance", request->path, "errors", "try", problems[problem].attempt);
}

void oweb_problem_at(struct oweb_request *request, const char *kind, const char *where, const char *detail)
{
	json_array_append_new(json_object_get(request->reply.problem, "errors"),
			      json_pack("{s:s, s:s}", kind, where, "detail", detail));
}

void oweb_problem_try(struct oweb_request *request, const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	trim(text);
	json_object_set_new(request->reply.problem, "try", json_string(text));
}
