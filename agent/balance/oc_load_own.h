/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Our own load: how much of the capacity is free, and which neighbours know (RFC 8583 section 6.1.2).
 *
 * The value is free capacity, not utilisation, and does not depend on how big this node is compared with others (L-5): 65535 times
 * the share of capacity_rps that the requests of the last seconds left free. An operator or a script may set it instead.
 */
#pragma once

#include "oc_load.h"

struct oc_load_own;

/* @peers: neighbours whose last told value is remembered. NULL when out of memory. */
struct oc_load_own *oc_load_own_new(uint32_t peers);
void oc_load_own_free(struct oc_load_own *own);

/* A request arrived. */
void oc_load_own_count(struct oc_load_own *own, uint64_t now_ns);

/* Sets the value by hand, or gives it back to measurement with @value > OC_LOAD_IDLE. */
void oc_load_own_set(struct oc_load_own *own, uint32_t value);

/* Whether the value was set by hand. */
bool oc_load_own_is_set(const struct oc_load_own *own);

uint32_t oc_load_own_value(struct oc_load_own *own, const struct oc_load_policy *policy, uint64_t now_ns);

/* Whether an answer leaving to @peer now should carry the value, *@value; then it counts as told. */
bool oc_load_own_tell(struct oc_load_own *own, const struct oc_load_policy *policy, uint32_t peer,
		      uint64_t now_ns, uint32_t *value);

/* The connection to @peer came up: it knows nothing. */
void oc_load_own_on_up(struct oc_load_own *own, uint32_t peer);
