/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Load: what other nodes say about their free capacity, and choosing by it (RFC 8583 sections 6.2, 6.4).
 *
 * Load is a hint and never an obligation: nothing here is read by the overload path (L-23). One value per node and
 * Load-Type, whatever the application. A value nobody renewed for max_age_ms counts as not known, and a node
 * nothing is known of gets the neutral weight. Not locked: the agent's L1 guards it.
 */
#pragma once

#include "../oc_policy.h"

struct oc_loads;

/* @max: nodes remembered. NULL when out of memory. */
struct oc_loads *oc_loads_new(uint32_t max);
void oc_loads_free(struct oc_loads *loads);

/* @node says @value (0..OC_LOAD_IDLE) at @now_ns. True when it is taken: nothing fresh was known, it differs from what was by
 * the policy's change_min or in being full at all, or what was known is older than a part in OC_LOAD_RENEWALS of the
 * time it counts for. Else nothing changes, so that what is taken and what is told are the same, and few. A full
 * table forgets nobody: the news is dropped and false returned. */
#define OC_LOAD_RENEWALS 64u
bool oc_loads_note(struct oc_loads *loads, const struct oc_load_policy *policy, uint32_t node,
		   enum oc_load_type type, uint32_t value, uint64_t now_ns);

/* The connection to @node came up at @now_ns: its slow start begins. */
void oc_loads_on_up(struct oc_loads *loads, uint32_t node, uint64_t now_ns);

/* Fresh value of @node, or -1. */
int32_t oc_loads_value(const struct oc_loads *loads, const struct oc_load_policy *policy, uint32_t node,
		       enum oc_load_type type, uint64_t now_ns);

/* To walk the nodes: number of the node at place @i of 0..oc_loads_places()-1, 0 when there is none. */
uint32_t oc_loads_places(const struct oc_loads *loads);
uint32_t oc_loads_at(const struct oc_loads *loads, uint32_t i);

/* Weight of @node as a next hop: its PEER value, else its HOST value (a server that is a neighbour sends HOST only),
 * else neutral; reduced during its slow start. *@is_known: a fresh value is behind it. */
uint32_t oc_loads_weight(const struct oc_loads *loads, const struct oc_load_policy *policy, uint32_t node,
			 uint64_t now_ns, bool *is_known);

/* Position picked among @count weights in the manner of RFC 2782 (L-19): zero weights first, a number drawn from 0 to their
 * sum, the first whose running sum reaches it. Zero weights, and the others when there is none, stand in an order drawn
 * anew each time, so that no position is better; all zero: any of them alike. @random: 64 fresh bits. @count >= 1. */
uint32_t oc_load_pick(const uint32_t *weights, uint32_t count, uint64_t random);
