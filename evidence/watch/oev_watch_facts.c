/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reports, states, orders, connections, loads and gaps out of the evidence, in the order of time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_msg.h"
#include "../shelf/oev_shelf.h"
#include "oev_watch_feed_inner.h"

/* A row on its way. */
struct reading {
	struct oev_watch_facts *facts;
	enum oev_shelf_list list;
	const struct oev_shelf_list_row *row;
};

static const struct oev_shelf_cell *cell(const struct reading *r, const char *name)
{
	static const struct oev_shelf_cell nothing = { .text = "" };
	size_t count;
	const struct oev_shelf_column *columns = oev_shelf_list_columns(r->list, &count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(columns[i].name, name) == 0)
			return &r->row->cells[i];
	return &nothing;
}

static uint32_t number(const struct reading *r, const char *name)
{
	uint64_t value = cell(r, name)->number;

	return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static bool has(const struct reading *r, const char *name)
{
	return cell(r, name)->kind != OEV_SHELF_NOTHING;
}

uint32_t oev_watch_feed_name(struct oc_names *names, const char *text)
{
	return oc_names_id(names, (struct oc_bytes){ .data = (const uint8_t *)text, .len = strlen(text) },
			   NULL);
}

static uint32_t name(const struct reading *r, const char *column)
{
	return oev_watch_feed_name(r->facts->names, cell(r, column)->text);
}

/* Value of the word in @column among @count words; @count when there is none. */
static uint8_t word(const struct reading *r, const char *column, const char *(*text)(unsigned value),
		    uint8_t count)
{
	const char *at = cell(r, column)->text;
	uint8_t value = 0;

	while (value < count && strcmp(text(value), at) != 0)
		value++;
	return value;
}

static uint32_t app(const struct reading *r)
{
	return has(r, "app_id") ? number(r, "app_id") : OC_APP_ANY;
}

static void fill_report(const struct reading *r, struct oc_event *event)
{
	struct oc_event_report *e = &event->u.report;

	event->kind = OC_EVENT_REPORT;
	e->report = cell(r, "id")->number;
	e->version = number(r, "version");
	e->peer = name(r, "peer");
	e->app_id = number(r, "app_id");
	e->subject = name(r, "subject");
	e->type = word(r, "type", oc_report_type_text, OC_REPORT_COUNT);
	e->reduction_pct = number(r, "reduction_pct");
	e->validity_s = number(r, "validity_s");
	e->rate_rps = number(r, "rate_rps");
	e->has = (uint8_t)((has(r, "reduction_pct") ? OC_OLR_HAS_REDUCTION : 0) |
			   (has(r, "rate_rps") ? OC_OLR_HAS_RATE : 0));
	e->verdict = word(r, "verdict", oc_intake_text, OC_INTAKE_COUNT);
	e->reason = word(r, "reason", oc_report_reason_text, OC_REASON_COUNT);
	e->algorithm = word(r, "algorithm", oc_algo_text, OC_ALGO_COUNT);
}

static void fill_version(const struct reading *r, struct oc_event *event)
{
	struct oc_event_ocs_version *e = &event->u.ocs_version;

	event->kind = OC_EVENT_OCS_VERSION;
	event->mono_ns = cell(r, "from_ns")->number;
	e->version = number(r, "version");
	e->replaces = number(r, "replaces");
	e->report = cell(r, "report")->number;
	e->app_id = number(r, "app_id");
	e->subject = name(r, "subject");
	e->origin = name(r, "origin");
	e->type = word(r, "type", oc_report_type_text, OC_REPORT_COUNT);
	e->algorithm = word(r, "algorithm", oc_algo_text, OC_ALGO_COUNT);
	e->reduction_pct = number(r, "reduction_pct");
	e->reduction_pct = e->reduction_pct < 100 ? e->reduction_pct : 100;
	e->rate_rps = number(r, "rate_rps");
	e->validity_s = number(r, "validity_s");
	e->expires_ns = cell(r, "expires_ns")->number;
}

static void fill_change(const struct reading *r, struct oc_event *event)
{
	struct oc_event_ocs_change *e = &event->u.ocs_change;

	event->kind = OC_EVENT_OCS_CHANGE;
	event->mono_ns = cell(r, "mono_ns")->number;
	e->version = number(r, "version");
	e->matched = cell(r, "matched")->number;
	e->selected = cell(r, "selected")->number;
	e->expected_ppm = cell(r, "expected_ppm")->number;
	e->remembered = cell(r, "remembered")->number;
	e->how = word(r, "how", oc_ocs_end_text, OC_END_COUNT);
}

static void fill_order(const struct reading *r, struct oc_event *event)
{
	struct oc_event_order *e = &event->u.order;

	event->kind = OC_EVENT_ORDER;
	event->mono_ns = cell(r, "mono_ns")->number;
	e->is_withdrawal = strcmp(cell(r, "how")->text, "withdrawn") == 0;
	e->type = word(r, "type", oc_report_type_text, OC_REPORT_COUNT);
	e->app_id = app(r);
	e->subject = name(r, "subject");
	e->reduction_pct = number(r, "reduction_pct");
	e->rate_rps = number(r, "rate_rps");
	e->has = (uint8_t)((has(r, "reduction_pct") ? OC_ORDER_HAS_REDUCTION : 0) |
			   (has(r, "rate_rps") ? OC_ORDER_HAS_RATE : 0));
	e->by = word(r, "by", oc_order_by_text, OC_BY_COUNT);
	snprintf(e->reason, sizeof(e->reason), "%s", cell(r, "reason")->text);
}

static void fill_peer(const struct reading *r, struct oc_event *event)
{
	event->kind = OC_EVENT_PEER;
	event->mono_ns = cell(r, "mono_ns")->number;
	event->u.peer = (struct oc_event_peer){ .peer = name(r, "peer"), .up = cell(r, "up")->number != 0 };
}

static void fill_load(const struct reading *r, struct oc_event *event)
{
	event->kind = OC_EVENT_LOAD;
	event->mono_ns = cell(r, "mono_ns")->number;
	event->u.load =
		(struct oc_event_load){ .node = name(r, "node"),
					.peer = name(r, "peer"),
					.value = number(r, "value") < UINT16_MAX ? number(r, "value")
										 : UINT16_MAX,
					.type = word(r, "type", oc_load_type_text, OC_LOAD_TYPE_COUNT) };
}

static const struct {
	enum oev_shelf_list list;
	void (*fill)(const struct reading *r, struct oc_event *event);
} kinds[] = { { OEV_SHELF_REPORTS, fill_report },
	      { OEV_SHELF_VERSIONS, fill_version },
	      { OEV_SHELF_CHANGES, fill_change },
	      { OEV_SHELF_ORDERS, fill_order },
	      { OEV_SHELF_PEERS, fill_peer },
	      { OEV_SHELF_LOADS, fill_load },
	      { OEV_SHELF_GAPS, NULL } };

static struct oev_watch_fact *add(struct oev_watch_facts *facts)
{
	if (facts->count == facts->room) {
		size_t room = facts->room != 0 ? 2 * facts->room : 256;
		struct oev_watch_fact *more = realloc(facts->facts, room * sizeof(*more));
		if (more == NULL)
			return NULL;
		facts->facts = more;
		facts->room = room;
	}
	struct oev_watch_fact *fact = &facts->facts[facts->count++];
	memset(fact, 0, sizeof(*fact));
	return fact;
}

static bool take(void *ctx, const struct oev_shelf_list_row *row)
{
	struct reading *r = ctx;
	struct oev_watch_fact *fact = add(r->facts);

	if (fact == NULL) {
		r->facts->rc = OC_ENOMEM;
		return false;
	}
	r->row = row;
	fact->wall_us = row->wall_us;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].list == r->list && kinds[i].fill != NULL)
			kinds[i].fill(r, &fact->event);
	if (r->list == OEV_SHELF_GAPS) {
		fact->gap_events = cell(r, "events")->number;
		snprintf(fact->gap_reason, sizeof(fact->gap_reason), "%s", cell(r, "reason")->text);
	}
	fact->offset_us = (int64_t)(row->wall_us - fact->event.mono_ns / 1000);
	return true;
}

