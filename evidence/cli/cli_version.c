/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic version.
 */
#include <string.h>

#include "cli.h"

int cli_version(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--help") == 0)
		return cli_help(2, (char *[]){ "help", "version" });
	puts(CLI_TOOL);
	return CLI_OK;
}
