/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * From the values of a row, and the rows it names, to what the audit computes with.
 */
#include "oev_read.h"

#include <string.h>

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_msg.h"

struct flow {
	uint32_t app_id, client, origin_host, dest_host, dest_realm;
};

struct way {
	uint32_t first_choice, next_hop, result_code;
	uint16_t flags;
	uint8_t verdict, why, selected_by, klass;
};

struct ending {
	uint32_t result_code, answered_by, answered_realm, from_peer;
	uint16_t attempts, hints;
	uint8_t maker;
};

/* What no node writes reads as the largest value, not as a harmless one: never a number cut to fit. */
static inline uint32_t up_to(sqlite3_value *value, uint32_t most)
{
	int64_t number = sqlite3_value_int64(value); /* NULL reads as 0, which means none */

	return (uint64_t)number < most ? (uint32_t)number : most;
}

static void take_flow(void *item, sqlite3_stmt *stmt)
{
	struct flow *flow = item;

	flow->app_id = oev_query_up_to(stmt, 1, UINT32_MAX);
	flow->client = oev_query_up_to(stmt, 2, UINT32_MAX);
	flow->origin_host = oev_query_up_to(stmt, 3, UINT32_MAX);
	flow->dest_host = oev_query_up_to(stmt, 4, UINT32_MAX);
	flow->dest_realm = oev_query_up_to(stmt, 5, UINT32_MAX);
}

static void take_way(void *item, sqlite3_stmt *stmt)
{
	struct way *way = item;

	way->verdict = (uint8_t)oev_query_up_to(stmt, 1, UINT8_MAX);
	way->why = (uint8_t)oev_query_up_to(stmt, 2, UINT8_MAX);
	way->selected_by = (uint8_t)oev_query_up_to(stmt, 3, UINT8_MAX);
	way->klass = (uint8_t)oev_query_up_to(stmt, 4, UINT8_MAX);
	way->flags = (uint16_t)oev_query_up_to(stmt, 5, UINT16_MAX);
	way->first_choice = oev_query_up_to(stmt, 6, UINT32_MAX);
	way->next_hop = oev_query_up_to(stmt, 7, UINT32_MAX);
	way->result_code = oev_query_up_to(stmt, 8, UINT32_MAX);
}

static void take_ending(void *item, sqlite3_stmt *stmt)
{
	struct ending *ending = item;

	ending->result_code = oev_query_up_to(stmt, 1, UINT32_MAX);
	ending->maker = (uint8_t)oev_query_up_to(stmt, 2, UINT8_MAX);
	ending->answered_by = oev_query_up_to(stmt, 3, UINT32_MAX);
	ending->answered_realm = oev_query_up_to(stmt, 4, UINT32_MAX);
	ending->from_peer = oev_query_up_to(stmt, 5, UINT32_MAX);
	ending->attempts = (uint16_t)oev_query_up_to(stmt, 6, UINT16_MAX);
	ending->hints = (uint16_t)oev_query_up_to(stmt, 7, UINT16_MAX);
}

/* Nine values from @values on: version, share, number of the draw, for realm, host, peer. */
static void fill_looks(struct oev_row *row, sqlite3_value **values)
{
	row->version[0] = row->share_ppm[0] = row->nth[0] = 0;
	for (int scope = OC_SCOPE_REALM; scope <= OC_SCOPE_PEER; scope++) {
		sqlite3_value **look = values + (ptrdiff_t)3 * (scope - 1);
		row->version[scope] = up_to(look[0], UINT32_MAX);
		row->share_ppm[scope] = 0;
		row->nth[scope] = 0;
		if (row->version[scope] == 0)
			continue;
		row->share_ppm[scope] = up_to(look[1], OC_PPM + 1);
		row->nth[scope] = up_to(look[2], UINT32_MAX);
	}
}

static void join_flow(struct oev_row *row, const struct flow *flow)
{
	static const struct flow none = { 0 };

	row->is_broken |= flow == NULL;
	flow = flow != NULL ? flow : &none;
	row->app_id = flow->app_id;
	row->client = flow->client;
	row->origin_host = flow->origin_host;
	row->dest_host = flow->dest_host;
	row->dest_realm = flow->dest_realm;
}

static void join_way(struct oev_row *row, const struct way *way)
{
	static const struct way none = { 0 };

	row->is_broken |= way == NULL;
	way = way != NULL ? way : &none;
	row->verdict = way->verdict;
	row->why = way->why;
	row->selected_by = way->selected_by;
	row->klass = way->klass;
	row->flags = way->flags;
	row->first_choice = way->first_choice;
	row->next_hop = way->next_hop;
	row->result_code = way->result_code;
}

static void fill_decision_3(struct oev_reader *reader, struct oev_row *row, sqlite3_value **values)
{
	row->id = (uint64_t)sqlite3_value_int64(values[0]);
	row->mono_ns = reader->base_ns + (uint64_t)sqlite3_value_int64(values[1]);
	row->out_ns = row->mono_ns + (uint64_t)sqlite3_value_int64(values[2]);
	row->wall_us = oev_times_wall(reader->times, row->mono_ns, &reader->times_hint);
	row->is_broken = false;
	join_flow(row, oev_dict_get(&reader->flows, (uint64_t)sqlite3_value_int64(values[3])));
	join_way(row, oev_dict_get(&reader->ways, (uint64_t)sqlite3_value_int64(values[4])));
	row->end_to_end = up_to(values[5], UINT32_MAX);
	row->session = (uint64_t)sqlite3_value_int64(values[6]);
	fill_looks(row, values + 7);
}

