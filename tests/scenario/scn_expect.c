/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a scenario can expect of the agent: counts, states, verdicts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "scn_command.h"

#define ORDERS_MAX 64u

struct named {
	const char *name;
	uint64_t value;
};

static bool look_up(const struct named *values, size_t count, const char *what, uint64_t *value)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(values[i].name, what) == 0) {
			*value = values[i].value;
			return true;
		}
	return false;
}

#define LOOK_UP(values, what, value) look_up(values, sizeof(values) / sizeof((values)[0]), what, value)

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
	const struct named values[] = {
		{ "forwarded", t->verdict[OC_FORWARD] },
		{ "diverted", t->verdict[OC_DIVERT] },
		{ "refused", t->verdict[OC_REFUSE] },
		{ "unrouted", t->unrouted },
		{ "own-refused", t->own },
		{ "outstanding", t->why_outstanding },
		{ "3004", t->code_3004 },
		{ "5012", t->code_5012 },
		{ "remembered", t->flag[2] },
		{ "probe", t->flag[3] },
		{ "observed", t->flag[4] },
		{ "recovering", t->flag[6] },
		{ "reacting", t->flag[7] },
		{ "peer-client", t->flag[8] },
		{ "inherited", t->flag[9] },
		{ "drmp-stripped", t->flag[10] },
		{ "pending", w->pending_count },
		{ "announcements", t->announced },
		{ "answers", t->answers },
		{ "answers-sf", t->answers_sf },
		{ "answers-H", t->answers_olr[OC_REPORT_HOST] },
		{ "answers-R", t->answers_olr[OC_REPORT_REALM] },
		{ "answers-P", t->answers_olr[OC_REPORT_PEER] },
		{ "answers-host-load", t->answers_load[OC_LOAD_HOST] },
		{ "answers-peer-load", t->answers_load[OC_LOAD_PEER] },
		{ "matched", w->change.matched },
		{ "selected", w->change.selected },
		{ "clock_ms", (w->now_ns - SCN_START_NS) / 1000000u },
		{ "own", w->edit.own_count },
	};

	return LOOK_UP(values, what, value);
}

