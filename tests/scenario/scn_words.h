/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Words of one line, and what numbers, switches and lists in them mean.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCN_WORDS_MAX 40

struct scn_words {
	int count;
	char *word[SCN_WORDS_MAX];
};

/* Splits @text in place; a word starting with # ends the line. */
void scn_words_split(struct scn_words *words, char *text);

/* Value of "key=value" from word @from on, or NULL. */
const char *scn_words_get(const struct scn_words *words, const char *key, int from);

/* Whether the plain word @key is there. */
bool scn_words_has(const struct scn_words *words, const char *key);

uint64_t scn_words_number(const struct scn_words *words, const char *key, uint64_t otherwise);

/* "on" or "off" of @key into *@value, which stays when the key is absent. */
void scn_words_switch(const struct scn_words *words, const char *key, bool *value);

/* Number of @key into *@value, which stays when the key is absent. */
void scn_words_u32(const struct scn_words *words, const char *key, uint32_t *value);

/* Splits @text in place at @separator into at most @max parts; how many there are. */
int scn_parts(char *text, char separator, char **part, int max);

/* H, R, P or a number. */
uint32_t scn_type(const char *text);

/* @text, in thousandths, as nanoseconds: "1.5" of a second is 1500000000. */
uint64_t scn_seconds_ns(const char *text);
