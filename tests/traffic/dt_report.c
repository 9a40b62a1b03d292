/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Report scripts.
 */
#include "dt_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dt_net.h"

static int parse_u64(const char *text, uint64_t max, uint64_t *value)
{
	char *end;
	errno = 0;
	unsigned long long parsed = strtoull(text, &end, 0);
	if (*text == '\0' || *text == '-' || *end || errno || parsed > max)
		return OC_EINVAL;
	*value = parsed;
	return OC_OK;
}

static int parse_u32_into(const char *text, uint32_t *value, bool *has)
{
	uint64_t wide = 0;
	int rc = parse_u64(text, UINT32_MAX, &wide);
	if (rc == OC_OK) {
		*value = (uint32_t)wide;
		*has = true;
	}
	return rc;
}

static int parse_type(const char *text, struct dt_report *report)
{
	static const char *const names[] = { "host", "realm", "peer" };
	for (uint32_t i = 0; i < 3; i++) {
		if (strcmp(text, names[i]) == 0) {
			report->type = i;
			report->has_type = true;
			return OC_OK;
		}
	}
	report->has_type = false;
	return strcmp(text, "none") == 0 ? OC_OK : parse_u32_into(text, &report->type, &report->has_type);
}

static int parse_sequence(const char *text, struct dt_report *report)
{
	report->has_sequence = strcmp(text, "none") != 0;
	return report->has_sequence ? parse_u64(text, UINT64_MAX, &report->sequence) : OC_OK;
}

static int parse_source(const char *text, struct dt_report *report)
{
	int len = snprintf(report->source, sizeof(report->source), "%s", text);
	return len > 0 && (size_t)len < sizeof(report->source) ? OC_OK : OC_EINVAL;
}

static int parse_pair(const char *key, const char *value, struct dt_report *report)
{
	if (strcmp(key, "at") == 0)
		return dt_duration_parse(value, &report->at_ns);
	if (strcmp(key, "for") == 0)
		return dt_duration_parse(value, &report->for_ns);
	if (strcmp(key, "type") == 0)
		return parse_type(value, report);
	if (strcmp(key, "seq") == 0)
		return parse_sequence(value, report);
	if (strcmp(key, "pct") == 0)
		return parse_u32_into(value, &report->reduction_pct, &report->has_reduction);
	if (strcmp(key, "validity") == 0)
		return parse_u32_into(value, &report->validity_s, &report->has_validity);
	if (strcmp(key, "rate") == 0)
		return parse_u32_into(value, &report->rate_rps, &report->has_rate);
	if (strcmp(key, "app") == 0)
		return dt_app_parse(value, &report->app_id);
	if (strcmp(key, "source") == 0)
		return parse_source(value, report);
	if (strcmp(key, "extra") == 0)
		return dt_hex_decode(value, report->extra, sizeof(report->extra), &report->extra_len);
	if (strcmp(key, "order") == 0 && strcmp(value, "swapped") == 0) {
		report->swapped = true;
		return OC_OK;
	}
	return OC_ENOENT;
}

/* RFC 7683 section 7.3: sequence number first, report type second, unless swapped on purpose. */
static void encode(struct dt_report *report)
{
	struct dt_out out;
	dt_out_init(&out, report->octets, sizeof(report->octets));
	size_t group = dt_group_begin(&out, OC_AVP_OLR | DT_OPTIONAL, 0);
	if (report->has_type && report->swapped)
		dt_put_u32(&out, OC_AVP_REPORT_TYPE | DT_OPTIONAL, 0, report->type);
	if (report->has_sequence)
		dt_put_u64(&out, OC_AVP_SEQUENCE_NUMBER | DT_OPTIONAL, 0, report->sequence);
	if (report->has_type && !report->swapped)
		dt_put_u32(&out, OC_AVP_REPORT_TYPE | DT_OPTIONAL, 0, report->type);
	if (report->has_reduction)
		dt_put_u32(&out, OC_AVP_REDUCTION_PERCENTAGE | DT_OPTIONAL, 0, report->reduction_pct);
	if (report->has_validity)
		dt_put_u32(&out, OC_AVP_VALIDITY_DURATION | DT_OPTIONAL, 0, report->validity_s);
	if (report->has_rate)
		dt_put_u32(&out, OC_AVP_MAXIMUM_RATE | DT_OPTIONAL, 0, report->rate_rps);
	if (report->source[0])
		dt_put_text(&out, OC_AVP_SOURCE_ID | DT_OPTIONAL, 0, report->source);
	dt_put_raw(&out, report->extra, report->extra_len);
	dt_group_end(&out, group);
	report->octets_len = out.len;
}

int dt_report_parse(const char *line, uint64_t number, struct dt_report *report, const char **why)
{
	char copy[1024];
	char *save = NULL;
	struct dt_report made = {
		.for_ns = UINT64_MAX, .sequence = number, .has_sequence = true, .has_type = true
	};

	*why = "too long";
	if (strlen(line) >= sizeof(copy))
		return OC_EINVAL;
	memcpy(copy, line, strlen(line) + 1);
	char *word = strtok_r(copy, ", \t\r\n", &save);
	if (word && strcmp(word, "report") == 0)
		word = strtok_r(NULL, ", \t\r\n", &save);
	for (; word; word = strtok_r(NULL, ", \t\r\n", &save)) {
		char *equals = strchr(word, '=');
		*why = "expected key=value";
		if (!equals)
			return OC_EINVAL;
		*equals = '\0';
		int rc = parse_pair(word, equals + 1, &made);
		*why = rc == OC_ENOENT ? "unknown key or name" : "bad value";
		if (rc != OC_OK)
			return OC_EINVAL;
	}
	encode(&made);
	*report = made;
	*why = "";
	return OC_OK;
}

int dt_reports_add(struct dt_reports *reports, const struct dt_report *report)
{
	if (reports->count == DT_REPORTS_MAX)
		return OC_ENOSPC;
	reports->entry[reports->count++] = *report;
	return OC_OK;
}

int dt_reports_replace(struct dt_reports *reports, const struct dt_report *report)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < reports->count; i++) {
		const struct dt_report *old = &reports->entry[i];
		bool same = old->type == report->type && old->app_id == report->app_id &&
			    strcmp(old->source, report->source) == 0;
		if (!same && kept != i)
			reports->entry[kept] = *old;
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

void dt_reports_put(const struct dt_reports *reports, uint64_t since_ns, uint32_t app_id, struct dt_out *out)
{
	for (uint32_t i = 0; i < reports->count; i++) {
		const struct dt_report *report = &reports->entry[i];
		bool in_force = since_ns >= report->at_ns && since_ns - report->at_ns < report->for_ns;
		if (in_force && (report->app_id == 0 || report->app_id == app_id))
			dt_put_raw(out, report->octets, report->octets_len);
	}
}
