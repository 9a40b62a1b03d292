/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One reply that many clients ask for at once, kept a moment: fifty open pages cost as much as five.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define OWEB_FRESH_NS 200000000ull /* as long as a reply is given again */

struct oweb_fresh;

/* NULL when out of memory. */
struct oweb_fresh *oweb_fresh_new(void);
void oweb_fresh_free(struct oweb_fresh *fresh);

/* A copy of what was put for @key, to be freed, while it is fresh; NULL. Any thread, as is the next. */
char *oweb_fresh_get(struct oweb_fresh *fresh, const char *key, uint64_t now_ns, size_t *len);
/* Keeps a copy of @text for @key, in place of what was kept; @now_ns: when its making began. */
void oweb_fresh_put(struct oweb_fresh *fresh, const char *key, uint64_t now_ns, const char *text, size_t len);
