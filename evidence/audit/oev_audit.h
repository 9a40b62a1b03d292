/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The audit: from segments and counter files to a verdict that stops at the first step without a receipt.
 *
 * A claim is "this node was asked by @subject (host, realm or peer) for a reduction in one application".
 * It climbs asked -> held -> selected -> arrived -> useful. Each step has its own receipt: reports with raw octets;
 * OCS versions; decisions; the protected node's counters; its own word on what was useful. A step without
 * receipt stops the climb; a step whose receipts contradict each other refutes the claim, wherever it stands.
 * Segments of one life of a node are read as one, lives one after the other; version numbers and names are local to a life.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../app/oev_app.h"
#include "oev_audit_types.h"
#include "oev_effect.h"
#include "oev_hop.h"
#include "oev_incident.h"
#include "oev_integrity.h"
#include "oev_life.h"
#include "oev_names.h"
#include "oev_origin.h"
#include "oev_own.h"
#include "oev_series.h"

#define OEV_PATIENCE_US 10000000ull /* default of relay.deadline_ms */

struct oev_audit_options { /* what it points to lives as long as the audit */
	const char *const *inputs;
	size_t input_count;
	const char *const *counters;
	size_t counters_count;
	const char
		*key; /* trusted public key, checkpoints kept elsewhere: of oev_verify_options; NULL none */
	const char *checkpoint;
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
	uint64_t patience_us; /* how long a client waits for an answer; 0: OEV_PATIENCE_US */
	bool strict;	      /* integrity and arrivals must have a witness outside this node's own word */
	bool verify;	      /* ask whether the evidence is what was written */
	void (*progress)(void *ctx, uint64_t done, uint64_t total);	   /* decisions; may be NULL */
	void (*verify_progress)(void *ctx, uint64_t done, uint64_t total); /* octets; may be NULL */
	bool (*stop)(void *ctx);					   /* may be NULL */
	void *ctx;
};

