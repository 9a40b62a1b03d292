/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Report scripts: what an answer carries.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "dt_report.h"

int dt_reports_add(struct dt_reports *reports, const struct dt_report *report)
{
	if (reports->count == DT_REPORTS_MAX)
		return OC_ENOSPC;
	reports->entry[reports->count++] = *report;
	return OC_OK;
}

static bool is_for_peer(const struct dt_report *report)
{
	return report->has_type && report->type == DT_OLR_PEER;
}

/* The algorithms of which a report is one: by what it has, or any when it has both or neither. */
static uint64_t algorithms(const struct dt_report *report)
{
	if (report->has_rate == report->has_reduction)
		return DT_FEATURE_LOSS | DT_FEATURE_RATE;
	return report->has_rate ? DT_FEATURE_RATE : DT_FEATURE_LOSS;
}

static bool is_same(const struct dt_report *a, const struct dt_report *b)
{
	return a->type == b->type && a->app_id == b->app_id && strcmp(a->source, b->source) == 0 &&
	       strcasecmp(a->origin, b->origin) == 0 && (algorithms(a) & algorithms(b));
}

int dt_reports_replace(struct dt_reports *reports, const struct dt_report *report)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < reports->count; i++) {
		bool same = is_same(&reports->entry[i], report);
		if (!same && kept != i)
			reports->entry[kept] = reports->entry[i];
		kept += !same;
	}
	reports->count = kept;
	return dt_reports_add(reports, report);
}

int dt_reports_load(struct dt_reports *reports, const char *path, const char **why, unsigned *line_number)
{
	char line[1024];
	int rc = OC_OK;
	FILE *file = fopen(path, "r");

	*why = "cannot be read";
	*line_number = 0;
	if (!file)
		return OC_EIO;
	while (rc == OC_OK && fgets(line, sizeof(line), file)) {
		struct dt_report report;
		++*line_number;
		line[strcspn(line, "#\r\n")] = '\0';
		if (line[strspn(line, " \t")] == '\0')
			continue;
		rc = dt_report_parse(line, reports->count + 1, &report, why);
		if (rc == OC_OK && (rc = dt_reports_add(reports, &report)) != OC_OK)
			*why = "too many reports";
	}
	fclose(file);
	return rc;
}

/* In force now for that request, whatever was asked for. */
static bool is_in_force(const struct dt_report *report, const struct dt_report_to *to)
{
	bool is_time = to->since_ns >= report->at_ns && to->since_ns - report->at_ns < report->for_ns;
	return is_time && (report->app_id == 0 || report->app_id == to->app_id) &&
	       (report->origin[0] == '\0' || strcasecmp(report->origin, to->origin) == 0);
}

uint64_t dt_reports_select(const struct dt_reports *reports, const struct dt_report_to *to, uint64_t usable,
			   bool for_peer)
{
	uint64_t any = 0, in_force = 0;

	if (!(usable & DT_FEATURE_RATE))
		return DT_FEATURE_LOSS;
	for (uint32_t i = 0; i < reports->count; i++) {
		const struct dt_report *report = &reports->entry[i];
		uint64_t of_report = report->has_rate != report->has_reduction ? algorithms(report) : 0;
		if (is_for_peer(report) != for_peer)
			continue;
		any |= of_report;
		in_force |= is_in_force(report, to) ? of_report : 0;
	}
	uint64_t wanted = in_force ? in_force : any;
	return wanted == DT_FEATURE_LOSS ? DT_FEATURE_LOSS : DT_FEATURE_RATE;
}

bool dt_reports_have_rate(const struct dt_reports *reports)
{
	for (uint32_t i = 0; i < reports->count; i++) {
		if (reports->entry[i].has_rate)
			return true;
	}
	return false;
}

static bool is_for(const struct dt_report *report, const struct dt_report_to *to)
{
	uint64_t algorithm = is_for_peer(report) ? to->peer_algorithm : to->algorithm;
	return is_in_force(report, to) && (to->is_everything || (algorithms(report) & algorithm));
}

static uint64_t sequence_of(const struct dt_report *report, const struct dt_report_to *to)
{
	if (report->share == DT_SHARE_EACH)
		return report->sequence + to->origin_index;
	if (report->share == DT_SHARE_SPLIT && to->origin_count)
		return report->sequence + to->origin_count - 1;
	return report->sequence;
}

static uint32_t rate_of(const struct dt_report *report, const struct dt_report_to *to)
{
	return report->share == DT_SHARE_SPLIT && to->origin_count ? report->rate_rps / to->origin_count
								   : report->rate_rps;
}

/* RFC 7683 section 7.3: sequence number first, report type second, unless swapped on purpose. */
static void put_report(const struct dt_report *report, const struct dt_report_to *to, struct dt_out *out)
{
	const char *source = report->has_source ? report->source : is_for_peer(report) ? to->host : NULL;
	size_t group = dt_group_begin(out, OC_AVP_OLR | DT_OPTIONAL, 0);

	if (report->has_type && report->swapped)
		dt_put_u32(out, OC_AVP_REPORT_TYPE | DT_OPTIONAL, 0, report->type);
	if (report->has_sequence)
		dt_put_u64(out, OC_AVP_SEQUENCE_NUMBER | DT_OPTIONAL, 0, sequence_of(report, to));
	if (report->has_type && !report->swapped)
		dt_put_u32(out, OC_AVP_REPORT_TYPE | DT_OPTIONAL, 0, report->type);
	if (report->has_reduction)
		dt_put_u32(out, OC_AVP_REDUCTION_PERCENTAGE | DT_OPTIONAL, 0, report->reduction_pct);
	if (report->has_validity)
		dt_put_u32(out, OC_AVP_VALIDITY_DURATION | DT_OPTIONAL, 0, report->validity_s);
	if (report->has_rate)
		dt_put_u32(out, OC_AVP_MAXIMUM_RATE | DT_OPTIONAL, 0, rate_of(report, to));
	if (source && source[0])
		dt_put_text(out, OC_AVP_SOURCE_ID | DT_OPTIONAL, 0, source);
	dt_put_raw(out, report->extra, report->extra_len);
	dt_group_end(out, group);
}

void dt_reports_put(const struct dt_reports *reports, const struct dt_report_to *to, struct dt_out *out)
{
	for (uint32_t i = 0; i < reports->count; i++) {
		if (is_for(&reports->entry[i], to))
			put_report(&reports->entry[i], to, out);
	}
}
