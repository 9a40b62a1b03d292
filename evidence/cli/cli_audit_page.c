/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic audit --html: the page, written whole or not at all.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../page/oev_page.h"
#include "cli.h"
#include "cli_audit.h"

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,@+%"

/* One word as a shell reads it back. */
static void put_word(FILE *out, const char *word)
{
	if (*word != '\0' && word[strspn(word, PLAIN)] == '\0') {
		fprintf(out, " %s", word);
		return;
	}
	fputs(" '", out);
	for (; *word != '\0'; word++)
		fputs(*word == '\'' ? "'\\''" : (char[]){ *word, '\0' }, out);
	fputc('\'', out);
}

static char *command_text(int argc, char **argv)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (out == NULL)
		return NULL;
	fputs("doic audit", out);
	for (int i = 1; i < argc; i++)
		put_word(out, argv[i]);
	return fclose(out) == 0 ? text : NULL;
}

int cli_audit_page(const struct oev_audit *audit, const char *path, int argc, char **argv)
{
	char *command = command_text(argc, argv);
	const struct oev_page_conf conf = { .tool = CLI_TOOL, .command = command ? command : "doic audit" };
	struct cli_out out;
	int code = CLI_OK;

	if (cli_out_open(&out, path) != 0) {
		fprintf(stderr, "doic audit: %s: cannot be written: %s\n", path, strerror(errno));
		cli_out_close(&out, false);
		code = CLI_USAGE;
	} else {
		int rc = oev_page_write(audit, &conf, out.file);
		if (cli_out_close(&out, rc == 0) != 0 || rc != 0) {
			fprintf(stderr, "doic audit: %s: the page could not be written\n", path);
			code = CLI_BUG;
		}
	}
	free(command);
	return code;
}
