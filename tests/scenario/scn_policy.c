/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The commands "policy" and "trust": every setting of the policy.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scn_command.h"

/* Numbers "1,2,..." of @key into the @count elements at @out; those not given stay. */
static void take_list32(const struct scn_words *words, const char *key, uint32_t *out, uint32_t count)
{
	const char *at = scn_words_get(words, key, 1);
	char *end = NULL;

	for (uint32_t i = 0; at && *at && i < count; i++, at = *end ? end + 1 : end)
		out[i] = (uint32_t)strtoul(at, &end, 0);
}

/* Texts "a,b" of @key into rows of @size octets; how many, or @otherwise when the key is absent. */
static uint32_t take_texts(const struct scn_words *words, const char *key, char *rows, size_t size,
			   uint32_t max, uint32_t otherwise)
{
	const char *text = scn_words_get(words, key, 1);
	char copy[512] = "";
	char *part[16];

	if (!text)
		return otherwise;
	strncpy(copy, text, sizeof(copy) - 1);
	int count = *text ? scn_parts(copy, ',', part, (int)max) : 0;
	for (int i = 0; i < count; i++)
		snprintf(rows + (size_t)i * size, size, "%s", part[i]);
	return (uint32_t)count;
}

static void take_reaction(const struct scn_words *words, struct oc_policy *p)
{
	const char *sampler = scn_words_get(words, "sampler", 1);
	const char *mode = scn_words_get(words, "mode", 1);

	scn_words_u32(words, "ramp_ms", &p->ramp_ms);
	scn_words_u32(words, "memory_ms", &p->ended_memory_ms);
	scn_words_u32(words, "probe_ms", &p->probe_interval_ms);
	scn_words_u32(words, "outstanding_max", &p->outstanding_max);
	scn_words_u32(words, "code_host", &p->refusal_code_host);
	scn_words_u32(words, "code_realm", &p->refusal_code_realm);
	scn_words_u32(words, "code_peer", &p->refusal_code_peer);
	scn_words_u32(words, "code_outstanding", &p->refusal_code_outstanding);
	scn_words_switch(words, "standby", &p->standby_takes_all);
	if (sampler)
		p->sampler = strcmp(sampler, "random") == 0 ? OC_SAMPLER_RANDOM : OC_SAMPLER_EXACT;
	p->shadow_count = take_texts(words, "shadow", p->shadow[0], sizeof(p->shadow[0]),
				     OC_POLICY_SHADOW_MAX, p->shadow_count);
	if (mode)
		p->mode = strcmp(mode, "observe") == 0 ? OC_MODE_OBSERVE : OC_MODE_ENFORCE;
}

static void take_rate(const struct scn_words *words, struct oc_rate_policy *r)
{
	scn_words_switch(words, "rate", &r->is_on);
	scn_words_switch(words, "antiresonant", &r->is_anti_resonant);
	scn_words_u32(words, "tau0", &r->initial_permille);
	take_list32(words, "thresholds", r->threshold_permille, OC_CLASSES);
}

static void take_priorities(const struct scn_words *words, struct oc_prio_policy *p)
{
	uint32_t classes[OC_RANKS];
	uint32_t number = p->default_drmp;

	scn_words_switch(words, "drmp", &p->uses_drmp);
	scn_words_switch(words, "application", &p->uses_application);
	scn_words_u32(words, "slack", &p->slack);
	scn_words_u32(words, "default_drmp", &number);
	p->default_drmp = (uint8_t)number;
	number = p->reservation_min;
	scn_words_u32(words, "reservation_min", &number);
	p->reservation_min = (uint8_t)number;
	for (uint32_t i = 0; i < OC_RANKS; i++)
		classes[i] = p->class_of_drmp[i];
	take_list32(words, "classes", classes, OC_RANKS);
	for (uint32_t i = 0; i < OC_RANKS; i++)
		p->class_of_drmp[i] = (uint8_t)classes[i];
	p->emergency_apn_count = take_texts(words, "apns", p->emergency_apns[0], OC_POLICY_APN_MAX,
					    OC_POLICY_APNS_MAX, p->emergency_apn_count);
}

static void take_load(const struct scn_words *words, struct oc_load_policy *l)
{
	const char *send = scn_words_get(words, "load_send", 1);

	scn_words_switch(words, "balance", &l->balances);
	if (send)
		l->send = strcmp(send, "off") == 0	? OC_LOAD_SEND_OFF
			  : strcmp(send, "always") == 0 ? OC_LOAD_SEND_ALWAYS
							: OC_LOAD_SEND_CHANGE;
	scn_words_u32(words, "load_age_ms", &l->max_age_ms);
	scn_words_u32(words, "neutral", &l->neutral);
	scn_words_u32(words, "slow_start_ms", &l->slow_start_ms);
	scn_words_u32(words, "capacity", &l->capacity_rps);
	scn_words_u32(words, "change_min", &l->change_min);
}

