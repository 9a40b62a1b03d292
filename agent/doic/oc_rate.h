/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The rate algorithm of the reacting node: a leaky bucket with a threshold per class (RFC 8582 sections 8.3.1 to 8.3.3).
 *
 * The bucket holds time. It drains one second per second, every admitted request adds T = 1 / rate, and a request
 * is admitted when what would be in the bucket is at most the threshold of its class. A request that is
 * not admitted changes nothing. A rate of 0 admits nobody.
 *
 * Times inside are 2^-20 ns ("ticks" below): T of the highest rate the AVP can carry, 4294967295/s, is 244141 of them, so no
 * rate has a T of 0, and the fullest bucket of the lowest rate fits in 64 bits; times nobody called in may be of any length.
 * A pure function of state, time and chance; not locked.
 */
#pragma once

#include "../oc_policy.h"

/* All-zero is not valid: oc_rate_activate() first. */
struct oc_rate {
	int64_t content;      /* X, ticks */
	int64_t increment;    /* T, ticks; 0 = rate 0 */
	uint64_t admitted_ns; /* LCT: last admission, or activation */
};

/* Starts the bucket of a new condition at @now_ns. @random: 32 fresh bits, used when anti-resonant. */
void oc_rate_activate(struct oc_rate *rate, const struct oc_rate_policy *policy, uint32_t rps,
		      uint64_t now_ns, uint32_t random);

/* Another rate by a newer report: content and last admission stay, the content is clamped to what the new bucket can
 * hold; no activation (spec 2.1.1, point 4). A bucket that stood at rate 0 is emptied from @now_ns on. */
void oc_rate_change(struct oc_rate *rate, const struct oc_rate_policy *policy, uint32_t rps, uint64_t now_ns);

/* Whether the request of class @klass arriving at @now_ns is admitted. */
bool oc_rate_admit(struct oc_rate *rate, const struct oc_rate_policy *policy, uint8_t klass, uint64_t now_ns,
		   uint32_t random);
