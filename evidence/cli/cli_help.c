/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic help: the short help of all verbs or of one.
 */
#include <string.h>

#include "cli.h"

int cli_help(int argc, char **argv)
{
	if (argc < 2 || strcmp(argv[1], "--help") == 0) {
		cli_print_overview(stdout);
		return CLI_OK;
	}
	const struct cli_verb *verb = cli_verb_get(argv[1]);
	if (verb == NULL) {
		return cli_unknown_verb(argv[1]);
	}
	fputs(verb->help, stdout);
	return CLI_OK;
}
