/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic import-counters: takes what somebody else counted into an evidence folder.
 */
#include <errno.h>
#include <jansson.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../audit/oev_audit.h"
#include "../audit/oev_samples.h"
#include "../oev_time.h"
#include "cli.h"

const char cli_import_counters_help[] =
	"doic import-counters /var/lib/doic/evidence pcrf-2.csv\n\n"
	"Takes a node's own counters into an evidence folder, as a new sealed file beside the segments. doic "
	"audit then holds\n"
	"them against what this side recorded. Nothing else in the folder is touched.\n\n"
	"FILE is CSV (first line: column names) or JSON (a list of objects), one row per node, application "
	"and interval:\n"
	"  time          2026-11-29T14:00:00Z, or seconds, milliseconds or microseconds since 1970: "
	"beginning of the interval\n"
	"  node          Diameter identity; application: a number, or gx rx gy s6a cx swx gxx s9\n"
	"  requests      that arrived in this interval (not: so far)\n"
	"  answers, answers_2xxx (or success), answers_3xxx, busy (3004), answers_4xxx, answers_5xxx, other, "
	"useful,\n"
	"  realm, interval_s                may be left out; the interval then shows in the times\n\n"
	"  --interval SECONDS               of rows without interval_s\n"
	"  --dry-run                        check everything, write nothing\n"
	"  --json                           one object on stdout, for every outcome;  -q: errors only\n\n"
	"exit: 0 done, 1 contradicts an earlier import, 2 usage, 4 unusable input, 70 bug\n"
	"more: man doic-import-counters\n";

enum { KEY_INTERVAL = 256, KEY_DRY_RUN, KEY_JSON, KEY_HELP };

const struct argp_option cli_import_counters_options[] = {
	{ .name = "interval", .key = KEY_INTERVAL, .arg = "SECONDS" },
	{ .name = "dry-run", .key = KEY_DRY_RUN },
	{ .name = "json", .key = KEY_JSON },
	{ .name = "quiet", .key = 'q' },
	{ .name = "help", .key = KEY_HELP },
	{ 0 },
};

struct settings {
	const char **inputs; /* the folder first */
	size_t input_count;
	uint64_t interval_us;
	bool dry_run, json, quiet, help;
	char error[512];
};

