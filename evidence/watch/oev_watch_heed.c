/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * While a state is in force: what each sender of requests in its scope offers, and when it was told. What that says of its obedience is
 * the rule of the audit (../oev_obedience.h), and so is what counts: as audit/oev_origin.c reads it from rows, it is read here from events.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/wire/oc_msg.h"
#include "oev_watch_inner.h"

#define US_PER_S 1000000ull
#define CLAIMS_MAX 32u
#define HEARD_MAX 8192u
#define INDEX_SIZE 16384u
#define UNBROKEN_US 2000000ull			       /* as OC_OCS_UNBROKEN_NS */
#define SPAN_S (OEV_WATCH_BEFORE_S - OEV_WATCH_CELL_S) /* whole cells before the one at hand */

/* A state through all its unbroken versions. */
struct claim {
	bool is_used, is_active, has_gap;
	struct oev_watch_version held;
	uint64_t begun_us, ended_us;
	uint64_t piece_us; /* when what is asked for now began */
	uint32_t before_s; /* known seconds before it */
	struct oev_demand asked;
};

struct heard {
	uint32_t claim, origin;
	uint64_t seen, reacting, before, during, unaddressed, told;
	uint64_t since_us;	  /* of those before the first */
	double before_s;	  /* known time from then on, until it was asked */
	struct oev_demand untold; /* what had been asked when it was told */
};

struct oev_watch_heed {
	uint32_t heard_count;
	uint64_t unlisted;
	uint64_t since;	    /* second up to which nothing was counted: the clock was set back */
	uint64_t latest_us; /* of all requests */
	uint32_t active;    /* claims that are */
	struct claim claim[CLAIMS_MAX];
	struct heard heard[HEARD_MAX];
	uint32_t heard_index[INDEX_SIZE]; /* 1 + place, 0 free */
};

/* Second for second, before a state. */
struct known {
	uint16_t last[SPAN_S + 1]; /* [n]: known ones among the last n */
	bool has_gap;
};

struct oev_watch_heed *oev_watch_heed_new(void)
{
	return calloc(1, sizeof(struct oev_watch_heed));
}

void oev_watch_heed_free(struct oev_watch_heed *heed)
{
	free(heed);
}

/* A host is meant by requests that name it, or else were to go to it; a realm by requests to it that name no host. */
static bool concerns(const struct claim *claim, const struct oev_watch_ask *ask)
{
	const struct oev_watch_key *key = &claim->held.key;

	if (key->app_id != ask->app_id && key->app_id != OC_APP_ANY)
		return false;
	if (key->type == OC_REPORT_HOST)
		return ask->to == key->subject && (key->origin == 0 || key->origin == ask->origin);
	return ask->realm == key->subject;
}

/* What is known of @origin under claim @claim; NULL when there is no room. */
static struct heard *heard_of(struct oev_watch_heed *heed, uint32_t claim, uint32_t origin, bool may_make)
{
	uint32_t at = (uint32_t)oev_watch_hash(claim + 1, origin) & (INDEX_SIZE - 1);

	for (; heed->heard_index[at] != 0; at = (at + 1) & (INDEX_SIZE - 1)) {
		struct heard *heard = &heed->heard[heed->heard_index[at] - 1];
		if (heard->claim == claim && heard->origin == origin)
			return heard;
	}
	if (!may_make || heed->heard_count == HEARD_MAX)
		return NULL;
	heed->heard[heed->heard_count] = (struct heard){ .claim = claim, .origin = origin };
	heed->heard_index[at] = ++heed->heard_count;
	return &heed->heard[heed->heard_count - 1];
}

