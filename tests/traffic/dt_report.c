/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Report scripts: parsing.
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

static int parse_name(const char *text, char *name)
{
	size_t len = strlen(text);
	if (len == 0 || len >= DT_NAME_MAX)
		return OC_EINVAL;
	memcpy(name, text, len + 1);
	return OC_OK;
}

static int parse_source(const char *text, struct dt_report *report)
{
	report->has_source = true;
	return strcmp(text, "none") == 0 ? OC_OK : parse_name(text, report->source);
}

static int parse_rate(char *text, struct dt_report *report)
{
	char *slash = strchr(text, '/');
	if (slash) {
		*slash++ = '\0';
		report->share = strcmp(slash, "split") == 0 ? DT_SHARE_SPLIT : DT_SHARE_EACH;
		if (report->share == DT_SHARE_EACH && strcmp(slash, "origin") != 0)
			return OC_EINVAL;
	}
	return parse_u32_into(text, &report->rate_rps, &report->has_rate);
}

static int parse_extra(const char *text, struct dt_report *report)
{
	size_t len = 0;
	int rc = dt_hex_decode(text, report->extra + report->extra_len,
			       sizeof(report->extra) - report->extra_len, &len);
	report->extra_len += len;
	return rc;
}

static int parse_specific(const char *text, struct dt_report *report)
{
	struct dt_out out;
	dt_out_init(&out, report->extra + report->extra_len, sizeof(report->extra) - report->extra_len);
	int rc = dt_report_specific(text, &out);
	report->extra_len += rc == OC_OK ? out.len : 0;
	return rc;
}

static int parse_pair(const char *key, char *value, struct dt_report *report)
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
		return parse_rate(value, report);
	if (strcmp(key, "app") == 0)
		return dt_app_parse(value, &report->app_id);
	if (strcmp(key, "source") == 0)
		return parse_source(value, report);
	if (strcmp(key, "origin") == 0)
		return parse_name(value, report->origin);
	if (strcmp(key, "extra") == 0)
		return parse_extra(value, report);
	if (strcmp(key, "specific") == 0)
		return parse_specific(value, report);
	if (strcmp(key, "order") == 0 && strcmp(value, "swapped") == 0) {
		report->swapped = true;
		return OC_OK;
	}
	return OC_ENOENT;
}

/* The next pair of *@rest, which moves on; NULL at the end. A comma ends a pair only before another pair: what follows
 * without '=' is the rest of a list. */
static char *next_pair(char **rest)
{
	char *pair = *rest + strspn(*rest, ", \t\r\n");
	char *end = pair;

	if (*pair == '\0')
		return NULL;
	for (;;) {
		end += strcspn(end, ", \t\r\n");
		size_t more = *end == ',' ? strcspn(end + 1, ", \t\r\n") : 0;
		if (more == 0 || memchr(end + 1, '=', more))
			break;
		end += 1 + more;
	}
	*rest = *end ? end + 1 : end;
	*end = '\0';
	return pair;
}

int dt_report_parse(const char *line, uint64_t number, struct dt_report *report, const char **why)
{
	char copy[1024];
	char *rest = copy;
	struct dt_report made = {
		.for_ns = UINT64_MAX, .sequence = number, .has_sequence = true, .has_type = true
	};

	*why = "too long";
	if (strlen(line) >= sizeof(copy))
		return OC_EINVAL;
	memcpy(copy, line, strlen(line) + 1);
	char *pair = next_pair(&rest);
	if (pair && strcmp(pair, "report") == 0)
		pair = next_pair(&rest);
	for (; pair; pair = next_pair(&rest)) {
		char *equals = strchr(pair, '=');
		*why = "expected key=value";
		if (!equals)
			return OC_EINVAL;
		*equals = '\0';
		int rc = parse_pair(pair, equals + 1, &made);
		*why = rc == OC_ENOENT ? "a key or a name in it is unknown (docs/traffic.md lists the keys)"
				       : "a value in it is not one of its key";
		if (rc != OC_OK)
			return OC_EINVAL;
	}
	*report = made;
	*why = "";
	return OC_OK;
}
