/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Contents that many waiting requests have in common, kept once: what is read ahead of a replay must stay small to be fast.
 *
 * A content comes with its number, and most of the time the same number brought the same content a moment ago. Whatever it
 * brings, who asks gets what was given: a number that has two meanings in damaged evidence costs room and nothing else.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define OC_REPLAY_NOWHERE UINT32_MAX
#define OC_REPLAY_RECENT 256u /* contents remembered though nobody holds them, by number */

/* One content; the octets follow. */
struct oc_replay_content {
	uint32_t holders;
	uint32_t next; /* free place */
};

struct oc_replay_shared {
	size_t size;	/* of a content */
	uint8_t *items; /* each with its head */
	uint32_t room;
	uint32_t free_place;
	uint32_t recent[OC_REPLAY_RECENT]; /* each holds its place */
};

void oc_replay_shared_init(struct oc_replay_shared *shared, size_t size);
void oc_replay_shared_fini(struct oc_replay_shared *shared);

/* A place that has @content, which came as @number, with one holder more; OC_REPLAY_NOWHERE for NULL. OC_OK, OC_ENOMEM. */
int oc_replay_shared_hold(struct oc_replay_shared *shared, uint32_t number, const void *content,
			  uint32_t *place);
/* One holder less. @place may be OC_REPLAY_NOWHERE. */
void oc_replay_shared_drop(struct oc_replay_shared *shared, uint32_t place);

/* What is at @place, until something else is held; NULL for OC_REPLAY_NOWHERE. */
const void *oc_replay_shared_at(const struct oc_replay_shared *shared, uint32_t place);
