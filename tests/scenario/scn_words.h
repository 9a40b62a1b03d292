/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Words of one line, and the commands made of them.
 */
#pragma once

#include "scn_world.h"

#define SCN_WORDS_MAX 24

struct scn_words {
	int count;
	char *word[SCN_WORDS_MAX];
};

/* Splits @text in place; a word starting with # ends the line. */
void scn_words_split(struct scn_words *words, char *text);

/* Value of "key=value" from word @from on, or NULL. */
const char *scn_words_get(const struct scn_words *words, const char *key, int from);
uint64_t scn_words_number(const struct scn_words *words, const char *key, uint64_t otherwise);

/* Runs one line. 0, or -1 with the reason in @error. */
int scn_command(struct scn_world *w, const struct scn_words *words, char *error, size_t size);

/* The command "expect", in its own file. */
int scn_expect(struct scn_world *w, const struct scn_words *words, char *error, size_t size);

/* H, R, P or a number. */
uint32_t scn_type(const char *text);
