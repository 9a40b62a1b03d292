/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The audit as text. Private to the verb audit.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "../audit/oev_audit.h"

#define CLI_LISTED_SHORT 5u /* rows of a kind without -v */

struct cli_audit_view {
	FILE *out;
	bool color;
	bool quiet;   /* the verdict line only */
	bool verbose; /* each version, each counter, each exception */
	double took_s;
};

void cli_audit_print(const struct oev_audit *audit, const struct cli_audit_view *view);

/* cli_audit_versions.c: versions of a claim and their bounds. */
void cli_audit_versions(const struct oev_audit *audit, const struct oev_claim *claim,
			const struct cli_audit_view *view);

/* cli_audit_effect.c: what a claim did to traffic; next hops. */
void cli_audit_effect(const struct oev_audit *audit, const struct oev_claim *claim,
		      const struct cli_audit_view *view);
void cli_audit_hops(const struct oev_audit *audit, const struct cli_audit_view *view);

/* cli_audit_people.c: populations. */
void cli_audit_people(const struct oev_audit *audit, const struct cli_audit_view *view);

/* cli_audit_counters.c: counts of others beside ours. */
void cli_audit_counters(const struct oev_audit *audit, const struct cli_audit_view *view);

/* cli_audit_own.c: reports the node made itself. */
void cli_audit_own(const struct oev_audit *audit, const struct cli_audit_view *view);

/* cli_audit_trail.c: exceptions, gaps, what happened to the evidence, integrity, limits. */
void cli_audit_trail(const struct oev_audit *audit, const struct cli_audit_view *view);

/* "green", "red", "yellow", for libsmartcols. */
const char *cli_audit_color(enum oev_status status);

/* "14:03:27.114" of the day; @buf of OEV_TIME_TEXT_MAX octets. */
const char *cli_audit_clock(uint64_t wall_us, char *buf);

/* Writes the page of @audit to @path. Exit code of a failure, or CLI_OK. */
int cli_audit_page(const struct oev_audit *audit, const char *path);
