/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The life of the agent: birth, policy, tick, figures, end. The steps of a request are in oc_agent_*.c.
 */
#include "oc_agent_inner.h"

#include <stdlib.h>

#define NS_PER_S 1000000000ull
#define SLICE 256u /* entries looked at per stay under L1 */
#define LOAD_NODES 64u
#define TICK_ENTRY_EVENTS 6u /* events one entry can make in one tick, at most */

/* Number of our own name @text, 0 for none. */
static uint32_t own_name(struct oc_agent *agent, const char *text)
{
	bool is_new = false;

	if (!text || !*text)
		return OC_NAME_NONE;
	struct oc_bytes bytes = { .data = (const uint8_t *)text, .len = strlen(text) };
	uint32_t id = oc_names_id(agent->names, bytes, &is_new);
	if (is_new)
		oc_agent_on_new_names(agent, &id, 1, 0);
	return id;
}

/* Gives numbers to the names of the policy's orders, outside L1 since that makes events. */
static void name_orders(struct oc_agent *agent, const struct oc_policy *policy)
{
	for (uint32_t i = 0; i < policy->reports.order_count; i++)
		(void)own_name(agent, policy->reports.orders[i].subject);
}

static bool make_parts(struct oc_agent *agent, const struct oc_agent_conf *conf)
{
	agent->ocs = oc_ocs_new(conf->ocs_max);
	agent->retry = oc_retry_new(conf->retry_memory);
	agent->sessions = oc_sessions_new(conf->session_memory);
	agent->peers = oc_peers_new(conf->names);
	agent->loads = oc_loads_new(conf->load_nodes ? conf->load_nodes : LOAD_NODES);
	agent->own_load = oc_load_own_new(OC_PEERS_MAX);
	agent->reports = oc_reports_new(conf->first_sequence);
	agent->profiles = oc_profiles_new();
	agent->sets = oc_candidate_sets_new();
	return agent->ocs && agent->retry && agent->sessions && agent->peers && agent->loads &&
	       agent->own_load && agent->reports && agent->profiles && agent->sets;
}

static void free_parts(struct oc_agent *agent)
{
	oc_ocs_free(agent->ocs);
	oc_retry_free(agent->retry);
	oc_sessions_free(agent->sessions);
	oc_peers_free(agent->peers);
	oc_loads_free(agent->loads);
	oc_load_own_free(agent->own_load);
	oc_reports_free(agent->reports);
	oc_profiles_free(agent->profiles);
	oc_candidate_sets_free(agent->sets);
	pthread_mutex_destroy(&agent->lock);
	free(agent);
}

/* The policy's orders are in force from the first moment. */
static void order_at_birth(struct oc_agent *agent)
{
	static const struct oc_policy_orders none = { 0 };
	struct oc_batch batch;

	name_orders(agent, &agent->policy);
	batch.count = 0;
	oc_agent_orders_from(agent, &none, agent->last_ns, &batch);
	oc_agent_emit(agent, &batch);
}

struct oc_agent *oc_agent_new(const struct oc_agent_conf *conf, const struct oc_policy *policy)
{
	if (!conf->names || !conf->identity || strlen(conf->identity) > OC_IDENT_MAX)
		return NULL;
	struct oc_agent *agent = calloc(1, sizeof(*agent));
	if (!agent)
		return NULL;
	pthread_mutex_init(&agent->lock, NULL);
	agent->names = conf->names;
	agent->emit = conf->emit;
	agent->emit_ctx = conf->emit_ctx;
	agent->policy = *policy;
	agent->is_rate_on = policy->rate.is_on;
	agent->is_replay = conf->is_replay;
	agent->last_ns = conf->now_ns;
	memcpy(agent->identity, conf->identity, strlen(conf->identity) + 1);
	if (!make_parts(agent, conf)) {
		free_parts(agent);
		return NULL;
	}
	agent->self = own_name(agent, conf->identity);
	agent->self_realm = own_name(agent, conf->realm);
	oc_agent_make_caps(agent);
	order_at_birth(agent);
	return agent;
}

/* Brings up to @count more entries of the table up to @now_ns; true while there is more. */
static bool settle_on(struct oc_agent *agent, uint64_t now_ns, uint32_t count, bool is_flush,
		      struct oc_batch *batch)
{
	uint32_t max = oc_ocs_span(agent->ocs);

	for (uint32_t seen = 0; seen < count && agent->tick_at < max; seen++) {
		if (batch->count + TICK_ENTRY_EVENTS > OC_BATCH_MAX)
			return true;
		struct oc_ocs_entry *entry = oc_ocs_at(agent->ocs, agent->tick_at++);
		if (entry && oc_agent_settle(agent, entry, now_ns, batch) && is_flush)
			oc_agent_tell_repeat(&oc_ocs_record(agent->ocs, entry)->repeat, now_ns, batch);
	}
	return agent->tick_at < max;
}

