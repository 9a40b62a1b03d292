/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The audit: from segments and counter files to a verdict that stops at the first step without a receipt.
 *
 * A claim is "this node was asked by @subject (host, realm or peer) for a reduction in one application".
 * It climbs asked -> held -> selected -> arrived -> useful. Each step has its own receipt: reports with raw octets;
 * OCS versions; decisions; the protected node's counters; its own word on what was useful. A step without
 * receipt stops the climb; a step whose receipts contradict each other refutes the claim, wherever it stands.
 * Several segments are read one after the other; version numbers and names are local to a segment.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../app/oev_app.h"
#include "oev_counters.h"
#include "oev_query.h"

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
	uint64_t end_ns; /* active until: earliest of expiry and change, or the segment's last row */
	uint64_t
		effect_ns; /* applied in any form until: recovered, replaced, forgotten...; UINT64_MAX open */
	uint64_t expired_ns; /* when the node said it expired; 0 never */
	uint64_t replaced_ns;
	uint32_t number;
	uint32_t segment;
	uint32_t claim;
	uint32_t replaces;
	uint32_t subject; /* name number in its segment */
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
	uint64_t inner_from_us, inner_until_us; /* whole series buckets inside the active interval */
	uint64_t inner_arrived;
	uint64_t inner_candidates;
};

struct oev_report {
	uint64_t id;
	uint64_t mono_ns;
	uint64_t wall_us;
	uint64_t repeats;
	uint32_t segment;
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

/* The part of a population that is of one class of priority. */
struct oev_class {
	uint64_t candidates, matched, survivors, forwarded, diverted, refused;
};

#define OEV_CLASSES 5u /* class 4 is given up first; what no node writes counts as 4 */

struct oev_population {
	uint64_t candidates, matched_realm, matched_host, matched, survivors, matched_peer;
	uint64_t forwarded, diverted, refused, refused_realm, refused_host, refused_peer, refused_outstanding;
	uint64_t remembered, probes, observed, failopen, unrouted, without_outcome;
	uint64_t left_to_client; /* the client announced DOIC and reacts by itself */
	uint64_t refused_own;	 /* for a report of the node's own */
	struct oev_class class[OEV_CLASSES];
};

struct oev_gap {
	uint64_t since_us; /* lost after this; 0 when the segment does not tell */
	uint64_t wall_us;  /* and before this */
	uint64_t events;
	uint32_t segment;
	bool in_window;
	char reason[64];
};

/* One row of the table of independent counters. */
struct oev_agreement {
	const struct oev_counters *file;
	uint32_t app_id;
	uint64_t counter_requests, counter_answers;
	uint64_t evidence_requests, evidence_answers;
	uint64_t resent; /* requests sent more than once in its time: they may count twice there */
	uint64_t counter_unanswered;
	bool covered; /* the segments tell of all its time */
	enum oev_status status;
};

struct oev_audit_options {
	const char *const *inputs;
	size_t input_count;
	const char *const *counters;
	size_t counters_count;
	const char *host; /* filters; NULL any */
	const char *realm;
	const char *node;
	bool has_app;
	uint32_t app_id;
	uint64_t from_us;  /* 0: from the beginning */
	uint64_t until_us; /* UINT64_MAX: to the end */
	unsigned parts;	   /* enum oev_part bits */
	enum oev_step required;
	uint32_t tolerance_ppm;
	void (*progress)(void *ctx, uint64_t done, uint64_t total); /* may be NULL */
	bool (*stop)(void *ctx);				    /* may be NULL */
	void *ctx;
};

struct oev_audit {
	struct oev_audit_options options;
	struct oev_segment *segments;
	size_t segment_count;
	struct oev_counters *counters;
	size_t counters_count;
	struct oev_version *versions; /* sorted by claim, segment, from */
	size_t version_count;
	struct oev_report *reports; /* in order of claim and time */
	size_t report_count;
	struct oev_claim *claims;
	size_t claim_count;
	struct oev_gap *gaps;
	size_t gap_count;
	struct oev_agreement *agreements;
	size_t agreement_count;
	struct oev_exception exceptions[OEV_EXCEPTIONS_LISTED];
	uint64_t exception_count;
	uint64_t stray; /* exceptions of no claim in particular */
	struct oev_population population;
	uint64_t from_us, until_us; /* the window as it came out */
	uint64_t scanned;
	uint64_t gaps_in_window;
	bool interrupted;
	enum oev_outcome outcome;
	int reached; /* lowest over the claims */
	char error[512];
	char hint[256];
};

/* Reads everything and judges. Always leaves a result in *@out (zeroed by the caller, freed with _fini): also when it
 * fails, then out->outcome and out->error say why. Returns OC_OK or what oev_segment_open and
 * oev_counters_load return, OC_EINTERRUPTED when stop() said so. */
int oev_audit_run(struct oev_audit *out, const struct oev_audit_options *options);
void oev_audit_fini(struct oev_audit *audit);

/* Exit code of ecosystem rules: 0 holds, 1 refuted, 2 usage, 3 cannot tell, 4 unusable, 70 bug, 130 interrupted. */
int oev_audit_exit(enum oev_outcome outcome);

/* One JSON object "doic.audit/1" and a newline. Works on every outcome. Returns OC_OK, OC_ENOMEM, OC_EIO. */
int oev_audit_json(const struct oev_audit *audit, const char *tool, FILE *out);

/* The verdict in one line, without colour: "HOLDS up to \"arrived\"  s1.example.net asked for 30 % ...". @claim NULL:
 * of the whole audit. */
void oev_audit_verdict(const struct oev_audit *audit, const struct oev_claim *claim, char *buf, size_t size);

const char *oev_outcome_text(enum oev_outcome outcome);	 /* "cannot_tell" */
const char *oev_status_text(enum oev_status status);	 /* "missing" */
const char *oev_step_text(enum oev_step step);		 /* "arrived" */
const char *oev_exception_text(enum oev_exception_kind); /* "outside_scope" */

/* "1,012,183", "31.20 %" ("-" of nothing) into @buf of 32 octets; both return it. */
const char *oev_number_text(uint64_t value, char *buf);
const char *oev_share_text(uint64_t part, uint64_t whole, char *buf);