static bool stat_value(struct scn_world *w, const char *what, uint64_t *value)
{
	struct oc_stats stats;

	oc_agent_stats(w->agent, &stats);
	const struct named values[] = {
		{ "ocs-held", stats.value[OC_STAT_OCS_HELD] },
		{ "ocs-active", stats.value[OC_STAT_OCS_ACTIVE] },
		{ "warnings", stats.value[OC_STAT_PROTOCOL_WARNINGS] },
		{ "stale", stats.value[OC_STAT_REPORTS_STALE] },
		{ "repeated", stats.value[OC_STAT_REPORTS_REPEATED] },
		{ "refused-reports", stats.value[OC_STAT_REPORTS_REFUSED] },
		{ "clashes", stats.value[OC_STAT_REPORT_CLASHES] },
		{ "own-reports", stats.value[OC_STAT_OWN_REPORTS] },
		{ "loads-taken", stats.value[OC_STAT_LOADS_TAKEN] },
		{ "loads-ignored", stats.value[OC_STAT_LOADS_IGNORED] },
		{ "drmp-odd", stats.value[OC_STAT_DRMP_ODD] },
		{ "seen-class-0", stats.value[OC_STAT_CLASS_0] },
		{ "seen-class-1", stats.value[OC_STAT_CLASS_1] },
		{ "seen-class-2", stats.value[OC_STAT_CLASS_2] },
		{ "seen-class-3", stats.value[OC_STAT_CLASS_3] },
		{ "seen-class-4", stats.value[OC_STAT_CLASS_4] },
		{ "next-sequence", oc_agent_next_sequence(w->agent) },
	};

	return LOOK_UP(values, what, value);
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

static bool view_field(const struct oc_ocs_view *view, const char *field, uint64_t *value)
{
	const struct named values[] = {
		{ "seq", view->sequence },
		{ "pct", view->reduction_pct },
		{ "rate", view->rate_rps },
		{ "share_ppm", view->share_ppm },
		{ "algorithm", view->algorithm },
		{ "active", view->active },
		{ "matched", view->matched },
		{ "selected", view->selected },
		{ "expires", (view->expires_ns - SCN_START_NS) / 1000000000u },
	};

	return LOOK_UP(values, field, value);
}

/* expect ocs TYPE NAME [app=N] [origin=NAME] FIELD NUMBER; *@at is the word of FIELD. An absent entry has active 0. */
static bool ocs_value(struct scn_world *w, const struct scn_words *words, int *at, uint64_t *value)
{
	static struct oc_ocs_view views[256];
	uint32_t count = oc_agent_snapshot(w->agent, w->now_ns, views, 256);
	uint32_t subject = scn_name(w, words->word[3]);
	const char *app = scn_words_get(words, "app", 4);
	const char *origin = scn_words_get(words, "origin", 4);
	uint32_t app_id = app && strcmp(app, "any") == 0
				  ? OC_APP_ANY
				  : (uint32_t)scn_words_number(words, "app", w->app_id);
	uint32_t origin_id = origin ? scn_name(w, origin) : 0;

	*at = 4 + (app != NULL) + (origin != NULL);
	if (*at + 1 >= words->count)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (views[i].subject == subject && views[i].app_id == app_id &&
		    views[i].origin == origin_id && views[i].type == scn_type(words->word[2]))
			return view_field(&views[i], words->word[*at], value);
	*value = 0;
	return strcmp(words->word[*at], "active") == 0 || strcmp(words->word[*at], "share_ppm") == 0;
}

/* expect order TYPE NAME FIELD NUMBER. An absent order has held 0. */
static bool order_value(struct scn_world *w, const struct scn_words *words, uint64_t *value)
{
	static struct oc_report_view views[ORDERS_MAX];
	uint32_t count = oc_agent_orders(w->agent, views, ORDERS_MAX);
	bool is_for_all = strcmp(words->word[3], "all") == 0;
	uint32_t subject = is_for_all ? OC_NAME_NONE : scn_name(w, words->word[3]);

	for (uint32_t i = 0; i < count && i < ORDERS_MAX; i++) {
		const struct oc_report_view *v = &views[i];
		const struct named values[] = {
			{ "held", 1 },
			{ "pct", v->reduction_pct },
			{ "seq", v->sequence },
			{ "rate_each", v->rate_each_rps },
			{ "targets", v->targets },
			{ "sent", v->sent },
			{ "ended", v->is_ended },
			{ "withdrawn", v->is_withdrawn },
		};
		if (v->order.key.subject == subject && v->order.key.type == scn_type(words->word[2]))
			return LOOK_UP(values, words->word[4], value);
	}
	*value = 0;
	return strcmp(words->word[4], "held") == 0;
}

/* expect class|kind N [refused|diverted|forwarded] NUMBER; *@at is the word of NUMBER. */
static bool group_value(const struct scn_world *w, const struct scn_words *words, int *at, uint64_t *value)
{
	bool is_class = strcmp(words->word[1], "class") == 0;
	unsigned n = (unsigned)strtoul(words->word[2], NULL, 0);
	unsigned verdict;

	if (n >= (is_class ? OC_CLASSES : SCN_KINDS_MAX))
		return false;
	const uint64_t *row = is_class ? w->tally.by_class[n] : w->tally.by_kind[n];
	*at = 4;
	const struct named values[] = { { "refused", row[OC_REFUSE] },
					{ "diverted", row[OC_DIVERT] },
					{ "forwarded", row[OC_FORWARD] },
					{ "passed", row[OC_FORWARD] + row[OC_DIVERT] } };
	if (LOOK_UP(values, words->word[3], value))
		return true;
	*at = 3;
	*value = 0;
	for (verdict = 0; verdict < OC_VERDICT_COUNT; verdict++)
		*value += row[verdict];
	return true;
}

/* A number, "<N", ">N" (equal allowed), or a number and "+-N". */
int scn_compare(const struct scn_words *words, int at, uint64_t value, char *error, size_t size)
{
	if (at >= words->count) {
		snprintf(error, size, "a number is missing");
		return -1;
	}
	const char *text = words->word[at];
	bool is_bound = text[0] == '<' || text[0] == '>';
	uint64_t wanted = strtoull(text + is_bound, NULL, 0);
	uint64_t slack = 0;
	if (at + 1 < words->count && strncmp(words->word[at + 1], "+-", 2) == 0)
		slack = strtoull(words->word[at + 1] + 2, NULL, 0);
	uint64_t gap = value > wanted ? value - wanted : wanted - value;
	bool is_good = text[0] == '<' ? value <= wanted : text[0] == '>' ? value >= wanted : gap <= slack;
	if (is_good)
		return 0;
	snprintf(error, size, "%s %s: wanted %s +-%llu, got %llu", words->word[1],
		 words->count > 3 ? words->word[2] : "", text, (unsigned long long)slack,
		 (unsigned long long)value);
	return -1;
}

static int is_word(const char *is, const char *wanted, char *error, size_t size)
{
	if (strcmp(is, wanted) == 0)
		return 0;
	snprintf(error, size, "wanted %s, it is %s", wanted, is);
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

static int expect_edit(struct scn_world *w, const struct scn_words *words, char *error, size_t size)
{
	const struct oc_answer_edit *e = &w->edit;
	const struct named values[] = {
		{ "caps", e->strip_caps },	{ "all", e->strip_all_olr },	{ "olr", e->strip_olr & 1u },
		{ "load", e->strip_load & 1u }, { "loads", e->strip_all_load }, { "drmp", e->strip_drmp },
		{ "add-caps", !e->add_caps },	{ "add-load", !e->add_load },
	};
	uint64_t is_stripped = 0;

	if (words->count != 4 || !LOOK_UP(values, words->word[2], &is_stripped))
		return -1;
	return is_word(is_stripped ? "strip" : "keep", words->word[3], error, size);
}

/* Expectations that are one word. */
static bool word_of(const struct scn_world *w, const char *what, const char **word)
{
	static const char *const caps[] = { "keep", "add", "replace" };
	static const char *const drmp[] = { "keep", "strip", "rewrite" };

	if (strcmp(what, "caps") == 0)
		*word = caps[w->caps_action];
	else if (strcmp(what, "drmp") == 0)
		*word = drmp[w->drmp_action];
	else if (strcmp(what, "why") == 0)
		*word = oc_why_text(w->decision.why);
	else if (strcmp(what, "selected-by") == 0)
		*word = oc_scope_text(w->decision.selected_by);
	else if (strcmp(what, "own-step") == 0)
		*word = oc_report_step_text(w->own_report.step);
	else if (strcmp(what, "order-result") == 0)
		*word = w->order_result == OC_OK	 ? "ok"
			: w->order_result == OC_EREFUSED ? "refused"
			: w->order_result == OC_ENOENT	 ? "none"
			: w->order_result == OC_EINVAL	 ? "invalid"
							 : "other";
	else
		return false;
	return true;
}

/* Numbers about something named. */
static bool number_about(struct scn_world *w, const struct scn_words *words, int *at, uint64_t *value)
{
	const char *what = words->word[1];

	if (words->count < 4)
		return false;
	if (strcmp(what, "sent") == 0 && (*at = 3))
		*value = scn_peer_of(w, scn_name(w, words->word[2]))->sent;
	else if (strcmp(what, "unanswered") == 0 && (*at = 3))
		*value = oc_agent_outstanding(w->agent, scn_name(w, words->word[2]));
	else if (strcmp(what, "class") == 0 || strcmp(what, "kind") == 0)
		return group_value(w, words, at, value);
	else if (strcmp(what, "ocs") == 0)
		return words->count >= 6 && ocs_value(w, words, at, value) && (*at)++ > 0;
	else if (strcmp(what, "order") == 0 && words->count == 6)
		return order_value(w, words, value) && (*at = 5);
	else
		return false;
	return true;
}

int scn_expect(struct scn_world *w, const struct scn_words *words, char *error, size_t size)
{
	const char *what = words->count > 1 ? words->word[1] : "";
	const char *word = NULL;
	uint64_t value = 0;
	int at = 2;

	snprintf(error, size, "cannot read this expectation");
	if (words->count < 3)
		return -1;
	if (strcmp(what, "verdict") == 0)
		return expect_verdict(w, words, error, size);
	if (strcmp(what, "edit") == 0)
		return expect_edit(w, words, error, size);
	if (strcmp(what, "answer") == 0 || strcmp(what, "request") == 0)
		return scn_expect_left(w, words, error, size);
	if (word_of(w, what, &word))
		return is_word(word, words->word[2], error, size);
	if (strcmp(what, "announced") == 0)
		return scn_compare(words, 2, w->request.msg.caps.vector, error, size);
	if (number_about(w, words, &at, &value) || tally_value(w, what, &value) ||
	    stat_value(w, what, &value) || event_value(w, what, &value))
		return scn_compare(words, at, value, error, size);
	return -1;
}
