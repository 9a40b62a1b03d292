/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * How a result is to look.
 */
#include "cli_look.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Place of @word in @words, or a sentence that lists them. */
static error_t take_word(struct cli_look *look, const char *option, const char *word,
			 const char *const *words, unsigned *out)
{
	size_t at = (size_t)snprintf(look->error, sizeof(look->error), "--%s \"%.100s\" is none of", option,
				     word);

	for (unsigned i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], word) == 0) {
			look->error[0] = '\0';
			*out = i;
			return 0;
		}
		at += (size_t)snprintf(look->error + at, sizeof(look->error) - at, " %s", words[i]);
	}
	return EINVAL;
}

error_t cli_look_take(struct cli_look *look, int key, const char *arg)
{
	static const char *const colors[] = { "auto", "always", "never", NULL };
	static const char *const kinds[] = { "auto", "bar", "plain", "json", "none", NULL };
	unsigned at = 0;
	error_t rc = 0;

	switch (key) {
	case CLI_LOOK_JSON:
		look->json = true;
		break;
	case 'q':
		look->quiet = true;
		break;
	case 'v':
		look->verbose = true;
		break;
	case 'o':
		look->output = arg;
		break;
	case CLI_LOOK_HELP:
		look->help = true;
		break;
	case CLI_LOOK_COLOR:
		rc = take_word(look, "color", arg, colors, &at);
		look->color = (enum cli_color)at;
		break;
	case CLI_LOOK_PROGRESS:
		rc = take_word(look, "progress", arg, kinds, &at);
		look->progress = (enum cli_progress_kind)at;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return rc;
}

void cli_look_first(struct cli_look *look, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		look->json |= strcmp(argv[i], "--json") == 0;
}
