/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Inside the watch: what its files share. Included by oev_watch*.c alone.
 */
#pragma once

#include <pthread.h>

#include "oev_watch.h"

#define OEV_WATCH_OPEN 131072u	/* decisions remembered until their outcome comes */
#define OEV_WATCH_VERSIONS 256u /* states in force followed at once */

/* Who asks whom: of which reports a request is meant. */
struct oev_watch_ask {
	uint32_t origin, app_id; /* Origin-Host */
	uint32_t to;	/* Destination-Host; of a request that names none where it was to go; 0 not known */
	uint32_t realm; /* Destination-Realm of a request that names no host; 0 */
};

static inline struct oev_watch_ask oev_watch_ask_of(const struct oc_decision *d)
{
	/* where nobody chose, as in a capture, it went where it was to go */
	uint32_t choice = d->first_choice != 0 ? d->first_choice : d->next_hop;

	return (struct oev_watch_ask){ .origin = d->origin_host,
				       .app_id = d->app_id,
				       .to = d->dest_host != 0 ? d->dest_host : choice,
				       .realm = d->dest_host == 0 ? d->dest_realm : 0 };
}

/* It was sent by a client that reacts by itself. */
static inline bool oev_watch_reacts(const struct oc_decision *d)
{
	return (d->flags & OC_DEC_DOIC_CLIENT) != 0 && (d->flags & OC_DEC_REACTING_FOR) == 0;
}

/* What an outcome does not say of its request. */
struct oev_watch_open {
	uint64_t id;
	uint32_t client;
	uint32_t next_hop;
	struct oev_watch_ask ask;
	uint16_t app_place; /* of the sums */
	bool reacts;
};

#define OEV_WATCH_SAYS 4096u /* four times the numbers that the core has in use at once */

/* What answers with this number say of themselves (OC_EVENT_PROFILE). */
struct oev_watch_says {
	uint32_t number;
	bool passes; /* a report in it travels on to the client */
};

static inline uint64_t oev_watch_hash(uint64_t a, uint64_t b)
{
	return ((a * 0x9e3779b97f4a7c15ull ^ b) * 0xd6e8feb86659fd93ull) >> 32;
}

/* Of what an overload control state speaks. */
struct oev_watch_key {
	uint32_t app_id, subject, origin;
	uint8_t type; /* enum oc_report_type */
};

static inline bool oev_watch_same_key(const struct oev_watch_key *a, const struct oev_watch_key *b)
{
	return a->app_id == b->app_id && a->subject == b->subject && a->origin == b->origin &&
	       a->type == b->type;
}

/* A state in force. */
struct oev_watch_version {
	uint32_t version; /* 0: free */
	struct oev_watch_key key;
	uint32_t reduction_pct, rate_rps;
	uint8_t algorithm; /* enum oc_algo */
	bool is_own;
	uint64_t expires_us;
	uint64_t replaced_us; /* another is to take its place; 0 not */
};

struct oev_watch_member {
	struct oev_watch_node node;
	struct oev_watch_count
		*seconds[2]; /* by side, OEV_WATCH_SECONDS of them; NULL until there is something */
	struct oev_watch_count total[2];
	uint32_t (*took)[OEV_WATCH_TOOK]; /* of the last OEV_WATCH_TOOK_S seconds; likewise */
};

#define OEV_WATCH_TOOK_S 60u

struct oev_watch_steps;
struct oev_watch_pairs;
struct oev_watch_heed;

struct oev_watch {
	pthread_mutex_t lock;
	const struct oc_names *names;
	int64_t offset_us;
	uint64_t first, last; /* seconds the rings hold; 0 none */
	uint64_t begun;	      /* seconds before are of an earlier process; 0 there are none */
	uint64_t reached;     /* all before this second is told */
	struct oev_watch_second *seconds;
	struct oev_watch_member *members;
	uint32_t member_count;
	uint32_t *member_of; /* by name number: 1 + place; 0 none */
	uint32_t member_of_size;
	struct oev_watch_open *open;
	struct oev_watch_version version[OEV_WATCH_VERSIONS];
	char self[OC_IDENT_MAX + 1]; /* identity of the node whose trail this is; "" not known */
	uint64_t own_report;	     /* number of the last report it held itself to */
	struct oev_watch_steps *steps;
	struct oev_watch_pairs *pairs;
	struct oev_watch_heed *heed;
	struct oev_watch_says says[OEV_WATCH_SAYS];	    /* by number modulo that many */
	struct oev_watch_decision decision[OEV_WATCH_LAST]; /* by number modulo that many; number 0: none */
	struct oev_watch_change change[OEV_WATCH_CHANGES];
	struct oev_watch_totals totals;
	uint64_t changes;  /* ever noted */
	uint64_t stuck_us; /* recording stands still since; 0 it goes on */
	char stuck[200];
};

/* oev_watch_ring.c. All under the lock. */

/* The second of @wall_us, the rings moved on to it; NULL when it is too old to be kept. */
struct oev_watch_second *oev_watch_at(struct oev_watch *watch, uint64_t wall_us);

/* The wall clock was set back by @us: seconds beyond where it is now are forgotten, and those that come are told again. */
void oev_watch_set_back(struct oev_watch *watch, uint64_t us);

/* Room for OEV_WATCH_TOOK_S seconds of answer times, all 0; NULL when out of memory. */
void *oev_watch_took_new(void);

/* The member of name @name, made when there is room; NULL else. */
struct oev_watch_member *oev_watch_member(struct oev_watch *watch, uint32_t name);

