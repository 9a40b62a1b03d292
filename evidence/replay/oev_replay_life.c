/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the parts of a life say of its beginning.
 */
#include "oev_replay_life.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../audit/oev_times.h"
#include "../conf/oev_conf.h"
#include "oev_replay_parts.h"

#define SCHEMA_FIRST 3u	       /* that holds what a replay needs */
#define SIZE_MAX_FACT 1048576u /* no document allows more */

/* What is gathered on the way. */
struct gathering {
	struct oev_replay_life *life;
	const struct oev_replay_window *window;
	struct oev_replay_names names;
	char *error; /* OEV_REPLAY_ERROR_MAX */
};

const char *oev_life_lack_text(enum oev_life_lack lack)
{
	static const char *const texts[OEV_LACKS_COUNT] = {
		[OEV_LACKS_NOTHING] = "",
		[OEV_LACKS_BEGINNING] =
			"its first part is not there, so its state began before what was kept",
		[OEV_LACKS_PART] = "a part in between is not there",
		[OEV_LACKS_SCHEMA] = "its schema is older than 3 and does not hold what a replay needs",
		[OEV_LACKS_AGENT] = "it was made from a capture: no agent took part",
		[OEV_LACKS_FACTS] = "it does not say how its agent began (meta core.*)",
	};

	return lack < OEV_LACKS_COUNT ? texts[lack] : "?";
}

static int fail(struct gathering *g, int rc, const char *path, const char *what)
{
	snprintf(g->error, OEV_REPLAY_ERROR_MAX, "%s: %s", path, what);
	return rc;
}

/* Bits of the facts that were there. */
static unsigned take_fact(struct oc_agent_conf *conf, const char *key, const char *value)
{
	struct {
		const char *key;
		uint64_t *large;
		uint32_t *small;
	} facts[] = {
		{ "core.birth_ns", &conf->now_ns, NULL },
		{ "core.first_sequence", &conf->first_sequence, NULL },
		{ "core.ocs_max", NULL, &conf->ocs_max },
		{ "core.retry_memory", NULL, &conf->retry_memory },
		{ "core.session_memory", NULL, &conf->session_memory },
		{ "core.load_nodes", NULL, &conf->load_nodes },
	};

	for (unsigned i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		if (strcmp(key, facts[i].key) != 0)
			continue;
		uint64_t number = strtoull(value, NULL, 10);
		if (facts[i].large != NULL)
			*facts[i].large = number;
		else
			*facts[i].small = number < SIZE_MAX_FACT ? (uint32_t)number : SIZE_MAX_FACT;
		return 1u << i;
	}
	return 0;
}

#define ALL_FACTS 0x3fu

/* How the agent began, and by whom it was recorded. */
static int take_meta(struct gathering *g, const struct oev_segment *segment)
{
	struct oev_replay_life *life = g->life;
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_META);
	unsigned seen = 0;
	int step = SQLITE_ERROR;

	while (stmt != NULL && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		seen |= take_fact(&life->conf, oev_query_word(stmt, 0), oev_query_word(stmt, 1));
		if (strcmp(oev_query_word(stmt, 0), "version") == 0)
			snprintf(life->version, sizeof(life->version), "%s", oev_query_word(stmt, 1));
	}
	sqlite3_finalize(stmt);
	if (seen != ALL_FACTS)
		life->lack = OEV_LACKS_FACTS;
	return step == SQLITE_DONE ? OC_OK : fail(g, OC_EIO, segment->path, "cannot be read");
}

static int take_policy(struct gathering *g, const struct oev_segment *segment)
{
	struct oev_replay_life *life = g->life;
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_ALL_POLICIES);
	char why[OEV_CONF_ERROR_MAX] = "no policy is recorded", name[OEV_REPLAY_WORD_MAX];
	int rc = OC_EMALFORMED;

	if (stmt != NULL && sqlite3_bind_int64(stmt, 1, 0) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW) {
		const char *text = oev_query_word(stmt, 2);
		life->policy_version = oev_query_up_to(stmt, 0, UINT32_MAX);
		snprintf(name, sizeof(name), "policy v%" PRIu32, life->policy_version);
		rc = oev_conf_policy_parse(text, strlen(text), name, &life->policy, why);
		life->policy.version = life->policy_version;
	}
	sqlite3_finalize(stmt);
	return rc == OC_OK ? OC_OK : fail(g, rc == OC_ENOMEM ? rc : OC_EMALFORMED, segment->path, why);
}

/* Monotonic time at which it was @wall_us, by the last clock pair that is not later. */
static uint64_t mono_of(const struct oev_times *times, uint64_t wall_us)
{
	size_t at = 0;

	while (at + 1 < times->count && times->wall_us[at + 1] <= wall_us)
		at++;
	uint64_t mono_ns = times->mono_ns[at], from_us = times->wall_us[at];
	uint64_t distance_us = wall_us > from_us ? wall_us - from_us : from_us - wall_us;
	if (distance_us > UINT64_MAX / 2000)
		return wall_us > from_us ? UINT64_MAX : 0;
	if (wall_us >= from_us)
		return mono_ns + distance_us * 1000;
	return distance_us * 1000 < mono_ns ? mono_ns - distance_us * 1000 : 0;
}

/* Of several parts the last one that had begun by then decides. */
static void take_window(struct gathering *g, const struct oev_times *times)
{
	struct oev_replay_life *life = g->life;
	const struct oev_replay_window *window = g->window;

	if (times->count == 0)
		return;
	if (window->since_us != 0 && (life->since_ns == 0 || window->since_us >= times->wall_us[0]))
		life->since_ns = mono_of(times, window->since_us);
	if (window->until_us != UINT64_MAX &&
	    (life->until_ns == UINT64_MAX || window->until_us >= times->wall_us[0]))
		life->until_ns = mono_of(times, window->until_us);
}

