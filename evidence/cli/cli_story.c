/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sentences as texts.
 */
#include "cli_story.h"

#include <stdlib.h>
#include <string.h>

/* NULL: there is none, or no memory. */
static json_t *text_of(const json_t *sentence)
{
	const json_t *parts = json_object_get(sentence, "parts");
	size_t len = 0, at = 0, i;
	json_t *part;

	json_array_foreach(parts, i, part) len += json_string_length(json_object_get(part, "text"));
	char *text = len > 0 ? calloc(1, len + 1) : NULL;
	if (text == NULL)
		return NULL;
	json_array_foreach(parts, i, part)
	{
		const json_t *said = json_object_get(part, "text");
		if (json_is_string(said))
			memcpy(text + at, json_string_value(said), json_string_length(said));
		at += json_string_length(said);
	}
	json_t *joined = json_string(text);
	free(text);
	return joined;
}

json_t *cli_story(const json_t *status)
{
	json_t *out = json_array(), *sentence;
	size_t i;

	json_array_foreach(json_object_get(status, "sentences"), i, sentence)
	{
		json_t *text = text_of(sentence);
		if (text != NULL)
			json_array_append_new(out, text);
	}
	return out;
}
