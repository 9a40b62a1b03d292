/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A world for random lives: how it begins, what is kept of it, and how it is lived again.
 */
#include "help_world.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help_core.h"

/* True when the content is told later: it is not the first of its step. */
static bool hold_back(struct help_world *w, const struct oc_event *event)
{
	bool is_next = event->mono_ns == w->content_ns;

	w->content_ns = event->mono_ns;
	if (!w->is_mixed || !is_next || w->held_count == OC_BATCH_MAX)
		return false;
	w->held[w->held_count++] = *event;
	return true;
}

static void tell_held(struct help_world *w)
{
	w->mixed += w->held_count > 0;
	for (uint32_t i = 0; i < w->held_count; i++)
		help_life_event(w->life, &w->held[i]);
	w->held_count = 0;
}

static void keep(void *ctx, const struct oc_event *event)
{
	struct help_world *w = ctx;

	pthread_mutex_lock(&w->lock);
	if (event->kind != OC_EVENT_OWN_REPORT) {
		help_life_event(w->life, event);
	} else if (!hold_back(w, event)) {
		help_life_event(w->life, event);
		tell_held(w);
	}
	pthread_mutex_unlock(&w->lock);
}

static uint32_t name(struct help_world *w, const char *text)
{
	struct oc_bytes bytes = { .data = (const uint8_t *)text, .len = strlen(text) };

	return oc_names_id(w->names, bytes, NULL);
}

static uint32_t name_nth(struct help_world *w, char letter, uint32_t i)
{
	char text[32];

	snprintf(text, sizeof(text), "%c%u.example.net", letter, i);
	return name(w, text);
}

struct help_world *help_world_new(uint64_t pace_ns, uint32_t rounds)
{
	struct help_world *w = calloc(1, sizeof(*w));
	struct oc_report_policy *reports = &w->policy.reports;

	w->names = oc_names_new(256, 1);
	w->pace_ns = pace_ns;
	w->rounds = rounds;
	pthread_mutex_init(&w->lock, NULL);
	atomic_init(&w->clock_ns, 1000 * SECOND);
	for (uint32_t i = 0; i < SERVERS; i++)
		w->servers[i] = name_nth(w, 's', i);
	for (uint32_t i = 0; i < CLIENTS; i++)
		w->clients[i] = name_nth(w, 'c', i);
	w->realm = name(w, "example.net");
	oc_policy_init(&w->policy);
	w->policy.default_trust = 0x3ff;
	w->policy.outstanding_max = 4;
	memcpy(reports->sole_paths[reports->sole_path_count++], "s0.example.net", 15);
	memcpy(reports->realms[reports->realm_count++], "example.net", 12);
	struct oc_agent_conf conf = { .identity = "agent.example.net",
				      .realm = "example.net",
				      .names = w->names,
				      .ocs_max = 64,
				      .retry_memory = 16,
				      .session_memory = 16,
				      .load_nodes = 8,
				      .first_sequence = 1000,
				      .now_ns = 1000 * SECOND,
				      .emit = keep,
				      .emit_ctx = w };
	w->life = help_life_begin(&conf, &w->policy);
	w->agent = oc_agent_new(&conf, &w->policy);
	return w;
}

uint64_t help_world_end(struct help_world *w)
{
	char text[HELP_LIFE_TEXT_MAX];

	oc_agent_free(w->agent, atomic_load(&w->clock_ns));
	tell_held(w);
	struct oc_replay_counts counts = help_life_again(w->life, text);
	CU_ASSERT_EQUAL(counts.differing, 0);
	CU_ASSERT_EQUAL(counts.inexact, 0);
	CU_ASSERT_EQUAL(counts.late, 0);
	CU_ASSERT_EQUAL(counts.unknown, 0);
	CU_ASSERT_EQUAL(counts.orphans, 0);
	CU_ASSERT_STRING_EQUAL(text, "");
	if (text[0])
		printf("%s\n", text);
	help_life_free(w->life);
	oc_names_free(w->names);
	pthread_mutex_destroy(&w->lock);
	free(w);
	return counts.decisions;
}
