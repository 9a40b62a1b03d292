/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What an audit is made of: claims with their findings, versions, reports, populations, gaps.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oev_audit_ends.h"
#include "oev_counters.h"

enum oev_step {
	OEV_STEP_ASKED = 0,
	OEV_STEP_HELD = 1,
	OEV_STEP_SELECTED = 2,
	OEV_STEP_ARRIVED = 3,
	OEV_STEP_USEFUL = 4,
	OEV_STEP_COUNT
};

enum oev_status {
	OEV_MISSING = 0, /* no receipt */
	OEV_OK = 1,
	OEV_UNSURE = 2, /* there are receipts, but they do not decide it (gap, partial cover) */
	OEV_REFUTED = 3
};

enum oev_part { OEV_PART_REDUCTION = 1, OEV_PART_SCOPE = 2, OEV_PART_RECOVERY = 4, OEV_PART_ALL = 7 };

enum oev_outcome {
	OEV_HOLDS = 0,
	OEV_CLAIM_REFUTED = 1,
	OEV_CANNOT_TELL = 2,
	OEV_NO_CLAIM = 3,
	OEV_UNUSABLE = 4,
	OEV_USAGE = 5,
	OEV_INTERRUPTED = 6,
	OEV_BUG = 7,
	OEV_OUTCOME_COUNT
};

/* One line of the ladder (also of the scope and recovery lines below it). */
struct oev_finding {
	enum oev_status status;
	char receipt[200];
	char value[160];
	char bound[64];
	char why[240];	/* when not ok: what is missing or wrong */
	char hint[200]; /* how to get it; may be empty */
};

enum oev_exception_kind {
	OEV_X_OUTSIDE_SCOPE = 0,   /* selected by a version whose scope it was not in */
	OEV_X_NOT_IN_FORCE = 1,	   /* selected by a version before it began, or after it was over */
	OEV_X_UNKNOWN_VERSION = 2, /* compared with a version that no row tells of */
	OEV_X_NOT_COMPARED = 3,	   /* in scope of a version in force, but not compared with it */
	OEV_X_SHARE = 4,	   /* another share than asked, though neither expired nor ended */
	OEV_X_AFTER_RECOVERY = 5,  /* still compared after the ramp was over */
	OEV_X_REPORT_RAW = 6,	   /* a report's raw octets say something else than its columns */
	OEV_X_COUNTERS = 7,	   /* two independent counters disagree */
	OEV_X_BROKEN = 8,	   /* a row names a flow, a way or an ending that no row tells of */
	OEV_X_TWICE = 9,	   /* a request was answered twice */
	OEV_X_COUNT
};

#define OEV_EXCEPTIONS_LISTED 50u

struct oev_exception {
	enum oev_exception_kind kind;
	int32_t claim;	  /* -1: of none in particular */
	uint32_t segment; /* index of the segment it is in */
	uint64_t id;	  /* decision or report number, 0 none */
	uint64_t wall_us;
	char detail[160];
};

struct oev_draw;

/* The draws of one version in the order they happened; see oev_audit_sampler.h. All classes share one sum. */
struct oev_sampler {
	int64_t error_ppm; /* selected - expected, parts per million of a request */
	int64_t error_max_ppm;
	int64_t variance_ppm;		    /* sum of share * (1 - share), for a random sampler */
	int64_t owed_ppm;		    /* share asked - share drawn at, summed up: what waits */
	int64_t owed_min_ppm, owed_max_ppm; /* extremes of it */
	double level; /* of a bucket that drains at the rate asked, 1 per admission; highest below */
	double level_max;
	uint64_t admitted; /* under a rate, while active */
	uint64_t admitted_ns;
	uint32_t rate_rps;
	uint64_t done;		  /* draws 1..done have come */
	uint64_t carried;	  /* draws known as a sum only */
	uint64_t farthest;	  /* highest number that came while opening */
	uint32_t missing;	  /* draws that a cut took away at the very end */
	bool opening;		  /* which draws the carried ones are is not settled yet */
	struct oev_draw *waiting; /* those further ahead, by number modulo size */
	uint32_t size;
	uint32_t waiting_count;
	bool reordered; /* rows came in another order than draws */
	bool faulty;	/* a number came twice, or too far ahead */
};

/* Decisions compared with one version, one population. Drawn ones only. */
struct oev_tally {
	uint64_t matched;
	uint64_t selected;
	uint64_t expected_ppm;
};

#define OEV_RAMP_PARTS 4u

