/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a story can expect, and keep for a later comparison.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/wire/oc_avp.h"
#include "lab_words.h"

/* Whether @key=NAME, when it is there, is the name with number @id. */
static bool fits_name(const struct lab_world *w, const struct lab_words *words, const char *key, uint32_t id)
{
	const char *value = lab_words_get(words, key);
	char full[LAB_NAME_MAX];

	if (!value)
		return true;
	if (strcmp(value, "none") == 0)
		return id == OC_NAME_NONE;
	if (strcmp(value, "any") == 0)
		return id != OC_NAME_NONE;
	lab_full_name(value, full);
	return strcmp(oc_names_text(w->names, id), full) == 0;
}

static bool fits_number(const struct lab_words *words, const char *key, uint64_t number)
{
	return lab_words_number(words, key, number) == number;
}

static bool fits_caps(const struct lab_world *w, const struct lab_words *words, const struct oc_caps *caps)
{
	uint64_t count = !(caps->has & OC_CAPS_PRESENT) ? 0 : caps->has & OC_CAPS_REPEATED ? 2 : 1;

	return fits_number(words, "sf", count) &&
	       fits_number(words, "vector", caps->has & OC_CAPS_HAS_VECTOR ? caps->vector : 0) &&
	       fits_number(words, "algo", caps->has & OC_CAPS_HAS_PEER_ALGO ? caps->peer_algo : 0) &&
	       fits_name(w, words, "sid", caps->has & OC_CAPS_HAS_SOURCE ? caps->source : OC_NAME_NONE);
}

/* Whether some report of the message is like type= pct= rate= validity= source=; with olr=N, whether there are N. */
static bool fits_reports(const struct lab_world *w, const struct lab_words *words,
			 const struct lab_note *note)
{
	const char *type = lab_words_get(words, "type");

	if (!fits_number(words, "olr", note->olr_count))
		return false;
	if (!type)
		return true;
	for (uint32_t i = 0; i < note->olr_count && i < LAB_NOTE_OLR_MAX; i++) {
		const struct oc_olr *olr = &note->olr[i];
		if (olr->type == lab_type(type) && fits_number(words, "seq", olr->sequence) &&
		    fits_number(words, "pct", olr->reduction_pct) &&
		    fits_number(words, "rate", olr->rate_rps) &&
		    fits_number(words, "validity", olr->validity_s) &&
		    fits_name(w, words, "source", olr->has & OC_OLR_HAS_SOURCE ? olr->source : OC_NAME_NONE))
			return true;
	}
	return false;
}

/* The same for load=HOST|PEER value= of=; with loads=N, whether there are N. */
static bool fits_loads(const struct lab_world *w, const struct lab_words *words, const struct lab_note *note)
{
	const char *type = lab_words_get(words, "load");

	if (!fits_number(words, "loads", note->load_count))
		return false;
	if (!type)
		return true;
	for (uint32_t i = 0; i < note->load_count && i < LAB_NOTE_LOAD_MAX; i++) {
		const struct oc_load_avp *load = &note->load[i];
		if (load->type == (strcmp(type, "PEER") == 0 ? OC_LOAD_PEER : OC_LOAD_HOST) &&
		    fits_number(words, "value", load->value) && fits_name(w, words, "of", load->source))
			return true;
	}
	return false;
}

static bool fits(const struct lab_world *w, const struct lab_words *words, const struct lab_note *note)
{
	return fits_name(w, words, "from", note->from->name) &&
	       fits_name(w, words, "origin", note->origin_host) &&
	       fits_number(words, "code", note->result_code) && fits_number(words, "drmp", note->drmp) &&
	       fits_number(words, "again", (note->flags & OC_FLAG_RETRANSMIT) != 0) &&
	       fits_caps(w, words, &note->caps) && fits_reports(w, words, note) && fits_loads(w, words, note);
}

/* A filter that nobody knows would pass everything. */
static bool knows_filters(const struct lab_words *words)
{
	static const char *const known[] = { "from=",	"origin=", "code=",	"drmp=",   "again=", "sf=",
					     "vector=", "algo=",   "sid=",	"olr=",	   "type=",  "seq=",
					     "pct=",	"rate=",   "validity=", "source=", "loads=", "load=",
					     "value=",	"of=",	   "app=" };

	for (int i = 1; i < words->count; i++) {
		bool is_known = !strchr(words->word[i], '=') || strchr("<>", words->word[i][0]);
		for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++)
			is_known |= strncmp(words->word[i], known[k], strlen(known[k])) == 0;
		if (!is_known)
			return false;
	}
	return true;
}

