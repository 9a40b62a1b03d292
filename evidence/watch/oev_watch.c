/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Events become counts.
 */
#include "oev_watch_inner.h"

#include <stdio.h>

#define US_PER_S 1000000u
#define JUMP_S 2u /* seconds the recorder may be away, and they count as looked at */
#define TOOK_FIRST_NS 62500u

uint64_t oev_watch_took_floor_ns(unsigned bucket)
{
	if (bucket == 0)
		return 0;
	uint64_t octave = (uint64_t)TOOK_FIRST_NS << ((bucket - 1) / 2);
	return (bucket - 1) % 2 ? octave + octave / 2 : octave;
}

static unsigned took_bucket(uint64_t took_ns)
{
	unsigned bucket = 0;

	while (bucket + 1 < OEV_WATCH_TOOK && took_ns >= oev_watch_took_floor_ns(bucket + 1))
		bucket++;
	return bucket;
}

struct draws {
	uint32_t drawn, selected;
	uint64_t share_ppm;
};

/* One look: its share, and whether it was the one that selected. */
static void draw(struct draws *draws, const struct oc_decision *d, const struct oc_look *look,
		 enum oc_scope scope)
{
	if (look->nth == 0)
		return;
	draws->drawn++;
	draws->share_ppm += look->share_ppm;
	draws->selected += d->selected_by == scope && d->why == OC_WHY_REPORT;
}

static struct draws draws_of(const struct oc_decision *d)
{
	struct draws draws = { 0 };

	draw(&draws, d, &d->realm, OC_SCOPE_REALM);
	draw(&draws, d, &d->host, OC_SCOPE_HOST);
	draw(&draws, d, &d->peer, OC_SCOPE_PEER);
	return draws;
}

static void count_population(struct oev_watch_population *p, const struct oc_decision *d,
			     const struct draws *draws)
{
	bool is_matched = d->realm.version || d->host.version;
	bool is_early = is_matched && (d->selected_by == OC_SCOPE_REALM || d->selected_by == OC_SCOPE_HOST);

	p->matched += is_matched;
	p->survivors += is_matched && !(is_early && d->why == OC_WHY_REPORT);
	p->matched_peer += d->peer.version != 0;
	p->observed += (d->flags & OC_DEC_OBSERVED) != 0;
	if (d->verdict == OC_REFUSE) {
		p->refused_by[d->selected_by < OC_SCOPE_COUNT ? d->selected_by : 0]++;
		p->refused_why[d->why < OC_WHY_COUNT ? d->why : 0]++;
	}
	p->drawn += draws->drawn;
	p->selected += draws->selected;
	p->share_ppm += draws->share_ppm;
}

static void add_request(struct oev_watch_count *c, const struct oc_decision *d)
{
	c->requests++;
	c->refused += d->verdict == OC_REFUSE;
	c->diverted += d->verdict == OC_DIVERT;
	c->sent += d->next_hop != 0;
}

static void add_decision(struct oev_watch_totals *totals, const struct oc_decision *d,
			 const struct draws *draws)
{
	totals->drawn += draws->drawn;
	totals->selected += draws->selected;
	oev_watch_sum_decision(totals, d);
}

static void take_decision(struct oev_watch *watch, const struct oc_decision *d)
{
	uint64_t wall_us = oev_watch_wall(watch, d->at_ns);
	struct oev_watch_second *second = oev_watch_at(watch, wall_us);
	struct oev_watch_count *of, *total;

	const struct draws draws = draws_of(d);

	add_decision(&watch->totals, d, &draws);
	watch->open[d->id % OEV_WATCH_OPEN] =
		(struct oev_watch_open){ .id = d->id,
					 .client = d->client_peer,
					 .next_hop = d->next_hop,
					 .ask = oev_watch_ask_of(d),
					 .app_place = (uint16_t)oev_app_place(d->app_id),
					 .reacts = oev_watch_reacts(d) };
	oev_watch_heed_request(watch, d, wall_us);
	watch->decision[d->id % OEV_WATCH_LAST] =
		(struct oev_watch_decision){ .decision = *d, .wall_us = wall_us };
	if (!second)
		return;
	add_request(&second->count, d);
	count_population(&second->population, d, &draws);
	if ((of = oev_watch_count_of(watch, d->client_peer, OEV_WATCH_CLIENT, wall_us, &total)) != NULL) {
		add_request(of, d);
		add_request(total, d);
	}
	uint32_t server = d->next_hop ? d->next_hop : d->first_choice;
	if (server && (of = oev_watch_count_of(watch, server, OEV_WATCH_SERVER, wall_us, &total)) != NULL) {
		add_request(of, d);
		add_request(total, d);
	}
}

/* 1xxx, 2xxx: what the client asked for. */
static bool is_useful(const struct oc_event_outcome *o)
{
	return o->maker == OC_MADE_UPSTREAM && o->result_code / 1000u - 1u < 2u;
}

