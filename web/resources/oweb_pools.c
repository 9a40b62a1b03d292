/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /api/v1/pools: nodes that may be chosen among, what is wanted of each and what is, apart. There is one pool: the neighbours, those of the
 * daemon's configuration, those that connected, and for ten minutes those that went.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../oweb_inner.h"
#include "../oweb_resources.h"
#include "../oweb_view.h"

#define POOL "neighbours"
#define GONE_US (OEV_WATCH_SECONDS * 1000000ull) /* then a node that left is not listed any more */

static bool is_pool(struct oweb_request *request)
{
	if (request->node == NULL)
		oweb_problem(request, OWEB_P_NOT_SERVED,
			     "this server shows a finished folder; no agent runs");
	else if (strcmp(oweb_request_part(request, "pool"), POOL) != 0)
		oweb_problem(request, OWEB_P_NOT_FOUND, "there is no pool %s; there is " POOL,
			     oweb_request_part(request, "pool"));
	else
		return true;
	return false;
}

/* @node as server: answer times of the last minute, counts of its life. */
static void add_traffic(struct oweb_request *request, json_t *object, const struct oev_watch_node *node,
			uint32_t place)
{
	struct oev_watch_count total;
	uint32_t took[OEV_WATCH_TOOK];

	oev_watch_node_total(request->watch, place, OEV_WATCH_SERVER, &total);
	oev_watch_node_took(request->watch, place, took);
	json_object_set_new(object, "total", oweb_view_count(&total));
	uint64_t p99_ns = oev_watch_quantile_ns(took, 990);
	if (p99_ns > 0)
		json_object_set_new(object, "took_p99_seconds", json_real((double)p99_ns / 1e9));
	if (node->load >= 0)
		json_object_set_new(object, "load", json_integer(node->load));
	if (node->last_us > 0)
		oweb_json_time(object, "last_seen", node->last_us);
}

/* A neighbour that is no peer any more is shown as long as the watch remembers what it did. */
static json_t *gone(struct oweb_request *request, json_t *nodes, const struct oev_watch_node *node)
{
	uint64_t now_us = oweb_request_wall_us(request);

	if (!node->is_neighbour || node->last_us == 0 || node->last_us + GONE_US < now_us)
		return NULL;
	json_object_set_new(nodes, oweb_view_name(request->server, node->name),
			    json_pack("{s:s, s:s, s:b, s:i}", "wanted", "in", "is", "gone", "configured", 0,
				      "outstanding", 0));
	return json_object_get(nodes, oweb_view_name(request->server, node->name));
}

static void add_all_traffic(struct oweb_request *request, json_t *nodes)
{
	struct oev_watch_node *node =
		request->watch == NULL ? NULL : calloc(OEV_WATCH_NODES_MAX, sizeof(*node));
	uint32_t count = node == NULL ? 0 : oev_watch_nodes(request->watch, node, OEV_WATCH_NODES_MAX);

	for (uint32_t i = 0; i < count && i < OEV_WATCH_NODES_MAX; i++) {
		json_t *object = json_object_get(nodes, oweb_view_name(request->server, node[i].name));
		if (object == NULL)
			object = gone(request, nodes, &node[i]);
		if (object != NULL)
			add_traffic(request, object, &node[i], i);
	}
	free(node);
}

static void add_weights(struct oweb_request *request, json_t *nodes)
{
	const struct oweb_node *node = request->node;
	uint32_t room = node->loads(node->ctx, NULL, 0);
	struct oc_load_view *load = calloc(room + 1, sizeof(*load));
	uint32_t count = load == NULL || room == 0 ? 0 : node->loads(node->ctx, load, room);

	for (uint32_t i = 0; i < count && i < room; i++) {
		json_t *object = json_object_get(nodes, oweb_view_name(request->server, load[i].node));
		json_t *view = object == NULL ? NULL : oweb_view_load(&load[i]);
		json_object_update(object, view);
		json_decref(view);
	}
	free(load);
}

static json_t *all_nodes(struct oweb_request *request)
{
	json_t *nodes = oweb_view_peers(request->server);

	add_weights(request, nodes);
	add_all_traffic(request, nodes);
	return nodes;
}

void oweb_pools_list(struct oweb_request *request)
{
	if (request->node == NULL) {
		oweb_problem(request, OWEB_P_NOT_SERVED,
			     "this server shows a finished folder; no agent runs");
		return;
	}
	uint32_t count = request->node->peers(request->node->ctx, NULL, 0);
	oweb_reply_json(request, 200,
			json_pack("{s:[{s:s, s:I}]}", "pools", "pool", POOL, "nodes", (json_int_t)count));
}

void oweb_pool_get(struct oweb_request *request)
{
	json_t *list, *nodes, *value;
	const char *key;

	if (!is_pool(request))
		return;
	list = json_array();
	nodes = all_nodes(request);
	json_object_foreach(nodes, key, value)
	{
		json_object_set_new(value, "node", json_string(key));
		json_array_append(list, value);
	}
	json_decref(nodes);
	json_t *reply = json_pack("{s:s, s:o}", "pool", POOL, "nodes", list);
	oweb_json_time(reply, "time", oweb_request_wall_us(request));
	oweb_reply_json(request, 200, reply);
}

static void reply_node(struct oweb_request *request, const char *name)
{
	json_t *nodes = all_nodes(request), *value;
	const char *key;

	json_object_foreach(nodes, key, value) if (strcasecmp(key, name) == 0)
	{
		json_object_set_new(value, "node", json_string(key));
		oweb_reply_json(request, 200, json_incref(value));
	}
	if (request->reply.status == 0)
		oweb_problem(request, OWEB_P_NOT_FOUND, "there is no node %s in this pool", name);
	json_decref(nodes);
}

void oweb_pool_node_get(struct oweb_request *request)
{
	if (is_pool(request))
		reply_node(request, oweb_request_part(request, "node"));
}

static void want(struct oweb_request *request, bool is_out)
{
	char error[OWEB_ERROR_MAX] = "";
	const char *name = oweb_request_part(request, "node");
	struct oweb_actor by;

	if (!is_pool(request) || !oweb_request_actor(request, true, &by))
		return;
	switch (request->node->want(request->node->ctx, name, is_out, &by, error)) {
	case OWEB_DONE:
		reply_node(request, name);
		return;
	case OWEB_NOT_FOUND:
		oweb_problem(request, OWEB_P_NOT_FOUND, "%s", error);
		return;
	case OWEB_REFUSED:
	case OWEB_CONFLICT:
		oweb_problem(request, OWEB_P_CONFLICT, "%s", error);
		return;
	default:
		oweb_problem(request, OWEB_P_INTERNAL, "%s", error);
	}
}

void oweb_pool_node_out(struct oweb_request *request)
{
	want(request, true);
}

void oweb_pool_node_in(struct oweb_request *request)
{
	want(request, false);
}
