/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the numbers say, part by part: does it help, who causes it, who was told and goes on. oweb_view_sentences() puts them together.
 *
 * These are the only words about it: the page, doic ctl and doic top show them as they are. Claims stop where a receipt is missing.
 */
#pragma once

#include "../agent/oc_agent.h"
#include "oweb_past.h"
#include "oweb_sentence.h"

struct oweb_server;

/* A rate now (the mean of up to ten seconds) and before anything was asked for; NaN where that is not known. */
struct oweb_change {
	double now, before;
};

/* What a state's subject gets and answers. */
struct oweb_effect {
	bool is_recorded; /* false: nothing tells of the last minutes */
	uint64_t for_s;	  /* asked for since */
	double asked;	  /* the share to be taken away; 0 where a rate is asked for */
	struct oweb_change sent, useful, answers;
};

/* @past may be NULL: nothing is recorded. */
struct oweb_effect oweb_story_effect_of(const struct oweb_server *server, struct oweb_past *past,
					const struct oc_ocs_view *ocs);
/* Whether it helps: only what changed since before is an effect. */
void oweb_story_effect(struct oweb_sentence *sentence, const struct oweb_effect *effect);

/* Who sends more than usual, or why nobody is named. @past may be NULL. @for_s: how long the oldest of what is asked for is. */
json_t *oweb_story_cause(const struct oweb_server *server, struct oweb_past *past, uint64_t for_s);

/* Who was told to send less and goes on, or does so only in part; NULL when nobody does. */
json_t *oweb_story_heed(const struct oweb_server *server);
