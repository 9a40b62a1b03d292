/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic check: looks at configuration and system, one line per finding, with where to change it.
 */
#include "cli_check.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli_say.h"

#define PROCESS_DEFAULT "/etc/doic/doic.yaml"
#define HINT_COLUMN 64

const char cli_check_help[] =
	"doic check\n\n"
	"Looks whether the agent can do its work: its documents, the evidence folder, its key, disk and "
	"retention, who may reach\n"
	"the HTTP server, and whether the daemon answers. One line each: ok, warn or fail, and which key to "
	"change.\n\n"
	"  FILES         doic.yaml (default " PROCESS_DEFAULT "), policy.yaml (default: the one it names)\n"
	"  --policy FILE a policy document, whatever its keys\n"
	"  --offline     do not ask the daemon\n"
	"  -q            only what is not ok\n"
	"  --json        one object on stdout, for every outcome\n\n"
	"Which of the two documents a file is, is told by its keys. Every mistake is said, with line, column "
	"and what "
	"is\n"
	"allowed. Run it as the daemon's user: what may be written is what that user may write.\n\n"
	"exit: 0 nothing failed (there may be warnings), 1 something failed, 2 usage, 4 a file cannot be "
	"read, "
	"70 bug\n"
	"more: man doic-check\n";

enum { KEY_OFFLINE = 0x100, KEY_POLICY, KEY_JSON, KEY_HELP };

const struct argp_option cli_check_verb_options[] = {
	{ .name = "offline", .key = KEY_OFFLINE }, { .name = "policy", .key = KEY_POLICY, .arg = "FILE" },
	{ .name = "quiet", .key = 'q' },	   { .name = "json", .key = KEY_JSON },
	{ .name = "help", .key = KEY_HELP },	   { 0 },
};

static const char *const words[] = { "ok", "warn", "fail" };

void cli_check_note(struct cli_check *check, enum cli_check_state state, const char *hint, const char *format,
		    ...)
{
	char text[900];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	check->warned += state == CLI_CHECK_WARN;
	check->failed += state == CLI_CHECK_FAIL;
	json_array_append_new(check->rows, json_pack("{s:s, s:s, s:s}", "state", words[state], "text",
						     cli_ascii(text), "hint", hint));
}

static error_t take_file(struct cli_check *check, const char *path)
{
	if (check->files < CLI_CHECK_FILES) {
		check->file[check->files++] = path;
		return 0;
	}
	snprintf(check->error, sizeof(check->error),
		 "\"%.200s\": one doic.yaml and one policy.yaml at a time", path);
	return EINVAL;
}

static error_t take_policy(struct cli_check *check, const char *path)
{
	if (check->policy[0] == '\0') {
		check->policy = path;
		return 0;
	}
	snprintf(check->error, sizeof(check->error), "--policy \"%.200s\": one policy.yaml at a time", path);
	return EINVAL;
}

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct cli_check *check = state->input;

	switch (key) {
	case KEY_OFFLINE:
		check->offline = true;
		return 0;
	case 'q':
		check->quiet = true;
		return 0;
	case KEY_JSON:
		check->json = true;
		return 0;
	case KEY_HELP:
		check->help = true;
		return 0;
	case KEY_POLICY:
		return take_policy(check, arg);
	case ARGP_KEY_ARG:
		return take_file(check, arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void print_rows(const struct cli_check *check)
{
	json_t *row;
	size_t i;

	json_array_foreach(check->rows, i, row)
	{
		const char *state = json_string_value(json_object_get(row, "state"));
		const char *text = json_string_value(json_object_get(row, "text"));
		const char *hint = json_string_value(json_object_get(row, "hint"));
		if (check->quiet && strcmp(state, "ok") == 0)
			continue;
		if (hint[0] == '\0')
			printf("%-4s  %s\n", state, text);
		else
			printf("%-4s  %-*s  hint: %s\n", state, HINT_COLUMN, text, hint);
	}
}

static int say(struct cli_check *check)
{
	int code = check->failed > 0 ? CLI_NO : CLI_OK;

	if (check->json) {
		json_t *object = cli_object("check", code, words[check->failed > 0 ? 2 : check->warned > 0]);
		json_object_set(object, "checks", check->rows);
		return cli_put_object(object, stdout) == 0 ? code : CLI_BUG;
	}
	print_rows(check);
	return fflush(stdout) == 0 ? code : CLI_BUG;
}

static int look(struct cli_check *check)
{
	int code = cli_check_documents(check);

	if (code != CLI_OK)
		return cli_fail("check", check->json, code, "unreadable", check->error);
	if (check->has_process) {
		cli_check_folder(check);
		cli_check_key(check);
		cli_check_room(check);
		cli_check_http(check);
		if (!check->offline)
			cli_check_running(check);
	}
	return say(check);
}

int cli_check(int argc, char **argv)
{
	static const struct argp parser = { .options = cli_check_verb_options, .parser = take };
	struct cli_check *check = calloc(1, sizeof(*check));
	int code = CLI_BUG;

	if (check == NULL)
		return CLI_BUG;
	*check = (struct cli_check){ .process = PROCESS_DEFAULT,
				     .policy = "",
				     .rows = json_array(),
				     .json = cli_wants_json(argc, argv) };
	if (cli_parse_options(&parser, argc, argv, check, check->error, sizeof(check->error)) != CLI_OK) {
		code = cli_fail("check", check->json, CLI_USAGE, "usage", check->error);
	} else if (check->help) {
		fputs(cli_check_help, stdout);
		code = CLI_OK;
	} else if (cli_check_sort(check) != CLI_OK) {
		code = cli_fail("check", check->json, CLI_USAGE, "usage", check->error);
	} else {
		code = look(check);
	}
	json_decref(check->rows);
	free(check);
	return code;
}
