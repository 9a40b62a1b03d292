/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic ctl: pools and their nodes, one of which is taken out of selection or put back.
 */
#include <string.h>
#include <strings.h>

#include "../app/oev_cut.h"
#include "cli_ctl_web.h"

#define NAMES_MAX 256u

static int ask_pool(struct cli_ctl_web *web, const char *pool, json_t **out)
{
	char word[300], path[340];
	struct cli_http_reply reply;

	cli_http_escape(pool, word, sizeof(word));
	snprintf(path, sizeof(path), "/api/v1/pools/%s", word);
	int code = cli_http_ask(web->http, "GET", path, NULL, NULL, &reply, web->error);
	*out = json_incref(reply.json);
	cli_http_drop(&reply);
	return code;
}

/* The list of pools, each with its nodes in place of their number. */
int cli_ctl_pools(struct cli_ctl_web *web)
{
	int code = cli_http_ask(web->http, "GET", "/api/v1/pools", NULL, NULL, &web->reply, web->error);
	json_t *pools = json_object_get(web->reply.json, "pools"), *pool;
	size_t i;

	if (code != CLI_OK)
		return code;
	json_array_foreach(pools, i, pool)
	{
		const char *name = json_string_value(json_object_get(pool, "pool"));
		json_t *whole = NULL;
		code = ask_pool(web, name != NULL ? name : "", &whole);
		if (code == CLI_OK)
			json_object_update(pool, whole);
		json_decref(whole);
		if (code != CLI_OK)
			return code;
	}
	return CLI_OK;
}

/* The pool that has @node; *@node becomes its name as the pool writes it. NULL: none has. */
static const char *find_pool(const json_t *pools, const char **node, const char **near)
{
	const char *names[NAMES_MAX + 1] = { NULL };
	size_t count = 0, i, j;
	json_t *pool, *member;

	json_array_foreach(pools, i, pool) json_array_foreach(json_object_get(pool, "nodes"), j, member)
	{
		const char *name = json_string_value(json_object_get(member, "node"));
		if (name != NULL && strcasecmp(name, *node) == 0) {
			*node = name;
			return json_string_value(json_object_get(pool, "pool"));
		}
		if (name != NULL && count < NAMES_MAX)
			names[count++] = name;
	}
	*near = oev_nearest(*node, names);
	return NULL;
}

static int order(struct cli_ctl_web *web, const char *pool, const char *node)
{
	const char *verb = web->ask->words[0];
	char pool_word[300], node_word[800], path[1200];
	json_t *body = json_pack("{s:s}", "reason", web->ask->reason);

	if (body == NULL) {
		snprintf(web->error, sizeof(web->error), "--reason: not UTF-8");
		return CLI_USAGE;
	}
	cli_http_escape(pool, pool_word, sizeof(pool_word));
	cli_http_escape(node, node_word, sizeof(node_word));
	snprintf(path, sizeof(path), "/api/v1/pools/%s/nodes/%s:%s", pool_word, node_word, verb);
	snprintf(web->done, sizeof(web->done), "%.*s is %s of selection for new sessions", oev_cut(node, 200),
		 node, strcmp(verb, "out") == 0 ? "out" : "back in");
	if (strcmp(verb, "in") == 0)
		snprintf(web->done, sizeof(web->done), "%.*s is in selection", oev_cut(node, 200), node);
	struct cli_http_reply reply;
	int code = cli_http_ask(web->http, "POST", path, body, NULL, &reply, web->error);
	cli_http_drop(&web->reply);
	web->reply = reply;
	json_decref(body);
	return code;
}

int cli_ctl_want(struct cli_ctl_web *web)
{
	const char *given = web->ask->words[1], *near = NULL;
	char pool[300], node[300];
	int code = cli_ctl_pools(web);

	if (code != CLI_OK)
		return code;
	const char *name = given;
	const char *found = find_pool(json_object_get(web->reply.json, "pools"), &name, &near);
	if (found == NULL) {
		snprintf(web->error, sizeof(web->error), "no pool has a node %.*s%s%.*s%s",
			 oev_cut(given, 200), given, near != NULL ? "; did you mean " : "",
			 near != NULL ? oev_cut(near, 200) : 0, near != NULL ? near : "",
			 near != NULL ? "?" : "");
		return CLI_REFUSED;
	}
	snprintf(pool, sizeof(pool), "%s", found);
	snprintf(node, sizeof(node), "%s", name);
	return order(web, pool, node);
}
