/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The end of a folder becomes a watch: requests in the order of their numbers, each with its answer, and between them whatever else
 * was told.
 */
#include "oev_watch_feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_msg.h"
#include "oev_watch_feed_inner.h"

#define US_PER_S 1000000ull
#define WINDOW_US (OEV_WATCH_STEPS_600 * 600ull * US_PER_S)
#define DECISIONS_MAX 200000u /* what is read in a few seconds */
#define NAMES 65536u
#define PASSES 1u /* number of answers in which a report travels on to the client */
#define NAMES_SEED 0x6f65765f66656564ull

struct oev_watch_feed {
	struct oc_names *names;
	struct oev_watch *watch;
};

struct feeding {
	struct oev_watch_feed *feed;
	struct oev_watch_facts facts;
	size_t next; /* fact */
	uint64_t from_us, until_us;
	uint64_t reached; /* second */
	bool is_capture;  /* nobody was asked whether a report may travel on: all did */
	const _Atomic bool *stop;
};

static void give_fact(struct feeding *f, const struct oev_watch_fact *fact)
{
	const struct oc_event *event = &fact->event;

	if (event->kind == OC_EVENT_NONE && fact->wall_us >= f->from_us)
		oev_watch_gap(f->feed->watch, fact->wall_us, fact->gap_events, fact->gap_reason);
	else if (event->kind != OC_EVENT_NONE)
		oev_watch_take(f->feed->watch, &event, 1, fact->offset_us);
}

/* All before @wall_us is told. */
static void reach(struct feeding *f, uint64_t wall_us)
{
	while (f->next < f->facts.count && f->facts.facts[f->next].wall_us <= wall_us) {
		const struct oev_watch_fact *fact = &f->facts.facts[f->next++];
		if (fact->wall_us / US_PER_S > f->reached && fact->wall_us >= f->from_us) {
			f->reached = fact->wall_us / US_PER_S;
			oev_watch_reached(f->feed->watch, fact->wall_us);
		}
		give_fact(f, fact);
	}
	if (wall_us / US_PER_S > f->reached) {
		f->reached = wall_us / US_PER_S;
		oev_watch_reached(f->feed->watch, wall_us);
	}
}

static void give(struct feeding *f, const struct oc_event *event, int64_t offset_us)
{
	oev_watch_take(f->feed->watch, &event, 1, offset_us);
}

/* What came when nothing was recorded any more belongs to no second that is shown. */
static bool came_in_time(const struct feeding *f, const struct oev_shelf_decision *row)
{
	uint64_t left_us = f->until_us + US_PER_S - row->wall_us; /* the filter leaves no later rows */

	return row->took_ns / 1000 <= left_us;
}

static bool take(void *ctx, const struct oev_shelf_decision *row)
{
	struct feeding *f = ctx;
	struct oc_names *names = f->feed->names;
	int64_t offset_us = (int64_t)(row->wall_us - row->d.at_ns / 1000);
	struct oc_event event = { .kind = OC_EVENT_DECISION, .mono_ns = row->d.at_ns, .u.decision = row->d };
	struct oc_decision *d = &event.u.decision;

	if (row->is_broken)
		return true;
	reach(f, row->wall_us);
	d->client_peer = oev_watch_feed_name(names, row->client);
	d->origin_host = oev_watch_feed_name(names, row->origin_host);
	d->origin_realm = oev_watch_feed_name(names, row->origin_realm);
	d->dest_host = oev_watch_feed_name(names, row->dest_host);
	d->dest_realm = oev_watch_feed_name(names, row->dest_realm);
	d->first_choice = oev_watch_feed_name(names, row->first_choice);
	d->next_hop = oev_watch_feed_name(names, row->next_hop);
	give(f, &event, offset_us);
	if (row->has_outcome && came_in_time(f, row)) {
		event = (struct oc_event){ .kind = OC_EVENT_OUTCOME, .mono_ns = row->d.at_ns + row->took_ns };
		event.u.outcome = (struct oc_event_outcome){ .id = row->id,
							     .took_ns = row->took_ns,
							     .result_code = row->result_code,
							     .maker = row->maker,
							     .attempts = row->attempts };
		if (f->is_capture || (row->hints & OC_HINT_PASSES) != 0)
			event.u.outcome.profile = PASSES;
		event.u.outcome.answered_by = oev_watch_feed_name(names, row->answered_by);
		event.u.outcome.answered_realm = oev_watch_feed_name(names, row->answered_realm);
		event.u.outcome.from_peer = oev_watch_feed_name(names, row->from_peer);
		give(f, &event, offset_us);
	}
	return true;
}

/* Rows say of an answer what it says of itself, not the number that had. */
static void feed_profile(struct feeding *f)
{
	struct oc_event event = { .kind = OC_EVENT_PROFILE };

	event.u.profile.id = PASSES;
	event.u.profile.profile.hints = OC_HINT_PASSES;
	give(f, &event, 0);
}

