/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The commands of a scenario, all but expect.
 */
#include "scn_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/wire/oc_avp.h"

void scn_words_split(struct scn_words *words, char *text)
{
	char *save = NULL;

	words->count = 0;
	for (char *word = strtok_r(text, " \t\r\n", &save); word; word = strtok_r(NULL, " \t\r\n", &save)) {
		if (word[0] == '#' || words->count == SCN_WORDS_MAX)
			return;
		words->word[words->count++] = word;
	}
}

const char *scn_words_get(const struct scn_words *words, const char *key, int from)
{
	size_t len = strlen(key);

	for (int i = from; i < words->count; i++)
		if (strncmp(words->word[i], key, len) == 0 && words->word[i][len] == '=')
			return words->word[i] + len + 1;
	return NULL;
}

uint64_t scn_words_number(const struct scn_words *words, const char *key, uint64_t otherwise)
{
	const char *value = scn_words_get(words, key, 1);

	return value ? strtoull(value, NULL, 0) : otherwise;
}

uint32_t scn_type(const char *text)
{
	static const char letters[] = "HRP";
	const char *at = text[0] ? strchr(letters, text[0]) : NULL;

	return at ? (uint32_t)(at - letters) : (uint32_t)strtoul(text, NULL, 0);
}

static uint32_t name_of(struct scn_world *w, const struct scn_words *words, const char *key,
			const char *otherwise)
{
	const char *value = scn_words_get(words, key, 1);

	if (!value)
		value = otherwise;
	return value ? scn_name(w, value) : OC_NAME_NONE;
}

/* 0: no features; 1: loss; "empty": a group without a vector; "bad": does not parse; else the vector. */
static struct oc_caps caps_of(const char *text)
{
	struct oc_caps caps = { 0 };

	if (strcmp(text, "0") == 0)
		return caps;
	caps.has = OC_CAPS_PRESENT;
	if (strcmp(text, "empty") == 0)
		return caps;
	if (strcmp(text, "bad") == 0) {
		caps.has |= OC_CAPS_MALFORMED;
		return caps;
	}
	caps.has |= OC_CAPS_HAS_VECTOR | OC_CAPS_RAW_CUT;
	caps.vector = strcmp(text, "zero") == 0 ? 0 : strtoull(text, NULL, 0);
	return caps;
}

static int run_time(struct scn_world *w, const struct scn_words *words)
{
	if (words->count != 2)
		return -1;
	w->now_ns = 1000000000000ull + (uint64_t)llround(strtod(words->word[1], NULL) * 1000.0) * 1000000ull;
	oc_agent_tick(w->agent, w->now_ns);
	return 0;
}

static int run_policy(struct scn_world *w, const struct scn_words *words)
{
	const char *sampler = scn_words_get(words, "sampler", 1);
	const char *mode = scn_words_get(words, "mode", 1);
	const char *rate = scn_words_get(words, "rate", 1);
	struct oc_policy *p = &w->policy;

	p->ramp_ms = (uint32_t)scn_words_number(words, "ramp_ms", p->ramp_ms);
	p->ended_memory_ms = (uint32_t)scn_words_number(words, "memory_ms", p->ended_memory_ms);
	p->probe_interval_ms = (uint32_t)scn_words_number(words, "probe_ms", p->probe_interval_ms);
	p->outstanding_max = (uint32_t)scn_words_number(words, "outstanding_max", p->outstanding_max);
	p->refusal_code_host = (uint32_t)scn_words_number(words, "code_host", p->refusal_code_host);
	p->refusal_code_realm = (uint32_t)scn_words_number(words, "code_realm", p->refusal_code_realm);
	p->refusal_code_outstanding =
		(uint32_t)scn_words_number(words, "code_outstanding", p->refusal_code_outstanding);
	if (sampler)
		p->sampler = strcmp(sampler, "random") == 0 ? OC_SAMPLER_RANDOM : OC_SAMPLER_EXACT;
	if (rate)
		p->rate.is_on = strcmp(rate, "on") == 0;
	if (mode)
		p->mode = strcmp(mode, "observe") == 0 ? OC_MODE_OBSERVE : OC_MODE_ENFORCE;
	scn_apply_policy(w);
	return 0;
}

