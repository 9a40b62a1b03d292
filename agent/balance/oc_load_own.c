/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Our own load: requests of the last two seconds against the capacity, and who was told what.
 *
 * The count is a sliding window made of two: the requests of this one, and of the one before the part that the last two
 * seconds still cover, as if they had come evenly. An agent that just began has no window before and looks emptier than it is
 * until the first two seconds are over.
 */
#include "oc_load_own.h"

#include <stdlib.h>

#include "oc_nodes.h"

#define NS_PER_MS 1000000ull
#define WINDOW_S 2u
#define WINDOW_NS (WINDOW_S * 1000000000ull)
#define MEASURED (OC_LOAD_IDLE + 1)

struct told {
	uint64_t at_ns;
	uint32_t value;
	bool is_known;
};

struct oc_load_own {
	uint64_t window_ns; /* when this window began */
	uint32_t before;    /* requests of the window before this one */
	uint32_t now;	    /* requests of this one */
	uint32_t by_hand;   /* or MEASURED */
	struct oc_nodes peers;
	struct told *told; /* by place */
};

struct oc_load_own *oc_load_own_new(uint32_t peers)
{
	struct oc_load_own *own = calloc(1, sizeof(*own));

	if (!own)
		return NULL;
	own->by_hand = MEASURED;
	if (oc_nodes_init(&own->peers, peers))
		own->told = calloc(oc_nodes_places(&own->peers), sizeof(*own->told));
	if (!own->told) {
		oc_load_own_free(own);
		return NULL;
	}
	return own;
}

void oc_load_own_free(struct oc_load_own *own)
{
	if (!own)
		return;
	oc_nodes_fini(&own->peers);
	free(own->told);
	free(own);
}

/* Begins a new window when this one is over. Returns how much of the present one has passed. */
static uint64_t advance(struct oc_load_own *own, uint64_t now_ns)
{
	/* Readings of two threads may be in the wrong order by a little: then no time has passed. */
	uint64_t passed_ns = now_ns > own->window_ns ? now_ns - own->window_ns : 0;

	if (passed_ns < WINDOW_NS)
		return passed_ns;
	uint64_t windows = passed_ns / WINDOW_NS;
	own->before = windows == 1 ? own->now : 0;
	own->now = 0;
	own->window_ns += windows * WINDOW_NS;
	return now_ns - own->window_ns;
}

void oc_load_own_count(struct oc_load_own *own, uint64_t now_ns)
{
	advance(own, now_ns);
	own->now++;
}

void oc_load_own_set(struct oc_load_own *own, uint32_t value)
{
	own->by_hand = value <= OC_LOAD_IDLE ? value : MEASURED;
}

bool oc_load_own_is_set(const struct oc_load_own *own)
{
	return own->by_hand != MEASURED;
}

uint32_t oc_load_own_value(struct oc_load_own *own, const struct oc_load_policy *policy, uint64_t now_ns)
{
	uint64_t passed_ns = advance(own, now_ns);
	uint64_t room = (uint64_t)policy->capacity_rps * WINDOW_S;

	if (own->by_hand != MEASURED)
		return own->by_hand;
	if (room == 0)
		return OC_LOAD_IDLE;
	uint64_t came = own->now + own->before * (WINDOW_NS - passed_ns) / WINDOW_NS;
	return came < room ? (uint32_t)(OC_LOAD_IDLE * (room - came) / room) : 0;
}

/* Whether who was told @told should hear @value. Half the age at which a neighbour with our settings forgets it, so that
 * it is never without. */
static bool is_due(const struct told *told, const struct oc_load_policy *policy, uint32_t value,
		   uint64_t now_ns)
{
	uint32_t difference = told->value > value ? told->value - value : value - told->value;
	uint64_t age_ns = now_ns > told->at_ns ? now_ns - told->at_ns : 0;

	return !told->is_known || (difference != 0 && difference >= policy->change_min) ||
	       age_ns >= policy->max_age_ms * NS_PER_MS / 2;
}

bool oc_load_own_tell(struct oc_load_own *own, const struct oc_load_policy *policy, uint32_t peer,
		      uint64_t now_ns, uint32_t *value)
{
	if (policy->send == OC_LOAD_SEND_OFF)
		return false;
	uint32_t present = oc_load_own_value(own, policy, now_ns);
	uint32_t at = oc_nodes_add(&own->peers, peer);
	struct told *told = at != OC_NODES_NOWHERE ? &own->told[at] : NULL;
	/* Better too often than never: one who cannot be remembered hears it every time. */
	if (told && policy->send == OC_LOAD_SEND_CHANGE && !is_due(told, policy, present, now_ns))
		return false;
	if (told)
		*told = (struct told){ .at_ns = now_ns, .value = present, .is_known = true };
	*value = present;
	return true;
}

void oc_load_own_on_up(struct oc_load_own *own, uint32_t peer)
{
	uint32_t at = oc_nodes_find(&own->peers, peer);

	if (at != OC_NODES_NOWHERE)
		own->told[at].is_known = false;
}
