/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic ctl policy: the document in force and those before it, another one checked, compared, put in force, or an earlier one again.
 *
 * A file is judged here first, so that a mistake is named with the file's own path; the agent judges it again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../conf/oev_conf_errors.h"
#include "cli_ctl_web.h"

/* What was found, as the reply: all mistakes are told, the first one in the sentence too. */
static void tell(struct cli_ctl_web *web, const struct oev_conf_errors *errors)
{
	char first[OEV_CONF_ERROR_MAX];

	oev_conf_mistake_text(&errors->list[0], web->ask->words[2], first, sizeof(first));
	snprintf(web->error, sizeof(web->error), "refused: %s", first);
	web->reply.json = oev_conf_errors_json(errors);
	json_object_set_new(web->reply.json, "diff", json_null());
}

/* CLI_OK when @text is a policy. */
static int judge(struct cli_ctl_web *web, const char *text, size_t len)
{
	struct oev_conf_errors *errors = oev_conf_policy_mistakes(text, len, web->ask->words[2]);
	int code = CLI_OK;

	if (errors == NULL) {
		snprintf(web->error, sizeof(web->error), "out of memory");
		return CLI_BUG;
	}
	if (errors->all > 0) {
		code = CLI_REFUSED;
		tell(web, errors);
	}
	free(errors);
	return code;
}

/* The text of the file, when it is a policy; NULL and the code in *@code else. */
static char *read_policy(struct cli_ctl_web *web, int *code)
{
	const char *path = web->ask->words[2];
	char error[OEV_CONF_ERROR_MAX] = "", *text = NULL;
	size_t len = 0;
	int rc = oev_conf_read_file(path, &text, &len, error);

	if (rc == OC_OK && strlen(text) != len) {
		snprintf(error, sizeof(error), "%.300s: has a NUL octet; is this a text?", path);
		rc = OC_EMALFORMED;
	}
	*code = rc == OC_OK ? judge(web, text, len) : CLI_INPUT;
	if (rc != OC_OK)
		snprintf(web->error, sizeof(web->error), "%s", error);
	if (*code == CLI_OK)
		return text;
	free(text);
	return NULL;
}

/* What is in force is not always what the file has. */
static void add_note(struct cli_ctl_web *web)
{
	const char *note = json_string_value(json_object_get(web->reply.json, "note"));
	size_t len = strlen(web->done);

	if (note != NULL)
		snprintf(web->done + len, sizeof(web->done) - len, "; %.160s", note);
}

static int show(struct cli_ctl_web *web)
{
	return cli_http_ask(web->http, "GET", "/api/v1/policy", NULL, NULL, &web->reply, web->error);
}

static json_int_t version_of(const struct cli_http_reply *reply)
{
	return json_integer_value(json_object_get(reply->json, "version"));
}

/* What is still in force, after a sentence that says why the new one is not. */
static void add_running(struct cli_ctl_web *web)
{
	char error[CLI_HTTP_ERROR_MAX];
	struct cli_http_reply reply;
	size_t len = strlen(web->error);

	if (cli_http_ask(web->http, "GET", "/api/v1/policy", NULL, NULL, &reply, error) == CLI_OK)
		snprintf(web->error + len, sizeof(web->error) - len,
			 "; still running version %" JSON_INTEGER_FORMAT ", nothing changed",
			 version_of(&reply));
	cli_http_drop(&reply);
}

static int check(struct cli_ctl_web *web)
{
	int code;
	char *text = read_policy(web, &code);

	if (text == NULL)
		return code;
	json_t *body = json_pack("{s:s}", "text", text);
	code = cli_http_ask(web->http, "POST", "/api/v1/policy/check", body, NULL, &web->reply, web->error);
	if (code == CLI_OK && json_is_false(json_object_get(web->reply.json, "valid"))) {
		snprintf(web->error, sizeof(web->error), "refused by the agent, which is of another version");
		code = CLI_REFUSED;
	}
	snprintf(web->done, sizeof(web->done), "ok: %.200s could be put in force", web->ask->words[2]);
	json_decref(body);
	free(text);
	return code;
}

/* As check, whose reply has the difference too. */
static int diff(struct cli_ctl_web *web)
{
	int code = check(web);
	const json_t *lines = json_object_get(web->reply.json, "diff");

	web->done[0] = '\0';
	if (code == CLI_OK && json_array_size(lines) == 0)
		snprintf(web->done, sizeof(web->done), "no difference to the document in force");
	return code;
}

