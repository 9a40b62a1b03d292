/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Memory of refused session attempts: a client that tries the same session again within one version of a report
 * gets the same verdict and no second draw, so that retrying does not pay.
 *
 * A fixed two-way table; the older of the two gives way. Losing an entry only costs a second draw.
 */
#pragma once

#include "../wire/oc_msg.h"

struct oc_retry;

/* @size: power of two up to 2^24, or 0 = remembers nothing. NULL when out of memory or range. */
struct oc_retry *oc_retry_new(uint32_t size);
void oc_retry_free(struct oc_retry *retry);

/* Whether @request is one that is remembered: the first of a session (CC-Request-Type INITIAL_REQUEST). */
static inline bool oc_retry_applies(const struct oc_msg *request)
{
	return request->cc_request_type == 1 && request->session_hash != 0;
}

void oc_retry_remember(struct oc_retry *retry, uint64_t session_hash, uint32_t version);
bool oc_retry_knows(const struct oc_retry *retry, uint64_t session_hash, uint32_t version);
