/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/page/oev_page.h"
#include "evidence/page/oev_page_axis.h"
#include "evidence/page/oev_page_columns.h"
#include "evidence/page/oev_page_out.h"

void test_oev_page_suite(void);

#define START_US 1796040000000000ull
#define POINTS 1200u

struct whole {
	struct oev_audit audit;
	struct oev_claim claims[2];
	struct oev_version versions[1];
	struct oev_series series[2];
	struct oev_effect effects[2];
	struct oev_series_point points[POINTS];
	struct oev_series_interval interval;
};

/* 1,000/s offered; a third selected from 400 s to 800 s; the subject's own count is not known between 500 s and 600 s. */
static void fill_points(struct oev_series_point *points)
{
	for (uint32_t i = 0; i < POINTS; i++) {
		bool is_held = i >= 400 && i < 800;
		points[i] = (struct oev_series_point){ .offered = 1000 + i % 50,
						       .matched = is_held ? 1000 : 0,
						       .selected = is_held ? 300 : 0,
						       .arrived = is_held ? 700 : 1000,
						       .useful = is_held ? 690 : 600,
						       .alternatives = is_held ? 300 : 10,
						       .counted = i >= 500 && i < 600 ? OEV_SERIES_UNKNOWN
										      : 700 };
	}
}

static struct whole *make(const char *subject)
{
	struct whole *w = calloc(1, sizeof(*w));

	fill_points(w->points);
	w->interval = (struct oev_series_interval){ .from_us = START_US + 400000000,
						    .until_us = START_US + 800000000,
						    .normal_us = START_US + 830000000,
						    .version = 1,
						    .reduction_pct = 30 };
	w->versions[0] = (struct oev_version){ .number = 1, .reduction_pct = 30, .in_window = true };
	snprintf(w->versions[0].how, sizeof(w->versions[0].how), "expired");
	for (int i = 0; i < 2; i++) {
		w->series[i] =
			(struct oev_series){ .start_us = START_US,
					     .step_us = 1000000,
					     .count = POINTS,
					     .points = w->points,
					     .instant_us = { START_US + 399000000, START_US + 400000000,
							     START_US + 800000000, START_US + 830000000 },
					     .intervals = &w->interval,
					     .interval_count = 1 };
		w->claims[i].version_count = 1;
		w->claims[i].judged = 1;
		w->claims[i].active = (struct oev_tally){ 400000, 120000, 120000000000 };
		snprintf(w->claims[i].subject, sizeof(w->claims[i].subject), "%s", subject);
		snprintf(w->claims[i].step[0].receipt, sizeof(w->claims[i].step[0].receipt),
			 "9 reports from %s", subject);
	}
	w->audit = (struct oev_audit){ .claims = w->claims,
				       .claim_count = 2,
				       .versions = w->versions,
				       .version_count = 1,
				       .series = w->series,
				       .effects = w->effects,
				       .follow_count = 2,
				       .from_us = START_US,
				       .until_us = START_US + 1200000000 };
	w->audit.population.candidates = 1200000;
	return w;
}

static char *page_of(const struct oev_audit *audit)
{
	const struct oev_page_conf conf = { .tool = "doic test",
					    .command = "doic audit 'a & b' --html x.html" };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	CU_ASSERT_EQUAL(oev_page_write(audit, &conf, out), OC_OK);
	fclose(out);
	return text;
}

static void what_evidence_says_cannot_become_markup(void)
{
	struct whole *w = make("<script>alert('x')</script>\x01\xff&");
	char *text = page_of(&w->audit);

	CU_ASSERT_PTR_NULL(strstr(text, "<script"));
	CU_ASSERT_PTR_NULL(strchr(text, 1));
	CU_ASSERT_PTR_NULL(strchr(text, 0xff));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "&#60;script&#62;"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "&#xFFFD;"));
	free(text);
	free(w);
}

static void the_same_audit_gives_the_same_octets(void)
{
	struct whole *w = make("s1.example.net");
	char *a = page_of(&w->audit), *b = page_of(&w->audit);

	CU_ASSERT_STRING_EQUAL(a, b);
	free(a);
	free(b);
	free(w);
}

static void the_page_stands_alone_and_stays_small(void)
{
	struct whole *w = make("s1.example.net");
	char *text = page_of(&w->audit);
	const char *keep = getenv("OEV_PAGE_KEEP");

	CU_ASSERT(strlen(text) < OEV_PAGE_OCTETS_MAX / 4);
	CU_ASSERT_PTR_NULL(strstr(text, "src="));
	CU_ASSERT_PTR_NULL(strstr(text, "http://"));
	CU_ASSERT_PTR_NULL(strstr(text, "https://"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "asked 12:"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "doic audit &#39;a &#38; b&#39;"));
	FILE *file = keep ? fopen(keep, "w") : NULL;
	if (file) {
		fputs(text, file);
		fclose(file);
	}
	free(text);
	free(w);
}

