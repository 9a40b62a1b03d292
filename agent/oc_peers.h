/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the agent keeps about its adjacent peers: unanswered requests, announced features, trust.
 *
 * Counts of unanswered requests are atomics indexed by name number and need no lock. The rest is a fixed table of the
 * peers met, guarded by L1; a peer that no longer fits is served without memory: its trust is worked out
 * each time and its features make no events.
 */
#pragma once

#include "oc_event.h"
#include "oc_policy.h"
#include "wire/oc_msg.h"
#include "wire/oc_names.h"

#define OC_PEERS_MAX 1024u /* peers remembered */

struct oc_peers;

/* NULL when out of memory. @names is borrowed. */
struct oc_peers *oc_peers_new(const struct oc_names *names);
void oc_peers_free(struct oc_peers *peers);

#define OC_PEERS_RANKS 16u

/* Unanswered requests of @peer. Any thread, no lock. A count never falls below 0. */
uint32_t oc_peers_outstanding(const struct oc_peers *peers, uint32_t peer);

/* For comparing two peers: the lower is the emptier. A rank goes before a count; all ranks are 0 but in a replay. One look at
 * both: what is decided in several parts must not see the count change between them. */
uint32_t oc_peers_filling(const struct oc_peers *peers, uint32_t peer);
uint32_t oc_peers_count_in(uint32_t filling);
uint32_t oc_peers_rank_in(uint32_t filling);

/* The count of @peer is @count from now on, and its rank @rank (below OC_PEERS_RANKS). */
void oc_peers_assume(struct oc_peers *peers, uint32_t peer, uint32_t count, uint32_t rank);

void oc_peers_add(struct oc_peers *peers, uint32_t peer);
void oc_peers_give_back(struct oc_peers *peers, uint32_t peer);

/* Forgets what was worked out under an earlier policy. Under L1, like all below. */
void oc_peers_policy_changed(struct oc_peers *peers);

/* Flags (enum oc_trust_flag) of @peer under @policy. */
uint32_t oc_peers_trust(struct oc_peers *peers, const struct oc_policy *policy, uint32_t peer);

/* Whether @msg announces something that @peer was not yet known to announce in this direction. Having nothing to
 * announce is news once; alternating with it is not, since support is a matter of each transaction (D-019). */
bool oc_peers_note_caps(struct oc_peers *peers, uint32_t peer, enum oc_direction direction,
			const struct oc_caps *caps);
