/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Pieces of the audit's JSON. Private to oev_audit_json.c and oev_json_*.c. All return new references.
 */
#pragma once

#include <jansson.h>

#include "oev_audit.h"

/* oev_json_value.c */
json_t *oev_json_number(uint64_t value);
json_t *oev_json_time(uint64_t wall_us); /* null for 0 and for never */
json_t *oev_json_seconds(uint64_t us);
json_t *oev_json_status(enum oev_status status); /* true, false, or null when it cannot be told */
/* Strings come from a database: what is not UTF-8 becomes a mark, never a missing key. "" becomes null with _or_null. */
json_t *oev_json_text(const char *text);
json_t *oev_json_text_or_null(const char *text);
json_t *oev_json_ratio(uint64_t part, uint64_t whole); /* null of nothing */

/* oev_json_claim.c: one object per claim. */
json_t *oev_json_claims(const struct oev_audit *audit);

/* oev_json_report.c: reports of claim number @claim in the window, the first hundred. */
json_t *oev_json_reports(const struct oev_audit *audit, size_t claim);

/* oev_json_effect.c: what claim number @claim did to traffic; all keys also when it was not followed. */
json_t *oev_json_effect(const struct oev_audit *audit, size_t claim);
json_t *oev_json_hops(const struct oev_audit *audit);

/* oev_json_whole.c: what is of the whole audit. */
json_t *oev_json_population(const struct oev_population *people);
json_t *oev_json_counters(const struct oev_audit *audit);
json_t *oev_json_own_reports(const struct oev_audit *audit);

/* oev_json_trail.c: what is of the evidence itself. */
json_t *oev_json_gaps(const struct oev_audit *audit);
json_t *oev_json_incidents(const struct oev_audit *audit);
json_t *oev_json_exceptions(const struct oev_audit *audit);
json_t *oev_json_refused_reports(const struct oev_audit *audit);
json_t *oev_json_integrity(const struct oev_audit *audit);
json_t *oev_json_inputs(const struct oev_audit *audit);