void oev_watch_heed_request(struct oev_watch *watch, const struct oc_decision *d, uint64_t wall_us)
{
	struct oev_watch_heed *heed = watch->heed;
	bool reacts = oev_watch_reacts(d);
	const struct oev_watch_ask ask = oev_watch_ask_of(d);

	oev_watch_pairs_count(watch->pairs, d, reacts, wall_us);
	heed->latest_us = wall_us > heed->latest_us ? wall_us : heed->latest_us;
	for (uint32_t i = 0; heed->active > 0 && i < CLAIMS_MAX; i++) {
		const struct claim *claim = &heed->claim[i];
		bool is_addressed = claim->held.key.type != OC_REPORT_HOST || d->dest_host != 0;
		if (!claim->is_active || wall_us < claim->begun_us || !concerns(claim, &ask))
			continue;
		struct heard *heard = heard_of(heed, i, d->origin_host, true);
		if (heard == NULL) {
			heed->unlisted++;
			continue;
		}
		heard->seen++;
		heard->reacting += reacts;
		heard->during += is_addressed;
		heard->unaddressed += !is_addressed;
	}
}

void oev_watch_heed_profile(struct oev_watch *watch, const struct oc_event_profile *p)
{
	watch->says[p->id % OEV_WATCH_SAYS] =
		(struct oev_watch_says){ .number = p->id,
					 .passes = (p->profile.hints & OC_HINT_PASSES) != 0 };
}

/* True where nothing tells: of a number that is not remembered any more. */
static bool passes(const struct oev_watch *watch, uint32_t profile)
{
	const struct oev_watch_says *says = &watch->says[profile % OEV_WATCH_SAYS];

	return profile != 0 && (says->number != profile || says->passes);
}

/* Whether the answer brought a report to a client. One of the recording node itself is in every answer about its subject that goes to a
 * client that reacts. */
static bool is_told(const struct oev_watch *watch, const struct claim *claim,
		    const struct oev_watch_open *open, const struct oc_event_outcome *o)
{
	const struct oev_watch_key *key = &claim->held.key;
	bool is_relayed = o->maker == OC_MADE_UPSTREAM;

	if (claim->held.is_own ? !open->reacts : !is_relayed || !passes(watch, o->profile))
		return false;
	if (key->type == OC_REPORT_HOST)
		return is_relayed && o->answered_by == key->subject;
	return o->answered_realm == 0 || o->answered_realm == key->subject;
}

/* What was asked for until @wall_us goes into the sums. */
static void end_piece(struct claim *claim, uint64_t wall_us)
{
	double for_s = wall_us > claim->piece_us ? (double)(wall_us - claim->piece_us) / 1e6 : 0;
	bool is_rate = claim->held.algorithm == OC_ALGO_RATE;

	claim->asked.active_s += for_s;
	claim->asked.share_s += is_rate ? 0 : for_s * claim->held.reduction_pct / 100.0;
	claim->asked.allowed += is_rate ? for_s * claim->held.rate_rps : 0;
	claim->piece_us = wall_us;
}

void oev_watch_heed_answer(struct oev_watch *watch, const struct oev_watch_open *open,
			   const struct oc_event_outcome *o, uint64_t wall_us)
{
	struct oev_watch_heed *heed = watch->heed;

	for (uint32_t i = 0; heed->active > 0 && o->result_code != 0 && i < CLAIMS_MAX; i++) {
		const struct claim *claim = &heed->claim[i];
		if (!claim->is_active || wall_us < claim->begun_us || !concerns(claim, &open->ask) ||
		    !is_told(watch, claim, open, o))
			continue;
		struct heard *heard = heard_of(heed, i, open->ask.origin, false);
		if (heard == NULL || heard->told++ > 0)
			continue;
		struct claim then = *claim;
		end_piece(&then, wall_us);
		heard->untold = then.asked;
	}
}

/* Forgets what was heard under claim @claim. */
static void forget(struct oev_watch_heed *heed, uint32_t claim)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < heed->heard_count; i++)
		if (heed->heard[i].claim != claim)
			heed->heard[kept++] = heed->heard[i];
	heed->heard_count = 0;
	memset(heed->heard_index, 0, sizeof(heed->heard_index));
	for (uint32_t i = 0; i < kept; i++) {
		struct heard heard = heed->heard[i];
		struct heard *place = heard_of(heed, heard.claim, heard.origin, true);
		if (place != NULL)
			*place = heard;
	}
	heed->claim[claim] = (struct claim){ 0 };
}

