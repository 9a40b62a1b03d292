/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The columns of every kind of event but the busy two, in the order of schema.sql.
 */
#include "oev_bind.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_msg.h"

#define GROUPS_TEXT_MAX 128u

/* One event with the wall time computed for it: no clock is read per row. */
struct timed {
	const struct oc_event *event;
	int64_t wall_us;
};

typedef int (*bind_fn)(struct oev_db *db, const struct timed *t);

/* A length as a ring left by another process may hold it. */
static size_t at_most(size_t len, size_t most)
{
	return len < most ? len : most;
}

static void put_times(struct oev_row *row, const struct timed *t)
{
	oev_row_bits(row, t->event->mono_ns);
	oev_row_int(row, t->wall_us);
}

static void put_if(struct oev_row *row, bool present, uint32_t value)
{
	if (present)
		oev_row_int(row, value);
	else
		oev_row_null(row);
}

static void put_decimal_if(struct oev_row *row, bool present, uint64_t value)
{
	if (present)
		oev_row_decimal(row, value);
	else
		oev_row_null(row);
}

static void put_hex_if(struct oev_row *row, bool present, uint64_t value)
{
	if (present)
		oev_row_hex(row, value);
	else
		oev_row_null(row);
}

static int bind_name(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_name *e = &t->event->u.name;
	struct oev_row row = oev_db_row(db, OEV_TABLE_NAME);

	oev_row_int(&row, e->id);
	oev_row_text_n(&row, e->text, strnlen(e->text, sizeof(e->text)));
	return oev_row_put(&row);
}

static int bind_peer(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_peer *e = &t->event->u.peer;
	struct oev_row row = oev_db_row(db, OEV_TABLE_PEER);

	put_times(&row, t);
	oev_row_int(&row, e->peer);
	oev_row_int(&row, e->up);
	return oev_row_put(&row);
}

static int bind_capability(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_capability *e = &t->event->u.capability;
	struct oev_row row = oev_db_row(db, OEV_TABLE_CAPABILITY);

	put_times(&row, t);
	oev_row_int(&row, e->peer);
	oev_row_int(&row, e->origin_host);
	oev_row_text(&row, e->direction == OC_DIR_ANSWER ? "answer" : "request");
	oev_row_int(&row, e->app_id);
	oev_row_int(&row, (e->has & OC_CAPS_PRESENT) != 0);
	put_hex_if(&row, e->has & OC_CAPS_HAS_VECTOR, e->vector);
	put_hex_if(&row, e->has & OC_CAPS_HAS_PEER_ALGO, e->peer_algo);
	put_if(&row, e->has & OC_CAPS_HAS_SOURCE, e->source);
	return oev_row_put(&row);
}

static void put_report_wire(struct oev_row *row, const struct oc_event_report *e)
{
	put_if(row, e->has & OC_OLR_HAS_TYPE, e->type);
	oev_row_int(row, e->subject);
	oev_row_int(row, e->origin_host);
	oev_row_int(row, e->origin_realm);
	put_decimal_if(row, e->has & OC_OLR_HAS_SEQUENCE, e->sequence);
	put_if(row, e->has & OC_OLR_HAS_REDUCTION, e->reduction_pct);
	put_if(row, e->has & OC_OLR_HAS_VALIDITY, e->validity_s);
	put_if(row, e->has & OC_OLR_HAS_RATE, e->rate_rps);
}

static int bind_report(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_report *e = &t->event->u.report;
	struct oev_row row = oev_db_row(db, OEV_TABLE_REPORT);

	oev_row_bits(&row, e->report);
	put_times(&row, t);
	oev_row_int(&row, e->peer);
	oev_row_int(&row, e->app_id);
	put_report_wire(&row, e);
	oev_row_text(&row, oc_algo_text(e->algorithm));
	oev_row_text(&row, oc_intake_text(e->verdict));
	oev_row_text(&row, oc_report_reason_text(e->reason));
	oev_row_int_or_null(&row, e->version);
	oev_row_blob(&row, e->raw, at_most(e->raw_len, OC_EVENT_RAW_MAX));
	oev_row_int(&row, e->raw_total);
	return oev_row_put(&row);
}

static int bind_report_raw(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_report_raw *e = &t->event->u.report_raw;
	struct oev_row row = oev_db_row(db, OEV_TABLE_REPORT_RAW);

	oev_row_bits(&row, e->report);
	oev_row_int(&row, e->at);
	oev_row_blob(&row, e->raw, at_most(e->raw_len, OC_EVENT_RAW_MAX));
	return oev_row_put(&row);
}

static int bind_report_repeat(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_report_repeat *e = &t->event->u.report_repeat;
	struct oev_row row = oev_db_row(db, OEV_TABLE_REPORT_REPEAT);

	oev_row_bits(&row, e->report);
	oev_row_bits(&row, e->first_ns);
	oev_row_bits(&row, e->last_ns);
	oev_row_bits(&row, e->count);
	return oev_row_put(&row);
}

