/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Replies: what the agent holds, as JSON with every key present.
 */
#include <jansson.h>
#include <string.h>

#include "../app/oev_app.h"
#include "oev_ctl.h"

static const char *const refusals[] = {
	[OEV_CTL_INVALID] = "invalid",	       [OEV_CTL_REFUSED] = "refused",
	[OEV_CTL_NOT_FOUND] = "not_found",     [OEV_CTL_FULL] = "full",
	[OEV_CTL_INTERNAL] = "internal_error",
};
_Static_assert(sizeof(refusals) / sizeof(refusals[0]) == OEV_CTL_REFUSAL_COUNT, "one word per refusal");

static const char *const stat_words[OC_STAT_COUNT] = {
	[OC_STAT_REQUESTS] = "requests",
	[OC_STAT_FORWARDED] = "forwarded",
	[OC_STAT_DIVERTED] = "diverted",
	[OC_STAT_REFUSED] = "refused",
	[OC_STAT_REFUSED_OUTSTANDING] = "refused_outstanding",
	[OC_STAT_ANSWERS] = "answers",
	[OC_STAT_REPORTS_NEW] = "reports_new",
	[OC_STAT_REPORTS_UPDATED] = "reports_updated",
	[OC_STAT_REPORTS_STALE] = "reports_stale",
	[OC_STAT_REPORTS_REPEATED] = "reports_repeated",
	[OC_STAT_REPORTS_REFUSED] = "reports_refused",
	[OC_STAT_PROTOCOL_WARNINGS] = "protocol_warnings",
	[OC_STAT_FAILOPEN] = "failopen",
	[OC_STAT_REPORT_CLASHES] = "report_clashes",
	[OC_STAT_OWN_REPORTS] = "own_reports",
	[OC_STAT_LOADS_TAKEN] = "loads_taken",
	[OC_STAT_LOADS_IGNORED] = "loads_ignored",
	[OC_STAT_DRMP_STRIPPED] = "drmp_stripped",
	[OC_STAT_DRMP_ODD] = "drmp_odd",
	[OC_STAT_CLASS_0] = "class_0",
	[OC_STAT_CLASS_1] = "class_1",
	[OC_STAT_CLASS_2] = "class_2",
	[OC_STAT_CLASS_3] = "class_3",
	[OC_STAT_CLASS_4] = "class_4",
	[OC_STAT_OCS_HELD] = "states_held",
	[OC_STAT_OCS_ACTIVE] = "states_active",
};

const char *oev_ctl_refusal_text(unsigned refusal)
{
	return refusal < OEV_CTL_REFUSAL_COUNT ? refusals[refusal] : "?";
}

/* Consumes @root; NULL passes on. */
static char *line_of(json_t *root)
{
	char *line = root != NULL ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;

	json_decref(root);
	return line;
}

static json_t *reply(bool ok)
{
	return json_pack("{s:s, s:b}", "schema", OEV_CTL_SCHEMA, "ok", ok);
}

static json_t *number(uint64_t value)
{
	return json_integer((json_int_t)value);
}

/* Sequence numbers use all 64 bits, JSON readers often 53: they are text, as in the evidence. */
static json_t *sequence_text(uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	return json_string(text);
}

/* Texts that a client or a document wrote: what is not UTF-8 becomes a mark, never a missing key. */
static json_t *text_value(const char *text)
{
	json_t *value = json_string(text);

	return value != NULL ? value : json_string("(not UTF-8)");
}

static json_t *name_value(const struct oc_names *names, uint32_t id)
{
	return id == OC_NAME_NONE ? json_null() : text_value(oc_names_text(names, id));
}

static json_t *app_value(uint32_t app_id)
{
	return app_id == OC_APP_ANY ? json_string("all") : number(app_id);
}

static json_t *number_or_null(bool present, uint64_t value)
{
	return present ? number(value) : json_null();
}

/* Seconds from @now_ns to @at_ns, 0 when that is over. */
static json_t *left_s(uint64_t at_ns, uint64_t now_ns)
{
	return json_real(at_ns > now_ns ? (double)(at_ns - now_ns) / 1e9 : 0.0);
}

char *oev_ctl_reply_ok(void)
{
	return line_of(reply(true));
}

char *oev_ctl_reply_note(const char *note)
{
	json_t *root = reply(true);

	json_object_set_new(root, "note", text_value(note));
	return line_of(root);
}

char *oev_ctl_reply_error(enum oev_ctl_refusal refusal, const char *message)
{
	json_t *root = reply(false);

	json_object_set_new(root, "error", json_string(oev_ctl_refusal_text(refusal)));
	json_object_set_new(root, "message", text_value(message));
	return line_of(root);
}

char *oev_ctl_reply_pong(const char *version, const char *identity, uint32_t policy_version)
{
	json_t *root = reply(true);

	json_object_set_new(root, "version", text_value(version));
	json_object_set_new(root, "identity", text_value(identity));
	json_object_set_new(root, "policy_version", number(policy_version));
	return line_of(root);
}

char *oev_ctl_reply_policy(uint32_t policy_version, const char *note)
{
	json_t *root = reply(true);

	json_object_set_new(root, "policy_version", number(policy_version));
	if (note[0] != '\0')
		json_object_set_new(root, "note", text_value(note));
	return line_of(root);
}

