/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The Host and Origin headers: a page of somebody else, whose name was made to point here (DNS rebinding), is not served, and
 * cannot make a browser change anything here.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "oweb_auth.h"
#include "oweb_inner.h"

#define HOST_MAX 264u

/* "host", "host:port", "[v6]:port" without port and brackets. */
static bool host_of(const char *header, char out[static HOST_MAX])
{
	size_t skip = header[0] == '[', len = skip ? strcspn(header, "]") : strcspn(header, ":");
	const char *rest = header + len + skip;

	if (skip && header[len] != ']')
		return false;
	if (*rest == ':')
		rest += 1 + strspn(rest + 1, "0123456789");
	len -= skip;
	if (*rest != '\0' || len == 0 || len >= HOST_MAX)
		return false;
	snprintf(out, HOST_MAX, "%.*s", (int)len, header + skip);
	return true;
}

static bool is_loopback(const char *host)
{
	struct in_addr four;

	return strcasecmp(host, "localhost") == 0 || strcmp(host, "::1") == 0 ||
	       (inet_pton(AF_INET, host, &four) == 1 && ntohl(four.s_addr) >> 24 == 127);
}

/* One of the names in the configuration, blanks between. */
static bool is_configured(const char *names, const char *host)
{
	size_t len = strlen(host);

	for (names += strspn(names, " ,"); *names != '\0'; names += strspn(names, " ,")) {
		size_t name_len = strcspn(names, " ,");
		if (name_len == len && strncasecmp(names, host, len) == 0)
			return true;
		names += name_len;
	}
	return false;
}

static bool is_identity(const struct oweb_request *request, const char *host)
{
	struct oweb_facts facts = { 0 };

	if (request->node == NULL || request->node->facts == NULL)
		return false;
	request->node->facts(request->node->ctx, &facts);
	return facts.identity != NULL && strcasecmp(facts.identity, host) == 0;
}

static bool is_ours(const struct oweb_request *request, const char *host)
{
	char reached[OWEB_ADDRESS_TEXT_MAX];

	if (is_loopback(host) || strcasecmp(host, request->server->address.host) == 0 ||
	    is_configured(request->conf->names, host))
		return true;
	oweb_link_reached(request->link, reached);
	return strcasecmp(reached, host) == 0 || is_identity(request, host);
}

/* "http://HOST" of @origin against the Host header. */
static bool is_same_place(const char *origin, const char *host, bool is_tls)
{
	const char *scheme = is_tls ? "https://" : "http://";
	size_t len = strlen(scheme);

	return strncasecmp(origin, scheme, len) == 0 && strcasecmp(origin + len, host) == 0;
}

bool oweb_origin_allows(struct oweb_request *request)
{
	const char *header = oweb_request_header(request, "Host");
	const char *origin = oweb_request_header(request, "Origin");
	char host[HOST_MAX];

	if (!request->link->is_local && header == NULL) {
		oweb_problem(request, OWEB_P_BAD_REQUEST, "the Host header is missing");
		return false;
	}
	if (!request->link->is_local && (!host_of(header, host) || !is_ours(request, host))) {
		oweb_problem(request, OWEB_P_FOREIGN_HOST, "the Host header is not a name of this server");
		return false;
	}
	if (origin != NULL && request->is_write &&
	    (header == NULL || !is_same_place(origin, header, request->link->is_tls))) {
		oweb_problem(request, OWEB_P_FOREIGN_ORIGIN, "the request was caused by another page");
		return false;
	}
	return true;
}
