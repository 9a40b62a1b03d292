/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What one batch takes from the journal: decisions in order of their numbers, outcomes, and everything else as it came.
 *
 * Several threads make decisions, so numbers come nearly in order; rows that go to the end of a table cost least and lie dense.
 */
#pragma once

#include "oev_journal.h"

struct oev_haul_decision {
	uint64_t id;
	const struct oc_event *event;
};

struct oev_haul {
	uint32_t max;	   /* events at once */
	uint32_t events;   /* taken */
	uint64_t first_ns; /* earliest and latest time of these, 0 none */
	uint64_t last_ns;
	uint32_t decision_count;
	uint32_t outcome_count;
	uint32_t other_count;
	struct oev_haul_decision *decisions;
	const struct oc_event **outcomes;
	const struct oc_event **others;
};

/* OC_OK or OC_ENOMEM. */
int oev_haul_init(struct oev_haul *haul, uint32_t max);
void oev_haul_fini(struct oev_haul *haul);

/* Looks at up to haul->max events from the oldest on, which stay in the journal. Consumer thread. */
void oev_haul_take(struct oev_haul *haul, struct oev_journal *journal);
