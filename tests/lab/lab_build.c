/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Commands that build the network: nodes, links, policies, trust.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_node.h"
#include "lab_words.h"

static enum lab_tongue tongue_of(const char *word, enum lab_tongue otherwise)
{
	static const char *const tongues[] = { "plain", "doic", "peer" };

	for (int i = 0; word && i < 3; i++)
		if (strcmp(word, tongues[i]) == 0)
			return (enum lab_tongue)i;
	return otherwise;
}

static void take_service(const struct lab_words *words, struct lab_service *s)
{
	const char *cost = lab_words_get(words, "refusal_cost");

	s->rps = (double)lab_words_number(words, "capacity", 0);
	s->queue_max = (uint32_t)lab_words_number(words, "queue", 100);
	s->refusal_cost = cost ? strtod(cost, NULL) : 0.0;
	s->is_reporting = lab_words_number(words, "auto", 0) != 0;
}

static int add_node(struct lab_world *w, const struct lab_words *words, enum lab_kind kind)
{
	const char *patience = lab_words_get(words, "patience");
	struct lab_node *node;

	if (words->count < 2)
		return -1;
	node = lab_node_add(w, words->word[1], kind);
	if (!node)
		return -1;
	node->tongue = tongue_of(lab_words_plain(words, 2), kind == LAB_SERVER ? LAB_DOIC : LAB_PLAIN);
	node->vector = lab_words_number(words, "vector", OC_FV_LOSS);
	node->retries = (uint32_t)lab_words_number(words, "retry", 0);
	node->patience_s = patience ? strtod(patience, NULL) : 1.0;
	node->service.window_ns = w->now_ns;
	take_service(words, &node->service);
	return 1;
}

static int run_link(struct lab_world *w, const struct lab_words *words)
{
	struct lab_node *x = words->count < 2 ? NULL : lab_node_of(w, words->word[1]);
	int32_t score = (int32_t)lab_words_number(words, "score", 0);
	const char *to;

	for (int i = 2; x && (to = lab_words_plain(words, i)); i++) {
		struct lab_node *y = lab_node_of(w, to);
		if (!y || !lab_link_add(w, x, y, score))
			return -1;
	}
	return x ? 1 : -1;
}

static void take_list(const char *text, char out[][OC_POLICY_PATTERN_MAX], uint32_t *count)
{
	char copy[256];
	char *save = NULL;

	snprintf(copy, sizeof(copy), "%s", text);
	*count = 0;
	for (char *word = strtok_r(copy, ",", &save); word && *count < OC_POLICY_REALMS_MAX;
	     word = strtok_r(NULL, ",", &save))
		lab_full_name(word, out[(*count)++]);
}