static uint32_t flags_of(const char *text)
{
	uint32_t flags = 0;

	flags |= strstr(text, "doic") ? OC_TRUST_DOIC : 0u;
	flags |= strstr(text, "send") ? OC_TRUST_SEND_REPORTS : 0u;
	flags |= strstr(text, "relay") ? OC_TRUST_RELAY_REPORTS : 0u;
	flags |= strstr(text, "receive") ? OC_TRUST_RECEIVE_REPORTS : 0u;
	return strcmp(text, "all") == 0 ? 0xfu : flags;
}

static void add_realms(struct oc_trust_rule *rule, char *text)
{
	char *save = NULL;

	rule->realm_count = 0;
	for (char *word = strtok_r(text, ",", &save); word; word = strtok_r(NULL, ",", &save))
		if (rule->realm_count < OC_POLICY_REALMS_MAX)
			snprintf(rule->realms[rule->realm_count++], OC_POLICY_PATTERN_MAX, "%s", word);
}

static int run_trust(struct scn_world *w, const struct scn_words *words)
{
	char pattern[OC_POLICY_PATTERN_MAX];
	struct oc_trust_rule *rule = NULL;

	if (words->count < 3)
		return -1;
	const char *text = words->word[1];
	snprintf(pattern, sizeof(pattern), "%.100s%s", text, strpbrk(text, ".*") ? "" : ".example.net");
	if (strcmp(text, "default") == 0) {
		w->policy.default_trust = flags_of(words->word[2]);
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
	rule->flags = flags_of(words->word[2]);
	if (words->count > 3)
		add_realms(rule, words->word[3]);
	scn_apply_policy(w);
	return 0;
}

static int run_peer(struct scn_world *w, const struct scn_words *words)
{
	if (words->count < 3)
		return -1;
	struct scn_peer *peer = scn_peer_of(w, scn_name(w, words->word[2]));
	if (!peer)
		return -1;
	peer->is_up = strcmp(words->word[1], "up") == 0;
	peer->score = (int32_t)scn_words_number(words, "score", (uint64_t)peer->score);
	oc_agent_on_peer(w->agent, peer->name, peer->is_up, w->now_ns);
	return 0;
}

/* TYPE,SEQ,PCT,SECONDS[,bad] */
static int add_olr(struct oc_msg *msg, const char *text)
{
	char copy[128];
	char *save = NULL;
	char *field[5] = { 0 };
	int count = 0;
	struct oc_olr *olr = &msg->olr[msg->olr_count];

	if (msg->olr_count == OC_MSG_OLR_MAX)
		return -1;
	snprintf(copy, sizeof(copy), "%s", text);
	for (char *w = strtok_r(copy, ",", &save); w && count < 5; w = strtok_r(NULL, ",", &save))
		field[count++] = w;
	if (count < 4)
		return -1;
	static const uint8_t has[4] = { OC_OLR_HAS_TYPE, OC_OLR_HAS_SEQUENCE, OC_OLR_HAS_REDUCTION,
					OC_OLR_HAS_VALIDITY };
	for (int i = 0; i < 4; i++)
		olr->has |= strcmp(field[i], "-") == 0 ? 0 : has[i];
	olr->has |= count == 5 ? OC_OLR_MALFORMED : 0;
	olr->type = scn_type(field[0]);
	olr->sequence = strtoull(field[1], NULL, 0);
	olr->reduction_pct = (uint32_t)strtoul(field[2], NULL, 0);
	olr->validity_s = (uint32_t)strtoul(field[3], NULL, 0);
	msg->olr_count++;
	return 0;
}

static int run_answer(struct scn_world *w, const struct scn_words *words)
{
	const char *sf = scn_words_get(words, "sf", 1);
	const char *doic = scn_words_get(words, "doic", 1);
	struct oc_msg msg = { .command = 272,
			      .result_code = (uint32_t)scn_words_number(words, "result", OC_RC_SUCCESS) };
	struct scn_reply reply = { .peer = name_of(w, words, "from", NULL),
				   .client = name_of(w, words, "client", "c2"),
				   .dest_host = name_of(w, words, "dh", "nobody"),
				   .is_announced = scn_words_number(words, "announced", 1) != 0,
				   .is_due = scn_words_number(words, "due", 1) != 0,
				   .is_elsewhere = scn_words_number(words, "elsewhere", 0) != 0 };

	if (reply.peer == OC_NAME_NONE)
		return -1;
	reply.caps = caps_of(doic ? doic : "0");
	msg.app_id = (uint32_t)scn_words_number(words, "app", w->app_id);
	/* 3xxx answers carry the E bit (RFC 6733 section 7.1.3). */
	msg.flags = msg.result_code / 1000 == 3 ? OC_FLAG_ERROR : 0;
	msg.origin_host = name_of(w, words, "host", oc_names_text(w->names, reply.peer));
	msg.origin_realm = name_of(w, words, "realm", "example.net");
	msg.caps = caps_of(sf ? sf : "1");
	for (int i = 1; i < words->count; i++)
		if (strncmp(words->word[i], "olr=", 4) == 0 && add_olr(&msg, words->word[i] + 4) != 0)
			return -1;
	scn_answer(w, &msg, &reply);
	return 0;
}

static int run_send(struct scn_world *w, const struct scn_words *words)
{
	const char *doic = scn_words_get(words, "doic", 1);

	if (words->count < 2)
		return -1;
	struct scn_send send = { .count = strtoull(words->word[1], NULL, 0),
				 .step_ns = scn_words_number(words, "step_ms", 0) * 1000000ull,
				 .client = name_of(w, words, "client", "c2"),
				 .app_id = (uint32_t)scn_words_number(words, "app", w->app_id),
				 .dest_host = name_of(w, words, "dh", NULL),
				 .dest_realm = name_of(w, words, "realm", "example.net"),
				 .session = scn_words_number(words, "session", 0) << 40,
				 .is_same_session = scn_words_number(words, "same", 0) != 0,
				 .is_initial = scn_words_number(words, "initial", 0) != 0,
				 .is_kept = scn_words_number(words, "keep", 0) != 0,
				 .answers_late = scn_words_number(words, "mute_probes", 0) != 0,
				 .caps = caps_of(doic ? doic : "0") };
	scn_send(w, &send);
	return 0;
}

static int run_fail(struct scn_world *w, const struct scn_words *words)
{
	if (words->count != 2)
		return -1;
	scn_fail(w, scn_name(w, words->word[1]));
	return 0;
}

static int run_settle(struct scn_world *w, const struct scn_words *words)
{
	(void)words;
	scn_settle(w);
	return 0;
}

static int run_forget(struct scn_world *w, const struct scn_words *words)
{
	(void)words;
	memset(w->events, 0, sizeof(w->events));
	memset(w->ends, 0, sizeof(w->ends));
	return 0;
}

int scn_command(struct scn_world *w, const struct scn_words *words, char *error, size_t size)
{
	static const struct {
		const char *name;
		int (*run)(struct scn_world *w, const struct scn_words *words);
	} commands[] = {
		{ "time", run_time }, { "policy", run_policy }, { "trust", run_trust },
		{ "peer", run_peer }, { "answer", run_answer }, { "send", run_send },
		{ "fail", run_fail }, { "settle", run_settle }, { "forget-counts", run_forget },
	};

	if (strcmp(words->word[0], "expect") == 0)
		return scn_expect(w, words, error, size);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(words->word[0], commands[i].name) == 0) {
			snprintf(error, size, "cannot read this %s", commands[i].name);
			return commands[i].run(w, words);
		}
	snprintf(error, size, "unknown command %s", words->word[0]);
	return -1;
}
