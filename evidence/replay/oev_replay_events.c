/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Rows turned back into the events they were made of.
 */
#include "oev_replay_events.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_msg.h"

/* The question of a kind of rows, the column of their time, and how one is given. */
struct kind {
	enum oev_question question;
	const char *table;
	int time_column;
	int (*give)(struct oev_replay_cursor *at, const struct oev_replay_group *to);
};

static uint32_t number(sqlite3_stmt *stmt, int column)
{
	return oev_query_up_to(stmt, column, UINT32_MAX);
}

static bool is_null(sqlite3_stmt *stmt, int column)
{
	return sqlite3_column_type(stmt, column) == SQLITE_NULL;
}

static uint64_t decimal(sqlite3_stmt *stmt, int column)
{
	return strtoull(oev_query_word(stmt, column), NULL, 10);
}

/* Value of the word in @column among @count words; @count when there is none. */
static uint8_t word(sqlite3_stmt *stmt, int column, const char *(*text)(unsigned value), uint8_t count)
{
	const char *at = oev_query_word(stmt, column);
	uint8_t value = 0;

	while (value < count && strcmp(text(value), at) != 0)
		value++;
	return value;
}

/* Octets of the blob in @column, as far as an event has room. */
static uint16_t octets(sqlite3_stmt *stmt, int column, uint8_t out[static OC_EVENT_RAW_MAX])
{
	const void *blob = sqlite3_column_blob(stmt, column);
	int len = sqlite3_column_bytes(stmt, column);

	if (blob == NULL || len <= 0)
		return 0;
	len = len < (int)OC_EVENT_RAW_MAX ? len : (int)OC_EVENT_RAW_MAX;
	memcpy(out, blob, (size_t)len);
	return (uint16_t)len;
}

static int give_raw(sqlite3_stmt *stmt, uint64_t report, uint64_t mono_ns, const struct oev_replay_group *to)
{
	struct oc_event event = { .kind = OC_EVENT_REPORT_RAW, .mono_ns = mono_ns };
	struct oc_event_report_raw *e = &event.u.report_raw;

	if (is_null(stmt, 18))
		return OC_OK;
	e->report = report;
	e->at = (uint16_t)oev_query_up_to(stmt, 18, UINT16_MAX);
	e->raw_len = octets(stmt, 19, e->raw);
	return oev_group_feed(to, &event);
}

/* @e->type and reason are filled. A PEER report without the SourceID of its sender was refused as such. */
static uint8_t olr_has(sqlite3_stmt *stmt, const struct oc_event_report *e)
{
	unsigned has = 0;

	if (e->type == OC_REPORT_PEER && e->reason != OC_REASON_SOURCE_MISMATCH)
		has |= OC_OLR_HAS_SOURCE;
	has |= e->reason == OC_REASON_MALFORMED ? OC_OLR_MALFORMED : 0;

	has |= is_null(stmt, 4) ? 0 : OC_OLR_HAS_TYPE;
	has |= is_null(stmt, 8) ? 0 : OC_OLR_HAS_SEQUENCE;
	has |= is_null(stmt, 9) ? 0 : OC_OLR_HAS_REDUCTION;
	has |= is_null(stmt, 10) ? 0 : OC_OLR_HAS_VALIDITY;
	has |= is_null(stmt, 11) ? 0 : OC_OLR_HAS_RATE;
	return (uint8_t)has;
}

