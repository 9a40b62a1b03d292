/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a scenario can expect.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/wire/oc_avp.h"
#include "scn_words.h"

static uint64_t stat_of(struct scn_world *w, enum oc_stat stat)
{
	struct oc_stats stats;

	oc_agent_stats(w->agent, &stats);
	return stats.value[stat];
}

static bool word_index(const char *(*text)(unsigned), unsigned count, const char *word, unsigned *index)
{
	for (*index = 0; *index < count; (*index)++)
		if (strcmp(text(*index), word) == 0)
			return true;
	return false;
}

static bool tally_value(struct scn_world *w, const char *what, uint64_t *value)
{
	const struct scn_tally *t = &w->tally;
	const struct {
		const char *name;
		uint64_t value;
	} values[] = {
		{ "forwarded", t->verdict[OC_FORWARD] },
		{ "diverted", t->verdict[OC_DIVERT] },
		{ "refused", t->verdict[OC_REFUSE] },
		{ "unrouted", t->unrouted },
		{ "outstanding", t->why_outstanding },
		{ "3004", t->code_3004 },
		{ "5012", t->code_5012 },
		{ "remembered", t->flag[2] },
		{ "probe", t->flag[3] },
		{ "observed", t->flag[4] },
		{ "recovering", t->flag[6] },
		{ "reacting", t->flag[7] },
		{ "pending", w->pending_count },
		{ "matched", w->change.matched },
		{ "selected", w->change.selected },
		{ "ocs-held", stat_of(w, OC_STAT_OCS_HELD) },
		{ "ocs-active", stat_of(w, OC_STAT_OCS_ACTIVE) },
		{ "warnings", stat_of(w, OC_STAT_PROTOCOL_WARNINGS) },
		{ "stale", stat_of(w, OC_STAT_REPORTS_STALE) },
		{ "repeated", stat_of(w, OC_STAT_REPORTS_REPEATED) },
		{ "refused-reports", stat_of(w, OC_STAT_REPORTS_REFUSED) },
	};
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (strcmp(values[i].name, what) == 0) {
			*value = values[i].value;
			return true;
		}
	return false;
}

static bool event_value(struct scn_world *w, const char *what, uint64_t *value)
{
	unsigned index;

	if (strncmp(what, "event:", 6) == 0 &&
	    word_index(oc_event_kind_text, OC_EVENT_KIND_COUNT, what + 6, &index)) {
		*value = w->events[index];
		return true;
	}
	if (strncmp(what, "end:", 4) == 0 && word_index(oc_ocs_end_text, OC_END_COUNT, what + 4, &index)) {
		*value = w->ends[index];
		return true;
	}
	return false;
}

static bool view_field(const struct scn_world *w, const struct oc_ocs_view *view, const char *field,
		       uint64_t *value)
{
	(void)w;
	if (strcmp(field, "seq") == 0)
		*value = view->sequence;
	else if (strcmp(field, "pct") == 0)
		*value = view->reduction_pct;
	else if (strcmp(field, "share_ppm") == 0)
		*value = view->share_ppm;
	else if (strcmp(field, "expires") == 0)
		*value = (view->expires_ns - 1000000000000ull) / 1000000000ull;
	else if (strcmp(field, "algorithm") == 0)
		*value = view->algorithm;
	else if (strcmp(field, "active") == 0)
		*value = view->active;
	else
		return false;
	return true;
}

/* expect ocs TYPE NAME [app=N] FIELD NUMBER; *@at is the word of FIELD. An absent entry has active 0. */
static bool ocs_value(struct scn_world *w, const struct scn_words *words, int *at, uint64_t *value)
{
	static struct oc_ocs_view views[256];
	uint32_t count = oc_agent_snapshot(w->agent, w->now_ns, views, 256);
	uint32_t subject = scn_name(w, words->word[3]);
	uint32_t app_id = (uint32_t)scn_words_number(words, "app", w->app_id);

	*at = scn_words_get(words, "app", 4) ? 5 : 4;
	if (*at + 1 >= words->count)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (views[i].subject == subject && views[i].app_id == app_id &&
		    views[i].type == scn_type(words->word[2]))
			return view_field(w, &views[i], words->word[*at], value);
	*value = 0;
	return strcmp(words->word[*at], "active") == 0 || strcmp(words->word[*at], "share_ppm") == 0;
}