static void what_nobody_tells_breaks_the_line(void)
{
	struct whole *w = make("s1");
	struct oev_columns columns;

	CU_ASSERT_EQUAL(oev_columns_make(&columns, &w->series[0]), OC_OK);
	CU_ASSERT(columns.count <= OEV_COLUMNS_MAX);
	uint32_t at = (uint32_t)(550u * columns.count / POINTS);
	CU_ASSERT(columns.value[OEV_COLUMN_COUNTED][at] < 0);
	CU_ASSERT(columns.value[OEV_COLUMN_SHARE][0] < 0);
	CU_ASSERT_DOUBLE_EQUAL(columns.value[OEV_COLUMN_SHARE][at], 30.0, 0.01);
	CU_ASSERT_DOUBLE_EQUAL(columns.value[OEV_COLUMN_ARRIVED][at], 700.0, 0.01);
	oev_columns_free(&columns);
	free(w);
}

static void scales_end_in_round_numbers_above_the_highest(void)
{
	const double highest[] = { 0, 0.3, 1, 7, 99, 100, 1049, 123456 };

	for (size_t i = 0; i < sizeof(highest) / sizeof(highest[0]); i++) {
		struct oev_scale scale = oev_scale_for(highest[i], 10, 110);
		CU_ASSERT(scale.max >= highest[i]);
		CU_ASSERT(scale.max / scale.step <= 6.001);
		CU_ASSERT_DOUBLE_EQUAL(oev_scale_y(&scale, scale.max), 10, 0.001);
		CU_ASSERT_DOUBLE_EQUAL(oev_scale_y(&scale, 0), 110, 0.001);
	}
}

static void an_audit_without_anything_has_a_page(void)
{
	struct oev_audit audit = { .outcome = OEV_UNUSABLE, .reached = -1 };

	snprintf(audit.error, sizeof(audit.error), "no such folder");
	char *text = page_of(&audit);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "no such folder"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "</html>"));
	free(text);
}

/* Counters of others are inputs like the segments; each finished file has its digest. */
static void all_inputs_are_listed_with_their_digest(void)
{
	static const char digest[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
	char path[] = "/tmp/doic-page-XXXXXX";
	struct oev_counters counters = { .path = path, .is_imported = false };
	char *telemetry[] = { path };
	struct oev_audit audit = { .outcome = OEV_UNUSABLE,
				   .reached = -1,
				   .counters = &counters,
				   .counters_count = 1,
				   .telemetry = telemetry,
				   .telemetry_count = 1 };
	int fd = mkstemp(path);

	CU_ASSERT_EQUAL_FATAL(write(fd, "abc", 3), 3);
	close(fd);
	char *text = page_of(&audit);
	unsigned found = 0;
	for (size_t i = 0; text[i] != '\0'; i++)
		found += strncmp(text + i, digest, sizeof(digest) - 1) == 0;
	CU_ASSERT_EQUAL(found, 2);
	unlink(path);
	free(text);
}

static void what_is_not_signed_yet_is_said(void)
{
	struct oev_audit audit = { .outcome = OEV_UNUSABLE,
				   .reached = -1,
				   .integrity = {
					   .is_checked = true, .tail_rows = 12, .tail_us = START_US } };
	char *text = page_of(&audit);

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "12 rows after the last checkpoint are not signed yet"));
	free(text);
}

void test_oev_page_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_page", NULL, NULL);

	CU_add_test(suite, "what evidence says cannot become markup",
		    what_evidence_says_cannot_become_markup);
	CU_add_test(suite, "the same audit gives the same octets", the_same_audit_gives_the_same_octets);
	CU_add_test(suite, "the page stands alone and stays small", the_page_stands_alone_and_stays_small);
	CU_add_test(suite, "what nobody tells breaks the line", what_nobody_tells_breaks_the_line);
	CU_add_test(suite, "scales end in round numbers above the highest",
		    scales_end_in_round_numbers_above_the_highest);
	CU_add_test(suite, "all inputs are listed with their digest",
		    all_inputs_are_listed_with_their_digest);
	CU_add_test(suite, "what is not signed yet is said", what_is_not_signed_yet_is_said);
	CU_add_test(suite, "an audit without anything has a page", an_audit_without_anything_has_a_page);
}
