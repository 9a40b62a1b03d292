/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Pages of sessions: the runs of the index are gone through side by side, from the newest entry down. A session that several runs
 * know is told once, at its newest place, with what all know of it.
 */
#include <stdlib.h>

#include "../../agent/oc_err.h"
#include "oev_shelf_index.h"

/* Where one run stands. */
struct lane {
	struct oev_shelf_run *run;
	enum oev_shelf_order order;
	size_t at, end;
	struct oev_shelf_entry entry; /* at @at, unless that is the end */
};

/* Its entry; one that cannot be read is the end. */
static void look(struct lane *lane)
{
	if (lane->at < lane->end && !oev_shelf_run_entry(lane->run, lane->order, lane->at, &lane->entry))
		lane->at = lane->end;
}

/* Newest first; of the same moment, the higher session. */
static bool is_before(const struct oev_shelf_entry *a, uint64_t last_us, uint64_t session)
{
	return a->last_us != last_us ? a->last_us > last_us : a->session > session;
}

/* To the first entry behind the place (@last_us, @session). */
static void skip(struct lane *lane, uint64_t last_us, uint64_t session)
{
	size_t low = lane->at, high = lane->end;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		struct oev_shelf_entry entry;
		if (!oev_shelf_run_entry(lane->run, lane->order, mid, &entry))
			break;
		if (is_before(&entry, last_us, session) ||
		    (entry.last_us == last_us && entry.session == session))
			low = mid + 1;
		else
			high = mid;
	}
	lane->at = low;
}

static void enter(struct lane *lane, struct oev_shelf_run *run, const struct oev_shelf_session_filter *filter,
		  const struct oev_shelf_at *after)
{
	*lane = (struct lane){ .run = run, .order = OEV_SHELF_BY_LAST, .end = run->head->entries };
	if (filter->subscriber != 0) {
		lane->order = OEV_SHELF_BY_SUBSCRIBER;
		oev_shelf_run_range(run, filter->subscriber, &lane->at, &lane->end);
	}
	if (filter->until_us != 0)
		skip(lane, filter->until_us, 0);
	if (after->is_set)
		skip(lane, after->number, after->more);
	look(lane);
}

/* The lane with the newest entry; NULL: all are at their end. */
static struct lane *newest(struct lane *lanes, size_t count)
{
	struct lane *best = NULL;

	for (size_t i = 0; i < count; i++) {
		struct lane *lane = &lanes[i];
		if (lane->at == lane->end)
			continue;
		const struct oev_shelf_entry *entry = &lane->entry;
		const struct oev_shelf_entry *other = best != NULL ? &best->entry : NULL;
		/* of the same entry, the later run */
		if (other == NULL || !is_before(other, entry->last_us, entry->session))
			best = lane;
	}
	return best;
}

/* What all runs know of the session of @entry; false: another run has it at a newer place, or later at the same. (Of @subscriber, 0
 * any: a run that does not know whose session it is has no place for it.) */
static bool gather(const struct oev_shelf_runs *runs, const struct lane *lane,
		   const struct oev_shelf_entry *entry, uint64_t subscriber, struct oev_shelf_session *out)
{
	bool is_later = false;

	*out = (struct oev_shelf_session){ .session = entry->session, .first_us = UINT64_MAX };
	for (size_t i = 0; i < runs->count; i++) {
		struct oev_shelf_entry other;
		bool is_there = oev_shelf_run_find(runs->runs[i], entry->session, &other);
		is_later |= runs->runs[i] == lane->run;
		if (!is_there)
			continue;
		bool has_place = subscriber == 0 || other.subscriber == subscriber;
		if (has_place && (other.last_us > entry->last_us || (other.last_us == entry->last_us &&
								     is_later && runs->runs[i] != lane->run)))
			return false;
		out->last_us = other.last_us > out->last_us ? other.last_us : out->last_us;
		out->first_us = other.first_us < out->first_us ? other.first_us : out->first_us;
		out->subscriber = out->subscriber != 0 ? out->subscriber : other.subscriber;
		out->decisions += other.count;
		out->refused += other.refused;
	}
	return true;
}

static void page_of(const struct oev_shelf_runs *runs, struct lane *lanes,
		    const struct oev_shelf_session_filter *filter, uint32_t limit, oev_shelf_session_fn take,
		    void *ctx, struct oev_shelf_page *page, struct oev_shelf_at *at)
{
	struct oev_shelf_session row;
	struct lane *lane;
	bool goes_on = true;

	page->is_end = true;
	while (goes_on && (lane = newest(lanes, runs->count)) != NULL) {
		const struct oev_shelf_entry entry = lane->entry;
		if (entry.last_us < filter->from_us)
			return;
		page->examined++;
		bool is_its_place = gather(runs, lane, &entry, filter->subscriber, &row);
		lane->at++;
		look(lane);
		if (!is_its_place)
			continue;
		*at = (struct oev_shelf_at){ .is_set = true, .number = entry.last_us, .more = entry.session };
		page->reached_us = entry.last_us;
		goes_on = take(ctx, &row) && ++page->rows < limit;
	}
	page->is_end = goes_on;
}

static uint64_t key_of(const struct oev_shelf_session_filter *filter)
{
	return oev_shelf_hash(OEV_SHELF_HASH_FIRST ^ 1, &filter->subscriber, sizeof(filter->subscriber));
}

int oev_shelf_sessions(struct oev_shelf *shelf, const struct oev_shelf_session_filter *filter,
		       const char *cursor, uint32_t limit, oev_shelf_session_fn take, void *ctx,
		       struct oev_shelf_page *page, char error[static OEV_SHELF_TEXT_MAX])
{
	struct oev_shelf_at at;

	*page = (struct oev_shelf_page){ 0 };
	error[0] = '\0';
	if (limit == 0 || limit > OEV_SHELF_LIMIT_MAX)
		return oev_shelf_say(error, OC_EINVAL, "a page has 1 to %u rows", OEV_SHELF_LIMIT_MAX);
	int rc = oev_shelf_cursor_parse(cursor, key_of(filter), &at, error);
	if (rc != OC_OK)
		return rc;
	struct oev_shelf_runs *runs = oev_shelf_runs_get(shelf->index);
	struct lane *lanes = runs != NULL ? calloc(runs->count + 1, sizeof(*lanes)) : NULL;
	unsigned misses = runs != NULL ? oev_shelf_runs_misses(runs) : 0;
	if (lanes == NULL)
		rc = oev_shelf_say(error, OC_ENOMEM, "out of memory");
	for (size_t i = 0; rc == OC_OK && i < runs->count; i++)
		enter(&lanes[i], runs->runs[i], filter, &at);
	if (rc == OC_OK) {
		page_of(runs, lanes, filter, limit, take, ctx, page, &at);
		if (!page->is_end)
			oev_shelf_cursor_text(page->next, key_of(filter), &at);
		rc = oev_shelf_runs_sound(runs, misses, error);
	}
	free(lanes);
	oev_shelf_runs_put(runs);
	return rc;
}
