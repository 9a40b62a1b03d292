/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Leaky bucket.
 */
#include "dt_bucket.h"

#define TAU_IN_T 4.0 /* the value RFC 8582 section 8.3.1 calls reasonable */

static double gap_ns(const struct dt_bucket *bucket)
{
	return 1e9 / (double)bucket->rate_rps;
}

void dt_bucket_start(struct dt_bucket *bucket, uint32_t rate_rps, uint64_t now_ns)
{
	*bucket = (struct dt_bucket){ .last_ns = now_ns, .rate_rps = rate_rps };
}

void dt_bucket_change(struct dt_bucket *bucket, uint32_t rate_rps)
{
	bucket->rate_rps = rate_rps;
	if (rate_rps && bucket->content_ns > gap_ns(bucket) * (1 + TAU_IN_T))
		bucket->content_ns = gap_ns(bucket) * (1 + TAU_IN_T);
}

bool dt_bucket_admit(struct dt_bucket *bucket, uint64_t now_ns)
{
	if (bucket->rate_rps == 0)
		return false;
	double passed_ns = now_ns > bucket->last_ns ? (double)(now_ns - bucket->last_ns) : 0;
	double content_ns = bucket->content_ns - passed_ns;
	if (content_ns > TAU_IN_T * gap_ns(bucket))
		return false;
	bucket->content_ns = (content_ns > 0 ? content_ns : 0) + gap_ns(bucket);
	bucket->last_ns = now_ns;
	return true;
}
