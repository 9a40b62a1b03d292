/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Versions of a claim that renew each other: for people one state, told once. A reporting node that says the same again every few seconds
 * makes a version each time.
 */
#pragma once

#include "oev_audit.h"

struct oev_chain {
	const struct oev_version *first, *last;
	uint32_t count; /* 0: there is none */
	uint64_t active_ns;
	uint64_t matched, selected; /* while active */
	uint64_t ramp_selected;
	uint64_t selected_ns; /* first selected by any of them; 0 none was */
};

/* Fills @chain with the versions of @claim from the @at-th on that are in the window and follow each other without a break, asking for the
 * same. Returns the place after the last of them. */
uint32_t oev_chain_next(const struct oev_audit *audit, const struct oev_claim *claim, uint32_t at,
			struct oev_chain *chain);

/* "#3", "#3..#14"; "5", "5..16": @buf is what is returned. */
const char *oev_chain_numbers(const struct oev_chain *chain, char buf[static 32]);
/* The same, of a claim with versions of several lives "life 2 #3..#14". */
const char *oev_chain_name(const struct oev_audit *audit, const struct oev_chain *chain, char buf[static 64]);
const char *oev_chain_sequences(const struct oev_chain *chain, char buf[static 64]);
