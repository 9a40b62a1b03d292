/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which overload control states a request is held against (spec section J and the sketch of section 3).
 */
#pragma once

#include "../wire/oc_msg.h"
#include "oc_ocs.h"

/* Whether the agent is the reacting node for the client: it does not speak DOIC, or its reports are kept from
 * it, so that nobody else would react (D-031, D-287). */
static inline bool oc_match_reacting(bool doic_down, bool may_receive)
{
	return !doic_down || !may_receive;
}

/* State to hold @request against on arrival: the realm's when it came without Destination-Host (D-122, D-123),
 * the host's when it came with one (D-121), nothing when the client reacts itself (D-040) or the application is the
 * base protocol (D-007). False: none. */
bool oc_match_on_arrival(const struct oc_msg *request, bool is_reacting, struct oc_ocs_key *key);

/* State to hold @request against when the agent has picked @peer for it: the host report of the server it
 * chose, whoever the client is (D-041). False: none. */
bool oc_match_on_pick(const struct oc_msg *request, uint32_t peer, struct oc_ocs_key *key);