/* Which of the seconds before @end_s are known, or not told yet. */
static void known_before(const struct oev_watch *watch, uint64_t end_s, struct known *out)
{
	*out = (struct known){ 0 };
	for (uint64_t n = 1; n <= SPAN_S; n++) {
		uint64_t s = end_s - n;
		const struct oev_watch_second *second = &watch->seconds[s % OEV_WATCH_SECONDS];
		bool is_kept = s >= watch->first && s <= watch->last && s + OEV_WATCH_SECONDS > watch->last &&
			       s > watch->heed->since;
		bool is_known = is_kept && (second->is_known || s >= watch->reached);
		out->last[n] = (uint16_t)(out->last[n - 1] + is_known);
		out->has_gap |= is_kept && second->is_gap;
	}
}

/* Known time from @since_us to @end_s, s. */
static double known_since(const struct known *known, uint64_t since_us, uint64_t end_s)
{
	uint64_t n = end_s - since_us / US_PER_S;
	double part_s = (double)(since_us % US_PER_S) / 1e6;

	return n <= SPAN_S && known->last[n] > part_s ? known->last[n] - part_s : 0;
}

static void hear_before(struct oev_watch_heed *heed, uint32_t claim, const struct oev_watch_before *before)
{
	struct heard *heard = heard_of(heed, claim, before->ask.origin, true);

	if (heard == NULL)
		return;
	if (heard->before == 0 || before->since_us < heard->since_us)
		heard->since_us = before->since_us;
	heard->before += before->requests;
	heard->seen += before->requests;
	heard->reacting += before->reacting;
}

static void begin(struct oev_watch *watch, uint32_t at, const struct oev_watch_version *held,
		  uint64_t wall_us)
{
	struct oev_watch_heed *heed = watch->heed;
	uint64_t end_s = wall_us / US_PER_S / OEV_WATCH_CELL_S * OEV_WATCH_CELL_S;
	struct oev_watch_before before;
	struct known known;

	known_before(watch, end_s, &known);
	heed->claim[at] = (struct claim){ .is_used = true,
					  .is_active = true,
					  .has_gap = known.has_gap,
					  .held = *held,
					  .begun_us = wall_us,
					  .piece_us = wall_us,
					  .before_s = known.last[SPAN_S] };
	heed->active++;
	for (uint32_t i = 0; oev_watch_pair_before(watch->pairs, i, wall_us, &before); i++)
		if (before.requests > 0 && concerns(&heed->claim[at], &before.ask))
			hear_before(heed, at, &before);
	for (uint32_t i = 0; i < heed->heard_count; i++)
		if (heed->heard[i].claim == at)
			heed->heard[i].before_s = known_since(&known, heed->heard[i].since_us, end_s);
}

/* The claim of @key that is in force, or was until a moment ago; else a free place, or that of one long over; CLAIMS_MAX: none. */
static uint32_t claim_for(struct oev_watch_heed *heed, const struct oev_watch_key *key, uint64_t wall_us)
{
	uint32_t place = CLAIMS_MAX;

	for (uint32_t i = 0; i < CLAIMS_MAX; i++) {
		struct claim *claim = &heed->claim[i];
		bool goes_on = claim->is_active || claim->ended_us + UNBROKEN_US >= wall_us;
		if (claim->is_used && oev_watch_same_key(&claim->held.key, key) && goes_on)
			return i;
		if (!claim->is_active && (place == CLAIMS_MAX || !claim->is_used))
			place = i;
	}
	if (place < CLAIMS_MAX && heed->claim[place].is_used)
		forget(heed, place);
	return place;
}

