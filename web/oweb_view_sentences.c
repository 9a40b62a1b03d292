/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The first screen's sentences: who asks for less, and what this node asks for itself.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../evidence/app/oev_app.h"
#include "oweb_inner.h"
#include "oweb_view.h"

#define SENTENCES_MAX 3u
#define FINISHED "no agent runs here; what is shown is the end of a finished evidence folder"

/* What is in force: states held here, worst first, and orders of our own that no such state stands for. Behind the @states that are in force
 * stand those that ended, @held in all. */
struct asking {
	struct oc_ocs_view *ocs;
	struct oc_report_view *order;
	uint32_t states, held, orders;
};

/* In force or not, then what is taken away now; a rate cannot be compared, so it comes after every share. */
static int worse(const void *a, const void *b)
{
	const struct oc_ocs_view *x = a, *y = b;

	if (x->active != y->active)
		return x->active ? -1 : 1;
	return x->share_ppm != y->share_ppm ? (x->share_ppm < y->share_ppm ? 1 : -1)
					    : (x->version > y->version) - (x->version < y->version);
}

static void take_states(const struct oweb_node *node, struct asking *asking)
{
	uint32_t room = node->states(node->ctx, NULL, 0);

	asking->ocs = calloc(room + 1, sizeof(*asking->ocs));
	uint32_t count = asking->ocs == NULL || room == 0 ? 0 : node->states(node->ctx, asking->ocs, room);
	asking->held = count < room ? count : room;
	if (asking->held > 0)
		qsort(asking->ocs, asking->held, sizeof(*asking->ocs), worse);
	while (asking->states < asking->held && asking->ocs[asking->states].active)
		asking->states++;
}

static bool is_held_here(const struct asking *asking, const struct oc_report_key *key)
{
	for (uint32_t i = 0; i < asking->states; i++) {
		const struct oc_ocs_view *ocs = &asking->ocs[i];
		if (ocs->is_own && ocs->type == key->type && ocs->app_id == key->app_id &&
		    ocs->subject == key->subject)
			return true;
	}
	return false;
}

static void take_orders(const struct oweb_node *node, struct asking *asking)
{
	uint32_t room = node->orders(node->ctx, NULL, 0);

	asking->order = calloc(room + 1, sizeof(*asking->order));
	uint32_t count =
		asking->order == NULL || room == 0 ? 0 : node->orders(node->ctx, asking->order, room);
	for (uint32_t i = 0; i < count && i < room; i++) {
		const struct oc_report_view *order = &asking->order[i];
		if (!order->is_withdrawn && !order->is_ended && !is_held_here(asking, &order->order.key))
			asking->order[asking->orders++] = *order;
	}
}

/* "30 % less", "at most 250 requests/s". */
static const char *value_text(bool is_rate, uint32_t rate_rps, uint32_t reduction_pct, char buf[static 40])
{
	if (is_rate)
		snprintf(buf, 40, "at most %" PRIu32 " requests/s", rate_rps);
	else
		snprintf(buf, 40, "%" PRIu32 " %% less", reduction_pct);
	return buf;
}

static json_t *state_sentence(const struct oweb_server *server, const struct oc_ocs_view *ocs)
{
	char text[800], value[40], app[16];
	const char *subject = oweb_view_name(server, ocs->subject);

	value_text(ocs->algorithm == OC_ALGO_RATE, ocs->rate_rps, ocs->reduction_pct, value);
	int len = ocs->is_own
			  ? snprintf(text, sizeof(text), "this node itself asks for %s to %s", value, subject)
			  : snprintf(text, sizeof(text), "%s asks for %s", subject, value);
	len += snprintf(text + len, sizeof(text) - (size_t)len, " (%s, %s, %s), held for %" PRIu64 " s",
			oc_algo_text(ocs->algorithm), oc_report_type_text(ocs->type),
			ocs->app_id == OC_APP_ANY ? "all applications" : oev_app_text(ocs->app_id, app),
			oweb_seconds_since(ocs->begun_ns, oweb_server_now_ns(server)));
	if (ocs->same_matched > 0 && ocs->algorithm == OC_ALGO_LOSS)
		snprintf(text + len, sizeof(text) - (size_t)len, "; we selected %.2f %%",
			 100.0 * (double)ocs->same_selected / (double)ocs->same_matched);
	return json_string(text);
}

