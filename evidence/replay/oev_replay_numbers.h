/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the numbers in decisions and outcomes stand for: profiles of messages, and sets of candidates.
 */
#pragma once

#include "../../agent/oc_event.h"
#include "../audit/oev_dict.h"

struct oev_replay_numbers { /* zeroed: empty */
	struct oev_dict profiles, candidates;
};

/* Those of @segment, which outlives it. Returns OC_OK, OC_EIO, OC_ENOMEM. Free with _fini, also then. */
int oev_replay_numbers_load(struct oev_replay_numbers *numbers, const struct oev_segment *segment);
/* The same for a few, without loading all. */
int oev_replay_numbers_ask(struct oev_replay_numbers *numbers, const struct oev_segment *segment);
void oev_replay_numbers_fini(struct oev_replay_numbers *numbers);

/* Valid until the next call; NULL for 0 and for numbers that no row tells of. */
const struct oc_profile *oev_replay_profile(struct oev_replay_numbers *numbers, uint32_t id);
const struct oc_event_candidates *oev_replay_candidates(struct oev_replay_numbers *numbers, uint32_t id);
