/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Private to oev_carry*.c: the sorts of events that are remembered.
 */
#pragma once

#include "oev_carry.h"

enum oev_carry_sort {
	OEV_SORT_NAME,
	OEV_SORT_PEER,
	OEV_SORT_CAPABILITY,
	OEV_SORT_REPORT, /* that made a version */
	OEV_SORT_LOOSE_REPORT,
	OEV_SORT_RAW,
	OEV_SORT_VERSION,
	OEV_SORT_CHANGE,
	OEV_SORT_PROFILE,
	OEV_SORT_CANDIDATES,
	OEV_SORT_ORDER,
	OEV_SORT_OWN_REPORT,
	OEV_SORT_LOAD,
	OEV_SORT_COUNT
};
_Static_assert(OEV_SORT_COUNT <= OEV_RECALL_SORTS, "room for every sort");

void oev_carry_drop(struct oev_carry *carry, unsigned sort, uint64_t key);

/* With all its octets. */
void oev_carry_drop_report(struct oev_carry *carry, unsigned sort, uint64_t report);

uint64_t oev_carry_change_key(uint32_t version, unsigned how);