struct oev_audit {
	struct oev_audit_options options;
	char **places; /* folders and single segments that were read */
	size_t place_count;
	struct oev_segment *segments;
	size_t segment_count;
	struct oev_life *lives;
	size_t life_count;
	struct oev_names names;
	struct oev_counters *counters; /* files of counters, and runs of imported ones */
	size_t counters_count;
	char **telemetry; /* files of imported counters */
	size_t telemetry_count;
	uint64_t
		telemetry_outside; /* their intervals of which the evidence does not tell everything: not compared */
	struct oev_version *versions; /* sorted by claim, life, from */
	size_t version_count;
	struct oev_lapse *lapses; /* by life and version that held them */
	size_t lapse_count;
	struct oev_report *reports; /* in order of claim and time */
	size_t report_count;
	struct oev_claim *claims;
	size_t claim_count;
	struct oev_aside filtered; /* in the window, but not of the host, realm or application asked about */
	struct oev_aside ended;	   /* their effect reaches into the window, but they were over before it */
	uint32_t *order;	   /* of claims, as people want them; see oev_audit_place() */
	struct oev_index claim_index; /* while loading */
	struct oev_effect *effects;   /* of the first OEV_SERIES_CLAIMS_MAX claims */
	struct oev_series *series;
	size_t follow_count; /* effects and series */
	struct oev_origin *origins;
	size_t origin_count;
	struct oev_index origin_index;
	uint64_t origins_unlisted; /* requests of further ones */
	struct oev_hop *hops;	   /* by name */
	size_t hop_count;
	uint64_t hops_unlisted; /* requests to further ones */
	struct oev_own *own;	/* by life and time */
	size_t own_count;
	uint64_t own_unlisted;
	struct oev_order *orders; /* likewise */
	size_t order_count;
	struct oev_told *told;
	size_t told_count;
	struct oev_gap *gaps;
	size_t gap_count;
	struct oev_incident *incidents;
	size_t incident_count;
	uint64_t incidents_unlisted;
	struct oev_agreement *agreements;
	size_t agreement_count;
	struct oev_exception exceptions[OEV_EXCEPTIONS_LISTED];
	uint64_t exception_count;
	uint64_t stray; /* exceptions of no claim in particular */
	struct oev_population population;
	struct oev_integrity integrity;
	uint64_t from_us, until_us; /* the window as it came out */
	uint64_t scanned;
	uint64_t gaps_in_window;
	bool interrupted;
	bool integrity_decides; /* the outcome is what it is because of integrity */
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

/* The claim that comes in place @place when what does not hold comes first: refuted, cannot tell, holds. */
size_t oev_audit_place(const struct oev_audit *audit, size_t place);

/* How the active interval of @version ended: "expired", "replaced", ...; "cut off" with a life that was killed, "open" when it was
 * still held by a life that records. */
const char *oev_version_ended(const struct oev_audit *audit, const struct oev_version *version);

/* What one lapse says: "life 3 did not hold version #1 of life 2 (killed), still valid: from ... to ..., 12,870 requests in scope were
 * not compared". Returns buf. */
const char *oev_lapse_text(const struct oev_audit *audit, const struct oev_lapse *lapse, char *buf,
			   size_t size);
#define OEV_LAPSE_TEXT_MAX 240u

/* Whether versions of @claim in the window are of more than one life: then their numbers alone do not tell them apart. */
bool oev_claim_has_lives(const struct oev_audit *audit, const struct oev_claim *claim);

/* By how much the counter and the evidence of @row may differ, and still agree; or what leaves them vague. */
uint64_t oev_agreement_apart(const struct oev_agreement *row);

/* Exit code of ecosystem rules: 0 holds, 1 refuted, 2 usage, 3 cannot tell, 4 unusable, 70 bug, 130 interrupted. */
int oev_audit_exit(enum oev_outcome outcome);

/* One JSON object "doic.audit/1" and a newline. Works on every outcome. Returns OC_OK, OC_ENOMEM, OC_EIO. */
int oev_audit_json(const struct oev_audit *audit, const char *tool, FILE *out);

/* The verdict in one line, without colour: "HOLDS up to \"arrived\"  s1.example.net asked for 30 % ...". @claim NULL:
 * of the whole audit. */
void oev_audit_verdict(const struct oev_audit *audit, const struct oev_claim *claim, char *buf, size_t size);

/* "doic audit FOLDER --since ... --until ...": the command that comes to this verdict again, whatever the time is then and
 * whatever was recorded since. To be freed; NULL when the options were wrong, or out of memory. */
char *oev_audit_repeat(const struct oev_audit *audit);
/* Its window; 0 and UINT64_MAX where there is none. */
void oev_audit_repeat_window(const struct oev_audit *audit, uint64_t *from_us, uint64_t *until_us);
/* " WORD", as a shell reads it back. */
void oev_audit_put_word(const char *word, FILE *out);

/* "2 others: s1.example.net (host, gx), ...": the first few by name; no more than @size octets. */
void oev_audit_aside_text(const struct oev_aside *aside, const char *word, char *buf, size_t size);

/* "30 %", "20 to 40 %", "100/s", "30 % and 100/s", "an end": what the versions of @claim asked for. */
void oev_audit_asked_text(const struct oev_claim *claim, char *buf, size_t size);

const char *oev_outcome_text(enum oev_outcome outcome);	 /* "cannot_tell" */
const char *oev_status_text(enum oev_status status);	 /* "missing" */
const char *oev_step_text(enum oev_step step);		 /* "arrived" */
const char *oev_exception_text(enum oev_exception_kind); /* "outside_scope" */
const char *oev_gap_kind_text(enum oev_gap_kind kind);	 /* "events" */
const char *oev_loose_text(enum oev_loose why);		 /* "cut" */

/* "1,012,183", "31.20 %" ("-" of nothing) into @buf of 32 octets; both return it. */
const char *oev_number_text(uint64_t value, char *buf);
const char *oev_share_text(uint64_t part, uint64_t whole, char *buf);
