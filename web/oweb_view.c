/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Plain values as JSON.
 */
#include "oweb_view.h"

#include <string.h>

#include "../evidence/app/oev_app.h"
#include "../evidence/oev_time.h"
#include "oweb_inner.h"
#include "oweb_json.h"
#include "oweb_reply.h"

static void put_time(json_t *object, const char *key, uint64_t wall_us)
{
	if (wall_us != 0)
		oweb_json_time(object, key, wall_us);
}

/* Rounded to thousandths, so that a value does not change in digits nobody reads. */
static void put_real(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, json_real((double)(int64_t)(value * 1000 + 0.5) / 1000));
}

const char *oweb_view_name(const struct oweb_server *server, uint32_t name)
{
	if (server->node != NULL)
		return oc_names_text(server->node->names, name);
	return server->watch == NULL ? "" : oev_watch_name(server->watch, name);
}

json_t *oweb_view_node(const struct oweb_facts *facts)
{
	json_t *object = json_object();

	oweb_json_text(object, "identity", facts->identity);
	oweb_json_text(object, "realm", facts->realm);
	oweb_json_text(object, "label", facts->label);
	oweb_json_text(object, "evidence_folder", facts->evidence_folder);
	put_time(object, "started", facts->started_us);
	json_object_set_new(object, "mode", json_string(facts->is_observing ? "observe" : "enforce"));
	oweb_json_number(object, "policy_version", facts->policy_version);
	json_object_set_new(object, "version", json_string(DOIC_VERSION));
	return object;
}

json_t *oweb_view_recording(const struct oweb_facts *facts, uint64_t wall_us)
{
	json_t *object = json_object();

	oweb_json_number(object, "rows", facts->rows);
	oweb_json_number(object, "batches", facts->batches);
	oweb_json_number(object, "gap_events", facts->gap_events);
	oweb_json_number(object, "failures", facts->failures);
	put_real(object, "lag_seconds", (double)facts->lag_us / 1e6);
	if (facts->journal_records > 0)
		put_real(object, "journal_fill_ratio",
			 (double)facts->journal_waiting / facts->journal_records);
	json_object_set_new(object, "when_full", json_string(facts->blocks_when_full ? "block" : "gap"));
	oweb_json_text(object, "error", facts->recording_error);
	if (facts->disk_size > 0) {
		oweb_json_number(object, "disk_size_bytes", facts->disk_size);
		put_real(object, "disk_free_ratio", (double)facts->disk_free / (double)facts->disk_size);
	}
	oweb_json_text(object, "key", facts->key);
	if (facts->checkpoint_us != 0) {
		put_time(object, "checkpoint", facts->checkpoint_us);
		oweb_json_number(object, "checkpoint_rows", facts->checkpoint_rows);
		oweb_json_number(object, "checkpoint_age_seconds",
				 wall_us > facts->checkpoint_us ? (wall_us - facts->checkpoint_us) / 1000000
								: 0);
	}
	return object;
}

json_t *oweb_view_totals(const struct oc_stats *stats)
{
	static const char *const names[] = { "requests",
					     "forwarded",
					     "diverted",
					     "refused",
					     "refused_outstanding",
					     "answers",
					     "reports_new",
					     "reports_updated",
					     "reports_stale",
					     "reports_repeated",
					     "reports_refused",
					     "protocol_warnings",
					     "failopen",
					     "report_clashes",
					     "own_reports",
					     "loads_taken",
					     "loads_ignored",
					     "drmp_stripped",
					     "drmp_odd",
					     "class_0",
					     "class_1",
					     "class_2",
					     "class_3",
					     "class_4",
					     "ocs_held",
					     "ocs_active" };
	_Static_assert(sizeof(names) / sizeof(names[0]) == OC_STAT_COUNT, "every counter has its key");
	json_t *object = json_object();

	for (unsigned i = 0; i < OC_STAT_COUNT; i++)
		oweb_json_number(object, names[i], stats->value[i]);
	return object;
}

