/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The pool of specific reductions: an array searched when a report is taken in, indexed when a request is drawn.
 */
#include "oc_specifics.h"

uint8_t oc_specifics_take(struct oc_specifics *pool, const struct oc_specific *from, uint8_t general_pct,
			  uint32_t owner)
{
	uint8_t i = 0;

	if (!from || from->count == 0)
		return 0;
	while (i < OC_SPECIFICS_MAX && pool->place[i].reductions.count != 0)
		i++;
	if (i == OC_SPECIFICS_MAX)
		return 0;
	pool->place[i].reductions = *from;
	pool->place[i].general_pct = general_pct;
	pool->place[i].owner = owner;
	return (uint8_t)(i + 1);
}

void oc_specifics_drop(struct oc_specifics *pool, uint8_t place)
{
	if (place != 0)
		pool->place[place - 1].reductions.count = 0;
}

const struct oc_specific *oc_specifics_get(const struct oc_specifics *pool, uint8_t place,
					   uint8_t *general_pct)
{
	*general_pct = pool->place[place - 1].general_pct;
	return &pool->place[place - 1].reductions;
}
