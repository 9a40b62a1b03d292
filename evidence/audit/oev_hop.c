/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Counting by next hop.
 */
#include "oev_hop.h"

#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_follow.h"

#define SECOND_US 1000000ull

/* The row of next hop @id in @app_id; NULL when there is no room for a new one. */
static struct oev_hop *hop_of(struct oev_scan *scan, uint32_t id, uint32_t app_id)
{
	struct oev_audit *audit = scan->audit;
	uint64_t key = (uint64_t)id << 32 | app_id, at = oev_index_get(&scan->hop_at, key);

	if (at != 0)
		return &audit->hops[at - 1];
	uint32_t name = oev_follow_name(scan, id, audit->hop_count < OEV_HOPS_MAX);
	for (at = 0; name != 0 && at < audit->hop_count; at++) /* known from another life */
		if (audit->hops[at].name == name && audit->hops[at].app_id == app_id)
			break;
	if (name == 0 || (at == audit->hop_count && at == OEV_HOPS_MAX))
		return NULL;
	if (at == audit->hop_count) {
		struct oev_hop *hop = oev_audit_grow(&audit->hops, &audit->hop_count, sizeof(*hop));
		if (hop == NULL)
			return NULL;
		hop->name = name;
		hop->app_id = app_id;
	}
	return oev_index_put(&scan->hop_at, key, at + 1) == OC_OK ? &audit->hops[at] : NULL;
}

static void count_second(struct oev_hop *hop, uint64_t wall_us)
{
	uint64_t second_us = wall_us / SECOND_US * SECOND_US;

	hop->in_second = second_us == hop->second_us ? hop->in_second + 1 : 1;
	hop->second_us = second_us;
	if (hop->in_second > hop->busiest) {
		hop->busiest = hop->in_second;
		hop->busiest_us = second_us;
	}
}

void oev_hop_request(struct oev_scan *scan, const struct oev_row *row)
{
	if (!row->in_window || row->next_hop == 0)
		return;
	struct oev_hop *hop = hop_of(scan, row->next_hop, row->app_id);
	if (hop == NULL) {
		scan->audit->hops_unlisted++;
		return;
	}
	hop->sent++;
	hop->diverted += row->verdict == OC_DIVERT;
	hop->lost++; /* until an answer comes */
	count_second(hop, row->wall_us);
}

void oev_hop_answer(struct oev_scan *scan, const struct oev_row *row, const struct oev_answer *answer)
{
	if (!row->in_window || row->next_hop == 0)
		return;
	struct oev_hop *hop = hop_of(scan, row->next_hop, row->app_id);
	if (hop == NULL)
		return;
	if (answer->attempts > 1)
		hop->resent += answer->attempts - 1u;
	if (answer->maker != OC_MADE_UPSTREAM)
		return;
	hop->lost--;
	hop->answers[oev_class_of_result(answer->result_code)]++;
	hop->useful += oev_effect_is_useful(scan->audit, answer);
}

static int by_name(const struct oev_names *names, const struct oev_hop *left, const struct oev_hop *right)
{
	int order = strcmp(oev_names_text(names, left->name), oev_names_text(names, right->name));

	return order != 0 ? order : (left->app_id > right->app_id) - (left->app_id < right->app_id);
}

void oev_hops_end(struct oev_audit *audit)
{
	/* few rows, and the order needs the names: insertion */
	for (size_t i = 1; i < audit->hop_count; i++)
		for (size_t j = i; j > 0 && by_name(&audit->names, &audit->hops[j - 1], &audit->hops[j]) > 0;
		     j--) {
			struct oev_hop moved = audit->hops[j];
			audit->hops[j] = audit->hops[j - 1];
			audit->hops[j - 1] = moved;
		}
}