static int bind_ocs_version(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_ocs_version *e = &t->event->u.ocs_version;
	struct oev_row row = oev_db_row(db, OEV_TABLE_OCS_VERSION);

	oev_row_int(&row, e->version);
	oev_row_bits(&row, e->report);
	oev_row_int_or_null(&row, e->replaces);
	oev_row_text(&row, oc_report_type_text(e->type));
	oev_row_int(&row, e->app_id);
	oev_row_int(&row, e->subject);
	oev_row_decimal(&row, e->sequence);
	oev_row_text(&row, oc_algo_text(e->algorithm));
	put_if(&row, e->algorithm == OC_ALGO_LOSS, e->reduction_pct);
	put_if(&row, e->algorithm == OC_ALGO_RATE, e->rate_rps);
	oev_row_int(&row, e->validity_s);
	put_times(&row, t);
	oev_row_bits(&row, e->expires_ns);
	oev_row_int_or_null(&row, e->origin);
	return oev_row_put(&row);
}

static int bind_ocs_change(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_ocs_change *e = &t->event->u.ocs_change;
	struct oev_row row = oev_db_row(db, OEV_TABLE_OCS_CHANGE);

	oev_row_int(&row, e->version);
	put_times(&row, t);
	oev_row_text(&row, oc_ocs_end_text(e->how));
	oev_row_bits(&row, e->matched);
	oev_row_bits(&row, e->selected);
	oev_row_bits(&row, e->expected_ppm);
	oev_row_bits(&row, e->remembered);
	return oev_row_put(&row);
}

static int bind_own_report(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_own_report *e = &t->event->u.own_report;
	struct oev_row row = oev_db_row(db, OEV_TABLE_OWN_REPORT);

	oev_row_decimal(&row, e->sequence);
	put_times(&row, t);
	oev_row_text(&row, oc_report_type_text(e->type));
	put_if(&row, e->app_id != OC_APP_ANY, e->app_id);
	oev_row_int_or_null(&row, e->subject);
	oev_row_int_or_null(&row, e->target);
	oev_row_text(&row, oc_algo_text(e->algorithm));
	put_if(&row, e->algorithm == OC_ALGO_LOSS, e->reduction_pct);
	put_if(&row, e->algorithm == OC_ALGO_RATE, e->rate_rps);
	oev_row_int(&row, e->validity_s);
	oev_row_text(&row, oc_report_step_text(e->step));
	oev_row_blob(&row, e->raw, at_most(e->raw_len, OC_EVENT_RAW_MAX));
	return oev_row_put(&row);
}

static int bind_own_sent(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_own_sent *e = &t->event->u.own_sent;
	struct oev_row row = oev_db_row(db, OEV_TABLE_OWN_SENT);

	oev_row_decimal(&row, e->sequence);
	oev_row_int(&row, e->peer);
	oev_row_text(&row, oc_report_type_text(e->type));
	oev_row_bits(&row, e->first_ns);
	oev_row_bits(&row, e->last_ns);
	oev_row_bits(&row, e->count);
	return oev_row_put(&row);
}

static int bind_load(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_load *e = &t->event->u.load;
	struct oev_row row = oev_db_row(db, OEV_TABLE_LOAD);

	put_times(&row, t);
	oev_row_int(&row, e->node);
	oev_row_int_or_null(&row, e->peer);
	oev_row_text(&row, oc_load_type_text(e->type));
	oev_row_int(&row, e->value);
	return oev_row_put(&row);
}

static void put_text_or_null(struct oev_row *row, const char *text, size_t len)
{
	if (len == 0)
		oev_row_null(row);
	else
		oev_row_text_n(row, text, len);
}

/* "1,2,..."; returns the length. */
static size_t rating_groups(const struct oc_profile *profile, char out[static GROUPS_TEXT_MAX])
{
	size_t count = at_most(profile->rating_group_count, OC_PROFILE_RATING_GROUPS_MAX);
	size_t at = 0;

	for (size_t i = 0; i < count; i++)
		at += (size_t)snprintf(out + at, GROUPS_TEXT_MAX - at, "%s%" PRIu32, i > 0 ? "," : "",
				       profile->rating_group[i]);
	if (profile->has_more_rating_groups)
		at += (size_t)snprintf(out + at, GROUPS_TEXT_MAX - at, "%s...", count > 0 ? "," : "");
	return at;
}

static int bind_profile(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_profile *e = &t->event->u.profile;
	const struct oc_profile *p = &e->profile;
	struct oev_row row = oev_db_row(db, OEV_TABLE_PROFILE);
	char groups[GROUPS_TEXT_MAX];

	oev_row_int(&row, e->id);
	oev_row_int(&row, p->hints);
	oev_row_int(&row, p->caps_has);
	put_hex_if(&row, p->caps_has & OC_CAPS_HAS_VECTOR, p->vector);
	put_hex_if(&row, p->caps_has & OC_CAPS_HAS_PEER_ALGO, p->peer_algo);
	put_if(&row, p->caps_has & OC_CAPS_HAS_SOURCE, p->source);
	oev_row_int(&row, p->reservation_priority);
	put_text_or_null(&row, groups, rating_groups(p, groups));
	if (p->apn_len > 0)
		oev_row_blob(&row, p->apn, at_most(p->apn_len, sizeof(p->apn)));
	else
		oev_row_null(&row);
	return oev_row_put(&row);
}

