/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic audit: reads options, runs the audit, says the result.
 */
#include "cli_audit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../agent/oc_err.h"
#include "../oev_time.h"
#include "cli.h"

const char cli_audit_help[] =
	"doic audit /var/lib/doic/evidence --since 13:59 --until 14:04\n\n"
	"Says what an evidence folder (or segments of it) proves about each overload report: that it was "
	"asked,\n"
	"held, selected, that the rest arrived, and was useful. Stops at the first step without a "
	"receipt.\n\n"
	"  --host H, --realm R, --app A     only these (A: number, gx, s6a, ... as doic ctl); --node N: "
	"recorded by N\n"
	"  --since T, --until T             also --from, --to: RFC 3339, \"14:00\", \"-10m\", \"now\"; UTC\n"
	"  --claim reduction|scope|recovery|all   which parts count (default all)\n"
	"  --require STEP                   asked, held, selected, arrived (default) or useful\n"
	"  --strict                         integrity and arrivals must have a witness outside this node's "
	"word\n"
	"  --key FILE, --checkpoint FILE    that witness: a public key you trust, checkpoints kept elsewhere "
	"(doic "
	"verify)\n"
	"  --counters FILE                  a server's or client's own counts (repeatable); "
	"FOLDER/counters/*.json and\n"
	"                                   imports (doic import-counters) are taken by themselves\n"
	"  --tolerance PPM                  how far counters may be apart (0)\n"
	"  --patience SECONDS               an answer after that is not useful (10)\n"
	"  --no-verify                      do not ask whether the evidence is as it was written (faster)\n"
	"  --json                           one object on stdout, for every outcome\n"
	"  --html F                         also one page with tables and pictures, for people (--report F)\n"
	"  -q, -v                           verdict line only / everything\n"
	"  -o, --output F                   into a file, never half-written\n"
	"  --color auto|always|never        --progress auto|bar|plain|json|none (stderr)\n\n"
	"exit: 0 holds, 1 refuted, 2 usage, 3 cannot tell, 4 unusable input, 70 bug, 130 interrupted\n"
	"more: man doic-audit\n";

enum {
	KEY_HOST = 256,
	KEY_REALM,
	KEY_APP,
	KEY_SINCE,
	KEY_UNTIL,
	KEY_NODE,
	KEY_CLAIM,
	KEY_REQUIRE,
	KEY_TOLERANCE,
	KEY_COUNTERS,
	KEY_PATIENCE,
	KEY_STRICT,
	KEY_NO_VERIFY,
	KEY_KEY,
	KEY_CHECKPOINT,
	KEY_JSON,
	KEY_HTML,
	KEY_COLOR,
	KEY_PROGRESS,
	KEY_HELP
};

const struct argp_option cli_audit_options[] = {
	{ .name = "host", .key = KEY_HOST, .arg = "NAME" },
	{ .name = "realm", .key = KEY_REALM, .arg = "NAME" },
	{ .name = "app", .key = KEY_APP, .arg = "ID" },
	{ .name = "since", .key = KEY_SINCE, .arg = "TIME" },
	{ .name = "from", .key = KEY_SINCE, .arg = "TIME" },
	{ .name = "until", .key = KEY_UNTIL, .arg = "TIME" },
	{ .name = "to", .key = KEY_UNTIL, .arg = "TIME" },
	{ .name = "node", .key = KEY_NODE, .arg = "NAME" },
	{ .name = "claim", .key = KEY_CLAIM, .arg = "PART" },
	{ .name = "require", .key = KEY_REQUIRE, .arg = "STEP" },
	{ .name = "tolerance", .key = KEY_TOLERANCE, .arg = "PPM" },
	{ .name = "counters", .key = KEY_COUNTERS, .arg = "FILE" },
	{ .name = "patience", .key = KEY_PATIENCE, .arg = "SECONDS" },
	{ .name = "strict", .key = KEY_STRICT },
	{ .name = "key", .key = KEY_KEY, .arg = "FILE" },
	{ .name = "checkpoint", .key = KEY_CHECKPOINT, .arg = "FILE" },
	{ .name = "no-verify", .key = KEY_NO_VERIFY },
	{ .name = "json", .key = KEY_JSON },
	{ .name = "html", .key = KEY_HTML, .arg = "FILE" },
	{ .name = "report", .key = KEY_HTML, .arg = "FILE" },
	{ .name = "quiet", .key = 'q' },
	{ .name = "verbose", .key = 'v' },
	{ .name = "output", .key = 'o', .arg = "FILE" },
	{ .name = "color", .key = KEY_COLOR, .arg = "WHEN" },
	{ .name = "progress", .key = KEY_PROGRESS, .arg = "KIND" },
	{ .name = "help", .key = KEY_HELP },
	{ 0 },
};

