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

void help_life_forget_policies(struct help_life *life)
{
	for (struct change *next; life->changes; life->changes = next) {
		next = life->changes->next;
		free(life->changes);
	}
}

void help_life_free(struct help_life *life)
{
	if (!life)
		return;
	help_life_forget_policies(life);
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
	char was[220], is[220];

	if (!what || text[0])
		return;
	tell_decision(was, sizeof(was), recorded);
	tell_decision(is, sizeof(is), replayed);
	snprintf(text, HELP_LIFE_TEXT_MAX, "decision %llu differs in %s:\n  was %s\n  is  %s",
		 (unsigned long long)recorded->id, what, was, is);
}

/* Versions of states by number and contents of our own reports by time, as they were told then: threads may have told them in
 * another order. */
struct again {
	struct oc_event *versions;
	uint32_t room;
	struct oc_event *contents;
	uint32_t content_count;
	uint32_t content_room;
	uint32_t content_at; /* the next of them */
	char *text;
};

static void learn_content(struct again *again, const struct oc_event *event)
{
	if (again->content_count == again->content_room) {
		again->content_room = again->content_room ? 2 * again->content_room : 64;
		again->contents = realloc(again->contents, again->content_room * sizeof(*event));
		if (!again->contents)
			abort();
	}
	uint32_t i = again->content_count++;
	for (; i > 0 && again->contents[i - 1].mono_ns > event->mono_ns; i--)
		again->contents[i] = again->contents[i - 1];
	memcpy(&again->contents[i], event, oc_event_size(event));
}

static int tell_content(char *text, size_t size, const struct oc_event *event)
{
	const struct oc_event_own_report *c = &event->u.own_report;

	return snprintf(
		text, size,
		"at %llu: type %u app %u about %u target %u for %u s number %llu pct %u rate %u step %u",
		(unsigned long long)event->mono_ns, c->type, c->app_id, c->subject, c->target, c->validity_s,
		(unsigned long long)c->sequence, c->reduction_pct, c->rate_rps, c->step);
}

static void on_content(struct again *again, const struct oc_event *event)
{
	static const struct oc_event none = { 0 };
	uint32_t at = again->content_at++;
	const struct oc_event *was = at < again->content_count ? &again->contents[at] : &none;
	char was_text[200], is_text[200];

	tell_content(was_text, sizeof(was_text), was);
	tell_content(is_text, sizeof(is_text), event);
	if (!again->text[0] && strcmp(was_text, is_text) != 0)
		snprintf(again->text, HELP_LIFE_TEXT_MAX, "own report differs:\n  was %s\n  is  %s", was_text,
			 is_text);
}

static void learn_version(struct again *again, const struct oc_event *event)
{
	uint32_t version = event->u.ocs_version.version;

	if (version >= again->room) {
		uint32_t room = 2 * version + 64;
		again->versions = realloc(again->versions, room * sizeof(*again->versions));
		if (!again->versions)
			abort();
		memset(again->versions + again->room, 0, (room - again->room) * sizeof(*again->versions));
		again->room = room;
	}
	memcpy(&again->versions[version], event, oc_event_size(event));
}

static int tell_version(char *text, size_t size, const struct oc_event *event)
{
	const struct oc_event_ocs_version *v = &event->u.ocs_version;

	return snprintf(text, size,
			"%u at %llu: type %u app %u about %u origin %u for %u s until %llu number %llu pct "
			"%u rate %u",
			v->version, (unsigned long long)event->mono_ns, v->type, v->app_id, v->subject,
			v->origin, v->validity_s, (unsigned long long)v->expires_ns,
			(unsigned long long)v->sequence, v->reduction_pct, v->rate_rps);
}

static void on_told(void *ctx, const struct oc_event *event)
{
	static const struct oc_event none = { 0 };
	struct again *again = ctx;
	char was_text[200], is_text[200];

	if (event->kind == OC_EVENT_OWN_REPORT)
		on_content(again, event);
	if (event->kind != OC_EVENT_OCS_VERSION)
		return;
	uint32_t version = event->u.ocs_version.version;
	const struct oc_event *was = version < again->room ? &again->versions[version] : &none;
	tell_version(was_text, sizeof(was_text), was);
	tell_version(is_text, sizeof(is_text), event);
	if (!again->text[0] && strcmp(was_text, is_text) != 0)
		snprintf(again->text, HELP_LIFE_TEXT_MAX, "version differs:\n  was %s\n  is  %s", was_text,
			 is_text);
}

static bool is_number(const struct oc_event *event)
{
	return event->kind == OC_EVENT_PROFILE || event->kind == OC_EVENT_CANDIDATES;
}

/* The event at @at; where the next one begins. */
static size_t event_at(const struct help_life *life, size_t at, struct oc_event *event)
{
	memcpy(event, life->octets + at, offsetof(struct oc_event, u));
	size_t size = oc_event_size(event);
	memcpy(event, life->octets + at, size);
	return at + size;
}

/* Events that give numbers out, or all others: of two threads the one that uses a number may tell first. */
static void give_events(const struct help_life *life, struct oc_replay *replay, bool are_numbers,
			help_life_fn change, void *ctx)
{
	struct oc_event event;

	for (size_t at = 0; at < life->len;) {
		at = event_at(life, at, &event);
		if (is_number(&event) == are_numbers && (!change || change(ctx, &event)))
			(void)oc_replay_feed(replay, &event);
	}
}

const struct oc_agent_conf *help_life_conf(const struct help_life *life)
{
	return &life->conf;
}

void help_life_give(const struct help_life *life, struct oc_replay *replay, help_life_fn change, void *ctx)
{
	give_events(life, replay, true, change, ctx);
	give_events(life, replay, false, change, ctx);
	for (const struct change *c = life->changes; c; c = c->next)
		(void)oc_replay_policy(replay, &c->policy, c->at_ns);
}

static bool learn(void *ctx, struct oc_event *event)
{
	if (event->kind == OC_EVENT_OCS_VERSION)
		learn_version(ctx, event);
	if (event->kind == OC_EVENT_OWN_REPORT)
		learn_content(ctx, event);
	return true;
}

struct oc_replay_counts help_life_again(const struct help_life *life, char text[static HELP_LIFE_TEXT_MAX])
{
	struct oc_replay_conf conf = { .agent = life->conf, .decided = on_decided, .ctx = text };
	struct again again = { .text = text };

	conf.agent.emit = on_told;
	conf.agent.emit_ctx = &again;
	struct oc_replay *replay = oc_replay_new(&conf, &life->policy);

	text[0] = '\0';
	if (!replay)
		abort();
	help_life_give(life, replay, learn, &again);
	(void)oc_replay_run(replay, UINT64_MAX);
	struct oc_replay_counts counts = oc_replay_counts(replay);
	oc_replay_free(replay);
	free(again.versions);
	free(again.contents);
	return counts;
}
