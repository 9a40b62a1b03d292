/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Commands that let something happen: requests, reports, orders, time, failures.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "lab_node.h"
#include "lab_words.h"

#define CLIENTS_MAX 8

static struct lab_node *node_at(struct lab_world *w, const struct lab_words *words, int nth)
{
	const char *word = lab_words_plain(words, nth);

	return word ? lab_node_of(w, word) : NULL;
}

/* Wishes of a "send"; clients take turns. */
struct wishes {
	struct lab_node *clients[CLIENTS_MAX];
	int client_count;
	uint64_t count;
	double gap_ns;
	char host[LAB_NAME_MAX];
	char realm[LAB_NAME_MAX];
	uint32_t app_id;
	uint32_t drmp[CLIENTS_MAX]; /* of each client */
};

static bool take_clients(struct lab_world *w, const char *text, struct wishes *wishes)
{
	char copy[256];
	char *save = NULL;

	snprintf(copy, sizeof(copy), "%s", text ? text : "");
	for (char *word = strtok_r(copy, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		struct lab_node *client = lab_node_of(w, word);
		if (!client || client->kind != LAB_CLIENT || wishes->client_count == CLIENTS_MAX)
			return false;
		wishes->clients[wishes->client_count++] = client;
	}
	return wishes->client_count > 0;
}

/* One value for all, or one for each client. */
static void take_drmp(const char *text, struct wishes *wishes)
{
	for (int i = 0; i < CLIENTS_MAX; i++) {
		const char *comma = text ? strchr(text, ',') : NULL;
		wishes->drmp[i] = text ? (uint32_t)strtoul(text, NULL, 0) : OC_DRMP_NONE;
		text = comma ? comma + 1 : text;
	}
}

static void send_all(struct lab_world *w, const struct wishes *wishes)
{
	uint64_t begin_ns = w->now_ns;

	for (uint64_t i = 0; i < wishes->count; i++) {
		uint64_t turn = i % (uint64_t)wishes->client_count;
		struct lab_call *call = lab_call_new(w, wishes->clients[turn]);
		memcpy(call->dest_host, wishes->host, sizeof(call->dest_host));
		memcpy(call->dest_realm, wishes->realm, sizeof(call->dest_realm));
		call->app_id = wishes->app_id;
		call->drmp = wishes->drmp[turn];
		lab_client_send(w, call);
		lab_run_until(w, begin_ns + (uint64_t)((double)(i + 1) * wishes->gap_ns));
	}
}

static int run_send(struct lab_story *story, const struct lab_words *words)
{
	struct lab_world *w = story->world;
	const char *host = lab_words_get(words, "dh");
	const char *realm = lab_words_get(words, "realm");
	uint64_t rps = lab_words_number(words, "at", 0);
	struct wishes wishes = { .count = words->count > 1 ? strtoull(words->word[1], NULL, 0) : 0,
				 .gap_ns = rps ? 1e9 / (double)rps : 0.0,
				 .app_id = (uint32_t)lab_words_number(words, "app", w->app_id) };

	if (wishes.count == 0 || !take_clients(w, lab_words_get(words, "client"), &wishes))
		return -1;
	take_drmp(lab_words_get(words, "drmp"), &wishes);
	if (host)
		lab_full_name(host, wishes.host);
	snprintf(wishes.realm, sizeof(wishes.realm), "%s", realm ? realm : "example.net");
	if (!lab_words_get(words, "more"))
		lab_forget(w);
	send_all(w, &wishes);
	return 1;
}

static struct lab_report *report_like(struct lab_node *server, uint32_t type, uint32_t origin, uint32_t app,
				      const char *source)
{
	struct lab_report *room = NULL;

	for (uint32_t i = LAB_HELD_MAX; i-- > 0;) {
		struct lab_report *r = &server->held[i];
		if (!r->is_used)
			room = r;
		else if (r->olr.type == type && r->origin == origin && r->app_id == app &&
			 strcmp(r->source, source) == 0)
			return r;
	}
	return room;
}

static int run_report(struct lab_story *story, const struct lab_words *words)
{
	struct lab_world *w = story->world;
	struct lab_node *server = node_at(w, words, 1);
	const char *type = lab_words_plain(words, 2);
	const char *origin = lab_words_get(words, "origin");
	const char *source = lab_words_get(words, "source");
	struct lab_report made = { .is_used = true };
	char full[LAB_NAME_MAX] = "";

	if (!server || server->kind != LAB_SERVER || !type)
		return -1;
	if (strcmp(type, "off") == 0) {
		memset(server->held, 0, sizeof(server->held));
		return 1;
	}
	if (source)
		lab_full_name(source, made.source);
	if (origin)
		lab_full_name(origin, full);
	made.origin = origin ? lab_name(w->names, full) : 0;
	made.app_id = (uint32_t)lab_words_number(words, "app", 0);
	made.olr.sequence = lab_words_number(words, "seq", server->sequence + 1);
	server->sequence = made.olr.sequence;
	made.olr.type = lab_type(type);
	made.olr.reduction_pct = (uint32_t)lab_words_number(words, "pct", 0);
	made.olr.rate_rps = (uint32_t)lab_words_number(words, "rate", 0);
	made.olr.validity_s = (uint32_t)lab_words_number(words, "validity", 60);
	made.olr.has = lab_words_get(words, "rate") ? OC_OLR_HAS_RATE : OC_OLR_HAS_REDUCTION;
	struct lab_report *place = report_like(server, made.olr.type, made.origin, made.app_id, made.source);
	if (!place)
		return -1;
	*place = made;
	return 1;
}

static int run_load(struct lab_story *story, const struct lab_words *words)
{
	struct lab_node *node = node_at(story->world, words, 1);
	const char *value = lab_words_plain(words, 2);
	const char *source = lab_words_get(words, "source");

	if (!node || (!value && !lab_words_get(words, "peer")))
		return -1;
	if (node->agent) {
		oc_agent_set_load(node->agent, (uint32_t)strtoul(value, NULL, 0));
		return 1;
	}
	if (value)
		node->host_load = strcmp(value, "off") == 0 ? -1 : (int32_t)strtol(value, NULL, 0);
	node->peer_load = (int32_t)lab_words_number(words, "peer", (uint64_t)(int64_t)node->peer_load);
	if (source)
		lab_full_name(source, node->peer_load_source);
	return 1;
}

/* H or R SUBJECT; P without one, or with the neighbour it is for. */
static bool key_from(struct lab_world *w, const struct lab_words *words, struct lab_node **node,
		     struct oc_report_key *key)
{
	const char *type = lab_words_plain(words, 2);
	const char *subject = lab_words_plain(words, 3);
	char full[LAB_NAME_MAX];

	*node = node_at(w, words, 1);
	if (!*node || !(*node)->agent || !type)
		return false;
	key->type = (uint8_t)lab_type(type);
	key->app_id = (uint32_t)lab_words_number(words, "app", OC_APP_ANY);
	key->subject = 0;
	if (subject && key->type == OC_REPORT_REALM)
		key->subject = lab_name((*node)->names, subject);
	else if (subject) {
		lab_full_name(subject, full);
		key->subject = lab_name((*node)->names, full);
	}
	return true;
}

/* order AGENT TYPE [SUBJECT] [pct=N] [rate=N] [validity=N]; with refused=1 the agent must say no. */
static int run_order(struct lab_story *story, const struct lab_words *words)
{
	struct lab_world *w = story->world;
	struct lab_node *node;
	struct oc_report_order order = { .has_reduction = lab_words_get(words, "pct") != NULL,
					 .has_rate = lab_words_get(words, "rate") != NULL,
					 .reduction_pct = (uint32_t)lab_words_number(words, "pct", 0),
					 .rate_rps = (uint32_t)lab_words_number(words, "rate", 0),
					 .validity_s = (uint32_t)lab_words_number(words, "validity", 0) };

	if (!key_from(w, words, &node, &order.key))
		return -1;
	int wanted = lab_words_get(words, "refused") ? OC_EREFUSED : OC_OK;
	int rc = oc_agent_order(node->agent, &order, NULL, w->now_ns);
	oc_agent_tick(node->agent, w->now_ns);
	return rc == wanted ? 1 : -1;
}

static int run_withdraw(struct lab_story *story, const struct lab_words *words)
{
	struct lab_node *node;
	struct oc_report_key key;

	if (!key_from(story->world, words, &node, &key))
		return -1;
	return oc_agent_withdraw(node->agent, &key, NULL, story->world->now_ns) == OC_OK ? 1 : -1;
}

/* time SECONDS since the story began; wait SECONDS more. */
static int run_time(struct lab_story *story, const struct lab_words *words)
{
	struct lab_world *w = story->world;
	bool is_more = strcmp(words->word[0], "wait") == 0;

	if (words->count != 2)
		return -1;
	uint64_t span = (uint64_t)llround(strtod(words->word[1], NULL) * 1000.0) * 1000000ull;
	uint64_t until = (is_more ? w->now_ns : LAB_BIRTH_NS) + span;
	if (until < w->now_ns)
		return -1;
	lab_run_until(w, until);
	return 1;
}

/* mute, talk SERVER; down, up NODE. */
static int run_change(struct lab_story *story, const struct lab_words *words)
{
	struct lab_node *node = node_at(story->world, words, 1);

	if (!node)
		return -1;
	switch (words->word[0][0]) {
	case 'm':
		node->service.is_mute = true;
		break;
	case 't':
		lab_server_talk(story->world, node);
		break;
	case 'd':
		lab_node_down(story->world, node);
		break;
	default:
		lab_node_up(story->world, node);
		break;
	}
	return 1;
}

static int run_trace(struct lab_story *story, const struct lab_words *words)
{
	story->world->is_tracing = words->count == 2 && strcmp(words->word[1], "on") == 0;
	return 1;
}

/* Another network begins; what was kept stays. */
static int run_reset(struct lab_story *story, const struct lab_words *words)
{
	(void)words;
	story->lives_failed += lab_world_free(story->world);
	story->world = lab_world_new();
	return story->world ? 1 : -1;
}

int lab_act(struct lab_story *story, const struct lab_words *words, char *error, size_t size)
{
	static const struct {
		const char *name;
		int (*run)(struct lab_story *story, const struct lab_words *words);
	} commands[] = {
		{ "send", run_send },	{ "report", run_report },     { "load", run_load },
		{ "order", run_order }, { "withdraw", run_withdraw }, { "time", run_time },
		{ "wait", run_time },	{ "mute", run_change },	      { "talk", run_change },
		{ "down", run_change }, { "up", run_change },	      { "trace", run_trace },
		{ "reset", run_reset },
	};

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(words->word[0], commands[i].name) == 0) {
			snprintf(error, size, "cannot do this %s", commands[i].name);
			return commands[i].run(story, words);
		}
	return 0;
}
