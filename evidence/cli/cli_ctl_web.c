/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic ctl over HTTP: which command asks what, and how its outcome is said.
 */
#include "cli_ctl_web.h"

#include <string.h>

#include "cli_ctl.h"
#include "cli_story.h"

#define REPORTS_DEFAULT 20u
#define REPORTS_MAX 1000u

static int ask_for(struct cli_ctl_web *web, const char *path)
{
	return cli_http_ask(web->http, "GET", path, NULL, NULL, &web->reply, web->error);
}

/* The state, what it says in sentences (member "story"), and the answer times, which are told with the pools. */
static int ask_status(struct cli_ctl_web *web)
{
	static const struct cli_ctl_ask ask = { .words = { "pools" }, .count = 1 };
	struct cli_ctl_web pools = { .ask = &ask, .http = web->http };
	int code = ask_for(web, "/api/v1/status");

	if (code != CLI_OK)
		return code;
	json_object_set_new(web->reply.json, "story", cli_story(web->reply.json));
	if (cli_ctl_pools(&pools) == CLI_OK)
		web->pools = json_incref(pools.reply.json);
	cli_http_drop(&pools.reply);
	return CLI_OK;
}

static int ask_peers(struct cli_ctl_web *web)
{
	return ask_for(web, "/api/v1/peers");
}

/* What came, and what became of it. */
static int ask_reports(struct cli_ctl_web *web)
{
	char path[96];

	snprintf(path, sizeof(path), "/api/v1/reports/received?limit=%u",
		 web->ask->limit > 0 && web->ask->limit <= REPORTS_MAX ? (unsigned)web->ask->limit
								       : REPORTS_DEFAULT);
	return ask_for(web, path);
}

static int ask_metrics(struct cli_ctl_web *web)
{
	return ask_for(web, "/metrics");
}

static const struct command {
	const char *word;
	unsigned least, most; /* words after it */
	const char *needs;    /* what to say when they are too few */
	bool needs_reason;
	int (*run)(struct cli_ctl_web *web);
} commands[] = {
	{ "status", 0, 0, "", false, ask_status },
	{ "pools", 0, 0, "", false, cli_ctl_pools },
	{ "peers", 0, 0, "", false, ask_peers },
	{ "reports", 0, 0, "", false, ask_reports },
	{ "sessions", 0, 1, "", false, cli_ctl_sessions },
	{ "why", 1, 1, "why what? the ID of a decision, a Session-Id, or the pseudonym of a session", false,
	  cli_ctl_why },
	{ "out", 1, 1, "which node is to go out of selection?", true, cli_ctl_want },
	{ "in", 1, 1, "which node is to come back into selection?", true, cli_ctl_want },
	{ "policy", 1, 2, "policy: show, history, check FILE, diff FILE, apply FILE or rollback [VERSION]",
	  false, cli_ctl_policy },
	{ "metrics", 0, 0, "", false, ask_metrics },
	{ "tap", 0, 0, "", false, cli_ctl_tap },
};
#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

const char *const cli_ctl_web_words[] = { "status", "pools", "peers",  "reports", "sessions", "why",
					  "out",    "in",    "policy", "metrics", "tap",      NULL };
_Static_assert(sizeof(cli_ctl_web_words) / sizeof(cli_ctl_web_words[0]) == COMMAND_COUNT + 1,
	       "every command has its word");

static const struct command *command_of(const char *word)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (strcmp(commands[i].word, word) == 0)
			return &commands[i];
	return NULL;
}

bool cli_ctl_web_knows(const char *word)
{
	return command_of(word) != NULL;
}

int cli_ctl_web_check(const struct cli_ctl_ask *ask, char *error, size_t size)
{
	const struct command *command = command_of(ask->words[0]);

	if (ask->count - 1 < command->least)
		snprintf(error, size, "%s", command->needs);
	else if (ask->count - 1 > command->most)
		snprintf(error, size, "\"%.200s\": not expected here", ask->words[command->most + 1]);
	else if (command->needs_reason && ask->reason == NULL)
		snprintf(error, size, "%s: give a --reason; it is kept in the evidence", command->word);
	else if (strcmp(command->word, "policy") == 0)
		return cli_ctl_policy_check(ask, error, size);
	else
		return CLI_OK;
	return CLI_USAGE;
}

static int say_json(const struct cli_ctl_web *web, int code, bool is_stream)
{
	json_t *reply = web->reply.json != NULL ? json_incref(web->reply.json)
			: web->reply.len > 0	? json_string(web->reply.body)
						: json_null();
	json_t *object = cli_ctl_outcome(web->ask->words[0], code, web->error);

	json_object_set_new(object, "reply", reply != NULL ? reply : json_null());
	if (web->reply.status != 0)
		json_object_set_new(object, "status", json_integer(web->reply.status));
	return cli_ctl_put(object, is_stream) == 0 ? code : CLI_BUG;
}

static int say(struct cli_ctl_web *web, int code)
{
	bool is_stream = strcmp(web->ask->words[0], "tap") == 0;

	if (code != CLI_OK && !(is_stream && code == CLI_INTERRUPTED))
		fprintf(stderr, "doic ctl: %s\n", cli_safe(web->error));
	if (strcmp(web->ask->words[0], "policy") == 0)
		cli_ctl_policy_say(web);
	if (web->ask->json && !(is_stream && (code == CLI_OK || code == CLI_INTERRUPTED)))
		return say_json(web, code, is_stream);
	if (code == CLI_OK && !is_stream)
		cli_ctl_web_print(web, stdout);
	return fflush(stdout) == 0 ? code : CLI_BUG;
}

int cli_ctl_web(const struct cli_ctl_ask *ask)
{
	struct cli_ctl_web web = { .ask = ask };
	int code = cli_http_open(&web.http, &ask->place, web.error);

	if (code == CLI_OK)
		code = command_of(ask->words[0])->run(&web);
	code = say(&web, code);
	json_decref(web.pools);
	cli_http_drop(&web.reply);
	cli_http_close(web.http);
	return code;
}
