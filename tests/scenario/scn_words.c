/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Splitting and reading words.
 */
#include "scn_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void scn_words_split(struct scn_words *words, char *text)
{
	char *save = NULL;

	words->count = 0;
	for (char *word = strtok_r(text, " \t\r\n", &save); word; word = strtok_r(NULL, " \t\r\n", &save)) {
		if (word[0] == '#' || words->count == SCN_WORDS_MAX)
			return;
		words->word[words->count++] = word;
	}
}

const char *scn_words_get(const struct scn_words *words, const char *key, int from)
{
	size_t len = strlen(key);

	for (int i = from; i < words->count; i++)
		if (strncmp(words->word[i], key, len) == 0 && words->word[i][len] == '=')
			return words->word[i] + len + 1;
	return NULL;
}

bool scn_words_has(const struct scn_words *words, const char *key)
{
	for (int i = 1; i < words->count; i++)
		if (strcmp(words->word[i], key) == 0)
			return true;
	return false;
}

uint64_t scn_words_number(const struct scn_words *words, const char *key, uint64_t otherwise)
{
	const char *value = scn_words_get(words, key, 1);

	return value ? strtoull(value, NULL, 0) : otherwise;
}

void scn_words_switch(const struct scn_words *words, const char *key, bool *value)
{
	const char *text = scn_words_get(words, key, 1);

	if (text)
		*value = strcmp(text, "on") == 0;
}

void scn_words_u32(const struct scn_words *words, const char *key, uint32_t *value)
{
	*value = (uint32_t)scn_words_number(words, key, *value);
}

int scn_parts(char *text, char separator, char **part, int max)
{
	int count = 0;

	while (text && count < max) {
		part[count++] = text;
		text = strchr(text, separator);
		if (text)
			*text++ = '\0';
	}
	return count;
}

uint32_t scn_type(const char *text)
{
	static const char letters[] = "HRP";
	const char *at = text[0] ? strchr(letters, text[0]) : NULL;

	return at ? (uint32_t)(at - letters) : (uint32_t)strtoul(text, NULL, 0);
}

uint64_t scn_seconds_ns(const char *text)
{
	return (uint64_t)llround(strtod(text, NULL) * 1e6) * 1000ull;
}
