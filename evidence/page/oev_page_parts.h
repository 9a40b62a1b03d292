/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Parts of the page, in order; shared by oev_page*.c only.
 */
#pragma once

#include "oev_page.h"

extern const char oev_page_style[];

/* Badge of an outcome and of a finding: word, shape and colour. */
void oev_page_outcome(FILE *out, enum oev_outcome outcome);
void oev_page_status(FILE *out, enum oev_status status);

/* One claim: verdict, ladder, picture if @has_chart, versions, effect, who went on. */
void oev_page_claim(FILE *out, const struct oev_audit *audit, size_t claim, bool has_chart);

/* The effect of a claim on traffic, and who was told and went on. */
void oev_page_effect(FILE *out, const struct oev_audit *audit, size_t claim);

/* What is of the whole audit: populations, independent counters, exceptions, gaps, integrity and inputs, words. */
void oev_page_population(FILE *out, const struct oev_audit *audit);
void oev_page_counters(FILE *out, const struct oev_audit *audit);
void oev_page_exceptions(FILE *out, const struct oev_audit *audit);
void oev_page_gaps(FILE *out, const struct oev_audit *audit);
void oev_page_inputs(FILE *out, const struct oev_audit *audit);
void oev_page_words(FILE *out);
