/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a resource asks of its request.
 */
#include "oweb_request.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "oweb_inner.h"

const char *oweb_request_part(const struct oweb_request *request, const char *name)
{
	for (uint32_t i = 0; i < request->part_count; i++)
		if (strcmp(request->part[i].name, name) == 0)
			return request->part[i].value;
	return "";
}

const char *oweb_request_header(const struct oweb_request *request, const char *name)
{
	return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

bool oweb_request_accepts(const struct oweb_request *request, const char *type)
{
	const char *at = oweb_request_header(request, "Accept");
	size_t type_len = strlen(type);

	for (; at != NULL && *at != '\0'; at += strspn(at, ", ")) {
		if (strncasecmp(at, type, type_len) == 0 && strchr(",; ", at[type_len]) != NULL)
			return true; /* the end of the text counts as found */
		at += strcspn(at, ",");
	}
	return false;
}

bool oweb_request_actor(struct oweb_request *request, bool is_needed, struct oweb_actor *by)
{
	json_t *reason = json_object_get(request->json, "reason");
	const char *text = json_is_string(reason) ? json_string_value(reason) : "";

	*by = (struct oweb_actor){ 0 };
	snprintf(by->who, sizeof(by->who), "%s", request->who.name);
	bool is_bad = (reason != NULL && !json_is_string(reason)) || strlen(text) >= sizeof(by->reason) ||
		      strpbrk(text, "\r\n") != NULL || (is_needed && text[0] == '\0');
	if (is_bad) {
		char detail[120];
		snprintf(detail, sizeof(detail), "is one line of up to %u octets that says why",
			 OWEB_REASON_MAX - 1);
		oweb_problem(request, OWEB_P_BAD_BODY, "the reason is missing or cannot be used");
		oweb_problem_at(request, "pointer", "/reason", detail);
		return false;
	}
	snprintf(by->reason, sizeof(by->reason), "%s", text);
	return true;
}

/* Whether @list, "a", "b" or *, names @etag; the one of its packed form is the same thing. */
static bool names(const char *list, const char *etag)
{
	size_t len = strlen(etag) - 1; /* without the closing quote */

	for (; *list != '\0'; list += strspn(list, ", ")) {
		if (list[0] == '*')
			return true;
		if (strncmp(list, etag, len) == 0 &&
		    (list[len] == '"' || strncmp(list + len, "-gz\"", 4) == 0))
			return true;
		list += strcspn(list, ",");
	}
	return false;
}

bool oweb_request_matches(struct oweb_request *request, const char *etag)
{
	const char *header = oweb_request_header(request, "If-Match");

	if (header == NULL) {
		oweb_problem(request, OWEB_P_NEEDS_IF_MATCH, "the header If-Match is missing");
		return false;
	}
	if (names(header, etag))
		return true;
	oweb_problem(request, OWEB_P_CHANGED, "it stands at %s now", etag);
	oweb_problem_at(request, "header", "If-Match", "names another version");
	return false;
}

uint64_t oweb_request_wall_us(const struct oweb_request *request)
{
	return oweb_server_wall_us(request->server);
}

uint64_t oweb_request_now_ns(const struct oweb_request *request)
{
	return oweb_server_now_ns(request->server);
}
