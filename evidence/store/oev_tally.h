/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What decisions counted under each OCS version so far, for segments that go on with it: the sums of view v_population.
 *
 * Counts belong to the batch they were made in until that is kept. One thread.
 */
#pragma once

#include "../../agent/oc_event.h"

struct oev_tally_counts {
	uint64_t matched;
	uint64_t selected;
	uint64_t expected_ppm;
	uint64_t remembered;
};

struct oev_tally {
	struct oev_tally_entry *entries;
	uint32_t size; /* a power of two */
	uint32_t used;
	uint64_t batch;	   /* number of the one being made */
	uint32_t *changed; /* versions in it */
	uint32_t changed_count;
	uint32_t changed_size;
	int rc; /* OC_ENOMEM as soon as counts were lost for want of memory */
};

/* OC_OK or OC_ENOMEM. */
int oev_tally_init(struct oev_tally *tally);
void oev_tally_fini(struct oev_tally *tally);

/* A decision of the batch. */
void oev_tally_add(struct oev_tally *tally, const struct oc_decision *decision);

/* The batch is stored, or it is not. */
void oev_tally_keep(struct oev_tally *tally);
void oev_tally_undo(struct oev_tally *tally);

/* Counts of @version in all batches that were kept; zeros when there are none. */
void oev_tally_get(const struct oev_tally *tally, uint32_t version, struct oev_tally_counts *out);

/* Nothing more will be asked of @version. Not inside a batch. */
void oev_tally_drop(struct oev_tally *tally, uint32_t version);
