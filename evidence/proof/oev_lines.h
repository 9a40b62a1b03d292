/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A cursor over a text of lines "key value", with a sticky error: how keys, checkpoints and the like are read.
 *
 * Every line must be there, in order, with one space after its key. Texts are hostile until read.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oev_hash.h"
#include "oev_why.h"

struct oev_lines {
	const char *at;
	const char *end;
	unsigned line; /* number of the one read last, from 1 */
	int rc;	       /* first error: OC_EMALFORMED, OC_ERANGE, OC_EVERSION */
	struct oev_why *why;
};

void oev_lines_start(struct oev_lines *lines, const char *text, size_t len, struct oev_why *why);

/* A first line "NAME/1", such as "doic.checkpoint/1"; another number is OC_EVERSION. */
void oev_lines_title(struct oev_lines *lines, const char *name);

/* The value of the next line: 1..@most visible octets (no spaces) are copied, with a NUL, into @out (@most
 * + 1). */
void oev_lines_word(struct oev_lines *lines, const char *key, char *out, size_t most);

/* Decimal, without leading zeros. */
void oev_lines_number(struct oev_lines *lines, const char *key, uint64_t *out);
void oev_lines_hash(struct oev_lines *lines, const char *key, struct oev_hash *out);

/* Base64 of exactly @want octets. */
void oev_lines_base64(struct oev_lines *lines, const char *key, void *out, size_t want);

/* Whether @text can be such a word: 1..@most visible octets. */
bool oev_lines_is_word(const char *text, size_t most);

/* OC_OK when all was read without an error and nothing is left over. */
int oev_lines_end(struct oev_lines *lines);
