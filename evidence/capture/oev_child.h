/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A program started as a child: no shell, its own argument list, standard output read line by line, the end of its
 * standard error kept for the message when it fails.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define OEV_CHILD_SAID_MAX 480u
#define OEV_CHILD_LINE_MAX (1u << 17)

struct oev_child {
	pid_t pid;
	int out; /* read end of its standard output, -1 none */
	int err;
	bool is_over; /* its standard output is at the end */
	char *line;   /* what was read of standard output and not yet taken */
	size_t line_len, line_at;
	char said[OEV_CHILD_SAID_MAX]; /* last words on standard error, one line */
	size_t said_len;
};

struct oev_child_conf {
	const char *const *argv; /* argv[0] is looked for in PATH; NULL-terminated */
	int in;			 /* its standard input */
	int out;		 /* its standard output; -1: read by us */
	int extra;		 /* one more descriptor it shall have, as OEV_CHILD_EXTRA; -1 none */
};

#define OEV_CHILD_EXTRA 3 /* number of conf->extra there */

/* Starts it with an environment of PATH and TMPDIR only, so that nobody's settings change what it does. Returns OC_OK;
 * OC_ENOENT: there is no such program; OC_ENOMEM, OC_EIO. */
int oev_child_start(struct oev_child *child, const struct oev_child_conf *conf);

/* The next line of its standard output without newline, borrowed until the next call. OC_OK; OC_ENOENT at the end; OC_EBUSY when
 * nothing came for @wait_ms; OC_EINTERRUPTED; OC_EMALFORMED for a line beyond OEV_CHILD_LINE_MAX, which is passed over. */
int oev_child_line(struct oev_child *child, int wait_ms, const char **line, size_t *len);

/* Waits for its end, with @kill_it after ending it, and frees all but @child->said. Returns its exit code, or 128 + the signal that ended it. */
int oev_child_end(struct oev_child *child, bool kill_it);
