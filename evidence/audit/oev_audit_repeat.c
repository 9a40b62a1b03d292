/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The command that comes to the same verdict again: every option that decides, with a window that does not move.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../oev_time.h"
#include "oev_audit_parts.h"

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,@+%"

void oev_audit_put_word(const char *word, FILE *out)
{
	if (*word != '\0' && word[strspn(word, PLAIN)] == '\0') {
		fprintf(out, " %s", word);
		return;
	}
	fputs(" '", out);
	for (; *word != '\0'; word++)
		fputs(*word == '\'' ? "'\\''" : (char[]){ *word, '\0' }, out);
	fputc('\'', out);
}

static uint64_t lower(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* What was told before the first segment began, and is carried in it, is part of a window without a beginning. */
static uint64_t first_told(const struct oev_audit *audit)
{
	uint64_t first_us = audit->from_us;

	for (size_t i = 0; i < audit->version_count; i++)
		first_us = lower(first_us, audit->versions[i].from_us);
	for (size_t i = 0; i < audit->report_count; i++)
		first_us = lower(first_us, audit->reports[i].wall_us);
	for (size_t i = 0; i < audit->gap_count; i++)
		first_us = lower(first_us, audit->gaps[i].since_us);
	return first_us;
}

void oev_audit_repeat_window(const struct oev_audit *audit, uint64_t *from_us, uint64_t *until_us)
{
	*from_us = audit->options.from_us;
	*until_us = audit->options.until_us;
	if (audit->segment_count == 0 || audit->until_us == 0)
		return;
	if (*from_us == 0)
		*from_us = first_told(audit);
	if (*until_us == UINT64_MAX && audit->until_us < UINT64_MAX)
		*until_us = audit->until_us + 1; /* the end is not part of a window, the last row is */
}

static void put_option(const char *option, const char *value, FILE *out)
{
	if (value == NULL)
		return;
	fprintf(out, " --%s", option);
	oev_audit_put_word(value, out);
}

static void put_time(const char *option, uint64_t wall_us, FILE *out)
{
	char text[OEV_TIME_TEXT_MAX];

	oev_time_text(wall_us, text);
	put_option(option, text, out);
}

static void put_parts(const struct oev_audit_options *options, FILE *out)
{
	static const struct {
		unsigned parts;
		const char *word;
	} words[] = { { OEV_PART_REDUCTION, "reduction" },
		      { OEV_PART_SCOPE, "scope" },
		      { OEV_PART_RECOVERY, "recovery" } };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (options->parts == words[i].parts)
			put_option("claim", words[i].word, out);
}

static void put_judgement(const struct oev_audit_options *options, FILE *out)
{
	put_parts(options, out);
	if (options->required != OEV_STEP_ARRIVED || (options->parts & OEV_PART_REDUCTION) == 0)
		put_option("require", oev_step_text(options->required), out);
	if (options->strict)
		fputs(" --strict", out);
	put_option("key", options->key, out);
	put_option("checkpoint", options->checkpoint, out);
	for (size_t i = 0; i < options->counters_count; i++)
		put_option("counters", options->counters[i], out);
	if (options->tolerance_ppm != 0)
		fprintf(out, " --tolerance %" PRIu32, options->tolerance_ppm);
	if (options->patience_us != 0 && options->patience_us != OEV_PATIENCE_US)
		fprintf(out, " --patience %.9g", (double)options->patience_us / 1e6);
	if (!options->verify)
		fputs(" --no-verify", out);
}

static void put_filters(const struct oev_audit_options *options, FILE *out)
{
	put_option("host", options->host, out);
	put_option("realm", options->realm, out);
	put_option("node", options->node, out);
	if (options->has_app)
		fprintf(out, " --app %" PRIu32, options->app_id);
}

char *oev_audit_repeat(const struct oev_audit *audit)
{
	const struct oev_audit_options *options = &audit->options;
	uint64_t from_us, until_us;
	char *text = NULL;
	size_t size = 0;

	if (audit->outcome == OEV_USAGE || options->input_count == 0)
		return NULL;
	FILE *out = open_memstream(&text, &size);
	if (out == NULL)
		return NULL;
	fputs("doic audit", out);
	for (size_t i = 0; i < options->input_count; i++)
		oev_audit_put_word(options->inputs[i], out);
	oev_audit_repeat_window(audit, &from_us, &until_us);
	if (from_us != 0)
		put_time("since", from_us, out);
	if (until_us != UINT64_MAX)
		put_time("until", until_us, out);
	put_filters(options, out);
	put_judgement(options, out);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}
