/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What each sender offers to whom, in steps of five seconds, so that there is a before when somebody asks for less; and, while a
 * state is in force, what each sender of requests in its scope offers, and whether it was told.
 *
 * The rules are the audit's (audit/oev_origin.h): a report of a host is about requests that name it, one of a realm about requests for it
 * that name no host; told is who got an answer of the one that asks; what a sender should offer is its usual, less what is asked, for as
 * long as it is asked.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oev_watch_inner.h"

#define US_PER_S 1000000ull
#define CELL_S 5u
#define CELLS (OEV_WATCH_BEFORE_S / CELL_S)
#define PAIRS_MAX 4096u
#define CLAIMS_MAX 32u
#define HEARD_MAX 8192u
#define INDEX_SIZE 16384u
#define UNBROKEN_US 2000000ull /* as OC_OCS_UNBROKEN_NS */
#define SIGMAS 5.0
#define TOO_FEW 25.0 /* expected at the usual rate: below, five deviations are more than all of them */

/* Who asks whom. */
struct pair {
	uint32_t origin, app_id;
	uint32_t host;	/* Destination-Host; 0 none */
	uint32_t realm; /* Destination-Realm, where there is no host */
	uint64_t last;	/* cell of the newest count; counted in CELL_S since 1970 */
	uint32_t cell[CELLS];
};

/* A state through all its unbroken versions. */
struct claim {
	bool is_used, is_active, has_gap;
	struct oev_watch_version held;
	uint64_t begun_us, ended_us;
	uint64_t piece_us; /* when what is asked for now began */
	uint64_t before_s; /* known seconds before it */
	double active_s, share_s, rate_s;
};

struct heard {
	uint32_t claim, origin;
	uint64_t before, during, reacting, told;
};

struct oev_watch_heed {
	uint32_t pair_count, heard_count;
	uint64_t unlisted;
	uint64_t since;	    /* second up to which nothing was counted: the clock was set back */
	uint64_t latest_us; /* of all requests */
	uint64_t swept;	    /* cell in which pairs were last looked through for those that are silent */
	struct claim claim[CLAIMS_MAX];
	uint32_t active; /* claims that are */
	struct pair pair[PAIRS_MAX];
	struct heard heard[HEARD_MAX];
	uint32_t pair_index[INDEX_SIZE], heard_index[INDEX_SIZE]; /* 1 + place, 0 free */
};

struct oev_watch_heed *oev_watch_heed_new(void)
{
	return calloc(1, sizeof(struct oev_watch_heed));
}

void oev_watch_heed_free(struct oev_watch_heed *heed)
{
	free(heed);
}

static uint32_t home_of(uint64_t a, uint64_t b)
{
	uint64_t x = (a * 0x9e3779b97f4a7c15ull ^ b) * 0xd6e8feb86659fd93ull;

	return (uint32_t)(x >> 32) & (INDEX_SIZE - 1);
}

/* Where the index has @of, or could have it. */
static uint32_t *place_of(struct oev_watch_heed *heed, const struct pair *of)
{
	uint32_t at = home_of((uint64_t)of->origin << 32 | of->app_id, (uint64_t)of->host << 32 | of->realm);

	for (; heed->pair_index[at] != 0; at = (at + 1) & (INDEX_SIZE - 1)) {
		const struct pair *pair = &heed->pair[heed->pair_index[at] - 1];
		if (pair->origin == of->origin && pair->app_id == of->app_id && pair->host == of->host &&
		    pair->realm == of->realm)
			break;
	}
	return &heed->pair_index[at];
}

/* Makes room of pairs that were silent for so long that all their cells are over. */
static void sweep(struct oev_watch_heed *heed, uint64_t cell)
{
	uint32_t count = heed->pair_count;

	if (heed->swept == cell)
		return;
	heed->swept = cell;
	heed->pair_count = 0;
	memset(heed->pair_index, 0, sizeof(heed->pair_index));
	for (uint32_t i = 0; i < count; i++) {
		if (heed->pair[i].last + CELLS <= cell)
			continue;
		heed->pair[heed->pair_count] = heed->pair[i];
		uint32_t *place = place_of(heed, &heed->pair[heed->pair_count]);
		*place = ++heed->pair_count;
	}
}

