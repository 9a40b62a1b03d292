/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Keeps the events of a life one after the other, and gives them to a replay.
 */
#include "help_life.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct change {
	struct change *next;
	uint64_t at_ns;
	struct oc_policy policy;
};

struct help_life {
	struct oc_agent_conf conf;
	struct oc_policy policy;
	uint8_t *octets; /* events, each as long as it is */
	size_t len;
	size_t room;
	struct change *changes;
};

struct help_life *help_life_begin(const struct oc_agent_conf *conf, const struct oc_policy *policy)
{
	struct help_life *life = calloc(1, sizeof(*life));

	if (!life)
		return NULL;
	life->conf = *conf;
	life->conf.emit = NULL;
	life->policy = *policy;
	return life;
}

void help_life_free(struct help_life *life)
{
	if (!life)
		return;
	for (struct change *next; life->changes; life->changes = next) {
		next = life->changes->next;
		free(life->changes);
	}
	free(life->octets);
	free(life);
}

void help_life_event(struct help_life *life, const struct oc_event *event)
{
	size_t size = oc_event_size(event);

	if (life->len + size > life->room) {
		size_t room = life->room ? 2 * life->room : 1u << 16;
		uint8_t *octets = realloc(life->octets, room);
		if (!octets)
			abort();
		life->octets = octets;
		life->room = room;
	}
	memcpy(life->octets + life->len, event, size);
	life->len += size;
}

void help_life_policy(struct help_life *life, const struct oc_policy *policy, uint64_t at_ns)
{
	struct change *change = malloc(sizeof(*change));

	if (!change)
		abort();
	*change = (struct change){ .next = life->changes, .at_ns = at_ns, .policy = *policy };
	life->changes = change;
}

static void tell_look(char *text, size_t size, const struct oc_look *look)
{
	snprintf(text, size, "%u/%u/%u", look->version, look->share_ppm, look->nth);
}

static void tell_decision(char *text, size_t size, const struct oc_decision *d)
{
	char realm[40], host[40], peer[40];

	tell_look(realm, sizeof(realm), &d->realm);
	tell_look(host, sizeof(host), &d->host);
	tell_look(peer, sizeof(peer), &d->peer);
	snprintf(
		text, size,
		"realm %s host %s peer %s first %u next %u verdict %u why %u by %u class %u code %u flags %x",
		realm, host, peer, d->first_choice, d->next_hop, d->verdict, d->why, d->selected_by, d->klass,
		d->result_code, d->flags);
}

static void on_decided(void *ctx, const struct oc_decision *recorded, const struct oc_decision *replayed)
{
	const char *what = oc_replay_difference(recorded, replayed);
	char *text = ctx;
	char was[240], is[240];

	if (!what || text[0])
		return;
	tell_decision(was, sizeof(was), recorded);
	tell_decision(is, sizeof(is), replayed);
	snprintf(text, HELP_LIFE_TEXT_MAX, "decision %llu differs in %s:\n  was %s\n  is  %s",
		 (unsigned long long)recorded->id, what, was, is);
}

static void give(const struct help_life *life, struct oc_replay *replay)
{
	struct oc_event event;
	size_t size;

	for (size_t at = 0; at < life->len; at += size) {
		memcpy(&event, life->octets + at, offsetof(struct oc_event, u));
		size = oc_event_size(&event);
		memcpy(&event, life->octets + at, size);
		(void)oc_replay_feed(replay, &event);
	}
	for (const struct change *c = life->changes; c; c = c->next)
		(void)oc_replay_policy(replay, &c->policy, c->at_ns);
}

struct oc_replay_counts help_life_again(const struct help_life *life, char text[static HELP_LIFE_TEXT_MAX])
{
	struct oc_replay_conf conf = { .agent = life->conf, .decided = on_decided, .ctx = text };
	struct oc_replay *replay = oc_replay_new(&conf, &life->policy);

	text[0] = '\0';
	if (!replay)
		abort();
	give(life, replay);
	(void)oc_replay_run(replay, UINT64_MAX);
	struct oc_replay_counts counts = oc_replay_counts(replay);
	oc_replay_free(replay);
	return counts;
}