/* "peer:score peer:score" */
static int bind_candidates(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_candidates *e = &t->event->u.candidates;
	struct oev_row row = oev_db_row(db, OEV_TABLE_CANDIDATES);
	char peers[OC_CANDIDATES_MAX * 24 + 1] = "";
	size_t at = 0;

	for (size_t i = 0; i < at_most(e->count, OC_CANDIDATES_MAX); i++)
		at += (size_t)snprintf(peers + at, sizeof(peers) - at, "%s%" PRIu32 ":%" PRId32,
				       i > 0 ? " " : "", e->peer[i], e->score[i]);
	oev_row_int(&row, e->id);
	oev_row_text_n(&row, peers, at);
	return oev_row_put(&row);
}

static int bind_order(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_order *e = &t->event->u.order;
	struct oev_row row = oev_db_row(db, OEV_TABLE_ORDER_CHANGE);

	put_times(&row, t);
	oev_row_text(&row, e->is_withdrawal ? "withdrawn" : "ordered");
	oev_row_text(&row, oc_report_type_text(e->type));
	put_if(&row, e->app_id != OC_APP_ANY, e->app_id);
	oev_row_int_or_null(&row, e->subject);
	put_if(&row, e->has & 1, e->reduction_pct);
	put_if(&row, e->has & 2, e->rate_rps);
	oev_row_int(&row, e->validity_s);
	oev_row_int_or_null(&row, e->until_ns);
	oev_row_text(&row, oc_order_by_text(e->by));
	oev_row_int(&row, e->actor);
	oev_row_int(&row, e->calculation);
	oev_row_text_n(&row, e->reason, strnlen(e->reason, sizeof(e->reason)));
	oev_row_text_n(&row, e->inputs, strnlen(e->inputs, sizeof(e->inputs)));
	return oev_row_put(&row);
}

static int bind_identity(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_identity *e = &t->event->u.identity;
	struct oev_row row = oev_db_row(db, OEV_TABLE_IDENTITY);

	oev_row_bits(&row, e->pseudonym);
	oev_row_text(&row, oc_identity_kind_text(e->kind));
	oev_row_text_n(&row, e->text, at_most(e->len, sizeof(e->text)));
	return oev_row_put(&row);
}

static int bind_act(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_act *e = &t->event->u.act;
	struct oev_row row = oev_db_row(db, OEV_TABLE_ACT);

	put_times(&row, t);
	oev_row_text_n(&row, e->who, strnlen(e->who, sizeof(e->who)));
	oev_row_text_n(&row, e->what, strnlen(e->what, sizeof(e->what)));
	oev_row_text_n(&row, e->object, strnlen(e->object, sizeof(e->object)));
	oev_row_text_n(&row, e->before, strnlen(e->before, sizeof(e->before)));
	oev_row_text_n(&row, e->after, strnlen(e->after, sizeof(e->after)));
	oev_row_text_n(&row, e->reason, strnlen(e->reason, sizeof(e->reason)));
	return oev_row_put(&row);
}

static const bind_fn binds[] = {
	[OC_EVENT_NAME] = bind_name,
	[OC_EVENT_PEER] = bind_peer,
	[OC_EVENT_CAPABILITY] = bind_capability,
	[OC_EVENT_REPORT] = bind_report,
	[OC_EVENT_REPORT_RAW] = bind_report_raw,
	[OC_EVENT_REPORT_REPEAT] = bind_report_repeat,
	[OC_EVENT_OCS_VERSION] = bind_ocs_version,
	[OC_EVENT_OCS_CHANGE] = bind_ocs_change,
	[OC_EVENT_OWN_REPORT] = bind_own_report,
	[OC_EVENT_OWN_SENT] = bind_own_sent,
	[OC_EVENT_LOAD] = bind_load,
	[OC_EVENT_PROFILE] = bind_profile,
	[OC_EVENT_CANDIDATES] = bind_candidates,
	[OC_EVENT_ORDER] = bind_order,
	[OC_EVENT_IDENTITY] = bind_identity,
	[OC_EVENT_ACT] = bind_act,
};
_Static_assert(sizeof(binds) / sizeof(binds[0]) == OC_EVENT_KIND_COUNT, "one function per kind");

int oev_bind(struct oev_db *db, const struct oc_event *event, int64_t offset_us)
{
	struct timed t = { .event = event, .wall_us = (int64_t)(event->mono_ns / 1000u) + offset_us };

	/* A ring left by another process may hold a kind made by a newer program. */
	if (event->kind >= OC_EVENT_KIND_COUNT || !binds[event->kind])
		return OC_EREFUSED;
	return binds[event->kind](db, &t);
}
