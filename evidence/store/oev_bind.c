/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The columns of every kind of event, in the order of schema.sql.
 */
#include "oev_bind.h"

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_msg.h"

/* One event with the wall time computed for it: no clock is read per row. */
struct timed {
	const struct oc_event *event;
	int64_t wall_us;
};

typedef int (*bind_fn)(struct oev_db *db, const struct timed *t);

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
	struct oev_row row = oev_db_row(db, OEV_PUT_NAME);

	oev_row_int(&row, e->id);
	oev_row_text(&row, e->text);
	return oev_row_put(&row);
}

static int bind_peer(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_peer *e = &t->event->u.peer;
	struct oev_row row = oev_db_row(db, OEV_PUT_PEER);

	put_times(&row, t);
	oev_row_int(&row, e->peer);
	oev_row_int(&row, e->up);
	return oev_row_put(&row);
}

static int bind_capability(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_capability *e = &t->event->u.capability;
	struct oev_row row = oev_db_row(db, OEV_PUT_CAPABILITY);

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
	struct oev_row row = oev_db_row(db, OEV_PUT_REPORT);

	oev_row_bits(&row, e->report);
	put_times(&row, t);
	oev_row_int(&row, e->peer);
	oev_row_int(&row, e->app_id);
	put_report_wire(&row, e);
	oev_row_text(&row, oc_algo_text(e->algorithm));
	oev_row_text(&row, oc_intake_text(e->verdict));
	oev_row_text(&row, oc_report_reason_text(e->reason));
	oev_row_int_or_null(&row, e->version);
	oev_row_blob(&row, e->raw, e->raw_len <= OC_EVENT_RAW_MAX ? e->raw_len : OC_EVENT_RAW_MAX);
	oev_row_int(&row, e->raw_total);
	return oev_row_put(&row);
}

static int bind_report_raw(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_report_raw *e = &t->event->u.report_raw;
	struct oev_row row = oev_db_row(db, OEV_PUT_REPORT_RAW);

	oev_row_bits(&row, e->report);
	oev_row_blob(&row, e->raw, e->raw_len <= OC_EVENT_RAW_MAX ? e->raw_len : OC_EVENT_RAW_MAX);
	oev_row_int(&row, e->at);
	return oev_row_put(&row);
}

static int bind_report_repeat(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_report_repeat *e = &t->event->u.report_repeat;
	struct oev_row row = oev_db_row(db, OEV_PUT_REPORT_REPEAT);

	oev_row_bits(&row, e->report);
	oev_row_bits(&row, e->first_ns);
	oev_row_bits(&row, e->last_ns);
	oev_row_bits(&row, e->count);
	return oev_row_put(&row);
}

static int bind_ocs_version(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_ocs_version *e = &t->event->u.ocs_version;
	struct oev_row row = oev_db_row(db, OEV_PUT_OCS_VERSION);

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
	struct oev_row row = oev_db_row(db, OEV_PUT_OCS_CHANGE);

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
	struct oev_row row = oev_db_row(db, OEV_PUT_OWN_REPORT);

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
	oev_row_blob(&row, e->raw, e->raw_len <= OC_EVENT_RAW_MAX ? e->raw_len : OC_EVENT_RAW_MAX);
	return oev_row_put(&row);
}

static int bind_own_sent(struct oev_db *db, const struct timed *t)
{
	const struct oc_event_own_sent *e = &t->event->u.own_sent;
	struct oev_row row = oev_db_row(db, OEV_PUT_OWN_SENT);

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
	struct oev_row row = oev_db_row(db, OEV_PUT_LOAD);

	put_times(&row, t);
	oev_row_int(&row, e->node);
	oev_row_int_or_null(&row, e->peer);
	oev_row_text(&row, oc_load_type_text(e->type));
	oev_row_int(&row, e->value);
	return oev_row_put(&row);
}

static void put_look(struct oev_row *row, const struct oc_look *look)
{
	oev_row_int_or_null(row, look->version);
	put_if(row, look->version != 0, look->share_ppm);
}

static void put_parties(struct oev_row *row, const struct oc_decision *d)
{
	oev_row_int(row, d->app_id);
	oev_row_int(row, d->command);
	oev_row_int(row, d->client_peer);
	oev_row_int(row, d->origin_host);
	oev_row_int_or_null(row, d->dest_host);
	oev_row_int_or_null(row, d->dest_realm);
}

static void put_choice(struct oev_row *row, const struct oc_decision *d)
{
	oev_row_int(row, d->verdict);
	oev_row_int(row, d->why);
	oev_row_int(row, d->selected_by);
	oev_row_int(row, d->klass);
	oev_row_int(row, d->flags);
	oev_row_int_or_null(row, d->first_choice);
	oev_row_int_or_null(row, d->next_hop);
	oev_row_int_or_null(row, d->result_code);
}

