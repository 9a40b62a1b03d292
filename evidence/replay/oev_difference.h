/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a decision is made of, in words: for the few that came out otherwise.
 */
#pragma once

#include "oev_replay.h"

/* Fills the texts of @difference, whose decisions, field and life are there, from the parts of @life. What is not found is left "".
 * Returns OC_OK or what opening a part returns. */
int oev_difference_describe(struct oev_difference *difference, const struct oev_replay_life *life);

#define OEV_VALUE_MAX 96u

/* Value of @field ("verdict", "host" ...) in @decision; @hops: names of first choice and next hop. */
void oev_difference_value(const char *field, const struct oc_decision *decision, const char *first_choice,
			  const char *next_hop, char out[static OEV_VALUE_MAX]);