static int take_gaps(struct gathering *g, const struct oev_segment *segment, const struct oev_times *times)
{
	struct oev_replay_life *life = g->life;
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_GAP);
	int step = SQLITE_ERROR;

	if (stmt != NULL &&
	    sqlite3_bind_int64(stmt, 1, (int64_t)oev_segment_carried(segment, "gap")) == SQLITE_OK)
		step = SQLITE_ROW;
	while (step == SQLITE_ROW && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		uint64_t wall_us = (uint64_t)sqlite3_column_int64(stmt, 0);
		if (sqlite3_column_type(stmt, 3) != SQLITE_NULL) /* the recorder was last at work then */
			wall_us = (uint64_t)sqlite3_column_int64(stmt, 3);
		uint64_t mono_ns = times->count > 0 ? mono_of(times, wall_us) : 0;
		life->gap_ns = mono_ns < life->gap_ns ? mono_ns : life->gap_ns;
		life->gap_events += (uint64_t)sqlite3_column_int64(stmt, 1);
	}
	sqlite3_finalize(stmt);
	return step == SQLITE_DONE ? OC_OK : fail(g, OC_EIO, segment->path, "cannot be read");
}

static int take_times(struct gathering *g, const struct oev_segment *segment)
{
	struct oev_times times = { 0 };
	int rc = oev_times_load(&times, segment);

	if (rc != OC_OK) {
		fail(g, rc, segment->path, "its clock cannot be read");
	} else {
		take_window(g, &times);
		rc = take_gaps(g, segment, &times);
	}
	oev_times_fini(&times);
	return rc;
}

static int take_names(struct gathering *g, const struct oev_segment *segment)
{
	int rc = oev_replay_names_add(&g->names, segment);

	return rc == OC_OK ? OC_OK
			   : fail(g, rc, segment->path, "its names cannot be read, or contradict others");
}

/* Whether @segment goes on with what there is. */
static enum oev_life_lack lack_of(const struct oev_replay_life *life, const struct oev_segment *segment)
{
	if (segment->is_capture)
		return OEV_LACKS_AGENT;
	if (segment->schema < SCHEMA_FIRST)
		return OEV_LACKS_SCHEMA;
	if (segment->part == life->part_count + 1)
		return OEV_LACKS_NOTHING;
	return life->part_count == 0 ? OEV_LACKS_BEGINNING : OEV_LACKS_PART;
}

uint64_t oev_life_decisions(const struct oev_segment *segment)
{
	return segment->decisions >= segment->first_decision && segment->decisions != 0
		       ? segment->decisions - segment->first_decision + 1
		       : 0;
}

static int take_part(struct gathering *g, const struct oev_segment *segment)
{
	struct oev_replay_life *life = g->life;
	int rc = OC_OK;

	if (life->lack == OEV_LACKS_NOTHING)
		life->lack = lack_of(life, segment);
	if (life->lack == OEV_LACKS_NOTHING && life->part_count == 0) {
		rc = take_meta(g, segment);
		if (rc == OC_OK && life->lack == OEV_LACKS_NOTHING)
			rc = take_policy(g, segment);
	}
	if (rc != OC_OK)
		return rc;
	if (life->lack != OEV_LACKS_NOTHING) {
		life->parts_beyond++;
		life->decisions_beyond += oev_life_decisions(segment);
		return OC_OK;
	}
	life->part_count++;
	life->decisions += oev_life_decisions(segment);
	life->until_us = oev_segment_until(segment);
	life->was_cut = segment->closed_us == 0 || strcmp(segment->closed_how, "recovered") == 0;
	rc = take_times(g, segment);
	return rc == OC_OK ? take_names(g, segment) : rc;
}

static void take_words(struct oev_replay_life *life, const struct oev_segment *segment)
{
	snprintf(life->node, sizeof(life->node), "%s", segment->node);
	snprintf(life->realm, sizeof(life->realm), "%s", segment->realm);
	snprintf(life->run, sizeof(life->run), "%s", segment->run);
	life->started_us = segment->started_us;
	life->until_us = oev_segment_until(segment);
}

int oev_replay_life_load(struct oev_replay_life *life, const struct oev_life_segment *parts, uint32_t count,
			 const struct oev_replay_window *window, char error[static OEV_REPLAY_ERROR_MAX])
{
	struct gathering g = { .life = life, .window = window, .error = error };
	int rc = OC_OK;

	life->parts = parts;
	life->gap_ns = life->until_ns = UINT64_MAX;
	for (uint32_t i = 0; rc == OC_OK && i < count; i++) {
		struct oev_segment segment = { 0 };
		rc = oev_replay_open(&segment, parts[i].path, error);
		if (rc == OC_OK && i == 0)
			take_words(life, &segment);
		if (rc == OC_OK)
			rc = take_part(&g, &segment);
		oev_segment_fini(&segment);
	}
	if (rc == OC_OK && life->part_count > 0) {
		rc = oev_replay_names_make(&g.names, &life->conf.names);
		if (rc != OC_OK)
			fail(&g, rc, parts[0].path, "its names do not fit their numbers");
	}
	oev_replay_names_fini(&g.names);
	life->conf.identity = life->node;
	life->conf.realm = life->realm[0] != '\0' ? life->realm : NULL;
	return rc;
}

void oev_replay_life_fini(struct oev_replay_life *life)
{
	oc_names_free(life->conf.names);
	life->conf.names = NULL;
}
