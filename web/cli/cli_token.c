/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic token: makes a token and shows it once, lists names and roles, takes one back.
 */
#include <errno.h>
#include <libsmartcols.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../evidence/cli/cli_say.h"
#include "cli_token_file.h"

#define TOKENS_DEFAULT "/etc/doic/tokens"

const char cli_token_help[] =
	"doic token ops administrator --tokens /etc/doic/tokens\n\n"
	"Makes a token for whoever is to reach the agent's HTTP server over TCP, and shows it once, on "
	"standard output. The\n"
	"file of tokens (http.tokens in doic.yaml) keeps a salted hash of it; a running server reads the "
	"file "
	"again.\n\n"
	"  NAME ROLE     letters, digits, - and _; observer (reads) or administrator (changes too)\n"
	"  list          names and roles\n"
	"  revoke NAME   what was made for NAME is worth nothing any more\n\n"
	"  --tokens FILE   default " TOKENS_DEFAULT "; made with mode 0600 when absent\n"
	"  --json          one object on stdout, for every outcome\n\n"
	"Keep the token in a file that only you can read, and name that file: DOIC_TOKEN_FILE=~/.doic-token "
	"doic ctl ...\n\n"
	"exit: 0 done, 1 the name has a token already, or none to revoke, 2 usage, 4 the file cannot be "
	"used, "
	"70 bug\n"
	"more: man doic-token\n";

enum { KEY_TOKENS = 0x100, KEY_JSON, KEY_HELP };

const struct argp_option cli_token_options[] = {
	{ .name = "tokens", .key = KEY_TOKENS, .arg = "FILE" },
	{ .name = "json", .key = KEY_JSON },
	{ .name = "help", .key = KEY_HELP },
	{ 0 },
};

