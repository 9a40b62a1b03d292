/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The world itself: its agent, names, clock, and what it hears from the agent.
 */
#include "scn_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TICK_NS 100000000ull
#define AFTER_NS                                                                                             \
	10000ull /* what happens at one time in a story takes a nanosecond each: a time is told to be over a little later */
#define TICKS_MAX 2000ull /* in one passing of time, however long */

uint64_t scn_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static void on_decision(struct scn_world *w, const struct oc_decision *d)
{
	struct scn_tally *t = &w->tally;

	w->decision = *d;
	t->verdict[d->verdict]++;
	t->by_class[d->klass][d->verdict]++;
	t->by_kind[w->kind][d->verdict]++;
	t->unrouted += d->why == OC_WHY_UNROUTED;
	t->own += d->why == OC_WHY_OWN;
	t->why_outstanding += d->why == OC_WHY_OUTSTANDING;
	t->code_3004 += d->result_code == OC_RC_TOO_BUSY;
	t->code_5012 += d->result_code == OC_RC_UNABLE_TO_COMPLY;
	for (unsigned i = 0; i < SCN_FLAGS; i++)
		t->flag[i] += (d->flags >> i) & 1u;
}

static void on_event(void *ctx, const struct oc_event *event)
{
	struct scn_world *w = ctx;

	help_life_event(w->life, event);
	w->events[event->kind]++;
	if (event->kind == OC_EVENT_DECISION)
		on_decision(w, &event->u.decision);
	if (event->kind == OC_EVENT_REPORT)
		w->report = event->u.report;
	if (event->kind == OC_EVENT_OWN_REPORT)
		w->own_report = event->u.own_report;
	if (event->kind == OC_EVENT_OCS_CHANGE) {
		w->change = event->u.ocs_change;
		w->ends[event->u.ocs_change.how]++;
	}
}

static struct oc_agent *new_agent(struct scn_world *w, uint64_t first_sequence)
{
	struct oc_agent_conf conf = { .identity = "agent.example.net",
				      .names = w->names,
				      .ocs_max = 256,
				      .retry_memory = 1024,
				      .session_memory = 1024,
				      .first_sequence = first_sequence,
				      .realm = "example.net",
				      .now_ns = w->now_ns,
				      .emit = on_event,
				      .emit_ctx = w };

	w->life = help_life_begin(&conf, &w->policy);
	return oc_agent_new(&conf, &w->policy);
}

bool scn_end_life(struct scn_world *w)
{
	char text[HELP_LIFE_TEXT_MAX];

	oc_agent_free(w->agent, w->now_ns);
	struct oc_replay_counts counts = help_life_again(w->life, text);
	help_life_free(w->life);
	w->agent = NULL;
	w->life = NULL;
	if (counts.differing == 0 && counts.inexact == 0 && counts.late == 0 && counts.unknown == 0)
		return true;
	printf("lived again: %llu of %llu decisions differ, %llu inexact, %llu late, %llu unknown; %s\n",
	       (unsigned long long)counts.differing, (unsigned long long)counts.decisions,
	       (unsigned long long)counts.inexact, (unsigned long long)counts.late,
	       (unsigned long long)counts.unknown, text);
	return false;
}

struct scn_world *scn_world_new(void)
{
	struct scn_world *w = calloc(1, sizeof(*w));
	if (!w)
		return NULL;
	w->pending = calloc(SCN_PENDING_MAX, sizeof(*w->pending));
	w->names = oc_names_new(2048, 1);
	w->now_ns = SCN_START_NS;
	w->chance = 20260101;
	w->arrivals = 7;
	w->app_id = OC_APP_GX;
	scn_answer_init(&w->reply);
	oc_policy_init(&w->policy);
	w->policy.ramp_ms = 0;
	w->policy.outstanding_max = 0;
	w->agent = new_agent(w, 0);
	return w;
}

void scn_world_free(struct scn_world *w)
{
	oc_names_free(w->names);
	for (uint32_t i = 0; i < w->text_count; i++)
		free(w->texts[i]);
	free(w->pending);
	free(w);
}

void scn_restart(struct scn_world *w, uint64_t first_sequence)
{
	w->lives_failed += !scn_end_life(w);
	w->pending_count = 0;
	w->agent = new_agent(w, first_sequence);
	for (uint32_t i = 0; i < w->peer_count; i++)
		if (w->peers[i].is_up)
			oc_agent_on_peer(w->agent, w->peers[i].name, true, w->now_ns);
}

void scn_apply_policy(struct scn_world *w)
{
	w->policy.version++;
	help_life_policy(w->life, &w->policy, oc_agent_set_policy(w->agent, &w->policy, w->now_ns));
}

void scn_pass(struct scn_world *w, uint64_t to_ns)
{
	uint64_t step_ns = TICK_NS;

	if (to_ns > w->now_ns && (to_ns - w->now_ns) / TICKS_MAX > TICK_NS)
		step_ns = (to_ns - w->now_ns) / TICKS_MAX;
	while (w->now_ns + step_ns < to_ns) {
		w->now_ns += step_ns;
		oc_agent_tick(w->agent, w->now_ns);
	}
	w->now_ns = to_ns + AFTER_NS;
	oc_agent_tick(w->agent, w->now_ns);
}

const char *scn_keep(struct scn_world *w, const char *text)
{
	for (uint32_t i = 0; i < w->text_count; i++)
		if (strcmp(w->texts[i], text) == 0)
			return w->texts[i];
	if (w->text_count == SCN_TEXTS_MAX)
		return NULL;
	w->texts[w->text_count] = strdup(text);
	return w->texts[w->text_count++];
}

const char *scn_identity(struct scn_world *w, const char *text)
{
	char full[OC_IDENT_MAX + 1];
	size_t len = strlen(text);

	if (len + sizeof(".example.net") > sizeof(full))
		return NULL;
	memcpy(full, text, len + 1);
	if (!strchr(text, '.'))
		memcpy(full + len, ".example.net", sizeof(".example.net"));
	return scn_keep(w, full);
}

uint32_t scn_name(struct scn_world *w, const char *text)
{
	const char *full = scn_identity(w, text);

	if (!full)
		return OC_NAME_NONE;
	struct oc_bytes bytes = { .data = (const uint8_t *)full, .len = strlen(full) };
	return oc_names_id(w->names, bytes, NULL);
}

struct scn_peer *scn_peer_of(struct scn_world *w, uint32_t name)
{
	for (uint32_t i = 0; i < w->peer_count; i++)
		if (w->peers[i].name == name)
			return &w->peers[i];
	if (w->peer_count == SCN_PEERS_MAX)
		return NULL;
	w->peers[w->peer_count] = (struct scn_peer){ .name = name };
	return &w->peers[w->peer_count++];
}
