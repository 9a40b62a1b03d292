/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * States in force as the trail tells of them: what is asked for at each moment, and which reports only say it again.
 */
#include "oev_watch_inner.h"

#include <strings.h>

static bool asks_the_same(const struct oev_watch_version *a, const struct oev_watch_version *b)
{
	return a->algorithm == b->algorithm &&
	       (a->algorithm == OC_ALGO_RATE ? a->rate_rps == b->rate_rps
					     : a->reduction_pct == b->reduction_pct);
}

/* The state of @key that is in force at @wall_us, or gives way in that moment; NULL: none. */
static struct oev_watch_version *in_force(struct oev_watch *watch, const struct oev_watch_key *key,
					  uint64_t wall_us)
{
	for (uint32_t i = 0; i < OEV_WATCH_VERSIONS; i++) {
		struct oev_watch_version *v = &watch->version[i];
		if (v->version && oev_watch_same_key(&v->key, key) && v->expires_us >= wall_us &&
		    (v->replaced_us == 0 || v->replaced_us == wall_us))
			return v;
	}
	return NULL;
}

/* The key under which a rate is held depends on who asked; a report says only what it is about. */
static bool is_renewal(struct oev_watch *watch, const struct oc_event_report *r, uint64_t wall_us)
{
	const struct oev_watch_version asked = { .algorithm = r->algorithm,
						 .reduction_pct = r->reduction_pct,
						 .rate_rps = r->rate_rps };

	for (uint32_t i = 0; i < OEV_WATCH_VERSIONS; i++) {
		struct oev_watch_key key = watch->version[i].key;
		if (watch->version[i].version && key.app_id == r->app_id && key.subject == r->subject &&
		    key.type == r->type && in_force(watch, &key, wall_us) == &watch->version[i] &&
		    asks_the_same(&watch->version[i], &asked))
			return true;
	}
	return false;
}

bool oev_watch_hear_report(struct oev_watch *watch, const struct oc_event_report *r, uint64_t wall_us)
{
	bool is_held = r->verdict == OC_INTAKE_NEW || r->verdict == OC_INTAKE_UPDATED;

	if (strcasecmp(oc_names_text(watch->names, r->peer), watch->self) == 0) {
		watch->own_report = r->report;
		return false;
	}
	return !is_held || r->validity_s == 0 || !is_renewal(watch, r, wall_us);
}

/* A free place, or that of the oldest state. */
static struct oev_watch_version *place_for(struct oev_watch *watch)
{
	struct oev_watch_version *oldest = &watch->version[0];

	for (uint32_t i = 0; i < OEV_WATCH_VERSIONS; i++)
		if (watch->version[i].version < oldest->version)
			oldest = &watch->version[i];
	return oldest;
}

bool oev_watch_hold(struct oev_watch *watch, const struct oc_event_ocs_version *v, uint64_t wall_us)
{
	struct oev_watch_version held = {
		.version = v->version,
		.key = { .app_id = v->app_id, .subject = v->subject, .origin = v->origin, .type = v->type },
		.reduction_pct = v->reduction_pct,
		.rate_rps = v->rate_rps,
		.algorithm = v->algorithm,
		.is_own = v->report != 0 && v->report == watch->own_report,
		.expires_us = oev_watch_wall(watch, v->expires_ns)
	};
	struct oev_watch_version *before = in_force(watch, &held.key, wall_us);
	bool is_news = before == NULL || !asks_the_same(before, &held);

	for (uint32_t i = 0; i < OEV_WATCH_VERSIONS; i++)
		if (watch->version[i].version && watch->version[i].version == v->replaces)
			watch->version[i].version = 0;
	oev_watch_heed_version(watch, &held, v->validity_s == 0, wall_us);
	if (v->validity_s == 0)
		return false;
	*place_for(watch) = held;
	oev_watch_mark_asked(watch, wall_us);
	return is_news;
}

void oev_watch_unhold(struct oev_watch *watch, const struct oc_event_ocs_change *c, uint64_t wall_us)
{
	for (uint32_t i = 0; i < OEV_WATCH_VERSIONS; i++) {
		struct oev_watch_version *v = &watch->version[i];
		if (v->version == 0 || v->version != c->version)
			continue;
		if (c->how == OC_END_REPLACED) {
			v->replaced_us = wall_us;
			continue;
		}
		oev_watch_heed_version(watch, v, true, wall_us);
		v->version = 0;
	}
}

void oev_watch_mark_asked(struct oev_watch *watch, uint64_t wall_us)
{
	struct oev_watch_second *second = oev_watch_at(watch, wall_us);
	int16_t asked = -1;

	for (uint32_t i = 0; i < OEV_WATCH_VERSIONS; i++) {
		const struct oev_watch_version *v = &watch->version[i];
		bool counts = v->version && v->algorithm == OC_ALGO_LOSS && v->replaced_us == 0;
		if (counts && v->expires_us > wall_us && (int16_t)v->reduction_pct > asked)
			asked = (int16_t)v->reduction_pct;
	}
	if (second && asked > second->population.asked_pct)
		second->population.asked_pct = asked;
}

bool oev_watch_is_own(const struct oev_watch *watch, uint32_t version)
{
	for (uint32_t i = 0; i < OEV_WATCH_VERSIONS; i++)
		if (watch->version[i].version == version)
			return watch->version[i].is_own;
	return false;
}
