/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * "What changed", in words.
 */
#include "oev_watch_inner.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/wire/oc_msg.h"
#include "../app/oev_app.h"

#define TEXT_MAX sizeof(((struct oev_watch_change *)NULL)->text)

static const char *name_of(const struct oev_watch *watch, uint32_t name)
{
	return name ? oc_names_text(watch->names, name) : "everybody";
}

/* "30 %", "250/s". */
static void value_text(bool has_pct, uint32_t pct, bool has_rate, uint32_t rate, char buf[static 32])
{
	if (has_rate)
		snprintf(buf, 32, "%" PRIu32 "/s", rate);
	else if (has_pct)
		snprintf(buf, 32, "%" PRIu32 " %%", pct);
	else
		snprintf(buf, 32, "no value");
}

static const char *app_text(uint32_t app_id, char buf[static 16])
{
	return app_id == OC_APP_ANY ? "all" : oev_app_text(app_id, buf);
}

static bool say_report(const struct oev_watch *watch, const struct oc_event_report *r, char *text,
		       size_t size)
{
	char value[32], app[16];

	if (r->verdict == OC_INTAKE_STALE || r->verdict == OC_INTAKE_REPEATED)
		return false;
	if (r->validity_s == 0 && r->verdict != OC_INTAKE_REFUSED)
		snprintf(value, sizeof(value), "the end");
	else
		value_text(r->has & OC_OLR_HAS_REDUCTION, r->reduction_pct, r->has & OC_OLR_HAS_RATE,
			   r->rate_rps, value);
	snprintf(text, size, "report %" PRIu64 " from %.60s %s%s: %s %.60s, %s, %s", r->report,
		 name_of(watch, r->peer), r->verdict == OC_INTAKE_REFUSED ? "refused, " : "accepted",
		 r->verdict == OC_INTAKE_REFUSED ? oc_report_reason_text(r->reason) : "",
		 oc_report_type_text(r->type), name_of(watch, r->subject), app_text(r->app_id, app), value);
	return true;
}

static bool say_version(const struct oev_watch *watch, const struct oc_event_ocs_version *v, char *text,
			size_t size)
{
	char value[32], app[16];

	value_text(v->algorithm == OC_ALGO_LOSS, v->reduction_pct, v->algorithm == OC_ALGO_RATE, v->rate_rps,
		   value);
	snprintf(text, size, "%s #%" PRIu32 " held: %s %.80s, %s, %s for %" PRIu32 " s",
		 oev_watch_is_own(watch, v->version) ? "own state" : "state", v->version,
		 oc_report_type_text(v->type), name_of(watch, v->subject), app_text(v->app_id, app), value,
		 v->validity_s);
	return true;
}

static bool say_change(const struct oc_event_ocs_change *c, char *text, size_t size)
{
	if (c->how == OC_END_REPLACED || c->how == OC_END_FORGOTTEN)
		return false;
	snprintf(text, size, "state #%" PRIu32 " %s: %" PRIu64 " of %" PRIu64 " matched were selected",
		 c->version, oc_ocs_end_text(c->how), c->selected, c->matched);
	return true;
}

static bool say_order(const struct oev_watch *watch, const struct oc_event_order *o, char *text, size_t size)
{
	char value[32], app[16];

	value_text(o->has & OC_ORDER_HAS_REDUCTION, o->reduction_pct, o->has & OC_ORDER_HAS_RATE, o->rate_rps,
		   value);
	snprintf(text, size, "own %s report %s: %.60s, %s, %s, by %s%s%.40s", oc_report_type_text(o->type),
		 o->is_withdrawal ? "withdrawn" : "ordered", name_of(watch, o->subject),
		 app_text(o->app_id, app), value, oc_order_by_text(o->by), o->reason[0] ? ": " : "",
		 o->reason);
	return true;
}

static void say_act(const struct oc_event_act *a, char *text, size_t size)
{
	if (strcmp(a->what, "unlock") == 0) {
		snprintf(text, size, "%s asked whose pseudonym is whose (%s)", a->who, a->object);
		return;
	}
	if (strcmp(a->what, "want") == 0) {
		snprintf(text, size, "%s wants %s %s, was %s%s%s", a->who, a->object, a->after, a->before,
			 a->reason[0] ? ": " : "", a->reason);
		return;
	}
	snprintf(text, size, "%s changed %s%s%s%s%s%s%s%s%s", a->who, a->what, a->object[0] ? " " : "",
		 a->object, a->before[0] ? " from " : "", a->before, a->after[0] ? " to " : "", a->after,
		 a->reason[0] ? ": " : "", a->reason);
}

static bool say(const struct oev_watch *watch, const struct oc_event *event, char *text, size_t size)
{
	switch (event->kind) {
	case OC_EVENT_PEER:
		snprintf(text, size, "peer %.120s %s", name_of(watch, event->u.peer.peer),
			 event->u.peer.up ? "open" : "closed");
		return true;
	case OC_EVENT_REPORT:
		return say_report(watch, &event->u.report, text, size);
	case OC_EVENT_OCS_VERSION:
		return say_version(watch, &event->u.ocs_version, text, size);
	case OC_EVENT_OCS_CHANGE:
		return say_change(&event->u.ocs_change, text, size);
	case OC_EVENT_ORDER:
		return say_order(watch, &event->u.order, text, size);
	case OC_EVENT_ACT:
		say_act(&event->u.act, text, size);
		return true;
	default:
		return false;
	}
}

void oev_watch_note_text(struct oev_watch *watch, uint16_t kind, uint64_t wall_us, const char *text)
{
	struct oev_watch_change *change = &watch->change[watch->changes++ % OEV_WATCH_CHANGES];

	*change = (struct oev_watch_change){ .number = watch->changes, .wall_us = wall_us, .kind = kind };
	snprintf(change->text, sizeof(change->text), "%s", text);
}

void oev_watch_note(struct oev_watch *watch, const struct oc_event *event, uint64_t wall_us)
{
	char text[TEXT_MAX];

	if (say(watch, event, text, sizeof(text)))
		oev_watch_note_text(watch, event->kind, wall_us, text);
}

void oev_watch_gap_text(char *text, size_t size, uint64_t events, const char *reason)
{
	if (events)
		snprintf(text, size, "evidence gap: %" PRIu64 " events lost: %.120s", events, reason);
	else
		snprintf(text, size, "evidence: %.160s", reason);
}
