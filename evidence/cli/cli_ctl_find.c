/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic ctl sessions, doic ctl why: who is meant, by pseudonym, and what decisions about them depended on.
 *
 * Evidence has pseudonyms only. A Session-Id or a subscriber's identity is turned into one by the agent, which has the key.
 */
#include <string.h>

#include "cli_ctl_web.h"

#define WORD_MAX 1024u
#define PAGES_MAX 20u

/* CLI_NO: the agent knows of no such thing. */
static int ask_for(struct cli_ctl_web *web, const char *path, const char *word)
{
	char escaped[3 * WORD_MAX], whole[3 * WORD_MAX + 128];

	cli_http_escape(word, escaped, sizeof(escaped));
	snprintf(whole, sizeof(whole), "%s%s", path, escaped);
	cli_http_drop(&web->reply);
	int code = cli_http_ask(web->http, "GET", whole, NULL, NULL, &web->reply, web->error);
	return code == CLI_REFUSED && web->reply.status == 404 ? CLI_NO : code;
}

static bool is_decimal(const char *word)
{
	return word[0] != '\0' && strspn(word, "0123456789") == strlen(word);
}

/* A Session-Id has semicolons (RFC 6733 section 8.8), the name of a decision and the identities of subscribers have none. */
static bool is_session_id(const char *word)
{
	return strchr(word, ';') != NULL;
}

/* The pseudonym of @word, which is of @kind, as the agent makes it. */
static int find(struct cli_ctl_web *web, const char *kind, const char *word, char *out, size_t size)
{
	const char *key = strcmp(kind, "session_id") == 0 ? "session" : "subscriber";
	json_t *body = json_pack("{s:s, s:s}", "kind", kind, "text", word);

	if (body == NULL) {
		snprintf(web->error, sizeof(web->error), "what is looked for is not UTF-8");
		return CLI_USAGE;
	}
	cli_http_drop(&web->reply);
	int code =
		cli_http_ask(web->http, "POST", "/api/v1/sessions/find", body, NULL, &web->reply, web->error);
	json_decref(body);
	const char *found = json_string_value(json_object_get(web->reply.json, key));
	snprintf(out, size, "%s", code == CLI_OK && found != NULL ? found : "");
	return code;
}

static int say_nothing(struct cli_ctl_web *web, const char *what)
{
	const char *reached = json_string_value(json_object_get(web->reply.json, "reached"));
	bool is_whole = json_object_get(web->reply.json, "next") == NULL;

	if (is_whole)
		snprintf(web->error, sizeof(web->error), "no decision of %s is in the evidence", what);
	else
		snprintf(web->error, sizeof(web->error),
			 "no decision of %s is among those looked at, which are those since %.40s", what,
			 reached != NULL ? reached : "?");
	return is_whole ? CLI_NO : CLI_UNSURE;
}

/* The next page in place of @all's "next" and "reached", its rows behind those of @all. */
static int add_page(struct cli_ctl_web *web, json_t *all, const char *path)
{
	char cursor[256];

	snprintf(cursor, sizeof(cursor), "%s", json_string_value(json_object_get(all, "next")));
	int code = ask_for(web, path, cursor);
	if (code != CLI_OK)
		return code;
	json_array_extend(json_object_get(all, "decisions"), json_object_get(web->reply.json, "decisions"));
	json_object_del(all, "next");
	json_object_del(web->reply.json, "decisions");
	json_object_update(all, web->reply.json);
	return CLI_OK;
}

/* A page may end without a row, for only so many are looked at for one. */
static int ask_decisions(struct cli_ctl_web *web, const char *session)
{
	char path[200];
	int code = ask_for(web, "/api/v1/decisions?session=", session);
	json_t *all = json_incref(web->reply.json);

	snprintf(path, sizeof(path), "/api/v1/decisions?session=%.40s&cursor=", session);
	for (unsigned i = 0; code == CLI_OK && i < PAGES_MAX && json_object_get(all, "next") != NULL; i++)
		code = add_page(web, all, path);
	if (code == CLI_OK) {
		json_object_set_new(all, "session", json_string(session));
		json_decref(web->reply.json);
		web->reply.json = all;
		return json_array_size(json_object_get(all, "decisions")) > 0
			       ? CLI_OK
			       : say_nothing(web, "such a session");
	}
	json_decref(all);
	return code;
}

int cli_ctl_why(struct cli_ctl_web *web)
{
	const char *id = web->ask->words[1];
	char session[32];

	if (is_decimal(id))
		return ask_decisions(web, id);
	if (!is_session_id(id))
		return ask_for(web, "/api/v1/decisions/", id);
	int code = find(web, "session_id", id, session, sizeof(session));
	return code == CLI_OK ? ask_decisions(web, session) : code;
}

/* Sessions of the subscriber with that pseudonym; CLI_NO: there is none. */
static int ask_subscriber(struct cli_ctl_web *web, const char *pseudonym)
{
	int code = ask_for(web, "/api/v1/sessions?subscriber=", pseudonym);

	if (code != CLI_OK || json_array_size(json_object_get(web->reply.json, "sessions")) > 0)
		return code;
	snprintf(web->error, sizeof(web->error), "no session of such a subscriber is indexed");
	return CLI_NO;
}

/* Digits are the pseudonym of a session, that of a subscriber, or an identity as messages have it: an IMSI, a telephone number. */
static int ask_digits(struct cli_ctl_web *web, const char *word)
{
	int code = ask_for(web, "/api/v1/sessions/", word);

	if (code == CLI_NO)
		code = ask_subscriber(web, word);
	return code;
}

int cli_ctl_sessions(struct cli_ctl_web *web)
{
	const char *word = web->ask->count > 1 ? web->ask->words[1] : "";
	char pseudonym[32];
	int code = CLI_NO;

	if (word[0] == '\0')
		return ask_for(web, "/api/v1/sessions", "");
	if (is_session_id(word)) {
		code = find(web, "session_id", word, pseudonym, sizeof(pseudonym));
		return code == CLI_OK ? ask_for(web, "/api/v1/sessions/", pseudonym) : code;
	}
	if (is_decimal(word))
		code = ask_digits(web, word);
	if (code != CLI_NO)
		return code;
	code = find(web, "subscriber_text", word, pseudonym, sizeof(pseudonym));
	return code == CLI_OK ? ask_subscriber(web, pseudonym) : code;
}
