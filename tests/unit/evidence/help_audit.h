/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * For tests of the audit: a run over a folder, and chance that repeats itself.
 */
#pragma once

#include "evidence/audit/oev_audit.h"
#include "help_segment.h"

/* Audits the folder of @segment with @options; what they leave at 0 gets its default (all parts, all time, up to "arrived").
 * For the caller to give to help_audit_drop(). */
struct oev_audit *help_audit(const struct help_segment *segment, struct oev_audit_options options);
void help_audit_drop(struct oev_audit *audit);

/* Runs @stmt, which one statement prepared serves for thousands of rows, with @values; negative ones are NULL. */
bool help_segment_step(sqlite3_stmt *stmt, const int64_t *values, int count);

/* 0 to @below - 1; *@seed goes on. */
uint64_t help_chance(uint64_t *seed, uint64_t below);

/* Names, codes, meta and one policy, without any traffic. */
bool help_segment_basics(struct help_segment *segment, const char *policy);
/* s1 asks for @percent (loss, host, Gx) for @validity_s seconds at @at_us after the beginning: report 1, version 1. */
bool help_segment_report(struct help_segment *segment, uint64_t at_us, unsigned percent, unsigned validity_s);
