/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic top: options, and whether it is a full screen or a table.
 */
#include "cli_top.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_say.h"

const char cli_top_help[] =
	"doic top\n\n"
	"Shows a running agent in a full screen, as it goes on: who asks for less, do we obey, does it help, "
	"who causes "
	"it. Where\n"
	"standard output is no terminal (or TERM=dumb) it prints the table once.\n\n"
	"  -d SECONDS          between two looks (1; 0.2..3600)\n"
	"  -n N                end after N looks\n"
	"  --once              print the table, without a full screen (with -n: so often)\n"
	"  --screen N          begin with 1 nodes, 2 states and reports, 3 changes, 4 decisions, 5 evidence, "
	"6 policy\n"
	"  --read-only         no key changes anything\n"
	"  --socket PATH       of the HTTP server (default " CLI_HTTP_SOCKET ")\n"
	"  --url URL           instead; the token is read from the file that DOIC_TOKEN_FILE names\n"
	"  --json              one object, as --once\n\n"
	"keys: 1-6 screen, arrows choose, Enter details, Esc back, / filter, s sort, o out of selection, i "
	"in, "
	"p pause,\n"
	"      ? help, q quit\n"
	"NO_COLOR is respected; colour is never the only sign. What is not known is \"-\".\n\n"
	"exit: 0 ended, 2 usage, 5 daemon unreachable, 6 daemon refused, 70 bug, 130 interrupted\n"
	"more: man doic-top\n";

enum { KEY_ONCE = 0x100, KEY_SCREEN, KEY_READ_ONLY, KEY_SOCKET, KEY_URL, KEY_JSON, KEY_HELP };

const struct argp_option cli_top_options[] = {
	{ .name = "delay", .key = 'd', .arg = "SECONDS" },
	{ .name = "count", .key = 'n', .arg = "N" },
	{ .name = "once", .key = KEY_ONCE },
	{ .name = "screen", .key = KEY_SCREEN, .arg = "N" },
	{ .name = "read-only", .key = KEY_READ_ONLY },
	{ .name = "socket", .key = KEY_SOCKET, .arg = "PATH" },
	{ .name = "url", .key = KEY_URL, .arg = "URL" },
	{ .name = "json", .key = KEY_JSON },
	{ .name = "help", .key = KEY_HELP },
	{ 0 },
};

static error_t complain(struct cli_top *top, const char *option, const char *text, const char *allowed)
{
	snprintf(top->error, sizeof(top->error), "%s \"%.60s\": not %s", option, text, allowed);
	return EINVAL;
}

/* A number within bounds, whole or with a fraction. */
static bool take_number(const char *text, double least, double most, double *out)
{
	char *end;

	*out = strtod(text, &end);
	return text[0] >= '0' && text[0] <= '9' && *end == '\0' && *out >= least && *out <= most;
}

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct cli_top *top = state->input;
	double value = 0;

	switch (key) {
	case 'd':
		return take_number(arg, 0.2, 3600, &top->every_s)
			       ? 0
			       : complain(top, "-d", arg, "0.2..3600 seconds");
	case 'n':
		if (!take_number(arg, 1, 1e9, &value) || value != (double)(uint64_t)value)
			return complain(top, "-n", arg, "a whole number above 0");
		top->updates = (uint64_t)value;
		return 0;
	case KEY_SCREEN:
		if (!take_number(arg, 1, CLI_TOP_SCREENS, &value) || value != (double)(unsigned)value)
			return complain(top, "--screen", arg, "1 to 6");
		top->screen = (unsigned)value;
		return 0;
	case KEY_ONCE:
		top->once = true;
		return 0;
	case KEY_READ_ONLY:
		top->read_only = true;
		return 0;
	case KEY_SOCKET:
		top->place.socket = arg;
		return 0;
	case KEY_URL:
		top->place.url = arg;
		return 0;
	case KEY_JSON:
		top->json = top->once = true;
		return 0;
	case KEY_HELP:
		top->help = true;
		return 0;
	case ARGP_KEY_ARG:
		return complain(top, "word", arg, "expected here");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static bool is_screen(void)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && isatty(STDIN_FILENO) && term != NULL && term[0] != '\0' &&
	       strcmp(term, "dumb") != 0;
}

int cli_top(int argc, char **argv)
{
	static const struct argp parser = { .options = cli_top_options, .parser = take };
	struct cli_top top = { .place = { .timeout_s = 5 },
			       .every_s = 1,
			       .screen = CLI_TOP_NODES,
			       .json = cli_wants_json(argc, argv) };

	if (cli_parse_options(&parser, argc, argv, &top, top.error, sizeof(top.error)) != CLI_OK)
		return cli_fail("top", top.json, CLI_USAGE, "usage", top.error);
	if (top.help) {
		fputs(cli_top_help, stdout);
		return CLI_OK;
	}
	cli_catch_interrupt();
	int code = top.once || !is_screen() ? cli_top_once(&top) : cli_top_screen(&top);
	if (code == CLI_OK || (code == CLI_INTERRUPTED && !top.json))
		return fflush(stdout) == 0 ? code : CLI_BUG;
	return cli_fail("top", top.json, code,
			code == CLI_UNREACHABLE	  ? "unreachable"
			: code == CLI_REFUSED	  ? "refused"
			: code == CLI_USAGE	  ? "usage"
			: code == CLI_INPUT	  ? "unusable_input"
			: code == CLI_INTERRUPTED ? "interrupted"
						  : "internal",
			top.error);
}
