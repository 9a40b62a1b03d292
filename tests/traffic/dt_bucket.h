/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The leaky bucket of RFC 8582 section 8.3.1, without priorities: at most a rate in the long run, with a small burst.
 *
 * Content drains with time; each admitted request adds T = 1/rate; one is admitted while the content is at most TAU = 4 T.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct dt_bucket {
	double content_ns;
	uint64_t last_ns; /* of the last admission, or of the activation */
	uint32_t rate_rps;
};

/* Empty, with TAU0 = 0. */
void dt_bucket_start(struct dt_bucket *bucket, uint32_t rate_rps, uint64_t now_ns);
/* Another rate for a bucket in use: its content stays, but for what the new bucket cannot hold. */
void dt_bucket_change(struct dt_bucket *bucket, uint32_t rate_rps);
/* Whether a request may pass now; takes its room if so. */
bool dt_bucket_admit(struct dt_bucket *bucket, uint64_t now_ns);
