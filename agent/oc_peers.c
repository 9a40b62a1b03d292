/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Table of peers: open addressing by name number, nothing is ever removed.
 */
#include "oc_peers.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "doic/oc_trust.h"

#define SLOTS (2u * OC_PEERS_MAX)
#define RANK_SHIFT 28u /* of a count: the rank is above it */
#define COUNT_MASK ((1u << RANK_SHIFT) - 1)

struct announced {
	uint64_t vector;
	uint64_t peer_algo;
	uint32_t source;
	uint8_t has;
	bool is_known;
	bool is_absence_known;
};

struct peer {
	uint32_t peer;	/* 0 = free slot */
	uint32_t epoch; /* policy under which flags was worked out */
	uint32_t flags;
	struct announced announced[2]; /* by enum oc_direction */
};

struct oc_peers {
	const struct oc_names *names;
	_Atomic uint32_t *outstanding;
	uint32_t capacity; /* of outstanding */
	uint32_t epoch;
	uint32_t count;
	struct peer slots[SLOTS];
};

struct oc_peers *oc_peers_new(const struct oc_names *names)
{
	struct oc_peers *peers = calloc(1, sizeof(*peers));

	if (!peers)
		return NULL;
	peers->names = names;
	peers->capacity = oc_names_capacity(names);
	peers->epoch = 1;
	peers->outstanding = calloc(peers->capacity, sizeof(*peers->outstanding));
	if (!peers->outstanding) {
		free(peers);
		return NULL;
	}
	return peers;
}

void oc_peers_free(struct oc_peers *peers)
{
	if (!peers)
		return;
	free((void *)peers->outstanding);
	free(peers);
}

static bool is_counted(const struct oc_peers *peers, uint32_t peer)
{
	return peer > OC_NAME_OVERFLOW && peer < peers->capacity;
}

uint32_t oc_peers_filling(const struct oc_peers *peers, uint32_t peer)
{
	if (peer >= peers->capacity)
		return 0;
	return atomic_load_explicit(&peers->outstanding[peer], memory_order_relaxed);
}

uint32_t oc_peers_count_in(uint32_t filling)
{
	return filling & COUNT_MASK;
}

uint32_t oc_peers_rank_in(uint32_t filling)
{
	return filling >> RANK_SHIFT;
}

uint32_t oc_peers_outstanding(const struct oc_peers *peers, uint32_t peer)
{
	return oc_peers_count_in(oc_peers_filling(peers, peer));
}

/* One without a number of its own is never counted, but has its rank. */
void oc_peers_assume(struct oc_peers *peers, uint32_t peer, uint32_t count, uint32_t rank)
{
	uint32_t kept = is_counted(peers, peer) ? count & COUNT_MASK : 0;

	if (peer < peers->capacity)
		atomic_store_explicit(&peers->outstanding[peer], rank << RANK_SHIFT | kept,
				      memory_order_relaxed);
}

void oc_peers_add(struct oc_peers *peers, uint32_t peer)
{
	if (is_counted(peers, peer))
		atomic_fetch_add_explicit(&peers->outstanding[peer], 1, memory_order_relaxed);
}

void oc_peers_give_back(struct oc_peers *peers, uint32_t peer)
{
	if (!is_counted(peers, peer))
		return;
	uint32_t count = atomic_load_explicit(&peers->outstanding[peer], memory_order_relaxed);
	while ((count & COUNT_MASK) > 0 &&
	       !atomic_compare_exchange_weak_explicit(&peers->outstanding[peer], &count, count - 1,
						      memory_order_relaxed, memory_order_relaxed))
		;
}

void oc_peers_policy_changed(struct oc_peers *peers)
{
	peers->epoch++;
}

/* Slot of @peer, made if needed; NULL when the table is full or @peer is no name. */
static struct peer *slot_of(struct oc_peers *peers, uint32_t peer)
{
	if (peer <= OC_NAME_OVERFLOW)
		return NULL;
	for (uint32_t i = peer * 2654435761u;; i++) {
		struct peer *slot = &peers->slots[i % SLOTS];
		if (slot->peer == peer)
			return slot;
		if (slot->peer != 0)
			continue;
		if (peers->count == OC_PEERS_MAX)
			return NULL;
		peers->count++;
		slot->peer = peer;
		return slot;
	}
}

uint32_t oc_peers_trust(struct oc_peers *peers, const struct oc_policy *policy, uint32_t peer)
{
	struct peer *slot = slot_of(peers, peer);

	if (!slot)
		return oc_trust_flags(policy,
				      peer > OC_NAME_OVERFLOW ? oc_names_text(peers->names, peer) : "");
	if (slot->epoch != peers->epoch) {
		slot->flags = oc_trust_flags(policy, oc_names_text(peers->names, peer));
		slot->epoch = peers->epoch;
	}
	return slot->flags;
}

static bool is_same(const struct announced *a, const struct oc_caps *caps)
{
	return a->is_known && a->has == caps->has && a->vector == caps->vector &&
	       a->peer_algo == caps->peer_algo && a->source == caps->source;
}

bool oc_peers_note_caps(struct oc_peers *peers, uint32_t peer, enum oc_direction direction,
			const struct oc_caps *caps)
{
	struct peer *slot = slot_of(peers, peer);

	if (!slot)
		return false;
	struct announced *a = &slot->announced[direction];
	if (!(caps->has & OC_CAPS_PRESENT)) {
		bool is_news = !a->is_absence_known;
		a->is_absence_known = true;
		return is_news;
	}
	if (is_same(a, caps))
		return false;
	a->vector = caps->vector;
	a->peer_algo = caps->peer_algo;
	a->source = caps->source;
	a->has = caps->has;
	a->is_known = true;
	return true;
}
