/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Growing text.
 */
#include "oweb_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_FIRST 256u

static bool make_room(struct oweb_text *text, size_t more)
{
	size_t size = text->size == 0 ? TEXT_FIRST : text->size;

	if (text->failed)
		return false;
	while (size < text->len + more + 1)
		size *= 2;
	if (size == text->size)
		return true;
	char *data = realloc(text->data, size);
	if (data == NULL) {
		oweb_text_free(text);
		text->failed = true;
		return false;
	}
	text->data = data;
	text->size = size;
	return true;
}

void oweb_text_add(struct oweb_text *text, const char *data, size_t len)
{
	if (!make_room(text, len))
		return;
	if (len > 0)
		memcpy(text->data + text->len, data, len);
	text->len += len;
	text->data[text->len] = '\0';
}

void oweb_text_put(struct oweb_text *text, const char *string)
{
	oweb_text_add(text, string, strlen(string));
}

void oweb_text_format(struct oweb_text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (len < 0 || !make_room(text, (size_t)len))
		return;
	va_start(args, format);
	vsnprintf(text->data + text->len, (size_t)len + 1, format, args);
	va_end(args);
	text->len += (size_t)len;
}

void oweb_text_free(struct oweb_text *text)
{
	free(text->data);
	*text = (struct oweb_text){ .failed = text->failed };
}
