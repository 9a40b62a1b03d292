/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The list of findings.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oev_verify_parts.h"

struct oev_verify_finding *oev_verify_find(struct oev_verify_run *run, struct oev_verify_work *work,
					   enum oev_verify_outcome outcome, enum oev_verify_kind kind,
					   const char *format, ...)
{
	struct oev_verify_result *result = run->result;
	va_list args;

	/* The place behind the last takes all that have no room, and is not counted in finding_count; but
	 * what decides the outcome is listed. */
	bool is_full = result->finding_count == OEV_VERIFY_FINDINGS_MAX, is_worst = outcome > run->worst;
	struct oev_verify_finding *finding = &result->findings[result->finding_count - (is_full && is_worst)];
	*finding = (struct oev_verify_finding){ .outcome = outcome, .kind = kind };
	result->finding_count += !is_full;
	result->findings_all++;
	if (is_worst)
		run->worst = outcome;
	va_start(args, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): started in the line above */
	vsnprintf(finding->what, sizeof(finding->what), format, args);
	va_end(args);
	for (char *c = finding->what; *c != '\0'; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	if (work == NULL)
		return finding;
	snprintf(finding->segment, sizeof(finding->segment), "%s", work->segment->name);
	if (outcome > work->segment->outcome)
		work->segment->outcome = outcome;
	return finding;
}

void oev_verify_find_batch(struct oev_verify_finding *finding, const struct oev_verify_work *work,
			   uint64_t batch, uint64_t wall_us)
{
	finding->batch = batch;
	finding->wall_us = wall_us;
	finding->good_batch = work->good_batch;
	finding->good_us = work->good_us;
	finding->good_rows = work->good_rows;
}

void oev_verify_find_row(struct oev_verify_finding *finding, const char *table, int64_t row)
{
	snprintf(finding->table, sizeof(finding->table), "%s", table);
	finding->row = row;
	finding->has_row = true;
}

/* Findings without a batch speak of the whole file: behind the others. */
static uint64_t place(const struct oev_verify_finding *finding)
{
	return finding->batch != 0 ? finding->batch : UINT64_MAX;
}

void oev_verify_find_sort(struct oev_verify_run *run, size_t first)
{
	struct oev_verify_finding *findings = run->result->findings;

	for (size_t i = first + 1; i < run->result->finding_count;
	     i++) { /* few, and their order otherwise stays */
		struct oev_verify_finding moved = findings[i];
		size_t at = i;
		for (; at > first && place(&findings[at - 1]) > place(&moved); at--)
			findings[at] = findings[at - 1];
		findings[at] = moved;
	}
}

const struct oev_verify_finding *oev_verify_first(const struct oev_verify_result *result)
{
	for (size_t i = 0; i < result->finding_count; i++)
		if (result->findings[i].outcome == result->outcome)
			return &result->findings[i];
	return NULL;
}

bool oev_verify_go_on(struct oev_verify_run *run, uint64_t bytes)
{
	const struct oev_verify_options *options = run->options;

	run->done_bytes += bytes;
	if (options->progress != NULL)
		options->progress(options->ctx, run->done_bytes, run->total_bytes, run->result->rows);
	if (options->stop != NULL && options->stop(options->ctx))
		run->is_stopped = true;
	return !run->is_stopped;
}

char *oev_verify_join(const char *a, const char *b)
{
	size_t size = strlen(a) + strlen(b) + 1;
	char *text = malloc(size);

	if (text != NULL)
		snprintf(text, size, "%s%s", a, b);
	return text;
}
