/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Requests of one node as they were seen at the point of capture, by what reports speak of: (application, type, subject, and for a
 * rate its origin). Seconds of the last minute are kept apart, so that the rate before a report is known when it comes.
 */
#pragma once

#include "../../agent/doic/oc_ocs.h"
#include "oev_map.h"

#define OEV_ARRIVALS_SECONDS 64u
#define OEV_ARRIVALS_BEFORE_S 60u /* the rate before a report is over at most this */
#define OEV_ARRIVALS_FLOWS_MAX 65536u

struct oev_flow {
	struct oc_ocs_key key;
	uint64_t first_ns;
	uint64_t total;
	uint64_t second[OEV_ARRIVALS_SECONDS]; /* which second since 1970 a slot is of */
	uint32_t count[OEV_ARRIVALS_SECONDS];
	uint32_t active; /* state in force, from 1; 0 none; the caller's */
	uint32_t after;	 /* state that was in force last */
};

struct oev_arrivals {
	struct oev_flow **flows;
	struct oev_map map;
	uint32_t count, room;
	uint64_t not_counted; /* requests of flows beyond OEV_ARRIVALS_FLOWS_MAX */
};

void oev_arrivals_fini(struct oev_arrivals *arrivals);

/* Flow of @key, made at @now_ns when there is none. NULL when out of memory or beyond the limit. */
struct oev_flow *oev_arrivals_flow(struct oev_arrivals *arrivals, const struct oc_ocs_key *key,
				   uint64_t now_ns);

/* The same, NULL when there is none. */
struct oev_flow *oev_arrivals_find(const struct oev_arrivals *arrivals, const struct oc_ocs_key *key);

/* Counts one request. */
void oev_flow_count(struct oev_flow *flow, uint64_t now_ns);

/* Requests in the whole seconds before that of @now_ns, at most OEV_ARRIVALS_BEFORE_S and not before the first request;
 * *@seconds gets how many these are. */
uint64_t oev_flow_before(const struct oev_flow *flow, uint64_t now_ns, uint32_t *seconds);