/* The pair of @d, made when there is room. */
static struct pair *pair_of(struct oev_watch_heed *heed, const struct oc_decision *d, uint64_t cell)
{
	const struct pair of = { .origin = d->origin_host,
				 .app_id = d->app_id,
				 .host = d->dest_host,
				 .realm = d->dest_host == 0 ? d->dest_realm : 0 };
	uint32_t *place = place_of(heed, &of);

	if (*place == 0 && heed->pair_count == PAIRS_MAX) {
		sweep(heed, cell);
		place = place_of(heed, &of);
	}
	if (*place == 0 && heed->pair_count == PAIRS_MAX)
		return NULL;
	if (*place == 0) {
		heed->pair[heed->pair_count] = of;
		*place = ++heed->pair_count;
	}
	return &heed->pair[*place - 1];
}

static void count_pair(struct pair *pair, uint64_t cell)
{
	if (cell + CELLS <= pair->last)
		return;
	for (uint64_t next = pair->last + CELLS < cell ? cell - CELLS + 1 : pair->last + 1; next <= cell;
	     next++)
		pair->cell[next % CELLS] = 0;
	pair->last = cell > pair->last ? cell : pair->last;
	pair->cell[cell % CELLS]++;
}

static bool concerns(const struct claim *claim, uint32_t app_id, uint32_t origin, uint32_t host,
		     uint32_t realm)
{
	const struct oev_watch_key *key = &claim->held.key;

	if (key->app_id != app_id && key->app_id != OC_APP_ANY)
		return false;
	if (key->type == OC_REPORT_HOST)
		return host == key->subject && (key->origin == 0 || key->origin == origin);
	return host == 0 && realm == key->subject;
}

/* What is known of @origin under claim @claim; NULL when there is no room. */
static struct heard *heard_of(struct oev_watch_heed *heed, uint32_t claim, uint32_t origin, bool may_make)
{
	uint32_t at = home_of(claim + 1, origin);

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
	uint64_t cell = wall_us / US_PER_S / CELL_S;
	struct pair *pair = pair_of(heed, d, cell);
	bool reacts = (d->flags & OC_DEC_DOIC_CLIENT) != 0 && (d->flags & OC_DEC_REACTING_FOR) == 0;

	if (pair != NULL)
		count_pair(pair, cell);
	heed->latest_us = wall_us > heed->latest_us ? wall_us : heed->latest_us;
	for (uint32_t i = 0; heed->active > 0 && i < CLAIMS_MAX; i++) {
		const struct claim *claim = &heed->claim[i];
		if (!claim->is_active || wall_us < claim->begun_us ||
		    !concerns(claim, d->app_id, d->origin_host, d->dest_host, d->dest_realm))
			continue;
		struct heard *heard = heard_of(heed, i, d->origin_host, true);
		if (heard == NULL) {
			heed->unlisted++;
			continue;
		}
		heard->during++;
		heard->reacting += reacts;
	}
}

void oev_watch_heed_answer(struct oev_watch *watch, const struct oev_watch_open *open,
			   const struct oc_event_outcome *o)
{
	struct oev_watch_heed *heed = watch->heed;

	for (uint32_t i = 0; heed->active > 0 && o->result_code != 0 && i < CLAIMS_MAX; i++) {
		const struct claim *claim = &heed->claim[i];
		const struct oev_watch_key *key = &claim->held.key;
		uint32_t speaker = key->type == OC_REPORT_HOST ? o->answered_by : o->answered_realm;
		if (!claim->is_active || speaker != key->subject ||
		    (key->app_id != open->app_id && key->app_id != OC_APP_ANY))
			continue;
		struct heard *heard = heard_of(heed, i, open->origin, false);
		if (heard != NULL)
			heard->told++;
	}
}

