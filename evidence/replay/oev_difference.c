/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Names, states and candidates of a decision.
 */
#include "oev_difference.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../app/oev_cut.h"
#include "../audit/oev_times.h"
#include "oev_replay_numbers.h"
#include "oev_replay_parts.h"

static void name(const struct oev_replay_life *life, uint32_t id, char out[static OC_IDENT_MAX + 1])
{
	snprintf(out, OC_IDENT_MAX + 1, "%s", oc_names_text(life->conf.names, id));
}

static void describe_parties(struct oev_difference *difference, const struct oev_replay_life *life)
{
	const struct oc_decision *d = &difference->recorded;

	name(life, d->client_peer, difference->client);
	name(life, d->origin_host, difference->origin_host);
	name(life, d->origin_realm, difference->origin_realm);
	name(life, d->dest_host, difference->dest_host);
	name(life, d->dest_realm, difference->dest_realm);
	name(life, d->first_choice, difference->hops[0]);
	name(life, d->next_hop, difference->hops[1]);
	name(life, difference->replayed.first_choice, difference->hops[2]);
	name(life, difference->replayed.next_hop, difference->hops[3]);
}

/* "host s1.example loss 30 % sequence 17, from -1.203 s until 28.797 s": times from the decision. */
static void describe_state(struct oev_replay_state *state, const struct oev_difference *difference,
			   const struct oev_replay_life *life, sqlite3_stmt *stmt)
{
	double at_s = (double)difference->recorded.at_ns / 1e9;
	uint32_t origin = oev_query_up_to(stmt, 3, UINT32_MAX);
	char asked[48], only[OC_IDENT_MAX + 8] = "";

	if (sqlite3_column_type(stmt, 5) != SQLITE_NULL)
		snprintf(asked, sizeof(asked), "%" PRIu32 " %%", oev_query_up_to(stmt, 5, UINT32_MAX));
	else
		snprintf(asked, sizeof(asked), "%" PRIu32 "/s", oev_query_up_to(stmt, 6, UINT32_MAX));
	if (origin != 0)
		snprintf(only, sizeof(only), " for %s", oc_names_text(life->conf.names, origin));
	const char *subject = oc_names_text(life->conf.names, oev_query_up_to(stmt, 2, UINT32_MAX));
	snprintf(state->text, sizeof(state->text),
		 "%.8s %.*s%.*s: %.8s %s, sequence %.20s, held from %+.3f s to %+.3f s",
		 oev_query_word(stmt, 0), oev_cut(subject, 120), subject, oev_cut(only, 80), only,
		 oev_query_word(stmt, 4), asked, oev_query_word(stmt, 8),
		 (double)sqlite3_column_int64(stmt, 9) / 1e9 - at_s,
		 (double)sqlite3_column_int64(stmt, 10) / 1e9 - at_s);
}

static void find_states(struct oev_difference *difference, const struct oev_replay_life *life,
			const struct oev_segment *segment)
{
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_VERSION_ONE);

	for (int scope = OC_SCOPE_REALM; stmt != NULL && scope < OC_SCOPE_COUNT; scope++) {
		struct oev_replay_state *state = &difference->states[scope];
		if (state->version == 0 || state->text[0] != '\0')
			continue;
		sqlite3_bind_int64(stmt, 1, state->version);
		if (sqlite3_step(stmt) == SQLITE_ROW)
			describe_state(state, difference, life, stmt);
		sqlite3_reset(stmt);
	}
	sqlite3_finalize(stmt);
}

