/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * From the values of a row, and the rows it names, to what the core told.
 */
#include "oev_replay_rows.h"

#include "../../agent/oc_err.h"

struct flow {
	uint32_t app_id, command, client, origin_host, origin_realm, dest_host, dest_realm, profile;
	uint8_t drmp, cc_request_type;
};

struct way {
	uint32_t candidates, first_choice, next_hop, result_code;
	uint16_t flags;
	uint8_t verdict, why, selected_by, klass;
};

struct ending {
	uint32_t result_code, answered_by, answered_realm, from_peer, profile;
	uint8_t maker, attempts;
};

/* What no node writes reads as the largest value, not as a harmless one; NULL is 0. */
static inline uint32_t up_to(sqlite3_value *value, uint32_t most)
{
	int64_t number = sqlite3_value_int64(value);

	return (uint64_t)number < most ? (uint32_t)number : most;
}

static void take_flow(void *item, sqlite3_stmt *stmt)
{
	struct flow *flow = item;

	flow->app_id = oev_query_up_to(stmt, 1, UINT32_MAX);
	flow->command = oev_query_up_to(stmt, 2, UINT32_MAX);
	flow->client = oev_query_up_to(stmt, 3, UINT32_MAX);
	flow->origin_host = oev_query_up_to(stmt, 4, UINT32_MAX);
	flow->origin_realm = oev_query_up_to(stmt, 5, UINT32_MAX);
	flow->dest_host = oev_query_up_to(stmt, 6, UINT32_MAX);
	flow->dest_realm = oev_query_up_to(stmt, 7, UINT32_MAX);
	flow->drmp = sqlite3_column_type(stmt, 8) == SQLITE_NULL
			     ? OC_DRMP_NONE
			     : (uint8_t)oev_query_up_to(stmt, 8, UINT8_MAX);
	flow->cc_request_type = (uint8_t)oev_query_up_to(stmt, 9, UINT8_MAX);
	flow->profile = oev_query_up_to(stmt, 10, UINT32_MAX);
}

static void take_way(void *item, sqlite3_stmt *stmt)
{
	struct way *way = item;

	way->verdict = (uint8_t)oev_query_up_to(stmt, 1, UINT8_MAX);
	way->why = (uint8_t)oev_query_up_to(stmt, 2, UINT8_MAX);
	way->selected_by = (uint8_t)oev_query_up_to(stmt, 3, UINT8_MAX);
	way->klass = (uint8_t)oev_query_up_to(stmt, 4, UINT8_MAX);
	way->flags = (uint16_t)oev_query_up_to(stmt, 5, UINT16_MAX);
	way->candidates = oev_query_up_to(stmt, 6, UINT32_MAX);
	way->first_choice = oev_query_up_to(stmt, 7, UINT32_MAX);
	way->next_hop = oev_query_up_to(stmt, 8, UINT32_MAX);
	way->result_code = oev_query_up_to(stmt, 9, UINT32_MAX);
}

static void take_ending(void *item, sqlite3_stmt *stmt)
{
	struct ending *ending = item;

	ending->result_code = oev_query_up_to(stmt, 1, UINT32_MAX);
	ending->maker = (uint8_t)oev_query_up_to(stmt, 2, UINT8_MAX);
	ending->answered_by = oev_query_up_to(stmt, 3, UINT32_MAX);
	ending->answered_realm = oev_query_up_to(stmt, 4, UINT32_MAX);
	ending->from_peer = oev_query_up_to(stmt, 5, UINT32_MAX);
	ending->attempts = (uint8_t)oev_query_up_to(stmt, 6, UINT8_MAX);
	ending->profile = oev_query_up_to(stmt, 7, UINT32_MAX);
}

static void join_flow(struct oc_decision *d, const struct flow *flow)
{
	d->app_id = flow->app_id;
	d->command = flow->command;
	d->client_peer = flow->client;
	d->origin_host = flow->origin_host;
	d->origin_realm = flow->origin_realm;
	d->dest_host = flow->dest_host;
	d->dest_realm = flow->dest_realm;
	d->drmp = flow->drmp;
	d->cc_request_type = flow->cc_request_type;
	d->profile = flow->profile;
}