static int compare(const struct scn_words *words, int at, uint64_t value, char *error, size_t size)
{
	if (at >= words->count) {
		snprintf(error, size, "a number is missing");
		return -1;
	}
	uint64_t wanted = strtoull(words->word[at], NULL, 0);
	uint64_t slack = 0;
	if (at + 1 < words->count && strncmp(words->word[at + 1], "+-", 2) == 0)
		slack = strtoull(words->word[at + 1] + 2, NULL, 0);
	uint64_t gap = value > wanted ? value - wanted : wanted - value;
	if (gap <= slack)
		return 0;
	snprintf(error, size, "%s %s: wanted %llu +-%llu, got %llu", words->word[1],
		 words->count > 2 ? words->word[2] : "", (unsigned long long)wanted,
		 (unsigned long long)slack, (unsigned long long)value);
	return -1;
}

static int expect_verdict(struct scn_world *w, const struct scn_words *words, char *error, size_t size)
{
	const char *verdict = oc_intake_text(w->report.verdict);
	const char *reason = oc_report_reason_text(w->report.reason);

	if (strcmp(verdict, words->word[2]) == 0 && (words->count < 4 || strcmp(reason, words->word[3]) == 0))
		return 0;
	snprintf(error, size, "last report was %s %s", verdict, reason);
	return -1;
}

static int expect_caps(struct scn_world *w, const struct scn_words *words, char *error, size_t size)
{
	static const char *const actions[] = { "keep", "add", "replace" };

	if (strcmp(actions[w->caps_action], words->word[2]) == 0)
		return 0;
	snprintf(error, size, "action was %s", actions[w->caps_action]);
	return -1;
}

/* OC-Feature-Vector of a group, 0 when there is none. */
static uint64_t vector_in(const struct oc_group *group)
{
	uint64_t vector = 0;

	if (group->len < 16 || group->data[2] != (OC_AVP_FEATURE_VECTOR >> 8) ||
	    group->data[3] != (OC_AVP_FEATURE_VECTOR & 0xff))
		return 0;
	for (unsigned i = 8; i < 16; i++)
		vector = (vector << 8) | group->data[i];
	return vector;
}

static int expect_edit(struct scn_world *w, const struct scn_words *words, char *error, size_t size)
{
	bool is_stripped = strcmp(words->word[2], "caps") == 0	? w->edit.strip_caps
			   : strcmp(words->word[2], "all") == 0 ? w->edit.strip_all_olr
								: (w->edit.strip_olr & 1u) != 0;

	if (words->count == 4 && is_stripped == (strcmp(words->word[3], "strip") == 0))
		return 0;
	snprintf(error, size, "%s is %s", words->word[2], is_stripped ? "stripped" : "kept");
	return -1;
}

int scn_expect(struct scn_world *w, const struct scn_words *words, char *error, size_t size)
{
	uint64_t value = 0;
	int at = 2;

	snprintf(error, size, "cannot read this expectation");
	if (words->count < 3)
		return -1;
	if (strcmp(words->word[1], "verdict") == 0)
		return expect_verdict(w, words, error, size);
	if (strcmp(words->word[1], "caps") == 0)
		return expect_caps(w, words, error, size);
	if (strcmp(words->word[1], "edit") == 0)
		return expect_edit(w, words, error, size);
	if (strcmp(words->word[1], "ocs") == 0) {
		if (words->count < 6 || !ocs_value(w, words, &at, &value))
			return -1;
		return compare(words, at + 1, value, error, size);
	}
	if (strcmp(words->word[1], "sent") == 0)
		return compare(words, 3, scn_peer_of(w, scn_name(w, words->word[2]))->sent, error, size);
	if (strcmp(words->word[1], "unanswered") == 0)
		return compare(words, 3, oc_agent_outstanding(w->agent, scn_name(w, words->word[2])), error,
			       size);
	if (strcmp(words->word[1], "announced") == 0)
		return compare(words, 2, vector_in(&w->announced), error, size);
	if (!tally_value(w, words->word[1], &value) && !event_value(w, words->word[1], &value))
		return -1;
	return compare(words, at, value, error, size);
}