static void add_answer(struct oev_watch_count *c, const struct oc_event_outcome *o)
{
	c->answers += o->maker == OC_MADE_UPSTREAM;
	c->useful += is_useful(o);
	c->lost += o->maker == OC_MADE_DEADLINE || o->maker == OC_MADE_LOST || o->maker == OC_MADE_DAEMON;
}

static void count_took(struct oev_watch *watch, uint32_t name, uint64_t wall_us, unsigned bucket)
{
	struct oev_watch_member *m = oev_watch_member(watch, name);

	if (!m || wall_us / US_PER_S + OEV_WATCH_TOOK_S <= watch->last)
		return;
	if (!m->took)
		m->took = oev_watch_took_new();
	if (m->took)
		m->took[wall_us / US_PER_S % OEV_WATCH_TOOK_S][bucket]++;
}

static void add_outcome(struct oev_watch_totals *totals, const struct oc_event_outcome *o, unsigned bucket)
{
	struct oev_watch_count one = { 0 };

	add_answer(&one, o);
	totals->answers += one.answers;
	totals->useful += one.useful;
	totals->lost += one.lost;
	if (o->maker == OC_MADE_UPSTREAM)
		totals->took[bucket]++;
}

static void take_outcome(struct oev_watch *watch, const struct oc_event *event)
{
	const struct oc_event_outcome *o = &event->u.outcome;
	const struct oev_watch_open *open = &watch->open[o->id % OEV_WATCH_OPEN];
	uint64_t wall_us = oev_watch_wall(watch, event->mono_ns);
	struct oev_watch_second *second = oev_watch_at(watch, wall_us);
	uint32_t server = o->from_peer;
	struct oev_watch_count *of, *total;

	unsigned bucket = took_bucket(o->took_ns);

	add_outcome(&watch->totals, o, bucket);
	oev_watch_sum_answer(&watch->totals, o,
			     open->id == o->id && o->id ? open->app_place : OEV_APP_PLACES - 1);
	struct oev_watch_decision *listed = &watch->decision[o->id % OEV_WATCH_LAST];
	if (listed->decision.id == o->id) {
		listed->took_ns = o->took_ns;
		listed->result_code = o->result_code;
		listed->maker = o->maker;
	}
	bool is_open = open->id == o->id && o->id;
	if (is_open)
		oev_watch_heed_answer(watch, open, o, wall_us);
	if (!second)
		return;
	add_answer(&second->count, o);
	if (is_open) {
		server = server ? server : open->next_hop;
		if ((of = oev_watch_count_of(watch, open->client, OEV_WATCH_CLIENT, wall_us, &total)) !=
		    NULL) {
			add_answer(of, o);
			add_answer(total, o);
		}
	}
	if ((of = oev_watch_count_of(watch, server, OEV_WATCH_SERVER, wall_us, &total)) != NULL) {
		add_answer(of, o);
		add_answer(total, o);
	}
	if (o->maker != OC_MADE_UPSTREAM)
		return;
	second->population.took[bucket]++;
	count_took(watch, server, wall_us, bucket);
}

static void take_peer(struct oev_watch *watch, const struct oc_event_peer *p)
{
	struct oev_watch_member *m = oev_watch_member(watch, p->peer);

	if (!m)
		return;
	m->node.is_neighbour = true;
	m->node.is_up = p->up != 0;
}

static void take_load(struct oev_watch *watch, const struct oc_event_load *l, uint64_t wall_us)
{
	struct oev_watch_member *m = oev_watch_member(watch, l->node);

	if (!m || l->type != OC_LOAD_HOST)
		return;
	m->node.load = (int32_t)l->value;
	m->node.load_at_us = wall_us;
}

static void take_one(struct oev_watch *watch, const struct oc_event *event)
{
	uint64_t wall_us = oev_watch_wall(watch, event->mono_ns);
	bool is_news = true;

	switch (event->kind) {
	case OC_EVENT_DECISION:
		take_decision(watch, &event->u.decision);
		return;
	case OC_EVENT_OUTCOME:
		take_outcome(watch, event);
		return;
	case OC_EVENT_REPORT:
		oev_watch_sum_report(&watch->totals, &event->u.report);
		is_news = oev_watch_hear_report(watch, &event->u.report, wall_us);
		break;
	case OC_EVENT_OCS_VERSION:
		is_news = oev_watch_hold(watch, &event->u.ocs_version, wall_us);
		break;
	case OC_EVENT_OCS_CHANGE:
		oev_watch_unhold(watch, &event->u.ocs_change, wall_us);
		break;
	case OC_EVENT_PROFILE:
		oev_watch_heed_profile(watch, &event->u.profile);
		break;
	case OC_EVENT_PEER:
		take_peer(watch, &event->u.peer);
		break;
	case OC_EVENT_LOAD:
		take_load(watch, &event->u.load, wall_us);
		break;
	default:
		break;
	}
	if (is_news)
		oev_watch_note(watch, event, wall_us);
}