static void fill_decision_2(struct oev_row *row, sqlite3_value **values)
{
	row->id = (uint64_t)sqlite3_value_int64(values[0]);
	row->mono_ns = row->out_ns = (uint64_t)sqlite3_value_int64(values[1]);
	row->wall_us = (uint64_t)sqlite3_value_int64(values[2]);
	row->app_id = up_to(values[3], UINT32_MAX);
	row->client = up_to(values[4], UINT32_MAX);
	row->end_to_end = up_to(values[5], UINT32_MAX);
	row->session = (uint64_t)sqlite3_value_int64(values[6]);
	fill_looks(row, values + 7);
	row->origin_host = up_to(values[16], UINT32_MAX);
	row->dest_host = up_to(values[17], UINT32_MAX);
	row->dest_realm = up_to(values[18], UINT32_MAX);
	row->verdict = (uint8_t)up_to(values[19], UINT8_MAX);
	row->why = (uint8_t)up_to(values[20], UINT8_MAX);
	row->selected_by = (uint8_t)up_to(values[21], UINT8_MAX);
	row->klass = (uint8_t)up_to(values[22], UINT8_MAX);
	row->flags = (uint16_t)up_to(values[23], UINT16_MAX);
	row->first_choice = up_to(values[24], UINT32_MAX);
	row->next_hop = up_to(values[25], UINT32_MAX);
	row->result_code = up_to(values[26], UINT32_MAX);
	row->is_broken = false;
}

static void fill_decision(struct oev_reader *reader, void *row, int count, sqlite3_value **values)
{
	(void)count;
	if (reader->schema < 3)
		fill_decision_2(row, values);
	else
		fill_decision_3(reader, row, values);
}

static void fill_outcome(struct oev_reader *reader, void *row, int count, sqlite3_value **values)
{
	static const struct ending none = { 0 };
	struct oev_answer *answer = row;

	(void)count;
	answer->decision = (uint64_t)sqlite3_value_int64(values[0]);
	answer->took_ns = (uint64_t)sqlite3_value_int64(values[1]);
	answer->is_broken = false;
	if (reader->schema < 3) {
		answer->result_code = up_to(values[2], UINT32_MAX);
		answer->maker = (uint8_t)up_to(values[3], UINT8_MAX);
		answer->answered_by = up_to(values[4], UINT32_MAX);
		answer->answered_realm = 0;
		answer->from_peer = up_to(values[5], UINT32_MAX);
		answer->attempts = (uint16_t)up_to(values[6], UINT16_MAX);
		answer->passes = true;
		return;
	}
	const struct ending *ending =
		oev_dict_get(&reader->endings, (uint64_t)sqlite3_value_int64(values[2]));
	answer->is_broken = ending == NULL;
	ending = ending != NULL ? ending : &none;
	answer->result_code = ending->result_code;
	answer->maker = ending->maker;
	answer->answered_by = ending->answered_by;
	answer->answered_realm = ending->answered_realm;
	answer->from_peer = ending->from_peer;
	answer->attempts = ending->attempts;
	answer->passes = reader->is_capture || (ending->hints & OC_HINT_PASSES) != 0;
}

static int open_decisions(struct oev_reader *reader, const struct oev_segment *segment)
{
	int rc = oev_dict_load(&reader->flows, segment, OEV_Q_FLOW, OEV_Q_FLOW_ONE, sizeof(struct flow),
			       take_flow);

	if (rc == OC_OK)
		rc = oev_dict_load(&reader->ways, segment, OEV_Q_WAY, OEV_Q_WAY_ONE, sizeof(struct way),
				   take_way);
	return rc;
}

static int open_outcomes(struct oev_reader *reader, const struct oev_segment *segment)
{
	return oev_dict_load(&reader->endings, segment, OEV_Q_ENDING, OEV_Q_ENDING_ONE, sizeof(struct ending),
			     take_ending);
}

const struct oev_read_kind oev_read_decisions = { .row_size = sizeof(struct oev_row),
						  .question = OEV_Q_DECISION,
						  .thread = 0,
						  .open = open_decisions,
						  .fill = fill_decision };
const struct oev_read_kind oev_read_outcomes = { .row_size = sizeof(struct oev_answer),
						 .question = OEV_Q_OUTCOME,
						 .thread = 1,
						 .open = open_outcomes,
						 .fill = fill_outcome };

int oev_reader_init(struct oev_reader *reader, const struct oev_read_kind *kind,
		    const struct oev_segment *segment, const struct oev_times *times)
{
	reader->schema = segment->schema;
	reader->is_capture = segment->is_capture;
	reader->base_ns = segment->base_ns;
	reader->times = times;
	return kind->open(reader, segment);
}

int oev_reader_init_few(struct oev_reader *reader, const struct oev_segment *segment,
			const struct oev_times *times)
{
	reader->schema = segment->schema;
	reader->is_capture = segment->is_capture;
	reader->base_ns = segment->base_ns;
	reader->times = times;
	int rc = oev_dict_ask(&reader->flows, segment, OEV_Q_FLOW_ONE, sizeof(struct flow), take_flow);
	if (rc == OC_OK)
		rc = oev_dict_ask(&reader->ways, segment, OEV_Q_WAY_ONE, sizeof(struct way), take_way);
	return rc;
}

void oev_reader_fini(struct oev_reader *reader)
{
	oev_dict_fini(&reader->flows);
	oev_dict_fini(&reader->ways);
	oev_dict_fini(&reader->endings);
}
