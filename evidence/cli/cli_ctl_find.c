/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Who is meant, by pseudonym; doic ctl sessions.
 *
 * Evidence has pseudonyms only. A Session-Id or a subscriber's identity is turned into one by the agent, which has the key.
 */
#include <string.h>

#include "cli_ctl_web.h"

#define WORD_MAX 1024u

int cli_ctl_find_ask(struct cli_ctl_web *web, const char *path, const char *word)
{
	char escaped[3 * WORD_MAX], whole[3 * WORD_MAX + 128];

	cli_http_escape(word, escaped, sizeof(escaped));
	snprintf(whole, sizeof(whole), "%s%s", path, escaped);
	cli_http_drop(&web->reply);
	int code = cli_http_ask(web->http, "GET", whole, NULL, NULL, &web->reply, web->error);
	return code == CLI_REFUSED && web->reply.status == 404 ? CLI_NO : code;
}

bool cli_ctl_is_pseudonym(const char *word)
{
	return word[0] != '\0' && strspn(word, "0123456789") == strlen(word);
}

bool cli_ctl_is_session_id(const char *word)
{
	return strchr(word, ';') != NULL;
}

int cli_ctl_find(struct cli_ctl_web *web, const char *kind, const char *word, char *out, size_t size)
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

/* Sessions of the subscriber with that pseudonym; CLI_NO: there is none. */
static int ask_subscriber(struct cli_ctl_web *web, const char *pseudonym)
{
	int code = cli_ctl_find_ask(web, "/api/v1/sessions?subscriber=", pseudonym);

	if (code != CLI_OK || json_array_size(json_object_get(web->reply.json, "sessions")) > 0)
		return code;
	snprintf(web->error, sizeof(web->error), "no session of such a subscriber is indexed");
	return CLI_NO;
}

/* Digits are the pseudonym of a session, that of a subscriber, or an identity as messages have it: an IMSI, a telephone number. */
static int ask_digits(struct cli_ctl_web *web, const char *word)
{
	int code = cli_ctl_find_ask(web, "/api/v1/sessions/", word);

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
		return cli_ctl_find_ask(web, "/api/v1/sessions", "");
	if (cli_ctl_is_session_id(word)) {
		code = cli_ctl_find(web, "session_id", word, pseudonym, sizeof(pseudonym));
		return code == CLI_OK ? cli_ctl_find_ask(web, "/api/v1/sessions/", pseudonym) : code;
	}
	if (cli_ctl_is_pseudonym(word))
		code = ask_digits(web, word);
	if (code != CLI_NO)
		return code;
	code = cli_ctl_find(web, "subscriber_text", word, pseudonym, sizeof(pseudonym));
	return code == CLI_OK ? ask_subscriber(web, pseudonym) : code;
}