json_t *oweb_view_count(const struct oev_watch_count *count)
{
	json_t *object = json_object();

	oweb_json_number(object, "requests", count->requests);
	oweb_json_number(object, "refused", count->refused);
	oweb_json_number(object, "diverted", count->diverted);
	oweb_json_number(object, "sent", count->sent);
	oweb_json_number(object, "answers", count->answers);
	oweb_json_number(object, "useful", count->useful);
	oweb_json_number(object, "lost", count->lost);
	return object;
}

static void put_refusals(json_t *object, const struct oev_watch_population *of)
{
	json_t *by = json_object(), *why = json_object();

	for (unsigned i = 0; i < OC_SCOPE_COUNT; i++)
		if (of->refused_by[i] > 0)
			oweb_json_number(by, oc_scope_text(i), of->refused_by[i]);
	for (unsigned i = 0; i < OC_WHY_COUNT; i++)
		if (of->refused_why[i] > 0)
			oweb_json_number(why, oc_why_text(i), of->refused_why[i]);
	json_object_set_new(object, "refused_by", by);
	json_object_set_new(object, "refused_why", why);
}

static void put_quantiles(json_t *object, const uint32_t took[static OEV_WATCH_TOOK])
{
	static const struct {
		const char *key;
		unsigned permille;
	} quantiles[] = { { "took_p50_seconds", 500 },
			  { "took_p90_seconds", 900 },
			  { "took_p99_seconds", 990 } };

	for (unsigned i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++) {
		uint64_t ns = oev_watch_quantile_ns(took, quantiles[i].permille);
		if (ns > 0)
			json_object_set_new(object, quantiles[i].key,
					    json_real((double)(int64_t)((double)ns / 1e3) / 1e6));
	}
}

json_t *oweb_view_second(const struct oev_watch_second *second)
{
	const struct oev_watch_population *of = &second->population;
	json_t *object;

	if (!second->is_known) { /* no counts: they are not 0, but unknown */
		object = json_pack("{s:b}", "known", 0);
		put_time(object, "second", second->second * 1000000);
		return object;
	}
	object = oweb_view_count(&second->count);
	put_time(object, "second", second->second * 1000000);
	json_object_set_new(object, "known", json_true());
	json_object_set_new(object, "gap", json_boolean(second->is_gap));
	oweb_json_number(object, "matched", of->matched);
	oweb_json_number(object, "survivors", of->survivors);
	oweb_json_number(object, "matched_peer", of->matched_peer);
	oweb_json_number(object, "observed", of->observed);
	oweb_json_number(object, "drawn", of->drawn);
	oweb_json_number(object, "selected", of->selected);
	if (of->drawn > 0) {
		put_real(object, "share_ratio", (double)of->share_ppm / OC_PPM / of->drawn);
		put_real(object, "selected_ratio", (double)of->selected / of->drawn);
	}
	if (of->asked_pct >= 0)
		put_real(object, "asked_ratio", of->asked_pct / 100.0);
	put_refusals(object, of);
	put_quantiles(object, of->took);
	return object;
}

json_t *oweb_view_change(const struct oev_watch_change *change)
{
	json_t *object = json_pack("{s:I, s:s, s:s}", "number", (json_int_t)change->number, "kind",
				   oc_event_kind_text(change->kind), "text", change->text);

	oweb_json_time(object, "time", change->wall_us);
	return object;
}

json_t *oweb_view_peer(const struct oweb_peer *peer)
{
	json_t *object = json_object();

	json_object_set_new(object, "wanted", json_string(peer->is_out ? "out" : "in"));
	json_object_set_new(object, "is", json_string(peer->is_up ? "up" : "down"));
	oweb_json_text(object, "state", peer->state);
	json_object_set_new(object, "configured", json_boolean(peer->is_configured));
	oweb_json_number(object, "outstanding", peer->outstanding);
	put_time(object, "since", peer->since_us);
	return object;
}

json_t *oweb_view_load(const struct oc_load_view *load)
{
	json_t *object = json_object();

	if (load->host_value >= 0)
		oweb_json_number(object, "host_load", (uint64_t)load->host_value);
	if (load->peer_value >= 0)
		oweb_json_number(object, "peer_load", (uint64_t)load->peer_value);
	oweb_json_number(object, "weight", load->weight);
	return object;
}

