/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The core's test bench: messages made by hand, a clock that stands still.
 */
#include "help_core.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void keep(void *ctx, const struct oc_event *event)
{
	struct help_core *core = ctx;
	struct oc_event *place = &core->events[core->event_count++ % HELP_EVENTS_MAX];

	memset(place, 0, sizeof(*place));
	memcpy(place, event, oc_event_size(event));
	if (core->life)
		help_life_event(core->life, event);
}

struct help_core *help_core_new(void)
{
	struct help_core *core = calloc(1, sizeof(*core));
	core->names = oc_names_new(512, 1);
	core->now_ns = 1000 * SECOND;
	core->chance = 1;
	oc_policy_init(&core->policy);
	core->policy.ramp_ms = 0;
	core->policy.default_trust =
		OC_TRUST_DOIC | OC_TRUST_SEND_REPORTS | OC_TRUST_RELAY_REPORTS | OC_TRUST_RECEIVE_REPORTS;
	struct oc_agent_conf conf = { .identity = "agent.example.net",
				      .names = core->names,
				      .ocs_max = 64,
				      .retry_memory = 64,
				      .session_memory = 64,
				      .emit = keep,
				      .emit_ctx = core };
	core->life = help_life_begin(&conf, &core->policy);
	core->agent = oc_agent_new(&conf, &core->policy);
	return core;
}

void help_core_unkept(struct help_core *core)
{
	help_life_free(core->life);
	core->life = NULL;
}

static void live_again(struct help_core *core)
{
	char text[HELP_LIFE_TEXT_MAX];
	struct oc_replay_counts counts = help_life_again(core->life, text);

	CU_ASSERT_EQUAL(counts.differing, 0);
	CU_ASSERT_EQUAL(text[0], '\0');
	CU_ASSERT_EQUAL(counts.late, 0);
	CU_ASSERT_EQUAL(counts.unknown, 0);
	if (text[0])
		printf("lived again: %s\n", text);
	help_core_unkept(core);
}

void help_core_free(struct help_core *core)
{
	oc_agent_free(core->agent, core->now_ns);
	if (core->life)
		live_again(core);
	oc_names_free(core->names);
	free(core);
}

void help_core_apply_policy(struct help_core *core)
{
	uint64_t at_ns = oc_agent_set_policy(core->agent, &core->policy, core->now_ns);

	if (core->life)
		help_life_policy(core->life, &core->policy, at_ns);
}

uint32_t help_name(struct help_core *core, const char *text)
{
	struct oc_bytes bytes = { .data = (const uint8_t *)text, .len = strlen(text) };

	return oc_names_id(core->names, bytes, NULL);
}

void help_trust(struct help_core *core, const char *peer, uint32_t flags, const char *realm)
{
	struct oc_trust_rule *rule = &core->policy.rules[core->policy.rule_count++];

	strncpy(rule->peer, peer, sizeof(rule->peer) - 1);
	rule->flags = flags;
	rule->realm_count = realm ? 1 : 0;
	if (realm)
		strncpy(rule->realms[0], realm, sizeof(rule->realms[0]) - 1);
	help_core_apply_policy(core);
}

struct oc_msg help_request(struct help_core *core, const char *dest_host)
{
	struct oc_msg msg = { .app_id = HELP_APP, .command = 272, .flags = 0xc0, .drmp = OC_DRMP_NONE };

	msg.origin_host = help_name(core, "client.example.net");
	msg.origin_realm = msg.dest_realm = help_name(core, "example.net");
	msg.dest_host = dest_host ? help_name(core, dest_host) : OC_NAME_NONE;
	return msg;
}

struct oc_msg help_answer(struct help_core *core, const char *host)
{
	struct oc_msg msg = {
		.app_id = HELP_APP, .command = 272, .flags = 0x40, .result_code = OC_RC_SUCCESS
	};

	msg.origin_host = help_name(core, host);
	msg.origin_realm = help_name(core, "example.net");
	msg.caps = (struct oc_caps){ .vector = OC_FV_LOSS, .has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR };
	return msg;
}

struct oc_olr *help_olr(struct oc_msg *answer, uint32_t type, uint64_t sequence, uint32_t pct,
			uint32_t validity_s)
{
	struct oc_olr *olr = &answer->olr[answer->olr_count++];

	*olr = (struct oc_olr){ .sequence = sequence,
				.type = type,
				.reduction_pct = pct,
				.validity_s = validity_s,
				.raw_at = answer->raw_len,
				.raw_len = 60,
				.has = OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_REDUCTION |
				       OC_OLR_HAS_VALIDITY };
	answer->raw_len = (uint16_t)(answer->raw_len + 60);
	return olr;
}

struct oc_answer_edit help_exchange(struct help_core *core, const struct oc_msg *answer, const char *peer)
{
	struct oc_txn txn = { 0 };
	struct oc_group group;
	struct oc_answer_edit edit = { 0 };
	struct oc_msg request = help_request(core, "nobody.example.net");
	uint32_t from = help_name(core, peer);

	request.app_id = answer->app_id;
	oc_agent_on_request(core->agent, &request, help_name(core, "client.example.net"), core->now_ns, 0,
			    &txn);
	oc_agent_caps_for_request(core->agent, &request, &txn, &group);
	oc_agent_on_sent(core->agent, &txn, from, core->now_ns);
	oc_agent_on_answer(core->agent, answer, from, core->now_ns, &txn, &edit);
	oc_agent_on_answer_leaving(core->agent, &txn, OC_MADE_UPSTREAM, 0, core->now_ns);
	oc_agent_on_gone(core->agent, &txn, core->now_ns);
	return edit;
}

const struct oc_event *help_last(struct help_core *core, enum oc_event_kind kind)
{
	for (uint32_t i = core->event_count; i > 0 && i + HELP_EVENTS_MAX > core->event_count; i--)
		if (core->events[(i - 1) % HELP_EVENTS_MAX].kind == kind)
			return &core->events[(i - 1) % HELP_EVENTS_MAX];
	return &core->spare;
}

uint32_t help_count(const struct help_core *core, enum oc_event_kind kind)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < core->event_count && i < HELP_EVENTS_MAX; i++)
		count += core->events[i].kind == kind;
	return count;
}
