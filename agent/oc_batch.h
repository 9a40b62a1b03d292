/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Events made under L1, waiting on the caller's stack until the lock is released.
 */
#pragma once

#include <assert.h>
#include <string.h>

#include "oc_event.h"

/* The largest use is an answer with OC_MSG_OLR_MAX reports. Each may find its state and the one its client has alone run out
 * (eight events), take the place of both (four), be told, start a version and see it run out at once (five): 102. Then further
 * raw octets (3), a capability, four loads and our own, three states run out that are looked at for a go-ahead (12),
 * counts of our own reports (3). */
#define OC_BATCH_MAX 136u

struct oc_batch {
	uint32_t count;
	struct oc_event events[OC_BATCH_MAX]; /* only the first count are initialised */
};

/* Next free event, of @kind at @mono_ns; its part is the caller's to fill whole. */
static inline struct oc_event *oc_batch_next(struct oc_batch *batch, enum oc_event_kind kind,
					     uint64_t mono_ns)
{
	assert(batch->count < OC_BATCH_MAX);
	struct oc_event *event = &batch->events[batch->count++];
	event->kind = (uint16_t)kind;
	event->reserved = 0;
	event->reserved2 = 0;
	event->mono_ns = mono_ns;
	return event;
}

/* Next free event, of @kind at @mono_ns, its part zeroed. */
static inline struct oc_event *oc_batch_add(struct oc_batch *batch, enum oc_event_kind kind, uint64_t mono_ns)
{
	struct oc_event *event = oc_batch_next(batch, kind, mono_ns);
	memset(&event->u, 0, oc_event_size(event) - offsetof(struct oc_event, u));
	return event;
}