struct oev_version {
	uint64_t report;
	uint64_t from_ns;
	uint64_t from_us;
	uint64_t expires_ns;
	uint64_t end_ns; /* active until: earliest of expiry and change, or the life's last row */
	uint64_t
		effect_ns; /* applied in any form until: recovered, replaced, forgotten...; UINT64_MAX open */
	uint64_t expired_ns; /* when the node said it expired; 0 never */
	uint64_t replaced_ns;
	uint64_t recovered_ns; /* when the node said that its ramp was over; 0 never */
	uint32_t number;
	uint32_t life;
	uint32_t claim;
	uint32_t replaces;
	uint32_t subject; /* name number in its life */
	uint32_t origin;  /* likewise: who the rate was allotted to, 0 all */
	uint32_t reduction_pct;
	uint32_t rate_rps;
	uint32_t validity_s;
	bool has_reduction;
	bool is_rate;
	bool is_specific;  /* on Gy, with reductions for some requests only: no one share was asked of all */
	bool in_window;	   /* some of its effect lies in the window; the others are not judged */
	bool counted;	   /* the node gave counts of its own */
	bool counts_final; /* ... and said nothing can follow */
	bool is_carried;   /* its beginning is in a part that is not there; only sums are known of it */
	char sequence[24];
	char algorithm[16];
	char how[16]; /* first change: how the active interval ended; "open" */
	struct oev_tally node;
	uint64_t node_remembered;
	/* filled by the scan; whole life unless named otherwise */
	struct oev_tally all;
	struct oev_tally active; /* in the window, share as asked */
	struct oev_tally ramp;	 /* in the window, after the end */
	struct oev_sampler sampler;
	uint64_t remembered, probes, observed; /* in the window */
	uint64_t selected_ns;		       /* first selected, whole life; 0 none was */
	uint64_t ramp_last_ns;		       /* last draw with a share above 0 after the end */
	uint64_t probe_last_ns;
	uint32_t ramp_least_ppm;
	uint32_t ramp_rise_ppm;
	struct oev_tally ramp_part[OEV_RAMP_PARTS]; /* by time after the end, in quarters of the ramp */
	uint64_t asked_ppm;	 /* sum of the share asked over draws while active, whole life */
	uint64_t asked_selected; /* of these draws, selected */
	uint64_t moved;		 /* of these, drawn at another share than asked */
	uint64_t removed_first,
		removed_last; /* requests other reports took away, at its first and last draw */
	uint64_t lapsed_from_us, lapsed_until_us; /* later lives did not hold it though it was valid; 0 */
	uint64_t inner_from_us, inner_until_us;	  /* whole series buckets inside the active interval */
	uint64_t inner_arrived;
	uint64_t inner_candidates;
};

/* A state that was valid when a life of the node ended, and that a later life did not hold: no report means no change (RFC 7683), but a life
 * begins without states. Validity runs by the wall clock from one life to the next. */
struct oev_lapse {
	uint32_t claim;	  /* UINT32_MAX: of one that is not judged */
	uint32_t life;	  /* that did not hold it */
	uint32_t held_in; /* life that held it last */
	uint32_t number;  /* of its version there */
	uint64_t from_us; /* begin of the life, or of the window */
	uint64_t
		until_us; /* a report came, it would have expired, the life or the window ended: the first of these */
	uint64_t valid_until_us;
	uint64_t requests; /* in scope of it in this time, not compared with it */
	bool was_stopped;  /* the life that held it: in order, not killed */
	bool is_renewed;   /* a report ended this */
};

struct oev_report {
	uint64_t id;
	uint64_t mono_ns;
	uint64_t wall_us;
	uint64_t repeats;
	uint32_t segment;
	uint32_t life;
	int32_t claim; /* -1: refused, and nothing else speaks of it */
	uint32_t app_id;
	uint32_t type;
	uint32_t reduction_pct;
	uint32_t validity_s;
	uint32_t rate_rps;
	uint32_t version;
	uint32_t raw_kept;
	bool has_reduction, has_validity, has_rate, has_sequence;
	bool accepted; /* new or updated */
	bool refused;
	char verdict[12]; /* new, updated, stale, repeated, refused */
	bool is_specific; /* its octets hold a 3GPP-OC-Specific-Reduction */
	bool raw_differs;
	bool raw_partial;
	char sequence[24];
	char algorithm[16];
	char reason[24];
	char peer[64];
	char subject[128];
	char raw_detail[100]; /* set with raw_differs */
};

