/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Fuzzes what the web server reads of strangers by itself: a target (path and query), a file of tokens, a row of CSV. The first octet
 * says which.
 */
#include <stdlib.h>
#include <string.h>

#include "web/oweb_csv.h"
#include "web/oweb_query.h"
#include "web/oweb_route.h"
#include "web/oweb_token.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static const struct oweb_param params[] = {
	{ .name = "limit", .kind = OWEB_NUMBER, .min = 1, .max = 100 },
	{ .name = "since", .kind = OWEB_TIME },
	{ .name = "verbose", .kind = OWEB_FLAG },
	{ .name = "order", .kind = OWEB_WORD, .words = "newest|oldest" },
	{ .name = "q", .kind = OWEB_TEXT, .max = 16 },
	{ .name = NULL },
};

static void try_target(const char *text)
{
	static struct oweb_query query;
	static char path[OWEB_TARGET_MAX];
	struct oweb_query_error error;
	struct oweb_part part[OWEB_PARTS_MAX];
	uint32_t count;
	const char *mark = strchr(text, '?');

	if (oweb_path_clean(text, strcspn(text, "?"), path) == 0) {
		require(path[0] == '/' && strstr(path, "/../") == NULL && strchr(path, '\\') == NULL);
		for (const struct oweb_route *route = oweb_routes; route->method != NULL; route++)
			(void)oweb_route_fits(route->pattern, path, part, &count);
	}
	if (mark == NULL || oweb_query_read(&query, mark + 1, params, 1764500000000000ull, &error) != 0)
		return;
	require(query.count <= 5);
	require(oweb_query_text(&query, "q") == NULL || strlen(oweb_query_text(&query, "q")) <= 16);
	require(oweb_query_text(&query, "limit") == NULL || oweb_query_number(&query, "limit", 0) <= 100);
}

static void try_tokens(const char *text)
{
	static struct oweb_tokens tokens;
	char error[OWEB_ERROR_MAX];

	if (oweb_tokens_parse(text, &tokens, error) != 0)
		require(tokens.count == 0);
	for (uint32_t i = 0; i < tokens.count; i++)
		require(tokens.token[i].role != OWEB_ROLE_NONE && tokens.token[i].hash[0] == '$');
}

static void try_csv(const char *text)
{
	static const char *const columns[] = { "a", NULL };
	struct oweb_text out = { 0 };
	json_t *row = json_pack("{s:s}", "a", text);

	if (row != NULL) {
		oweb_csv_row(&out, columns, row);
		require(out.len < 2 || strchr("=+-@", out.data[1]) == NULL || out.data[1] == '\0');
	}
	json_decref(row);
	oweb_text_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0 || size > OWEB_TARGET_MAX)
		return 0;
	char *text = calloc(1, size);
	memcpy(text, data + 1, size - 1);
	switch (data[0]) {
	case 't':
		try_tokens(text);
		break;
	case 'c':
		try_csv(text);
		break;
	default:
		try_target(text);
	}
	free(text);
	return 0;
}