/* Counts of @name on @side in the second of @wall_us; NULL when there is no room, or it is too old. */
struct oev_watch_count *oev_watch_count_of(struct oev_watch *watch, uint32_t name, enum oev_watch_side side,
					   uint64_t wall_us, struct oev_watch_count **total);

/* oev_watch_sums.c: adds one to the sums. @app_place: of the request, OEV_APP_PLACES - 1 when it is not remembered. */
void oev_watch_sum_decision(struct oev_watch_totals *totals, const struct oc_decision *d);
void oev_watch_sum_answer(struct oev_watch_totals *totals, const struct oc_event_outcome *o,
			  uint32_t app_place);
void oev_watch_sum_report(struct oev_watch_totals *totals, const struct oc_event_report *r);
static inline uint64_t oev_watch_wall(const struct oev_watch *watch, uint64_t mono_ns)
{
	return mono_ns / 1000u + (uint64_t)watch->offset_us;
}

/* oev_watch_held.c: what is asked for. The first two say whether it is news: a renewal of what is in force is none, and of a report of
 * our own its order and its state tell. */
bool oev_watch_hear_report(struct oev_watch *watch, const struct oc_event_report *r, uint64_t wall_us);
bool oev_watch_hold(struct oev_watch *watch, const struct oc_event_ocs_version *v, uint64_t wall_us);
void oev_watch_unhold(struct oev_watch *watch, const struct oc_event_ocs_change *c, uint64_t wall_us);
/* Notes what is asked for in the second of @wall_us. */
void oev_watch_mark_asked(struct oev_watch *watch, uint64_t wall_us);
/* Whether version @version is held for a report of our own. */
bool oev_watch_is_own(const struct oev_watch *watch, uint32_t version);

/* oev_watch_steps.c: longer steps, of seconds that are told. */
struct oev_watch_steps *oev_watch_steps_new(void);
void oev_watch_fold(struct oev_watch *watch, const struct oev_watch_second *second);
void oev_watch_fold_gap(struct oev_watch *watch, uint64_t second);
/* The clock was set back to @second: what lies behind it is forgotten. */
void oev_watch_steps_set_back(struct oev_watch *watch, uint64_t second);
/* Octets of watch->steps, which holds no pointers. */
size_t oev_watch_steps_size(void);
/* They are from elsewhere: forgets steps that are not where they belong, or begin after @now (a second). */
void oev_watch_steps_make_sound(struct oev_watch *watch, uint64_t now);

/* oev_watch_image.c: the sums as octets, for the same machine and version. Put: into a watch that took nothing yet. */
size_t oev_watch_image_size(void);
void oev_watch_image_get(struct oev_watch *watch, void *out);
void oev_watch_image_put(struct oev_watch *watch, const void *image, uint64_t wall_us);
/* Members of @second that are out of range become what is not known. */
void oev_watch_make_sound(struct oev_watch_second *second);

/* oev_watch_pairs.c: who asks whom how often. */
#define OEV_WATCH_CELL_S 5u

/* What one asked of another in the whole cells of OEV_WATCH_BEFORE_S before the one at hand. */
struct oev_watch_before {
	struct oev_watch_ask ask;    /* .to: Destination-Host alone */
	uint64_t requests, reacting; /* of these, by a client that reacts by itself */
	uint64_t since_us;	     /* no request is older, of these */
};

struct oev_watch_pairs *oev_watch_pairs_new(void);
void oev_watch_pairs_free(struct oev_watch_pairs *pairs);
void oev_watch_pairs_clear(struct oev_watch_pairs *pairs);
void oev_watch_pairs_count(struct oev_watch_pairs *pairs, const struct oc_decision *d, bool reacts,
			   uint64_t wall_us);
/* Pair number @at as it was before @wall_us; false: there are no more. */
bool oev_watch_pair_before(const struct oev_watch_pairs *pairs, uint32_t at, uint64_t wall_us,
			   struct oev_watch_before *out);

/* oev_watch_heed.c: whether senders do what they were told to. */
struct oev_watch_heed *oev_watch_heed_new(void);
void oev_watch_heed_free(struct oev_watch_heed *heed);
/* Up to @second nothing of senders is known. */
void oev_watch_heed_from(struct oev_watch *watch, uint64_t second);
void oev_watch_heed_request(struct oev_watch *watch, const struct oc_decision *d, uint64_t wall_us);
void oev_watch_heed_answer(struct oev_watch *watch, const struct oev_watch_open *open,
			   const struct oc_event_outcome *o, uint64_t wall_us);
/* A number was given to what messages say of themselves. */
void oev_watch_heed_profile(struct oev_watch *watch, const struct oc_event_profile *p);
/* @held is in force from @wall_us on, @is_over: no longer. */
void oev_watch_heed_version(struct oev_watch *watch, const struct oev_watch_version *held, bool is_over,
			    uint64_t wall_us);
/* Events were lost: what is being counted cannot be told. */
void oev_watch_heed_gap(struct oev_watch *watch);
void oev_watch_heed_set_back(struct oev_watch *watch);

/* oev_watch_words.c: notes @event, of @wall_us, in "what changed" if it belongs there. */
void oev_watch_note(struct oev_watch *watch, const struct oc_event *event, uint64_t wall_us);
void oev_watch_note_text(struct oev_watch *watch, uint16_t kind, uint64_t wall_us, const char *text);
/* "evidence gap: 12 events lost: REASON"; without events only the reason. */
void oev_watch_gap_text(char *text, size_t size, uint64_t events, const char *reason);
