/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Where output goes: never half a file, never an escape code into a pipe.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../proof/oev_fresh.h"
#include "cli.h"

/* The one piece of global state: a signal handler has nowhere else to write. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
	(void)signal_number;
	interrupted = 1;
}

void cli_catch_interrupt(void)
{
	struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND };

	sigaction(SIGINT, &action, NULL); /* a second one ends the program at once */
}

bool cli_interrupted(void)
{
	return interrupted != 0;
}

int cli_out_open(struct cli_out *out, const char *path)
{
	*out = (struct cli_out){ .file = stdout };
	if (path == NULL)
		return 0;
	out->file = NULL;
	out->path = strdup(path);
	out->temp = malloc(OEV_FRESH_PATH_MAX);
	if (out->path == NULL || out->temp == NULL)
		return -1;
	int fd = oev_fresh_open(path, out->temp);
	out->file = fd >= 0 ? fdopen(fd, "w") : NULL;
	return out->file != NULL ? 0 : -1;
}

int cli_out_close(struct cli_out *out, bool keep)
{
	int rc = 0;

	if (out->path == NULL)
		return fflush(stdout) == 0 ? 0 : -1;
	if (out->file != NULL) {
		mode_t mask = umask(0);
		umask(mask);
		rc |= fflush(out->file) | ferror(out->file);
		rc |= fchmod(fileno(out->file), 0666 & ~mask);
		rc |= keep && rc == 0 ? rename(out->temp, out->path) : unlink(out->temp);
		rc |= fclose(out->file);
	}
	free(out->path);
	free(out->temp);
	return rc == 0 ? 0 : -1;
}

bool cli_wants_color(enum cli_color color, const struct cli_out *out)
{
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");

	if (color != CLI_COLOR_AUTO)
		return color == CLI_COLOR_ALWAYS;
	return out->path == NULL && isatty(STDOUT_FILENO) && (none == NULL || none[0] == '\0') &&
	       term != NULL && strcmp(term, "dumb") != 0;
}

char *cli_safe(char *text)
{
	for (char *c = text; *c != '\0'; c++) {
		bool is_c1 = (unsigned char)c[0] == 0xc2 && (unsigned char)c[1] >= 0x80 &&
			     (unsigned char)c[1] < 0xa0; /* U+0080 to U+009F, in UTF-8 */
		if ((unsigned char)*c < 0x20 || *c == 0x7f || is_c1)
			*c = '?';
		if (is_c1)
			*++c = '?';
	}
	return text;
}

char *cli_ascii(char *text)
{
	for (char *c = text; *c != '\0'; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return text;
}
