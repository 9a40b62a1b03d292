/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Those commands of doic ctl that go over HTTP. Private to ctl.
 */
#pragma once

#include "cli_http.h"

#define CLI_CTL_WORDS 4u

struct cli_ctl_ask {
	struct cli_http_place place;
	const char *words[CLI_CTL_WORDS];
	size_t count;
	const char *reason; /* NULL not given */
	uint64_t limit;	    /* -n; 0 none */
	bool json;
};

/* The first words of these commands, NULL-terminated. */
extern const char *const cli_ctl_web_words[];
bool cli_ctl_web_knows(const char *word);

/* CLI_OK, or CLI_USAGE with a sentence: before anything is sent. */
int cli_ctl_web_check(const struct cli_ctl_ask *ask, char *error, size_t size);

/* Asks, says what came of it, and returns the exit code. */
int cli_ctl_web(const struct cli_ctl_ask *ask);

/* What one command works on. */
struct cli_ctl_web {
	const struct cli_ctl_ask *ask;
	struct cli_http *http;
	struct cli_http_reply reply; /* what is shown */
	json_t *pools;		     /* beside it: of cli_ctl_pools(); NULL not known */
	char done[384];		     /* what was done, in words; "" print the reply */
	char error[CLI_HTTP_ERROR_MAX];
};

/* cli_ctl_nodes.c: each returns an exit code with web->error filled unless it is CLI_OK. */
int cli_ctl_pools(struct cli_ctl_web *web);
int cli_ctl_want(struct cli_ctl_web *web);

/* cli_ctl_policy.c. Check: what follows "policy", as cli_ctl_web_check(), before it is asked. */
int cli_ctl_policy_check(const struct cli_ctl_ask *ask, char *error, size_t size);
int cli_ctl_policy(struct cli_ctl_web *web);
/* Says on stderr which mistakes the reply has beside the first, and its warnings. */
void cli_ctl_policy_say(const struct cli_ctl_web *web);
/* "17" as a number; 0 when @word is no version. */
uint32_t cli_ctl_policy_version(const char *word);

/* cli_ctl_find.c: sessions, and who is meant. */
int cli_ctl_sessions(struct cli_ctl_web *web);
/* A Session-Id has semicolons (RFC 6733 section 8.8); the name of a decision and the identities of subscribers have none. */
bool cli_ctl_is_session_id(const char *word);
bool cli_ctl_is_pseudonym(const char *word);
/* Into @out the pseudonym of @word, a "session_id" or "subscriber_text" by @kind, as the agent makes it with its key. */
int cli_ctl_find(struct cli_ctl_web *web, const char *kind, const char *word, char *out, size_t size);
/* Asks for @path with @word behind it, escaped. CLI_NO: the agent knows of no such thing. */
int cli_ctl_find_ask(struct cli_ctl_web *web, const char *path, const char *word);

/* cli_ctl_why.c: what decisions depended on, asked and printed. */
int cli_ctl_why(struct cli_ctl_web *web);
void cli_ctl_why_print(const json_t *reply, FILE *out);

/* cli_ctl_tap.c: prints as it goes. */
int cli_ctl_tap(struct cli_ctl_web *web);

/* cli_ctl_web_text.c: the reply of ask->words[0] for people. */
void cli_ctl_web_print(const struct cli_ctl_web *web, FILE *out);
/* "key  value" lines, those of objects within indented; the rows of @list under @titles, which are keys of them, NULL-terminated. */
void cli_ctl_print_object(const json_t *object, unsigned depth, FILE *out);
void cli_ctl_print_columns(const json_t *list, const char *const *titles, FILE *out);
