/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The whole state: what the node says now, and what the trail says of the last second.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../evidence/app/oev_app.h"
#include "oweb_inner.h"
#include "oweb_json.h"
#include "oweb_view.h"

#define SENTENCES_MAX 3u
#define FINISHED "no agent runs here; what is shown is the end of a finished evidence folder"

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
	json_object_set_new(state, "sentences", oweb_view_sentences(server));
}

json_t *oweb_view_state(struct oweb_server *server)
{
	json_t *state = json_object();

	if (server->node != NULL)
		add_node(server, state);
	else
		oweb_json_text(state, "folder", server->conf.folder);
	if (server->watch != NULL) {
		json_t *second = view_last_second(server->watch);
		if (second != NULL)
			json_object_set_new(state, "second", second);
		json_object_set_new(state, "nodes", oweb_view_nodes(server));
	}
	return state;
}

/* What @ocs takes away now; a rate cannot be compared, so it comes after every share. */
static int worse(const void *a, const void *b)
{
	const struct oc_ocs_view *x = a, *y = b;

	return x->share_ppm != y->share_ppm ? (x->share_ppm < y->share_ppm ? 1 : -1)
					    : (x->version > y->version) - (x->version < y->version);
}

static json_t *sentence(const struct oweb_server *server, const struct oc_ocs_view *ocs)
{
	char text[640], value[40], app[16];
	uint64_t now = oweb_server_now_ns(server);
	uint64_t held = now > ocs->since_ns ? (now - ocs->since_ns) / 1000000000 : 0;

	if (ocs->algorithm == OC_ALGO_RATE)
		snprintf(value, sizeof(value), "at most %" PRIu32 " requests/s", ocs->rate_rps);
	else
		snprintf(value, sizeof(value), "%" PRIu32 " %% less", ocs->reduction_pct);
	int len = snprintf(text, sizeof(text), "%s asks for %s (%s, %s, %s), held for %" PRIu64 " s",
			   oweb_view_name(server, ocs->subject), value, oc_algo_text(ocs->algorithm),
			   oc_report_type_text(ocs->type), oev_app_text(ocs->app_id, app), held);
	if (ocs->matched > 0 && ocs->algorithm == OC_ALGO_LOSS)
		snprintf(text + len, sizeof(text) - (size_t)len, "; we selected %.2f %%",
			 100.0 * (double)ocs->selected / (double)ocs->matched);
	return json_string(text);
}

static json_t *quiet(const struct oweb_server *server)
{
	struct oweb_facts facts = { 0 };
	char text[96];

	server->node->facts(server->node->ctx, &facts);
	uint64_t now_us = oweb_server_wall_us(server);
	uint64_t up_s = now_us > facts.started_us ? (now_us - facts.started_us) / 1000000 : 0;
	snprintf(text, sizeof(text), "nobody asks for less; up for %" PRIu64 " h %" PRIu64 " m", up_s / 3600,
		 up_s / 60 % 60);
	return json_string(text);
}

json_t *oweb_view_sentences(const struct oweb_server *server)
{
	const struct oweb_node *node = server->node;
	json_t *list = json_array();
	if (node == NULL) {
		json_array_append_new(list, json_string(FINISHED));
		return list;
	}
	uint32_t room = node->states(node->ctx, NULL, 0), active = 0;
	struct oc_ocs_view *ocs = calloc(room + 1, sizeof(*ocs));
	uint32_t count = ocs == NULL || room == 0 ? 0 : node->states(node->ctx, ocs, room);

	count = count < room ? count : room;
	for (uint32_t i = 0; i < count; i++)
		if (ocs[i].active)
			ocs[active++] = ocs[i];
	if (active > 0)
		qsort(ocs, active, sizeof(*ocs), worse);
	for (uint32_t i = 0; i < active && i < SENTENCES_MAX; i++)
		json_array_append_new(list, sentence(server, &ocs[i]));
	if (active > SENTENCES_MAX) {
		char text[40];
		snprintf(text, sizeof(text), "and %" PRIu32 " more", active - SENTENCES_MAX);
		json_array_append_new(list, json_string(text));
	}
	if (active == 0)
		json_array_append_new(list, quiet(server));
	free(ocs);
	return list;
}
