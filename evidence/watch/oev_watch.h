/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What happens, second by second, as the trail tells it: counts per node, populations, answer times, the last decisions and
 * what changed. Ten minutes of it in memory, for people who look now.
 *
 * It is fed with events on their way into the evidence (by the recorder, after the commit) or out of it (oev_watch_feed.h), so what
 * it shows is recorded, and it costs the way of a message nothing. A second belongs to the time of the request, by the wall
 * clock; outcomes are counted in the second of their answer. Whoever reads copies under a lock that is held for one batch or one
 * copy at a time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "../../agent/oc_event.h"
#include "../../agent/wire/oc_names.h"
#include "../app/oev_app.h"
#include "../oev_obedience.h"
#include "../store/oev_listener.h"

#define OEV_WATCH_SECONDS 600u
#define OEV_WATCH_NODES_MAX                                                                                  \
	1024u /* nodes with counts of their own; requests of further ones are in the totals alone */
#define OEV_WATCH_RESULTS 6u   /* families of Result-Codes: 1xxx to 5xxx, and others at place 0 */
#define OEV_WATCH_TOOK 40u     /* buckets of answer times, see oev_watch_took_floor_ns() */
#define OEV_WATCH_LAST 50u     /* decisions kept */
#define OEV_WATCH_CHANGES 200u /* entries of "what changed" kept */

/* Requests and answers of one second: of all, of one application, or of one node. Of a node as client: what it sent us; as server: what
 * went to it. */
struct oev_watch_count {
	uint32_t requests;
	uint32_t refused;
	uint32_t diverted;
	uint32_t sent; /* to this server; of all: to anybody */
	uint32_t answers;
	uint32_t useful; /* answers that are no error: 1xxx, 2xxx */
	uint32_t lost;	 /* outcomes without an answer of the server: deadline, connection */
};

/* Of all requests of one second alone. */
struct oev_watch_population {
	uint32_t matched;      /* a realm or host state was held against them */
	uint32_t survivors;    /* of these, not selected */
	uint32_t matched_peer; /* a peer state was held against them */
	uint32_t refused_by[OC_SCOPE_COUNT];
	uint32_t refused_why[OC_WHY_COUNT];
	uint32_t observed;  /* would have been refused or diverted; policy says observe */
	uint32_t drawn;	    /* draws under some state: a request may be drawn under several */
	uint32_t selected;  /* of these */
	uint64_t share_ppm; /* sum of the shares drawn at */
	int16_t asked_pct;  /* highest reduction in force at the end of the second; -1 none, or rates only */
	uint32_t took[OEV_WATCH_TOOK];
};

struct oev_watch_second {
	uint64_t second; /* since 1970, UTC */
	bool is_known;	 /* the node was recording; false: not zero, but unknown */
	bool is_gap;	 /* some of it was lost */
	struct oev_watch_count count;
	struct oev_watch_population population;
};

#define OEV_WATCH_LENGTHS 3u
#define OEV_WATCH_STEPS_10 2160u  /* steps of ten seconds that are kept: six hours */
#define OEV_WATCH_STEPS_60 1440u  /* of a minute: a day */
#define OEV_WATCH_STEPS_600 4320u /* of ten minutes: thirty days */

/* Sums of the seconds of one step that are known; its highest reduction in force. sum.second: where it begins. */
struct oev_watch_step {
	uint32_t known_s;
	struct oev_watch_second sum;
};

struct oev_watch_node {
	uint32_t name;
	bool is_up; /* its connection, as the trail tells; false too when that is not known */
	bool is_neighbour;
	int32_t load; /* last host Load-Value, -1 not known: 65535 idle */
	uint64_t load_at_us;
	uint64_t first_us, last_us; /* it was seen in traffic; 0 never */
};

/* A decision as it is listed. */
struct oev_watch_decision {
	struct oc_decision decision;
	uint64_t wall_us;
	uint64_t took_ns; /* 0: no outcome yet */
	uint32_t result_code;
	uint8_t maker; /* enum oc_maker; look at took_ns */
};

/* One entry of "what changed", in words. */
struct oev_watch_change {
	uint64_t number; /* counts up from 1 */
	uint64_t wall_us;
	uint16_t kind;	/* enum oc_event_kind */
	char text[320]; /* "report 8812 from pcrf-2.example accepted: host pcrf-2.example, Gx, loss 30 %" */
};

/* Sums of all that was taken, however late it came. */
struct oev_watch_totals {
	uint64_t answers, useful, lost;
	uint64_t drawn, selected;
	uint64_t refused_why[OC_WHY_COUNT];
	uint64_t refused_class[OC_CLASSES];
	uint64_t app_verdict[OEV_APP_PLACES]
			    [OC_VERDICT_COUNT]; /* requests; by oev_app_place(), likewise below */
	uint64_t app_result[OEV_APP_PLACES][OEV_WATCH_RESULTS]; /* answers that were relayed */
	uint64_t reports[OC_REPORT_COUNT][OC_INTAKE_COUNT];	/* received; one of many that are alike */
	uint64_t took[OEV_WATCH_TOOK];
};

#define OEV_WATCH_BEFORE_S 300u /* "usual": the mean of so many seconds before a state began */
#define OEV_WATCH_SENDERS_MAX 8192u

