/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One sentence as parts: texts, some of which lead somewhere. Whoever shows it joins the texts, or makes links of those that lead.
 *
 * {"kind": "warn", "brief": "s1 asks for 30 % less.", "parts": [{"text": "s1", "version": 41}, {"text": " asks for 30 % less (loss)."}]}
 */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "oweb_text.h"

/* A sentence while it is made; zero is an empty one. To be given to oweb_sentence_end(). */
struct oweb_sentence {
	json_t *parts;
	struct oweb_text plain; /* since the last part that leads somewhere */
	struct oweb_text brief; /* all until it is brief enough */
	bool is_brief;
};

void oweb_sentence_say(struct oweb_sentence *sentence, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Parts that lead to an overload control state, to a node by its name, to a screen of the page ("reports"). */
void oweb_sentence_state(struct oweb_sentence *sentence, const char *text, uint32_t version);
void oweb_sentence_node(struct oweb_sentence *sentence, const char *node);
void oweb_sentence_screen(struct oweb_sentence *sentence, const char *text, const char *screen);

/* What was said so far is enough for who hears it: who asks, not each new digit. */
void oweb_sentence_brief(struct oweb_sentence *sentence);

/* The object, of @kind "ok", "busy", "warn" or "bad"; NULL when out of memory. Empties @sentence. */
json_t *oweb_sentence_end(struct oweb_sentence *sentence, const char *kind);

/* All of it as a text: the parts of the object @sentence, joined. */
void oweb_sentence_text(const json_t *sentence, struct oweb_text *out);