static void join_way(struct oc_decision *d, const struct way *way)
{
	d->verdict = way->verdict;
	d->why = way->why;
	d->selected_by = way->selected_by;
	d->klass = way->klass;
	d->flags = way->flags;
	d->candidates = way->candidates;
	d->first_choice = way->first_choice;
	d->next_hop = way->next_hop;
	d->result_code = way->result_code;
}

static void fill_look(struct oc_look *look, sqlite3_value **values)
{
	look->version = up_to(values[0], UINT32_MAX);
	look->share_ppm = look->nth = 0;
	if (look->version == 0)
		return;
	look->share_ppm = up_to(values[1], UINT32_MAX);
	look->nth = up_to(values[2], UINT32_MAX);
}

static void fill_decision(struct oev_reader *reader, void *row, int count, sqlite3_value **values)
{
	struct oev_whole_decision *whole = row;
	struct oc_decision *d = &whole->decision;
	const struct flow *flow = oev_dict_get(&reader->flows, (uint64_t)sqlite3_value_int64(values[3]));
	const struct way *way = oev_dict_get(&reader->ways, (uint64_t)sqlite3_value_int64(values[4]));
	int64_t out_ns = sqlite3_value_int64(values[2]);

	(void)count;
	whole->is_broken = flow == NULL || way == NULL;
	d->id = (uint64_t)sqlite3_value_int64(values[0]);
	d->at_ns = reader->base_ns + (uint64_t)sqlite3_value_int64(values[1]);
	/* no step follows another in no time, so 0 is NULL */
	d->out_ns = out_ns == 0 ? 0 : d->at_ns + (uint64_t)out_ns;
	if (whole->is_broken)
		return;
	join_flow(d, flow);
	join_way(d, way);
	d->end_to_end = up_to(values[5], UINT32_MAX);
	d->session_hash = (uint64_t)sqlite3_value_int64(values[6]);
	fill_look(&d->realm, values + 7);
	fill_look(&d->host, values + 10);
	fill_look(&d->peer, values + 13);
	d->subscriber_hash = (uint64_t)sqlite3_value_int64(values[16]);
	d->random = (uint64_t)sqlite3_value_int64(values[17]);
}

static void fill_outcome(struct oev_reader *reader, void *row, int count, sqlite3_value **values)
{
	struct oev_whole_outcome *whole = row;
	const struct ending *ending =
		oev_dict_get(&reader->endings, (uint64_t)sqlite3_value_int64(values[2]));

	(void)count;
	whole->is_broken = ending == NULL;
	whole->outcome = (struct oc_event_outcome){ .id = (uint64_t)sqlite3_value_int64(values[0]),
						    .took_ns = (uint64_t)sqlite3_value_int64(values[1]) };
	if (ending == NULL)
		return;
	whole->outcome.result_code = ending->result_code;
	whole->outcome.maker = ending->maker;
	whole->outcome.answered_by = ending->answered_by;
	whole->outcome.answered_realm = ending->answered_realm;
	whole->outcome.from_peer = ending->from_peer;
	whole->outcome.attempts = ending->attempts;
	whole->outcome.profile = ending->profile;
}

static int open_decisions(struct oev_reader *reader, const struct oev_segment *segment)
{
	int rc = oev_dict_load(&reader->flows, segment, OEV_Q_WHOLE_FLOW, OEV_Q_WHOLE_FLOW_ONE,
			       sizeof(struct flow), take_flow);

	if (rc == OC_OK)
		rc = oev_dict_load(&reader->ways, segment, OEV_Q_WHOLE_WAY, OEV_Q_WHOLE_WAY_ONE,
				   sizeof(struct way), take_way);
	return rc;
}

static int open_outcomes(struct oev_reader *reader, const struct oev_segment *segment)
{
	return oev_dict_load(&reader->endings, segment, OEV_Q_WHOLE_ENDING, OEV_Q_WHOLE_ENDING_ONE,
			     sizeof(struct ending), take_ending);
}

const struct oev_read_kind oev_replay_decisions = { .row_size = sizeof(struct oev_whole_decision),
						    .question = OEV_Q_WHOLE_DECISION,
						    .thread = 0,
						    .open = open_decisions,
						    .fill = fill_decision };
const struct oev_read_kind oev_replay_outcomes = { .row_size = sizeof(struct oev_whole_outcome),
						   .question = OEV_Q_OUTCOME,
						   .thread = 1,
						   .open = open_outcomes,
						   .fill = fill_outcome };