static void take_reports(const struct scn_words *words, struct oc_report_policy *r)
{
	const char *prefers = scn_words_get(words, "prefers", 1);

	scn_words_u32(words, "validity", &r->validity_s);
	scn_words_u32(words, "fall_step", &r->fall_step_pct);
	scn_words_u32(words, "fall_ms", &r->fall_interval_ms);
	scn_words_u32(words, "idle_ms", &r->target_idle_ms);
	scn_words_switch(words, "explicit", &r->is_end_explicit);
	if (prefers)
		r->prefers = strcmp(prefers, "rate") == 0 ? OC_ALGO_RATE : OC_ALGO_LOSS;
	r->sole_path_count = take_texts(words, "sole", r->sole_paths[0], OC_POLICY_PATTERN_MAX,
					OC_POLICY_REALMS_MAX, r->sole_path_count);
	r->realm_count = take_texts(words, "realms", r->realms[0], OC_POLICY_PATTERN_MAX,
				    OC_POLICY_REALMS_MAX, r->realm_count);
}

int scn_run_policy(struct scn_world *w, const struct scn_words *words)
{
	take_reaction(words, &w->policy);
	take_rate(words, &w->policy.rate);
	take_priorities(words, &w->policy.priorities);
	take_load(words, &w->policy.load);
	take_reports(words, &w->policy.reports);
	scn_apply_policy(w);
	return 0;
}

/* The words, and the sums of them that stories use most. */
static uint32_t flag_of(const char *word)
{
	static const struct {
		const char *word;
		uint32_t flags;
	} words[] = {
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
		{ "border", OC_TRUST_BORDER },
		{ "all",
		  OC_TRUST_DOIC | OC_TRUST_SEND_REPORTS | OC_TRUST_RELAY_REPORTS | OC_TRUST_RECEIVE_REPORTS },
		{ "hints", OC_TRUST_DRMP | OC_TRUST_RELAY_DRMP | OC_TRUST_RECEIVE_DRMP | OC_TRUST_SEND_LOAD |
				   OC_TRUST_RELAY_LOAD | OC_TRUST_RECEIVE_LOAD },
		{ "none", 0 },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i].word, word) == 0)
			return words[i].flags;
	return OC_TRUST_MAPS_DRMP; /* no word of ours sets it */
}

static bool flags_of(const char *text, uint32_t *flags)
{
	char copy[256] = "";
	char *part[16];

	strncpy(copy, text, sizeof(copy) - 1);
	int count = scn_parts(copy, ',', part, 16);
	*flags = 0;
	for (int i = 0; i < count; i++)
		*flags |= flag_of(part[i]);
	return !(*flags & OC_TRUST_MAPS_DRMP);
}

/* map=A,B,...: what DRMP 0, 1, ... become; those not named stay. */
static void take_map(const struct scn_words *words, struct oc_trust_rule *rule)
{
	uint32_t map[OC_RANKS];

	rule->has_drmp_map = scn_words_get(words, "map", 1) != NULL;
	for (uint32_t i = 0; i < OC_RANKS; i++)
		map[i] = i;
	take_list32(words, "map", map, OC_RANKS);
	for (uint32_t i = 0; i < OC_RANKS; i++)
		rule->drmp_map[i] = (uint8_t)map[i];
}

static void take_realms(struct oc_trust_rule *rule, char *text)
{
	char *part[OC_POLICY_REALMS_MAX];
	int count = scn_parts(text, ',', part, (int)OC_POLICY_REALMS_MAX);

	rule->realm_count = (uint32_t)count;
	for (int i = 0; i < count; i++)
		snprintf(rule->realms[i], OC_POLICY_PATTERN_MAX, "%s", part[i]);
}

int scn_run_trust(struct scn_world *w, const struct scn_words *words)
{
	char pattern[OC_POLICY_PATTERN_MAX];
	struct oc_trust_rule *rule = NULL;
	uint32_t flags = 0;

	if (words->count < 3 || !flags_of(words->word[2], &flags))
		return -1;
	const char *text = words->word[1];
	snprintf(pattern, sizeof(pattern), "%.100s%s", text, strpbrk(text, ".*") ? "" : ".example.net");
	if (strcmp(text, "default") == 0) {
		w->policy.default_trust = flags;
		scn_apply_policy(w);
		return 0;
	}
	for (uint32_t i = 0; i < w->policy.rule_count; i++)
		if (strcmp(w->policy.rules[i].peer, pattern) == 0)
			rule = &w->policy.rules[i];
	if (!rule && w->policy.rule_count == OC_POLICY_RULES_MAX)
		return -1;
	if (!rule)
		rule = &w->policy.rules[w->policy.rule_count++];
	memcpy(rule->peer, pattern, sizeof(pattern));
	rule->flags = flags;
	take_map(words, rule);
	if (words->count > 3 && !strchr(words->word[3], '='))
		take_realms(rule, words->word[3]);
	scn_apply_policy(w);
	return 0;
}