static int history(struct cli_ctl_web *web)
{
	return cli_http_ask(web->http, "GET", "/api/v1/policy/versions", NULL, NULL, &web->reply, web->error);
}

static int put(struct cli_ctl_web *web, const char *text)
{
	char etag[sizeof(web->reply.etag)];
	int code = show(web);
	json_int_t before = version_of(&web->reply);
	json_t *body = json_pack("{s:s, s:s}", "text", text, "reason", web->ask->reason);

	snprintf(etag, sizeof(etag), "%s", web->reply.etag);
	cli_http_drop(&web->reply);
	if (code == CLI_OK && body == NULL) {
		snprintf(web->error, sizeof(web->error), "%s or --reason: not UTF-8", web->ask->words[2]);
		code = CLI_INPUT;
	} else if (code == CLI_OK) {
		code = cli_http_ask(web->http, "PUT", "/api/v1/policy", body, etag, &web->reply, web->error);
	}
	snprintf(web->done, sizeof(web->done),
		 "version %" JSON_INTEGER_FORMAT " is in force, in place of version %" JSON_INTEGER_FORMAT,
		 version_of(&web->reply), before);
	add_note(web);
	json_decref(body);
	return code;
}

static int apply(struct cli_ctl_web *web)
{
	int code;
	char *text = read_policy(web, &code);

	if (text == NULL) {
		if (code == CLI_REFUSED)
			add_running(web);
		return code;
	}
	code = put(web, text);
	free(text);
	return code;
}

uint32_t cli_ctl_policy_version(const char *word)
{
	size_t len = strlen(word);
	unsigned long long number = strtoull(word, NULL, 10);

	return len > 0 && len <= 10 && strspn(word, "0123456789") == len && number <= UINT32_MAX
		       ? (uint32_t)number
		       : 0;
}

/* The newest of @versions (newest first) before @current in this life of the agent whose document is another than @sha256; 0 none.
 * Numbers begin again with every life. */
static json_int_t version_before(const json_t *versions, json_int_t current, const char *sha256)
{
	json_int_t last = current;
	json_t *row;
	size_t i;

	json_array_foreach(versions, i, row)
	{
		json_int_t number = json_integer_value(json_object_get(row, "version"));
		const char *hash = json_string_value(json_object_get(row, "sha256"));
		if (number > last)
			break;
		last = number;
		if (number < current && hash != NULL && strcmp(hash, sha256) != 0)
			return number;
	}
	return 0;
}

/* The version to go back to, as told or the one before; its @etag is that of the document in force. */
static int find_target(struct cli_ctl_web *web, json_int_t *target, char *etag, size_t size)
{
	struct cli_http_reply past;
	int code = show(web);

	snprintf(etag, size, "%s", web->reply.etag);
	*target = web->ask->count == 3 ? cli_ctl_policy_version(web->ask->words[2]) : 0;
	if (code != CLI_OK || *target != 0)
		return code;
	const char *sha256 = json_string_value(json_object_get(web->reply.json, "sha256"));
	code = cli_http_ask(web->http, "GET", "/api/v1/policy/versions", NULL, NULL, &past, web->error);
	if (code == CLI_OK)
		*target = version_before(json_object_get(past.json, "versions"), version_of(&web->reply),
					 sha256 != NULL ? sha256 : "");
	cli_http_drop(&past);
	if (code != CLI_OK || *target != 0)
		return code;
	snprintf(web->error, sizeof(web->error),
		 "version %" JSON_INTEGER_FORMAT
		 " is in force and the evidence of this life of the agent has no other document before it; "
		 "name a version, or apply the earlier file",
		 version_of(&web->reply));
	return CLI_REFUSED;
}

static int rollback(struct cli_ctl_web *web)
{
	char etag[sizeof(web->reply.etag)];
	json_int_t target = 0;
	int code = find_target(web, &target, etag, sizeof(etag));

	if (code != CLI_OK)
		return code;
	cli_http_drop(&web->reply);
	json_t *body = json_pack("{s:I, s:s}", "version", target, "reason", web->ask->reason);
	if (body == NULL) {
		snprintf(web->error, sizeof(web->error), "--reason: not UTF-8");
		return CLI_USAGE;
	}
	code = cli_http_ask(web->http, "POST", "/api/v1/policy/rollback", body, etag, &web->reply,
			    web->error);
	snprintf(web->done, sizeof(web->done),
		 "version %" JSON_INTEGER_FORMAT
		 " is in force; its document is that of version %" JSON_INTEGER_FORMAT,
		 version_of(&web->reply), target);
	add_note(web);
	json_decref(body);
	return code;
}

