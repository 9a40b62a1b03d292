/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Shared by the tests of the whole protocol: reports told to an agent, and requests led through its steps.
 */
#pragma once

#include "help_core.h"

/* One request on its way. */
struct help_going {
	struct oc_msg msg;
	struct oc_txn txn;
};

/* As help_core_new(), seeded, without a cap, DRMP trusted. */
struct help_core *help_protocol_new(uint64_t seed);

/* A number from 0 to @n - 1. */
uint32_t help_below(struct help_core *core, uint32_t n);

/* Lets @peer report @pct of @type about itself or its realm. */
void help_report_of(struct help_core *core, const char *peer, uint32_t type, uint64_t sequence, uint32_t pct,
		    uint32_t validity_s);

/* Same for a rate, given to the client or to us. */
void help_report_rate_of(struct help_core *core, const char *peer, uint32_t type, uint64_t sequence,
			 uint32_t rps, uint32_t validity_s);

/* Steps 1 to 4, to one of @count peers; the first two only when it was not sent before. False: refused. */
bool help_pass(struct help_core *core, struct help_going *g, const struct oc_candidate *to, uint32_t count);
