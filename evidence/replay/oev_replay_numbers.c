/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Profiles and candidates, read back from their rows.
 */
#include "oev_replay_numbers.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

/* "1,2,..." */
static void take_rating_groups(struct oc_profile *profile, const char *text)
{
	while (*text >= '0' && *text <= '9') {
		char *end;
		unsigned long long group = strtoull(text, &end, 10);
		if (profile->rating_group_count == OC_PROFILE_RATING_GROUPS_MAX || group > UINT32_MAX)
			return;
		profile->rating_group[profile->rating_group_count++] = (uint32_t)group;
		text = *end == ',' ? end + 1 : end;
	}
	profile->has_more_rating_groups = strcmp(text, "...") == 0;
}

static uint64_t hexadecimal(sqlite3_stmt *stmt, int column)
{
	return strtoull(oev_query_word(stmt, column), NULL, 16);
}

static void take_profile(void *item, sqlite3_stmt *stmt)
{
	struct oc_profile *profile = item;
	const void *apn = sqlite3_column_blob(stmt, 8);
	int apn_len = sqlite3_column_bytes(stmt, 8);

	*profile =
		(struct oc_profile){ .hints = (uint16_t)oev_query_up_to(stmt, 1, UINT16_MAX),
				     .caps_has = (uint8_t)oev_query_up_to(stmt, 2, UINT8_MAX),
				     .vector = hexadecimal(stmt, 3),
				     .peer_algo = hexadecimal(stmt, 4),
				     .source = oev_query_up_to(stmt, 5, UINT32_MAX),
				     .reservation_priority = (uint8_t)oev_query_up_to(stmt, 6, UINT8_MAX) };
	take_rating_groups(profile, oev_query_word(stmt, 7));
	if (apn != NULL && apn_len > 0 && apn_len <= (int)sizeof(profile->apn)) {
		memcpy(profile->apn, apn, (size_t)apn_len);
		profile->apn_len = (uint8_t)apn_len;
	}
}

/* "peer:score peer:score" */
static void take_candidates(void *item, sqlite3_stmt *stmt)
{
	struct oc_event_candidates *set = item;
	const char *text = oev_query_word(stmt, 1);

	*set = (struct oc_event_candidates){ .id = oev_query_up_to(stmt, 0, UINT32_MAX) };
	while (*text >= '0' && *text <= '9' && set->count < OC_CANDIDATES_MAX) {
		char *end;
		set->peer[set->count] = (uint32_t)strtoul(text, &end, 10);
		if (*end != ':')
			break;
		set->score[set->count++] = (int32_t)strtol(end + 1, &end, 10);
		text = *end == ' ' ? end + 1 : end;
	}
}

int oev_replay_numbers_load(struct oev_replay_numbers *numbers, const struct oev_segment *segment)
{
	int rc = oev_dict_load(&numbers->profiles, segment, OEV_Q_PROFILE, OEV_Q_PROFILE_ONE,
			       sizeof(struct oc_profile), take_profile);

	if (rc == OC_OK)
		rc = oev_dict_load(&numbers->candidates, segment, OEV_Q_CANDIDATES, OEV_Q_CANDIDATES_ONE,
				   sizeof(struct oc_event_candidates), take_candidates);
	return rc;
}

int oev_replay_numbers_ask(struct oev_replay_numbers *numbers, const struct oev_segment *segment)
{
	int rc = oev_dict_ask(&numbers->profiles, segment, OEV_Q_PROFILE_ONE, sizeof(struct oc_profile),
			      take_profile);

	if (rc == OC_OK)
		rc = oev_dict_ask(&numbers->candidates, segment, OEV_Q_CANDIDATES_ONE,
				  sizeof(struct oc_event_candidates), take_candidates);
	return rc;
}

void oev_replay_numbers_fini(struct oev_replay_numbers *numbers)
{
	oev_dict_fini(&numbers->profiles);
	oev_dict_fini(&numbers->candidates);
}

const struct oc_profile *oev_replay_profile(struct oev_replay_numbers *numbers, uint32_t id)
{
	return id != 0 ? oev_dict_get(&numbers->profiles, id) : NULL;
}

const struct oc_event_candidates *oev_replay_candidates(struct oev_replay_numbers *numbers, uint32_t id)
{
	return id != 0 ? oev_dict_get(&numbers->candidates, id) : NULL;
}