static json_t *report_json(const struct oc_report_view *view, const struct oc_names *names, uint64_t now_ns)
{
	const struct oc_report_order *order = &view->order;
	json_t *object = json_object();

	json_object_set_new(object, "type", json_string(oc_report_type_text(order->key.type)));
	json_object_set_new(object, "subject", name_value(names, order->key.subject));
	json_object_set_new(object, "application", app_value(order->key.app_id));
	json_object_set_new(object, "reduction_pct",
			    number_or_null(order->has_reduction, order->reduction_pct));
	json_object_set_new(object, "rate_rps", number_or_null(order->has_rate, order->rate_rps));
	json_object_set_new(object, "validity_s", number(order->validity_s));
	json_object_set_new(object, "state",
			    json_string(view->is_ended	     ? "ended"
					: view->is_withdrawn ? "falling"
							     : "in_force"));
	json_object_set_new(object, "told_reduction_pct",
			    number_or_null(order->has_reduction, view->reduction_pct));
	json_object_set_new(object, "targets", number(view->targets));
	json_object_set_new(object, "sequence", sequence_text(view->sequence));
	json_object_set_new(object, "sent", number(view->sent));
	json_object_set_new(object, "told_until_s", left_s(view->told_until_ns, now_ns));
	json_object_set_new(object, "withdrawn_in_s",
			    order->until_ns != 0 ? left_s(order->until_ns, now_ns) : json_null());
	return object;
}

char *oev_ctl_reply_reports(const struct oc_report_view *views, uint32_t count, const struct oc_names *names,
			    uint64_t now_ns)
{
	json_t *root = reply(true), *list = json_array();

	for (uint32_t i = 0; i < count; i++)
		json_array_append_new(list, report_json(&views[i], names, now_ns));
	json_object_set_new(root, "reports", list);
	return line_of(root);
}

static double held_s(const struct oc_ocs_view *view, uint64_t now_ns)
{
	uint64_t until_ns = now_ns < view->expires_ns ? now_ns : view->expires_ns;

	return until_ns > view->since_ns ? (double)(until_ns - view->since_ns) / 1e9 : 0.0;
}

static json_t *state_json(const struct oc_ocs_view *view, const struct oc_names *names, uint64_t now_ns)
{
	json_t *object = json_object();

	json_object_set_new(object, "version", number(view->version));
	json_object_set_new(object, "type", json_string(oc_report_type_text(view->type)));
	json_object_set_new(object, "subject", name_value(names, view->subject));
	json_object_set_new(object, "application", app_value(view->app_id));
	json_object_set_new(object, "algorithm", json_string(oc_algo_text(view->algorithm)));
	json_object_set_new(object, "reduction_pct",
			    number_or_null(view->algorithm == OC_ALGO_LOSS, view->reduction_pct));
	json_object_set_new(object, "rate_rps",
			    number_or_null(view->algorithm == OC_ALGO_RATE, view->rate_rps));
	json_object_set_new(object, "origin", name_value(names, view->origin));
	json_object_set_new(object, "share_ratio", json_real(view->share_ppm / 1e6));
	json_object_set_new(object, "active", json_boolean(view->active != 0));
	json_object_set_new(object, "held_s", json_real(held_s(view, now_ns)));
	json_object_set_new(object, "left_s", left_s(view->expires_ns, now_ns));
	json_object_set_new(object, "sequence", sequence_text(view->sequence));
	json_object_set_new(object, "matched", number(view->matched));
	json_object_set_new(object, "selected", number(view->selected));
	return object;
}

char *oev_ctl_reply_states(const struct oc_ocs_view *views, uint32_t count, const struct oc_names *names,
			   uint64_t now_ns)
{
	json_t *root = reply(true), *list = json_array();

	for (uint32_t i = 0; i < count; i++)
		json_array_append_new(list, state_json(&views[i], names, now_ns));
	json_object_set_new(root, "states", list);
	return line_of(root);
}

static json_t *value_or_null(int32_t value)
{
	return value >= 0 ? json_integer(value) : json_null();
}

char *oev_ctl_reply_loads(const struct oev_ctl_own_load *own, const struct oc_load_view *loads,
			  uint32_t count, const struct oc_names *names)
{
	json_t *root = reply(true), *list = json_array();

	for (uint32_t i = 0; i < count; i++)
		json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}", "node",
						      name_value(names, loads[i].node), "host_value",
						      value_or_null(loads[i].host_value), "peer_value",
						      value_or_null(loads[i].peer_value), "weight",
						      number(loads[i].weight)));
	json_object_set_new(root, "own_value", number(own->value));
	json_object_set_new(root, "own_is_set", json_boolean(own->is_set));
	json_object_set_new(root, "loads", list);
	return line_of(root);
}

char *oev_ctl_reply_stats(const struct oc_stats *stats)
{
	json_t *root = reply(true), *object = json_object();

	for (unsigned i = 0; i < OC_STAT_COUNT; i++)
		json_object_set_new(object, stat_words[i], number(stats->value[i]));
	json_object_set_new(root, "stats", object);
	return line_of(root);
}
