/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic help: the short help of all verbs or of one.
 */
#include <string.h>

#include "cli.h"

const char cli_help_help[] = "doic help audit\n\n"
			     "Prints the short help of a verb, or without one the list of verbs. The long "
			     "text is the manual page:\n"
			     "man doic-audit.\n\n"
			     "exit: 0 done, 2 usage\n"
			     "more: man doic\n";

static int refuse(const char *word)
{
	fprintf(stderr, "doic help: \"%.100s\": not expected here  (doic help --help)\n", word);
	return CLI_USAGE;
}

int cli_help(int argc, char **argv)
{
	if (argc < 2) {
		cli_print_overview(stdout);
		return CLI_OK;
	}
	if (argc > 2)
		return refuse(argv[2]);
	if (strcmp(argv[1], "--help") == 0) {
		fputs(cli_help_help, stdout);
		return CLI_OK;
	}
	const struct cli_verb *verb = cli_verb_get(argv[1]);
	if (verb == NULL)
		return argv[1][0] == '-' ? refuse(argv[1]) : cli_unknown_verb(argv[1], false);
	fputs(verb->help, stdout);
	return CLI_OK;
}
