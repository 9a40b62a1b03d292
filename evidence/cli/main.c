/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The doic command: finds the verb and hands over.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

static int run(int argc, char **argv)
{
	if (argc < 2) {
		cli_print_overview(stderr);
		return CLI_USAGE;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
		return cli_version(argc - 1, argv + 1);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return cli_help(1, argv);
	const struct cli_verb *verb = cli_verb_get(argv[1]);
	return verb != NULL ? verb->run(argc - 1, argv + 1)
			    : cli_unknown_verb(argv[1], cli_wants_json(argc, argv));
}

int main(int argc, char **argv)
{
	int code = run(argc, argv);

	/* a reader that went away has what it wanted; a disk that is full has not */
	if (fflush(stdout) != 0 && code == CLI_OK && errno != EPIPE) {
		fprintf(stderr, "doic: the result could not be written: %s\n", strerror(errno));
		return CLI_BUG;
	}
	return code;
}