/* What was asked for until @wall_us goes into the sums. */
static void end_piece(struct claim *claim, uint64_t wall_us)
{
	double for_s = wall_us > claim->piece_us ? (double)(wall_us - claim->piece_us) / 1e6 : 0;
	bool is_rate = claim->held.algorithm == OC_ALGO_RATE;

	claim->active_s += for_s;
	claim->share_s += is_rate ? 0 : for_s * claim->held.reduction_pct / 100.0;
	claim->rate_s += is_rate ? for_s * claim->held.rate_rps : 0;
	claim->piece_us = wall_us;
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

/* Seconds among the cells before cell @end that are known, or not told yet. */
static uint64_t known_before(const struct oev_watch *watch, uint64_t end)
{
	uint64_t known = 0;

	for (uint64_t s = (end - CELLS + 1) * CELL_S; s < end * CELL_S; s++) {
		const struct oev_watch_second *second = &watch->seconds[s % OEV_WATCH_SECONDS];
		bool is_kept = s >= watch->first && s <= watch->last && s + OEV_WATCH_SECONDS > watch->last;
		known += is_kept && s > watch->heed->since && (second->is_known || s >= watch->reached);
	}
	return known;
}

static uint64_t counted_before(const struct pair *pair, uint64_t end)
{
	uint64_t sum = 0;

	for (uint64_t cell = end - CELLS + 1; cell < end; cell++)
		if (cell <= pair->last && cell + CELLS > pair->last)
			sum += pair->cell[cell % CELLS];
	return sum;
}

static void begin(struct oev_watch *watch, uint32_t at, const struct oev_watch_version *held,
		  uint64_t wall_us)
{
	struct oev_watch_heed *heed = watch->heed;
	struct claim *claim = &heed->claim[at];
	uint64_t end = wall_us / US_PER_S / CELL_S;

	*claim = (struct claim){ .is_used = true,
				 .is_active = true,
				 .held = *held,
				 .begun_us = wall_us,
				 .piece_us = wall_us,
				 .before_s = known_before(watch, end) };
	heed->active++;
	for (uint32_t i = 0; i < heed->pair_count; i++) {
		const struct pair *pair = &heed->pair[i];
		uint64_t before = counted_before(pair, end);
		if (before == 0 || !concerns(claim, pair->app_id, pair->origin, pair->host, pair->realm))
			continue;
		struct heard *heard = heard_of(heed, at, pair->origin, true);
		if (heard != NULL)
			heard->before += before;
	}
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
	memset(watch->heed, 0, sizeof(*watch->heed));
	watch->heed->since = watch->last;
}

/* Requests one sender would offer in the time of @claim, of @usual at its old rate. */
static double allowed(const struct claim *claim, double usual)
{
	double left = claim->active_s > 0 ? usual * (1.0 - claim->share_s / claim->active_s) : usual;

	return claim->rate_s > 0 && claim->rate_s < left ? claim->rate_s : left;
}

static enum oev_watch_heeding judge(const struct claim *claim, const struct oev_watch_sender *s)
{
	double seen = (double)s->during;

	if (s->reacting * 2 < s->during)
		return OEV_WATCH_HELD_HERE;
	if (claim->has_gap || claim->before_s == 0)
		return OEV_WATCH_UNKNOWN;
	if (s->told == 0)
		return OEV_WATCH_NOT_TOLD;
	if (s->usual < TOO_FEW || s->usual - s->expected < SIGMAS * sqrt(s->usual))
		return OEV_WATCH_TOO_FEW;
	if (seen > (s->usual + s->expected) / 2 && seen > s->expected + SIGMAS * sqrt(s->expected))
		return OEV_WATCH_WENT_ON;
	return OEV_WATCH_OBEYED;
}

static struct oev_watch_sender sender_of(const struct claim *claim, const struct heard *heard)
{
	struct oev_watch_sender out = { .name = heard->origin,
					.version = claim->held.version,
					.subject = claim->held.key.subject,
					.app_id = claim->held.key.app_id,
					.type = claim->held.key.type,
					.for_s = claim->active_s,
					.during = heard->during,
					.reacting = heard->reacting,
					.told = heard->told };

	out.usual =
		claim->before_s > 0 ? (double)heard->before / (double)claim->before_s * claim->active_s : 0;
	out.expected = allowed(claim, out.usual);
	out.heeding = judge(claim, &out);
	return out;
}

/* Those that went on first, then by what they offer. */
static int by_weight(const void *a, const void *b)
{
	const struct oev_watch_sender *x = a, *y = b;
	bool x_on = x->heeding == OEV_WATCH_WENT_ON, y_on = y->heeding == OEV_WATCH_WENT_ON;

	if (x_on != y_on)
		return x_on ? -1 : 1;
	return (x->during < y->during) - (x->during > y->during);
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
