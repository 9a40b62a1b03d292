/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic-traffic: a Diameter client and a Diameter server for tests and benches.
 */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dt_args.h"

static int usage(void)
{
	fprintf(stderr, "usage: doic-traffic server|client [OPTION...]   (--help after the word lists the "
			"options)\n"
			"       doic-traffic receipts FILE...            (prints what --receipts wrote)\n");
	return 2;
}

static int run_server(int argc, char **argv)
{
	struct dt_server_options *options = malloc(sizeof(*options));
	if (!options)
		return 1;
	dt_args_server(argc, argv, options);
	int status = dt_server_run(options);
	free(options);
	return status;
}

static int run_client(int argc, char **argv)
{
	struct dt_client_options *options = malloc(sizeof(*options));
	if (!options)
		return 1;
	dt_args_client(argc, argv, options);
	int status = dt_client_run(options);
	free(options);
	return status;
}

static int show_receipts(int argc, char **argv)
{
	int status = 0;
	if (argc < 2 || argv[1][0] == '-')
		return usage();
	for (int i = 1; i < argc && status == 0; i++)
		status = dt_receipts_print(argv[i]);
	return status;
}

int main(int argc, char **argv)
{
	static char server[] = "doic-traffic server", client[] = "doic-traffic client";
	bool is_server = argc > 1 && strcmp(argv[1], "server") == 0;

	if (argc > 1 && strcmp(argv[1], "receipts") == 0)
		return show_receipts(argc - 1, argv + 1);
	argp_err_exit_status = 2;
	if (argc < 2 || (!is_server && strcmp(argv[1], "client") != 0))
		return usage();
	argv[1] = is_server ? server : client; /* the name argp gives in its messages */
	return is_server ? run_server(argc - 1, argv + 1) : run_client(argc - 1, argv + 1);
}