static void find_candidates(struct oev_difference *difference, const struct oev_replay_life *life,
			    const struct oev_segment *segment)
{
	struct oev_replay_numbers numbers = { 0 };
	size_t at = 0, size = sizeof(difference->candidates);

	if (difference->candidates[0] != '\0' || difference->recorded.candidates == 0 ||
	    oev_replay_numbers_ask(&numbers, segment) != OC_OK) {
		oev_replay_numbers_fini(&numbers);
		return;
	}
	const struct oc_event_candidates *set =
		oev_replay_candidates(&numbers, difference->recorded.candidates);
	for (uint32_t i = 0; set != NULL && i < set->count && at < size; i++)
		at += (size_t)snprintf(difference->candidates + at, size - at, "%s%s (%" PRId32 ")",
				       i > 0 ? ", " : "", oc_names_text(life->conf.names, set->peer[i]),
				       set->score[i]);
	oev_replay_numbers_fini(&numbers);
}

/* The clock of the last part that had begun by then. */
static int find_time(struct oev_difference *difference, const struct oev_segment *segment)
{
	struct oev_times times = { 0 };
	size_t hint = 0;

	if (difference->wall_us != 0 && segment->base_ns > difference->recorded.at_ns)
		return OC_OK;
	int rc = oev_times_load(&times, segment);
	if (rc == OC_OK)
		difference->wall_us = oev_times_wall(&times, difference->recorded.at_ns, &hint);
	oev_times_fini(&times);
	return rc;
}

int oev_difference_describe(struct oev_difference *difference, const struct oev_replay_life *life)
{
	int rc = OC_OK;

	describe_parties(difference, life);
	difference->states[OC_SCOPE_REALM].version = difference->recorded.realm.version;
	difference->states[OC_SCOPE_HOST].version = difference->recorded.host.version;
	difference->states[OC_SCOPE_PEER].version = difference->recorded.peer.version;
	for (uint32_t i = 0; rc == OC_OK && i < life->part_count; i++) {
		struct oev_segment segment = { 0 };
		char error[OEV_REPLAY_ERROR_MAX];
		rc = oev_replay_open(&segment, life->parts[i].path, error);
		if (rc == OC_OK)
			rc = find_time(difference, &segment);
		if (rc == OC_OK) {
			find_states(difference, life, &segment);
			find_candidates(difference, life, &segment);
		}
		oev_segment_fini(&segment);
	}
	return rc;
}

static void look_value(const struct oc_look *look, char out[static OEV_VALUE_MAX])
{
	if (look->version == 0)
		snprintf(out, OEV_VALUE_MAX, "not held against any");
	else if (look->nth == 0)
		snprintf(out, OEV_VALUE_MAX, "#%" PRIu32 " at %.4f %%, not drawn", look->version,
			 look->share_ppm / 1e4);
	else
		snprintf(out, OEV_VALUE_MAX, "#%" PRIu32 " at %.4f %%, draw %" PRIu32, look->version,
			 look->share_ppm / 1e4, look->nth);
}

void oev_difference_value(const char *field, const struct oc_decision *decision, const char *first_choice,
			  const char *next_hop, char out[static OEV_VALUE_MAX])
{
	const struct {
		const char *field;
		const char *text;
	} words[] = {
		{ "verdict", oc_verdict_text(decision->verdict) },
		{ "why", oc_why_text(decision->why) },
		{ "selected_by", oc_scope_text(decision->selected_by) },
		{ "first_choice", first_choice },
		{ "next_hop", next_hop },
	};
	const struct {
		const char *field;
		const struct oc_look *look;
	} looks[] = { { "realm", &decision->realm },
		      { "host", &decision->host },
		      { "peer", &decision->peer } };

	out[0] = '\0';
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(field, words[i].field) == 0)
			snprintf(out, OEV_VALUE_MAX, "%s", words[i].text[0] != '\0' ? words[i].text : "none");
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++)
		if (strcmp(field, looks[i].field) == 0)
			look_value(looks[i].look, out);
	if (strcmp(field, "class") == 0)
		snprintf(out, OEV_VALUE_MAX, "%u", decision->klass);
	if (strcmp(field, "result_code") == 0)
		snprintf(out, OEV_VALUE_MAX, "%" PRIu32, decision->result_code);
	if (strcmp(field, "flags") == 0)
		snprintf(out, OEV_VALUE_MAX, "0x%x", decision->flags);
}