struct oev_claim {
	uint32_t type; /* as on the wire */
	uint32_t app_id;
	uint32_t version_first, version_count; /* into audit.versions */
	uint32_t judged;		       /* versions of these in the window */
	uint64_t reports, receptions, refused;
	uint64_t active_us, asked_us; /* held, and promised, inside the window */
	uint64_t exceptions[OEV_X_COUNT];
	uint32_t asked_pct_min, asked_pct_max; /* over its loss versions of some validity */
	uint32_t asked_rps_min, asked_rps_max; /* over its rate versions of some validity */
	bool asked_loss, asked_rate;
	char subject[128];
	char origin[128]; /* client (or realm) the rate was allotted to; "" all */
	char recorded_by[128];
	bool is_own; /* an order of the recording node itself, applied there to clients that cannot react */
	char algorithm[16];
	struct oev_tally active; /* sums over its versions, in the window */
	struct oev_tally ramp;
	uint64_t remembered, probes, observed;
	int64_t error_max_ppm;
	bool reordered; /* some draws happened in another order than requests arrived */
	uint64_t inner_candidates, inner_arrived;
	uint64_t arrived_counter, arrived_evidence, useful;
	uint64_t uncounted; /* realm claims: requests sent in the window to next hops without counters */
	bool has_useful;
	struct oev_finding step[OEV_STEP_COUNT];
	struct oev_finding scope, recovery;
	int reached; /* highest step without a break below it; -1 none */
	enum oev_outcome outcome;
};

#define OEV_ASIDE_NAMED 3u

/* Those asked for in the window that filters leave out, or whose state was over before it. */
struct oev_aside {
	struct {
		uint32_t type, app_id;
		char subject[128];
	} named[OEV_ASIDE_NAMED];
	size_t count;
};

/* Why one of decision and outcome is missing. */
enum oev_loose {
	OEV_LOOSE_RECORDING = 0, /* under way when the audit read the segment, which is still being written */
	OEV_LOOSE_CUT = 1,	 /* under way when the node was cut off */
	OEV_LOOSE_PART = 2,	 /* the other one is in a part that is not here */
	OEV_LOOSE_GAP = 3,	 /* about the time of lost events */
	OEV_LOOSE_UNEXPLAINED = 4,
	OEV_LOOSE_COUNT
};

/* The part of a population that is of one class of priority. */
struct oev_class {
	uint64_t candidates, matched, survivors, forwarded, diverted, refused;
};

#define OEV_CLASSES 5u /* class 4 is given up first; what no node writes counts as 4 */

struct oev_population {
	uint64_t candidates, matched_realm, matched_host, matched, survivors, matched_peer;
	uint64_t forwarded, diverted, refused, refused_realm, refused_host, refused_peer, refused_outstanding;
	uint64_t remembered, probes, observed, failopen, unrouted;
	uint64_t without_outcome;		    /* all of the next line */
	uint64_t loose[OEV_LOOSE_COUNT];	    /* decisions without an outcome */
	uint64_t without_decision[OEV_LOOSE_COUNT]; /* outcomes, whenever they came */
	uint64_t left_to_client;		    /* the client announced DOIC and reacts by itself */
	uint64_t refused_own;			    /* for a report of the node's own */
	uint64_t retried_session;    /* tried again after a refusal: same Session-Id pseudonym */
	uint64_t retried_end_to_end; /* came before: same origin and end-to-end identifier */
	uint64_t retried_flag;	     /* arrived with the T bit */
	struct oev_class class[OEV_CLASSES];
};

enum oev_gap_kind {
	OEV_GAP_EVENTS = 0, /* the node says that it lost events */
	OEV_GAP_PART = 1,   /* a part between two others is not there */
	OEV_GAP_CUT = 2,    /* the node was killed, and nobody finished the segment from its journal */
	OEV_GAP_KIND_COUNT
};

struct oev_gap {
	uint64_t since_us; /* lost after this; 0 when the segment does not tell */
	uint64_t wall_us;  /* and before this */
	uint64_t events;   /* 0: not known */
	uint32_t segment;
	enum oev_gap_kind kind;
	bool in_window;
	char reason[96];
};

/* One row of the table of independent counters. */
struct oev_agreement {
	const struct oev_counters *file;
	uint32_t app_id;
	uint64_t counter_requests, counter_answers;
	uint64_t evidence_requests, evidence_answers;
	uint64_t resent;      /* requests sent more than once in its time: they may count twice there */
	uint64_t edge;	      /* imported: requests within a second of its ends */
	struct oev_ends ends; /* imported: the same by time */
	struct oev_ends success_ends; /* likewise, those answered with 2xxx */
	struct oev_ends_slack slack;  /* imported: how far the ends let the requests differ */
	uint64_t evidence_success;    /* answers with 2xxx that came back */
	uint64_t counter_unanswered;
	bool is_success_short; /* fewer successes were given there than came back */
	bool has_answers;      /* the counter tells of answers */
	bool is_vague;	       /* they may be as far apart as all that was counted: nothing is said by that */
	bool covered;	       /* the segments tell of all its time */
	enum oev_status status;
};