struct settings {
	struct oev_audit_options audit;
	const char **inputs;
	const char **counters;
	const char *output;
	const char *html;
	uint64_t now_us;
	unsigned color;
	unsigned progress;
	bool json, quiet, verbose, help, required_given;
	struct cli_progress shown;
	char error[512];
};

/* Position of @word in @words, or an error that lists them. */
static int take_word(struct settings *settings, const char *option, const char *word,
		     const char *const *words, unsigned *out)
{
	size_t at = (size_t)snprintf(settings->error, sizeof(settings->error), "--%s \"%s\" is none of",
				     option, word);

	for (unsigned i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], word) == 0) {
			settings->error[0] = '\0';
			*out = i;
			return 0;
		}
		if (at < sizeof(settings->error))
			at += (size_t)snprintf(settings->error + at, sizeof(settings->error) - at, " %s",
					       words[i]);
	}
	return EINVAL;
}

static int take_time(struct settings *settings, const char *text, uint64_t *out)
{
	int rc = oev_time_parse(text, settings->now_us, out);

	if (rc == OC_OK)
		return 0;
	snprintf(settings->error, sizeof(settings->error),
		 "\"%s\" is no time (%s); write 2026-11-29T14:00:00Z, 14:00, -10m or now", text,
		 oc_err_text(rc));
	return EINVAL;
}

static int take_tolerance(struct settings *settings, const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (text[0] < '0' || text[0] > '9' || *end != '\0' || value > 1000000) {
		snprintf(settings->error, sizeof(settings->error),
			 "--tolerance \"%s\" is no number from 0 to 1000000 (parts per million)", text);
		return EINVAL;
	}
	settings->audit.tolerance_ppm = (uint32_t)value;
	return 0;
}

static int take_patience(struct settings *settings, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (text[0] < '0' || text[0] > '9' || *end != '\0' || !(value >= 0.001 && value <= 3600)) {
		snprintf(settings->error, sizeof(settings->error),
			 "--patience \"%s\" is no number of seconds, 0.001 to 3600", text);
		return EINVAL;
	}
	settings->audit.patience_us = (uint64_t)(value * 1e6 + 0.5);
	return 0;
}

static int take_app(struct settings *settings, const char *text)
{
	settings->audit.has_app = true;
	if (oev_app_parse(text, &settings->audit.app_id) == OC_OK)
		return 0;
	snprintf(settings->error, sizeof(settings->error),
		 "--app \"%s\" is no number and none of gx rx gy s6a cx swx gxx s9", text);
	return EINVAL;
}

static int take_claim(struct settings *settings, const char *text)
{
	static const char *const words[] = { "reduction", "scope", "recovery", "all", NULL };
	static const unsigned parts[] = { OEV_PART_REDUCTION, OEV_PART_SCOPE, OEV_PART_RECOVERY,
					  OEV_PART_ALL };
	unsigned at = 0;
	int rc = take_word(settings, "claim", text, words, &at);

	settings->audit.parts = parts[at];
	return rc;
}

static int take_step(struct settings *settings, const char *text)
{
	static const char *const words[] = { "asked", "held", "selected", "arrived", "useful", NULL };
	unsigned at = 0;
	int rc = take_word(settings, "require", text, words, &at);

	settings->audit.required = (enum oev_step)at;
	settings->required_given = true;
	return rc;
}

