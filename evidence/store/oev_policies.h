/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Policy documents put in force while the recorder runs: waiting for their rows, then remembered for the next segment.
 *
 * Rare and long, they have no place in the journal's fixed records. Guarded by a lock of its own, never taken on the way
 * of a message.
 */
#pragma once

#include <pthread.h>
#include <stdint.h>

#define OEV_POLICIES_KEPT 8u /* the last ones: what decisions on their way may have been made under */

struct oev_policy_text {
	struct oev_policy_text *next;
	uint64_t mono_ns; /* in force from */
	uint64_t wall_us; /* the same as its row says; 0 while it waits */
	uint32_t version;
	char text[];
};

struct oev_policies {
	pthread_mutex_t lock; /* over those that wait */
	struct oev_policy_text *first;
	struct oev_policy_text **end;
	/* Recorder thread alone. */
	struct oev_policy_text *kept[OEV_POLICIES_KEPT]; /* oldest first */
	unsigned kept_count;
};

void oev_policies_init(struct oev_policies *policies);
void oev_policies_fini(struct oev_policies *policies);

/* Copies @text. Returns OC_OK or OC_ENOMEM. Any thread. */
int oev_policies_add(struct oev_policies *policies, const char *text, uint32_t version, uint64_t mono_ns);

/* The oldest one waiting after @after (NULL: the oldest of all), or NULL. It stays until oev_policies_stored(). Recorder thread. */
struct oev_policy_text *oev_policies_next(struct oev_policies *policies, const struct oev_policy_text *after);

/* Those up to and with @last (NULL: none) have their rows committed: they are kept. Recorder thread. */
void oev_policies_stored(struct oev_policies *policies, const struct oev_policy_text *last);