/* One row for each further piece of its octets, the first of them with the report itself. */
static int give_report(struct oev_replay_cursor *at, const struct oev_replay_group *to)
{
	sqlite3_stmt *stmt = at->stmt;
	struct oc_event event = { .kind = OC_EVENT_REPORT, .mono_ns = at->next_ns };
	struct oc_event_report *e = &event.u.report;
	uint64_t id = (uint64_t)sqlite3_column_int64(stmt, 0);

	if (id == at->report)
		return give_raw(stmt, id, at->next_ns, to);
	at->report = e->report = id;
	e->peer = number(stmt, 2);
	e->app_id = number(stmt, 3);
	e->type = number(stmt, 4);
	e->subject = number(stmt, 5);
	e->origin_host = number(stmt, 6);
	e->origin_realm = number(stmt, 7);
	e->sequence = decimal(stmt, 8);
	e->reduction_pct = number(stmt, 9);
	e->validity_s = number(stmt, 10);
	e->rate_rps = number(stmt, 11);
	e->algorithm = word(stmt, 12, oc_algo_text, OC_ALGO_COUNT);
	e->verdict = word(stmt, 13, oc_intake_text, OC_INTAKE_COUNT);
	e->reason = word(stmt, 14, oc_report_reason_text, OC_REASON_COUNT);
	e->has = olr_has(stmt, e);
	e->version = number(stmt, 15);
	e->raw_len = octets(stmt, 16, e->raw);
	e->raw_total = (uint16_t)oev_query_up_to(stmt, 17, UINT16_MAX);
	int rc = oev_group_feed(to, &event);
	return rc == OC_OK ? give_raw(stmt, id, at->next_ns, to) : rc;
}

static int give_load(struct oev_replay_cursor *at, const struct oev_replay_group *to)
{
	sqlite3_stmt *stmt = at->stmt;
	struct oc_event event = { .kind = OC_EVENT_LOAD, .mono_ns = at->next_ns };

	event.u.load = (struct oc_event_load){ .node = number(stmt, 1),
					       .peer = number(stmt, 2),
					       .type = word(stmt, 3, oc_load_type_text, OC_LOAD_TYPE_COUNT),
					       .value = number(stmt, 4) };
	return oev_group_feed(to, &event);
}

static int give_peer(struct oev_replay_cursor *at, const struct oev_replay_group *to)
{
	struct oc_event event = { .kind = OC_EVENT_PEER, .mono_ns = at->next_ns };

	event.u.peer = (struct oc_event_peer){ .peer = number(at->stmt, 1), .up = number(at->stmt, 2) != 0 };
	return oev_group_feed(to, &event);
}

static void take_text(sqlite3_stmt *stmt, int column, char out[static OC_ORDER_TEXT_MAX])
{
	const char *text = oev_query_word(stmt, column);
	size_t len = strnlen(text, OC_ORDER_TEXT_MAX - 1);

	memcpy(out, text, len);
	out[len] = '\0';
}

static int give_order(struct oev_replay_cursor *at, const struct oev_replay_group *to)
{
	sqlite3_stmt *stmt = at->stmt;
	struct oc_event event = { .kind = OC_EVENT_ORDER, .mono_ns = at->next_ns };
	struct oc_event_order *e = &event.u.order;

	e->is_withdrawal = strcmp(oev_query_word(stmt, 1), "withdrawn") == 0;
	e->type = word(stmt, 2, oc_report_type_text, OC_REPORT_COUNT);
	e->app_id = is_null(stmt, 3) ? OC_APP_ANY : number(stmt, 3);
	e->subject = number(stmt, 4);
	e->reduction_pct = number(stmt, 5);
	e->rate_rps = number(stmt, 6);
	e->has = (uint8_t)((is_null(stmt, 5) ? 0 : OC_ORDER_HAS_REDUCTION) |
			   (is_null(stmt, 6) ? 0 : OC_ORDER_HAS_RATE));
	e->validity_s = number(stmt, 7);
	e->until_ns = (uint64_t)sqlite3_column_int64(stmt, 8);
	e->by = word(stmt, 9, oc_order_by_text, OC_BY_COUNT);
	e->actor = number(stmt, 10);
	e->calculation = number(stmt, 11);
	take_text(stmt, 12, e->reason);
	take_text(stmt, 13, e->inputs);
	return oev_group_feed(to, &event);
}

