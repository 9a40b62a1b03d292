/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic reveal: reads options, looks for identities or pseudonyms, says what there is.
 */
#include "cli_reveal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "cli_look.h"

const char cli_reveal_help[] =
	"doic reveal /var/lib/doic/evidence --list subscribers.txt\n\n"
	"Says what evidence holds of subscribers and sessions, for whoever has the key its pseudonyms were "
	"made with: how\n"
	"many decisions, how many diverted or refused, the first and the last, the sessions of a subscriber. "
	"Identities are\n"
	"IMSI, MSISDN, NAI, Session-Id... as the messages have them. Nothing is written; the key is never "
	"shown.\n\n"
	"  IDENTITY...          as words: others on this machine can see them; or\n"
	"  --list F, -          one per line, of a file or of standard input\n"
	"  --key F              key file of the node, mode 0600 (default: FOLDER.key beside the folder)\n"
	"  --pseudonym N        instead: which of the identities given has this pseudonym (repeatable)\n"
	"  --kind K             session or subscriber only\n"
	"  --json, --ndjson     one object on stdout, for every outcome / one line for each identity\n"
	"  -q, -v               verdict line only / every session\n"
	"  -o, --output F       into a file, never half-written\n"
	"  --color auto|always|never       --progress auto|bar|plain|json|none (stderr)\n\n"
	"exit: 0 all found, 1 one is not in this evidence under this key, 2 usage, 3 cannot tell (no key, "
	"another key),\n"
	"      4 unusable input, 70 bug, 130 interrupted\n"
	"more: man doic-reveal\n";

enum { KEY_KEY = CLI_LOOK_OWN, KEY_LIST, KEY_PSEUDONYM, KEY_KIND, KEY_NDJSON };

const struct argp_option cli_reveal_options[] = {
	{ .name = "list", .key = KEY_LIST, .arg = "FILE" },
	{ .name = "key", .key = KEY_KEY, .arg = "FILE" },
	{ .name = "pseudonym", .key = KEY_PSEUDONYM, .arg = "N" },
	{ .name = "kind", .key = KEY_KIND, .arg = "IDENTITY" },
	{ .name = "ndjson", .key = KEY_NDJSON },
	CLI_LOOK_OPTIONS,
	{ 0 },
};

struct settings {
	struct oev_reveal_options reveal;
	struct cli_look look;
	struct cli_progress shown;
	const char **words; /* room for all arguments; the folder is the first */
	size_t word_count;
	uint64_t pseudonyms[OEV_REVEAL_PSEUDONYMS_MAX];
	bool ndjson;
};

static error_t complain(struct settings *settings, const char *option, const char *text, const char *allowed)
{
	snprintf(settings->look.error, sizeof(settings->look.error), "%s \"%.100s\": not %s", option, text,
		 allowed);
	return EINVAL;
}

static error_t take_pseudonym(struct settings *settings, const char *text)
{
	char *end;

	errno = 0;
	uint64_t value = strtoull(text, &end, 0);
	if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value == 0 || value > INT64_MAX)
		return complain(settings, "--pseudonym", text, "a number above 0");
	if (settings->reveal.pseudonym_count == OEV_REVEAL_PSEUDONYMS_MAX)
		return complain(settings, "--pseudonym", text, "one of at most 256 at once");
	settings->pseudonyms[settings->reveal.pseudonym_count++] = value;
	return 0;
}

static error_t take_kind(struct settings *settings, const char *text)
{
	for (unsigned kind = 0; kind < OC_IDENTITY_KIND_COUNT; kind++)
		settings->reveal.kinds[kind] = strcmp(oc_identity_kind_text(kind), text) == 0;
	for (unsigned kind = 0; kind < OC_IDENTITY_KIND_COUNT; kind++)
		if (settings->reveal.kinds[kind])
			return 0;
	return complain(settings, "--kind", text, "session or subscriber");
}

/* The only list there can be. */
static error_t take_list(struct settings *settings, const char *path)
{
	if (settings->reveal.list != NULL)
		return complain(settings, "--list", path, "the only list");
	settings->reveal.list = path;
	return 0;
}

static error_t take_word(struct settings *settings, const char *word)
{
	if (strcmp(word, "-") == 0 && settings->word_count > 0)
		return take_list(settings, word);
	if (word[0] == '\0')
		return complain(settings, "identity", word, "an identity");
	settings->words[settings->word_count++] = word;
	return 0;
}

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct settings *settings = state->input;

	switch (key) {
	case KEY_LIST:
		return take_list(settings, arg);
	case KEY_KEY:
		settings->reveal.key_path = arg;
		return 0;
	case KEY_PSEUDONYM:
		return take_pseudonym(settings, arg);
	case KEY_KIND:
		return take_kind(settings, arg);
	case KEY_NDJSON:
		settings->ndjson = true;
		return 0;
	case ARGP_KEY_ARG:
		return take_word(settings, arg);
	default:
		return cli_look_take(&settings->look, key, arg);
	}
}

