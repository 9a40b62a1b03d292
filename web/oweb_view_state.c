/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The whole state: what the node says now, and what the trail says of the last second.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "oweb_inner.h"
#include "oweb_json.h"
#include "oweb_view.h"

json_t *oweb_view_peers(const struct oweb_server *server)
{
	const struct oweb_node *node = server->node;
	json_t *object = json_object();
	uint32_t room = node == NULL ? 0 : node->peers(node->ctx, NULL, 0);
	struct oweb_peer *peer = calloc(room + 1, sizeof(*peer));
	uint32_t count = peer == NULL || room == 0 ? 0 : node->peers(node->ctx, peer, room);

	for (uint32_t i = 0; i < count && i < room; i++)
		json_object_set_new(object, oweb_view_name(server, peer[i].name), oweb_view_peer(&peer[i]));
	free(peer);
	return object;
}

json_t *oweb_view_states(const struct oweb_server *server)
{
	const struct oweb_node *node = server->node;
	json_t *object = json_object();
	uint32_t room = node == NULL ? 0 : node->states(node->ctx, NULL, 0);
	struct oc_ocs_view *ocs = calloc(room + 1, sizeof(*ocs));
	uint32_t count = ocs == NULL || room == 0 ? 0 : node->states(node->ctx, ocs, room);

	for (uint32_t i = 0; i < count && i < room; i++) {
		char key[16];
		snprintf(key, sizeof(key), "%" PRIu32, ocs[i].version);
		json_object_set_new(object, key, oweb_view_ocs(server, &ocs[i]));
	}
	free(ocs);
	return object;
}

json_t *oweb_view_reports(const struct oweb_server *server)
{
	const struct oweb_node *node = server->node;
	json_t *object = json_object();
	uint32_t room = node == NULL ? 0 : node->orders(node->ctx, NULL, 0);
	struct oc_report_view *report = calloc(room + 1, sizeof(*report));
	uint32_t count = report == NULL || room == 0 ? 0 : node->orders(node->ctx, report, room);

	for (uint32_t i = 0; i < count && i < room; i++) {
		char key[OC_IDENT_MAX + 40];
		const struct oc_report_key *of = &report[i].order.key;
		snprintf(key, sizeof(key), "%s/%" PRIu32 "/%s", oc_report_type_text(of->type), of->app_id,
			 oweb_view_name(server, of->subject));
		json_object_set_new(object, key, oweb_view_report(server, &report[i]));
	}
	free(report);
	return object;
}

static void add_sides(const struct oweb_server *server, json_t *object, uint32_t node)
{
	static const char *const sides[] = { "client", "server" };
	uint64_t latest = oev_watch_latest(server->watch);

	for (unsigned side = 0; side < 2; side++) {
		struct oev_watch_count count = { 0 };
		oev_watch_node_seconds(server->watch, node, (enum oev_watch_side)side, latest, 1, &count);
		if (count.requests + count.sent + count.answers + count.lost > 0)
			json_object_set_new(object, sides[side], oweb_view_count(&count));
	}
}

static json_t *view_member(const struct oweb_server *server, const struct oev_watch_node *of, uint32_t place)
{
	json_t *object = json_object();

	json_object_set_new(object, "neighbour", json_boolean(of->is_neighbour));
	if (of->is_neighbour)
		json_object_set_new(object, "up", json_boolean(of->is_up));
	if (of->load >= 0)
		json_object_set_new(object, "load", json_integer(of->load));
	add_sides(server, object, place);
	return object;
}

json_t *oweb_view_nodes(const struct oweb_server *server)
{
	json_t *object = json_object();
	struct oev_watch_node *node =
		server->watch == NULL ? NULL : calloc(OEV_WATCH_NODES_MAX, sizeof(*node));
	uint32_t count = node == NULL ? 0 : oev_watch_nodes(server->watch, node, OEV_WATCH_NODES_MAX);

	for (uint32_t i = 0; i < count && i < OEV_WATCH_NODES_MAX; i++)
		json_object_set_new(object, oweb_view_name(server, node[i].name),
				    view_member(server, &node[i], i));
	free(node);
	return object;
}

static json_t *view_last_second(struct oev_watch *watch)
{
	struct oev_watch_second second = { 0 };
	uint64_t latest = oev_watch_latest(watch);

	if (latest == 0)
		return NULL;
	oev_watch_seconds(watch, latest, 1, &second);
	return oweb_view_second(&second);
}

static void add_node(struct oweb_server *server, json_t *state)
{
	const struct oweb_node *node = server->node;
	struct oweb_facts facts = { 0 };
	struct oc_stats stats = { 0 };

	node->facts(node->ctx, &facts);
	node->stats(node->ctx, &stats);
	json_object_set_new(state, "node", oweb_view_node(&facts));
	if (oweb_node_records(node))
		json_object_set_new(state, "recording",
				    oweb_view_recording(&facts, oweb_server_wall_us(server)));
	json_object_set_new(state, "totals", oweb_view_totals(&stats));
	json_object_set_new(state, "peers", oweb_view_peers(server));
	json_object_set_new(state, "states", oweb_view_states(server));
	json_object_set_new(state, "reports", oweb_view_reports(server));
}

json_t *oweb_view_state(struct oweb_server *server)
{
	json_t *state = json_object();

	if (server->node != NULL)
		add_node(server, state);
	else
		oweb_json_text(state, "folder", server->conf.folder);
	json_object_set_new(state, "sentences", oweb_view_sentences(server));
	if (server->node == NULL && server->watch != NULL)
		oweb_json_text(state, "identity", oev_watch_self(server->watch));
	if (server->watch != NULL) {
		json_t *second = view_last_second(server->watch);
		if (second != NULL)
			json_object_set_new(state, "second", second);
		json_object_set_new(state, "nodes", oweb_view_nodes(server));
	}
	return state;
}
