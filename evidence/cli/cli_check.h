/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Parts of the verb check: each looks at one thing and notes what it found. Private to it.
 */
#pragma once

#include <jansson.h>

#include "../conf/oev_conf_errors.h"
#include "cli.h"

#define CLI_CHECK_FILES 2u

enum cli_check_state { CLI_CHECK_OK, CLI_CHECK_WARN, CLI_CHECK_FAIL };

struct cli_check {
	const char *file[CLI_CHECK_FILES]; /* as given */
	unsigned files;
	const char *process, *policy; /* of these; policy "" the one the process's document names */
	bool offline, json, help, quiet, has_process;
	struct oev_process conf;
	char folder[OEV_CONF_PATH_MAX]; /* of the evidence, as a path from here */
	json_t *rows;			/* {"state", "text", "hint"} */
	unsigned warned, failed;
	char error[OEV_CONF_ERROR_MAX];
};

/* Notes one finding; @hint "" none. */
void cli_check_note(struct cli_check *check, enum cli_check_state state, const char *hint, const char *format,
		    ...) __attribute__((format(printf, 4, 5)));

/* cli_check_files.c: tells the files apart by what is in them. CLI_OK, or CLI_USAGE with check->error: two of one kind. */
int cli_check_sort(struct cli_check *check);
/* CLI_OK, also when something is wrong in them; CLI_INPUT when a file cannot be read, with check->error. */
int cli_check_documents(struct cli_check *check);

/* cli_check_evidence.c */
void cli_check_folder(struct cli_check *check);
void cli_check_key(struct cli_check *check);
void cli_check_room(struct cli_check *check);

/* cli_check_net.c */
void cli_check_http(struct cli_check *check);
void cli_check_running(struct cli_check *check);
