/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Two direct-mapped tables.
 */
#include "oev_retry.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"

int oev_retries_init(struct oev_retries *retries)
{
	retries->refused = calloc(OEV_RETRY_PLACES, sizeof(*retries->refused));
	retries->end_to_end = calloc(OEV_RETRY_PLACES, sizeof(*retries->end_to_end));
	return retries->refused != NULL && retries->end_to_end != NULL ? OC_OK : OC_ENOMEM;
}

void oev_retries_fini(struct oev_retries *retries)
{
	free(retries->refused);
	free(retries->end_to_end);
	*retries = (struct oev_retries){ 0 };
}

static struct oev_retry_place *place_of(struct oev_retry_place *places, uint64_t key)
{
	return &places[(key * 0x9e3779b97f4a7c15u) >> (64 - OEV_RETRY_BITS)];
}

void oev_retries_expect(const struct oev_retries *retries, const struct oev_row *row)
{
	__builtin_prefetch(place_of(retries->refused, row->session), 1);
	__builtin_prefetch(place_of(retries->end_to_end, (uint64_t)row->origin_host << 32 | row->end_to_end),
			   1);
}

static bool seen(const struct oev_retry_place *place, uint64_t key, uint64_t wall_us)
{
	return place->wall_us != 0 && place->key == key && wall_us - place->wall_us < OEV_RETRY_US;
}

/* The session of a request that passed is under way: what follows in it are no retries. */
static bool take_session(struct oev_retries *retries, const struct oev_row *row)
{
	struct oev_retry_place *place = place_of(retries->refused, row->session);
	bool again = seen(place, row->session, row->wall_us);

	if (row->verdict == OC_REFUSE)
		*place = (struct oev_retry_place){ .key = row->session, .wall_us = row->wall_us };
	else if (again)
		place->wall_us = 0;
	return again;
}

unsigned oev_retries_take(struct oev_retries *retries, const struct oev_row *row)
{
	uint64_t key = (uint64_t)row->origin_host << 32 | row->end_to_end;
	struct oev_retry_place *place = place_of(retries->end_to_end, key);
	unsigned kinds = 0;

	if (row->session != 0 && take_session(retries, row))
		kinds |= OEV_RETRY_SESSION;
	if (seen(place, key, row->wall_us))
		kinds |= OEV_RETRY_END_TO_END;
	*place = (struct oev_retry_place){ .key = key, .wall_us = row->wall_us };
	if ((row->flags & OC_DEC_RETRANSMIT) != 0)
		kinds |= OEV_RETRY_FLAG;
	return kinds;
}
