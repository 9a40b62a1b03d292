/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which events still matter, and for how long.
 */
#include "oev_carry_inner.h"

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_hash.h"
#include "oev_bind.h"

#define SECOND_NS UINT64_C(1000000000)
#define OVER_NS (60u * SECOND_NS)	  /* longer than any request is on its way */
#define TOLD_LATE_NS (600ull * SECOND_NS) /* counts of answers are told late */
#define FORGOTTEN_NS                                                                                         \
	(172800ull * SECOND_NS) /* of a state whose end was told, but not that it was forgotten */
#define LOOSE_REPORTS 512u	/* stale and refused ones, whose repeats may still be told */
#define NUMBERED_MAX 16384u	/* profiles, and sets of candidates */
#define RAW_PIECES_MAX (UINT16_MAX / OC_EVENT_RAW_MAX + 1u)

int oev_carry_init(struct oev_carry *carry)
{
	*carry = (struct oev_carry){ .part = 1 };
	int rc = oev_recall_init(&carry->recall);

	if (rc == OC_OK)
		rc = oev_tally_init(&carry->tally);
	if (rc != OC_OK)
		oev_carry_fini(carry);
	return rc;
}

void oev_carry_fini(struct oev_carry *carry)
{
	oev_recall_fini(&carry->recall);
	oev_tally_fini(&carry->tally);
}

static struct oev_recall_item *keep(struct oev_carry *carry, unsigned sort, uint64_t key,
				    const struct oc_event *event, int64_t offset_us)
{
	struct oev_recall_item *item = oev_recall_put(&carry->recall, sort, key, event, offset_us);

	if (!item)
		carry->rc = OC_ENOMEM;
	return item;
}

static struct oev_recall_item *get(struct oev_carry *carry, unsigned sort, uint64_t key)
{
	return oev_recall_get(&carry->recall, sort, key);
}

void oev_carry_drop(struct oev_carry *carry, unsigned sort, uint64_t key)
{
	oev_recall_drop(&carry->recall, get(carry, sort, key));
}

/* A key out of several numbers. Two sets of numbers with one key are as likely as a broken hash. */
static uint64_t key_of(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	const uint64_t parts[] = { a, b, c, d };

	return oc_hash(parts, sizeof(parts), 0);
}

static uint64_t raw_key(uint64_t report, unsigned at)
{
	return key_of(report, at, 0, 0);
}

void oev_carry_drop_report(struct oev_carry *carry, unsigned sort, uint64_t report)
{
	oev_carry_drop(carry, sort, report);
	for (unsigned piece = 1; piece <= RAW_PIECES_MAX; piece++) {
		struct oev_recall_item *raw =
			get(carry, OEV_SORT_RAW, raw_key(report, piece * OC_EVENT_RAW_MAX));
		if (!raw)
			return;
		oev_recall_drop(&carry->recall, raw);
	}
}

static void on_report(struct oev_carry *carry, const struct oc_event *event, int64_t offset_us)
{
	const struct oev_recall_list *loose = &carry->recall.lists[OEV_SORT_LOOSE_REPORT];

	keep(carry, OEV_SORT_LOOSE_REPORT, event->u.report.report, event, offset_us);
	if (loose->count > LOOSE_REPORTS)
		oev_carry_drop_report(carry, OEV_SORT_LOOSE_REPORT, loose->first->key);
}

static void on_version(struct oev_carry *carry, const struct oc_event *event, int64_t offset_us)
{
	struct oev_recall_item *report = get(carry, OEV_SORT_LOOSE_REPORT, event->u.ocs_version.report);

	keep(carry, OEV_SORT_VERSION, event->u.ocs_version.version, event, offset_us);
	if (report)
		oev_recall_move(&carry->recall, report, OEV_SORT_REPORT);
}

uint64_t oev_carry_change_key(uint32_t version, unsigned how)
{
	return (uint64_t)version << 8 | how;
}

static void on_change(struct oev_carry *carry, const struct oc_event *event, int64_t offset_us)
{
	const struct oc_event_ocs_change *change = &event->u.ocs_change;
	struct oev_recall_item *version = get(carry, OEV_SORT_VERSION, change->version);
	bool is_last = change->how == OC_END_REPLACED || change->how == OC_END_FORGOTTEN ||
		       change->how == OC_END_SHUTDOWN;

	if (!version)
		return;
	keep(carry, OEV_SORT_CHANGE, oev_carry_change_key(change->version, change->how), event, offset_us);
	version->over_ns = event->mono_ns + (is_last ? OVER_NS : FORGOTTEN_NS);
}

/* Whether two contents are of one report, so that the newer one takes the other's place. */
static bool is_successor(const struct oc_event_own_report *a, const struct oc_event_own_report *b)
{
	return a->type == b->type && a->app_id == b->app_id && a->subject == b->subject &&
	       a->target == b->target;
}

