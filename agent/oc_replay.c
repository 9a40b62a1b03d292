/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Replay: its life, and what was recorded is done when its time has come.
 */
#include "oc_replay.h"

#include <stdlib.h>
#include <string.h>

#include "oc_err.h"
#include "oc_replay_inner.h"

#define NS_PER_S 1000000000ull
#define TICK_NS 100000000ull
#define OCS_MAX 1000000u
#define TICKS_MAX 100u /* at once, however long nothing happened */

static void on_version(struct oc_replay *replay, const struct oc_event_ocs_version *e)
{
	/* Without room some picks cannot be made as they were; the decision will say so. */
	if (oc_replay_grow((void **)&replay->subjects, &replay->subject_room, e->version + 1,
			   sizeof(*replay->subjects)) == OC_OK)
		replay->subjects[e->version] = e->subject;
}

/* The new agent tells. Its outcomes are the record's and nobody's news. */
static void on_event(void *ctx, const struct oc_event *event)
{
	struct oc_replay *replay = ctx;

	if (event->kind == OC_EVENT_OUTCOME)
		return;
	if (event->kind == OC_EVENT_DECISION) {
		replay->told = event->u.decision;
		replay->is_told = true;
	}
	if (event->kind == OC_EVENT_OCS_VERSION)
		on_version(replay, &event->u.ocs_version);
	if (replay->conf.agent.emit)
		replay->conf.agent.emit(replay->conf.agent.emit_ctx, event);
}

static uint32_t self_of(const struct oc_agent_conf *conf)
{
	struct oc_bytes bytes = { .data = (const uint8_t *)conf->identity };

	if (!conf->names || !conf->identity)
		return OC_NAME_NONE;
	bytes.len = strlen(conf->identity);
	return oc_names_find(conf->names, bytes);
}

struct oc_replay *oc_replay_new(const struct oc_replay_conf *conf, const struct oc_policy *policy)
{
	struct oc_replay *replay = calloc(1, sizeof(*replay));
	struct oc_agent_conf agent = conf->agent;

	if (!replay)
		return NULL;
	replay->conf = *conf;
	replay->last_report = OC_REPLAY_NOWHERE;
	replay->outstanding_max = policy->outstanding_max;
	replay->ticked_ns = replay->settled_ns = replay->now_ns = agent.now_ns;
	/* What had room then has room now, though the table is cleared at other times. */
	agent.ocs_max = agent.ocs_max < OCS_MAX / 2 ? 2 * agent.ocs_max : OCS_MAX;
	agent.emit = on_event;
	agent.emit_ctx = replay;
	agent.is_replay = conf->mode == OC_REPLAY_EXACT;
	if (oc_replay_store_init(replay) == OC_OK)
		replay->agent = oc_agent_new(&agent, policy);
	replay->self = self_of(&agent);
	if (!replay->agent) {
		oc_replay_free(replay);
		return NULL;
	}
	return replay;
}

void oc_replay_free(struct oc_replay *replay)
{
	if (!replay)
		return;
	oc_agent_free(replay->agent, replay->now_ns);
	oc_replay_store_free(replay);
	free(replay);
}

static void do_policy(struct oc_replay *replay, const struct oc_policy *policy, uint64_t at_ns)
{
	(void)oc_agent_set_policy(replay->agent, policy, at_ns);
	replay->outstanding_max = policy->outstanding_max;
}

static void do_order(struct oc_replay *replay, const struct oc_event_order *e, uint64_t at_ns)
{
	const struct oc_order_origin origin = { .by = e->by,
						.actor = e->actor,
						.calculation = e->calculation,
						.reason = e->reason,
						.inputs = e->inputs };
	const struct oc_report_order order = {
		.key = { .app_id = e->app_id, .subject = e->subject, .type = e->type },
		.has_reduction = (e->has & OC_ORDER_HAS_REDUCTION) != 0,
		.has_rate = (e->has & OC_ORDER_HAS_RATE) != 0,
		.reduction_pct = e->reduction_pct,
		.rate_rps = e->rate_rps,
		.validity_s = e->validity_s,
		.until_ns = e->until_ns
	};

	if (e->is_withdrawal)
		(void)oc_agent_withdraw(replay->agent, &order.key, &origin, at_ns);
	else
		(void)oc_agent_order(replay->agent, &order, &origin, at_ns);
}

static void assume_full(struct oc_replay *replay, bool is_full)
{
	if (replay->conf.mode != OC_REPLAY_EXACT || is_full == replay->is_full)
		return;
	replay->is_full = is_full;
	oc_agent_assume_full(replay->agent, is_full);
}

