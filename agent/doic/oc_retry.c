/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The two-way table of refused session attempts.
 */
#include "oc_retry.h"

#include <stddef.h>
#include <stdlib.h>

struct refusal {
	uint64_t session_hash;
	uint32_t version; /* 0 = empty */
	uint32_t stamp;
};

struct oc_retry {
	uint32_t pairs;
	uint32_t clock;
	struct refusal refusals[];
};

struct oc_retry *oc_retry_new(uint32_t size)
{
	if ((size & (size - 1)) != 0 || size > 1u << 24)
		return NULL;
	uint32_t slots = size == 1 ? 2 : size;
	struct oc_retry *retry = calloc(1, sizeof(*retry) + slots * sizeof(retry->refusals[0]));
	if (retry)
		retry->pairs = slots / 2;
	return retry;
}

void oc_retry_free(struct oc_retry *retry)
{
	free(retry);
}

static size_t pair_of(const struct oc_retry *retry, uint64_t session_hash)
{
	return (size_t)(session_hash >> 20) & (retry->pairs - 1);
}

void oc_retry_remember(struct oc_retry *retry, uint64_t session_hash, uint32_t version)
{
	if (retry->pairs == 0)
		return;
	struct refusal *pair = &retry->refusals[2 * pair_of(retry, session_hash)];
	uint32_t age[2] = { retry->clock - pair[0].stamp, retry->clock - pair[1].stamp };
	struct refusal *place = &pair[age[1] > age[0]];
	for (unsigned i = 0; i < 2; i++)
		if (pair[i].version == 0 || pair[i].session_hash == session_hash)
			place = &pair[i];
	*place =
		(struct refusal){ .session_hash = session_hash, .version = version, .stamp = retry->clock++ };
}

bool oc_retry_knows(const struct oc_retry *retry, uint64_t session_hash, uint32_t version)
{
	if (retry->pairs == 0)
		return false;
	const struct refusal *pair = &retry->refusals[2 * pair_of(retry, session_hash)];
	for (unsigned i = 0; i < 2; i++)
		if (pair[i].session_hash == session_hash && pair[i].version == version)
			return true;
	return false;
}