static void on_own_report(struct oev_carry *carry, const struct oc_event *event, int64_t offset_us)
{
	const struct oc_event_own_report *report = &event->u.own_report;
	struct oev_recall_item *item = carry->recall.lists[OEV_SORT_OWN_REPORT].first;
	bool is_gone = report->step == OC_REPORT_GONE;

	for (; item; item = item->next)
		if (item->over_ns == 0 && is_successor(&item->event.u.own_report, report))
			item->over_ns = event->mono_ns + TOLD_LATE_NS;
	if (!is_gone)
		keep(carry, OEV_SORT_OWN_REPORT, report->sequence, event, offset_us);
}

static void on_order(struct oev_carry *carry, const struct oc_event *event, int64_t offset_us)
{
	const struct oc_event_order *order = &event->u.order;
	uint64_t key = key_of(order->type, order->app_id, order->subject, 0);

	if (order->is_withdrawal) {
		oev_carry_drop(carry, OEV_SORT_ORDER, key);
		return;
	}
	struct oev_recall_item *item = keep(carry, OEV_SORT_ORDER, key, event, offset_us);
	if (item)
		item->over_ns = order->until_ns;
}

/* A number that was announced belongs to the segment it was announced in. */
static void on_numbered(struct oev_carry *carry, unsigned sort, uint32_t id, const struct oc_event *event)
{
	const struct oev_recall_list *list = &carry->recall.lists[sort];
	struct oev_recall_item *item = keep(carry, sort, id, event, 0);

	if (item)
		item->used = item->written = carry->part;
	if (list->count > NUMBERED_MAX)
		oev_recall_drop(&carry->recall, list->first);
}

static void on_capability(struct oev_carry *carry, const struct oc_event *event, int64_t offset_us)
{
	const struct oc_event_capability *e = &event->u.capability;

	keep(carry, OEV_SORT_CAPABILITY, key_of(e->peer, e->origin_host, e->app_id, e->direction), event,
	     offset_us);
}

static void on_peer(struct oev_carry *carry, const struct oc_event *event, int64_t offset_us)
{
	if (event->u.peer.up)
		keep(carry, OEV_SORT_PEER, event->u.peer.peer, event, offset_us);
	else
		oev_carry_drop(carry, OEV_SORT_PEER, event->u.peer.peer);
}

void oev_carry_event(struct oev_carry *carry, const struct oc_event *event, int64_t offset_us)
{
	switch (event->kind) {
	case OC_EVENT_NAME:
		keep(carry, OEV_SORT_NAME, event->u.name.id, event, offset_us);
		break;
	case OC_EVENT_PEER:
		on_peer(carry, event, offset_us);
		break;
	case OC_EVENT_CAPABILITY:
		on_capability(carry, event, offset_us);
		break;
	case OC_EVENT_REPORT:
		on_report(carry, event, offset_us);
		break;
	case OC_EVENT_REPORT_RAW:
		keep(carry, OEV_SORT_RAW, raw_key(event->u.report_raw.report, event->u.report_raw.at), event,
		     offset_us);
		break;
	case OC_EVENT_OCS_VERSION:
		on_version(carry, event, offset_us);
		break;
	case OC_EVENT_OCS_CHANGE:
		on_change(carry, event, offset_us);
		break;
	case OC_EVENT_PROFILE:
		on_numbered(carry, OEV_SORT_PROFILE, event->u.profile.id, event);
		break;
	case OC_EVENT_CANDIDATES:
		on_numbered(carry, OEV_SORT_CANDIDATES, event->u.candidates.id, event);
		break;
	case OC_EVENT_OWN_REPORT:
		on_own_report(carry, event, offset_us);
		break;
	case OC_EVENT_ORDER:
		on_order(carry, event, offset_us);
		break;
	case OC_EVENT_LOAD:
		keep(carry, OEV_SORT_LOAD,
		     key_of(event->u.load.node, event->u.load.peer, event->u.load.type, 0), event, offset_us);
		break;
	default:
		break;
	}
}

int oev_carry_use(struct oev_carry *carry, struct oev_db *db, enum oev_carry_use what, uint32_t id)
{
	struct oev_recall_item *item =
		get(carry, what == OEV_CARRY_PROFILE ? OEV_SORT_PROFILE : OEV_SORT_CANDIDATES, id);

	if (id == 0 || !item)
		return OC_OK; /* not announced yet: its event is on the way */
	item->used = carry->part;
	if (item->written == carry->part)
		return OC_OK;
	item->written = carry->part;
	item->same_batch = carry->written;
	carry->written = item;
	return oev_bind(db, &item->event, item->offset_us) == OC_EIO ? OC_EIO : OC_OK;
}

void oev_carry_keep(struct oev_carry *carry)
{
	carry->written = NULL;
	oev_tally_keep(&carry->tally);
}

void oev_carry_undo(struct oev_carry *carry)
{
	for (struct oev_recall_item *item = carry->written; item; item = item->same_batch)
		item->written = 0;
	carry->written = NULL;
	oev_tally_undo(&carry->tally);
}
