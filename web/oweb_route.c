/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Finding the row of the table.
 */
#include "oweb_route.h"

#include <stdio.h>
#include <string.h>

#define ALLOW_MAX 64u

/* One segment of the pattern, "{node}:out" or a plain word, against one of the path. */
static bool segment_fits(const char *pattern, size_t pattern_len, const char *path, size_t path_len,
			 struct oweb_part *part, bool *is_part)
{
	const char *close = pattern_len > 0 && pattern[0] == '{' ? memchr(pattern, '}', pattern_len) : NULL;

	*is_part = close != NULL;
	if (close == NULL)
		return pattern_len == path_len && memcmp(pattern, path, path_len) == 0;
	size_t name_len = (size_t)(close - pattern) - 1, tail_len = pattern_len - name_len - 2;
	if (path_len <= tail_len || memcmp(path + path_len - tail_len, close + 1, tail_len) != 0)
		return false;
	size_t value_len = path_len - tail_len;
	if (tail_len == 0 && memchr(path, ':', path_len) != NULL)
		return false; /* the tail of another row */
	if (value_len >= sizeof(part->value) || name_len >= sizeof(part->name))
		return false;
	snprintf(part->name, sizeof(part->name), "%.*s", (int)name_len, pattern + 1);
	snprintf(part->value, sizeof(part->value), "%.*s", (int)value_len, path);
	return true;
}

bool oweb_route_fits(const char *pattern, const char *path, struct oweb_part parts[static OWEB_PARTS_MAX],
		     uint32_t *part_count)
{
	struct oweb_part spare = { .name = "" };

	*part_count = 0;
	while (*pattern == '/' && *path == '/') {
		size_t pattern_len = strcspn(++pattern, "/"), path_len = strcspn(++path, "/");
		bool is_part;
		struct oweb_part *part = *part_count < OWEB_PARTS_MAX ? &parts[*part_count] : &spare;
		if (!segment_fits(pattern, pattern_len, path, path_len, part, &is_part))
			return false;
		*part_count += is_part;
		pattern += pattern_len;
		path += path_len;
	}
	return *pattern == '\0' && *path == '\0';
}

/* Adds @method once. A word that another one ends with is not taken for it: they are compared whole. */
static void allow(char out[static ALLOW_MAX], const char *method)
{
	size_t len = strlen(method), used = strlen(out);

	for (const char *at = out; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " "))
		if (strncmp(at, method, len) == 0 && (at[len] == ',' || at[len] == '\0'))
			return;
	snprintf(out + used, ALLOW_MAX - used, "%s%s", used > 0 ? ", " : "", method);
}

static void refuse(struct oweb_request *request, const char *method, char allowed[static ALLOW_MAX])
{
	if (allowed[0] == '\0') {
		oweb_problem(request, OWEB_P_NOT_FOUND, "nothing is served at this path");
		return;
	}
	allow(allowed, "OPTIONS");
	if (strcmp(method, "OPTIONS") == 0)
		oweb_reply_empty(request, 204);
	else
		oweb_problem(request, OWEB_P_METHOD_NOT_ALLOWED, "this path allows %s", allowed);
	oweb_reply_header(request, "Allow", allowed);
}

bool oweb_route_find(const struct oweb_route *routes, struct oweb_request *request, const char *method)
{
	char allowed[ALLOW_MAX] = "";
	const char *wanted = strcmp(method, "HEAD") == 0 ? "GET" : method;

	for (; routes->method != NULL; routes++) {
		if (!oweb_route_fits(routes->pattern, request->path, request->part, &request->part_count))
			continue;
		if (strcmp(routes->method, wanted) == 0) {
			request->route = routes;
			return true;
		}
		allow(allowed, routes->method);
		if (strcmp(routes->method, "GET") == 0)
			allow(allowed, "HEAD");
	}
	refuse(request, method, allowed);
	return false;
}
