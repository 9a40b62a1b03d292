/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What was sent to each next hop in the window, and what came back, by the outcomes of this node.
 */
#pragma once

#include "oev_effect.h"

#define OEV_HOPS_MAX 1024u /* next hops in one application each */

struct oev_hop {
	uint32_t name; /* in audit->names */
	uint32_t app_id;
	uint64_t sent;
	uint64_t diverted;		    /* of these, would have gone elsewhere */
	uint64_t resent;		    /* sent once more, after a failover or so */
	uint64_t answers[OEV_ANSWER_COUNT]; /* that came from upstream */
	uint64_t useful;		    /* of these, 2xxx within the client's patience */
	uint64_t lost;		       /* nothing came: answered here after the deadline, or not at all */
	uint64_t busiest;	       /* most sent in one second of wall time */
	uint64_t busiest_us;	       /* that second */
	uint64_t second_us, in_second; /* the one at hand */
};
