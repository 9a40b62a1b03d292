/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sentences of parts.
 */
#include "oweb_sentence.h"

#include <stdarg.h>
#include <stdio.h>

#include "oweb_json.h"

#define SAID_MAX 1200u /* at once: two names and numbers */

static void add_brief(struct oweb_sentence *sentence, const char *text)
{
	if (!sentence->is_brief)
		oweb_text_put(&sentence->brief, text);
}

static json_t *add_part(struct oweb_sentence *sentence, const char *text)
{
	json_t *part = json_object();

	if (sentence->parts == NULL)
		sentence->parts = json_array();
	json_object_set_new(part, "text", oweb_json_shown(text));
	json_array_append_new(sentence->parts, part);
	return part;
}

/* What was said becomes a part that leads nowhere. */
static void end_plain(struct oweb_sentence *sentence)
{
	if (sentence->plain.len > 0)
		(void)add_part(sentence, sentence->plain.data);
	oweb_text_free(&sentence->plain);
}

void oweb_sentence_say(struct oweb_sentence *sentence, const char *format, ...)
{
	char text[SAID_MAX];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	oweb_text_put(&sentence->plain, text);
	add_brief(sentence, text);
}

static json_t *add_link(struct oweb_sentence *sentence, const char *text)
{
	end_plain(sentence);
	add_brief(sentence, text);
	return add_part(sentence, text);
}

void oweb_sentence_state(struct oweb_sentence *sentence, const char *text, uint32_t version)
{
	json_object_set_new(add_link(sentence, text), "version", json_integer(version));
}

void oweb_sentence_node(struct oweb_sentence *sentence, const char *node)
{
	json_object_set_new(add_link(sentence, node), "node", oweb_json_shown(node));
}

void oweb_sentence_screen(struct oweb_sentence *sentence, const char *text, const char *screen)
{
	json_object_set_new(add_link(sentence, text), "screen", json_string(screen));
}

void oweb_sentence_brief(struct oweb_sentence *sentence)
{
	add_brief(sentence, ".");
	sentence->is_brief = true;
}

json_t *oweb_sentence_end(struct oweb_sentence *sentence, const char *kind)
{
	end_plain(sentence);
	json_t *object = json_pack("{s:s, s:o*}", "kind", kind, "parts", sentence->parts);
	if (object != NULL && sentence->is_brief && !sentence->brief.failed)
		json_object_set_new(object, "brief", oweb_json_shown(sentence->brief.data));
	oweb_text_free(&sentence->brief);
	*sentence = (struct oweb_sentence){ 0 };
	return object;
}

void oweb_sentence_text(const json_t *sentence, struct oweb_text *out)
{
	json_t *part;
	size_t i;

	json_array_foreach(json_object_get(sentence, "parts"), i, part)
	{
		const char *text = json_string_value(json_object_get(part, "text"));
		oweb_text_put(out, text != NULL ? text : "");
	}
}
