/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Texts that many clients ask for at once, kept a moment: fifty open pages cost as much as five. A write forgets them all.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OWEB_FRESH_NS 200000000ull /* as long as a text is given again */
#define OWEB_FRESH_SLOTS 8u

struct oweb_fresh;
struct oweb_request;

/* NULL when out of memory. */
struct oweb_fresh *oweb_fresh_new(void);
void oweb_fresh_free(struct oweb_fresh *fresh);

/* A copy of what was put for @key, to be freed, while it is fresh; NULL. Any thread, as are all below. */
char *oweb_fresh_get(struct oweb_fresh *fresh, const char *key, uint64_t now_ns, size_t *len);
/* Keeps a copy of @text for @key, in place of the oldest; @now_ns: when its making began. */
void oweb_fresh_put(struct oweb_fresh *fresh, const char *key, uint64_t now_ns, const char *text, size_t len);
void oweb_fresh_forget(struct oweb_fresh *fresh);

/* Replies with the JSON kept for this very target; false: there is none. */
bool oweb_fresh_reply(struct oweb_request *request);
/* Keeps a good reply, whose making began at @began_ns. */
void oweb_fresh_keep(struct oweb_request *request, uint64_t began_ns);
