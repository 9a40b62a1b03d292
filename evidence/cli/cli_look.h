/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Options that say how a result is to look, the same for verbs that check something.
 */
#pragma once

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "cli.h"

/* Keys of these options; a verb's own begin at CLI_LOOK_OWN. */
enum { CLI_LOOK_JSON = 256, CLI_LOOK_COLOR, CLI_LOOK_PROGRESS, CLI_LOOK_HELP, CLI_LOOK_OWN };

/* For the table of a verb, one per line. */
#define CLI_LOOK_OPTIONS                                                                                     \
	{ .name = "json", .key = CLI_LOOK_JSON }, { .name = "quiet", .key = 'q' },                           \
		{ .name = "verbose", .key = 'v' }, { .name = "output", .key = 'o', .arg = "FILE" },          \
		{ .name = "color", .key = CLI_LOOK_COLOR, .arg = "WHEN" },                                   \
		{ .name = "progress", .key = CLI_LOOK_PROGRESS, .arg = "KIND" },                             \
	{                                                                                                    \
		.name = "help", .key = CLI_LOOK_HELP                                                         \
	}

struct cli_look {
	const char *output;
	enum cli_color color;
	enum cli_progress_kind progress;
	bool json, quiet, verbose, help;
	char error[512];
};

/* Takes one of these options: 0, ARGP_ERR_UNKNOWN (not one of them), EINVAL with look->error. */
error_t cli_look_take(struct cli_look *look, int key, const char *arg);

/* Even a usage error is said in JSON when JSON was asked for, so that is looked for first. */
void cli_look_first(struct cli_look *look, int argc, char **argv);