static const struct command {
	const char *word;
	bool takes_file, takes_version, needs_reason;
	int (*run)(struct cli_ctl_web *web);
} commands[] = {
	{ "show", false, false, false, show },	{ "history", false, false, false, history },
	{ "check", true, false, false, check }, { "diff", true, false, false, diff },
	{ "apply", true, false, true, apply },	{ "rollback", false, true, true, rollback },
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static const struct command *command_of(const char *word)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(commands[i].word, word) == 0)
			return &commands[i];
	return NULL;
}

static void say_unknown(const char *word, char *error, size_t size)
{
	const char *words[COMMANDS + 1] = { NULL };

	for (size_t i = 0; i < COMMANDS; i++)
		words[i] = commands[i].word;
	const char *near = oev_nearest(word, words);
	snprintf(error, size, "no command \"policy %.60s\"%s%s%s", word,
		 near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
		 near != NULL ? "\"?" : "");
}

int cli_ctl_policy_check(const struct cli_ctl_ask *ask, char *error, size_t size)
{
	const struct command *of = command_of(ask->words[1]);

	if (of == NULL)
		say_unknown(ask->words[1], error, size);
	else if (of->takes_file && ask->count == 2)
		snprintf(error, size, "policy %s: which file?", of->word);
	else if (!of->takes_file && !of->takes_version && ask->count == 3)
		snprintf(error, size, "\"%.200s\": not expected here", ask->words[2]);
	else if (of->takes_version && ask->count == 3 && cli_ctl_policy_version(ask->words[2]) == 0)
		snprintf(error, size, "\"%.200s\": no version of a policy (1, 2, ...)", ask->words[2]);
	else if (of->needs_reason && ask->reason == NULL)
		snprintf(error, size, "policy %s: give a --reason; it is kept in the evidence", of->word);
	else
		return CLI_OK;
	return CLI_USAGE;
}

int cli_ctl_policy(struct cli_ctl_web *web)
{
	return command_of(web->ask->words[1])->run(web);
}

/* As the reply tells it. */
static struct oev_conf_mistake mistake_of(const json_t *at)
{
	const char *key = json_string_value(json_object_get(at, "key"));
	const char *detail = json_string_value(json_object_get(at, "detail"));
	struct oev_conf_mistake out = {
		.line = (uint32_t)json_integer_value(json_object_get(at, "line")),
		.column = (uint32_t)json_integer_value(json_object_get(at, "column")),
	};

	snprintf(out.key, sizeof(out.key), "%s", key != NULL ? key : "");
	snprintf(out.text, sizeof(out.text), "%s", detail != NULL ? detail : "");
	return out;
}

/* One line for each of @list from @first on: "FILE:LINE:COLUMN: KEY: what". */
static void say_list(const struct cli_ctl_web *web, const char *before, const json_t *list, size_t first)
{
	const char *file = web->ask->count == 3 && strcmp(web->ask->words[1], "rollback") != 0
				   ? web->ask->words[2]
				   : "policy";

	for (size_t i = first; i < json_array_size(list); i++) {
		const struct oev_conf_mistake mistake = mistake_of(json_array_get(list, i));
		char line[OEV_CONF_ERROR_MAX];
		oev_conf_mistake_text(&mistake, file, line, sizeof(line));
		fprintf(stderr, "%s%s\n", before, cli_safe(line));
	}
}

void cli_ctl_policy_say(const struct cli_ctl_web *web)
{
	const json_t *errors = json_object_get(web->reply.json, "errors");
	json_int_t all = json_integer_value(json_object_get(web->reply.json, "errors_found"));
	bool is_check =
		json_object_get(web->reply.json, "errors_found") != NULL; /* a problem has "errors" too */

	if (is_check)
		say_list(web, "  ", errors, 1);
	if (is_check && all > (json_int_t)json_array_size(errors))
		fprintf(stderr, "  and %" JSON_INTEGER_FORMAT " more\n",
			all - (json_int_t)json_array_size(errors));
	say_list(web, "warning: ", json_object_get(web->reply.json, "warnings"), 0);
}