/* Of the same moment: a report before the state it makes. */
static int by_time(const void *a, const void *b)
{
	const struct oev_watch_fact *left = a, *right = b;

	if (left->wall_us != right->wall_us)
		return left->wall_us < right->wall_us ? -1 : 1;
	return left->event.kind < right->event.kind ? -1 : left->event.kind > right->event.kind;
}

int oev_watch_facts_read(struct oev_watch_facts *facts, struct oev_shelf *shelf, const char *run, char *error)
{
	const struct oev_shelf_list_filter filter = { .run = run };
	struct oev_shelf_page page;
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct reading r = { .facts = facts, .list = kinds[i].list };
		rc = oev_shelf_list(shelf, kinds[i].list, &filter, "", OEV_WATCH_FEED_ROWS, take, &r, &page,
				    error);
	}
	if (rc == OC_OK && facts->rc != OC_OK) {
		rc = facts->rc;
		snprintf(error, OEV_SHELF_TEXT_MAX, "out of memory");
	}
	if (facts->count > 1)
		qsort(facts->facts, facts->count, sizeof(*facts->facts), by_time);
	return rc;
}

void oev_watch_facts_fini(struct oev_watch_facts *facts)
{
	free(facts->facts);
	*facts = (struct oev_watch_facts){ 0 };
}
