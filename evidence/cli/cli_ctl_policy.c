/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic ctl policy: the document in force, another one checked, put in force, or the one before it again.
 *
 * A file is judged here first, so that a mistake is named with the file's own path; the agent judges it again.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../conf/oev_conf.h"
#include "cli_ctl_web.h"

/* The text of the file, when it is a policy; NULL and the code in *@code else. */
static char *read_policy(struct cli_ctl_web *web, int *code)
{
	const char *path = web->ask->words[2];
	struct oc_policy *policy = calloc(1, sizeof(*policy));
	char error[OEV_CONF_ERROR_MAX] = "out of memory", *text = NULL;
	size_t len = 0;

	*code = CLI_INPUT;
	int rc = policy != NULL ? oev_conf_read_file(path, &text, &len, error) : OC_ENOMEM;
	if (rc == OC_OK && strlen(text) != len) {
		snprintf(error, sizeof(error), "%.300s: has a NUL octet; is this a text?", path);
		rc = OC_EMALFORMED;
	} else if (rc == OC_OK) {
		*code = CLI_REFUSED;
		rc = oev_conf_policy_parse(text, len, path, policy, error);
	}
	free(policy);
	if (rc == OC_OK)
		return text;
	snprintf(web->error, sizeof(web->error), "%s%s", *code == CLI_REFUSED ? "refused: " : "", error);
	free(text);
	return NULL;
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
	if (web->reply.status == 404 ||
	    web->reply.status == 405) { /* a server that cannot: it was judged here */
		cli_http_drop(&web->reply);
		code = CLI_OK;
	}
	snprintf(web->done, sizeof(web->done), "ok: %.200s could be put in force", web->ask->words[2]);
	json_decref(body);
	free(text);
	return code;
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

static int rollback(struct cli_ctl_web *web)
{
	json_t *body = json_pack("{s:s}", "reason", web->ask->reason);
	int code = cli_http_ask(web->http, "POST", "/api/v1/policy/rollback", body, NULL, &web->reply,
				web->error);

	json_decref(body);
	if (web->reply.status == 404 || web->reply.status == 405)
		snprintf(web->error, sizeof(web->error),
			 "this agent's server keeps no earlier policy; apply the earlier file");
	else
		snprintf(web->done, sizeof(web->done), "version %" JSON_INTEGER_FORMAT " is in force",
			 version_of(&web->reply));
	return code;
}

int cli_ctl_policy(struct cli_ctl_web *web)
{
	const char *word = web->ask->words[1];

	if (strcmp(word, "show") == 0)
		return show(web);
	if (strcmp(word, "check") == 0)
		return check(web);
	return strcmp(word, "apply") == 0 ? apply(web) : rollback(web);
}
