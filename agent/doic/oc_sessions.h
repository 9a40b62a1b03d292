/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Memory of sessions begun: which class the first request had, so that later ones of an emergency session need
 * not repeat what made it one (spec section 3.4).
 *
 * A fixed four-way table keyed by the hash of Session-Id; the one nobody asked for the longest gives way. Losing an
 * entry only costs the inheritance. Not locked: the agent's L1 guards it.
 */
#pragma once

#include "../oc_types.h"

struct oc_sessions;

/* @size: power of two from 4 to 2^24, or 0 = remembers nothing. NULL when out of memory or range. */
struct oc_sessions *oc_sessions_new(uint32_t size);
void oc_sessions_free(struct oc_sessions *sessions);

/* Remembers that @session_hash (not 0) began with class @klass; a session known already keeps its class. */
void oc_sessions_begin(struct oc_sessions *sessions, uint64_t session_hash, uint8_t klass);

/* Whether it is known; then *@klass is the class it began with, else untouched. */
bool oc_sessions_knows(struct oc_sessions *sessions, uint64_t session_hash, uint8_t *klass);

void oc_sessions_end(struct oc_sessions *sessions, uint64_t session_hash);
