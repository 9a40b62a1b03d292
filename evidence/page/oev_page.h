/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The audit as one HTML file for people who decide: verdict, ladder, pictures, populations, exceptions, gaps, integrity, inputs.
 *
 * The file stands alone: no script, no network, nothing loaded. Numbers are real tables, drawings are inline SVG with the same
 * numbers in a table beside them. Same evidence, same options, same program: the same octets. It stays under OEV_PAGE_OCTETS_MAX,
 * however long the evidence is: what is left out is counted where it would have stood.
 */
#pragma once

#include "../audit/oev_audit.h"

#define OEV_PAGE_OCTETS_MAX 2000000u
#define OEV_PAGE_CLAIMS_MAX 40u /* claims told in full */
#define OEV_PAGE_CHARTS_MAX 12u /* of these, with pictures */

struct oev_page_conf {
	const char *tool;    /* "doic 1.0.0" */
	const char *command; /* the line that makes this page again */
};

/* Writes the page of @audit, whatever its outcome. OC_OK or OC_EIO. */
int oev_page_write(const struct oev_audit *audit, const struct oev_page_conf *conf, FILE *out);
