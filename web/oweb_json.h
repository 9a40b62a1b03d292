/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Members of JSON objects as the API has them: what is not known is absent. Numbers out of paths, parameters and bodies.
 */
#pragma once

#include <jansson.h>
#include <stdint.h>

/* Nothing for NULL and "". */
void oweb_json_text(json_t *object, const char *key, const char *text);

/* A copy of @text with U+FFFD in place of every octet that is no part of UTF-8; free() it. NULL when out of memory. */
char *oweb_utf8(const char *text);
/* @text, so made UTF-8 when it is not: paths may be anything. */
json_t *oweb_json_shown(const char *text);

void oweb_json_number(json_t *object, const char *key, uint64_t value);

/* As a text, since it is beyond what a page's numbers keep exactly; nothing for 0. */
void oweb_json_pseudonym(json_t *object, const char *key, uint64_t value);

/* "id": "RUN-N". */
void oweb_json_id(json_t *object, const char *run, uint64_t number);

/* A decimal number of at most 18 digits; 0 when @text is none. */
uint64_t oweb_decimal(const char *text);
