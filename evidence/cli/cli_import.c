/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic import: reads options, has the captures read, says what they hold.
 */
#include "cli_import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../capture/oev_capture_origin.h"
#include "../capture/oev_capture_store.h"
#include "../store/oev_place.h"

const char cli_import_help[] =
	"doic import gx-1.pcapng gx-2.pcapng -o evidence\n\n"
	"Reads captures of Diameter (pcap, pcapng, compressed or not; several are merged in order of time) "
	"and\n"
	"says who asked for less, what every node that sends requests should hold since then, and what it "
	"sent\n"
	"before, under and after it. tshark reassembles TCP and SCTP. What cannot be decoded is listed.\n\n"
	"  -o, --output FOLDER       write evidence, FOLDER/NODE for each node; then: doic audit FOLDER\n"
	"  --node NAME               of this node alone\n"
	"  --key-file FILE           key that signs it (default FOLDER.key, made when absent)\n"
	"  --port N                  Diameter is on this port too (repeatable, at most 16)\n"
	"  --json                    one object on stdout, for every outcome\n"
	"  -q, -v                    one line only / every state and every command\n"
	"  --color auto|always|never       --progress auto|bar|plain|json|none (stderr)\n\n"
	"A capture cannot show what a node refused, nor what a server counted.\n\n"
	"exit: 0 all decoded, 2 usage, 3 some could not be decoded, 4 unusable input, 70 bug, 130 "
	"interrupted\n"
	"more: man doic-import\n";

enum { KEY_PORT = 256, KEY_NODE, KEY_FILE, KEY_JSON, KEY_COLOR, KEY_PROGRESS, KEY_HELP };

const struct argp_option cli_import_options[] = {
	{ .name = "output", .key = 'o', .arg = "FOLDER" },
	{ .name = "node", .key = KEY_NODE, .arg = "NAME" },
	{ .name = "key-file", .key = KEY_FILE, .arg = "FILE" },
	{ .name = "port", .key = KEY_PORT, .arg = "NUMBER" },
	{ .name = "json", .key = KEY_JSON },
	{ .name = "quiet", .key = 'q' },
	{ .name = "verbose", .key = 'v' },
	{ .name = "color", .key = KEY_COLOR, .arg = "WHEN" },
	{ .name = "progress", .key = KEY_PROGRESS, .arg = "KIND" },
	{ .name = "help", .key = KEY_HELP },
	{ 0 },
};