struct settings {
	const char *file, *words[2];
	unsigned count;
	bool json, help;
	char error[512];
};

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct settings *settings = state->input;

	switch (key) {
	case KEY_TOKENS:
		settings->file = arg;
		return 0;
	case KEY_JSON:
		settings->json = true;
		return 0;
	case KEY_HELP:
		settings->help = true;
		return 0;
	case ARGP_KEY_ARG:
		if (settings->count == 2) {
			snprintf(settings->error, sizeof(settings->error), "\"%.100s\": not expected here",
				 arg);
			return EINVAL;
		}
		settings->words[settings->count++] = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int fail(const struct settings *settings, int code, const char *outcome)
{
	return cli_fail("token", settings->json, code, outcome, settings->error);
}

static int refuse(struct settings *settings, const char *text)
{
	snprintf(settings->error, sizeof(settings->error), "%s", text);
	return fail(settings, CLI_USAGE, "usage");
}

static int say_file(const struct settings *settings, int rc)
{
	switch (rc) {
	case OC_EBUSY:
		return fail(settings, CLI_NO, "exists");
	case OC_ENOENT:
		return fail(settings, CLI_NO, "not_found");
	case OC_EREFUSED:
		return fail(settings, CLI_INPUT, "readable_by_others");
	case OC_EMALFORMED:
		return fail(settings, CLI_INPUT, "malformed");
	default:
		return fail(settings, CLI_INPUT, "unusable");
	}
}

/* The object of an outcome that is good. */
static json_t *object_of(const struct settings *settings, const char *outcome)
{
	json_t *object = cli_object("token", CLI_OK, outcome);

	json_object_set_new(object, "file", json_string(settings->file));
	return object;
}

static int say_made(const struct settings *settings, const char *token)
{
	if (settings->json) {
		json_t *object = object_of(settings, "made");
		json_object_set_new(object, "name", json_string(settings->words[0]));
		json_object_set_new(object, "role", json_string(settings->words[1]));
		json_object_set_new(object, "token", json_string(token));
		return cli_put_object(object, stdout) == 0 ? CLI_OK : CLI_BUG;
	}
	puts(token);
	fprintf(stderr,
		"made for %s, %s; only its hash is kept, in %s, so this is the one time it is shown\n",
		settings->words[0], settings->words[1], settings->file);
	return fflush(stdout) == 0 ? CLI_OK : CLI_BUG;
}

static int make(struct settings *settings)
{
	char token[OWEB_TOKEN_MAX], line[OWEB_TOKEN_LINE_MAX];
	enum oweb_role role = oweb_role_parse(settings->words[1]);

	if (role == OWEB_ROLE_NONE) {
		snprintf(settings->error, sizeof(settings->error),
			 "\"%.100s\" is no role: observer or administrator", settings->words[1]);
		return fail(settings, CLI_USAGE, "usage");
	}
	int rc = oweb_token_new(settings->words[0], role, token, line);
	if (rc == OC_EINVAL)
		return refuse(settings, "the name has letters, digits, - and _, at most 31");
	if (rc != OC_OK) {
		snprintf(settings->error, sizeof(settings->error), "no token can be made on this system");
		return fail(settings, CLI_BUG, "internal");
	}
	rc = cli_token_add(settings->file, settings->words[0], line, settings->error,
			   sizeof(settings->error));
	int code = rc == OC_OK ? say_made(settings, token) : say_file(settings, rc);
	explicit_bzero(token, sizeof(token));
	return code;
}

static void print_list(const struct oweb_tokens *tokens)
{
	static const char *const titles[] = { "name", "role", NULL };
	struct libscols_table *table = cli_table_new(false, titles);

	for (uint32_t i = 0; table != NULL && i < tokens->count; i++) {
		struct libscols_line *line = scols_table_new_line(table, NULL);
		if (line == NULL)
			continue;
		scols_line_set_data(line, 0, tokens->token[i].name);
		scols_line_set_data(line, 1, oweb_role_text(tokens->token[i].role));
	}
	cli_table_print(table, stdout);
}

static int list(struct settings *settings)
{
	struct oweb_tokens tokens;
	char error[OWEB_ERROR_MAX] = "";
	int rc = oweb_tokens_load(settings->file, &tokens, error);

	if (rc != OC_OK) {
		snprintf(settings->error, sizeof(settings->error), "%s", error);
		return say_file(settings, rc);
	}
	if (settings->json) {
		json_t *object = object_of(settings, "listed"), *rows = json_array();
		for (uint32_t i = 0; i < tokens.count; i++)
			json_array_append_new(rows, json_pack("{s:s, s:s}", "name", tokens.token[i].name,
							      "role", oweb_role_text(tokens.token[i].role)));
		json_object_set_new(object, "tokens", rows);
		return cli_put_object(object, stdout) == 0 ? CLI_OK : CLI_BUG;
	}
	if (tokens.count == 0)
		printf("nobody has a token (%s)\n", settings->file);
	else
		print_list(&tokens);
	return fflush(stdout) == 0 ? CLI_OK : CLI_BUG;
}

static int revoke(struct settings *settings)
{
	int rc = cli_token_remove(settings->file, settings->words[1], settings->error,
				  sizeof(settings->error));

	if (rc != OC_OK)
		return say_file(settings, rc);
	if (settings->json) {
		json_t *object = object_of(settings, "revoked");
		json_object_set_new(object, "name", json_string(settings->words[1]));
		return cli_put_object(object, stdout) == 0 ? CLI_OK : CLI_BUG;
	}
	printf("revoked: %s\n", settings->words[1]);
	return fflush(stdout) == 0 ? CLI_OK : CLI_BUG;
}

int cli_token(int argc, char **argv)
{
	static const struct argp parser = { .options = cli_token_options, .parser = take };
	struct settings settings = { .file = TOKENS_DEFAULT, .json = cli_wants_json(argc, argv) };

	if (cli_parse_options(&parser, argc, argv, &settings, settings.error, sizeof(settings.error)) !=
	    CLI_OK)
		return fail(&settings, CLI_USAGE, "usage");
	if (settings.help) {
		fputs(cli_token_help, stdout);
		return CLI_OK;
	}
	const char *first = settings.count > 0 ? settings.words[0] : "";
	if (strcmp(first, "list") == 0)
		return settings.count == 1 ? list(&settings) : refuse(&settings, "list takes no name");
	if (strcmp(first, "revoke") == 0)
		return settings.count == 2 ? revoke(&settings) : refuse(&settings, "revoke whose token?");
	if (settings.count != 2)
		return refuse(&settings,
			      "name who is to have the token, and the role: doic token ops observer");
	return make(&settings);
}