static error_t take_interval(struct settings *settings, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (text[0] < '0' || text[0] > '9' || *end != '\0' || !(value >= 0.001 && value <= 86400)) {
		snprintf(settings->error, sizeof(settings->error),
			 "--interval \"%.40s\" is no number of seconds, 0.001 to 86400", text);
		return EINVAL;
	}
	settings->interval_us = (uint64_t)(value * 1e6 + 0.5);
	return 0;
}

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct settings *settings = state->input;

	switch (key) {
	case KEY_INTERVAL:
		return take_interval(settings, arg);
	case KEY_DRY_RUN:
		settings->dry_run = true;
		return 0;
	case KEY_JSON:
		settings->json = true;
		return 0;
	case 'q':
		settings->quiet = true;
		return 0;
	case KEY_HELP:
		settings->help = true;
		return 0;
	case ARGP_KEY_ARG:
		settings->inputs[settings->input_count++] = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int read_options(struct settings *settings, int argc, char **argv)
{
	static const struct argp parser = { .options = cli_import_counters_options, .parser = take };

	for (int i = 1; i < argc; i++) /* even a usage error is said in JSON when JSON was asked for */
		settings->json |= strcmp(argv[i], "--json") == 0;
	int rc = cli_parse_options(&parser, argc, argv, settings, settings->error, sizeof(settings->error));
	if (rc == CLI_OK && !settings->help && settings->input_count < 2) {
		snprintf(settings->error, sizeof(settings->error),
			 "name an evidence folder and at least one file of counters");
		rc = CLI_USAGE;
	}
	return rc;
}

/* Counters without segments beside them would never be read. */
static int check_folder(struct oev_samples *samples, const char *folder)
{
	char **paths = NULL;
	size_t count = 0;
	int rc = oev_paths_list(folder, "seg-", ".db", &paths, &count);

	oev_paths_free(paths, count);
	if (rc == OC_EIO)
		snprintf(samples->error, sizeof(samples->error), "%s: %s", folder, strerror(errno));
	else if (rc == OC_OK && count == 0)
		snprintf(samples->error, sizeof(samples->error), "%s: no segment (seg-*.db) in this folder",
			 folder);
	return rc == OC_OK && count == 0 ? OC_ENOENT : rc;
}

static int import(struct oev_samples *samples, const struct settings *settings)
{
	const char *folder = settings->inputs[0];
	const struct passwd *user = getpwuid(getuid());
	struct timespec now;
	int rc = check_folder(samples, folder);

	samples->derived_us = settings->interval_us;
	for (size_t i = 1; rc == OC_OK && i < settings->input_count; i++)
		rc = oev_samples_read(samples, settings->inputs[i]);
	if (rc == OC_OK)
		rc = oev_samples_check(samples);
	if (rc == OC_OK)
		rc = oev_samples_compare(samples, folder);
	if (rc != OC_OK || settings->dry_run)
		return rc;
	clock_gettime(CLOCK_REALTIME, &now);
	return oev_samples_store(samples, folder, CLI_TOOL, user != NULL ? user->pw_name : "?",
				 (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u);
}

/* Times and nodes of what is new. */
struct summary {
	uint64_t from_us, until_us;
	size_t nodes;
};

static struct summary sum_up(const struct oev_samples *samples)
{
	struct summary sum = { .from_us = samples->count > 0 ? UINT64_MAX : 0 };

	for (size_t i = 0; i < samples->count; i++) {
		const struct oev_sample *at = &samples->items[i];
		sum.nodes += i == 0 || at[-1].node != at->node;
		sum.from_us = at->start_us < sum.from_us ? at->start_us : sum.from_us;
		if (at->start_us + at->span_us > sum.until_us)
			sum.until_us = at->start_us + at->span_us;
	}
	return sum;
}

static void print_sources(const struct oev_samples *samples)
{
	for (size_t i = 0; i < samples->source_count; i++) {
		const struct oev_sample_source *source = &samples->sources[i];
		char number[32], number2[32];
		printf("  %s: %s row%s, times as %s", source->path, oev_number_text(source->rows, number),
		       source->rows == 1 ? "" : "s", oev_time_unit_text(source->unit));
		if (source->duplicates > 0)
			printf(", %s said twice", oev_number_text(source->duplicates, number2));
		printf("\n");
	}
	if (samples->known > 0)
		printf("  %llu row%s here already\n", (unsigned long long)samples->known,
		       samples->known == 1 ? " was" : "s were");
}

static void print_text(const struct oev_samples *samples, const struct settings *settings)
{
	struct summary sum = sum_up(samples);
	char number[32], from[OEV_TIME_TEXT_MAX], until[OEV_TIME_TEXT_MAX];

	if (samples->count == 0) {
		printf("nothing new: every row was here already\n");
	} else {
		oev_time_text(sum.from_us, from);
		oev_time_text(sum.until_us, until);
		printf("%s %s row%s of %zu node%s, %s to %s%s%s\n",
		       settings->dry_run ? "could import" : "imported",
		       oev_number_text(samples->count, number), samples->count == 1 ? "" : "s", sum.nodes,
		       sum.nodes == 1 ? "" : "s", from, until, samples->stored[0] != '\0' ? ", into " : "",
		       samples->stored);
	}
	print_sources(samples);
}

static const char *outcome_of(int rc, const struct oev_samples *samples, const struct settings *settings)
{
	if (rc == OC_OK)
		return samples->count == 0 ? "nothing_new" : settings->dry_run ? "importable" : "imported";
	return rc == OC_EREFUSED ? "contradicts" : rc == OC_EINVAL ? "usage" : "unusable";
}

static json_t *sources_json(const struct oev_samples *samples)
{
	json_t *list = json_array();

	for (size_t i = 0; i < samples->source_count; i++) {
		const struct oev_sample_source *source = &samples->sources[i];
		json_array_append_new(
			list, json_pack("{s:s*, s:s, s:s, s:s, s:I, s:I}", "path", source->path, "sha256",
					source->sha256, "format", source->is_json ? "json" : "csv", "times",
					oev_time_unit_text(source->unit), "rows", (json_int_t)source->rows,
					"duplicates", (json_int_t)source->duplicates));
	}
	return list;
}

static json_t *time_json(uint64_t wall_us)
{
	char text[OEV_TIME_TEXT_MAX];

	if (wall_us == 0)
		return json_null();
	oev_time_text(wall_us, text);
	return json_string(text);
}

static void print_json(int rc, int code, const struct oev_samples *samples, const struct settings *settings,
		       const char *error)
{
	struct summary sum = sum_up(samples);
	json_t *root = json_pack(
		"{s:s, s:s, s:s, s:i, s:o, s:o, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "schema",
		"doic.import-counters/1", "tool", CLI_TOOL, "outcome", outcome_of(rc, samples, settings),
		"exit", code, "folder",
		settings->input_count > 0 ? json_string(settings->inputs[0]) : json_null(), "stored",
		samples->stored[0] != '\0' ? json_string(samples->stored) : json_null(), "rows",
		rc == OC_OK ? (json_int_t)samples->count : 0, "known", (json_int_t)samples->known, "nodes",
		(json_int_t)sum.nodes, "since", time_json(sum.from_us), "until", time_json(sum.until_us),
		"sources", sources_json(samples), "error",
		error[0] != '\0' ? json_string(error) : json_null());

	if (root != NULL && json_dumpf(root, stdout, JSON_INDENT(1)) == 0)
		printf("\n");
	json_decref(root);
}

static int finish(int rc, const struct oev_samples *samples, const struct settings *settings)
{
	int code = rc == OC_OK	       ? CLI_OK
		   : rc == OC_EREFUSED ? CLI_NO
		   : rc == OC_EINVAL   ? CLI_USAGE
		   : rc == OC_ENOMEM   ? CLI_BUG
				       : CLI_INPUT;
	char error[sizeof(samples->error)];

	snprintf(error, sizeof(error), "%s", rc == OC_EINVAL ? settings->error : samples->error);
	if (code != CLI_OK)
		fprintf(stderr, "doic import-counters: %s%s\n", cli_safe(error),
			code == CLI_USAGE ? "  (doic import-counters --help)" : "");
	if (settings->json)
		print_json(rc, code, samples, settings, error);
	else if (code == CLI_OK && !settings->quiet)
		print_text(samples, settings);
	return code;
}

int cli_import_counters(int argc, char **argv)
{
	struct settings settings = { .inputs = calloc((size_t)argc + 1, sizeof(char *)) };
	struct oev_samples samples = { 0 };
	int code = CLI_BUG;

	if (settings.inputs == NULL)
		return code;
	if (read_options(&settings, argc, argv) != CLI_OK) {
		code = finish(OC_EINVAL, &samples, &settings);
	} else if (settings.help) {
		fputs(cli_import_counters_help, stdout);
		code = CLI_OK;
	} else {
		code = finish(import(&samples, &settings), &samples, &settings);
	}
	oev_samples_fini(&samples);
	free(settings.inputs);
	return code;
}