static error_t take_look(int key, char *arg, struct settings *settings)
{
	static const char *const colors[] = { "auto", "always", "never", NULL };
	static const char *const progress[] = { "auto", "bar", "plain", "json", "none", NULL };

	switch (key) {
	case KEY_JSON:
		settings->json = true;
		return 0;
	case KEY_HTML:
		settings->html = arg;
		return 0;
	case 'q':
		settings->quiet = true;
		return 0;
	case 'v':
		settings->verbose = true;
		return 0;
	case 'o':
		settings->output = arg;
		return 0;
	case KEY_HELP:
		settings->help = true;
		return 0;
	case KEY_COLOR:
		return take_word(settings, "color", arg, colors, &settings->color);
	case KEY_PROGRESS:
		return take_word(settings, "progress", arg, progress, &settings->progress);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct settings *settings = state->input;

	switch (key) {
	case KEY_HOST:
		settings->audit.host = arg;
		return 0;
	case KEY_REALM:
		settings->audit.realm = arg;
		return 0;
	case KEY_NODE:
		settings->audit.node = arg;
		return 0;
	case KEY_APP:
		return take_app(settings, arg);
	case KEY_SINCE:
		return take_time(settings, arg, &settings->audit.from_us);
	case KEY_UNTIL:
		return take_time(settings, arg, &settings->audit.until_us);
	case KEY_CLAIM:
		return take_claim(settings, arg);
	case KEY_REQUIRE:
		return take_step(settings, arg);
	case KEY_TOLERANCE:
		return take_tolerance(settings, arg);
	case KEY_PATIENCE:
		return take_patience(settings, arg);
	case KEY_STRICT:
		settings->audit.strict = true;
		return 0;
	case KEY_NO_VERIFY:
		settings->audit.verify = false;
		return 0;
	case KEY_KEY:
		settings->audit.key = arg;
		return 0;
	case KEY_CHECKPOINT:
		settings->audit.checkpoint = arg;
		return 0;
	case KEY_COUNTERS:
		settings->counters[settings->audit.counters_count++] = arg;
		return 0;
	case ARGP_KEY_ARG:
		settings->inputs[settings->audit.input_count++] = arg;
		return 0;
	default:
		return take_look(key, arg, settings);
	}
}

/* Fills @settings; CLI_USAGE with settings->error otherwise. */
static int read_options(struct settings *settings, int argc, char **argv)
{
	static const struct argp parser = { .options = cli_audit_options, .parser = take };

	for (int i = 1; i < argc; i++) /* even a usage error is said in JSON when JSON was asked for */
		settings->json |= strcmp(argv[i], "--json") == 0;
	int rc = cli_parse_options(&parser, argc, argv, settings, settings->error, sizeof(settings->error));
	if (rc != CLI_OK)
		return rc;
	if (settings->help)
		return CLI_OK;
	if (settings->audit.input_count == 0)
		snprintf(settings->error, sizeof(settings->error), "name an evidence folder or segments");
	else if (settings->audit.from_us >= settings->audit.until_us)
		snprintf(settings->error, sizeof(settings->error),
			 "the window is empty: --since is not before --until");
	else if (!settings->audit.verify &&
		 (settings->audit.key != NULL || settings->audit.checkpoint != NULL))
		snprintf(settings->error, sizeof(settings->error),
			 "--key and --checkpoint are of no use with --no-verify");
	/* arrivals say nothing about scope or recovery */
	if (!settings->required_given && (settings->audit.parts & OEV_PART_REDUCTION) == 0)
		settings->audit.required = OEV_STEP_SELECTED;
	return settings->error[0] == '\0' ? CLI_OK : CLI_USAGE;
}

static void on_progress(void *ctx, uint64_t done, uint64_t total)
{
	struct settings *settings = ctx;

	cli_progress_say(&settings->shown, done, total);
}

/* The second half, after all decisions. */
static void on_verify_progress(void *ctx, uint64_t done, uint64_t total)
{
	struct settings *settings = ctx;

	if (settings->shown.unit == NULL) {
		enum cli_progress_kind kind = settings->shown.kind;
		cli_progress_stop(&settings->shown);
		cli_progress_start(&settings->shown, kind);
		settings->shown.unit = "octets verified";
	}
	cli_progress_say(&settings->shown, done, total);
}

static bool on_stop(void *ctx)
{
	(void)ctx;
	return cli_interrupted();
}

static int say(const struct oev_audit *audit, const struct settings *settings, double took_s)
{
	struct cli_out out;
	int rc = 0;

	if (cli_out_open(&out, settings->output) != 0) {
		fprintf(stderr, "doic audit: %s: cannot be written: %s\n", settings->output, strerror(errno));
		cli_out_close(&out, false);
		return CLI_USAGE;
	}
	if (settings->json) {
		rc = oev_audit_json(audit, CLI_TOOL, out.file);
	} else {
		struct cli_audit_view view = { .out = out.file,
					       .color =
						       cli_wants_color((enum cli_color)settings->color, &out),
					       .quiet = settings->quiet,
					       .verbose = settings->verbose,
					       .took_s = took_s };
		cli_audit_print(audit, &view);
	}
	if (cli_out_close(&out, rc == 0) != 0 || rc != 0) {
		fprintf(stderr, "doic: the result could not be written\n");
		return CLI_BUG;
	}
	return oev_audit_exit(audit->outcome);
}

/* Errors go to stderr in words; with --json also to stdout as the object that every outcome has. */
static int fail(struct oev_audit *audit, const struct settings *settings)
{
	char error[sizeof(audit->error)];

	snprintf(error, sizeof(error), "%s", audit->error);
	fprintf(stderr, "doic audit: %s%s\n", cli_safe(error),
		audit->outcome == OEV_USAGE ? "  (doic audit --help)"
		: audit->outcome == OEV_BUG ? "  (this is a bug: please report it with `doic --version`)"
					    : "");
	if (settings->json)
		return say(audit, settings, 0);
	return oev_audit_exit(audit->outcome);
}

static int run(struct settings *settings, int argc, char **argv)
{
	struct oev_audit *audit = calloc(1, sizeof(*audit));
	int code;

	if (audit == NULL)
		return CLI_BUG;
	if (read_options(settings, argc, argv) != CLI_OK) {
		audit->options = settings->audit;
		audit->outcome = OEV_USAGE;
		audit->reached = -1;
		snprintf(audit->error, sizeof(audit->error), "%s", settings->error);
		code = fail(audit, settings);
	} else if (settings->help) {
		fputs(cli_audit_help, stdout);
		code = CLI_OK;
	} else {
		int page = CLI_OK;
		cli_catch_interrupt();
		cli_progress_start(&settings->shown, (enum cli_progress_kind)settings->progress);
		oev_audit_run(audit, &settings->audit);
		cli_progress_stop(&settings->shown);
		if (audit->outcome == OEV_UNUSABLE || audit->outcome == OEV_BUG)
			code = fail(audit, settings);
		else
			code = say(audit, settings, cli_now_s() - settings->shown.started_s);
		if (settings->html != NULL)
			page = cli_audit_page(audit, settings->html);
		code = page != CLI_OK ? page : code;
	}
	oev_audit_fini(audit);
	free(audit);
	return code;
}

int cli_audit(int argc, char **argv)
{
	struct timespec now;
	struct settings settings = {
		.audit = { .until_us = UINT64_MAX,
			   .parts = OEV_PART_ALL,
			   .required = OEV_STEP_ARRIVED,
			   .verify = true,
			   .progress = on_progress,
			   .verify_progress = on_verify_progress,
			   .stop = on_stop },
		.inputs = calloc((size_t)argc + 1, sizeof(char *)),
		.counters = calloc((size_t)argc + 1, sizeof(char *)),
	};
	int code = CLI_BUG;

	clock_gettime(CLOCK_REALTIME, &now);
	settings.now_us = (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
	settings.audit.ctx = &settings;
	settings.audit.inputs = settings.inputs;
	settings.audit.counters = settings.counters;
	if (settings.inputs != NULL && settings.counters != NULL)
		code = run(&settings, argc, argv);
	free(settings.inputs);
	free(settings.counters);
	return code;
}
