/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Words of one line of a story, and the commands made of them.
 */
#pragma once

#include "lab_world.h"

#define LAB_WORDS_MAX 24
#define LAB_KEPT_MAX 16

struct lab_words {
	int count;
	char *word[LAB_WORDS_MAX];
};

/* Numbers a story keeps under a name, beyond the world they come from. */
struct lab_kept {
	char name[LAB_NAME_MAX];
	uint64_t value;
};

struct lab_story {
	struct lab_world *world;
	struct lab_kept kept[LAB_KEPT_MAX];
	int kept_count;
	uint32_t lives_failed; /* of networks before this one */
};

/* Splits @text in place; a word starting with # ends the line. */
void lab_words_split(struct lab_words *words, char *text);
/* The @nth word that is no key=value, or NULL. */
const char *lab_words_plain(const struct lab_words *words, int nth);
/* Value of the first "key=value", or NULL. */
const char *lab_words_get(const struct lab_words *words, const char *key);
uint64_t lab_words_number(const struct lab_words *words, const char *key, uint64_t otherwise);
/* H, R, P or a number. */
uint32_t lab_type(const char *text);

/* Runs one line: 1 it was done, 0 not a word of this file, -1 with the reason in @error. */
int lab_build(struct lab_story *story, const struct lab_words *words, char *error, size_t size);
int lab_act(struct lab_story *story, const struct lab_words *words, char *error, size_t size);
int lab_expect(struct lab_story *story, const struct lab_words *words, char *error, size_t size);