void oev_watch_heed_version(struct oev_watch *watch, const struct oev_watch_version *held, bool is_over,
			    uint64_t wall_us)
{
	struct oev_watch_heed *heed = watch->heed;

	if (held->key.type == OC_REPORT_PEER)
		return;
	uint32_t at = claim_for(heed, &held->key, wall_us);
	struct claim *claim = at < CLAIMS_MAX ? &heed->claim[at] : NULL;
	if (claim == NULL || (is_over && !claim->is_active))
		return;
	if (!claim->is_used) {
		begin(watch, at, held, wall_us);
		return;
	}
	if (claim->is_active)
		end_piece(claim, wall_us);
	claim->piece_us = wall_us;
	heed->active += !is_over && !claim->is_active;
	heed->active -= is_over;
	claim->is_active = !is_over;
	claim->ended_us = wall_us;
	if (!is_over)
		claim->held = *held;
}

void oev_watch_heed_gap(struct oev_watch *watch)
{
	for (uint32_t i = 0; i < CLAIMS_MAX; i++)
		watch->heed->claim[i].has_gap = true;
}

void oev_watch_heed_from(struct oev_watch *watch, uint64_t second)
{
	watch->heed->since = second;
}

void oev_watch_heed_set_back(struct oev_watch *watch)
{
	oev_watch_pairs_clear(watch->pairs);
	memset(watch->heed, 0, sizeof(*watch->heed));
	watch->heed->since = watch->last;
}

/* What was asked of @heard: all that @claim asked since it was told. */
static struct oev_demand asked_of(const struct claim *claim, const struct heard *heard)
{
	return (struct oev_demand){ .active_s = claim->asked.active_s,
				    .untold_s = heard->untold.active_s,
				    .share_s = claim->asked.share_s - heard->untold.share_s,
				    .allowed = claim->asked.allowed - heard->untold.allowed };
}

static struct oev_watch_sender sender_of(const struct claim *claim, const struct heard *heard)
{
	const struct oev_conduct conduct = { .has_loss = claim->has_gap,
					     .knows_before = claim->before_s > 0,
					     .seen = heard->seen,
					     .reacting = heard->reacting,
					     .before = heard->before,
					     .during = heard->during,
					     .unaddressed = heard->unaddressed,
					     .told = heard->told,
					     .times_before = heard->before_s > 0
								     ? claim->asked.active_s / heard->before_s
								     : 0,
					     .asked = asked_of(claim, heard) };

	return (struct oev_watch_sender){ .name = heard->origin,
					  .version = claim->held.version,
					  .subject = claim->held.key.subject,
					  .app_id = claim->held.key.app_id,
					  .type = claim->held.key.type,
					  .for_s = claim->asked.active_s,
					  .during = heard->during,
					  .unaddressed = heard->unaddressed,
					  .told = heard->told,
					  .judgement = oev_obedience_judge(&conduct) };
}

/* Those that went on, those that did in part, then by what they offer. */
static int by_weight(const void *a, const void *b)
{
	const struct oev_watch_sender *x = a, *y = b;
	int rank = oev_obedience_rank(x->judgement.obedience) - oev_obedience_rank(y->judgement.obedience);

	return rank != 0 ? rank : (x->during < y->during) - (x->during > y->during);
}

uint32_t oev_watch_senders(struct oev_watch *watch, struct oev_watch_sender *out, uint32_t max,
			   uint64_t *unlisted)
{
	struct oev_watch_heed *heed = watch->heed;
	uint32_t count = 0;

	pthread_mutex_lock(&watch->lock);
	uint64_t told_us = watch->reached * US_PER_S,
		 now_us = told_us > heed->latest_us ? told_us : heed->latest_us;
	for (uint32_t i = 0; i < heed->heard_count; i++) {
		struct claim claim = heed->claim[heed->heard[i].claim];
		if (!claim.is_active || count == max)
			continue;
		end_piece(&claim, now_us);
		out[count++] = sender_of(&claim, &heed->heard[i]);
	}
	*unlisted = heed->unlisted;
	pthread_mutex_unlock(&watch->lock);
	if (count > 1)
		qsort(out, count, sizeof(*out), by_weight);
	return count;
}
