/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The sums of a watch as one block of octets, and back: what is out of range in it, or of times that are still to come, is not known.
 */
#include <stdlib.h>
#include <string.h>

#include "oev_watch_inner.h"

#define US_PER_S 1000000u
#define SECOND_MAX (UINT64_MAX / US_PER_S)

size_t oev_watch_image_size(void)
{
	return oev_watch_steps_size() + OEV_WATCH_SECONDS * sizeof(struct oev_watch_second);
}

void oev_watch_image_get(struct oev_watch *watch, void *out)
{
	size_t steps = oev_watch_steps_size();

	pthread_mutex_lock(&watch->lock);
	memcpy(out, watch->steps, steps);
	memcpy((char *)out + steps, watch->seconds, OEV_WATCH_SECONDS * sizeof(struct oev_watch_second));
	pthread_mutex_unlock(&watch->lock);
}

/* A truth value from elsewhere. */
static bool truth(const bool *at)
{
	unsigned char octet;

	memcpy(&octet, at, sizeof(octet));
	return octet != 0;
}

void oev_watch_make_sound(struct oev_watch_second *second)
{
	struct oev_watch_population *p = &second->population;

	second->is_known = truth(&second->is_known);
	second->is_gap = truth(&second->is_gap);
	if (p->asked_pct < -1 || p->asked_pct > 100)
		p->asked_pct = -1;
}

/* Seconds that are known, in their places; false: there is none. */
static bool put_seconds(struct oev_watch *watch)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (uint32_t i = 0; i < OEV_WATCH_SECONDS; i++) {
		struct oev_watch_second *second = &watch->seconds[i];
		oev_watch_make_sound(second);
		if (second->second % OEV_WATCH_SECONDS != i || second->second >= SECOND_MAX ||
		    !second->is_known) {
			*second = (struct oev_watch_second){ .population.asked_pct = -1 };
			continue;
		}
		first = second->second < first ? second->second : first;
		last = second->second > last ? second->second : last;
	}
	if (last == 0)
		return false;
	watch->first = last - first >= OEV_WATCH_SECONDS ? last - OEV_WATCH_SECONDS + 1 : first;
	watch->last = last;
	return true;
}

void oev_watch_image_put(struct oev_watch *watch, const void *image, uint64_t wall_us)
{
	size_t steps = oev_watch_steps_size();
	uint64_t now = wall_us / US_PER_S;

	pthread_mutex_lock(&watch->lock);
	memcpy(watch->steps, image, steps);
	memcpy(watch->seconds, (const char *)image + steps,
	       OEV_WATCH_SECONDS * sizeof(struct oev_watch_second));
	oev_watch_steps_make_sound(watch, now);
	if (put_seconds(watch)) {
		if (watch->last >= now) /* the clock was set back meanwhile */
			oev_watch_set_back(watch, (watch->last + 1 - now) * US_PER_S);
		oev_watch_heed_from(watch, watch->last);
		(void)oev_watch_at(watch, wall_us);
		watch->reached = watch->begun = now; /* between the lives nothing was told */
	}
	pthread_mutex_unlock(&watch->lock);
}
