/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Words of a line.
 */
#include "lab_words.h"

#include <stdlib.h>
#include <string.h>

void lab_words_split(struct lab_words *words, char *text)
{
	char *save = NULL;

	words->count = 0;
	for (char *word = strtok_r(text, " \t\r\n", &save); word; word = strtok_r(NULL, " \t\r\n", &save)) {
		if (word[0] == '#' || words->count == LAB_WORDS_MAX)
			return;
		words->word[words->count++] = word;
	}
}

static bool is_pair(const char *word)
{
	return word[0] >= 'a' && word[0] <= 'z' && strchr(word, '=');
}

const char *lab_words_plain(const struct lab_words *words, int nth)
{
	for (int i = 0; i < words->count; i++)
		if (!is_pair(words->word[i]) && nth-- == 0)
			return words->word[i];
	return NULL;
}

const char *lab_words_get(const struct lab_words *words, const char *key)
{
	size_t len = strlen(key);

	for (int i = 1; i < words->count; i++)
		if (strncmp(words->word[i], key, len) == 0 && words->word[i][len] == '=')
			return words->word[i] + len + 1;
	return NULL;
}

uint64_t lab_words_number(const struct lab_words *words, const char *key, uint64_t otherwise)
{
	const char *value = lab_words_get(words, key);

	return value ? strtoull(value, NULL, 0) : otherwise;
}

uint32_t lab_type(const char *text)
{
	static const char letters[] = "HRP";
	const char *at = text[0] ? strchr(letters, text[0]) : NULL;

	return at ? (uint32_t)(at - letters) : (uint32_t)strtoul(text, NULL, 0);
}
