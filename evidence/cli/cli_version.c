/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic version: the name and version of this program.
 */
#include <jansson.h>
#include <string.h>

#include "cli.h"

const char cli_version_help[] = "doic version\n\n"
				"Prints name and version; --json: one object on stdout.\n\n"
				"exit: 0 done, 2 usage\n"
				"more: man doic\n";

enum { KEY_JSON = 256, KEY_HELP };

const struct argp_option cli_version_options[] = {
	{ .name = "json", .key = KEY_JSON },
	{ .name = "help", .key = KEY_HELP },
	{ 0 },
};

struct settings {
	bool json, help;
	char error[256];
};

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct settings *settings = state->input;

	switch (key) {
	case KEY_JSON:
		settings->json = true;
		return 0;
	case KEY_HELP:
		settings->help = true;
		return 0;
	case ARGP_KEY_ARG:
		snprintf(settings->error, sizeof(settings->error), "\"%.100s\": not expected here", arg);
		return ARGP_ERR_UNKNOWN;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* One object for every outcome; @error is NULL when all is well. */
static int say_json(const char *error)
{
	int code = error == NULL ? CLI_OK : CLI_USAGE;
	json_t *root = json_pack("{s:s, s:s, s:s, s:s, s:i, s:s?}", "schema", "doic.version/1", "tool",
				 CLI_TOOL, "version", DOIC_VERSION, "outcome",
				 error == NULL ? "done" : "usage", "exit", code, "error", error);

	if (root == NULL || json_dumpf(root, stdout, JSON_INDENT(1)) != 0)
		code = CLI_BUG;
	putchar('\n');
	json_decref(root);
	return code;
}

int cli_version(int argc, char **argv)
{
	static const struct argp parser = { .options = cli_version_options, .parser = take };
	struct settings settings = { .json = cli_wants_json(argc, argv) };
	int code = cli_parse_options(&parser, argc, argv, &settings, settings.error, sizeof(settings.error));

	if (code != CLI_OK)
		fprintf(stderr, "doic version: %s  (doic version --help)\n", cli_ascii(settings.error));
	if (settings.json && !settings.help)
		return say_json(code != CLI_OK ? settings.error : NULL);
	if (code == CLI_OK)
		fputs(settings.help ? cli_version_help : CLI_TOOL "\n", stdout);
	return code;
}
