/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Where the reconstruction of a capture goes: for every node that was seen sending requests a stream of the core's own events,
 * as that node's agent would have told them, as far as a capture can know.
 *
 * What a capture gives of each receipt
 *   asked     yes: REPORT events with the raw octets, judged as any reacting node must judge them, whoever answered being believed
 *   held      what should be held from then on: OCS_VERSION and OCS_CHANGE events follow from the reports and RFC 7683 alone.
 *             That the node did hold it is not seen
 *   selected  no: what a node refused never reached the wire. DECISION events are requests that were sent: verdict forwarded, no look, no
 *             draw, no random bits
 *   arrived   requests seen at the point of capture, which is not the server's own count
 *   useful    Result-Codes of answers seen there: OUTCOME events
 *
 * Times (mono_ns, at_ns, from, expiry) are nanoseconds of UTC since 1970, so wall clock and monotonic clock are one. NAME events
 * are not told: a number means the same in all streams, and oc_names has its text.
 */
#pragma once

#include "../../agent/oc_event.h"

struct oev_capture_sink {
	void *ctx; /* no function may be NULL; each returns OC_OK, or an error that stops the import */
	/* The stream of node @node, counted up from 0, whose identity is @name, begins at @now_ns. */
	int (*begin)(void *ctx, uint32_t node, uint32_t name, uint64_t now_ns);
	/* @event is valid during the call. Of one stream, in the order it was learnt. */
	int (*event)(void *ctx, uint32_t node, const struct oc_event *event);
	/* The stream ends; the capture does at @now_ns. */
	int (*end)(void *ctx, uint32_t node, uint64_t now_ns);
};
