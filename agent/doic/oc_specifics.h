/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A pool for the specific reductions of held reports: Gy is one application among many, so few states have some.
 *
 * All-zero is an empty pool. Places are numbered from 1; 0 is none. Not locked: part of the table of states.
 */
#pragma once

#include "oc_specific.h"

#define OC_SPECIFICS_MAX 64u /* states with specific reductions held at once */

struct oc_specifics {
	struct {
		struct oc_specific reductions; /* count 0 = free */
		uint8_t general_pct;
		uint32_t owner; /* the caller's */
	} place[OC_SPECIFICS_MAX];
};

/* Copies @from for @owner, with the percentage for requests none of it matches. 0: there is nothing to keep, or no room. */
uint8_t oc_specifics_take(struct oc_specifics *pool, const struct oc_specific *from, uint8_t general_pct,
			  uint32_t owner);

/* Frees @place, which may be 0. */
void oc_specifics_drop(struct oc_specifics *pool, uint8_t place);

/* What is kept in @place, not 0. Borrowed. */
const struct oc_specific *oc_specifics_get(const struct oc_specifics *pool, uint8_t place,
					   uint8_t *general_pct);