static int give_own_report(struct oev_replay_cursor *at, const struct oev_replay_group *to)
{
	sqlite3_stmt *stmt = at->stmt;
	struct oc_event event = { .kind = OC_EVENT_OWN_REPORT, .mono_ns = at->next_ns };
	struct oc_event_own_report *e = &event.u.own_report;

	e->sequence = decimal(stmt, 1);
	e->type = word(stmt, 2, oc_report_type_text, OC_REPORT_COUNT);
	e->app_id = is_null(stmt, 3) ? OC_APP_ANY : number(stmt, 3);
	e->subject = number(stmt, 4);
	e->target = number(stmt, 5);
	e->algorithm = word(stmt, 6, oc_algo_text, OC_ALGO_COUNT);
	e->reduction_pct = number(stmt, 7);
	e->rate_rps = number(stmt, 8);
	e->validity_s = number(stmt, 9);
	e->step = word(stmt, 10, oc_report_step_text, OC_REPORT_STEP_COUNT);
	e->raw_len = (uint8_t)octets(stmt, 11, e->raw);
	return oev_group_feed(to, &event);
}

static const struct kind kinds[OEV_STREAM_COUNT] = {
	[OEV_STREAM_REPORT] = { OEV_Q_EVENT_REPORT, "report", 1, give_report },
	[OEV_STREAM_LOAD] = { OEV_Q_EVENT_LOAD, "load", 0, give_load },
	[OEV_STREAM_PEER] = { OEV_Q_EVENT_PEER, "peer", 0, give_peer },
	[OEV_STREAM_ORDER] = { OEV_Q_EVENT_ORDER, "order_change", 0, give_order },
	[OEV_STREAM_OWN_REPORT] = { OEV_Q_EVENT_OWN_REPORT, "own_report", 0, give_own_report },
};

/* To the next row. Returns OC_OK, also when there is none; OC_EIO. */
static int step_on(struct oev_replay_cursor *at, const struct kind *kind)
{
	int step = sqlite3_step(at->stmt);

	if (step == SQLITE_ROW) {
		at->next_ns = (uint64_t)sqlite3_column_int64(at->stmt, kind->time_column);
		return OC_OK;
	}
	sqlite3_finalize(at->stmt);
	at->stmt = NULL;
	return step == SQLITE_DONE ? OC_OK : OC_EIO;
}

int oev_replay_events_open(struct oev_replay_events *events, const struct oev_segment *segment)
{
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < OEV_STREAM_COUNT; i++) {
		struct oev_replay_cursor *at = &events->cursors[i];
		at->stmt = oev_query_new(segment, kinds[i].question);
		rc = OC_EIO;
		if (at->stmt != NULL &&
		    sqlite3_bind_int64(at->stmt, 1, (int64_t)oev_segment_carried(segment, kinds[i].table)) ==
			    SQLITE_OK)
			rc = step_on(at, &kinds[i]);
	}
	return rc;
}

void oev_replay_events_fini(struct oev_replay_events *events)
{
	for (size_t i = 0; i < OEV_STREAM_COUNT; i++)
		sqlite3_finalize(events->cursors[i].stmt);
	*events = (struct oev_replay_events){ 0 };
}

int oev_replay_events_give(struct oev_replay_events *events, uint64_t until_ns,
			   const struct oev_replay_group *to)
{
	uint32_t count = 0;
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < OEV_STREAM_COUNT; i++) {
		struct oev_replay_cursor *at = &events->cursors[i];
		while (rc == OC_OK && at->stmt != NULL && at->next_ns <= until_ns) {
			rc = count++ < OEV_REPLAY_EVENTS_MAX ? kinds[i].give(at, to) : OC_EMALFORMED;
			if (rc == OC_OK)
				rc = step_on(at, &kinds[i]);
		}
	}
	return rc;
}

bool oev_replay_events_over(const struct oev_replay_events *events)
{
	for (size_t i = 0; i < OEV_STREAM_COUNT; i++)
		if (events->cursors[i].stmt != NULL)
			return false;
	return true;
}
