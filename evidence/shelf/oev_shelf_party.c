/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a request says of itself, whom it could have gone to, and the policy it was decided under.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "oev_shelf_whole.h"

#define PEERS_TEXT_MAX 1024u

static sqlite3_stmt *ask(struct oev_shelf_conn *conn, unsigned which, uint64_t number)
{
	sqlite3_stmt *stmt = oev_shelf_stmt(conn, which);

	return stmt != NULL && sqlite3_bind_int64(stmt, 1, (sqlite3_int64)number) == SQLITE_OK &&
			       sqlite3_step(stmt) == SQLITE_ROW
		       ? stmt
		       : NULL;
}

/* Hexadecimal text or a number. */
static uint64_t vector(sqlite3_stmt *stmt, int column)
{
	return strtoull(oev_query_word(stmt, column), NULL, 0);
}

/* "1,2,3" or "1,2,...". */
static void read_groups(struct oc_profile *profile, const char *text)
{
	while (*text != '\0' && profile->rating_group_count < OC_PROFILE_RATING_GROUPS_MAX) {
		char *end;
		unsigned long group = strtoul(text, &end, 10);
		if (end == text)
			break;
		profile->rating_group[profile->rating_group_count++] =
			group < UINT32_MAX ? (uint32_t)group : UINT32_MAX;
		text = *end == ',' ? end + 1 : end;
	}
	profile->has_more_rating_groups = *text != '\0';
}

static void fill_profile(struct oev_shelf_conn *conn, struct oev_shelf_whole *whole)
{
	struct oc_profile *profile = &whole->profile;
	sqlite3_stmt *stmt =
		whole->row.d.profile != 0 ? ask(conn, OEV_SHELF_S_PROFILE, whole->row.d.profile) : NULL;

	whole->has_profile = stmt != NULL;
	if (stmt == NULL)
		return;
	profile->hints = (uint16_t)oev_query_up_to(stmt, 0, UINT16_MAX);
	profile->caps_has = (uint8_t)oev_query_up_to(stmt, 1, UINT8_MAX);
	profile->vector = vector(stmt, 2);
	profile->peer_algo = vector(stmt, 3);
	profile->source = oev_query_up_to(stmt, 4, UINT32_MAX);
	profile->reservation_priority = (uint8_t)oev_query_up_to(stmt, 5, UINT8_MAX);
	read_groups(profile, oev_query_word(stmt, 6));
	const void *apn = sqlite3_column_blob(stmt, 7);
	int len = sqlite3_column_bytes(stmt, 7);
	if (apn != NULL && len > 0) {
		profile->apn_len = (uint8_t)(len < (int)OC_PROFILE_APN_MAX ? len : (int)OC_PROFILE_APN_MAX);
		memcpy(profile->apn, apn, profile->apn_len);
	}
}

/* "peer:score peer:score". */
static void fill_candidates(struct oev_shelf_conn *conn, struct oev_shelf_whole *whole)
{
	uint32_t set = whole->row.d.candidates;
	sqlite3_stmt *stmt = set != 0 ? ask(conn, OEV_SHELF_S_CANDIDATES, set) : NULL;
	char text[PEERS_TEXT_MAX];

	if (stmt == NULL)
		return;
	oev_shelf_word(stmt, 0, text, sizeof(text));
	sqlite3_reset(stmt);
	for (char *at = text, *end; whole->candidate_count < OEV_SHELF_CANDIDATES_MAX; at = end) {
		struct oev_shelf_candidate *candidate = &whole->candidates[whole->candidate_count];
		unsigned long name = strtoul(at, &end, 10);
		if (end == at || *end != ':' || name > UINT32_MAX)
			break;
		candidate->score = (int32_t)strtol(end + 1, &end, 10);
		oev_shelf_name(conn, (uint32_t)name, candidate->name);
		whole->candidate_count++;
	}
}

static void fill_policy(struct oev_shelf_conn *conn, struct oev_shelf_whole *whole)
{
	sqlite3_stmt *stmt = ask(conn, OEV_SHELF_S_POLICY, whole->row.d.at_ns);

	whole->has_policy = stmt != NULL;
	if (stmt == NULL)
		return;
	whole->policy.version = oev_shelf_number(stmt, 0);
	whole->policy.wall_us = oev_shelf_number(stmt, 1);
	oev_shelf_word(stmt, 2, whole->policy.sha256, sizeof(whole->policy.sha256));
}

void oev_shelf_parties(struct oev_shelf_conn *conn, struct oev_shelf_whole *whole)
{
	fill_profile(conn, whole);
	fill_candidates(conn, whole);
	fill_policy(conn, whole);
}
