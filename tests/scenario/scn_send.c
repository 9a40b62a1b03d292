/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The command "send": how many requests, of which kinds, and when they come.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scn_command.h"

#define TICK_NS 100000000ull

struct plan {
	struct scn_send send;
	uint64_t weight[SCN_KINDS_MAX]; /* of the kinds; what is left of it, unless in turns */
	uint64_t left;
	uint64_t count;
	uint64_t until_ns; /* 0 = count them */
	uint64_t step_ns;
	double mean_ns; /* of Poisson arrivals, 0 = every step_ns */
	bool is_in_turns;
};

/* KEY[:VALUE][+KEY[:VALUE]]...[*WEIGHT], applied to a copy of the first kind. */
static bool read_kind(struct scn_world *w, char *text, struct plan *p)
{
	char *setting[8];
	char *star = strchr(text, '*');
	uint32_t k = p->send.kind_count++;

	p->weight[k] = star ? strtoull(star + 1, NULL, 0) : 1;
	if (star)
		*star = '\0';
	if (strcmp(text, "pause") == 0)
		return (p->send.is_pause[k] = true);
	int count = scn_parts(text, '+', setting, 8);
	for (int i = 0; i < count; i++) {
		char *value = strchr(setting[i], ':');
		if (value)
			*value++ = '\0';
		if (!scn_request_set(w, &p->send.kinds[k], setting[i], value))
			return false;
	}
	return true;
}

static bool read_mix(struct scn_world *w, const char *mix, struct plan *p)
{
	char copy[512] = "";
	char *part[SCN_KINDS_MAX];

	if (!mix) {
		p->send.kind_count = 1;
		p->weight[0] = 1;
		return true;
	}
	strncpy(copy, mix, sizeof(copy) - 1);
	int count = scn_parts(copy, ',', part, (int)SCN_KINDS_MAX);
	for (int i = 1; i < count; i++)
		p->send.kinds[i] = p->send.kinds[0];
	for (int i = 0; i < count; i++)
		if (!read_kind(w, part[i], p))
			return false;
	return true;
}

/* Turns weights into how many of @count requests each kind gets, so that a mix is exact; the last takes the rest. */
static void share_out(struct plan *p)
{
	uint64_t sum = 0;
	uint64_t given = 0;

	for (uint32_t k = 0; k < p->send.kind_count; k++)
		sum += p->weight[k];
	for (uint32_t k = 0; k + 1 < p->send.kind_count; k++) {
		p->weight[k] = p->count * p->weight[k] / sum;
		given += p->weight[k];
	}
	p->weight[p->send.kind_count - 1] = p->count - given;
	p->left = p->count;
}

static bool read_plan(struct scn_world *w, const struct scn_words *words, struct plan *p)
{
	const char *step = scn_words_get(words, "step_ms", 1);
	const char *poisson = scn_words_get(words, "poisson", 1);
	char *end = NULL;

	*p = (struct plan){ 0 };
	if (words->count < 2 || !scn_request_read(w, words, &p->send.kinds[0]) ||
	    !read_mix(w, scn_words_get(words, "mix", 1), p))
		return false;
	p->count = strtoull(words->word[1], &end, 0);
	if (*end == 's')
		p->until_ns = w->now_ns + p->count * 1000000000ull;
	p->step_ns = step ? scn_seconds_ns(step) / 1000u : 0;
	p->mean_ns = poisson ? 1e9 / strtod(poisson, NULL) : 0;
	p->is_in_turns = scn_words_has(words, "turns");
	p->send.is_same_session = scn_words_number(words, "same", 0) != 0;
	p->send.is_kept = scn_words_number(words, "keep", 0) != 0;
	p->send.answers_late = scn_words_number(words, "mute_probes", 0) != 0;
	if (!p->is_in_turns && !p->until_ns)
		share_out(p);
	return !p->until_ns || p->step_ns || p->mean_ns > 0;
}

static uint32_t by_weight(const struct plan *p, uint64_t at)
{
	uint32_t k = 0;

	for (; k + 1 < p->send.kind_count && at >= p->weight[k]; k++)
		at -= p->weight[k];
	return k;
}

/* In turns by the weights, else by lot: among what is left of each, or for as long as it lasts. */
static uint32_t next_kind(struct scn_world *w, struct plan *p, uint64_t nth)
{
	uint64_t sum = 0;

	if (p->send.kind_count == 1)
		return 0;
	for (uint32_t k = 0; k < p->send.kind_count; k++)
		sum += p->weight[k];
	uint32_t kind = by_weight(p, p->is_in_turns ? nth % sum : scn_random(&w->arrivals) % sum);
	if (!p->is_in_turns && !p->until_ns)
		p->weight[kind]--;
	return kind;
}

static uint64_t next_gap(struct scn_world *w, const struct plan *p)
{
	if (p->mean_ns <= 0)
		return p->step_ns;
	double u = (double)((scn_random(&w->arrivals) >> 11) + 1) / 9007199254740993.0;
	return (uint64_t)(-log(u) * p->mean_ns);
}

/* The clock goes on, the agent ticking as its host lets it. */
static void go_on(struct scn_world *w, uint64_t gap_ns)
{
	if ((w->now_ns + gap_ns) / TICK_NS != w->now_ns / TICK_NS)
		scn_pass(w, w->now_ns + gap_ns);
	else
		w->now_ns += gap_ns;
}

int scn_run_send(struct scn_world *w, const struct scn_words *words)
{
	static struct plan plan;

	if (!read_plan(w, words, &plan))
		return -1;
	scn_clear_tally(w);
	for (uint64_t i = 0; plan.until_ns || i < plan.count; i++) {
		uint32_t kind = next_kind(w, &plan, i);
		if (!plan.send.is_pause[kind])
			scn_send_one(w, &plan.send, kind, i);
		uint64_t gap_ns = next_gap(w, &plan);
		if (plan.until_ns && w->now_ns + gap_ns >= plan.until_ns)
			break;
		go_on(w, gap_ns);
	}
	if (plan.until_ns)
		scn_pass(w, plan.until_ns);
	return 0;
}
