/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic verify: reads options, verifies once or again and again, says the result.
 */
#include "cli_verify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "cli_look.h"

const char cli_verify_help[] =
	"doic verify /var/lib/doic/evidence --key dra-01.key.txt\n\n"
	"Says whether an evidence folder (or one segment of it) is what the recorder wrote: every file, row, "
	"batch\n"
	"and signature is recomputed; what is missing is named. Nothing is written to the folder, and a "
	"folder in\n"
	"use is judged up to its last checkpoint; what follows is counted as open tail.\n\n"
	"  --key F              public key you trust: public-key.txt, fetched from the node or printed on "
	"paper\n"
	"  --checkpoint F       checkpoints kept elsewhere (log server, e-mail): finds a cut end, a "
	"rewritten log\n"
	"  --remember F         compare with F what earlier runs saw, then add the newest checkpoint to it\n"
	"  --accept-unwitnessed exit 0 though nobody outside the folder confirms its key or its end\n"
	"  --deep               also SQLite's own check of each file, and digests of policies\n"
	"  --watch              every 10 s, until something is wrong or Ctrl-C; a line for each change\n"
	"  --json               one object on stdout, for every outcome; with --watch one per line\n"
	"  -q, -v               verdict line only / each segment and finding\n"
	"  -o, --output F       --color auto|always|never   --progress auto|bar|plain|json|none (stderr)\n\n"
	"outcome: intact, unwitnessed, unsealed, leftover, gap, cut, mixed, foreign_key, altered, "
	"not_evidence,\n"
	"         newer_format, unreadable, not_found\n"
	"exit: 0 intact, 1 altered, cut, gap, ..., 2 usage, 3 unwitnessed or unsealed, 4 unusable input, 70 "
	"bug,\n"
	"      130 interrupted\n"
	"more: man doic-verify\n";

#define WATCH_S 10

enum { KEY_KEY = CLI_LOOK_OWN, KEY_CHECKPOINT, KEY_REMEMBER, KEY_ACCEPT, KEY_DEEP, KEY_WATCH };

const struct argp_option cli_verify_options[] = {
	{ .name = "key", .key = KEY_KEY, .arg = "FILE" },
	{ .name = "checkpoint", .key = KEY_CHECKPOINT, .arg = "FILE" },
	{ .name = "remember", .key = KEY_REMEMBER, .arg = "FILE" },
	{ .name = "accept-unwitnessed", .key = KEY_ACCEPT },
	{ .name = "deep", .key = KEY_DEEP },
	{ .name = "watch", .key = KEY_WATCH },
	CLI_LOOK_OPTIONS,
	{ 0 },
};

struct settings {
	struct oev_verify_options verify;
	struct cli_look look;
	struct cli_progress shown;
	unsigned paths;
	bool watch;
};

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct settings *settings = state->input;

	switch (key) {
	case KEY_KEY:
		settings->verify.key = arg;
		return 0;
	case KEY_CHECKPOINT:
		settings->verify.checkpoint = arg;
		return 0;
	case KEY_REMEMBER:
		settings->verify.remember = arg;
		return 0;
	case KEY_ACCEPT:
		settings->verify.accept_unwitnessed = true;
		return 0;
	case KEY_DEEP:
		settings->verify.deep = true;
		return 0;
	case KEY_WATCH:
		settings->watch = true;
		return 0;
	case ARGP_KEY_ARG:
		settings->verify.path = arg;
		settings->paths++;
		return 0;
	default:
		return cli_look_take(&settings->look, key, arg);
	}
}

/* CLI_OK, or CLI_USAGE with look.error. */
static int read_options(struct settings *settings, int argc, char **argv)
{
	static const struct argp parser = { .options = cli_verify_options, .parser = take };
	struct cli_look *look = &settings->look;

	cli_look_first(look, argc, argv);
	int rc = cli_parse_options(&parser, argc, argv, settings, look->error, sizeof(look->error));
	if (rc != CLI_OK || look->help)
		return rc;
	if (settings->paths != 1)
		snprintf(look->error, sizeof(look->error),
			 settings->paths == 0 ? "name an evidence folder" : "name one folder at a time");
	return look->error[0] == '\0' ? CLI_OK : CLI_USAGE;
}

static void on_progress(void *ctx, uint64_t done, uint64_t total, uint64_t rows)
{
	struct settings *settings = ctx;

	(void)rows;
	cli_progress_say(&settings->shown, done, total);
}

static bool on_stop(void *ctx)
{
	(void)ctx;
	return cli_interrupted();
}