static void flush_repeats(struct oc_agent *agent, uint64_t now_ns)
{
	struct oc_batch batch;
	uint32_t i = 0;

	while (i < OC_REPEATS_SLOTS) {
		(void)oc_agent_enter(agent, &batch, now_ns);
		while (i < OC_REPEATS_SLOTS && batch.count < OC_BATCH_MAX)
			oc_agent_tell_repeat(&agent->repeats.slots[i++], now_ns, &batch);
		oc_agent_leave(agent, &batch);
	}
}

static void flush_sent(struct oc_agent *agent, uint64_t now_ns)
{
	struct oc_batch batch;
	uint32_t i = 0;

	while (i < OC_SENT_SLOTS) {
		(void)oc_agent_enter(agent, &batch, now_ns);
		for (; i < OC_SENT_SLOTS && batch.count < OC_BATCH_MAX; i++) {
			struct oc_event_own_sent *slot = &agent->sent.slots[i];
			if (slot->count == 0)
				continue;
			oc_batch_add(&batch, OC_EVENT_OWN_SENT, now_ns)->u.own_sent = *slot;
			slot->count = 0;
		}
		oc_agent_leave(agent, &batch);
	}
}

/* Tells the end of everything held, in slices that fit a batch. */
static void tell_shutdown(struct oc_agent *agent, uint64_t now_ns)
{
	struct oc_batch batch;

	for (uint32_t i = 0; i < oc_ocs_span(agent->ocs); i++) {
		struct oc_ocs_entry *entry = oc_ocs_at(agent->ocs, i);
		if (!entry)
			continue;
		uint64_t at_ns = oc_agent_enter(agent, &batch, now_ns);
		bool is_held = oc_agent_settle(agent, entry, at_ns, &batch);
		if (is_held && entry->recover.phase != OC_PHASE_OVER)
			oc_agent_tell_change(agent, entry, OC_END_SHUTDOWN, at_ns, &batch);
		else if (is_held) /* over, but copies of its report may still have come */
			oc_agent_tell_repeat(&oc_ocs_record(agent->ocs, entry)->repeat, at_ns, &batch);
		oc_agent_leave(agent, &batch);
	}
}

void oc_agent_free(struct oc_agent *agent, uint64_t now_ns)
{
	if (!agent)
		return;
	if (agent->emit) {
		tell_shutdown(agent, now_ns);
		flush_repeats(agent, now_ns);
		flush_sent(agent, now_ns);
	}
	free_parts(agent);
}

/* Opens a step with all states up to its time, and room in @batch for what orders have to tell. What ran out until now did so under
 * the policy of until now, whenever somebody looked. */
static uint64_t enter_settled(struct oc_agent *agent, struct oc_batch *batch, uint64_t now_ns)
{
	for (;;) {
		uint64_t at_ns = oc_agent_enter(agent, batch, now_ns);
		agent->tick_at = 0;
		bool is_more = settle_on(agent, at_ns, UINT32_MAX, false, batch);
		if (!is_more && batch->count + OC_ORDERS_EVENTS <= OC_BATCH_MAX)
			return at_ns;
		oc_agent_leave(agent, batch);
	}
}

uint64_t oc_agent_set_policy(struct oc_agent *agent, const struct oc_policy *policy, uint64_t now_ns)
{
	struct oc_batch batch;

	name_orders(agent, policy);
	uint64_t at_ns = enter_settled(agent, &batch, now_ns);
	struct oc_policy_orders old = { .count = agent->policy.reports.order_count };
	memcpy(old.order, agent->policy.reports.orders, sizeof(old.order));
	agent->policy = *policy;
	agent->is_rate_on = policy->rate.is_on;
	oc_peers_policy_changed(agent->peers);
	oc_agent_orders_from(agent, &old, at_ns, &batch);
	oc_agent_leave(agent, &batch);
	oc_agent_step_own(agent, now_ns);
	return at_ns;
}

void oc_agent_on_new_names(struct oc_agent *agent, const uint32_t *id, uint32_t count, uint64_t now_ns)
{
	struct oc_batch batch;

	for (uint32_t i = 0; i < count && agent->emit; i++) {
		batch.count = 0;
		struct oc_event *event = oc_batch_add(&batch, OC_EVENT_NAME, now_ns);
		event->u.name.id = id[i];
		const char *text = oc_names_text(agent->names, id[i]);
		size_t len = strlen(text);
		memcpy(event->u.name.text, text, len <= OC_IDENT_MAX ? len : OC_IDENT_MAX);
		agent->emit(agent->emit_ctx, event);
	}
}

void oc_agent_on_peer(struct oc_agent *agent, uint32_t peer, bool up, uint64_t now_ns)
{
	struct oc_batch batch;

	uint64_t at_ns = oc_agent_enter(agent, &batch, now_ns);
	struct oc_event *event = oc_batch_add(&batch, OC_EVENT_PEER, at_ns);
	event->u.peer.peer = peer;
	event->u.peer.up = up;
	if (up) {
		oc_loads_on_up(agent->loads, peer, at_ns);
		oc_load_own_on_up(agent->own_load, peer);
	}
	oc_agent_leave(agent, &batch);
}

