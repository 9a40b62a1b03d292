/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic ctl: the one object that says what came of a command, whichever way it went.
 */
#include "../ctl/oev_ctl.h"
#include "cli_ctl.h"

static const char *outcome_of(int code)
{
	static const char *const outcomes[] = {
		[CLI_OK] = "done",
		[CLI_NO] = "no",
		[CLI_USAGE] = "usage",
		[CLI_UNSURE] = "unsure",
		[CLI_INPUT] = "unusable_input",
		[CLI_UNREACHABLE] = "unreachable",
		[CLI_REFUSED] = "refused",
	};

	if (code == CLI_INTERRUPTED)
		return "interrupted";
	return code >= CLI_OK && code <= CLI_REFUSED ? outcomes[code] : "bug";
}

/* Words of the command line and of others may be no UTF-8: then what is not ASCII is left out. */
static json_t *text_of(const char *text)
{
	json_t *value = json_string(text);
	char plain[1024];

	if (value != NULL)
		return value;
	snprintf(plain, sizeof(plain), "%s", text);
	return json_string(cli_ascii(plain));
}

json_t *cli_ctl_outcome(const char *command, int code, const char *message)
{
	const char *outcome = outcome_of(code);
	json_t *object = json_pack("{s:s, s:s, s:b, s:i, s:s, s:n, s:n, s:n, s:n, s:n}", "schema",
				   OEV_CTL_SCHEMA, "tool", CLI_TOOL, "ok", code == CLI_OK, "exit", code,
				   "outcome", outcome, "command", "error", "message", "status", "reply");

	if (command != NULL)
		json_object_set_new(object, "command", text_of(command));
	if (code != CLI_OK) {
		json_object_set_new(object, "error", json_string(outcome));
		json_object_set_new(object, "message", text_of(message));
	}
	return object;
}

int cli_ctl_put(json_t *object, bool is_line)
{
	size_t how = is_line ? JSON_COMPACT : JSON_INDENT(1);
	bool ok = object != NULL && json_dumpf(object, stdout, how | JSON_REAL_PRECISION(9)) == 0;

	putchar('\n');
	json_decref(object);
	return ok && fflush(stdout) == 0 ? 0 : -1;
}
