/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The table of profiles: direct-mapped, the one met last looked at first. Requests and answers have one each: they come by turns.
 */
#include "oc_profiles.h"

#include <stdlib.h>
#include <string.h>

#include "wire/oc_hash.h"

_Static_assert(OC_PROFILE_RATING_GROUPS_MAX == OC_MSG_RATING_GROUPS_MAX, "all that a message keeps");
_Static_assert(OC_PROFILE_APN_MAX == OC_MSG_APN_MAX, "likewise");

struct place {
	uint32_t number; /* 0 = free */
	struct oc_profile profile;
};

struct oc_profiles {
	uint32_t next;
	const struct place *last[2]; /* of requests, of answers */
	struct place places[OC_PROFILES_PLACES];
};

struct oc_profiles *oc_profiles_new(void)
{
	struct oc_profiles *profiles = calloc(1, sizeof(*profiles));

	if (profiles)
		profiles->last[0] = profiles->last[1] = &profiles->places[0];
	return profiles;
}

void oc_profiles_free(struct oc_profiles *profiles)
{
	free(profiles);
}

/* The APN tells where an emergency session goes, on Gx and Gxx alone. */
static uint8_t apn_len(const struct oc_msg *msg)
{
	return msg->app_id == OC_APP_GX || msg->app_id == OC_APP_GXX ? msg->apn_len : 0;
}

static bool is_nothing(const struct oc_msg *msg, uint16_t hints)
{
	return (hints | msg->caps.has | msg->reservation_priority | msg->rating_group_count |
		msg->has_more_rating_groups | apn_len(msg)) == 0;
}

static bool same_caps(const struct oc_profile *p, const struct oc_caps *caps)
{
	return p->caps_has == caps->has && p->vector == caps->vector && p->peer_algo == caps->peer_algo &&
	       p->source == caps->source;
}

static bool same_groups(const struct oc_profile *p, const struct oc_msg *msg)
{
	return p->rating_group_count == msg->rating_group_count &&
	       p->has_more_rating_groups == msg->has_more_rating_groups &&
	       memcmp(p->rating_group, msg->rating_group, p->rating_group_count * sizeof(uint32_t)) == 0;
}

static bool is_same(const struct oc_profile *p, const struct oc_msg *msg, uint16_t hints)
{
	return p->hints == hints && p->apn_len == apn_len(msg) && same_caps(p, &msg->caps) &&
	       p->reservation_priority == msg->reservation_priority && same_groups(p, msg) &&
	       memcmp(p->apn, msg->apn, p->apn_len) == 0;
}

static void fill(struct oc_profile *p, const struct oc_msg *msg, uint16_t hints)
{
	memset(p, 0, sizeof(*p));
	p->vector = msg->caps.vector;
	p->peer_algo = msg->caps.peer_algo;
	p->source = msg->caps.source;
	memcpy(p->rating_group, msg->rating_group, msg->rating_group_count * sizeof(uint32_t));
	p->hints = hints;
	p->caps_has = msg->caps.has;
	p->reservation_priority = msg->reservation_priority;
	p->rating_group_count = msg->rating_group_count;
	p->has_more_rating_groups = msg->has_more_rating_groups;
	p->apn_len = apn_len(msg);
	memcpy(p->apn, msg->apn, p->apn_len);
}

/* A content that is not the one met last. */
static __attribute__((noinline)) const struct place *look_up(struct oc_profiles *profiles,
							     const struct oc_msg *msg, uint16_t hints,
							     const struct oc_profile **fresh)
{
	struct oc_profile profile;

	fill(&profile, msg, hints);
	size_t used = offsetof(struct oc_profile, apn) + profile.apn_len;
	struct place *place = &profiles->places[oc_hash(&profile, used, 0) % OC_PROFILES_PLACES];
	if (place->number == 0 || memcmp(&place->profile, &profile, used) != 0) {
		place->number = ++profiles->next;
		place->profile = profile;
		*fresh = &place->profile;
	}
	return place;
}

uint32_t oc_profiles_number(struct oc_profiles *profiles, const struct oc_msg *msg, uint16_t hints,
			    const struct oc_profile **fresh)
{
	const struct place **last = &profiles->last[oc_msg_is_request(msg) ? 0 : 1];

	*fresh = NULL;
	if (is_nothing(msg, hints))
		return 0;
	if ((*last)->number == 0 || !is_same(&(*last)->profile, msg, hints))
		*last = look_up(profiles, msg, hints, fresh);
	return (*last)->number;
}

void oc_profile_apply(const struct oc_profile *p, struct oc_msg *msg)
{
	msg->hints = p->hints;
	msg->caps = (struct oc_caps){
		.vector = p->vector, .peer_algo = p->peer_algo, .source = p->source, .has = p->caps_has
	};
	msg->reservation_priority = p->reservation_priority;
	msg->rating_group_count = p->rating_group_count < OC_MSG_RATING_GROUPS_MAX ? p->rating_group_count
										   : OC_MSG_RATING_GROUPS_MAX;
	memcpy(msg->rating_group, p->rating_group, sizeof(msg->rating_group));
	msg->has_more_rating_groups = p->has_more_rating_groups != 0;
	msg->apn_len = p->apn_len < OC_MSG_APN_MAX ? p->apn_len : OC_MSG_APN_MAX;
	memcpy(msg->apn, p->apn, sizeof(msg->apn));
}