static void take_numbers(const struct lab_words *words, struct oc_policy *p)
{
	struct {
		const char *key;
		uint32_t *value;
	} keys[] = {
		{ "ramp_ms", &p->ramp_ms },
		{ "memory_ms", &p->ended_memory_ms },
		{ "outstanding_max", &p->outstanding_max },
		{ "neutral", &p->load.neutral },
		{ "slow_start_ms", &p->load.slow_start_ms },
		{ "capacity_rps", &p->load.capacity_rps },
		{ "change_min", &p->load.change_min },
		{ "validity_s", &p->reports.validity_s },
		{ "fall_step_pct", &p->reports.fall_step_pct },
		{ "fall_interval_ms", &p->reports.fall_interval_ms },
		{ "target_idle_ms", &p->reports.target_idle_ms },
		{ "slack", &p->priorities.slack },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		*keys[i].value = (uint32_t)lab_words_number(words, keys[i].key, *keys[i].value);
}

static void take_words(const struct lab_words *words, struct oc_policy *p)
{
	const char *send = lab_words_get(words, "load_send");
	const char *rate = lab_words_get(words, "rate");
	const char *prefer = lab_words_get(words, "prefer");
	const char *sampler = lab_words_get(words, "sampler");

	if (send)
		p->load.send = strcmp(send, "off") == 0	     ? OC_LOAD_SEND_OFF
			       : strcmp(send, "always") == 0 ? OC_LOAD_SEND_ALWAYS
							     : OC_LOAD_SEND_CHANGE;
	if (rate)
		p->rate.is_on = strcmp(rate, "on") == 0;
	if (prefer)
		p->reports.prefers = strcmp(prefer, "rate") == 0 ? OC_ALGO_RATE : OC_ALGO_LOSS;
	if (sampler)
		p->sampler = strcmp(sampler, "random") == 0 ? OC_SAMPLER_RANDOM : OC_SAMPLER_EXACT;
	p->standby_takes_all = lab_words_number(words, "standby_takes_all", p->standby_takes_all) != 0;
}

static int run_policy(struct lab_world *w, const struct lab_words *words)
{
	struct lab_node *node = words->count < 2 ? NULL : lab_node_of(w, words->word[1]);
	const char *sole = lab_words_get(words, "sole_path_to");
	const char *realms = lab_words_get(words, "realms");

	if (!node || node->kind != LAB_AGENT)
		return -1;
	struct oc_policy *p = &node->policy;
	take_numbers(words, p);
	take_words(words, p);
	if (sole)
		take_list(sole, p->reports.sole_paths, &p->reports.sole_path_count);
	if (realms)
		take_list(realms, p->reports.realms, &p->reports.realm_count);
	lab_agent_apply_policy(w, node);
	return 1;
}

static uint32_t flags_of(const char *text)
{
	static const struct {
		const char *word;
		uint32_t flag;
	} flags[] = {
		{ "doic", OC_TRUST_DOIC },
		{ "send", OC_TRUST_SEND_REPORTS },
		{ "relay", OC_TRUST_RELAY_REPORTS },
		{ "receive", OC_TRUST_RECEIVE_REPORTS },
		{ "drmp", OC_TRUST_DRMP },
		{ "drmp-relay", OC_TRUST_RELAY_DRMP },
		{ "drmp-receive", OC_TRUST_RECEIVE_DRMP },
		{ "load", OC_TRUST_SEND_LOAD },
		{ "load-relay", OC_TRUST_RELAY_LOAD },
		{ "load-receive", OC_TRUST_RECEIVE_LOAD },
	};
	uint32_t all = 0;
	char copy[256];
	char *save = NULL;

	snprintf(copy, sizeof(copy), "%s", text);
	for (char *word = strtok_r(copy, ",", &save); word; word = strtok_r(NULL, ",", &save))
		for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
			all |= strcmp(word, flags[i].word) == 0 ? flags[i].flag : 0;
	return all;
}

/* trust AGENT PEER FLAGS; PEER "default" sets what is true of all others. */
static int run_trust(struct lab_world *w, const struct lab_words *words)
{
	struct lab_node *node = words->count != 4 ? NULL : lab_node_of(w, words->word[1]);

	if (!node || node->kind != LAB_AGENT || node->policy.rule_count == OC_POLICY_RULES_MAX)
		return -1;
	if (strcmp(words->word[2], "default") == 0) {
		node->policy.default_trust = flags_of(words->word[3]);
	} else {
		struct oc_trust_rule *rule = &node->policy.rules[node->policy.rule_count++];
		lab_full_name(words->word[2], rule->peer);
		rule->flags = flags_of(words->word[3]);
	}
	lab_agent_apply_policy(w, node);
	return 1;
}

int lab_build(struct lab_story *story, const struct lab_words *words, char *error, size_t size)
{
	static const char *const kinds[] = { "client", "agent", "relay", "server" };
	const char *first = words->word[0];

	snprintf(error, size, "cannot read this %s", first);
	for (int i = 0; i < 4; i++)
		if (strcmp(first, kinds[i]) == 0)
			return add_node(story->world, words, (enum lab_kind)i);
	if (strcmp(first, "link") == 0)
		return run_link(story->world, words);
	if (strcmp(first, "policy") == 0)
		return run_policy(story->world, words);
	if (strcmp(first, "trust") == 0)
		return run_trust(story->world, words);
	return 0;
}
