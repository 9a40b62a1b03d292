/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Identity table: every DiameterIdentity or realm seen becomes a small number, once and for ever.
 *
 * Names are compared without regard to case, whole string (spec row D-129), and kept lower-cased.
 * The table has a fixed capacity and never deletes, so a number always means the same name and
 * lookups need no lock: a slot is published with a release store after its entry is complete.
 * Inserts are serialised by an internal mutex. When the table is full every new name gets
 * OC_NAME_OVERFLOW, which matches nothing, and oc_names_overflows() counts it.
 */
#pragma once

#include "../oc_types.h"

struct oc_names;

/* @capacity: 2..1048576 numbers, the two reserved ones included, so every number is below it.
 * @seed: keys the hash (take it from a random source).
 * Returns NULL when out of memory or @capacity is out of range. */
struct oc_names *oc_names_new(uint32_t capacity, uint64_t seed);
void oc_names_free(struct oc_names *names);

/* Number for @name, adding it if new. OC_NAME_NONE when it is empty, longer than OC_IDENT_MAX or has an
 * octet that is not visible ASCII: no DiameterIdentity has (RFC 6733 section 4.3.1), and texts of names
 * may then be shown and stored as they are.
 * *@is_new (may be NULL) says whether this call added it. No allocation. Any thread. */
uint32_t oc_names_id(struct oc_names *names, struct oc_bytes name, bool *is_new);

/* The same for a name that a message brought. Whoever sends messages can make up names without end, so the last places, one in
 * 32, are not for these: a neighbour that connects later, or the subject of an order, still finds one. */
uint32_t oc_names_id_of_stranger(struct oc_names *names, struct oc_bytes name, bool *is_new);

/* Number for @name, or OC_NAME_NONE when it was never seen. Any thread. */
uint32_t oc_names_find(const struct oc_names *names, struct oc_bytes name);

/* Borrowed NUL-terminated lower-case text of @id; "" for OC_NAME_NONE, "(overflow)" for
 * OC_NAME_OVERFLOW and numbers never given out. Valid until oc_names_free. Any thread. */
const char *oc_names_text(const struct oc_names *names, uint32_t id);

/* Numbers given out so far, the two reserved ones included; names refused because full. */
uint32_t oc_names_count(const struct oc_names *names);
uint64_t oc_names_overflows(const struct oc_names *names);
uint32_t oc_names_capacity(const struct oc_names *names);