/* CLI_OK, or CLI_USAGE with look.error. */
static int read_options(struct settings *settings, int argc, char **argv)
{
	static const struct argp parser = { .options = cli_reveal_options, .parser = take };
	struct cli_look *look = &settings->look;
	struct oev_reveal_options *reveal = &settings->reveal;

	cli_look_first(look, argc, argv);
	int rc = cli_parse_options(&parser, argc, argv, settings, look->error, sizeof(look->error));
	if (rc != CLI_OK || look->help)
		return rc;
	if (settings->word_count > 0) {
		reveal->path = settings->words[0];
		reveal->words = settings->words + 1;
		reveal->word_count = settings->word_count - 1;
	}
	if (reveal->path == NULL)
		snprintf(look->error, sizeof(look->error), "name an evidence folder");
	else if (reveal->word_count == 0 && reveal->list == NULL && reveal->pseudonym_count == 0)
		snprintf(look->error, sizeof(look->error), "name identities, or a list of them (--list)");
	else if (look->json && settings->ndjson)
		snprintf(look->error, sizeof(look->error), "--json or --ndjson, not both");
	return look->error[0] == '\0' ? CLI_OK : CLI_USAGE;
}

static void on_progress(void *ctx, uint64_t done, uint64_t total)
{
	struct settings *settings = ctx;

	settings->shown.unit = total > 0 ? "octets" : "candidates";
	cli_progress_say(&settings->shown, done, total);
}

static bool on_stop(void *ctx)
{
	(void)ctx;
	return cli_interrupted();
}

static int say(const struct oev_reveal *reveal, const struct settings *settings, double took_s)
{
	const struct cli_look *look = &settings->look;
	struct cli_out out;
	int rc = 0;

	if (cli_out_open(&out, look->output) != 0) {
		fprintf(stderr, "doic reveal: %s: cannot be written: %s\n", look->output, strerror(errno));
		cli_out_close(&out, false);
		return CLI_USAGE;
	}
	if (look->json) {
		rc = oev_reveal_json(reveal, CLI_TOOL, out.file);
	} else if (settings->ndjson) {
		rc = oev_reveal_ndjson(reveal, CLI_TOOL, out.file);
	} else {
		struct cli_reveal_view view = { .out = out.file,
						.color = cli_wants_color(look->color, &out),
						.quiet = look->quiet,
						.verbose = look->verbose,
						.took_s = took_s };
		cli_reveal_print(reveal, &view);
	}
	if (cli_out_close(&out, rc == 0) != 0 || rc != 0) {
		fprintf(stderr, "doic: the result could not be written\n");
		return CLI_BUG;
	}
	return oev_reveal_exit(reveal->outcome);
}

/* Outcomes about files and options rather than evidence go to stderr in words; with --json also to stdout. */
static int tell(const struct oev_reveal *reveal, const struct settings *settings, double took_s)
{
	char error[sizeof(reveal->error)];

	if (reveal->outcome < OEV_REVEAL_UNUSABLE || reveal->outcome == OEV_REVEAL_INTERRUPTED)
		return say(reveal, settings, took_s);
	snprintf(error, sizeof(error), "%s", reveal->error);
	fprintf(stderr, "doic reveal: %s%s\n", cli_safe(error),
		reveal->outcome == OEV_REVEAL_USAGE ? "  (doic reveal --help)"
		: reveal->outcome == OEV_REVEAL_BUG
			? "  (this is a bug: please report it with `doic --version`)"
			: "");
	if (settings->look.json || settings->ndjson)
		return say(reveal, settings, took_s);
	return oev_reveal_exit(reveal->outcome);
}

static int run(struct settings *settings, struct oev_reveal *reveal)
{
	cli_catch_interrupt();
	cli_progress_start(&settings->shown, settings->look.progress);
	oev_reveal_run(reveal, &settings->reveal);
	cli_progress_stop(&settings->shown);
	return tell(reveal, settings, cli_now_s() - settings->shown.started_s);
}

int cli_reveal(int argc, char **argv)
{
	struct settings settings = {
		.reveal = { .kinds = { true, true }, .progress = on_progress, .stop = on_stop },
		.words = calloc((size_t)argc + 1, sizeof(char *))
	};
	struct oev_reveal reveal = { .outcome = OEV_REVEAL_USAGE };
	int code = CLI_BUG;

	_Static_assert(OC_IDENTITY_KIND_COUNT == 2, "kinds[] names every kind");
	settings.reveal.ctx = &settings;
	settings.reveal.pseudonyms = settings.pseudonyms;
	if (settings.words == NULL)
		return code;
	if (read_options(&settings, argc, argv) != CLI_OK) {
		reveal.options.path = settings.reveal.path;
		snprintf(reveal.error, sizeof(reveal.error), "%s", settings.look.error);
		code = tell(&reveal, &settings, 0);
	} else if (settings.look.help) {
		fputs(cli_reveal_help, stdout);
		code = CLI_OK;
	} else {
		code = run(&settings, &reveal);
	}
	oev_reveal_fini(&reveal);
	free(settings.words);
	return code;
}