static int say(const struct oev_verify_result *result, const struct settings *settings)
{
	const struct cli_look *look = &settings->look;
	struct cli_out out;
	int rc = 0;

	if (cli_out_open(&out, look->output) != 0) {
		fprintf(stderr, "doic verify: %s: cannot be written: %s\n", look->output, strerror(errno));
		cli_out_close(&out, false);
		return CLI_USAGE;
	}
	if (look->json) {
		rc = oev_verify_json(result, CLI_TOOL, out.file, settings->watch);
	} else {
		struct cli_verify_view view = { .out = out.file,
						.color = cli_wants_color(look->color, &out),
						.quiet = look->quiet,
						.verbose = look->verbose };
		cli_verify_print(result, &view);
	}
	if (cli_out_close(&out, rc == 0) != 0 || rc != 0) {
		fprintf(stderr, "doic: the result could not be written\n");
		return CLI_BUG;
	}
	return oev_verify_exit(result->outcome);
}

/* Outcomes about files and options rather than evidence go to stderr in words, so that a pipe shows them. */
static int tell(const struct oev_verify_result *result, const struct settings *settings)
{
	char error[sizeof(result->error)];

	if (result->outcome < OEV_VERIFY_NOT_EVIDENCE)
		return say(result, settings);
	snprintf(error, sizeof(error), "%s", result->error);
	fprintf(stderr, "doic verify: %s%s\n", cli_safe(error),
		result->outcome == OEV_VERIFY_USAGE ? "  (doic verify --help)"
		: result->outcome == OEV_VERIFY_BUG
			? "  (this is a bug: please report it with `doic --version`)"
			: "");
	if (settings->look.json || result->outcome == OEV_VERIFY_INTERRUPTED)
		return say(result, settings);
	return oev_verify_exit(result->outcome);
}

static int once(struct settings *settings)
{
	struct oev_verify_result result;

	cli_progress_start(&settings->shown, settings->look.progress);
	settings->shown.unit = "octets";
	oev_verify_folder(&result, &settings->verify);
	cli_progress_stop(&settings->shown);
	int code = tell(&result, settings);
	oev_verify_fini(&result);
	return code;
}

/* Whether @now is worth a line after @before. */
static bool has_news(const struct oev_verify_result *now, const struct oev_verify_result *before)
{
	return before->findings == NULL || now->outcome != before->outcome ||
	       now->signed_batch != before->signed_batch || now->segment_count != before->segment_count ||
	       now->findings_all != before->findings_all;
}

static void wait_a_while(void)
{
	struct timespec second = { .tv_sec = 1 };

	for (int i = 0; i < WATCH_S && !cli_interrupted(); i++)
		nanosleep(&second, NULL);
}

static int watch(struct settings *settings)
{
	struct oev_verify_result before = { .outcome = OEV_VERIFY_INTACT }, now;
	int code = CLI_OK;

	settings->look.quiet = true;
	settings->verify.memory = oev_verify_memory_new();
	while (!cli_interrupted()) {
		oev_verify_folder(&now, &settings->verify);
		if (cli_interrupted() && now.outcome == OEV_VERIFY_INTERRUPTED) {
			oev_verify_fini(&now);
			break;
		}
		code = has_news(&now, &before) ? tell(&now, settings) : oev_verify_exit(now.outcome);
		oev_verify_fini(&before);
		before = now;
		if (code != CLI_OK && code != CLI_UNSURE)
			break;
		wait_a_while();
	}
	oev_verify_fini(&before);
	oev_verify_memory_free(settings->verify.memory);
	return cli_interrupted() ? CLI_INTERRUPTED : code;
}

/* A usage error as the object every outcome has. */
static int say_usage(const struct settings *settings)
{
	struct oev_verify_result result = { .outcome = OEV_VERIFY_USAGE };

	if (settings->verify.path != NULL)
		snprintf(result.path, sizeof(result.path), "%s", settings->verify.path);
	snprintf(result.error, sizeof(result.error), "%s", settings->look.error);
	return tell(&result, settings);
}

int cli_verify(int argc, char **argv)
{
	struct settings settings = { .verify = { .progress = on_progress, .stop = on_stop } };

	settings.verify.ctx = &settings;
	if (read_options(&settings, argc, argv) != CLI_OK)
		return say_usage(&settings);
	if (settings.look.help) {
		fputs(cli_verify_help, stdout);
		return CLI_OK;
	}
	cli_catch_interrupt();
	return settings.watch ? watch(&settings) : once(&settings);
}