static json_t *order_sentence(const struct oweb_server *server, const struct oc_report_view *order)
{
	char text[640], value[40], app[16];
	const struct oc_report_order *of = &order->order;
	const char *subject = of->key.subject == 0 ? "" : oweb_view_name(server, of->key.subject);
	bool is_peer = of->key.type == OC_REPORT_PEER;

	value_text(!of->has_reduction, of->rate_rps, of->reduction_pct, value);
	snprintf(text, sizeof(text),
		 "this node itself asks %s%s for %s%s%s (%s, %s), told in %" PRIu64 " answers",
		 is_peer ? "" : "its clients",
		 !is_peer	      ? ""
		 : subject[0] != '\0' ? subject
				      : "its neighbours",
		 value, is_peer ? "" : " to ", is_peer ? "" : subject, oc_report_type_text(of->key.type),
		 of->key.app_id == OC_APP_ANY ? "all applications" : oev_app_text(of->key.app_id, app),
		 order->sent);
	return json_string(text);
}

static json_t *returning(const struct oweb_server *server, const struct oc_ocs_view *ocs)
{
	char text[640], app[16];

	snprintf(text, sizeof(text),
		 "returning to full traffic: %.0f %% still held back (%s, %s, %s); nobody asks for less any "
		 "more",
		 100.0 * ocs->share_ppm / OC_PPM, oc_report_type_text(ocs->type),
		 oweb_view_name(server, ocs->subject),
		 ocs->app_id == OC_APP_ANY ? "all applications" : oev_app_text(ocs->app_id, app));
	return json_string(text);
}

/* Nobody asks for less: what is held back still of a state that ended, or for how long this node is up. */
static json_t *quiet(const struct oweb_server *server, const struct asking *asking)
{
	const struct oc_ocs_view *ended = asking->held > 0 ? &asking->ocs[0] : NULL;
	struct oweb_facts facts = { 0 };
	char text[96];

	server->node->facts(server->node->ctx, &facts);
	if (ended != NULL && ended->share_ppm > 0 && !facts.is_observing)
		return returning(server, ended);
	uint64_t now_us = oweb_server_wall_us(server);
	uint64_t up_s = now_us > facts.started_us ? (now_us - facts.started_us) / 1000000 : 0;
	snprintf(text, sizeof(text), "nobody asks for less; up for %" PRIu64 " h %" PRIu64 " m", up_s / 3600,
		 up_s / 60 % 60);
	return json_string(text);
}

json_t *oweb_view_sentences(const struct oweb_server *server)
{
	struct asking asking = { 0 };
	json_t *list = json_array();

	if (server->node == NULL) {
		json_array_append_new(list, json_string(FINISHED));
		return list;
	}
	take_states(server->node, &asking);
	take_orders(server->node, &asking);
	for (uint32_t i = 0; i < asking.states && i < SENTENCES_MAX; i++)
		json_array_append_new(list, state_sentence(server, &asking.ocs[i]));
	if (asking.states > SENTENCES_MAX) {
		char text[40];
		snprintf(text, sizeof(text), "and %" PRIu32 " more", asking.states - SENTENCES_MAX);
		json_array_append_new(list, json_string(text));
	}
	for (uint32_t i = 0; i < asking.orders && i < SENTENCES_MAX; i++)
		json_array_append_new(list, order_sentence(server, &asking.order[i]));
	if (asking.states + asking.orders == 0)
		json_array_append_new(list, quiet(server, &asking));
	free(asking.ocs);
	free(asking.order);
	return list;
}
