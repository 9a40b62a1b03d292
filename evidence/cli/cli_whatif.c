/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic whatif: reads options and policies, has the recorded traffic decided under them, says what would change.
 */
#include "cli_whatif.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../conf/oev_conf_errors.h"
#include "cli_again.h"

const char cli_whatif_help[] =
	"doic whatif /var/lib/doic/evidence --policy next.yaml --window -1h\n\n"
	"Decides the recorded requests again under another policy, with the recorded answers and reports, "
	"and says\n"
	"what would change: per class, per client, per server with its peak, per report. What no record can "
	"tell is\n"
	"said below the tables.\n\n"
	"  --policy F                 the policy document to try\n"
	"  --against running|F        what it is held against: what was recorded (default), or another "
	"document\n"
	"  --since T, --until T       RFC 3339, \"14:00\", \"-10m\", \"now\"; UTC\n"
	"  --window -1h               the last hour the evidence tells of\n"
	"  --node N                   lives of this node only\n"
	"  --json                     one object on stdout, for every outcome\n"
	"  -q, -v                     verdict line only / every client and report\n"
	"  -o, --output F             into a file, never half-written\n"
	"  --color auto|always|never  --progress auto|bar|plain|json|none (stderr)\n\n"
	"exit: 0 done, 2 usage or a policy with a mistake, 3 cannot tell of all, 4 unusable input,\n"
	"      70 bug, 130 interrupted\n"
	"more: man doic-whatif\n";

enum { KEY_POLICY = CLI_AGAIN_OWN, KEY_AGAINST };

const struct argp_option cli_whatif_options[] = {
	{ .name = "policy", .key = KEY_POLICY, .arg = "FILE" },
	{ .name = "against", .key = KEY_AGAINST, .arg = "FILE" },
	{ .name = "since", .key = CLI_AGAIN_SINCE, .arg = "TIME" },
	{ .name = "until", .key = CLI_AGAIN_UNTIL, .arg = "TIME" },
	{ .name = "window", .key = CLI_AGAIN_WINDOW, .arg = "LENGTH" },
	{ .name = "node", .key = CLI_AGAIN_NODE, .arg = "NAME" },
	CLI_LOOK_OPTIONS,
	{ 0 },
};

struct settings {
	struct cli_again again;
	const char *policy_path;
	const char *against_path; /* NULL: running */
	struct oc_policy policy;
	struct oc_policy against;
	bool is_unreadable;
	struct oev_conf_errors mistakes; /* of the first policy that has some */
	const char *mistaken;		 /* its path */
};

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct settings *settings = state->input;

	if (key == KEY_POLICY) {
		settings->policy_path = arg;
		return 0;
	}
	if (key == KEY_AGAINST) {
		settings->against_path = strcmp(arg, "running") == 0 ? NULL : arg;
		return 0;
	}
	return cli_again_take(key, arg, &settings->again);
}

static int read_options(struct settings *settings, int argc, char **argv)
{
	static const struct argp parser = { .options = cli_whatif_options, .parser = take };
	struct cli_again *again = &settings->again;

	cli_look_first(&again->look, argc, argv);
	int rc = cli_parse_options(&parser, argc, argv, settings, again->look.error,
				   sizeof(again->look.error));
	if (rc == CLI_OK)
		rc = cli_again_check(again);
	if (rc != CLI_OK || again->look.help || settings->policy_path != NULL)
		return rc;
	snprintf(again->look.error, sizeof(again->look.error), "name the policy to try (--policy FILE)");
	return CLI_USAGE;
}

/* One mistake is a sentence; of more the object says how many follow it, stderr has each. */
static void say_first(struct settings *settings)
{
	const struct oev_conf_errors *mistakes = &settings->mistakes;
	char text[OEV_CONF_ERROR_MAX], more[40] = "";

	if (mistakes->count == 0)
		return;
	oev_conf_mistake_text(&mistakes->list[0], settings->mistaken, text, sizeof(text));
	if (mistakes->all > 1)
		snprintf(more, sizeof(more), "; and %u more", mistakes->all - 1);
	snprintf(settings->again.look.error, sizeof(settings->again.look.error), "%.460s%s", text, more);
}

static int read_policy(struct settings *settings, const char *path, struct oc_policy *out)
{
	char *text = NULL, error[OEV_CONF_ERROR_MAX];
	size_t len = 0;
	int rc = oev_conf_read_file(path, &text, &len, error);

	settings->is_unreadable |= rc != OC_OK;
	if (rc != OC_OK) {
		snprintf(settings->again.look.error, sizeof(settings->again.look.error), "%s", error);
	} else {
		rc = oev_conf_policy_check(text, len, path, out, &settings->mistakes);
		settings->mistaken = path;
		say_first(settings);
	}
	free(text);
	return rc;
}

