/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Decisions and outcomes read whole, as the core gave them to the trail.
 */
#pragma once

#include "../../agent/oc_event.h"
#include "../audit/oev_read.h"

struct oev_whole_decision {
	struct oc_decision decision;
	bool is_broken; /* it names a flow or a way that no row tells of */
};

struct oev_whole_outcome {
	struct oc_event_outcome outcome;
	bool is_broken; /* it names an ending that no row tells of */
};

/* For oev_feed_start(). */
extern const struct oev_read_kind oev_replay_decisions;
extern const struct oev_read_kind oev_replay_outcomes;