/* What a report asks: its algorithm and the value that goes with it. */
static void put_asked(json_t *object, unsigned algorithm, uint32_t reduction_pct, uint32_t rate_rps)
{
	json_object_set_new(object, "algorithm", json_string(oc_algo_text(algorithm)));
	if (algorithm == OC_ALGO_RATE)
		oweb_json_number(object, "rate_per_second", rate_rps);
	else
		put_real(object, "reduction_ratio", reduction_pct / 100.0);
}

/* Monotonic @ns as wall time. */
static uint64_t wall_of(const struct oweb_server *server, uint64_t ns)
{
	return oweb_server_wall_us(server) / 1000 * 1000 +
	       ((int64_t)ns - (int64_t)oweb_server_now_ns(server)) / 1000000 * 1000;
}

json_t *oweb_view_ocs(const struct oweb_server *server, const struct oc_ocs_view *ocs)
{
	char buf[16];
	json_t *object = json_object();
	uint64_t now = oweb_server_now_ns(server);
	uint64_t until = ocs->active || now < ocs->expires_ns ? now : ocs->expires_ns;
	const char *state = ocs->active ? "active" : ocs->share_ppm > 0 ? "ending" : "ended";

	json_object_set_new(object, "state", json_string(state));
	oweb_json_number(object, "version", ocs->version);
	oweb_json_number(object, "sequence", ocs->sequence);
	json_object_set_new(object, "type", json_string(oc_report_type_text(ocs->type)));
	oweb_json_number(object, "application_id", ocs->app_id);
	oweb_json_text(object, "application", oev_app_text(ocs->app_id, buf));
	oweb_json_text(object, "subject", oweb_view_name(server, ocs->subject));
	oweb_json_text(object, "origin", oweb_view_name(server, ocs->origin));
	put_asked(object, ocs->algorithm, ocs->reduction_pct, ocs->rate_rps);
	put_real(object, "share_ratio", (double)ocs->share_ppm / OC_PPM);
	oweb_json_number(object, "matched", ocs->matched);
	oweb_json_number(object, "selected", ocs->selected);
	oweb_json_number(object, "same_matched", ocs->same_matched);
	oweb_json_number(object, "same_selected", ocs->same_selected);
	json_object_set_new(object, "is_own", json_boolean(ocs->is_own));
	json_object_set_new(object, "is_observed", json_boolean(ocs->is_observed));
	oweb_json_number(object, "held_seconds", oweb_seconds_since(ocs->since_ns, until));
	oweb_json_number(object, "condition_seconds", oweb_seconds_since(ocs->begun_ns, until));
	if (ocs->active)
		oweb_json_number(object, "left_seconds",
				 ocs->expires_ns > now ? (ocs->expires_ns - now + 999999999) / 1000000000
						       : 0);
	else
		oweb_json_number(object, "ended_seconds", oweb_seconds_since(ocs->expires_ns, now));
	return object;
}

json_t *oweb_view_report(const struct oweb_server *server, const struct oc_report_view *report)
{
	char buf[16];
	json_t *object = json_object();
	const struct oc_report_order *order = &report->order;
	const char *state = report->is_ended ? "ended" : report->is_withdrawn ? "ending" : "active";

	json_object_set_new(object, "state", json_string(state));
	json_object_set_new(object, "type", json_string(oc_report_type_text(order->key.type)));
	if (order->key.app_id != OC_APP_ANY) {
		oweb_json_number(object, "application_id", order->key.app_id);
		oweb_json_text(object, "application", oev_app_text(order->key.app_id, buf));
	}
	oweb_json_text(object, "subject", oweb_view_name(server, order->key.subject));
	oweb_json_number(object, "sequence", report->sequence);
	if (order->has_reduction)
		put_real(object, "ordered_reduction_ratio", order->reduction_pct / 100.0);
	if (order->has_rate) {
		oweb_json_number(object, "ordered_rate_per_second", order->rate_rps);
		oweb_json_number(object, "rate_each_per_second", report->rate_each_rps);
		oweb_json_number(object, "targets", report->targets);
	}
	put_real(object, "reduction_ratio", report->reduction_pct / 100.0);
	oweb_json_number(object, "sent", report->sent);
	put_time(object, "told_until",
		 report->told_until_ns == 0 ? 0 : wall_of(server, report->told_until_ns));
	return object;
}
