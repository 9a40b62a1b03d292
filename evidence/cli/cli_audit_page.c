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

/* The command that makes this page again. */
static char *command_text(const struct oev_audit *audit, const char *path)
{
	char *verdict = oev_audit_repeat(audit), *text = NULL;
	size_t size = 0;
	FILE *out = verdict != NULL ? open_memstream(&text, &size) : NULL;

	if (out != NULL) {
		fprintf(out, "%s --html", verdict);
		oev_audit_put_word(path, out);
		if (fclose(out) != 0) {
			free(text);
			text = NULL;
		}
	}
	free(verdict);
	return text;
}

int cli_audit_page(const struct oev_audit *audit, const char *path)
{
	char *command = command_text(audit, path);
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