static void put_decision(struct oev_row *row, const struct timed *t)
{
	const struct oc_decision *d = &t->event->u.decision;

	oev_row_bits(row, d->id);
	put_times(row, t);
	put_parties(row, d);
	put_look(row, &d->realm);
	put_look(row, &d->host);
	put_look(row, &d->peer);
	put_choice(row, d);
	oev_row_int(row, d->end_to_end);
	oev_row_bits(row, d->session_hash);
	oev_row_bits(row, d->random);
	put_if(row, d->drmp != OC_DRMP_NONE, d->drmp);
	oev_row_int_or_null(row, d->cc_request_type);
	oev_row_int_or_null(row, d->realm.nth);
	oev_row_int_or_null(row, d->host.nth);
	oev_row_int_or_null(row, d->peer.nth);
}

static void put_outcome(struct oev_row *row, const struct timed *t)
{
	const struct oc_event_outcome *e = &t->event->u.outcome;

	oev_row_bits(row, e->id);
	oev_row_bits(row, t->event->mono_ns);
	oev_row_bits(row, e->took_ns);
	oev_row_int_or_null(row, e->result_code);
	oev_row_int(row, e->maker);
	oev_row_int_or_null(row, e->answered_by);
	oev_row_int_or_null(row, e->from_peer);
	oev_row_int(row, e->attempts);
}

static int bind_decision(struct oev_db *db, const struct timed *t)
{
	struct oev_row row = oev_db_row(db, OEV_PUT_DECISION);

	put_decision(&row, t);
	return oev_row_put(&row);
}

static int bind_outcome(struct oev_db *db, const struct timed *t)
{
	struct oev_row row = oev_db_row(db, OEV_PUT_OUTCOME);

	put_outcome(&row, t);
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
	[OC_EVENT_DECISION] = bind_decision,
	[OC_EVENT_OUTCOME] = bind_outcome,
	[OC_EVENT_OWN_REPORT] = bind_own_report,
	[OC_EVENT_OWN_SENT] = bind_own_sent,
	[OC_EVENT_LOAD] = bind_load,
	[OC_EVENT_IDENTITY] = NULL,
};
_Static_assert(sizeof(binds) / sizeof(binds[0]) == OC_EVENT_KIND_COUNT, "one function per kind");

static struct timed timed_of(const struct oev_bind *bind, const struct oc_event *event)
{
	return (struct timed){ .event = event,
			       .wall_us = (int64_t)(event->mono_ns / 1000u) + bind->offset_us };
}

static int bind_single(struct oev_bind *bind, const struct oc_event *event)
{
	struct timed t = timed_of(bind, event);
	int rc = OC_EREFUSED;

	/* A ring read back from a file may hold a kind made by a newer program. */
	if (event->kind < OC_EVENT_KIND_COUNT && binds[event->kind])
		rc = binds[event->kind](bind->db, &t);
	if (rc == OC_EIO)
		return rc;
	bind->refused += rc != OC_OK;
	return OC_OK;
}

static void empty_group(struct oev_bind *bind, struct oev_group *group, enum oev_put put)
{
	group->row = oev_db_row(bind->db, put);
	group->count = 0;
}

/* Writes the events of @group from @first on one by one. */
static int spell_out(struct oev_bind *bind, struct oev_group *group, uint32_t first)
{
	int rc = OC_OK;

	for (uint32_t i = first; rc == OC_OK && i < group->count; i++)
		rc = bind_single(bind, group->events[i]);
	return rc;
}

static int put_group(struct oev_bind *bind, struct oev_group *group)
{
	int rc = oev_row_put(&group->row);

	return rc == OC_EREFUSED ? spell_out(bind, group, group->row.kept) : rc;
}

static int bind_grouped(struct oev_bind *bind, const struct oc_event *event)
{
	struct timed t = timed_of(bind, event);
	bool is_decision = event->kind == OC_EVENT_DECISION;
	struct oev_group *group = is_decision ? &bind->decisions : &bind->outcomes;

	if (is_decision)
		put_decision(&group->row, &t);
	else
		put_outcome(&group->row, &t);
	group->events[group->count++] = event;
	if (group->count < OEV_GROUP_ROWS)
		return OC_OK;
	int rc = put_group(bind, group);
	empty_group(bind, group, is_decision ? OEV_PUT_DECISIONS : OEV_PUT_OUTCOMES);
	return rc;
}

void oev_bind_start(struct oev_bind *bind, struct oev_db *db, int64_t offset_us)
{
	bind->db = db;
	bind->offset_us = offset_us;
	bind->refused = 0;
	empty_group(bind, &bind->decisions, OEV_PUT_DECISIONS);
	empty_group(bind, &bind->outcomes, OEV_PUT_OUTCOMES);
}

int oev_bind_event(struct oev_bind *bind, const struct oc_event *event)
{
	if (event->kind == OC_EVENT_DECISION || event->kind == OC_EVENT_OUTCOME)
		return bind_grouped(bind, event);
	return bind_single(bind, event);
}

int oev_bind_end(struct oev_bind *bind)
{
	int rc = spell_out(bind, &bind->decisions, 0);

	return rc == OC_OK ? spell_out(bind, &bind->outcomes, 0) : rc;
}
