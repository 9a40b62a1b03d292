/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the files of the audit call of each other. Private to oev_audit*.c.
 */
#pragma once

#include "../../agent/oc_types.h"
#include "oev_audit.h"

/* Clocks of one event differ a little between the rows that tell of it: limits are read this much wider. */
#define OEV_EDGE_NS 100000000ull

/* Whether @claim, made in one application or in all of them, is about requests of @app_id. */
static inline bool oev_audit_covers(const struct oev_claim *claim, uint32_t app_id)
{
	return claim->app_id == app_id || claim->app_id == OC_APP_ANY;
}

/* oev_audit_load.c: opens inputs, reads everything but decisions, makes claims. */
int oev_audit_load(struct oev_audit *audit);

/* oev_audit_rows.c: reports, versions, changes and gaps of one segment of @life. */
int oev_audit_rows(struct oev_audit *audit, uint32_t life, uint32_t segment);

/* oev_audit_rows.c: the claim of that description, made when there is none; NULL when out of memory, or when there are too many. */
struct oev_claim *oev_audit_claim_of(struct oev_audit *audit, uint32_t life, uint32_t type, uint32_t app_id,
				     const char *subject, const char *origin);
/* Says that there are more than @most of @what; OC_ENOSPC. */
int oev_audit_too_many(struct oev_audit *audit, const char *what, unsigned most);

/* oev_audit_reports.c: takers of rows; report number @id of @life, NULL when no row was read. */
int oev_audit_take_report(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt);
int oev_audit_take_repeat(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt);
struct oev_report *oev_audit_report_of(const struct oev_audit *audit, uint32_t life, uint64_t id);

/* oev_audit_rows.c: a rate allotted to one client is a claim of its own, and only the version tells whose it is: gives reports
 * of @life to the claims of their versions. */
void oev_audit_follow_versions(struct oev_audit *audit, uint32_t life);

/* Takers of rows, called by oev_audit_rows() for @life and @segment. oev_own.c, oev_incident.c */
int oev_own_take_order(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt);
int oev_own_take_report(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt);
int oev_own_take_told(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt);
int oev_incident_take_recovery(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt);
int oev_incident_take_removal(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt);
/* oev_own.c: joins own reports, orders and who was told; frees them. */
void oev_own_end(struct oev_audit *audit);
void oev_own_fini(struct oev_audit *audit);
/* oev_integrity.c: whether what was given to check with can be read; before minutes are spent. OC_OK, or OC_EIO with audit->error. */
int oev_integrity_begin(struct oev_audit *audit);
/* oev_integrity.c: fills audit->integrity. */
void oev_integrity_check(struct oev_audit *audit);
/* Whether a claim was judged, inside the window, by the time of rows that are not signed yet. */
bool oev_integrity_is_tail_judged(const struct oev_audit *audit);
/* oev_hop.c: in the order of names. */
void oev_hops_end(struct oev_audit *audit);

/* oev_audit_gaps.c: adds gaps that nobody wrote down (parts that are not there, lives cut off), and says which are in the window. */
int oev_audit_gaps(struct oev_audit *audit);

/* The file of @segment was removed after it was listed: its decisions cannot be read, which is a gap like any other. */
int oev_audit_part_gone(struct oev_audit *audit, uint32_t segment);

/* Lost events inside the window, or earlier in the life of a version, leave the sums of @claim open. */
bool oev_audit_has_gap(const struct oev_audit *audit, const struct oev_claim *claim);

/* Events of the window were lost while @claim had effect: what was sent and answered then is not all known. */
bool oev_audit_has_gap_in_effect(const struct oev_audit *audit, const struct oev_claim *claim);
/* Whether evidence of the node that recorded @claim is missing between these times, wall clock. */
bool oev_audit_has_gap_between(const struct oev_audit *audit, const struct oev_claim *claim, uint64_t from_us,
			       uint64_t until_us);

/* Grows *@items (of @size octets each) by one zeroed item; NULL when out of memory. */
void *oev_audit_grow(void *items_pointer, size_t *count, size_t size);

/* oev_audit_raw.c: reads the octets of one OC-OLR and compares them with the columns of @report.
 * Returns OC_OK, OC_EMALFORMED (no OC-OLR), OC_EREFUSED (says something else); @detail tells which. */
int oev_audit_raw(const struct oev_report *report, const uint8_t *raw, size_t len, char *detail, size_t size);

/* oev_audit_raw.c: whether the octets of one OC-OLR hold a 3GPP-OC-Specific-Reduction (TS 32.299 B.2). */
bool oev_audit_raw_is_specific(const uint8_t *raw, size_t len);

/* oev_audit_scan.c: streams decisions and outcomes through the claims. */
int oev_audit_scan(struct oev_audit *audit);

/* oev_audit_judge.c, oev_audit_arrived.c: fill the findings. */
void oev_audit_judge(struct oev_audit *audit);
void oev_audit_judge_asked(struct oev_audit *audit, struct oev_claim *claim);
void oev_audit_judge_held(struct oev_audit *audit, struct oev_claim *claim);
void oev_audit_judge_selected(struct oev_audit *audit, struct oev_claim *claim);
void oev_audit_judge_arrived(struct oev_audit *audit, struct oev_claim *claim);

/* oev_telemetry_runs.c: imported counters become counters. The same errors as of oev_telemetry_each(). */
int oev_telemetry_load(struct oev_audit *audit);

/* oev_audit_capture.c: whether @claim comes out of a capture; what of the four findings stands then. */
bool oev_audit_is_capture(const struct oev_audit *audit, const struct oev_claim *claim);
void oev_audit_judge_capture(struct oev_audit *audit, struct oev_claim *claim);

/* oev_audit_agree.c: rows of the counters table before the scan, and what they say after it. */
int oev_audit_agree_init(struct oev_audit *audit);
void oev_audit_agree(struct oev_audit *audit);
/* oev_audit_lapse.c: fills audit->lapses, before claims are picked. Returns OC_OK, OC_ENOMEM. */
int oev_lapses_make(struct oev_audit *audit);
/* That of @claim in @life, NULL when there is none. */
struct oev_lapse *oev_lapse_of(const struct oev_audit *audit, uint32_t claim, uint32_t life);

/* Requests that arrived at @claim's subject in the inner part of its versions, from the server's series. */
void oev_audit_arrivals(struct oev_audit *audit, struct oev_claim *claim);

/* Notes an exception; @claim -1: of none. Lists the first 50, counts all. */
void oev_audit_except(struct oev_audit *audit, const struct oev_exception *exception);

/* Whether any application filter lets @app_id through. */
bool oev_audit_wants_app(const struct oev_audit *audit, uint32_t app_id);

/* Wall time of monotonic @mono_ns, by the version's own pair of clocks. */
uint64_t oev_audit_wall(const struct oev_version *version, uint64_t mono_ns);

/* oev_effect.c: when nothing was reduced any more for @version, monotonic; 0 when no row tells. */
uint64_t oev_version_normal(const struct oev_version *version);

/* oev_follow.c: effects and series of claims: before the scan, after it, and freed. */
int oev_follow_begin(struct oev_audit *audit);
int oev_follow_end(struct oev_audit *audit);
void oev_follow_fini(struct oev_audit *audit);

/* The word of the first part of @claim that is refuted ("selected", "scope"), and its finding. */
const char *oev_audit_refuted_at(const struct oev_audit *audit, const struct oev_claim *claim,
				 const struct oev_finding **finding);