void oev_watch_take(struct oev_watch *watch, const struct oc_event *const *events, uint32_t count,
		    int64_t offset_us)
{
	pthread_mutex_lock(&watch->lock);
	watch->offset_us = offset_us;
	for (uint32_t i = 0; i < count; i++)
		take_one(watch, events[i]);
	pthread_mutex_unlock(&watch->lock);
}

/* Nothing is in @second: neither traffic nor a sign that somebody looked. */
static bool is_bare(const struct oev_watch_second *second)
{
	const struct oev_watch_count *count = &second->count;

	return count->requests + count->sent + count->answers + count->lost == 0;
}

static void tell_second(struct oev_watch *watch, struct oev_watch_second *second)
{
	second->is_known = true;
	oev_watch_mark_asked(watch, second->second * US_PER_S);
	oev_watch_fold(watch, second);
}

/* Up to @wall_us all was taken. @is_live: as it happens. Then nobody looked in the middle of a jump over several seconds, since the
 * process stood still or the disk did: what has no traffic there is not known to have had none. */
static void reach(struct oev_watch *watch, uint64_t wall_us, bool is_live)
{
	uint64_t to = wall_us / US_PER_S;

	pthread_mutex_lock(&watch->lock);
	(void)oev_watch_at(watch, wall_us);
	bool is_jump = is_live && watch->reached + JUMP_S < to;
	if (is_live && watch->reached + OEV_WATCH_SECONDS < to)
		watch->reached = to - OEV_WATCH_SECONDS;
	for (; watch->reached + OEV_WATCH_SECONDS < to;
	     watch->reached++) /* quiet, and no longer kept by the second */
		oev_watch_fold(watch, &(struct oev_watch_second){ .second = watch->reached,
								  .population.asked_pct = -1 });
	for (; watch->reached < to; watch->reached++) {
		struct oev_watch_second *second = oev_watch_at(watch, watch->reached * US_PER_S);
		if (second && !(is_jump && is_bare(second)))
			tell_second(watch, second);
	}
	pthread_mutex_unlock(&watch->lock);
}

void oev_watch_reached(struct oev_watch *watch, uint64_t wall_us)
{
	reach(watch, wall_us, false);
}

void oev_watch_gap(struct oev_watch *watch, uint64_t wall_us, uint64_t events, const char *reason)
{
	char text[sizeof(watch->change[0].text)];

	oev_watch_gap_text(text, sizeof(text), events, reason);
	pthread_mutex_lock(&watch->lock);
	struct oev_watch_second *second = oev_watch_at(watch, wall_us);
	if (second)
		second->is_gap = true;
	oev_watch_fold_gap(watch, wall_us / US_PER_S);
	oev_watch_heed_gap(watch);
	oev_watch_note_text(watch, OC_EVENT_NONE, wall_us, text);
	pthread_mutex_unlock(&watch->lock);
}

void oev_watch_stuck(struct oev_watch *watch, uint64_t wall_us, const char *why)
{
	char text[sizeof(watch->change[0].text)];

	pthread_mutex_lock(&watch->lock);
	bool is_news = (watch->stuck_us == 0) == (why[0] != '\0');
	if (is_news) {
		oev_watch_gap_text(text, sizeof(text), 0, why[0] ? why : "is written again");
		oev_watch_note_text(watch, OC_EVENT_NONE, wall_us, text);
		watch->stuck_us = why[0] ? wall_us : 0;
	}
	snprintf(watch->stuck, sizeof(watch->stuck), "%s", why);
	pthread_mutex_unlock(&watch->lock);
}

/* A clock that is set back must not hide what happens until it is again where it was. */
static void on_took(void *ctx, const struct oc_event *const *events, uint32_t count, int64_t offset_us)
{
	struct oev_watch *watch = ctx;

	pthread_mutex_lock(&watch->lock);
	if (watch->offset_us - offset_us > (int64_t)JUMP_S * US_PER_S)
		oev_watch_set_back(watch, (uint64_t)(watch->offset_us - offset_us));
	pthread_mutex_unlock(&watch->lock);
	oev_watch_take(ctx, events, count, offset_us);
}

static void on_reached(void *ctx, uint64_t wall_us)
{
	reach(ctx, wall_us, true);
}

static void on_lost(void *ctx, uint64_t wall_us, uint64_t events, const char *reason)
{
	oev_watch_gap(ctx, wall_us, events, reason);
}

static void on_stuck(void *ctx, uint64_t wall_us, const char *why)
{
	oev_watch_stuck(ctx, wall_us, why);
}

struct oev_listener oev_watch_listener(struct oev_watch *watch)
{
	return (struct oev_listener){
		.ctx = watch, .took = on_took, .reached = on_reached, .lost = on_lost, .stuck = on_stuck
	};
}