/* Messages that arrived at a node since the last send and fit. */
static uint64_t count_notes(const struct lab_world *w, const struct lab_words *words,
			    const struct lab_node *node, bool is_request)
{
	uint64_t count = 0;

	for (size_t i = 0; i < w->note_count; i++) {
		const struct lab_note *note = &w->notes[i];
		count += note->node == node && ((note->flags & OC_FLAG_REQUEST) != 0) == is_request &&
			 fits(w, words, note);
	}
	return count;
}

static bool stat_value(const struct lab_node *node, const char *what, uint64_t *value)
{
	struct oc_stats stats;
	static const struct {
		const char *name;
		enum oc_stat stat;
	} names[] = {
		{ "ocs-held", OC_STAT_OCS_HELD },
		{ "ocs-active", OC_STAT_OCS_ACTIVE },
		{ "reports-new", OC_STAT_REPORTS_NEW },
		{ "reports-stale", OC_STAT_REPORTS_STALE },
		{ "reports-refused", OC_STAT_REPORTS_REFUSED },
		{ "clashes", OC_STAT_REPORT_CLASHES },
		{ "own-reports", OC_STAT_OWN_REPORTS },
		{ "loads-taken", OC_STAT_LOADS_TAKEN },
		{ "loads-ignored", OC_STAT_LOADS_IGNORED },
		{ "warnings", OC_STAT_PROTOCOL_WARNINGS },
		{ "drmp-stripped", OC_STAT_DRMP_STRIPPED },
		{ "failopen", OC_STAT_FAILOPEN },
		{ "class-0", OC_STAT_CLASS_0 },
		{ "class-3", OC_STAT_CLASS_3 },
		{ "class-4", OC_STAT_CLASS_4 },
	};

	if (!node->agent)
		return false;
	oc_agent_stats(node->agent, &stats);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i].name, what) == 0) {
			*value = stats.value[names[i].stat];
			return true;
		}
	return false;
}

