/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which places of a fixed array are free: taken and given back by any thread, without a lock.
 *
 * The place given back last is taken first, so that a quiet time touches few of them. The array itself is the caller's.
 */
#pragma once

#include "oc_types.h"

#define OC_SLOTS_NONE UINT32_MAX

struct oc_slots;

/* All of @count (1 .. 2^31) places are free. NULL when out of memory or @count is out of range. */
struct oc_slots *oc_slots_new(uint32_t count);
void oc_slots_free(struct oc_slots *slots);

/* A free place, from now on the caller's alone; OC_SLOTS_NONE when there is none. What its last holder wrote
 * there before giving it back is visible. */
uint32_t oc_slots_take(struct oc_slots *slots);

/* Gives back @slot, which the caller took and no longer uses. */
void oc_slots_give(struct oc_slots *slots, uint32_t slot);
