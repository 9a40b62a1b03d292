/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Neighbours an administrator took out of selection. They leave the candidates before the core sees them, so what the core chose from is
 * recorded, and a replay needs to know nothing of it. A session whose requests name such a neighbour as Destination-Host still reaches it.
 */
#include "ofd.h"

#include <stdlib.h>

#include "ofd_want.h"

struct ofd_want {
	pthread_mutex_t lock; /* of the file, see ofd_want_keep.c */
	atomic_uint count;    /* out */
	uint32_t size;
	atomic_bool is_out[]; /* by name number */
};

int ofd_want_start(struct ofd *ofd)
{
	uint32_t size = oc_names_capacity(ofd->names);

	ofd->want = calloc(1, sizeof(*ofd->want) + size * sizeof(atomic_bool));
	if (!ofd->want)
		return ENOMEM;
	ofd->want->size = size;
	int rc = pthread_mutex_init(&ofd->want->lock, NULL);
	if (rc) {
		free(ofd->want);
		ofd->want = NULL;
	}
	return rc;
}

void ofd_want_stop(struct ofd *ofd)
{
	if (ofd->want)
		pthread_mutex_destroy(&ofd->want->lock);
	free(ofd->want);
	ofd->want = NULL;
}

pthread_mutex_t *ofd_want_lock(struct ofd *ofd)
{
	return &ofd->want->lock;
}

uint32_t ofd_want_size(const struct ofd *ofd)
{
	return ofd->want->size;
}

bool ofd_want_is_out(const struct ofd *ofd, uint32_t peer)
{
	return peer < ofd->want->size && atomic_load_explicit(&ofd->want->is_out[peer], memory_order_relaxed);
}

bool ofd_want_set(struct ofd *ofd, uint32_t peer, bool is_out)
{
	if (peer <= OC_NAME_OVERFLOW || peer >= ofd->want->size ||
	    atomic_exchange(&ofd->want->is_out[peer], is_out) == is_out)
		return false;
	if (is_out)
		atomic_fetch_add(&ofd->want->count, 1);
	else
		atomic_fetch_sub(&ofd->want->count, 1);
	return true;
}

static bool stays(const struct ofd *ofd, uint32_t peer, uint32_t only)
{
	return oc_name_is_same(peer, only) || !ofd_want_is_out(ofd, peer);
}

uint32_t ofd_want_sift(const struct ofd *ofd, struct oc_candidate *candidates, struct rtd_candidate **entry,
		       uint32_t count, uint32_t only)
{
	bool is_left[OFD_CANDIDATES_MAX];
	uint32_t left = 0;

	if (atomic_load_explicit(&ofd->want->count, memory_order_relaxed) == 0 || count > OFD_CANDIDATES_MAX)
		return count;
	for (uint32_t i = 0; i < count; i++) { /* asked once: the answer may be another the next time */
		is_left[i] = stays(ofd, candidates[i].peer, only);
		left += is_left[i];
	}
	if (left == 0)
		return count;
	left = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (!is_left[i]) {
			entry[i]->score = -1; /* not for the daemon to fall back on either */
			continue;
		}
		candidates[left] = candidates[i];
		entry[left++] = entry[i];
	}
	return left;
}