void oc_agent_tick(struct oc_agent *agent, uint64_t now_ns)
{
	struct oc_batch batch;
	bool is_more;

	(void)oc_agent_enter(agent, &batch, now_ns);
	bool is_flush = now_ns >= agent->flushed_ns + NS_PER_S;
	if (is_flush)
		agent->flushed_ns = now_ns;
	agent->tick_at = 0;
	oc_agent_leave(agent, &batch);
	do {
		uint64_t at_ns = oc_agent_enter(agent, &batch, now_ns);
		is_more = settle_on(agent, at_ns, SLICE, is_flush, &batch);
		oc_agent_leave(agent, &batch);
	} while (is_more);
	oc_agent_step_own(agent, now_ns);
	if (is_flush) {
		flush_repeats(agent, now_ns);
		flush_sent(agent, now_ns);
	}
}

void oc_agent_settle_due(struct oc_agent *agent, uint64_t now_ns)
{
	struct oc_batch batch;
	bool is_more;

	do {
		batch.count = 0;
		oc_agent_lock(agent);
		agent->tick_at = 0;
		is_more = settle_on(agent, now_ns, UINT32_MAX, false, &batch);
		oc_agent_leave(agent, &batch);
	} while (is_more);
}

void oc_agent_assume_outstanding(struct oc_agent *agent, uint32_t peer, uint32_t count, enum oc_room room)
{
	oc_peers_assume(agent->peers, peer, count, (uint32_t)room);
}

void oc_agent_assume_full(struct oc_agent *agent, bool is_full)
{
	pthread_mutex_lock(&agent->lock);
	agent->is_full_assumed = is_full;
	pthread_mutex_unlock(&agent->lock);
}

void oc_agent_stats(struct oc_agent *agent, struct oc_stats *out)
{
	for (uint32_t i = 0; i < OC_STAT_COUNT; i++)
		out->value[i] = agent->stats[i];
	pthread_mutex_lock(&agent->lock);
	out->value[OC_STAT_OCS_HELD] = oc_ocs_held(agent->ocs);
	out->value[OC_STAT_OCS_ACTIVE] = oc_ocs_active(agent->ocs);
	pthread_mutex_unlock(&agent->lock);
}

static void view(const struct oc_agent *agent, const struct oc_ocs_entry *entry, uint64_t now_ns,
		 struct oc_ocs_view *out)
{
	const struct oc_ocs_record *record = oc_ocs_record(agent->ocs, entry);

	*out = (struct oc_ocs_view){
		.sequence = record->value.sequence,
		.since_ns = record->since_ns,
		.begun_ns = record->begun_ns,
		.expires_ns = record->expires_ns,
		.matched = entry->matched,
		.selected = entry->selected,
		.same_matched = record->earlier_matched + entry->matched,
		.same_selected = record->earlier_selected + entry->selected,
		.version = entry->version,
		.app_id = entry->key.app_id,
		.subject = entry->key.subject,
		.origin = entry->key.origin,
		.rate_rps = record->value.rate_rps,
		.reduction_pct = record->value.reduction_pct,
		.share_ppm = oc_recover_share_later(&entry->recover, &agent->policy, now_ns),
		.type = entry->key.type,
		.algorithm = record->value.algorithm,
		.active = now_ns < record->expires_ns,
		.is_own = record->is_own,
		.is_observed = oc_agent_observes(agent, entry->key.subject),
	};
}

/* An entry whose memory is over is gone for everybody, even before the tick that frees it. */
static bool is_forgotten(const struct oc_agent *agent, const struct oc_ocs_entry *entry, uint64_t now_ns)
{
	struct oc_recover copy = entry->recover;
	uint64_t at_ns;

	while (oc_recover_step(&copy, &agent->policy, now_ns, &at_ns))
		;
	return copy.phase == OC_PHASE_OVER && now_ns >= oc_ocs_record(agent->ocs, entry)->forget_ns;
}

/* Positions from @*at on, a slice of them; false: there are no more. */
static bool snapshot_slice(struct oc_agent *agent, uint64_t now_ns, uint32_t *at, struct oc_ocs_view *out,
			   uint32_t max, uint32_t *count)
{
	pthread_mutex_lock(&agent->lock);
	uint32_t span = oc_ocs_span(agent->ocs);
	uint32_t end = *at + SLICE < span ? *at + SLICE : span;
	now_ns = now_ns > agent->last_ns ? now_ns : agent->last_ns;
	for (; *at < end; (*at)++) {
		const struct oc_ocs_entry *entry = oc_ocs_at(agent->ocs, *at);
		if (!entry || is_forgotten(agent, entry, now_ns))
			continue;
		if (*count < max)
			view(agent, entry, now_ns, &out[*count]);
		(*count)++;
	}
	bool is_more = *at < span;
	pthread_mutex_unlock(&agent->lock);
	return is_more;
}

uint32_t oc_agent_snapshot(struct oc_agent *agent, uint64_t now_ns, struct oc_ocs_view *out, uint32_t max)
{
	uint32_t count = 0, at = 0;

	while (snapshot_slice(agent, now_ns, &at, out, max, &count))
		;
	return count;
}

uint32_t oc_agent_outstanding(const struct oc_agent *agent, uint32_t peer)
{
	return oc_peers_outstanding(agent->peers, peer);
}
