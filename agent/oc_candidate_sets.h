/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sets of candidates as small numbers, in the manner of oc_profiles.h: the host offers the same few again and again.
 */
#pragma once

#include "oc_agent.h"

#define OC_CANDIDATE_SETS_PLACES 1024u

struct oc_candidate_sets;

/* NULL when out of memory. */
struct oc_candidate_sets *oc_candidate_sets_new(void);
void oc_candidate_sets_free(struct oc_candidate_sets *sets);

/* Number of the @count @candidates in this order, none at all included; 0 when they are more than OC_CANDIDATES_MAX. *@is_fresh: the
 * number is new. */
uint32_t oc_candidate_sets_number(struct oc_candidate_sets *sets, const struct oc_candidate *candidates,
				  uint32_t count, bool *is_fresh);
