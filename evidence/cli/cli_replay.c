/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic replay: reads options, does the decisions again, says whether they came out the same.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli_again.h"
#include "cli_replay.h"

const char cli_replay_help[] =
	"doic replay /var/lib/doic/evidence --window -1h\n\n"
	"Makes every recorded decision again, from the recorded requests, answers and reports and with the "
	"recorded\n"
	"chance, and says whether each came out the same, or the first that did not with all that went into "
	"it.\n\n"
	"  --since T, --until T       RFC 3339, \"14:00\", \"-10m\", \"now\"; UTC. What lies before is done "
	"again too,\n"
	"                             for the state, but not compared\n"
	"  --window -1h               the last hour the evidence tells of\n"
	"  --node N                   lives of this node only\n"
	"  --stop-at-first            end at the first difference\n"
	"  --json                     one object on stdout, for every outcome\n"
	"  -q, -v                     verdict line only / the first 20 differences, each life\n"
	"  -o, --output F             into a file, never half-written\n"
	"  --color auto|always|never  --progress auto|bar|plain|json|none (stderr)\n\n"
	"exit: 0 identical, 1 differs, 2 usage, 3 cannot tell, 4 unusable input, 70 bug, 130 interrupted\n"
	"more: man doic-replay\n";

enum { KEY_STOP = CLI_AGAIN_OWN };

const struct argp_option cli_replay_options[] = {
	{ .name = "since", .key = CLI_AGAIN_SINCE, .arg = "TIME" },
	{ .name = "until", .key = CLI_AGAIN_UNTIL, .arg = "TIME" },
	{ .name = "window", .key = CLI_AGAIN_WINDOW, .arg = "LENGTH" },
	{ .name = "node", .key = CLI_AGAIN_NODE, .arg = "NAME" },
	{ .name = "stop-at-first", .key = KEY_STOP },
	CLI_LOOK_OPTIONS,
	{ 0 },
};

struct settings {
	struct cli_again again;
	bool stop_at_first;
};

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct settings *settings = state->input;

	if (key == KEY_STOP) {
		settings->stop_at_first = true;
		return 0;
	}
	return cli_again_take(key, arg, &settings->again);
}

static int read_options(struct settings *settings, int argc, char **argv)
{
	static const struct argp parser = { .options = cli_replay_options, .parser = take };
	struct cli_again *again = &settings->again;

	cli_look_first(&again->look, argc, argv);
	int rc = cli_parse_options(&parser, argc, argv, settings, again->look.error,
				   sizeof(again->look.error));
	return rc == CLI_OK ? cli_again_check(again) : rc;
}

static int say(const struct oev_replay *replay, const struct settings *settings, double took_s)
{
	const struct cli_again *again = &settings->again;
	struct cli_out out;
	int rc = 0;

	if (cli_out_open(&out, again->look.output) != 0) {
		fprintf(stderr, "doic replay: %s: cannot be written: %s\n", again->look.output,
			strerror(errno));
		cli_out_close(&out, false);
		return CLI_USAGE;
	}
	if (again->look.json) {
		rc = oev_replay_json(replay, CLI_TOOL, took_s, out.file);
	} else {
		struct cli_replay_view view = { .out = out.file,
						.color = cli_wants_color(again->look.color, &out),
						.quiet = again->look.quiet,
						.verbose = again->look.verbose,
						.took_s = took_s };
		cli_replay_print(replay, &view);
	}
	if (cli_out_close(&out, rc == 0) != 0 || rc != 0) {
		fprintf(stderr, "doic: the result could not be written\n");
		return CLI_BUG;
	}
	return oev_replay_exit(replay->outcome);
}

/* Errors go to stderr in words; with --json also to stdout as the object that every outcome has. */
static int fail(const struct oev_replay *replay, const struct settings *settings)
{
	char error[sizeof(replay->error)];

	snprintf(error, sizeof(error), "%s", replay->error);
	fprintf(stderr, "doic replay: %s%s\n", cli_safe(error),
		replay->outcome == OEV_REPLAY_USAGE ? "  (doic replay --help)"
		: replay->outcome == OEV_REPLAY_BUG
			? "  (this is a bug: please report it with `doic --version`)"
			: "");
	return settings->again.look.json ? say(replay, settings, 0) : oev_replay_exit(replay->outcome);
}

static int run(struct oev_replay *replay, struct settings *settings)
{
	struct cli_again *again = &settings->again;
	const struct oev_replay_options what = { .lives = cli_again_lives(again),
						 .version = DOIC_VERSION,
						 .stop_at_first = settings->stop_at_first };

	cli_catch_interrupt();
	cli_progress_start(&again->shown, again->look.progress);
	oev_replay_run(replay, &what);
	cli_progress_stop(&again->shown);
	if (replay->outcome == OEV_REPLAY_UNUSABLE || replay->outcome == OEV_REPLAY_BUG)
		return fail(replay, settings);
	return say(replay, settings, cli_now_s() - again->shown.started_s);
}

int cli_replay(int argc, char **argv)
{
	struct settings settings = { 0 };
	struct oev_replay replay = { 0 };
	int code = CLI_BUG;

	if (cli_again_init(&settings.again, argc) != 0)
		return code;
	if (read_options(&settings, argc, argv) != CLI_OK) {
		replay.outcome = OEV_REPLAY_USAGE;
		replay.options.lives = cli_again_lives(&settings.again);
		snprintf(replay.error, sizeof(replay.error), "%s", settings.again.look.error);
		code = fail(&replay, &settings);
	} else if (settings.again.look.help) {
		fputs(cli_replay_help, stdout);
		code = CLI_OK;
	} else {
		code = run(&replay, &settings);
	}
	oev_replay_fini(&replay);
	cli_again_fini(&settings.again);
	return code;
}