static bool count_value(const struct lab_node *node, const char *what, uint64_t *value)
{
	const struct lab_counts *c = &node->counts;
	const struct {
		const char *name;
		uint64_t value;
	} values[] = {
		{ "forwarded", c->verdict[OC_FORWARD] },
		{ "diverted", c->verdict[OC_DIVERT] },
		{ "refused", c->verdict[OC_REFUSE] },
		{ "decisions", c->decisions },
		{ "outcomes", c->outcomes },
		{ "sent", c->sent },
		{ "throttled", c->throttled },
		{ "useful", c->useful },
		{ "late", c->late },
		{ "lost", c->lost },
		{ "queued", node->service.queued },
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (strcmp(values[i].name, what) == 0) {
			*value = values[i].value;
			return true;
		}
	return stat_value(node, what, value);
}

static bool view_field(const struct oc_ocs_view *view, const char *field, uint64_t *value)
{
	const struct {
		const char *name;
		uint64_t value;
	} fields[] = {
		{ "pct", view->reduction_pct },	  { "rate", view->rate_rps },
		{ "seq", view->sequence },	  { "active", view->active },
		{ "matched", view->matched },	  { "selected", view->selected },
		{ "algorithm", view->algorithm },
	};

	for (size_t i = 0; view && i < sizeof(fields) / sizeof(fields[0]); i++)
		if (strcmp(fields[i].name, field) == 0) {
			*value = fields[i].value;
			return true;
		}
	return false;
}

/* ocs NODE TYPE SUBJECT FIELD [app=N] [origin=NAME]; what is not held has only zeros. */
static bool ocs_value(const struct lab_world *w, const struct lab_words *words, const struct lab_node *node,
		      uint64_t *value)
{
	static struct oc_ocs_view views[256];
	static const struct oc_ocs_view none;
	const char *type = lab_words_plain(words, 3);
	const char *subject = lab_words_plain(words, 4);
	const char *field = lab_words_plain(words, 5);
	const char *origin = lab_words_get(words, "origin");
	char full[LAB_NAME_MAX];
	char other[LAB_NAME_MAX] = "";

	if (!node->agent || !type || !subject || !field)
		return false;
	snprintf(full, sizeof(full), "%s", subject);
	if (lab_type(type) != OC_REPORT_REALM)
		lab_full_name(subject, full);
	if (origin)
		lab_full_name(origin, other);
	uint32_t count = oc_agent_snapshot(node->agent, w->now_ns, views, 256);
	for (uint32_t i = 0; i < count && i < 256; i++)
		if (views[i].type == lab_type(type) &&
		    views[i].app_id == lab_words_number(words, "app", w->app_id) &&
		    strcmp(oc_names_text(node->names, views[i].subject), full) == 0 &&
		    strcmp(oc_names_text(node->names, views[i].origin), other) == 0)
			return view_field(&views[i], field, value);
	return view_field(&none, field, value);
}

/* WHAT of an expectation; *@at is the plain word its number is at. */
static bool value_of(const struct lab_story *story, const struct lab_words *words, int *at, uint64_t *value)
{
	struct lab_world *w = story->world;
	const char *what = lab_words_plain(words, 1);
	const char *name = lab_words_plain(words, 2);
	struct lab_node *node = name ? lab_node_of(w, name) : NULL;

	*at = 3;
	if (!node || !knows_filters(words))
		return false;
	if (strcmp(what, "asked") == 0 || strcmp(what, "saw") == 0) {
		*value = count_notes(w, words, node, what[0] == 'a');
		return true;
	}
	if (strcmp(what, "ocs") == 0) {
		*at = 6;
		return ocs_value(w, words, node, value);
	}
	if (strcmp(what, "unanswered") == 0 && node->agent && lab_words_plain(words, 3)) {
		char full[LAB_NAME_MAX];
		lab_full_name(lab_words_plain(words, 3), full);
		*at = 4;
		*value = oc_agent_outstanding(node->agent, lab_name(node->names, full));
		return true;
	}
	return count_value(node, what, value);
}

/* A number, or the name of one that was kept. */
static bool number_of(const struct lab_story *story, const char *text, uint64_t *number)
{
	char *end = NULL;

	*number = strtoull(text, &end, 0);
	if (end != text)
		return true;
	for (int i = 0; i < story->kept_count; i++)
		if (strcmp(story->kept[i].name, text) == 0) {
			*number = story->kept[i].value;
			return true;
		}
	return false;
}

/* N, N +-M, >=N or <=N. */
static int compare(const struct lab_story *story, const struct lab_words *words, int at, uint64_t value,
		   char *error, size_t size)
{
	const char *text = lab_words_plain(words, at);
	const char *slack = lab_words_plain(words, at + 1);
	uint64_t wanted = 0;
	uint64_t room = slack && strncmp(slack, "+-", 2) == 0 ? strtoull(slack + 2, NULL, 0) : 0;
	bool is_bound = text && (text[0] == '>' || text[0] == '<') && text[1] == '=';

	if (!text || !number_of(story, text + (is_bound ? 2 : 0), &wanted))
		return -1;
	uint64_t gap = value > wanted ? value - wanted : wanted - value;
	bool is_good = !is_bound ? gap <= room : text[0] == '>' ? value >= wanted : value <= wanted;
	if (is_good)
		return 1;
	snprintf(error, size, "%s %s: wanted %s%s%s%s (%llu), got %llu", lab_words_plain(words, 1),
		 lab_words_plain(words, 2), text, room ? " " : "", room ? slack : "", "",
		 (unsigned long long)wanted, (unsigned long long)value);
	return -1;
}

/* keep NAME WHAT...: the words after the name are those of an expectation without its number. */
static int run_keep(struct lab_story *story, const struct lab_words *words)
{
	struct lab_words rest = { .count = words->count - 1 };
	struct lab_kept *kept = &story->kept[story->kept_count];
	int at;

	if (words->count < 4 || story->kept_count == LAB_KEPT_MAX)
		return -1;
	memcpy(rest.word, words->word + 1, sizeof(rest.word[0]) * (size_t)rest.count);
	snprintf(kept->name, sizeof(kept->name), "%s", words->word[1]);
	if (!value_of(story, &rest, &at, &kept->value))
		return -1;
	story->kept_count++;
	return 1;
}

int lab_expect(struct lab_story *story, const struct lab_words *words, char *error, size_t size)
{
	uint64_t value = 0;
	int at;

	if (strcmp(words->word[0], "keep") == 0) {
		snprintf(error, size, "cannot keep this");
		return run_keep(story, words);
	}
	if (strcmp(words->word[0], "expect") != 0)
		return 0;
	snprintf(error, size, "cannot read this expectation");
	if (words->count < 4 || !value_of(story, words, &at, &value))
		return -1;
	return compare(story, words, at, value, error, size);
}