struct settings {
	struct oev_capture_options capture;
	const char **files;
	const char *folder, *node, *key_path;
	struct oev_key *key;
	struct oev_capture_store *store;
	uint16_t ports[OEV_TSHARK_PORTS_MAX];
	unsigned color, progress;
	bool json, quiet, verbose, help;
	double started_s;
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

static int take_port(struct settings *settings, const char *text)
{
	char *end;
	unsigned long port = strtoul(text, &end, 10);

	if (text[0] < '0' || text[0] > '9' || *end != '\0' || port == 0 || port > UINT16_MAX)
		snprintf(settings->error, sizeof(settings->error),
			 "--port \"%s\" is no number from 1 to 65535", text);
	else if (settings->capture.port_count == OEV_TSHARK_PORTS_MAX)
		snprintf(settings->error, sizeof(settings->error), "more than %u times --port",
			 OEV_TSHARK_PORTS_MAX);
	else
		settings->ports[settings->capture.port_count++] = (uint16_t)port;
	return settings->error[0] == '\0' ? 0 : EINVAL;
}

static error_t take(int key, char *arg, struct argp_state *state)
{
	static const char *const colors[] = { "auto", "always", "never", NULL };
	static const char *const progress[] = { "auto", "bar", "plain", "json", "none", NULL };
	struct settings *settings = state->input;

	switch (key) {
	case KEY_PORT:
		return take_port(settings, arg);
	case 'o':
		settings->folder = arg;
		return 0;
	case KEY_NODE:
		settings->node = arg;
		return 0;
	case KEY_FILE:
		settings->key_path = arg;
		return 0;
	case KEY_JSON:
		settings->json = true;
		return 0;
	case 'q':
		settings->quiet = true;
		return 0;
	case 'v':
		settings->verbose = true;
		return 0;
	case KEY_HELP:
		settings->help = true;
		return 0;
	case KEY_COLOR:
		return take_word(settings, "color", arg, colors, &settings->color);
	case KEY_PROGRESS:
		return take_word(settings, "progress", arg, progress, &settings->progress);
	case ARGP_KEY_ARG:
		settings->files[settings->capture.file_count++] = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int read_options(struct settings *settings, int argc, char **argv)
{
	static const struct argp parser = { .options = cli_import_options, .parser = take };

	for (int i = 1; i < argc; i++) /* even a usage error is said in JSON when JSON was asked for */
		settings->json |= strcmp(argv[i], "--json") == 0;
	int rc = cli_parse_options(&parser, argc, argv, settings, settings->error, sizeof(settings->error));
	if (rc != CLI_OK)
		return rc;
	if (!settings->help && settings->capture.file_count == 0)
		snprintf(settings->error, sizeof(settings->error), "name a capture");
	else if (settings->folder == NULL && (settings->node != NULL || settings->key_path != NULL))
		snprintf(settings->error, sizeof(settings->error), "--node and --key-file go with -o FOLDER");
	return settings->error[0] == '\0' ? CLI_OK : CLI_USAGE;
}

static void on_progress(void *ctx, enum oev_capture_phase phase, uint64_t done, uint64_t total)
{
	static const char *const units[] = {
		[OEV_PHASE_TSHARK] = "octets", [OEV_PHASE_LEARN] = "messages", [OEV_PHASE_TELL] = "messages"
	};
	struct settings *settings = ctx;

	if (settings->shown.unit != units[phase]) {
		settings->shown.unit = units[phase];
		settings->shown.started_s = cli_now_s();
	}
	cli_progress_say(&settings->shown, done, total);
}

/* The folders say where they come from before anything is written into them. */
static int on_ready(void *ctx, const struct oev_capture *capture)
{
	struct settings *settings = ctx;
	struct oev_capture_origin origin = { 0 };
	int rc = OC_OK;

	if (settings->store == NULL)
		return OC_OK;
	rc = oev_capture_origin_make(&origin, capture, &settings->capture);
	if (rc == OC_OK)
		rc = oev_capture_store_describe(settings->store, capture->names, origin.facts, origin.count);
	oev_capture_origin_fini(&origin);
	return rc;
}

/* The key beside the folder, and with it how Session-Ids become pseudonyms. */
static int open_key(struct settings *settings, char *error, size_t error_size)
{
	char path[OEV_PLACE_PATH_MAX];
	uint8_t pseudonym[OEV_PSEUDONYM_OCTETS];
	struct oev_why why = { .text = "" };
	bool is_made;
	int rc = OC_OK;

	if (settings->key_path == NULL)
		rc = oev_place_beside(settings->folder, ".key", path);
	if (rc == OC_OK)
		rc = oev_key_open(settings->key_path != NULL ? settings->key_path : path, &settings->key,
				  &is_made, &why);
	if (rc != OC_OK) {
		snprintf(error, error_size, "%s",
			 why.text[0] != '\0' ? why.text : "the path of the key is too long");
		return rc;
	}
	oev_key_pseudonym(settings->key, pseudonym);
	memcpy(settings->capture.pseudonym_key.octets, pseudonym,
	       sizeof(settings->capture.pseudonym_key.octets));
	return OC_OK;
}

static int open_store(struct settings *settings, char *error, size_t error_size)
{
	if (settings->folder == NULL)
		return OC_OK;
	int rc = open_key(settings, error, error_size);
	if (rc != OC_OK)
		return rc;
	const struct oev_capture_store_conf conf = { .folder = settings->folder,
						     .key = settings->key,
						     .only = settings->node };
	rc = oev_capture_store_open(&settings->store, &conf, error, error_size);
	if (rc == OC_OK)
		settings->capture.sink = oev_capture_store_sink(settings->store);
	return rc;
}

static bool on_stop(void *ctx)
{
	(void)ctx;
	return cli_interrupted();
}

int cli_import_exit(enum cli_import_outcome outcome)
{
	static const int codes[] = {
		[CLI_IMPORTED] = CLI_OK,	   [CLI_IMPORTED_PART] = CLI_UNSURE,
		[CLI_IMPORT_USAGE] = CLI_USAGE,	   [CLI_IMPORT_NOTHING] = CLI_UNSURE,
		[CLI_IMPORT_UNUSABLE] = CLI_INPUT, [CLI_IMPORT_INTERRUPTED] = CLI_INTERRUPTED,
		[CLI_IMPORT_BUG] = CLI_BUG
	};
	return codes[outcome];
}

const char *cli_import_word(enum cli_import_outcome outcome)
{
	static const char *const words[] = { [CLI_IMPORTED] = "imported",
					     [CLI_IMPORTED_PART] = "imported_in_part",
					     [CLI_IMPORT_USAGE] = "usage",
					     [CLI_IMPORT_NOTHING] = "nothing_decoded",
					     [CLI_IMPORT_UNUSABLE] = "unusable",
					     [CLI_IMPORT_INTERRUPTED] = "interrupted",
					     [CLI_IMPORT_BUG] = "bug" };
	return words[outcome];
}

static enum cli_import_outcome judge(struct oev_capture *capture, int rc)
{
	bool misses = oev_missed_any(&capture->missed);

	if (rc == OC_EINTERRUPTED)
		return CLI_IMPORT_INTERRUPTED;
	if (rc == OC_ENOENT || rc == OC_EMALFORMED || rc == OC_EIO)
		return CLI_IMPORT_UNUSABLE;
	if (rc != OC_OK)
		return CLI_IMPORT_BUG;
	if (capture->count.messages > 0)
		return misses ? CLI_IMPORTED_PART : CLI_IMPORTED;
	if (misses)
		return CLI_IMPORT_NOTHING;
	snprintf(capture->error, sizeof(capture->error),
		 "no Diameter in it; is it on another port? (--port)");
	return CLI_IMPORT_UNUSABLE;
}

static int say(const struct oev_capture *capture, const struct settings *settings,
	       enum cli_import_outcome outcome, const char *error)
{
	const struct cli_out out = { .file = stdout };
	struct cli_import_view view = { .out = stdout,
					.files = settings->files,
					.file_count = settings->capture.file_count,
					.store = settings->store,
					.outcome = outcome,
					.error = error,
					.took_s = cli_now_s() - settings->started_s,
					.color = cli_wants_color((enum cli_color)settings->color, &out),
					.quiet = settings->quiet,
					.verbose = settings->verbose };
	bool is_over =
		outcome == CLI_IMPORTED || outcome == CLI_IMPORTED_PART || outcome == CLI_IMPORT_NOTHING;
	int rc = OC_OK;

	if (error != NULL)
		fprintf(stderr, "doic import: %s%s\n", error,
			outcome == CLI_IMPORT_USAGE ? "  (doic import --help)" : "");
	if (settings->json)
		rc = cli_import_json(capture, &view);
	else if (is_over)
		cli_import_print(capture, &view);
	if (rc == OC_OK && fflush(stdout) == 0)
		return cli_import_exit(outcome);
	fprintf(stderr, "doic: the result could not be written\n");
	return CLI_BUG;
}

static int run(struct settings *settings, struct oev_capture *capture, int argc, char **argv)
{
	if (read_options(settings, argc, argv) != CLI_OK)
		return say(capture, settings, CLI_IMPORT_USAGE, cli_safe(settings->error));
	if (settings->help) {
		fputs(cli_import_help, stdout);
		return CLI_OK;
	}
	cli_catch_interrupt();
	int rc = open_store(settings, settings->error, sizeof(settings->error));
	if (rc != OC_OK)
		return say(capture, settings, rc == OC_ENOMEM ? CLI_IMPORT_BUG : CLI_IMPORT_USAGE,
			   cli_safe(settings->error));
	cli_progress_start(&settings->shown, (enum cli_progress_kind)settings->progress);
	rc = oev_capture_run(capture, &settings->capture);
	cli_progress_stop(&settings->shown);
	const char *stored = settings->store != NULL ? oev_capture_store_error(settings->store) : "";
	if (rc != OC_OK && stored[0] != '\0')
		snprintf(capture->error, sizeof(capture->error), "%s", stored);
	enum cli_import_outcome outcome = judge(capture, rc);
	return say(capture, settings, outcome, capture->error[0] != '\0' ? cli_safe(capture->error) : NULL);
}

int cli_import(int argc, char **argv)
{
	struct settings settings = {
		.capture = { .progress = on_progress, .stop = on_stop, .ready = on_ready },
		.files = calloc((size_t)argc + 1, sizeof(char *))
	};
	struct oev_capture *capture = calloc(1, sizeof(*capture));
	int code = CLI_BUG;

	settings.started_s = cli_now_s();
	settings.capture.ctx = &settings;
	settings.capture.files = settings.files;
	settings.capture.ports = settings.ports;
	if (settings.files != NULL && capture != NULL) {
		code = run(&settings, capture, argc, argv);
		oev_capture_store_free(settings.store);
		oev_capture_fini(capture);
		oev_key_free(settings.key);
	}
	free(capture);
	free(settings.files);
	return code;
}