/* One sender (Origin-Host) under one state that is in force. Numbers since the state began, through all its versions. */
struct oev_watch_sender {
	uint32_t name;
	uint32_t version; /* of the state, now */
	uint32_t subject, app_id;
	uint8_t type;	 /* enum oc_report_type */
	double for_s;	 /* it was in force */
	uint64_t during; /* requests in its scope that were offered, and that it would know to be meant */
	uint64_t
		unaddressed; /* further ones in scope: they named no host, and the host was chosen on the way */
	uint64_t told;	     /* answers that carried the report to it */
	struct oev_judgement judgement;
};

struct oev_watch;

/* @names: of whoever makes the events; borrowed, must outlive the watch. Returns OC_OK or OC_ENOMEM. */
int oev_watch_new(struct oev_watch **out, const struct oc_names *names);
void oev_watch_free(struct oev_watch *watch);

/* Whose trail it is: what that node reports and holds itself to is told as its own. Before anything is taken. */
void oev_watch_set_self(struct oev_watch *watch, const char *identity);
/* Borrowed; "" not known. */
const char *oev_watch_self(const struct oev_watch *watch);

/* What the recorder tells goes into @watch. */
struct oev_listener oev_watch_listener(struct oev_watch *watch);

/* Takes @count events that were recorded. @offset_us: wall clock minus monotonic clock, us. One thread feeds. */
void oev_watch_take(struct oev_watch *watch, const struct oc_event *const *events, uint32_t count,
		    int64_t offset_us);

/* All before @wall_us is told; called after each batch, and about once a second when there is nothing to tell. */
void oev_watch_reached(struct oev_watch *watch, uint64_t wall_us);

/* @events events of about @wall_us were lost; with 0: something else about recording worth telling. */
void oev_watch_gap(struct oev_watch *watch, uint64_t wall_us, uint64_t events, const char *reason);

/* Recording stands still, and why; "" it goes on. */
void oev_watch_stuck(struct oev_watch *watch, uint64_t wall_us, const char *why);

/* --- any thread --- */

/* Since when recording stands still, and why; 0 and "" when it goes well. */
uint64_t oev_watch_trouble(struct oev_watch *watch, char *why, size_t size);

/* Borrowed text of name number @name; "" none. */
const char *oev_watch_name(const struct oev_watch *watch, uint32_t name);

/* The last whole second that is told; 0 none yet. */
uint64_t oev_watch_latest(struct oev_watch *watch);

/* Copies @count seconds that end with @last into @out (out[0] is the oldest); seconds not kept are not known. */
void oev_watch_seconds(struct oev_watch *watch, uint64_t last, uint32_t count, struct oev_watch_second *out);

/* The same for the counts of nodes, of which nothing outlives the process: what was told by an earlier one is not known. */
void oev_watch_seconds_of_nodes(struct oev_watch *watch, uint64_t last, uint32_t count,
				struct oev_watch_second *out);

/* The first second that was told, since the start (or what is kept of before, see oev_watch_past.h) or since the clock was set back behind it; 0 none. */
uint64_t oev_watch_since(struct oev_watch *watch);

/* Copies @count steps of @step_s seconds (10, 60 or 600; false: another) of which the last has second @last in it; out[0] is the oldest.
 * Of steps not kept known_s is 0. */
bool oev_watch_step_read(struct oev_watch *watch, uint32_t step_s, uint64_t last, uint32_t count,
			 struct oev_watch_step *out);

/* Nodes seen, up to @max into @out; returns how many there are. Their place is what follows calls "node". */
uint32_t oev_watch_nodes(struct oev_watch *watch, struct oev_watch_node *out, uint32_t max);

enum oev_watch_side { OEV_WATCH_CLIENT = 0, OEV_WATCH_SERVER = 1 };
/* As oev_watch_seconds(), of one node. */
void oev_watch_node_seconds(struct oev_watch *watch, uint32_t node, enum oev_watch_side side, uint64_t last,
			    uint32_t count, struct oev_watch_count *out);
/* Answer times of node @node as server in the last minute, by buckets; and sums of the whole life. */
void oev_watch_node_took(struct oev_watch *watch, uint32_t node, uint32_t out[static OEV_WATCH_TOOK]);
void oev_watch_node_total(struct oev_watch *watch, uint32_t node, enum oev_watch_side side,
			  struct oev_watch_count *out);

void oev_watch_totals(struct oev_watch *watch, struct oev_watch_totals *out);

/* Senders of requests in the scope of a host or realm state in force: those that went on first, those that held back in part, then by
 * what they offer. *@unlisted: requests of senders for which there was no room. Returns how many were copied. */
uint32_t oev_watch_senders(struct oev_watch *watch, struct oev_watch_sender *out, uint32_t max,
			   uint64_t *unlisted);

/* Newest first; return how many were copied. */
uint32_t oev_watch_last(struct oev_watch *watch, struct oev_watch_decision *out, uint32_t max);
uint32_t oev_watch_changes(struct oev_watch *watch, uint64_t after_number, struct oev_watch_change *out,
			   uint32_t max);

/* Lower end of bucket @bucket: 0, then from 62.5 us on two for each doubling. */
uint64_t oev_watch_took_floor_ns(unsigned bucket);

/* The time below which @permille of the counted answers lie, at most one bucket too long; 0 when there are none. */
uint64_t oev_watch_quantile_ns(const uint32_t took[static OEV_WATCH_TOOK], unsigned permille);
