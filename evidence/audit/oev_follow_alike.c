/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which requests claims see alike: the key of each, and the edges of time.
 */
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_follow.h"

static int add_edges(struct oev_edges *edges, const uint64_t *at, size_t count)
{
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < count; i++)
		rc = oev_edges_add(edges, at[i]);
	return rc;
}

/* All that phase_of() and the range of a follow compare times with. */
static int edges_of(const struct oev_audit *audit, const struct oev_follow *follow,
		    struct oev_instants *times)
{
	const struct oev_effect *effect = follow->effect;
	uint64_t over_us = effect->normal_us != 0 ? effect->normal_us : effect->ended_us;
	const uint64_t walls[] = { follow->from_us,  follow->until_us,
				   effect->first_us, effect->first_us - effect->around_us,
				   over_us,	     over_us + effect->around_us };
	int rc = add_edges(&times->wall, walls, sizeof(walls) / sizeof(walls[0]));

	for (uint32_t i = 0; rc == OC_OK && i < follow->version_count; i++) {
		const struct oev_version *version = &audit->versions[follow->version_first + i];
		const uint64_t monos[] = { version->from_ns, version->end_ns, version->effect_ns };
		rc = add_edges(&times->mono, monos, sizeof(monos) / sizeof(monos[0]));
	}
	return rc;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static int fill_instants(const struct oev_audit *audit, const struct oev_follows *follows,
			 struct oev_instants *times)
{
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < follows->count; i++)
		rc = edges_of(audit, &follows->all[i], times);
	oev_edges_sort(&times->wall);
	oev_edges_sort(&times->mono);
	return rc;
}

void oev_instants_fini(struct oev_instants *times)
{
	oev_edges_fini(&times->wall);
	oev_edges_fini(&times->mono);
}

int oev_follows_edges(const struct oev_audit *audit, struct oev_follows *follows)
{
	for (size_t i = 0; i < follows->count; i++)
		follows->step_us = common_divisor(follows->all[i].series->step_us, follows->step_us);
	int rc = fill_instants(audit, follows, &follows->requests);
	if (rc == OC_OK)
		rc = fill_instants(audit, follows, &follows->answers);
	if (rc == OC_OK)
		rc = add_edges(&follows->told, follows->answers.mono.at, follows->answers.mono.count);
	oev_edges_sort(&follows->told);
	return rc;
}

/* What see() and those after it ask of a request, and of its time among @times. */
static void fill_key(const struct oev_follows *follows, struct oev_instants *times, const struct oev_row *row,
		     struct oev_strand_key *key)
{
	key->step = row->wall_us / follows->step_us;
	key->wall_edge = oev_edges_stretch(&times->wall, row->wall_us);
	key->mono_edge = oev_edges_stretch(&times->mono, row->mono_ns);
	key->app_id = row->app_id;
	key->origin_host = row->origin_host;
	key->dest_host = row->dest_host;
	key->dest_realm = row->dest_realm;
	key->first_choice = row->first_choice;
	key->next_hop = row->next_hop;
	memcpy(key->version, &row->version[OC_SCOPE_REALM], sizeof(key->version));
	key->flags = row->flags & (OC_DEC_PROBE | OC_DEC_DOIC_CLIENT | OC_DEC_REACTING_FOR);
	key->verdict = row->verdict;
	key->why = row->why;
	key->selected_by = row->selected_by;
}

static struct oev_strand *count(struct oev_scan *scan, const struct oev_strand_key *key, bool *is_new)
{
	struct oev_strand *strand = oev_strands_count(&scan->follows->strands, key, is_new);

	if (strand != NULL)
		return strand;
	oev_follows_tell(scan);
	return oev_strands_count(&scan->follows->strands, key, is_new);
}

void oev_follow_decision(struct oev_scan *scan, const struct oev_row *row, unsigned retried)
{
	struct oev_follows *follows = scan->follows;
	struct oev_strand_key key = { .retried = retried != 0 };
	bool is_new;

	if (!row->in_window || follows->count == 0)
		return;
	fill_key(follows, &follows->requests, row, &key);
	struct oev_strand *strand = count(scan, &key, &is_new);
	if (!is_new)
		return;
	strand->row = *row;
	strand->retried = retried;
	strand->is_answer = false;
}

void oev_follow_answer(struct oev_scan *scan, const struct oev_row *row, const struct oev_answer *answer)
{
	struct oev_follows *follows = scan->follows;
	struct oev_strand_key key = { .is_answer = 1,
				      .has_result = answer->result_code != 0,
				      .relayed = answer->maker == OC_MADE_UPSTREAM };
	bool is_new;

	if (!row->in_window || follows->count == 0)
		return;
	fill_key(follows, &follows->answers, row, &key);
	key.told_edge = oev_edges_stretch(&follows->told, row->mono_ns + answer->took_ns);
	key.of_realm = oev_answer_of_realm(row, answer);
	if (key.relayed) {
		key.passes = answer->passes;
		key.answered_by = answer->answered_by;
		key.from_peer = answer->from_peer;
		key.class = (uint8_t)oev_class_of_result(answer->result_code);
		key.useful = oev_effect_is_useful(scan->audit, answer);
	}
	struct oev_strand *strand = count(scan, &key, &is_new);
	if (!is_new)
		return;
	strand->row = *row;
	strand->answer = *answer;
	strand->is_answer = true;
}