static int feed_decisions(struct feeding *f, struct oev_shelf *shelf, const char *run, char *error)
{
	struct oev_shelf_filter filter = { .from_us = f->from_us,
					   .until_us = f->until_us + US_PER_S,
					   .oldest_first = true };
	struct oev_shelf_page page = { 0 };
	char cursor[OEV_SHELF_CURSOR_MAX] = "";
	int rc;

	snprintf(filter.run, sizeof(filter.run), "%s", run);
	do {
		if (f->stop != NULL && *f->stop) {
			snprintf(error, OEV_SHELF_TEXT_MAX, "stopped");
			return OC_EINTERRUPTED;
		}
		rc = oev_shelf_decisions(shelf, &filter, cursor, 1000, 100000, take, f, &page, error);
		memcpy(cursor, page.next, sizeof(cursor));
	} while (rc == OC_OK && !page.is_end);
	return rc;
}

/* Where the window begins: as far before the end as a watch keeps, with the life, or later when there is too much. */
static void choose_window(struct feeding *f, struct oev_shelf *shelf,
			  const struct oev_shelf_segment *segments, size_t last)
{
	size_t first = last;
	struct oev_shelf_whole *whole = NULL;
	char error[OEV_SHELF_TEXT_MAX];

	while (first > 0 && strcmp(segments[first - 1].run, segments[last].run) == 0)
		first--;
	f->until_us = segments[last].until_us;
	f->from_us = f->until_us > WINDOW_US ? f->until_us - WINDOW_US : 0;
	f->from_us = segments[first].from_us > f->from_us ? segments[first].from_us : f->from_us;
	uint64_t decision = 0;
	for (size_t i = first; i <= last; i++)
		decision = segments[i].last_decision > decision ? segments[i].last_decision : decision;
	if (decision <= DECISIONS_MAX ||
	    oev_shelf_decision(shelf, segments[last].run, decision - DECISIONS_MAX, &whole, error) != OC_OK)
		return;
	f->from_us = whole->row.wall_us > f->from_us ? whole->row.wall_us : f->from_us;
	oev_shelf_whole_free(whole);
}

static int feed(struct feeding *f, struct oev_shelf *shelf, char *error)
{
	struct oev_shelf_segment *segments = NULL;
	size_t count = 0, last;
	int rc = oev_shelf_segments(shelf, &segments, &count);

	if (rc != OC_OK)
		snprintf(error, OEV_SHELF_TEXT_MAX, "the folder cannot be read");
	for (last = count; last > 0 && segments[last - 1].trouble[0] != '\0';)
		last--;
	if (rc == OC_OK && last > 0) {
		choose_window(f, shelf, segments, last - 1);
		f->facts.names = f->feed->names;
		oev_watch_set_self(f->feed->watch, segments[last - 1].node);
		f->is_capture = segments[last - 1].is_capture;
		feed_profile(f);
		f->reached = f->from_us / US_PER_S;
		oev_watch_reached(f->feed->watch, f->from_us);
		rc = oev_watch_facts_read(&f->facts, shelf, segments[last - 1].run, error);
		if (rc == OC_OK)
			rc = feed_decisions(f, shelf, segments[last - 1].run, error);
		if (rc == OC_OK) /* nothing more comes in the second of the end */
			reach(f, f->until_us + US_PER_S);
	}
	free(segments);
	return rc;
}

int oev_watch_feed_new(struct oev_watch_feed **out, struct oev_shelf *shelf, const _Atomic bool *stop,
		       char error[static OEV_SHELF_TEXT_MAX])
{
	struct feeding f = { .feed = calloc(1, sizeof(*f.feed)), .stop = stop };
	int rc = OC_OK;

	*out = NULL;
	error[0] = '\0';
	if (f.feed != NULL)
		f.feed->names = oc_names_new(NAMES, NAMES_SEED);
	if (f.feed == NULL || f.feed->names == NULL ||
	    oev_watch_new(&f.feed->watch, f.feed->names) != OC_OK) {
		snprintf(error, OEV_SHELF_TEXT_MAX, "out of memory");
		rc = OC_ENOMEM;
	}
	if (rc == OC_OK)
		rc = feed(&f, shelf, error);
	oev_watch_facts_fini(&f.facts);
	if (rc != OC_OK) {
		oev_watch_feed_free(f.feed);
		return rc;
	}
	*out = f.feed;
	return OC_OK;
}

void oev_watch_feed_free(struct oev_watch_feed *feed)
{
	if (feed == NULL)
		return;
	oev_watch_free(feed->watch);
	oc_names_free(feed->names);
	free(feed);
}

struct oev_watch *oev_watch_feed_watch(struct oev_watch_feed *feed)
{
	return feed->watch;
}

const struct oc_names *oev_watch_feed_names(const struct oev_watch_feed *feed)
{
	return feed->names;
}