static void do_kept(struct oc_replay *replay, const struct oc_replay_item *item)
{
	struct oc_replay_kept *kept = &replay->kept[item->ref];
	enum oc_replay_kind kind = oc_replay_kind_of(item);

	if (kind == OC_REPLAY_REPORT && kept->event.u.report.peer == replay->self) {
		assume_full(replay, true);
		replay->full_ns = item->at_ns;
		oc_replay_kept_drop(replay, item->ref);
		return;
	}
	if (kind == OC_REPLAY_REPORT || kind == OC_REPLAY_LOAD) {
		replay->heard_ns = item->at_ns;
		if (replay->heard_count < OC_REPLAY_HEARD_MAX)
			replay->heard[replay->heard_count++] = item->ref;
		else
			oc_replay_kept_drop(replay, item->ref);
		return;
	}
	if (kind == OC_REPLAY_POLICY)
		do_policy(replay, kept->policy, item->at_ns);
	else if (kind == OC_REPLAY_ORDER)
		do_order(replay, &kept->event.u.order, item->at_ns);
	else
		oc_agent_on_peer(replay->agent, kept->event.u.peer.peer, kept->event.u.peer.up != 0,
				 item->at_ns);
	oc_replay_kept_drop(replay, item->ref);
}

static int do_call(struct oc_replay *replay, const struct oc_replay_item *item)
{
	enum oc_replay_kind kind = oc_replay_kind_of(item);
	int rc = OC_OK;

	replay->calls[item->ref].waiting--;
	if (kind == OC_REPLAY_REQUEST) {
		oc_replay_do_request(replay, item->ref, item->at_ns);
		rc = oc_replay_put_rest(replay, item->ref);
	} else if (kind == OC_REPLAY_CHOICE) {
		oc_replay_do_choice(replay, item->ref, item->at_ns);
	} else {
		oc_replay_do_answer(replay, item->ref, item->at_ns);
	}
	if (replay->calls[item->ref].is_over && replay->calls[item->ref].waiting == 0)
		oc_replay_call_drop(replay, item->ref);
	return rc;
}

/* What time alone does. Exactly: nothing is done that was not recorded, but what ran out is cleared away. What-if: the
 * pulse of the agent. */
static void pass(struct oc_replay *replay, uint64_t at_ns)
{
	if (replay->conf.mode == OC_REPLAY_EXACT) {
		if (replay->now_ns >= replay->settled_ns + NS_PER_S)
			oc_agent_settle_due(replay->agent, replay->settled_ns = replay->now_ns);
		return;
	}
	for (uint32_t i = 0; replay->ticked_ns + TICK_NS < at_ns; i++) {
		uint64_t gap_ns = at_ns - replay->ticked_ns;
		uint64_t step_ns = gap_ns / TICKS_MAX > TICK_NS ? gap_ns / TICKS_MAX : TICK_NS;
		oc_agent_tick(replay->agent, replay->ticked_ns += step_ns);
	}
}

static bool is_of_call(enum oc_replay_kind kind)
{
	return kind == OC_REPLAY_REQUEST || kind == OC_REPLAY_CHOICE || kind == OC_REPLAY_ANSWER;
}

/* Contents that were told by another step come of that; a step of their own is done once, whenever threads told its contents. What-if:
 * the pulse that life had then, which goes on from there, so that what falls due under any policy does when it did. */
static void do_due(struct oc_replay *replay, uint64_t at_ns)
{
	if (replay->stepped_ns == at_ns)
		return;
	replay->stepped_ns = at_ns;
	if (replay->conf.mode == OC_REPLAY_EXACT)
		(void)oc_agent_fall_due(replay->agent, at_ns);
	else if (at_ns > replay->ticked_ns)
		oc_agent_tick(replay->agent, replay->ticked_ns = at_ns);
}

static int do_item(struct oc_replay *replay, const struct oc_replay_item *item)
{
	enum oc_replay_kind kind = oc_replay_kind_of(item);

	if (replay->heard_count != 0 && replay->heard_ns != item->at_ns)
		oc_replay_do_orphans(replay);
	pass(replay, item->at_ns);
	if (replay->full_ns != item->at_ns)
		assume_full(replay, false);
	replay->counts.late += item->at_ns < replay->now_ns;
	if (item->at_ns > replay->now_ns)
		replay->now_ns = item->at_ns;
	if (kind == OC_REPLAY_DUE) {
		do_due(replay, item->at_ns);
		return OC_OK;
	}
	/* Not every end of a request is a step: that says it itself. */
	if (kind != OC_REPLAY_REPORT && kind != OC_REPLAY_LOAD && kind != OC_REPLAY_ANSWER)
		replay->stepped_ns = item->at_ns;
	if (is_of_call(kind))
		return do_call(replay, item);
	do_kept(replay, item);
	return OC_OK;
}

int oc_replay_run(struct oc_replay *replay, uint64_t until_ns)
{
	struct oc_replay_item item;
	int rc = OC_OK;

	while (rc == OC_OK && oc_replay_take(replay, until_ns, &item))
		rc = do_item(replay, &item);
	oc_replay_do_orphans(replay);
	return rc;
}

struct oc_replay_counts oc_replay_counts(const struct oc_replay *replay)
{
	return replay->counts;
}

struct oc_agent *oc_replay_agent(struct oc_replay *replay)
{
	return replay->agent;
}