static int say(const struct oev_whatif *whatif, const struct settings *settings, double took_s)
{
	const struct cli_again *again = &settings->again;
	struct cli_out out;
	int rc = 0;

	if (cli_out_open(&out, again->look.output) != 0) {
		fprintf(stderr, "doic whatif: %s: cannot be written: %s\n", again->look.output,
			strerror(errno));
		cli_out_close(&out, false);
		return CLI_USAGE;
	}
	if (again->look.json) {
		rc = oev_whatif_json(whatif, CLI_TOOL, took_s, out.file);
	} else {
		struct cli_whatif_view view = { .out = out.file,
						.color = cli_wants_color(again->look.color, &out),
						.quiet = again->look.quiet,
						.verbose = again->look.verbose,
						.took_s = took_s };
		cli_whatif_print(whatif, &view);
	}
	if (cli_out_close(&out, rc == 0) != 0 || rc != 0) {
		fprintf(stderr, "doic: the result could not be written\n");
		return CLI_BUG;
	}
	return oev_whatif_exit(whatif->outcome);
}

/* Every mistake of a policy on a line of its own, as doic check says them. */
static void print_mistakes(const struct settings *settings)
{
	const struct oev_conf_errors *mistakes = &settings->mistakes;
	char text[OEV_CONF_ERROR_MAX];

	for (uint32_t i = 0; i < mistakes->count; i++) {
		oev_conf_mistake_text(&mistakes->list[i], settings->mistaken, text, sizeof(text));
		fprintf(stderr, "doic whatif: %s\n", cli_safe(text));
	}
	if (mistakes->all > mistakes->count)
		fprintf(stderr, "doic whatif: and %u more mistakes\n", mistakes->all - mistakes->count);
}

/* Errors go to stderr in words; with --json also to stdout as the object that every outcome has. */
static int fail(const struct oev_whatif *whatif, const struct settings *settings)
{
	char error[sizeof(whatif->error)];

	snprintf(error, sizeof(error), "%s", whatif->error);
	if (settings->mistakes.count > 0)
		print_mistakes(settings);
	else
		fprintf(stderr, "doic whatif: %s%s\n", cli_safe(error),
			whatif->outcome == OEV_WHATIF_USAGE ? "  (doic whatif --help)"
			: whatif->outcome == OEV_WHATIF_BUG
				? "  (this is a bug: please report it with `doic --version`)"
				: "");
	return settings->again.look.json ? say(whatif, settings, 0) : oev_whatif_exit(whatif->outcome);
}

static int fail_early(struct oev_whatif *whatif, struct settings *settings, enum oev_whatif_outcome outcome)
{
	whatif->outcome = outcome;
	whatif->options = (struct oev_whatif_options){ .lives = cli_again_lives(&settings->again),
						       .policy_name = settings->policy_path,
						       .against_name = settings->against_path };
	snprintf(whatif->error, sizeof(whatif->error), "%s", settings->again.look.error);
	return fail(whatif, settings);
}

static int run(struct oev_whatif *whatif, struct settings *settings)
{
	struct cli_again *again = &settings->again;
	const struct oev_whatif_options what = {
		.lives = cli_again_lives(again),
		.policy_name = settings->policy_path,
		.policy = &settings->policy,
		.against_name = settings->against_path,
		.against = settings->against_path != NULL ? &settings->against : NULL,
	};

	if (read_policy(settings, settings->policy_path, &settings->policy) != OC_OK ||
	    (what.against != NULL &&
	     read_policy(settings, settings->against_path, &settings->against) != OC_OK))
		return fail_early(whatif, settings,
				  settings->is_unreadable ? OEV_WHATIF_UNUSABLE : OEV_WHATIF_USAGE);
	cli_catch_interrupt();
	cli_progress_start(&again->shown, again->look.progress);
	oev_whatif_run(whatif, &what);
	cli_progress_stop(&again->shown);
	if (whatif->outcome == OEV_WHATIF_UNUSABLE || whatif->outcome == OEV_WHATIF_BUG)
		return fail(whatif, settings);
	return say(whatif, settings, cli_now_s() - again->shown.started_s);
}

int cli_whatif(int argc, char **argv)
{
	struct settings *settings = calloc(1, sizeof(*settings));
	struct oev_whatif whatif = { 0 };
	int code = CLI_BUG;

	if (settings == NULL || cli_again_init(&settings->again, argc) != 0) {
		free(settings);
		return code;
	}
	if (read_options(settings, argc, argv) != CLI_OK) {
		code = fail_early(&whatif, settings, OEV_WHATIF_USAGE);
	} else if (settings->again.look.help) {
		fputs(cli_whatif_help, stdout);
		code = CLI_OK;
	} else {
		code = run(&whatif, settings);
	}
	oev_whatif_fini(&whatif);
	cli_again_fini(&settings->again);
	free(settings);
	return code;
}
